"""One training request from texts to an adapter folder."""

import hashlib
import json
import os

from base_model import load_model, load_tokenizer, locate_base
from checkpoints import Checkpoints
from encoding import Encoder
from examples import collate, encode_examples
from lora_model import add_lora, effect_of, save_adapter, trainable
from machine import gpu_peaks, package_versions, peak_rss_bytes, prepare_torch
from process_group import ProcessGroup
from protocol import WorkerError

# Part of every fingerprint: a change of the loop's arithmetic must not continue old checkpoints.
LOOP_VERSION = 2
# Rows up to this length are trained with plain attention on a CPU.
PLAIN_ATTENTION_TOKENS = 512
# Settings that do not move the result.
NEUTRAL = ("threads", "checkpoint", "loggingSteps")


def train_adapter(request, emit, check):
    settings = request["settings"]
    prepare_torch(settings["threads"])
    group = ProcessGroup()
    try:
        return _train(request, settings, group, emit, check)
    finally:
        group.close()


def _train(request, settings, group, emit, check):
    emit({"kind": "setup", "message": "loading the base model"})
    if group.rank > 0:
        group.wait()
    folder = locate_base(request["base"], request["cacheDirectory"])
    if group.rank == 0:
        group.wait()
    check()
    encoder = Encoder(load_tokenizer(folder))
    train, validation, notes, counts = read_examples(request, encoder, settings)
    for note in notes:
        emit({"kind": "note", "message": note})
    check()
    model = load_model(folder, settings["dtype"], settings["quantisation"], group.device, attention_for(settings, group.device))
    model = add_lora(model, settings["lora"], settings["seed"], settings["gradientCheckpointing"], settings["quantisation"] != "none")
    pad_id = encoder.tokenizer.pad_token_id or encoder.tokenizer.eos_token_id or 0
    emit({"kind": "setup", "message": f"{sum(p.numel() for p in trainable(model).values())} trainable weights, {len(train)} examples"})
    fingerprint = fingerprint_of(request, settings)
    checkpoints = Checkpoints(request["checkpointFolder"], fingerprint, settings["checkpoint"]["keep"])
    if settings["trainer"] == "trl":
        from trl_trainer import train_with_trl

        facts = train_with_trl(model, encoder.tokenizer, train, validation, settings, checkpoints.folder, emit, check)
    else:
        from training_loop import Loop

        loop = Loop(model, train, validation, settings, pad_id, group, checkpoints, emit, check)
        facts = loop.run()
    probe = collate(train[:2], pad_id, next(model.parameters()).device)
    logits_of = lambda: model(input_ids=probe[0], attention_mask=probe[1], position_ids=probe[2], logits_to_keep=2, use_cache=False).logits  # noqa: E731
    effect = effect_of(model, logits_of)
    adapter = request["adapterFolder"]
    if group.rank == 0:
        save_adapter(model, adapter, adapter_facts(request, settings, fingerprint))
        checkpoints.clear()
    allocated, reserved = gpu_peaks()
    return {
        **facts,
        **counts,
        "effect": effect,
        "fingerprint": fingerprint,
        "trainableParameters": sum(p.numel() for p in trainable(model).values()),
        "peakRssBytes": peak_rss_bytes(),
        "peakGpuAllocatedBytes": allocated,
        "peakGpuReservedBytes": reserved,
        "packages": package_versions(),
    }


def attention_for(settings, device):
    """On a CPU, the fused kernel's backward pass takes twice as long as plain matrices do, as long as these are small."""
    import torch

    on_cpu = str(device or "cpu").startswith("cpu") and not torch.cuda.is_available()
    return "eager" if on_cpu and settings["maxLength"] <= PLAIN_ATTENTION_TOKENS else None


def read_examples(request, encoder, settings):
    """Token rows of both sets; errors where nothing could be learned or measured."""
    limit = settings["maxLength"]
    train, long_train = encode_examples(request["train"], encoder, limit)
    validation, long_validation = encode_examples(request["validation"], encoder, limit)
    if not train:
        raise WorkerError("data", f"no training example fits into {limit} tokens: nothing is left to train on", "raise maxLength")
    if request["validation"] and not validation:
        raise WorkerError("data", f"no usable held-out rows: no validation example fits into {limit} tokens", "raise maxLength")
    supervised = sum(row.supervised for row in train)
    share = supervised / sum(len(row.ids) for row in train)
    notes = []
    if long_train or long_validation:
        names = ", ".join((long_train + long_validation)[:3])
        notes.append(f"{len(long_train)} training and {len(long_validation)} validation examples are too long and left out: {names}")
    notes.append(f"{supervised} supervised tokens ({100 * share:.1f} % of all)")
    if share < 0.03:
        notes.append(f"only {100 * share:.1f} % of the tokens are trained: long prompts, short answers")
    counts = {"supervisedTokens": supervised, "trainExamples": len(train), "validationExamples": len(validation), "tooLong": len(long_train) + len(long_validation)}
    return train, validation, notes, counts


def fingerprint_of(request, settings):
    """sha256 over all that decides the adapter: data, base, settings, versions."""
    relevant = {key: value for key, value in settings.items() if key not in NEUTRAL}
    content = {
        "loop": LOOP_VERSION,
        "base": request["base"]["digest"],
        "train": request["train"],
        "validation": request["validation"],
        "settings": relevant,
        "processes": int(os.environ.get("WORLD_SIZE", "1")),
        "packages": package_versions(),
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def adapter_facts(request, settings, fingerprint):
    base = request["base"]
    return {
        "schema": "slmbench/adapter/1",
        "base": {"name": base["name"], "digest": base["digest"], "kind": base["kind"]},
        "fingerprint": fingerprint,
        "lora": settings["lora"],
        "trainer": settings["trainer"],
        "seed": settings["seed"],
    }
