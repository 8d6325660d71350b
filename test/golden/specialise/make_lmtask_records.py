"""Writes the four published Financial PhraseBank records in the JSON shape of LMTask, from their class counts alone.

Scores follow scikit-learn's precision_recall_fscore_support (labels given, zero_division 0); with `--check` they are compared
with scikit-learn itself. The Gemma 4 record carries the facts that its published report prints.
"""
import json
import sys
from pathlib import Path

LABELS = ["negative", "neutral", "positive"]
# (true positives, predicted, support) by label; invalid predictions
COUNTS = {
    "gemma4": ("Gemma 4", [(33, 38, 34), (152, 159, 158), (58, 59, 64)], 0),
    "llama3": ("Llama 3", [(28, 29, 34), (154, 179, 158), (45, 48, 64)], 0),
    "dsr1qwen3": ("DeepSeek-R1-Distill-Qwen 3", [(32, 37, 34), (110, 114, 158), (62, 105, 64)], 0),
    "qwen3": ("Qwen 3", [(6, 6, 34), (20, 20, 158), (31, 34, 64)], 196),
}


def ratio(part, whole):
    return part / whole if whole else 0.0


def f1(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def scores(counts):
    rows = sum(support for _, _, support in counts)
    right = sum(tp for tp, _, _ in counts)
    per_class = [
        {"label": label, "precision": ratio(tp, pred), "recall": ratio(tp, sup), "f1": ratio(2 * tp, pred + sup), "support": sup}
        for label, (tp, pred, sup) in zip(LABELS, counts)
    ]
    micro_p, micro_r = ratio(right, sum(pred for _, pred, _ in counts)), ratio(right, rows)
    metrics = [{"name": "accuracy", "value": right / rows, "average": None}]
    for average in ("micro", "macro", "weighted"):
        for name in ("precision", "recall", "f1"):
            if average == "micro":
                value = {"precision": micro_p, "recall": micro_r, "f1": f1(micro_p, micro_r)}[name]
            elif average == "macro":
                value = sum(one[name] for one in per_class) / len(per_class)
            else:
                value = sum(one[name] * one["support"] for one in per_class) / rows
            metrics.append({"name": name, "value": value, "average": average})
    return per_class, metrics


GEMMA_FACTS = {
    "created": "2026-08-07T18:19:12.018977-05:00",
    "git": {"commit": "e4deeee630568375c248f6a597f3e5137e06e0c4", "describe": "v0.0.1-101-ge4deeee-dirty", "dirty": True},
    "environment": {
        "python": "3.13.13",
        "os": "Linux-4.18.0-553.124.1.el8_10.x86_64-x86_64-with-glibc2.28",
        "kernel": "4.18.0-553.124.1.el8_10.x86_64",
        "cuda_visible_devices": "4,5,6,7",
        "cuda_runtime": "12.8",
        "nvidia_driver": "580.142",
        "packages": {
            "scikit-learn": "1.9.0", "torch": "2.10.0", "transformers": "5.5.4", "trl": "1.0.0", "peft": "0.18.1",
            "accelerate": "1.13.0", "datasets": "4.8.5", "pandas": "2.3.3", "pyarrow": "24.0.0", "huggingface-hub": "1.16.1",
        },
        "gpus": [
            {"index": index, "name": "NVIDIA RTX A6000", "total_memory": 50897289216, "peak_allocated": None, "peak_reserved": None}
            for index in range(4)
        ],
    },
    "training": {
        "elapsed_seconds": 872.0, "global_step": 110, "training_loss": 18.653328254006126,
        "metrics": {
            "train_runtime": 851.2863, "train_samples_per_second": 2.058, "train_steps_per_second": 0.129,
            "total_flos": 2861561936736000.0, "train_loss": 18.653328254006126,
        },
        "result_dir": "data/fpb/gemma4/model/peft", "adapter_size": 955622176,
    },
    "testing": {
        "test_result": {"prediction_col": "prediction", "raw_col": None, "time_elapsed": 821.3},
        "predictions_file": "data/fpb/gemma4/benchmark/fpb_gemma4.jsonl",
    },
}


def record(key):
    title, counts, invalid = COUNTS[key]
    per_class, metrics = scores(counts)
    macro_f1 = next(m for m in metrics if (m["name"], m["average"]) == ("f1", "macro"))
    base = {
        "name": f"fpb_{key}", "task_name": "Financial PhraseBank", "model_name": title, "config_file": f"trainconf/fpb-{key}.yml",
        "created": "2026-08-07T00:00:00-05:00", "notes": [],
        "git": {"commit": None, "describe": None, "dirty": True},
        "datasets": {"splits": [
            {"name": "train", "examples": 1752, "class_counts": {"positive": 441, "neutral": 1076, "negative": 235}},
            {"name": "validation", "examples": 256, "class_counts": {"neutral": 157, "negative": 34, "positive": 65}},
            {"name": "test", "examples": 256, "class_counts": {"neutral": 158, "negative": 34, "positive": 64}},
        ]},
        "metrics": {"primary": macro_f1, "metrics": metrics, "per_class": per_class, "invalid_count": invalid},
    }
    if key == "gemma4":
        base.update(GEMMA_FACTS)
    return base


def check(key):
    from sklearn.metrics import precision_recall_fscore_support

    _, counts, _ = COUNTS[key]
    gold, predicted = [], []
    misses, wrong = [], []
    for label, (tp, pred, sup) in zip(LABELS, counts):
        gold += [label] * tp
        predicted += [label] * tp
        misses += [label] * (sup - tp)
        wrong += [label] * (pred - tp)
    wrong += [""] * (len(misses) - len(wrong))
    # Any pairing that leaves no wrong prediction on its own label has the same margins.
    for shift in range(len(misses)):
        turned = wrong[shift:] + wrong[:shift]
        if all(a != b for a, b in zip(misses, turned)):
            break
    else:
        raise SystemExit(f"{key}: no pairing found")
    gold += misses
    predicted += turned
    per_class, metrics = scores(counts)
    for average in ("micro", "macro", "weighted"):
        p, r, f, _ = precision_recall_fscore_support(gold, predicted, labels=LABELS, average=average, zero_division=0)
        for name, value in (("precision", p), ("recall", r), ("f1", f)):
            own = next(m["value"] for m in metrics if (m["name"], m["average"]) == (name, average))
            assert abs(own - value) < 1e-15, (key, name, average, own, value)


if __name__ == "__main__":
    for key in COUNTS:
        if "--check" in sys.argv:
            check(key)
        path = Path(__file__).parent / f"lmtask_{key}.json"
        path.write_text(json.dumps(record(key), indent=1, ensure_ascii=False) + "\n")
