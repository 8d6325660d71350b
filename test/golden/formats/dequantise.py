"""Writes the reference values of dequantise.golden.json with the `gguf` package's dequantiser.

Run: pip install gguf==0.19.0 numpy && python dequantise.py
"""

import base64
import hashlib
import json
import os

import gguf
import numpy as np
from gguf.quants import dequantize, quantize

TYPES = ["F32", "F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K"]
# Where half-precision scales lie in a block: random bytes there could be NaN.
SCALES = {"Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q2_K": [80, 82], "Q3_K": [108], "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208]}


def main():
    random = np.random.default_rng(11)
    cases = []
    for name in TYPES:
        kind = gguf.GGMLQuantizationType[name]
        block, size = gguf.GGML_QUANT_SIZES[kind]
        if block == 1:
            values = random.normal(0, 1, 64).astype(np.float32)
            data = values.tobytes() if name == "F32" else values.astype(np.float16).tobytes() if name == "F16" else quantize(values.reshape(1, -1), kind).tobytes()
        else:
            blocks = random.integers(0, 256, (6, size), dtype=np.uint8)
            for at in SCALES[name]:
                blocks[:, at : at + 2] = random.normal(0, 0.1, 6).astype(np.float16).view(np.uint8).reshape(6, 2)
            data = blocks.tobytes()
        numbers = np.frombuffer(data, dtype=np.float32) if name == "F32" else np.frombuffer(data, dtype=np.float16).astype(np.float32) if name == "F16" else dequantize(np.frombuffer(data, dtype=np.uint8), kind)
        cases.append({"type": name, "bytes": base64.b64encode(data).decode(), "values": base64.b64encode(numbers.astype(np.float32).tobytes()).decode()})
    q8 = random.normal(0, 1, 320).astype(np.float32)
    encoded = quantize(q8, gguf.GGMLQuantizationType.Q8_0)
    golden = {
        "cases": cases,
        "q8": {"values": base64.b64encode(q8.tobytes()).decode(), "sha256": hashlib.sha256(encoded.tobytes()).hexdigest()},
    }
    with open(os.path.join(os.path.dirname(__file__), "dequantise.golden.json"), "w") as file:
        json.dump(golden, file, indent=1)
        file.write("\n")


main()
