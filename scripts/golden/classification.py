"""Reference values for classification, multi-label and regression metrics from scikit-learn.
Run: python scripts/golden/classification.py > test/golden/metrics/scikit-learn.json"""
import json
import sys
import warnings

import numpy as np
import sklearn
from sklearn import metrics as m

warnings.filterwarnings("ignore")
rng = np.random.default_rng(20261130)
out = {"made_with": {"scikit-learn": sklearn.__version__}, "classification": [], "multilabel": [], "regression": []}


def prf(gold, pred, labels, average):
    p, r, f, _ = m.precision_recall_fscore_support(gold, pred, labels=labels, average=average, zero_division=0)
    return [float(p), float(r), float(f)]


names = ["negative", "neutral", "positive", "überrascht", "怒り", "a b", "Z"]
for case in range(40):
    k = int(rng.integers(2, 8))
    n = int(rng.integers(1, 200))
    labels = list(rng.permutation(names[:k]))
    weights = rng.dirichlet(np.ones(k))
    gold = [labels[i] for i in rng.choice(k, n, p=weights)]
    if case % 5 == 4:  # some gold labels outside the declared ones
        labels = labels[: max(1, k - 1)]
    pool = labels + ["archive", ""] if case % 2 else labels
    pred = [g if rng.random() < 0.6 else pool[rng.integers(len(pool))] for g in gold]
    p, r, f, s = m.precision_recall_fscore_support(gold, pred, labels=labels, average=None, zero_division=0)
    inside = all(g in labels for g in gold)
    merged = [q if q in labels else "<invalid>" for q in pred]
    out["classification"].append(
        {
            "labels": labels,
            "gold": gold,
            "pred": pred,
            "accuracy": float(m.accuracy_score(gold, pred)),
            "micro": prf(gold, pred, labels, "micro"),
            "macro": prf(gold, pred, labels, "macro"),
            "weighted": prf(gold, pred, labels, "weighted"),
            "per_class": [[float(a), float(b), float(c), int(d)] for a, b, c, d in zip(p, r, f, s)],
            "balanced": float(np.mean(m.recall_score(gold, pred, labels=sorted(set(gold)), average=None, zero_division=0))) if inside else None,
            "mcc": float(m.matthews_corrcoef(gold, merged)) if inside else None,
            "kappa": float(m.cohen_kappa_score(gold, merged)) if inside and len(set(gold) | set(merged)) > 1 else None,
            "confusion": m.confusion_matrix(gold, merged, labels=labels + ["<invalid>"]).tolist()[: len(labels)] if set(gold) & set(labels) else None,
            "union_macro": prf(gold, pred, None, "macro"),
        }
    )

for _ in range(15):
    k, n = int(rng.integers(2, 6)), int(rng.integers(1, 60))
    y = rng.random((n, k)) < 0.4
    q = np.where(rng.random((n, k)) < 0.75, y, rng.random((n, k)) < 0.4)
    f1 = {a: float(m.f1_score(y, q, average=a, zero_division=0)) for a in ("micro", "macro", "weighted", "samples")}
    out["multilabel"].append(
        {
            "labels": names[:k],
            "gold": [[names[j] for j in range(k) if row[j]] for row in y],
            "pred": [[names[j] for j in range(k) if row[j]] for row in q],
            "f1": f1,
            "subset": float(m.accuracy_score(y, q)),
            "hamming": float(m.hamming_loss(y, q)),
            "jaccard": float(m.jaccard_score(y, q, average="samples", zero_division=0)),
        }
    )

for n in (3, 20, 100):
    y = np.round(rng.normal(10, 4, n), 3)
    q = np.round(y + rng.normal(0.5, 2, n), 3)
    out["regression"].append(
        {
            "gold": y.tolist(),
            "pred": q.tolist(),
            "mae": float(m.mean_absolute_error(y, q)),
            "rmse": float(m.root_mean_squared_error(y, q)),
            "r2": float(m.r2_score(y, q)),
        }
    )

# zero_division=nan: labels that are never predicted or have no gold rows; null stands for NaN.
out["undefined"] = []
for case in range(30):
    k = int(rng.integers(2, 7))
    n = int(rng.integers(1, 12))
    labels = names[:k]
    gold = [labels[i] for i in rng.integers(k, size=n)]
    pool = (labels + ["archive"])[int(rng.integers(k)) :]
    pred = [g if rng.random() < 0.4 else pool[rng.integers(len(pool))] for g in gold]
    item = {"labels": labels, "gold": gold, "pred": pred}
    for average in (None, "micro", "macro", "weighted"):
        rows = m.precision_recall_fscore_support(gold, pred, labels=labels, average=average, zero_division=np.nan)[:3]
        item[average or "per_class"] = [[None if np.isnan(v) else float(v) for v in np.atleast_1d(row)] for row in rows]
    out["undefined"].append(item)

json.dump(out, sys.stdout, ensure_ascii=False)
