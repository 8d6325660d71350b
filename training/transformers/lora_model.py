"""Puts LoRA layers on a base model, and reads and writes what they learned."""

import difflib
import json
import os

from protocol import WorkerError


def linear_names(model):
    """Last name parts of the linear layers, output head left out."""
    import torch

    head = model.get_output_embeddings()
    found = {}
    for name, module in model.named_modules():
        is_linear = isinstance(module, torch.nn.Linear) or type(module).__name__ in ("Linear4bit", "Linear8bitLt")
        if is_linear and module is not head:
            found.setdefault(name.rsplit(".", 1)[-1], name)
    return list(found)


def resolve_targets(model, wanted):
    """Names of the layers to adapt. A name that matches nothing is an error that lists those that exist."""
    names = linear_names(model)
    if wanted == "all-linear":
        return sorted(names)
    paths = [name for name, _ in model.named_modules()]
    missing = [target for target in wanted if not any(path == target or path.endswith("." + target) for path in paths)]
    if missing:
        near = [match for target in missing for match in difflib.get_close_matches(target, names, 1)]
        hint = f"layers of this model: {', '.join(sorted(names))}" + (f"; did you mean {', '.join(near)}?" if near else "")
        raise WorkerError("config", f"target modules that do not exist: {', '.join(missing)}", hint)
    return sorted(wanted)


def add_lora(model, settings, seed, checkpointing, quantised):
    """Base frozen, LoRA weights in float32 with initial values that depend on the seed alone."""
    from peft import LoraConfig, get_peft_model, prepare_model_for_kbit_training

    from machine import seed_everything

    if quantised:
        model = prepare_model_for_kbit_training(model, use_gradient_checkpointing=checkpointing)
    elif checkpointing:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
        model.enable_input_require_grads()
    config = LoraConfig(
        r=settings["rank"],
        lora_alpha=settings["alpha"],
        lora_dropout=settings["dropout"],
        bias=settings["bias"],
        target_modules=resolve_targets(model, settings["targetModules"]),
        use_rslora=settings["rsLora"],
        use_dora=settings["dora"],
        task_type="CAUSAL_LM",
    )
    seed_everything(seed)
    return get_peft_model(model, config)


def trainable(model):
    return {name: parameter for name, parameter in model.named_parameters() if parameter.requires_grad}


def snapshot(model):
    return {name: parameter.detach().to("cpu", copy=True) for name, parameter in trainable(model).items()}


def restore(model, state):
    import torch

    parameters = trainable(model)
    if parameters.keys() != state.keys():
        raise WorkerError("integrity", "the checkpoint belongs to another adapter")
    with torch.no_grad():
        for name, value in state.items():
            parameters[name].copy_(value)


def save_adapter(model, folder, facts):
    """PEFT layout, written beside and renamed: a folder with this name is a complete adapter. `facts` says what it belongs to."""
    import shutil

    temporary = folder + ".part"
    shutil.rmtree(temporary, ignore_errors=True)
    model.save_pretrained(temporary, save_embedding_layers=False)
    path = os.path.join(temporary, "adapter_config.json")
    with open(path, encoding="utf-8") as file:
        config = json.load(file)
    # Sets come out in any order and paths name the user's folders; equal trainings must give equal files.
    config["target_modules"] = sorted(config["target_modules"])
    config["base_model_name_or_path"] = facts["base"]["name"]
    _write_json(path, config)
    _write_json(os.path.join(temporary, "slmbench.json"), facts)
    readme = os.path.join(temporary, "README.md")
    if os.path.exists(readme):
        os.remove(readme)
    shutil.rmtree(folder, ignore_errors=True)
    os.rename(temporary, folder)


def _write_json(path, value):
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        json.dump(value, file, indent=2, sort_keys=True)
        file.write("\n")


def load_adapter(model, folder, base_digest):
    """The base with an adapter on it. Every tensor must find its place, and the adapter must be one for this base."""
    from peft import PeftModel, get_peft_model_state_dict
    from safetensors import safe_open

    check_base(folder, base_digest)
    try:
        with safe_open(os.path.join(folder, "adapter_model.safetensors"), framework="pt") as file:
            stored = set(file.keys())
        adapted = PeftModel.from_pretrained(model, folder, is_trainable=False, local_files_only=True)
    except WorkerError:
        raise
    except Exception as error:
        raise WorkerError("integrity", f"cannot load the adapter {folder}: {error}") from error
    expected = set(get_peft_model_state_dict(adapted, save_embedding_layers=False))
    unmatched = sorted(stored ^ expected)
    if unmatched:
        raise WorkerError("integrity", f"{len(unmatched)} tensors of the adapter are unmatched: {', '.join(unmatched[:4])}", "is it for another model?")
    return adapted


def check_base(folder, base_digest):
    try:
        with open(os.path.join(folder, "slmbench.json"), encoding="utf-8") as file:
            trained_on = json.load(file)["base"]["digest"]
    except (OSError, ValueError, KeyError):
        # An adapter of other origin does not say; shapes and names are still checked.
        return
    if base_digest is not None and trained_on != base_digest:
        raise WorkerError(
            "integrity",
            f"the adapter was trained on another base: {trained_on[:12]}..., this one is {base_digest[:12]}...",
            "open it with the base that its slmbench.json names",
        )


def effect_of(model, logits_of):
    """Largest change of a logit that the adapter makes; an adapter without effect is an error."""
    import torch

    ups = [parameter for name, parameter in trainable(model).items() if ".lora_B." in name]
    if all(not bool(parameter.any()) for parameter in ups):
        raise WorkerError("data", "the adapter is untrained: all its output weights are zero", "raise steps or learningRate")
    model.eval()
    with torch.no_grad():
        adapted = logits_of()
        with model.disable_adapter():
            plain = logits_of()
    difference = float((adapted.float() - plain.float()).abs().max())
    if not difference > 1e-4:
        raise WorkerError("data", f"the adapter has no effect: logits move by {difference:.1e} at most", "raise steps or learningRate")
    return difference
