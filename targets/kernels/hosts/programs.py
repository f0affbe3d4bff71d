"""Host programs of artefacts, from the templates in this folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
PYTHON = {"opencl": "opencl.py.in", "glsl": "wgpu.py.in", "wgsl": "wgpu.py.in", "cuda": "cuda.py.in"}
"""The part of `run.py` that uses a device, by language."""
NVCC = "# Made by nopt. -fmad=false: no product and sum are fused, so that reals have the bits of the model\n"


def host_files(slug: str, manifest: Mapping[str, Any]) -> dict[str, str]:
    """Returns the host programs of an artefact by their paths; none for a language without one."""
    if slug not in PYTHON:
        return {}
    device = (FOLDER / PYTHON[slug]).read_text("utf-8").replace("SLUG", slug).rstrip("\n")
    text = (FOLDER / "run.py.in").read_text("utf-8")
    compiled = cuda_files(manifest) if slug == "cuda" else {}
    return {"run.py": text.replace("\nDEVICE\n", f"\n{device}\n"), **compiled}


def cuda_files(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Returns the program of the CUDA runtime, with the manifest as its tables, and its Makefile."""
    places = {region["name"]: k for k, region in enumerate(manifest["regions"])}
    source = next((one["file"] for one in manifest["kernels"]), "net.cu")
    tables = {
        "PROGRAM.cu": source,
        "REGIONS": rows(region_row(one) for one in manifest["regions"]),
        "INPUTS": rows(signal_row(one, places) for one in manifest["inputs"]),
        "OUTPUTS": rows(signal_row(one, places) for one in manifest["outputs"]),
        "KERNELS": rows(kernel_row(one, places) for one in manifest["kernels"]),
        "INTERLEAVED": "true" if manifest["interleaved"] else "false",
    }
    text = (FOLDER / "main.cu.in").read_text("utf-8")
    for word, table in tables.items():
        mark = word if word in ("PROGRAM.cu", "INTERLEAVED") else f"\n{word}\n"
        text = text.replace(mark, table if mark == word else f"\n{table}\n")
    name = source.removesuffix(".cu")
    make = f"{NVCC}NVCC = nvcc\nNVCCFLAGS = -O2 -std=c++17 -fmad=false\n\n{name}: main.cu {source}\n\t$(NVCC) $(NVCCFLAGS) -o $@ main.cu\n"
    return {"main.cu": text, "Makefile": make}


def rows(lines: Any) -> str:
    return "\n".join(f"    {line}," for line in lines)


def text_of(name: str) -> str:
    """Returns a name as a string of C++."""
    return json.dumps(name)


def region_row(region: Mapping[str, Any]) -> str:
    size = int(region["dtype"][1:])
    kind = region["role"].upper()
    name, dtype = text_of(region["name"]), text_of(region["dtype"])
    return f"{{{name}, {kind}, {dtype}, {size}, {region['packed']}, {region['length']}}}"


def signal_row(signal: Mapping[str, Any], places: Mapping[str, int]) -> str:
    shape = ", ".join(map(str, signal["shape"]))
    size, name, dtype = prod(signal["shape"]), text_of(signal["name"]), text_of(signal["dtype"])
    return f"{{{name}, {places[signal['region']]}, {signal['offset']}, {size}, {dtype}, {{{shape}}}}}"


def kernel_row(kernel: Mapping[str, Any], places: Mapping[str, int]) -> str:
    bound = ", ".join(str(places[name]) for name in kernel["bindings"])
    return f"{{(const void *){kernel['entry']}, {kernel['workgroup']}, {kernel['groups']}, {kernel['ticks']}, {{{bound}}}}}"
