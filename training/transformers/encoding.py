"""Text to token ids exactly as the llama.cpp engine does it: control tokens only from template parts, one BOS at most."""

from protocol import WorkerError


class Encoder:
    def __init__(self, tokenizer):
        self.tokenizer = tokenizer
        self.backend = getattr(tokenizer, "_tokenizer", None)
        if self.backend is None:
            raise WorkerError("unsupported", "the model has no fast tokenizer (tokenizer.json)")
        self.bos = tokenizer.bos_token_id
        self.adds_bos = self.bos is not None and tokenizer("a").input_ids[:1] == [self.bos]

    def encode(self, parts):
        """Ids of the parts without BOS, unless a template part holds it."""
        ids = []
        for part in parts:
            if part["text"] == "":
                continue
            self.backend.encode_special_tokens = part["kind"] == "data"
            try:
                ids.extend(self.backend.encode(part["text"], add_special_tokens=False).ids)
            finally:
                self.backend.encode_special_tokens = False
        return ids

    def encode_prompt(self, parts):
        ids = self.encode(parts)
        if self.adds_bos and ids[:1] != [self.bos]:
            ids.insert(0, self.bos)
        return ids

    def control_tokens(self):
        return [token.content for token in self.backend.get_added_tokens_decoder().values() if token.special]

    def end_tokens(self, generation_config):
        """Ids that end a generation: the configured ones and the usual end-of-turn tokens of the vocabulary."""
        configured = generation_config.eos_token_id
        ids = set(configured if isinstance(configured, list) else [configured])
        ids.add(self.tokenizer.eos_token_id)
        for text in ("<|im_end|>", "<|eot_id|>", "<end_of_turn>", "<|end|>", "<|endoftext|>", "<|eom_id|>"):
            ids.add(self.backend.token_to_id(text))
        ids.discard(None)
        return ids
