"""Writes the reference values of lora-gguf.golden.json: a small PEFT adapter converted with the `gguf` package's writer.

Run: pip install gguf==0.19.0 safetensors numpy && python lora_gguf.py
"""

import base64
import hashlib
import json
import math
import os
import tempfile

import gguf
import numpy as np
from safetensors.numpy import save

HEADS, KV_HEADS, HEAD, WIDTH, RANK = 4, 2, 8, 32, 3
MODULES = [
    ("self_attn.q_proj", "attn_q", HEADS * HEAD, WIDTH),
    ("self_attn.k_proj", "attn_k", KV_HEADS * HEAD, WIDTH),
    ("self_attn.v_proj", "attn_v", KV_HEADS * HEAD, WIDTH),
    ("self_attn.o_proj", "attn_output", WIDTH, HEADS * HEAD),
    ("mlp.gate_proj", "ffn_gate", 48, WIDTH),
    ("mlp.up_proj", "ffn_up", 48, WIDTH),
    ("mlp.down_proj", "ffn_down", WIDTH, 48),
]


def permute(rows, heads):
    out, rank = rows.shape
    return rows.reshape(heads, 2, out // heads // 2, rank).swapaxes(1, 2).reshape(out, rank)


def convert(weights, config, arch, dtype):
    alpha = config["lora_alpha"] * (math.sqrt(config["r"]) if config.get("use_rslora") else 1.0)
    path = os.path.join(tempfile.mkdtemp(), "adapter.gguf")
    writer = gguf.GGUFWriter(path, arch)
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", alpha)
    for layer in range(2):
        for torch_name, name, _, _ in MODULES:
            key = f"base_model.model.model.layers.{layer}.{torch_name}"
            a, b = weights[f"{key}.lora_A.weight"], weights[f"{key}.lora_B.weight"]
            if arch == "llama" and name in ("attn_q", "attn_k"):
                b = permute(b, HEADS if name == "attn_q" else KV_HEADS)
            writer.add_tensor(f"blk.{layer}.{name}.weight.lora_a", np.ascontiguousarray(a.astype(dtype)))
            writer.add_tensor(f"blk.{layer}.{name}.weight.lora_b", np.ascontiguousarray(b.astype(dtype)))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    with open(path, "rb") as file:
        return file.read()


def main():
    random = np.random.default_rng(7)
    weights = {}
    for layer in range(2):
        for torch_name, _, out, width in MODULES:
            key = f"base_model.model.model.layers.{layer}.{torch_name}"
            weights[f"{key}.lora_A.weight"] = random.normal(0, 0.1, (RANK, width)).astype(np.float32)
            weights[f"{key}.lora_B.weight"] = random.normal(0, 0.1, (out, RANK)).astype(np.float32)
    config = {"peft_type": "LORA", "r": RANK, "lora_alpha": 16, "bias": "none", "target_modules": ["q_proj"]}
    cases = []
    for arch in ("llama", "gemma3", "qwen3"):
        for dtype, label in ((np.float32, "F32"), (np.float16, "F16")):
            for rslora in (False, True):
                used = {**config, "use_rslora": rslora}
                data = convert(weights, used, arch, dtype)
                cases.append({"architecture": arch, "type": label, "config": used, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()})
    golden = {
        "heads": HEADS,
        "keyValueHeads": KV_HEADS,
        "safetensors": base64.b64encode(save(weights)).decode(),
        "cases": cases,
    }
    with open(os.path.join(os.path.dirname(__file__), "lora-gguf.golden.json"), "w") as file:
        json.dump(golden, file, indent=1)
        file.write("\n")


main()
