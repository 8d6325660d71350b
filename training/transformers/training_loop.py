"""The plain training loop. Everything in it is a function of request and step number, so a resumed run ends in the same bytes."""

import math
import time

from alarms import LossWatch
from examples import batch_at, collate, micro_batches
from lora_model import restore, snapshot, trainable
from machine import seed_everything


def learning_rate_at(step, settings, total_steps):
    """Rate of a step (from 0): linear warm-up, then the schedule down to 0 (or constant)."""
    warmup = settings["warmupSteps"]
    if step < warmup:
        return settings["learningRate"] * (step + 1) / warmup
    if settings["schedule"] == "constant":
        return settings["learningRate"]
    done = (step - warmup) / max(1, total_steps - warmup)
    left = 0.5 * (1 + math.cos(math.pi * done)) if settings["schedule"] == "cosine" else 1 - done
    return settings["learningRate"] * left


class Loop:
    def __init__(self, model, train, validation, settings, pad_id, group, checkpoints, emit, check):
        import torch

        self.torch, self.model, self.settings = torch, model, settings
        self.train_rows, self.validation_rows = train, validation
        self.pad_id, self.group, self.checkpoints, self.emit, self.check = pad_id, group, checkpoints, emit, check
        self.device = next(model.parameters()).device
        self.batch_rows = settings["batchSize"] * settings["gradientAccumulation"]
        self.total_steps = settings["totalSteps"]
        self.parameters = trainable(model)
        self.optimizer = torch.optim.AdamW(
            self.parameters.values(),
            lr=settings["learningRate"],
            betas=tuple(settings["betas"]),
            eps=settings["epsilon"],
            weight_decay=settings["weightDecay"],
        )
        self.step = 0
        self.curve = []
        self.best = None
        self.evaluations_without_gain = 0
        self.earlier_seconds = 0.0
        self.stopped_early = False

    def losses(self, rows):
        """Sum of the losses over supervised tokens of one micro-batch, and the number of these tokens."""
        ids, mask, positions, labels = collate(rows, self.pad_id, self.device)
        logits = self.model(input_ids=ids, attention_mask=mask, position_ids=positions, logits_to_keep=labels.shape[1] + 1, use_cache=False).logits
        kept = labels.flatten() != -100
        predicted = logits[:, -labels.shape[1] - 1 : -1].flatten(0, 1)[kept].float()
        return self.torch.nn.functional.cross_entropy(predicted, labels.flatten()[kept], reduction="sum")

    def run(self):
        """Trains to the end. Returns facts of the run; the model then holds the best or the last weights."""
        self._resume()
        watch = LossWatch(self.model.config.vocab_size, lambda step, text: self.emit({"kind": "alarm", "step": step, "message": text}))
        watch.losses = [point["loss"] for point in self.curve if point["kind"] == "train"]
        started, tokens_done, first_step = time.monotonic(), 0, self.step
        while self.step < self.total_steps and not self.stopped_early:
            self._check_cancelled(started)
            loss, norm, tokens = self._train_step()
            tokens_done += tokens
            watch.add(self.step, loss, norm)
            self.curve.append({"step": self.step, "loss": loss, "kind": "train"})
            elapsed = time.monotonic() - started
            per_step = elapsed / (self.step - first_step)
            if self.step % self.settings["loggingSteps"] == 0 or self.step in (1, self.total_steps):
                self.emit(
                    {
                        "kind": "step",
                        "step": self.step,
                        "totalSteps": self.total_steps,
                        "loss": loss,
                        "tokensPerSecond": tokens_done / elapsed,
                        "etaSeconds": per_step * (self.total_steps - self.step),
                    }
                )
            self._after_step(started)
        elapsed = self.earlier_seconds + time.monotonic() - started
        if self.best is not None and self.settings["validation"]["keepBest"]:
            restore(self.model, self.best["state"])
        return {
            "globalSteps": self.step,
            "trainingLoss": sum(watch.losses) / len(watch.losses) if watch.losses else None,
            "lossCurve": self.curve,
            "bestStep": None if self.best is None else self.best["step"],
            "stoppedEarly": self.stopped_early,
            "elapsedSeconds": elapsed,
        }

    def _train_step(self):
        seed_everything(self.settings["seed"] + 1_000_003 * (self.step + 1) + self.group.rank)
        self.model.train()
        rows = [self.train_rows[index] for index in batch_at(self.step, self.batch_rows, len(self.train_rows), self.settings["seed"])]
        supervised = sum(row.supervised for row in rows)
        for entry in self.optimizer.param_groups:
            entry["lr"] = learning_rate_at(self.step, self.settings, self.total_steps)
        self.optimizer.zero_grad(set_to_none=True)
        total = 0.0
        for micro in micro_batches(self.group.share(rows), self.settings["microBatchTokens"], self.settings["microBatchSize"]):
            loss = self.losses(micro)
            # One division by the tokens of the whole step: the gradient does not depend on how the step is cut up.
            (loss / supervised).backward()
            total += float(loss.detach())
        total = self.group.sum_gradients(self.parameters.values(), total)
        norm = float(self.torch.nn.utils.clip_grad_norm_(self.parameters.values(), self.settings["maxGradientNorm"]))
        if math.isfinite(norm) and math.isfinite(total):
            self.optimizer.step()
        self.step += 1
        return total / supervised, norm, sum(len(row.ids) for row in rows)

    def _after_step(self, started):
        validation = self.settings["validation"]
        is_last = self.step == self.total_steps
        if self.validation_rows and (is_last or (validation["everySteps"] and self.step % validation["everySteps"] == 0)):
            self._validate()
        every = self.settings["checkpoint"]["everySteps"]
        if every and self.step % every == 0 and not is_last and not self.stopped_early:
            self._save(started)

    def validation_loss(self):
        """Mean loss per supervised token over the whole validation set."""
        self.model.eval()
        total = 0.0
        with self.torch.no_grad():
            for micro in micro_batches(self.group.share(self.validation_rows), 2 * self.settings["microBatchTokens"], None):
                self.check()
                total += float(self.losses(micro))
        return self.group.sum_number(total) / sum(row.supervised for row in self.validation_rows)

    def _validate(self):
        loss = self.validation_loss()
        self.curve.append({"step": self.step, "loss": loss, "kind": "validation"})
        self.emit({"kind": "validation", "step": self.step, "totalSteps": self.total_steps, "loss": loss if math.isfinite(loss) else None})
        settings = self.settings["validation"]
        if self.best is None or loss < self.best["loss"] - settings["minimumGain"]:
            self.best = {"step": self.step, "loss": loss, "state": snapshot(self.model)}
            self.evaluations_without_gain = 0
            return
        self.evaluations_without_gain += 1
        if settings["patience"] and self.evaluations_without_gain >= settings["patience"]:
            self.stopped_early = True
            self.emit({"kind": "note", "step": self.step, "message": f"stopped early: no better validation loss since step {self.best['step']}"})

    def _save(self, started):
        if self.group.rank > 0:
            return
        state = {
            "step": self.step,
            "weights": snapshot(self.model),
            "optimizer": self.optimizer.state_dict(),
            "curve": self.curve,
            "best": self.best,
            "withoutGain": self.evaluations_without_gain,
            "seconds": self.earlier_seconds + time.monotonic() - started,
        }
        self.checkpoints.save(self.step, state)
        self.emit({"kind": "checkpoint", "step": self.step, "totalSteps": self.total_steps})

    def _resume(self):
        state = self.checkpoints.newest(lambda text: self.emit({"kind": "alarm", "message": text}))
        if state is None:
            return
        restore(self.model, state["weights"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step, self.curve, self.best = state["step"], state["curve"], state["best"]
        self.evaluations_without_gain, self.earlier_seconds = state["withoutGain"], state["seconds"]
        self.emit({"kind": "note", "step": self.step, "message": f"resumed after step {self.step}"})

    def _check_cancelled(self, started):
        try:
            self.check()
        except Exception:
            if self.step > 0:
                self._save(started)
            raise
