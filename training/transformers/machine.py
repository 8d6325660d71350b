"""Facts of the machine and the process: versions, memory peaks, threads, seeds."""

import importlib.metadata
import random
import sys

PACKAGES = ("torch", "transformers", "peft", "trl", "accelerate", "datasets", "tokenizers", "safetensors", "gguf", "numpy", "bitsandbytes")


def package_versions():
    versions = {"python": sys.version.split()[0]}
    for name in PACKAGES:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            pass
    return versions


def peak_rss_bytes():
    try:
        with open("/proc/self/status", encoding="ascii") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        import resource
    except ImportError:  # Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def gpu_peaks():
    import torch

    if not torch.cuda.is_available():
        return None, None
    return torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved()


def prepare_torch(threads=None):
    """Deterministic kernels everywhere; an operation that has none raises instead of drifting."""
    import torch

    if threads:
        torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(True)
    # Filling fresh memory finds reads before writes; it costs a tenth of a step and decides nothing.
    torch.utils.deterministic.fill_uninitialized_memory = False
    torch.backends.cudnn.benchmark = False
    if torch.cuda.is_available():
        torch.cuda.reset_peak_memory_stats()
    return torch


def seed_everything(seed):
    import numpy
    import torch

    random.seed(seed)
    numpy.random.seed(seed % 2**32)
    torch.manual_seed(seed)
