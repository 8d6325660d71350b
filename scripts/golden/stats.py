"""Reference values for src/stats from scipy. Run: python scripts/golden/stats.py > test/golden/stats/scipy.json"""
import json
import sys

import numpy as np
import scipy
from scipy import stats

rng = np.random.default_rng(20261130)


def flat(values):
    return [float(v) for v in values]


out = {"made_with": {"scipy": scipy.__version__, "numpy": np.__version__}}
out["normal"] = [[z, float(stats.norm.cdf(z))] for z in (-12, -8, -3.3, -1.96, -0.1, 0, 0.5, 2.5, 6)]
out["normal_quantile"] = [[p, float(stats.norm.ppf(p))] for p in (1e-9, 1e-4, 0.025, 0.4, 0.5, 0.8, 0.975, 0.9999)]
out["t"] = [[t, df, float(stats.t.cdf(t, df))] for t in (-9, -2.2, -0.3, 0, 1, 4) for df in (1, 2, 5, 30.5, 400)]
out["t_quantile"] = [[p, df, float(stats.t.ppf(p, df))] for p in (0.001, 0.025, 0.3, 0.95, 0.975) for df in (1, 2, 5, 30.5, 400, 99999)]
out["beta_quantile"] = [
    [p, a, b, float(stats.beta.ppf(p, a, b))] for p in (0.005, 0.025, 0.5, 0.975) for a, b in ((1, 25), (3, 8), (50, 51), (999, 2), (4000, 1001))
]
out["binomial"] = [
    [k, n, p, float(stats.binom.cdf(k, n, p))] for k, n, p in ((0, 10, 0.5), (3, 10, 0.5), (9, 18, 0.5), (40, 200, 0.25), (4990, 10000, 0.5), (12, 3000, 0.01))
]

out["proportion"] = []
for k, n in ((0, 25), (0, 5000), (50, 100), (1, 1), (1, 2), (7, 9), (9, 9), (243, 256), (57, 256), (999, 1000)):
    test = stats.binomtest(k, n)
    for level in (0.9, 0.95, 0.99):
        w = test.proportion_ci(level, method="wilson")
        c = test.proportion_ci(level, method="exact")
        out["proportion"].append({"k": k, "n": n, "level": level, "wilson": flat(w), "exact": flat(c)})

out["quantile"] = []
for n in (1, 2, 3, 10, 101):
    values = flat(rng.lognormal(size=n))
    out["quantile"].append({"values": values, "q": [[p, float(np.quantile(values, p))] for p in (0, 0.1, 0.5, 0.9, 0.95, 0.99, 1)]})

out["mcnemar"] = [[b, c, float(stats.binomtest(b, b + c, 0.5).pvalue) if b + c else 1.0] for b, c in ((0, 0), (9, 9), (1, 9), (0, 5), (30, 55), (400, 460), (3, 2))]

out["wilcoxon"] = []
for n in (3, 5, 8, 13, 25, 49, 50, 51, 80, 200):
    d = flat(np.round(rng.normal(0.3, 1, n), 6))
    method = "exact" if n <= 50 else "asymptotic"
    r = stats.wilcoxon(d, method=method, correction=False)
    out["wilcoxon"].append({"d": d, "statistic": float(r.statistic), "p": float(r.pvalue), "kind": method})
for n in (60, 120):  # ties and zeros: normal approximation with tie correction
    d = flat(rng.integers(-3, 5, n))
    r = stats.wilcoxon([v for v in d if v != 0], method="asymptotic", correction=False)
    out["wilcoxon"].append({"d": d, "statistic": float(r.statistic), "p": float(r.pvalue), "kind": "asymptotic", "ties": True})
for n in (6, 9, 12):  # ties, exact over all sign patterns
    d = [float(v) for v in rng.integers(-3, 5, n) if v != 0]
    r = stats.wilcoxon(d, method=stats.PermutationMethod(n_resamples=np.inf))
    out["wilcoxon"].append({"d": d, "statistic": float(r.statistic), "p": float(r.pvalue), "kind": "exact", "ties": True})

out["mann_whitney"] = []
for n, m in ((3, 4), (5, 5), (8, 20), (20, 20)):
    a, b = flat(rng.normal(0, 1, n)), flat(rng.normal(0.5, 1, m))
    r = stats.mannwhitneyu(a, b, method="exact")
    out["mann_whitney"].append({"a": a, "b": b, "u": float(r.statistic), "p": float(r.pvalue), "kind": "exact"})
for n, m in ((30, 40), (100, 60)):
    a, b = flat(rng.integers(0, 9, n)), flat(rng.integers(0, 10, m))
    r = stats.mannwhitneyu(a, b, method="asymptotic")
    out["mann_whitney"].append({"a": a, "b": b, "u": float(r.statistic), "p": float(r.pvalue), "kind": "normal"})

out["t_mean"] = []
for n in (2, 5, 40):
    v = flat(rng.gamma(2, size=n))
    se = stats.sem(v)
    out["t_mean"].append({"values": v, "se": float(se), "interval": flat(stats.t.interval(0.95, n - 1, np.mean(v), se))})

out["permutation"] = []
for n in (4, 9, 14):
    d = flat(np.round(rng.normal(0.4, 1, n), 3))
    r = stats.permutation_test((d,), lambda x, axis=0: np.mean(x, axis=axis), permutation_type="samples", n_resamples=np.inf, vectorized=True)
    out["permutation"].append({"d": d, "p": float(r.pvalue)})

out["bca"] = []
for n in (20, 60):
    v = flat(rng.lognormal(size=n))
    r = stats.bootstrap((v,), np.mean, n_resamples=200000, method="BCa", rng=np.random.default_rng(1), batch=2000)
    q = stats.bootstrap((v,), np.mean, n_resamples=200000, method="percentile", rng=np.random.default_rng(1), batch=2000)
    out["bca"].append({"values": v, "bca": flat(r.confidence_interval), "percentile": flat(q.confidence_interval)})

out["correlation"] = []
for n in (5, 30):
    x = flat(rng.integers(0, 12, n))
    y = flat(np.round(np.array(x) + rng.normal(0, 4, n)))
    out["correlation"].append({"x": x, "y": y, "pearson": float(stats.pearsonr(x, y)[0]), "spearman": float(stats.spearmanr(x, y)[0])})

out["line"] = []
for n in (4, 25):
    x, y = flat(range(n)), flat(rng.normal(size=n))
    r = stats.linregress(x, y)
    out["line"].append({"x": x, "y": y, "slope": float(r.slope), "intercept": float(r.intercept), "p": float(r.pvalue)})

json.dump(out, sys.stdout)
