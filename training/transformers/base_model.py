"""Base weights and tokenizer: a local folder, or a GGUF that is dequantised once into a folder of the cache."""

import json
import os
import shutil
import tempfile

from protocol import WorkerError, log

# Part of the folder's name: a change of the conversion makes new folders.
CONVERSION = 1


def locate_base(base, cache_directory):
    """Folder in the layout of the hub (config.json, safetensors, tokenizer) for a base of either kind."""
    if base["kind"] == "directory":
        if not os.path.isfile(os.path.join(base["path"], "config.json")):
            raise WorkerError("not-found", f"{base['path']} holds no config.json", "expected a model folder in the layout of the Hugging Face hub")
        return base["path"]
    target = os.path.join(cache_directory, "dequantised", f"{base['digest'][:20]}-v{CONVERSION}")
    if not os.path.isdir(target):
        _dequantise(base["path"], target)
    return target


def _dequantise(path, target):
    """float32, so that the values are exactly those of the GGUF. Complete or absent: renamed when done."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    folder, name = os.path.split(os.path.abspath(path))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    temporary = tempfile.mkdtemp(prefix=os.path.basename(target) + ".", suffix=".part", dir=os.path.dirname(target))
    try:
        log(f"dequantising {name} once")
        try:
            model = AutoModelForCausalLM.from_pretrained(
                folder, gguf_file=name, dtype=torch.float32, quantization_config=GgufConfig(dequantize=True)
            )
            tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=name)
        except (ValueError, NotImplementedError, KeyError, AttributeError) as error:
            raise WorkerError("unsupported", f"transformers cannot read {name}: {error}", "train from the model's safetensors instead") from error
        _fill_generation_tokens(model, tokenizer)
        model.save_pretrained(temporary)
        tokenizer.save_pretrained(temporary)
        with open(os.path.join(temporary, "source.json"), "w", encoding="utf-8") as file:
            json.dump({"file": name, "conversion": CONVERSION}, file)
        try:
            os.rename(temporary, target)
        except OSError:
            # Another process finished first; both hold the same content.
            if not os.path.isdir(target):
                raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _fill_generation_tokens(model, tokenizer):
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.generation_config.bos_token_id = tokenizer.bos_token_id


def load_tokenizer(folder):
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder, local_files_only=True)


def load_model(folder, dtype, quantisation="none", device=None, attention=None):
    """A causal language model on the GPU where there is one, else on the CPU.

    `attention`: implementation in transformers' terms; by default the library's choice.
    """
    import torch
    from transformers import AutoModelForCausalLM

    has_gpu = torch.cuda.is_available()
    options = {} if attention is None else {"attn_implementation": attention}
    if quantisation != "none":
        if not has_gpu:
            raise WorkerError("unsupported", f"{quantisation} base weights need an NVIDIA GPU", "leave quantisation at \"none\" on this machine")
        options["quantization_config"] = _bits_and_bytes(quantisation)
    try:
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=getattr(torch, dtype), local_files_only=True, **options)
    except (OSError, ValueError) as error:
        raise WorkerError("integrity", f"cannot load {folder}: {error}") from error
    if quantisation == "none":
        model.to(device or ("cuda" if has_gpu else "cpu"))
    model.config.use_cache = False
    # A slice of the last positions is no matrix: without this the CPU copies the head's weights once per row.
    model.get_output_embeddings().register_forward_pre_hook(lambda _, inputs: (inputs[0].contiguous(), *inputs[1:]))
    return model


def _bits_and_bytes(quantisation):
    import torch
    from transformers import BitsAndBytesConfig

    if quantisation == "8bit":
        return BitsAndBytesConfig(load_in_8bit=True)
    return BitsAndBytesConfig(
        load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True, bnb_4bit_compute_dtype=torch.bfloat16
    )
