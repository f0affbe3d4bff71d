"""Core kinds: the kind of each core, and the device restricted to the cores of one kind.

Each limit in `core` is the maximum over all kinds, so code that reads a single limit gets the limit of the most capable cores. A vertex
fits the device if it fits a core of some kind. The limits of a core are the limits of its kind.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from attrs import evolve

from ..arrays.numeric import Ints
from .core_records import Core, CoreKind, Region
from .fields import Quantity
from .records import Device

COMMON = ""
"""Name of the default kind: cores that no kind lists have the limits of `core`."""


HOST_READOUT = "host_readout"
"""The feature of a device whose last layers of values may be computed by the host."""


def has_neuron_cores(device: Device) -> bool:
    """Returns whether the unit of mapping is a neuron. On other devices a core stores whole layers."""
    is_layered = device.execution is not None and device.execution.granularity == "layer"
    return device.topology is not None and not is_layered


def kinds_of(device: Device) -> dict[str, Device]:
    """Returns the device restricted to each core kind, by name. The kind COMMON is present only if a core belongs to no other kind."""
    if not device.core_kinds:
        return {COMMON: device}
    found = {name: with_core(device, kind) for name, kind in device.core_kinds.items()}
    chip = cores_of_chip(device)
    listed = {core for kind in device.core_kinds.values() for core in kind.cores}
    if chip is None or len(listed) < chip:
        found[COMMON] = device
    return found


def cores_of_chip(device: Device) -> int | None:
    """Returns the number of cores of one chip; None if it is not known."""
    width, height = device.integer("topology.mesh.width"), device.integer("topology.mesh.height")
    if width is not None and height is not None and (each := cores_at_position(device)) is not None:
        return width * height * each
    cores = device.integer("topology.cores")
    return None if cores is None else cores // (device.integer("topology.chips") or 1)


def cores_at_position(device: Device) -> int | None:
    """Returns the number of cores at each position of a mesh; None if it is not published."""
    declared = device.quantity("topology.mesh.cores")
    return 1 if declared is None else device.integer("topology.mesh.cores")


def with_core(device: Device, kind: CoreKind) -> Device:
    """Returns the device as if all cores were of one kind."""
    core = device.core or Core()
    memory = {name: region_of(region, name, kind) for name, region in core.memory.items()}
    own = evolve(
        core,
        neurons=kind.neurons or core.neurons,
        fan_in=kind.fan_in or core.fan_in,
        fan_out=kind.fan_out or core.fan_out,
        input_axons=kind.input_axons or core.input_axons,
        output_axons=kind.output_axons or core.output_axons,
        memory_bytes=core.memory_bytes if not kind.memory else sum_of_regions(core, memory),
        memory=memory,
    )
    return evolve(device, core=own, core_kinds={})


def sum_of_regions(core: Core, memory: Mapping[str, Region]) -> Quantity | None:
    """Returns the memory of a core with these regions; None if the size of `core` or of a region is unknown."""
    sizes = [None if one.bytes is None else one.bytes.value for one in memory.values()]
    known = [size for size in sizes if isinstance(size, int)]
    return evolve(core.memory_bytes, value=sum(known)) if core.memory_bytes and len(known) == len(sizes) else None


def region_of(region: Region, name: str, kind: CoreKind) -> Region:
    """Returns a memory region with the sizes of a core kind."""
    size = kind.memory.get(name)
    return region if size is None or size.bytes is None else evolve(region, bytes=size.bytes)


def path_in_kind(device: Device, name: str, path: str) -> str:
    """Returns the path of the field that limits the cores of a kind: the field of the kind if declared, else the field of `core`."""
    kind = device.core_kinds.get(name)
    section, _, rest = path.partition(".")
    if kind is None or section != "core":
        return path
    steps = rest.split(".")
    is_own = (
        getattr(kind, steps[0], None) is not None
        if len(steps) == 1
        else steps[0] == "memory" and steps[1] in kind.memory
    )
    return f"core_kinds.{name}.{rest}" if is_own else path


def kind_of_cores(device: Device, cores: int, per_chip: int) -> tuple[list[str], Ints]:
    """Returns the names of the kinds, and the kind of each core as an index. `per_chip` is the number of cores of a chip."""
    names, found = [*kinds_of(device)], np.full(cores, -1, np.int64)
    for k, name in enumerate(names):
        if name != COMMON:
            found[np.isin(np.arange(cores) % per_chip, device.core_kinds[name].cores)] = k
    found[found < 0] = names.index(COMMON) if COMMON in names else 0
    return names, found


def kind_at(device: Device, core: int, per_chip: int) -> str:
    """Returns the name of the kind of a core."""
    return next((name for name, kind in device.core_kinds.items() if core % per_chip in kind.cores), COMMON)


def has_host_readout(device: Device) -> bool:
    """Returns whether a device leaves last layers of values to the host."""
    found = device.features.get(HOST_READOUT)
    return found is not None and found.value is True
