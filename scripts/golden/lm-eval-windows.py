# Rolling windows as lm-eval cuts them. Usage: python scripts/golden/lm-eval-windows.py > test/golden/tasks/rolling-windows.json
import json

from lm_eval.utils import get_rolling_token_windows, make_disjoint_window

cases = []
for count in (0, 1, 3, 4, 5, 8, 9, 10, 17, 100):
    for length in (1, 2, 4, 7, 100, 128):
        windows = map(make_disjoint_window, get_rolling_token_windows(list(range(count)), -1, length, 1))
        cases.append({"count": count, "length": length, "windows": [[list(a), list(b)] for a, b in windows]})
print(json.dumps({"source": "lm-eval 0.4.13", "cases": cases}))
