"""Entry of the worker. `worker.py` serves requests from stdin; `worker.py --job FILE` does one request (under accelerate launch)."""

import json
import os
import signal
import sys
import traceback

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
os.environ["TRANSFORMERS_VERBOSITY"] = "error"
# Each variant of the library would count calls home; none is made.
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

# Ctrl-C in a terminal reaches every process: what is to be stopped, and how, the owner says over stdin.
signal.signal(signal.SIGINT, signal.SIG_IGN)

from protocol import Channel, Cancelled, claim_stdout, describe_error, log  # noqa: E402


def handlers(channel):
    """Heavy imports happen in the first request that needs them."""

    def versions(_params, _request_id):
        from machine import package_versions

        return {"packages": package_versions()}

    def train(params, request_id):
        from train_adapter import train_adapter

        return train_adapter(params, lambda event: channel.event(request_id, event), lambda: channel.check(request_id))

    def convert(params, _request_id):
        from base_model import locate_base

        return {"directory": locate_base(params["base"], params["cacheDirectory"])}

    def merge(params, _request_id):
        from merge_adapter import merge_adapter

        return merge_adapter(params)

    state = {}

    def load(params, _request_id):
        from inference import Inference

        state["inference"] = Inference(params)
        return state["inference"].facts()

    def infer(name):
        def call(params, request_id):
            method = getattr(state["inference"], name)
            return method(params, lambda event: channel.event(request_id, event), lambda: channel.check(request_id))

        return call

    inference = {name: infer(name) for name in ("encode", "generate", "score")}
    return {"versions": versions, "train": train, "convert": convert, "merge": merge, "load": load, **inference}


def answer(channel, table, message):
    request_id = message["id"]
    try:
        channel.check(request_id)
        channel.send({"id": request_id, "result": table[message["method"]](message.get("params", {}), request_id)})
        return True
    except Cancelled as error:
        channel.send({"id": request_id, "error": describe_error(error)})
    except BaseException as error:  # noqa: BLE001 - every failure must reach the caller as an answer
        log(traceback.format_exc())
        channel.send({"id": request_id, "error": describe_error(error)})
    return False


def main():
    output = claim_stdout()
    if len(sys.argv) == 3 and sys.argv[1] == "--job":
        # Under accelerate launch every process runs this file; the first one alone speaks and hears cancellations.
        is_first = int(os.environ.get("RANK", "0")) == 0
        channel = Channel(output if is_first else open(os.devnull, "w", encoding="utf-8"), sys.stdin if is_first else None)
        with open(sys.argv[2], encoding="utf-8") as file:
            message = json.load(file)
        sys.exit(0 if answer(channel, handlers(channel), message) else 1)
    channel = Channel(output, sys.stdin)
    table = handlers(channel)
    channel.send({"ready": True, "python": sys.version.split()[0], "pid": os.getpid()})
    while True:
        answer(channel, table, channel.requests.get())


if __name__ == "__main__":
    main()
