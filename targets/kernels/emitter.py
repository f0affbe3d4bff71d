"""Writes the kernels of a network: their sources, `manifest.json`, the arrays of constants and initial states, and the host program.

| file | content |
| --- | --- |
| `NAME.cl`, `NAME.cu`, `NAME.metal`, or `NAME_KERNEL.comp` and `.wgsl` | the kernels |
| `manifest.json` | regions of memory, rows of inputs and outputs, and the dispatches of a tick in their order (`nopt.kernels/1`) |
| `REGION.npy` | the words of a constant region, and of a sample's memory before its first tick |
| `run.py`, `main.cu` | the host program |

Every decision was made before: the emitter chooses nothing.
"""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ...core.device.device import Device
from ...core.diagnostics import Diagnostics
from ...core.target import Artefact
from ...dialects import c, kernels
from ...dialects.kernels import Kind, Memory, MemoryRegion, Storage
from ...dialects.kernels.regions import plain_word
from .hosts.programs import host_files
from .model import program_of
from .printing.kernels import bound_regions, entry_name, sources
from .printing.language import FIELDS, LANGUAGES

SCHEMA = "nopt.kernels/1"


def text_of(slug: str, module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns the kernels of a module as one text. Errors: KNL004, KNL006."""
    del diagnostics
    return "\n".join(sources(program_of(module), slug).values())


def words_of(region: MemoryRegion, offsets: dict[kernels.BufferOp, int]) -> NDArray[Any]:
    """Returns the words of a region of constants, or of the memory of a sample before its first tick."""
    word = region.word
    flat = np.zeros(region.length, np.dtype(word.dtype))
    for buffer in region.buffers:
        if buffer.values is not None:
            values = np.broadcast_to(buffer.values.values, c.memory_shape(buffer.memory)).reshape(-1)
            if buffer.form is Storage.SPLIT:
                values = values.astype("<i8").view("<u4")
            flat[offsets[buffer] : offsets[buffer] + values.size] = values.astype(flat.dtype)
    if word.packed == 1:
        return flat
    whole = np.zeros(-(-flat.size // word.packed) * word.packed, flat.dtype)
    whole[: flat.size] = flat
    return whole.view(np.dtype("<u4"))


def npy(values: NDArray[Any]) -> bytes:
    with BytesIO() as file:
        np.save(file, values)
        return file.getvalue()


def has_values(region: MemoryRegion) -> bool:
    return region.role in ("constant", "memory")


def signals(memory: Memory, buffers: list[kernels.BufferOp]) -> list[dict[str, Any]]:
    return [
        {
            "name": buffer.row_name,
            "region": memory.of(buffer.memory)[0].name,
            "offset": memory.of(buffer.memory)[1],
            "shape": list(c.memory_shape(buffer.memory)),
            "dtype": signal_dtype(buffer),
        }
        for buffer in buffers
    ]


def signal_dtype(buffer: kernels.BufferOp) -> str:
    """Returns the NumPy type of a signal in files: spikes are truth values."""
    kind = plain_word(buffer)
    is_output = buffer.kind.data is not Kind.INPUT
    return "b1" if kind.name == "u8" and (is_output or buffer.is_spikes is not None) else kind.dtype


def machine_of(device: Device) -> dict[str, str | None] | None:
    """Returns the processor and interface that kernels are made for, as the device file describes them."""
    machine = device.device
    if machine is None:
        return None
    return {
        "type": machine.type,
        "api": machine.api,
        "vendor": machine.vendor,
        "name": machine.name,
        "architecture": machine.architecture,
        "driver": machine.driver,
    }


def manifest_of(program: kernels.ProgramOp, slug: str, device: Device) -> dict[str, Any]:
    """Returns the data for a host program."""
    memory, language = Memory(program.buffers), LANGUAGES[slug]
    return {
        "schema": SCHEMA,
        "language": slug,
        "machine": machine_of(device),
        "program": program.sym_name.data,
        "tick_ns": program.tick_ns.value.data,
        "interleaved": program.is_interleaved is not None,
        "features": sorted(program.needs()),
        "parameters": list(FIELDS),
        "pushed": program.is_pushed is not None,
        "regions": [
            {
                "name": region.name,
                "role": region.role,
                "dtype": region.word.dtype,
                "packed": region.word.packed,
                "length": region.length,
                "values": f"{region.name}.npy" if has_values(region) else None,
            }
            for region in memory.regions
            if not region.is_shared
        ],
        "inputs": signals(memory, program.of_kind(Kind.INPUT)),
        "outputs": signals(memory, program.of_kind(Kind.OUTPUT, Kind.PROBE)),
        "kernels": [
            {
                "file": f"{entry_name(program, one) if language.per_kernel else program.prefix.data}{language.suffix}",
                "entry": entry_name(program, one),
                "workgroup": one.invocations,
                "groups": one.groups,
                "ticks": one.most_ticks,
                "bindings": [region.name for region in bound_regions(memory, one)],
            }
            for one in program.kernels
        ],
    }


def artefact_of(slug: str, module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files of a compiled network, and its memory in bytes. Errors: KNL004, KNL006."""
    del diagnostics
    program = program_of(module)
    memory, manifest = Memory(program.buffers), manifest_of(program, slug, device)
    files = {name: text.encode() for name, text in sources(program, slug).items()}
    files["manifest.json"] = (json.dumps(manifest, indent=2) + "\n").encode()
    offsets = {buffer: place for buffer, (_, place) in memory.places.items()}
    for region in memory.regions:
        if has_values(region):
            files[f"{region.name}.npy"] = npy(words_of(region, offsets))
    files |= {name: text.encode() for name, text in host_files(slug, manifest).items()}
    forms = {one.form_data.value for one in program.kernels}
    notes = [f"kernels: {len(program.kernels)} for {'several ticks' if 'group' in forms else 'a tick'}"]
    if slug in UNCONTROLLED:
        notes.append(UNCONTROLLED[slug])
    return Artefact(
        files=files,
        memory={
            "constants": memory.constant_bytes(),
            "sample": memory.sample_bytes(),
            "signals": memory.tick_bytes(),
            "shared": memory.shared_bytes(),
        },
        arithmetic=arithmetic_of(program),
        latency_ticks={row["name"]: 0 for row in manifest["outputs"]},
        notes=tuple(notes),
        facts={"kernels": len(program.kernels), "features": manifest["features"]},
    )


UNCONTROLLED = {
    "wgsl": "reals: WGSL cannot forbid that a product and a sum are fused; products of spikes are exact either way",
}
"""Remarks of languages that do not control the rounding of reals."""


def arithmetic_of(program: kernels.ProgramOp) -> str:
    """Returns the types of the reals that kernels compute with, or `integers`."""
    found = {
        result.type.name
        for one in program.kernels
        for op in one.walk()
        for result in op.results
        if result.type.name in ("f32", "f64")
    }
    return " and ".join(sorted(found)) or "integers"
