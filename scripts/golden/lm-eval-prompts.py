# Prompts and continuations as real lm-eval builds them for hand-written documents; no model and no download.
# Usage: pip install --no-deps lm-eval==0.4.13 (and what its imports ask for), then
#   python scripts/golden/lm-eval-prompts.py > test/golden/tasks/lm-eval-prompts.json
import importlib.util
import json
import logging
import pathlib
import sys
import types
from importlib.metadata import version

import datasets
import evaluate

logging.disable(logging.CRITICAL)
# Some task modules print when imported.
output, sys.stdout = sys.stdout, sys.stderr

# Task modules that load a scorer at import: prompts do not need it.
evaluate.load = lambda *args, **kwargs: types.SimpleNamespace(compute=lambda **kw: ({}, {}))
for name in ("transformers", "transformers.data", "transformers.data.metrics", "transformers.data.metrics.squad_metrics"):
    sys.modules.setdefault(name, types.ModuleType(name))
sys.modules["transformers"].PreTrainedTokenizerBase = type("Unused", (), {})

here = pathlib.Path(__file__).parent
spec = importlib.util.spec_from_file_location("documents", here / "lm-eval-documents.py")
documents = importlib.util.module_from_spec(spec)
spec.loader.exec_module(documents)

current = {}


def load_dataset(*args, **kwargs):
    return datasets.DatasetDict({name: datasets.Dataset.from_list(rows) for name, rows in current["splits"].items()})


datasets.load_dataset = load_dataset
from lm_eval.tasks import TaskManager  # noqa: E402

manager = TaskManager()
SYSTEM = "You are terse."
# name, chat template, few-shot as multi-turn, system text
FORMS = [("text", False, False, None), ("chat", True, True, None), ("flat", True, False, None), ("text-system", False, False, SYSTEM), ("chat-system", True, True, SYSTEM)]


def template(messages, add_generation_prompt=True):
    return json.dumps(messages, ensure_ascii=False)


def argument(text, is_chat):
    return json.loads(text) if is_chat else text


def render(task, is_chat, multi_turn, system, shots):
    task.set_config(key="num_fewshot", value=shots)
    task.set_fewshot_seed(seed=1234)
    task.build_all_requests(
        system_instruction=system,
        apply_chat_template=is_chat,
        fewshot_as_multiturn=multi_turn,
        chat_template=template if is_chat else None,
        tokenizer_name="x",
    )
    rows = {}
    for instance in task.instances:
        row = rows.setdefault(instance.doc_id, {"requests": []})
        if instance.request_type == "loglikelihood":
            row["requests"].append([argument(instance.args[0], is_chat), instance.args[1]])
        elif instance.request_type == "generate_until":
            row["requests"].append([argument(instance.args[0], is_chat)])
            row["until"] = instance.args[1]["until"] if "until" in instance.args[1] else []
        else:
            row["requests"].append([instance.args[0]])
    return [rows[key]["requests"] for key in sorted(rows)], rows[min(rows)].get("until")


cases = []
for ours, theirs, splits, shot_counts in documents.TASKS:
    current["splits"] = splits
    task = manager.load([theirs])["tasks"][theirs] if "tasks" in manager.load([theirs]) else manager.load([theirs])[theirs]
    forms = []
    for shots in shot_counts:
        for name, is_chat, multi_turn, system in FORMS:
            if task.OUTPUT_TYPE == "loglikelihood_rolling" and name != "text":
                continue
            if system is not None and shots != shot_counts[-1]:
                continue
            requests, until = render(task, is_chat, multi_turn, system, shots)
            forms.append({"shots": shots, "form": name, "requests": requests})
    case = {"task": ours, "lmEvalTask": theirs, "splits": splits, "forms": forms}
    if until is not None:
        case["until"] = until
    cases.append(case)

print(json.dumps({"source": f"lm-eval {version('lm_eval')}", "system": SYSTEM, "cases": cases}, ensure_ascii=False), file=output)
