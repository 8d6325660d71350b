# The reference side of end-to-end.ts: lm-evaluation-harness over transformers in float32, on documents given as JSON lines.
# usage: python lm_eval_side.py MODEL.gguf DOCUMENTS_FOLDER OUTPUT.json   (pip install lm_eval torch transformers gguf)
import json
import os
import sys

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_OFFLINE"] = "1"

import lm_eval
import torch
import transformers
from lm_eval.models.huggingface import HFLM
from lm_eval.tasks import TaskManager

model_file, folder, output = sys.argv[1:4]
torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
name = os.path.basename(model_file)
directory = os.path.dirname(model_file)
tokenizer = transformers.AutoTokenizer.from_pretrained(directory, gguf_file=name)
model = transformers.AutoModelForCausalLM.from_pretrained(directory, gguf_file=name, dtype=torch.float32)
model.eval()
harness = HFLM(pretrained=model, tokenizer=tokenizer, batch_size=8, device="cpu")

manager = TaskManager()


def task(task_name):
    documents = {"validation": os.path.join(folder, f"{task_name}.jsonl")}
    changes = {
        "dataset_path": "json",
        "dataset_name": None,
        "dataset_kwargs": {"data_files": documents},
        "training_split": None,
        "validation_split": "validation",
        "test_split": None,
        "num_fewshot": 0,
    }
    # The harness's own definition, with nothing but the place of the documents changed.
    return manager._factory.build(manager._entry(task_name), overrides=changes, registry=manager._index)


result = lm_eval.simple_evaluate(
    model=harness, tasks=[task("arc_easy"), task("hellaswag")], log_samples=True, bootstrap_iters=0
)
items = {
    task_name: [
        {
            "index": sample["doc_id"],
            "context": sample["arguments"][0][0],
            "continuations": [argument[1] for argument in sample["arguments"]],
            "logprobs": [float(score[0][0]) for score in sample["resps"]],
            "gold": sample["target"],
        }
        for sample in sorted(samples, key=lambda one: one["doc_id"])
    ]
    for task_name, samples in result["samples"].items()
}
versions = {"lm_eval": lm_eval.__version__, "torch": torch.__version__, "transformers": transformers.__version__}
with open(output, "w", encoding="utf-8") as file:
    json.dump({"versions": versions, "addsBos": bool(tokenizer("a").input_ids[0] == tokenizer.bos_token_id), "items": items}, file)
