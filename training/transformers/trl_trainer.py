"""The same training by trl's SFTTrainer, on the same token rows: `trainer: trl`."""

import glob
import json
import os
import time
import zipfile

from alarms import LossWatch
from protocol import WorkerError


def newest_checkpoint(folder, report):
    """The newest checkpoint that was written whole, or None: the trainer writes them in place, so a kill can leave half of one."""
    found = sorted(glob.glob(os.path.join(glob.escape(folder), "checkpoint-*")), key=lambda path: int(path.rsplit("-", 1)[-1]))
    for path in reversed(found):
        problem = _damage_of(path)
        if problem is None:
            return path
        report(f"checkpoint {os.path.basename(path)} is damaged and passed over: {problem}")
    return None


def _damage_of(path):
    from safetensors import SafetensorError, safe_open

    try:
        with open(os.path.join(path, "trainer_state.json"), encoding="utf-8") as file:
            json.load(file)
        with safe_open(os.path.join(path, "adapter_model.safetensors"), "pt") as weights:
            weights.keys()
        for name in ("optimizer.pt", "scheduler.pt"):
            if not zipfile.is_zipfile(os.path.join(path, name)):
                return f"{name} is not whole"
    except (OSError, ValueError, SafetensorError) as error:
        return str(error)
    return None


def curve_of(history):
    """Loss points of the whole training, steps before a resume included."""
    points = []
    for entry in history:
        for key, kind in (("loss", "train"), ("eval_loss", "validation")):
            if key in entry:
                points.append({"step": int(entry["step"]), "loss": float(entry[key]), "kind": kind})
    return points


def train_with_trl(model, tokenizer, train, validation, settings, checkpoint_folder, emit, check):
    import torch
    from transformers import TrainerCallback

    try:
        from datasets import Dataset
        from trl import SFTConfig, SFTTrainer
    except ImportError as error:
        raise WorkerError("unavailable", f"trl is not installed: {error}") from error
    started, first_step = time.monotonic(), 0
    watch = LossWatch(model.config.vocab_size, lambda step, text: emit({"kind": "alarm", "step": step, "message": text}))
    tokens_per_step = settings["batchSize"] * settings["gradientAccumulation"] * sum(len(row.ids) for row in train) / len(train)

    class Progress(TrainerCallback):
        def on_step_end(self, args, state, control, **_):
            check()

        def on_log(self, args, state, control, logs=None, **_):
            step, elapsed = state.global_step, time.monotonic() - started
            done = max(1, step - first_step)
            if "loss" in logs:
                watch.add(step, float(logs["loss"]), float(logs.get("grad_norm", 0.0)))
                emit(
                    {
                        "kind": "step",
                        "step": step,
                        "totalSteps": state.max_steps,
                        "loss": float(logs["loss"]),
                        "tokensPerSecond": tokens_per_step * done / elapsed,
                        "etaSeconds": elapsed / done * (state.max_steps - step),
                    }
                )
            if "eval_loss" in logs:
                emit({"kind": "validation", "step": step, "totalSteps": state.max_steps, "loss": float(logs["eval_loss"])})

        def on_save(self, args, state, control, **_):
            emit({"kind": "checkpoint", "step": state.global_step, "totalSteps": state.max_steps})

    def dataset(rows):
        return Dataset.from_list(
            [{"input_ids": row.ids, "completion_mask": [0] * (len(row.ids) - row.supervised) + [1] * row.supervised} for row in rows]
        )

    validation_settings, has_validation = settings["validation"], len(validation) > 0
    every = validation_settings["everySteps"] or settings["totalSteps"]
    config = SFTConfig(
        output_dir=checkpoint_folder,
        max_steps=settings["totalSteps"],
        per_device_train_batch_size=settings["batchSize"],
        per_device_eval_batch_size=settings["batchSize"],
        gradient_accumulation_steps=settings["gradientAccumulation"],
        gradient_checkpointing=settings["gradientCheckpointing"],
        learning_rate=settings["learningRate"],
        lr_scheduler_type=settings["schedule"],
        warmup_steps=settings["warmupSteps"],
        weight_decay=settings["weightDecay"],
        max_grad_norm=settings["maxGradientNorm"],
        max_length=settings["maxLength"],
        completion_only_loss=True,
        packing=False,
        seed=settings["seed"],
        data_seed=settings["seed"],
        full_determinism=False,
        logging_steps=settings["loggingSteps"],
        logging_first_step=True,
        eval_strategy="steps" if has_validation else "no",
        eval_steps=every,
        save_strategy="steps",
        save_steps=every if has_validation else settings["checkpoint"]["everySteps"],
        save_total_limit=settings["checkpoint"]["keep"],
        load_best_model_at_end=has_validation and validation_settings["keepBest"],
        metric_for_best_model="eval_loss" if has_validation else None,
        greater_is_better=False if has_validation else None,
        bf16=False,
        use_cpu=not torch.cuda.is_available(),
        report_to=[],
        disable_tqdm=True,
    )
    callbacks = [Progress()]
    if has_validation and validation_settings["patience"]:
        from transformers import EarlyStoppingCallback

        callbacks.append(EarlyStoppingCallback(validation_settings["patience"]))
    trainer = SFTTrainer(
        model=model,
        args=config,
        train_dataset=dataset(train),
        eval_dataset=dataset(validation) if has_validation else None,
        processing_class=tokenizer,
        callbacks=callbacks,
    )
    last = newest_checkpoint(checkpoint_folder, lambda text: emit({"kind": "alarm", "message": text}))
    if last is not None:
        first_step = int(last.rsplit("-", 1)[-1])
        emit({"kind": "note", "step": first_step, "message": f"resumed after step {first_step}"})
    result = trainer.train(resume_from_checkpoint=last)
    best = trainer.state.best_model_checkpoint
    return {
        "globalSteps": result.global_step,
        "trainingLoss": float(result.training_loss),
        "lossCurve": curve_of(trainer.state.log_history),
        "bestStep": None if best is None else int(best.rsplit("-", 1)[-1]),
        "stoppedEarly": result.global_step < settings["totalSteps"],
        "elapsedSeconds": time.monotonic() - started,
    }
