"""DROP exact match and F1 of fuzzed answers, from the functions of lm-eval's task folder (needs lm_eval and scipy).

    python scripts/golden/drop-f1.py > test/golden/text/drop.json
"""
import json
import random
import sys

from lm_eval.tasks.drop.utils import get_metrics

WORDS = "the a an 5 5.0 1,000 1000 3.14 .5 1e3 -5 five John Smith's North-West touchdown, (yards) 10-yard $20 50% 1e16 0.00001 nan inf An The été 北京 !".split()
rng = random.Random(11)


def span():
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(0, 4)))


rows = []
while len(rows) < 400:
    gold = tuple(span() or "x" for _ in range(rng.randint(1, 4)))
    predicted = list(gold) if rng.random() < 0.3 else [span() for _ in range(rng.randint(1, 4))]
    if rng.random() < 0.5 and len(predicted) > 1:
        rng.shuffle(predicted)
    exact, f1 = get_metrics(predicted, gold)
    rows.append({"predicted": predicted, "gold": gold, "exact": exact, "f1": float(f1)})
json.dump(rows, sys.stdout, ensure_ascii=False, separators=(",", ":"))
