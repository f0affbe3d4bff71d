"""Functions of tensors on a device of IREE's runtime: the engine `iree`.

A network is lowered by the conversion of the target, compiled by IREE, and run by the host program of the artefact. Compiled networks are kept in
the user's cache folder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from math import prod
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ...core.cache.private_files import user_cache
from ...core.device.named_device import resolve_device
from ...core.diagnostics import Code, Diagnostics, Refused
from ...core.engine import Demand, EngineDevice
from ...core.ir.operation import shape_of
from ...core.progress import doing
from ...core.target import Artefact, Pieces
from ...dialects.ntensor import NetworkOp
from ...simulation.records import Records
from ...simulation.runs import Unsuitable
from ..c.equivalence_conditions import violations
from ..host_programs import HostedRunner
from .emitter import artefact
from .model import lowered

LNG004 = Code("LNG004", "linalg-device-fails", "IREE cannot compile or run the functions of a network")
CACHE = "iree"
MOST_SAMPLES, WINDOW = 64, 64
"""Samples of a call at most, and ticks of a call."""
WIDEST = 8
"""Bytes of an element of a row, at most."""
FAILURES = (RuntimeError, ValueError, MemoryError)
"""Exceptions of IREE's runtime."""


def functions_of(network: NetworkOp, record: Sequence[str], samples: int) -> Artefact:
    """Returns the files of a network for a number of samples in a call. Errors, as reasons to choose another engine: CSR017, and those of the conversion."""
    if found := list(violations(network, "functions")):
        raise Unsuitable(*found)
    records = Records(network)
    names = [name for name in records.watched(record) if name not in records.outputs]
    try:
        module = lowered(network, samples, WINDOW, names, is_verified=True).parent_op()
        assert isinstance(module, ModuleOp)
        return artefact(module, resolve_device("linalg/generic"), Diagnostics())
    except Refused as refusal:
        raise Unsuitable(*refusal.findings) from refusal


class HostedFunctions(HostedRunner):
    """Runs the functions of a network on a device. Errors: those of `functions_of`; as a reason to choose another engine LNG004."""

    CODE = LNG004

    def __init__(
        self, network: NetworkOp, device: EngineDevice, record: Sequence[str] = (), samples: int = 1, version: str = ""
    ):
        self.samples, self.version = min(MOST_SAMPLES, max(1, samples)), version
        super().__init__(network, device, record)

    def files(self, network: NetworkOp, record: Sequence[str]) -> Mapping[str, bytes | Pieces]:
        return functions_of(network, record, self.samples).files

    def open(self) -> None:
        self.manifest, self.failures = self._host.read_manifest(), FAILURES
        self.entries = [one for one in self.manifest["arguments"] if one["role"] == "input"]
        backend, _, driver = self._device.key.partition(" ")
        self.machine = self._host.Machine(self.manifest, self.code(backend), driver)

    def code(self, backend: str) -> bytes:
        """Returns the compiled functions, from the cache if it has them."""
        text: Any = self._files[self.manifest["file"]]
        options = repr((self.version, backend, self._host.FLAGS, self._host.CPU, self._device.name))
        name = f"{blake2b(options.encode() + text, digest_size=20).hexdigest()}.vmfb"
        cache = user_cache(CACHE)
        found = cache.read(name)
        if found is None:
            with doing("IREE"):
                found = bytes(self._host.compile_functions(self.manifest, backend))
            cache.keep(name, found)
        return found

    def problem_text(self, text: str) -> str:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return next((line for line in lines if "error:" in line), lines[0] if lines else "")[:400]

    def refusal(self) -> tuple[str, str]:
        message = f"IREE cannot run this network on {self._device.name}"
        return message, "functions that IREE compiles and runs"


def demand_of(network: NetworkOp, record: Sequence[str]) -> Demand:
    """Returns the memory of the functions of a network. Errors: those of `functions_of`."""
    files = functions_of(network, record, 1)
    sizes = {name: size or 0 for name, size in files.memory.items()}
    records = Records(network)
    shapes = [shape_of(value) for value in records.arguments.values()] + [
        one.shape for one in records.watched(record).values()
    ]
    row = sum(WIDEST * prod(shape) for shape in shapes)
    return Demand(sizes["constants"], 2 * sizes["states"], row, WINDOW, most_samples=MOST_SAMPLES)
