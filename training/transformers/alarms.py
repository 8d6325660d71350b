"""Watches the loss: what cannot be right stops the training, what looks odd is said once."""

import math

from protocol import WorkerError

WINDOW = 10


class LossWatch:
    def __init__(self, vocabulary_size, warn):
        self.uniform = math.log(vocabulary_size)
        self.warn = warn
        self.losses = []
        self.said = set()

    def add(self, step, loss, gradient_norm):
        if not math.isfinite(loss) or not math.isfinite(gradient_norm):
            what = "loss" if not math.isfinite(loss) else "gradient"
            self.warn(step, f"the {what} is not a number at step {step}")
            raise WorkerError("backend", f"training diverged: the {what} is not a number at step {step}", "lower learningRate or use dtype float32")
        self.losses.append(loss)
        count = len(self.losses)
        if count == 1 and loss > self.uniform + 1:
            self._once("odd", step, f"the first loss is {loss:.2f}, worse than guessing ({self.uniform:.2f}): do prompts and answers fit the model?")
        if loss == 0 and count <= WINDOW:
            self._once("zero", step, "the loss is exactly 0: the answers may be part of the prompts")
        if count >= 2 * WINDOW:
            best = min(sum(self.losses[at : at + WINDOW]) for at in range(0, count - WINDOW + 1, WINDOW)) / WINDOW
            recent = sum(self.losses[-WINDOW:]) / WINDOW
            if recent > 1.5 * best + 0.1:
                self._once("rising", step, f"the loss rises: {recent:.3f} over the last {WINDOW} steps, {best:.3f} before")

    def _once(self, kind, step, message):
        if kind not in self.said:
            self.said.add(kind)
            self.warn(step, message)
