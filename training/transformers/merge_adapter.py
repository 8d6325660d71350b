"""Base and adapter as one model in the layout of the hub."""

import os
import shutil

from base_model import load_model, load_tokenizer, locate_base
from lora_model import load_adapter
from machine import package_versions, peak_rss_bytes, prepare_torch


def merge_adapter(request):
    """Merges in float32 and stores in the wanted type. The output folder is complete or absent."""
    torch = prepare_torch(request.get("threads"))
    folder = locate_base(request["base"], request["cacheDirectory"])
    model = load_adapter(load_model(folder, "float32", device="cpu"), request["adapterFolder"], request["base"]["digest"])
    merged = model.merge_and_unload(safe_merge=True)
    merged.to(getattr(torch, request["dtype"]))
    target = request["outputFolder"]
    temporary = target + ".part"
    shutil.rmtree(temporary, ignore_errors=True)
    merged.save_pretrained(temporary)
    load_tokenizer(folder).save_pretrained(temporary)
    shutil.rmtree(target, ignore_errors=True)
    os.rename(temporary, target)
    return {"peakRssBytes": peak_rss_bytes(), "packages": package_versions()}
