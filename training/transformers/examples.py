"""Prompt and completion texts as supervised token rows, and rows as batches in a fixed order."""

import random

from protocol import WorkerError


class Example:
    __slots__ = ("id", "ids", "supervised")

    def __init__(self, example_id, ids, supervised):
        self.id = example_id
        self.ids = ids
        # The last `supervised` ids are the completion.
        self.supervised = supervised


def encode_examples(rows, encoder, max_length):
    """Rows that fit, and the ids of those that do not: nothing is cut, since a cut would remove the answer."""
    kept, too_long = [], []
    for row in rows:
        parts = row.get("promptParts") or [{"kind": "template", "text": row["prompt"]}]
        if "".join(part["text"] for part in parts) != row["prompt"]:
            raise WorkerError("data", f"example {row['id']}: the parts of the prompt are not the prompt")
        prompt = encoder.encode_prompt(parts)
        check_served(row, prompt, encoder)
        completion = encoder.encode([{"kind": "template", "text": row["completion"]}])
        if not completion:
            raise WorkerError("data", f"example {row['id']} has no answer to train on", "every completion needs at least one token")
        if len(prompt) + len(completion) > max_length:
            too_long.append(row["id"])
            continue
        kept.append(Example(row["id"], prompt + completion, len(completion)))
    return kept, too_long


def check_served(row, prompt, encoder):
    """Where the serving engine told its ids of the same prompt, they must be the trained ones."""
    served = row.get("servedTokens")
    if served is None or served == prompt:
        return
    position = next((at for at, (ours, theirs) in enumerate(zip(prompt, served)) if ours != theirs), min(len(prompt), len(served)))
    trained, expected = (encoder.tokenizer.decode(ids[position : position + 8]) for ids in (prompt, served))
    raise WorkerError(
        "data",
        f"training and serving prompts differ: example {row['id']}, first difference at position {position}: "
        f"trained on {trained!r}, served {expected!r}",
        "the model would be trained on other tokens than it is asked with",
    )


def order_of(epoch, count, seed):
    """The order of one epoch depends on seed and epoch alone, so that a resumed run needs no stored position."""
    order = list(range(count))
    random.Random(f"{seed}/{epoch}").shuffle(order)
    return order


def batch_at(step, batch_size, count, seed):
    """Indices of a step (from 0). Batches run on over the end of an epoch; no row is left out."""
    batch, first = [], step * batch_size
    orders = {}
    for position in range(first, first + batch_size):
        epoch = position // count
        if epoch not in orders:
            orders[epoch] = order_of(epoch, count, seed)
        batch.append(orders[epoch][position % count])
    return batch


def micro_batches(examples, token_budget, row_limit):
    """Groups of similar length with at most `token_budget` padded tokens each: peak memory follows the budget, not the batch."""
    groups, current = [], []
    for example in sorted(examples, key=lambda item: (len(item.ids), item.id)):
        is_full = len(current) == row_limit or len(example.ids) * (len(current) + 1) > token_budget
        if current and is_full:
            groups.append(current)
            current = []
        current.append(example)
    if current:
        groups.append(current)
    return groups


def collate(examples, pad_id, device):
    """Left-padded tensors: completions end in the same column, so logits are needed for the last columns only."""
    import torch

    width = max(len(example.ids) for example in examples)
    columns = max(example.supervised for example in examples)
    ids = torch.full((len(examples), width), pad_id, dtype=torch.long)
    mask = torch.zeros((len(examples), width), dtype=torch.long)
    labels = torch.full((len(examples), columns), -100, dtype=torch.long)
    for row, example in enumerate(examples):
        values = torch.tensor(example.ids, dtype=torch.long)
        ids[row, width - len(values) :] = values
        mask[row, width - len(values) :] = 1
        labels[row, columns - example.supervised :] = values[-example.supervised :]
    positions = (mask.cumsum(1) - 1).clamp(min=0)
    return tuple(tensor.to(device) for tensor in (ids, mask, positions, labels))
