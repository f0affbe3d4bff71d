"""Kernels on a device of this machine: the engines `cuda`, `wgpu` and `opencl`.

A network is lowered by the passes of its target for the device, printed, and run by the host program of the artefact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ...core.device.device import Device
from ...core.device.named_device import resolve_device
from ...core.diagnostics import Code, Diagnostics, Refused
from ...core.engine import Demand, EngineDevice
from ...core.target import Artefact, Pieces
from ...dialects.ntensor import NetworkOp, updates_of
from ...simulation.real_numbers import has_reals
from ...simulation.records import Records
from ...simulation.runs import Unsuitable
from ..c.equivalence_conditions import inexact, violations
from ..host_programs import HostedRunner, Rows
from .emitter import artefact_of
from .model import lowered_again

KNL007 = Code("KNL007", "kernel-device-fails", "a device cannot run the kernels of a network")
ROOM = 2**27
"""Bytes of a buffer with rows, at most: the limit of the host programs."""
WINDOW = 4096
"""The most ticks whose rows are on the device: the limit of the host programs."""


def kernels_of(network: NetworkOp, slug: str, device: EngineDevice, record: Sequence[str]) -> Artefact:
    """Returns the kernels of a network with records. Errors, as reasons to choose another engine: CSR017, and those of the passes to kernels."""
    if found := list(violations(network, "kernels")):
        raise Unsuitable(*found)
    records = Records(network)
    names = [name for name in records.watched(record) if name not in records.outputs]
    chosen: Device = resolve_device(f"{slug}/generic", device.settings)
    try:
        module = lowered_again(network, chosen, names, is_verified=True).parent_op()
        assert isinstance(module, ModuleOp)
        return artefact_of(slug, module, chosen, Diagnostics())
    except Refused as refusal:
        raise Unsuitable(*refusal.findings) from refusal


def demand_of(network: NetworkOp, slug: str, device: EngineDevice, record: Sequence[str]) -> Demand:
    """Returns the memory of the kernels of a network. Errors: those of `kernels_of`."""
    memory = kernels_of(network, slug, device, record).memory
    sizes = {name: size or 0 for name, size in memory.items()}
    return Demand(sizes["constants"], sizes["sample"], sizes["signals"], WINDOW, most_row_bytes=2 * ROOM)


class KernelRunner(HostedRunner):
    """Runs the kernels of a network on a device. Errors: those of `kernels_of`; as a reason to choose another engine KNL007."""

    CODE = KNL007

    def __init__(self, network: NetworkOp, slug: str, device: EngineDevice, record: Sequence[str] = ()):
        self.slug = slug
        super().__init__(network, device, record)

    def files(self, network: NetworkOp, record: Sequence[str]) -> Mapping[str, bytes | Pieces]:
        return kernels_of(network, self.slug, self._device, record).files

    def open(self) -> None:
        self.manifest = self._host.read_manifest(self.slug)
        self.entries = self.manifest["inputs"]
        self.machine = self._host.Machine(self.manifest, self._device.key)
        self.failures = self.machine.failures

    def execute(self, rows: Mapping[str, Rows], samples: int, ticks: int) -> dict[str, Any]:
        clock = dict.fromkeys(("upload", "launches", "kernels", "download"), 0.0)
        return self._host.run(self.machine, self.manifest, rows, samples, ticks, None, clock)

    def problem_text(self, text: str) -> str:
        return text.strip().partition("\n")[0]

    def refusal(self) -> tuple[str, str]:
        return f"{self._device.name} cannot run the kernels of this network", "a device that compiles and runs them"


def differs_on(network: NetworkOp, device: EngineDevice, language: str) -> str | None:
    """Returns the reason why last bits can differ on a device: a function of its library, or reals that it does not round as IEEE 754 requires."""
    if (reason := inexact(network, updates_of(network))) is not None:
        return reason
    if not device.is_ieee and has_reals(network):
        return f"{language} on {device.name} does not guarantee the last bits of reals"
    return None
