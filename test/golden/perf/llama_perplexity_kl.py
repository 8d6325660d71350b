"""Makes llama-perplexity-kl.json: runs llama-perplexity --kl-divergence on SmolLM2-135M-Instruct Q4_1 and a Q2_K copy of it.

usage: llama_perplexity_kl.py PERPLEXITY_PROGRAM REFERENCE.gguf CANDIDATE.gguf
The candidate is `quantizeModel(reference, candidate, 'Q2_K', { allowRequantize: true })`.
"""
import json, pathlib, re, subprocess, sys, tempfile

program, reference, candidate = sys.argv[1:4]
here = pathlib.Path(__file__).parent
data = here.parent.parent.parent / "data" / "builtin"
rows = [json.loads(line) for line in (data / "summarisation-mini.jsonl").read_text(encoding="utf-8").splitlines()]
text = "\n".join(row["document"] for row in rows)[:5200]
window = 256

with tempfile.TemporaryDirectory() as folder:
    source = pathlib.Path(folder) / "text.txt"
    source.write_text(text, encoding="utf-8")
    base = pathlib.Path(folder) / "base.bin"
    common = [program, "-f", str(source), "-c", str(window), "-b", str(window), "-t", "1", "-fa", "on", "--kl-divergence-base", str(base)]
    subprocess.run([*common, "-m", reference], check=True, capture_output=True)
    done = subprocess.run([*common, "-m", candidate, "--kl-divergence"], check=True, capture_output=True, text=True)
log = done.stdout + done.stderr


def value(pattern):
    return float(re.search(pattern, log).group(1))


result = {
    "candidate": "Q2_K",
    "windowTokens": window,
    "windows": len(re.findall(r"^\s+\d+\s+[\d.]+ ±", log, re.M)),
    "perplexity": value(r"Mean PPL\(Q\)\s+:\s+([\d.]+)"),
    "referencePerplexity": value(r"Mean PPL\(base\)\s+:\s+([\d.]+)"),
    "logRatio": value(r"Mean ln\(PPL\(Q\)/PPL\(base\)\)\s+:\s+(-?[\d.]+)"),
    "klMean": value(r"Mean\s+KLD:\s+([\d.]+)"),
    "klMedian": value(r"Median\s+KLD:\s+([\d.]+)"),
    "topAgreement": value(r"Same top p:\s+([\d.]+)") / 100,
    "text": text,
}
(here / "llama-perplexity-kl.json").write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
print({key: entry for key, entry in result.items() if key != "text"})
