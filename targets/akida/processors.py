"""The processors (NPs) of the layers of a model, pass by pass, as the vendor's mapper chooses them.

1. A convolution takes NPs of the kinds in their order: those that compute convolutions alone first, then those without dense layers, with them, and
   with external weights.
2. NPs of one kind are taken in the order of columns, rows and numbers, those of nodes without NPs for dense layers first.
3. A layer for which NPs are missing starts another pass over all NPs, unless the device has as many passes as `features.passes`. The first layer of
   a pass takes none of the NPs of the layer before it. An NP with external memory computes one dense layer in all passes together.

Errors: AKI008 too few processors. Source: observed on the mapper of BrainChip akida 2.19.3, `MapMode.Minimal`, on 12,000 random stacks of layers for
all seven devices without a difference.
"""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from ...core.device.core_kinds import kind_of_cores
from ...core.device.limits import OTHER_DEVICE
from ...core.device.records import Device
from ...core.device.topology import topology_of
from ...core.diagnostics import refuse_op
from ...dialects.akida.layer_bases import LayerBase
from ...dialects.akida.parts import CNP1, FNP2, FNP3, KIND_FUNCTIONS, feature
from ...dialects.akida.processors import AKI008, ident_of

Ident = tuple[int, int, int]
"""Column, row and number of an NP."""
DENSE_KINDS = ("fnp2", "fnp3")
"""Kinds of NPs that compute dense layers."""
KINDS_BY_FUNCTION = {CNP1: ("cnp1", "", "fnp3", "fnp2"), FNP3: ("fnp3",), FNP2: ("fnp2",)}
"""Kinds of NPs that a function takes, the first choice first."""


class Processors:
    """The processors of a device, and the processors that the current pass uses."""

    def __init__(self, device: Device):
        self.device = device
        topology = topology_of(device, 1)
        names, kinds = kind_of_cores(device, topology.cores, topology.own)
        self.every: dict[str, list[Ident]] = {name: [] for name in KIND_FUNCTIONS}
        for core in np.flatnonzero(topology.is_usable).tolist():
            self.every[names[int(kinds[core])]].append(ident_of(core, topology))
        dense = {ident[:2] for kind in DENSE_KINDS for ident in self.every[kind]}
        for idents in self.every.values():
            idents.sort(key=lambda ident: (ident[:2] in dense, ident))
        self.number = 0
        """The current pass."""
        self.used = dict[Ident, LayerBase]()
        """The layers of the current pass by their NPs."""
        self.external = dict[Ident, LayerBase]()
        """Dense layers with external weights, of all passes, by their NPs."""
        self.last = list[Ident]()
        """The NPs of the layer before."""

    def take(self, layer: LayerBase, function: str, count: int) -> tuple[str, list[Ident]]:
        """Returns the function and the processors of a layer, and starts a pass for it if needed. Errors: AKI008."""
        functions = (FNP3, FNP2) if function == FNP3 else (function,)
        passes = feature(self.device, "passes")
        barred: list[Ident] = []
        found = self.choose(functions, count, barred)
        if found is None and self.used and (passes is None or self.number + 1 < passes):
            self.number, barred = self.number + 1, self.last
            self.used.clear()
            found = self.choose(functions, count, barred)
        if found is None:
            self.refuse(layer, function, count, barred)
        chosen, self.last = found
        self.used |= dict.fromkeys(self.last, layer)
        if chosen == FNP2:
            self.external |= dict.fromkeys(self.last, layer)
        return found

    def choose(self, functions: tuple[str, ...], count: int, barred: list[Ident]) -> tuple[str, list[Ident]] | None:
        """Returns the first function with enough free processors, and the first of them."""
        for function in functions:
            free = self.free(function, barred)
            if len(free) >= count:
                return function, free[:count]
        return None

    def free(self, function: str, barred: list[Ident]) -> list[Ident]:
        """Returns the free processors with a function, the first choice first."""
        taken = {*self.used, *barred, *(self.external if function == FNP2 else ())}
        return [ident for kind in KINDS_BY_FUNCTION[function] for ident in self.every[kind] if ident not in taken]

    def refuse(self, layer: LayerBase, function: str, count: int, barred: list[Ident]) -> NoReturn:
        what = {CNP1: "convolutions", FNP3: "dense layers", FNP2: "dense layers with external weights"}[function]
        path = "core_kinds.fnp2" if function == FNP2 else "core_kinds.fnp3" if function == FNP3 else "topology.cores"
        able = [ident for kind in KINDS_BY_FUNCTION[function] for ident in self.every[kind]]
        free = len(self.free(function, barred))
        notes = ["make layers smaller, narrow their weights, or compile for a device with more processors"]
        if lost := sum(ident in barred for ident in able):
            notes.append(f"the first layer of a pass takes none of the processors of the layer before it, here {lost}")
        if function != CNP1 and self.external:
            names = ", ".join(one.node.data for one in self.external.values())
            notes.append(
                f"a processor with external memory computes one dense layer in all passes together, here {names}"
            )
        refuse_op(
            layer,
            AKI008,
            f"the device has too few processors for {what}",
            node=layer.source.data,
            expected=f"at most {free} processors of type {function} for this layer",
            found=f"{count}"
            if len(able) < count or not self.number
            else f"{count}, at the start of pass {self.number}",
            source=f"{self.device.key}, {path}",
            path=path,  # without numbers: no option sets the number of processors
            help=OTHER_DEVICE,
            notes=tuple(notes),
        )
