"""Writes fuzzed text pairs and their ROUGE, BLEU and chrF values as JSON.

Needs rouge-score==0.1.2 and sacrebleu==2.6.0.
    python scripts/golden/text-overlap.py 400 7 > test/golden/text/overlap.json
    python scripts/golden/text-overlap.py --time FILE.json    prints seconds per scorer for the pairs of a file
"""
import json
import logging
import random
import sys
import time

from rouge_score import rouge_scorer
from sacrebleu.metrics import BLEU, CHRF

logging.disable(logging.CRITICAL)

WORDS = (
    "the a an of to and in is was running runs runner relational conditional hopefulness generalization oscillators "
    "dying skies news innings proceed happy flies died spied agreed plastered motoring conflated troubled sized hopping "
    "tanned falling hissing fizzed failing filing sky enjoy vietnamization predication operator feudalism decisiveness "
    "sensibility triplicate formative electrical goodness revival allowance adjustable irritant replacement adoption "
    "homologous communism effective bowdlerize probate rate cease controlling roll geology theology fulfilfully radically "
    "don't U.S. 3.14 1,000 -5 $20 50% e.g. state-of-the-art co-op O'Brien (hi) [x] \"quoted\" <skipped> &amp; &quot;x&quot; "
    "a,b 1.a a.1 .5 5. yyyy syzygy ss sses ies ied ing ed eed bed feed"
).split()
OTHER = [
    "今天天气很好", "北京大学", "日本語の文章です", "カタカナ", "안녕하세요 세계", "привет мир", "я иду на работу", "مرحبا بالعالم", "שלום",
    "สวัสดีชาวโลก", "नमस्ते दुनिया", "ça va déjà œuvre", "Straße GROẞ İstanbul ΣΊΣΥΦΟΣ", "😀", "👩‍👩‍👧‍👦", "🇩🇪🇫🇷", "e\u0301te\u0301", "１２３，４５６",
    "“quotes” – dash… «x»", "x²+y³=½", "𝔘𝔫𝔦", "𠀀𠀁", "ﬁne", "€5 £6 ¥7", "《北京》，。！", "\u200b", "\ufeff", "\u00a0", "\u3000", "\x1c", "\x85", "\u2028",
    "☃☀", "‐‑−", "١٢٣", "a\u0300\u0301b",
]
SEPARATORS = [" "] * 12 + ["  ", "\t", "\n", "\n\n", "-\n", ", ", ". ", "", "; ", " . ", "\r\n"]


def piece(rng):
    roll = rng.random()
    if roll < 0.75:
        return rng.choice(WORDS)
    if roll < 0.9:
        return rng.choice(OTHER)
    return "".join(rng.choice("abcxyz019.,-'&!?$%()[]{}~`^|@#/\\_ ") for _ in range(rng.randint(1, 6)))


def text(rng):
    roll = rng.random()
    if roll < 0.03:
        return rng.choice(["", " ", "\n", ".", "\t \n", "😀", "a", "…"])
    if roll < 0.08:
        word = piece(rng)
        return " ".join([word] * rng.randint(2, 12))
    out = []
    for _ in range(rng.randint(1, 40)):
        word = piece(rng)
        if rng.random() < 0.15:
            word = word.upper() if rng.random() < 0.5 else word.capitalize()
        out.append(word)
        out.append(rng.choice(SEPARATORS))
    return "".join(out)


def mutate(rng, source):
    units = source.split(" ")
    for _ in range(rng.randint(0, max(1, len(units) // 2))):
        at = rng.randrange(len(units)) if units else 0
        roll = rng.random()
        if roll < 0.35 and units:
            units[at] = piece(rng)
        elif roll < 0.6 and units:
            del units[at]
        elif roll < 0.8:
            units.insert(at, piece(rng))
        elif len(units) > 1:
            other = rng.randrange(len(units))
            units[at], units[other] = units[other], units[at]
    return " ".join(units)


def make_pairs(count, seed):
    rng = random.Random(seed)
    pairs = []
    for _ in range(count):
        reference = text(rng)
        roll = rng.random()
        prediction = reference if roll < 0.05 else text(rng) if roll < 0.25 else mutate(rng, reference)
        references = [reference]
        while rng.random() < 0.3 and len(references) < 4:
            references.append(mutate(rng, reference))
        pairs.append({"prediction": prediction, "references": references})
    return pairs


ROUGE = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
BLEU_CONFIGS = {
    **{tok: dict(tokenize=tok, effective_order=True) for tok in ["13a", "intl", "char", "zh", "none"]},
    "floor": dict(smooth_method="floor", effective_order=True),
    "add-k": dict(smooth_method="add-k", effective_order=True),
    "unsmoothed": dict(smooth_method="none"),
    "lower": dict(lowercase=True),
    "order2": dict(max_ngram_order=2, smooth_method="floor", smooth_value=0.5),
}
CHRF_CONFIGS = {
    "chrf": {},
    "chrf++": dict(word_order=2),
    "eps": dict(word_order=2, eps_smoothing=True),
    "space": dict(whitespace=True, lowercase=True),
    "beta1": dict(beta=1, char_order=4, word_order=1),
}


def score(pairs):
    plain = rouge_scorer.RougeScorer(ROUGE)
    stemmed = rouge_scorer.RougeScorer(ROUGE, use_stemmer=True)
    bleu = {name: BLEU(**config) for name, config in BLEU_CONFIGS.items()}
    chrf = {name: CHRF(**config) for name, config in CHRF_CONFIGS.items()}
    rows = []
    for pair in pairs:
        prediction, references = pair["prediction"], pair["references"]
        rouge = {}
        for key, scorer in (("plain", plain), ("stemmed", stemmed)):
            values = scorer.score(references[0], prediction)
            rouge[key] = {kind: list(values[kind]) for kind in ROUGE}
        rows.append({
            "prediction": prediction,
            "references": references,
            "rouge": rouge,
            "bleu": {name: metric.sentence_score(prediction, references).score for name, metric in bleu.items()},
            "chrf": {name: metric.sentence_score(prediction, references).score for name, metric in chrf.items()},
        })
    return rows


def corpus(pairs):
    hypotheses = [pair["prediction"] for pair in pairs]
    width = max(len(pair["references"]) for pair in pairs)
    streams = [[pair["references"][i] if i < len(pair["references"]) else None for pair in pairs] for i in range(width)]
    bleu = {name: BLEU(**{**config, "effective_order": False}) for name, config in BLEU_CONFIGS.items()}
    chrf = {name: CHRF(**config) for name, config in CHRF_CONFIGS.items()}
    return {
        "bleu": {name: {"score": m.corpus_score(hypotheses, streams).score, "signature": str(m.get_signature())} for name, m in bleu.items()},
        "chrf": {name: {"score": m.corpus_score(hypotheses, streams).score, "signature": str(m.get_signature())} for name, m in chrf.items()},
    }


def time_scorers(pairs):
    seconds = {}

    def clock(name, run):
        started = time.perf_counter()
        for pair in pairs:
            run(pair["prediction"], pair["references"][0])
        seconds[name] = time.perf_counter() - started

    plain = rouge_scorer.RougeScorer(ROUGE[:3])
    stemmed = rouge_scorer.RougeScorer(ROUGE[:3], use_stemmer=True)
    bleu, chrf, chrf2 = BLEU(effective_order=True), CHRF(), CHRF(word_order=2)
    clock("rouge", lambda p, r: plain.score(r, p))
    clock("rouge-stemmed", lambda p, r: stemmed.score(r, p))
    clock("bleu", lambda p, r: bleu.sentence_score(p, [r]))
    clock("chrf", lambda p, r: chrf.sentence_score(p, [r]))
    clock("chrf++", lambda p, r: chrf2.sentence_score(p, [r]))
    return seconds


if __name__ == "__main__":
    if sys.argv[1] == "--time":
        with open(sys.argv[2], encoding="utf-8") as file:
            json.dump(time_scorers(json.load(file)), sys.stdout)
    else:
        made = make_pairs(int(sys.argv[1]), int(sys.argv[2]))
        json.dump({"rows": score(made), "corpus": corpus(made)}, sys.stdout, ensure_ascii=False, separators=(",", ":"))
