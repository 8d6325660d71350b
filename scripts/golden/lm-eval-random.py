# Few-shot draws as CPython makes them. Usage: python scripts/golden/lm-eval-random.py > test/golden/tasks/python-random.json
import json
from random import Random

samples = [(7473, 5), (7473, 5), (12, 3), (1119, 25), (40398, 6), (100, 11), (21, 5), (22, 5), (85, 16), (86, 16), (1, 1), (5, 5), (9741, 6), (277, 64), (278, 65)]
random = Random(1234)
print(
    json.dumps(
        {
            "source": "CPython random.Random",
            "outputs": [
                {"seed": seed, "words": [generator.getrandbits(32) for _ in range(3)], "later": [generator.getrandbits(32) for _ in range(700)][-2:]}
                for seed, generator in ((s, Random(s)) for s in (0, 1, 42, 1234, 2**32 - 1, 2**40 + 7))
            ],
            "samples": [{"population": n, "count": k, "drawn": random.sample(range(n), k)} for n, k in samples],
        },
        indent=1,
    )
)
