"""A loaded model that answers: token ids, log-likelihoods, generation. Same token rules as in training."""

import time

from base_model import load_model, load_tokenizer, locate_base
from encoding import Encoder
from lora_model import load_adapter
from machine import package_versions, prepare_torch
from protocol import WorkerError

TRAILING = "".join(map(chr, [*range(9, 14), *range(28, 33), 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000]))


class Inference:
    def __init__(self, params):
        started = time.monotonic()
        self.torch = prepare_torch(params.get("threads"))
        folder = locate_base(params["base"], params["cacheDirectory"])
        self.encoder = Encoder(load_tokenizer(folder))
        self.tokenizer = self.encoder.tokenizer
        self.model = load_model(folder, params["dtype"], params.get("quantisation", "none"))
        for adapter in params["adapters"]:
            self.model = load_adapter(self.model, adapter["path"], params["base"]["digest"])
            scale_lora(self.model, adapter["scale"])
        self.model.eval()
        self.model.config.use_cache = True
        config = self.model.config
        self.trained_context = getattr(config, "max_position_embeddings", None)
        self.context = min(params.get("contextTokens") or self.trained_context or 4096, self.trained_context or 1 << 30)
        self.ends = self.encoder.end_tokens(self.model.generation_config)
        self.load_ms = 1000 * (time.monotonic() - started)

    def facts(self):
        template = getattr(self.tokenizer, "chat_template", None)
        return {
            "loadMs": self.load_ms,
            "contextTokens": self.context,
            "trainedContext": self.trained_context,
            "vocabularySize": self.model.config.vocab_size,
            "parameters": sum(p.numel() for name, p in self.model.named_parameters() if "lora_" not in name),
            "architecture": self.model.config.model_type,
            "chatTemplate": template if isinstance(template, str) else None,
            "bosText": self.tokenizer.bos_token or "",
            "eosText": self.tokenizer.eos_token or "",
            "controlTokens": self.encoder.control_tokens(),
            "device": str(next(self.model.parameters()).device),
            "packages": package_versions(),
        }

    def encode(self, params, _emit, _check):
        ids = self.encoder.encode_prompt(params["prompt"])
        return {"tokens": ids, "pieces": [self.tokenizer.decode([token]) for token in ids]}

    def _forward(self, ids, cache=None, past=0, keep=0):
        torch = self.torch
        rows = torch.tensor(ids, dtype=torch.long, device=self.model.device)
        positions = torch.arange(past, past + rows.shape[1], device=self.model.device).expand(rows.shape[0], -1)
        with torch.no_grad():
            return self.model(input_ids=rows, position_ids=positions, past_key_values=cache, use_cache=True, logits_to_keep=keep)

    def _fits(self, count):
        if count > self.context:
            raise WorkerError("context-overflow", f"the prompt has {count} tokens, the context holds {self.context}")

    def generate(self, params, emit, check):
        torch, started = self.torch, time.monotonic()
        prompt = self.encoder.encode_prompt(params["prompt"])
        if not prompt:
            raise WorkerError("unsupported", "an empty prompt cannot be continued: the vocabulary has no BOS token")
        self._fits(len(prompt) + 1)
        sampler = Sampler(torch, params, self.model.device)
        out = self._forward([prompt], keep=1)
        prefill_ms = 1000 * (time.monotonic() - started)
        ids, shown, times, reason = [], 0, [], "length"
        limit = min(params["maxTokens"], self.context - len(prompt))
        while len(ids) < limit:
            check()
            token = sampler.next(out.logits[0, -1], prompt, ids)
            if token in self.ends and not params.get("ignoreEndOfText"):
                reason = "stop"
                break
            ids.append(token)
            times.append(1000 * (time.monotonic() - started))
            text = self.tokenizer.decode(ids, skip_special_tokens=False, clean_up_tokenization_spaces=False)
            # An unfinished UTF-8 character is held back until its last byte is there.
            whole = text.rstrip("\ufffd") if len(ids) < limit else text
            if len(whole) > shown:
                emit({"text": whole[shown:], "timeMs": times[-1]})
                shown = len(whole)
                if find_stop(whole, params["stop"]) is not None:
                    reason = "stop-string"
                    break
            if len(ids) < limit:
                out = self._forward([[token]], out.past_key_values, len(prompt) + len(ids) - 1, 1)
        text = self.tokenizer.decode(ids, skip_special_tokens=False, clean_up_tokenization_spaces=False)
        if len(text) > shown and reason != "stop-string":
            emit({"text": text[shown:], "timeMs": times[-1]})
        at = find_stop(text, params["stop"])
        return {
            "text": text if at is None else text[:at],
            "finishReason": reason if at is None else "stop-string",
            "promptTokens": len(prompt),
            "completionTokens": len(ids),
            "tokenTimesMs": times,
            "prefillMs": prefill_ms,
            "totalMs": 1000 * (time.monotonic() - started),
        }

    def score(self, params, _emit, check):
        started, results = time.monotonic(), [None] * len(params["choices"])
        computed = 0
        groups = {}
        for index, choice in enumerate(params["choices"]):
            context, continuation = self._pair(choice["prompt"] or params["prompt"], choice["continuation"])
            self._fits(len(context) + len(continuation))
            groups.setdefault(tuple(context), []).append((index, continuation))
        for context, members in groups.items():
            check()
            computed += self._score_group(list(context), members, results)
        return {
            "choices": results,
            "promptTokens": sum(len(context) for context in groups),
            "computedTokens": computed,
            "totalMs": 1000 * (time.monotonic() - started),
        }

    def _score_group(self, context, members, results):
        """Evaluates the shared context once, then all continuations as one batch on copies of its cache."""
        torch = self.torch
        width = max(len(ids) for _, ids in members)
        cache = self._forward([context[:-1]], keep=1).past_key_values if len(context) > 1 else None
        if cache is not None and len(members) > 1:
            cache.batch_repeat_interleave(len(members))
        rows = [[context[-1], *ids[:-1], *([ids[-1]] * (width - len(ids)))] for _, ids in members]
        logits = self._forward(rows, cache, len(context) - 1, width).logits.double()
        logprobs = torch.log_softmax(logits, dim=-1)
        for row, (index, ids) in enumerate(members):
            values = [float(logprobs[row, at, token]) for at, token in enumerate(ids)]
            greedy = all(int(logits[row, at].argmax()) == token for at, token in enumerate(ids))
            results[index] = {"logprob": sum(values), "tokens": len(ids), "greedy": greedy, "tokenLogprobs": values}
        return len(context) - 1 + len(rows) * width

    def _pair(self, parts, continuation):
        """Ids of context and continuation: white space at the end of the context's data belongs to the continuation."""
        if continuation == "":
            raise WorkerError("unsupported", "cannot score an empty continuation: it has no token")
        parts = [dict(part) for part in parts]
        if parts and parts[-1]["kind"] == "data":
            text = parts[-1]["text"].rstrip(TRAILING)
            continuation = parts[-1]["text"][len(text) :] + continuation
            parts[-1]["text"] = text
        if all(part["text"] == "" for part in parts):
            return self._without_context(continuation)
        context = self.encoder.encode_prompt(parts)
        if parts[-1]["kind"] == "data":
            parts[-1]["text"] += continuation
        else:
            parts.append({"kind": "data", "text": continuation})
        rest = self.encoder.encode_prompt(parts)[len(context) :]
        if not rest:
            raise WorkerError("unsupported", f"cannot score the continuation {continuation!r}: the tokenizer gives it no token of its own")
        return context, rest

    def _without_context(self, continuation):
        prefix = self.encoder.bos if self.encoder.bos is not None else self.tokenizer.eos_token_id
        if prefix is None:
            raise WorkerError("unsupported", "cannot score without a context: the vocabulary has neither a BOS nor an EOS token")
        ids = self.encoder.encode([{"kind": "data", "text": continuation}])
        return [prefix], ids[1:] if ids[:1] == [prefix] else ids


def scale_lora(model, scale):
    if scale == 1:
        return
    for module in model.modules():
        scaling = getattr(module, "scaling", None)
        if isinstance(scaling, dict):
            for name in scaling:
                scaling[name] *= scale


def find_stop(text, stops):
    places = [at for at in (text.find(stop) for stop in stops if stop) if at >= 0]
    return min(places) if places else None


class Sampler:
    """Greedy at temperature 0, else temperature, top-k, top-p and min-p, with a generator of its own."""

    def __init__(self, torch, params, device):
        self.torch, self.params = torch, params
        self.generator = torch.Generator(device=device)
        self.generator.manual_seed(params["seed"])

    def next(self, logits, prompt, generated):
        torch, params = self.torch, self.params
        logits = logits.float()
        penalty = params.get("repeatPenalty")
        if penalty and penalty != 1:
            seen = torch.tensor(sorted(set((prompt + generated)[-64:])), device=logits.device)
            values = logits[seen]
            logits = logits.clone()
            logits[seen] = torch.where(values > 0, values / penalty, values * penalty)
        if params["temperature"] == 0:
            return int(logits.argmax())
        if params.get("topK"):
            floor = logits.topk(min(params["topK"], logits.numel())).values[-1]
            logits = logits.masked_fill(logits < floor, float("-inf"))
        probabilities = torch.softmax(logits, dim=-1)
        if params.get("topP") and params["topP"] < 1:
            ordered, order = probabilities.sort(descending=True, stable=True)
            outside = ordered.cumsum(0) - ordered >= params["topP"]
            probabilities[order[outside]] = 0
        if params.get("minP"):
            probabilities[probabilities < params["minP"] * probabilities.max()] = 0
        tempered = probabilities.pow(1 / params["temperature"])
        return int(torch.multinomial(tempered / tempered.sum(), 1, generator=self.generator))
