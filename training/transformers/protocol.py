"""JSON lines over stdin and stdout: requests with an id in, events and one answer per id out."""

import json
import os
import queue
import sys
import threading


class WorkerError(Exception):
    """A failure with a code of the product's closed set of codes, and what the user can do."""

    def __init__(self, code, message, hint=None):
        super().__init__(message)
        self.code = code
        self.hint = hint


class Cancelled(WorkerError):
    def __init__(self):
        super().__init__("interrupted", "the request was cancelled")


def claim_stdout():
    """Keeps stdout for the protocol: whatever a library prints goes to stderr."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    return channel


class Channel:
    """Reads requests in a thread of its own, so that a cancellation arrives while the main thread computes."""

    def __init__(self, output, source):
        self._output = output
        self._lock = threading.Lock()
        self._cancelled = set()
        self.requests = queue.Queue()
        if source is not None:
            threading.Thread(target=self._read, args=(source,), daemon=True).start()

    def _read(self, source):
        for line in source:
            if not line.strip():
                continue
            message = json.loads(line)
            if "cancel" in message:
                self._cancelled.add(message["cancel"])
            else:
                self.requests.put(message)
        # The parent is gone: nobody would read an answer.
        os._exit(1)

    def send(self, message):
        text = json.dumps(message, ensure_ascii=True, allow_nan=False)
        with self._lock:
            self._output.write(text + "\n")
            self._output.flush()

    def event(self, request_id, event):
        self.send({"id": request_id, "event": event})

    def is_cancelled(self, request_id):
        return request_id in self._cancelled

    def check(self, request_id):
        if request_id in self._cancelled:
            raise Cancelled()


def describe_error(error):
    """An exception as the protocol's error object."""
    if isinstance(error, WorkerError):
        return {"code": error.code, "message": str(error), "hint": error.hint}
    text = f"{type(error).__name__}: {error}"
    if isinstance(error, MemoryError) or "out of memory" in str(error).lower() or "can't allocate memory" in str(error):
        return {"code": "memory", "message": f"not enough memory: {text}", "hint": "lower batchSize or microBatchTokens, or turn on gradientCheckpointing"}
    if isinstance(error, OSError) and error.errno in (13, 28, 30):
        return {"code": "storage", "message": f"cannot write: {text}", "hint": None}
    return {"code": "backend", "message": text, "hint": None}


def log(text):
    print(text, file=sys.stderr, flush=True)
