"""Checkpoints that survive a kill at any moment: written beside, hashed, renamed; a damaged one is passed over."""

import hashlib
import json
import os
import shutil


def _digest(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def _flush(path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)


class Checkpoints:
    """Checkpoints of one training; `fingerprint` names everything that decides its result, so unlike trainings never mix."""

    def __init__(self, folder, fingerprint, keep):
        self.folder = os.path.join(folder, fingerprint[:20])
        self.keep = keep

    def save(self, step, state):
        import torch

        os.makedirs(self.folder, exist_ok=True)
        target = os.path.join(self.folder, f"step-{step:07d}")
        temporary = target + ".part"
        shutil.rmtree(temporary, ignore_errors=True)
        os.makedirs(temporary)
        path = os.path.join(temporary, "state.pt")
        torch.save(state, path)
        _flush(path)
        with open(os.path.join(temporary, "state.json"), "w", encoding="utf-8") as file:
            json.dump({"step": step, "sha256": _digest(path)}, file)
            file.flush()
            os.fsync(file.fileno())
        shutil.rmtree(target, ignore_errors=True)
        os.rename(temporary, target)
        for name in self._names()[: -self.keep]:
            shutil.rmtree(os.path.join(self.folder, name), ignore_errors=True)

    def newest(self, report):
        """State of the newest sound checkpoint, or None. `report` hears of damaged ones."""
        import torch

        for name in reversed(self._names()):
            path = os.path.join(self.folder, name, "state.pt")
            try:
                with open(os.path.join(self.folder, name, "state.json"), encoding="utf-8") as file:
                    expected = json.load(file)["sha256"]
                if _digest(path) != expected:
                    raise ValueError("its content does not match its digest")
                return torch.load(path, map_location="cpu", weights_only=True)
            except Exception as error:  # noqa: BLE001 - any damage means: take the one before
                report(f"checkpoint {name} is damaged ({error}); an earlier state is used")
        return None

    def clear(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def _names(self):
        if not os.path.isdir(self.folder):
            return []
        return sorted(name for name in os.listdir(self.folder) if name.startswith("step-") and not name.endswith(".part"))
