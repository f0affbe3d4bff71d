"""Kernels on a device of this machine: the engines `cuda`, `wgpu` and `opencl`.

A network is lowered by the passes of its target for the device, printed, and run by the host program of the artefact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import AnyArray
from ...core.device.device import Device
from ...core.device.named_device import resolve_device
from ...core.diagnostics import Code, Diagnostics, Finding, Refused
from ...core.engine import Demand, EngineDevice
from ...core.ir.operation import shape_of
from ...core.target import Artefact
from ...dialects.ntensor import NetworkOp, updates_of
from ...simulation.memory_budget import check_results
from ...simulation.real_numbers import has_reals
from ...simulation.records import Records
from ...simulation.runs import Unsuitable, extent
from ...simulation.signals import Signal
from ..c.equivalence_conditions import inexact, violations
from ..host_programs import HostProgram, results_of, rows_of
from .emitter import artefact_of
from .model import lowered_again

KNL007 = Code("KNL007", "kernel-device-fails", "a device cannot run the kernels of a network")
ROOM = 2**27
"""Bytes of a buffer with rows, at most: the limit of the host programs."""
WINDOW = 4096
"""The most ticks whose rows are on the device: the limit of the host programs."""


@frozen
class Kernels:
    """A network as kernels for a device, with the host program."""

    slug: str
    artefact: Artefact


def kernels_of(network: NetworkOp, slug: str, device: EngineDevice, record: Sequence[str]) -> Kernels:
    """Returns the kernels of a network with records. Errors, as reasons to choose another engine: CSR017, and those of the passes to kernels."""
    if found := list(violations(network, "kernels")):
        raise Unsuitable(*found)
    records = Records(network)
    names = [name for name in records.watched(record) if name not in records.outputs]
    chosen: Device = resolve_device(f"{slug}/generic", device.settings)
    try:
        module = lowered_again(network, chosen, names, is_verified=True).parent_op()
        assert isinstance(module, ModuleOp)
        return Kernels(slug, artefact_of(slug, module, chosen, Diagnostics()))
    except Refused as refusal:
        raise Unsuitable(*refusal.findings) from refusal


def demand_of(network: NetworkOp, slug: str, device: EngineDevice, record: Sequence[str]) -> Demand:
    """Returns the memory of the kernels of a network. Errors: those of `kernels_of`."""
    memory = kernels_of(network, slug, device, record).artefact.memory
    sizes = {name: size or 0 for name, size in memory.items()}
    return Demand(sizes["constants"], sizes["sample"], sizes["signals"], WINDOW, most_row_bytes=2 * ROOM)


class KernelRunner:
    """Runs one network on a device. It may run many times; every run starts from the initial states.

    Errors: those of `kernels_of`; as a reason to choose another engine KNL007.
    """

    def __init__(self, network: NetworkOp, slug: str, device: EngineDevice, record: Sequence[str] = ()):
        records = Records(network)
        self._arguments, self._watched = records.arguments, records.watched(record)
        self._inputs = {name: shape_of(value) for name, value in records.arguments.items()}
        made = kernels_of(network, slug, device, record)
        self._program = HostProgram(made.artefact.files)
        self._host, self._device = self._program.module, device
        problems: tuple[type[Exception], ...] = (self._host.Problem,)
        try:
            self._manifest = self._host.read_manifest(slug)
            self._machine = self._host.Machine(self._manifest, device.key)
        except problems as problem:
            raise self.unsuitable(problem) from problem

    def run(
        self,
        signals: Mapping[str, Signal],
        *,
        ticks: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, AnyArray]:
        """Returns every output and record by name, `[samples, ticks, *shape]`. Errors: SIM018 to SIM023 as every engine; KNL007."""
        samples, ticks = extent(self._inputs, signals, ticks)
        check_results(self._watched, samples, ticks)
        rows = rows_of(self._manifest["inputs"], signals, self._arguments)
        clock = dict.fromkeys(("upload", "launches", "kernels", "download"), 0.0)
        problems: tuple[type[Exception], ...] = (self._host.Problem, *self._machine.failures)
        try:
            found: dict[str, Any] = self._host.run(self._machine, self._manifest, rows, samples, ticks, None, clock)
        except problems as problem:
            raise self.unsuitable(problem) from problem
        if progress is not None:
            progress(samples * ticks, samples * ticks)
        return results_of(found, self._watched)

    def unsuitable(self, problem: Exception) -> Unsuitable:
        """Returns the refusal of a network that a device does not run. Errors: KNL007."""
        text = str(problem).strip().partition("\n")[0] or type(problem).__name__
        return Unsuitable(
            Finding(
                KNL007,
                f"{self._device.name} cannot run the kernels of this network",
                at=f"{self._device.interface} device {self._device.name}",
                expected="a device that compiles and runs them",
                found=text,
                help="--engine auto",
            )
        )


def differs_on(network: NetworkOp, device: EngineDevice, language: str) -> str | None:
    """Returns the reason why last bits can differ on a device: a function of its library, or reals that it does not round as IEEE 754 requires."""
    if (reason := inexact(network, updates_of(network))) is not None:
        return reason
    if not device.is_ieee and has_reals(network):
        return f"{language} on {device.name} does not guarantee the last bits of reals"
    return None
