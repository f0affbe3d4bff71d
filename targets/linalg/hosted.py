"""Functions of tensors on a device of IREE's runtime: the engine `iree`.

A network is lowered by the conversion of the target, compiled by IREE, and run by the host program of the artefact. Compiled networks are kept in
the user's cache folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from math import prod
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import AnyArray
from ...core.cache.private_files import user_cache
from ...core.device.named_device import resolve_device
from ...core.diagnostics import Code, Diagnostics, Finding, Refused
from ...core.engine import Demand, EngineDevice
from ...core.ir.operation import shape_of
from ...core.progress import doing
from ...core.target import Artefact
from ...dialects.ntensor import NetworkOp
from ...simulation.memory_budget import check_results
from ...simulation.records import Records
from ...simulation.runs import Unsuitable, extent
from ...simulation.signals import Signal
from ..c.equivalence_conditions import violations
from ..host_programs import HostProgram, results_of, rows_of
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


class HostedFunctions:
    """Runs one network on a device. It may run many times; every run starts from the initial states.

    Errors: those of `functions_of`; as a reason to choose another engine LNG004.
    """

    def __init__(
        self, network: NetworkOp, device: EngineDevice, record: Sequence[str] = (), samples: int = 1, version: str = ""
    ):
        records = Records(network)
        self._arguments, self._watched = records.arguments, records.watched(record)
        self._inputs = {name: shape_of(value) for name, value in records.arguments.items()}
        files = functions_of(network, record, min(MOST_SAMPLES, max(1, samples))).files
        self._program = HostProgram(files)
        self._host, self._device = self._program.module, device
        backend, _, driver = device.key.partition(" ")
        problems: tuple[type[Exception], ...] = (self._host.Problem,)
        try:
            self._manifest = self._host.read_manifest()
            code = self.code(files, backend, version)
            self._machine = self._host.Machine(self._manifest, code, driver)
        except problems as problem:
            raise self.unsuitable(problem) from problem

    def code(self, files: Mapping[str, Any], backend: str, version: str) -> bytes:
        """Returns the compiled functions, from the cache if it has them."""
        text: bytes = files[self._manifest["file"]]
        options = repr((version, backend, self._host.FLAGS, self._host.CPU, self._device.name))
        name = f"{blake2b(options.encode() + text, digest_size=20).hexdigest()}.vmfb"
        cache = user_cache(CACHE)
        found = cache.read(name)
        if found is None:
            with doing("IREE"):
                found = bytes(self._host.compile_functions(self._manifest, backend))
            cache.keep(name, found)
        return found

    def run(
        self,
        signals: Mapping[str, Signal],
        *,
        ticks: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, AnyArray]:
        """Returns every output and record by name, `[samples, ticks, *shape]`. Errors: SIM018 to SIM023 as every engine; LNG004."""
        samples, ticks = extent(self._inputs, signals, ticks)
        check_results(self._watched, samples, ticks)
        entries = [one for one in self._manifest["arguments"] if one["role"] == "input"]
        rows = rows_of(entries, signals, self._arguments)
        problems: tuple[type[Exception], ...] = (self._host.Problem, *FAILURES)
        try:
            found: dict[str, Any] = self._host.run(self._machine, self._manifest, rows, samples, ticks)
        except problems as problem:
            raise self.unsuitable(problem) from problem
        if progress is not None:
            progress(samples * ticks, samples * ticks)
        return results_of(found, self._watched)

    def unsuitable(self, problem: Exception) -> Unsuitable:
        """Returns the refusal of a network that IREE does not run. Errors: LNG004."""
        lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
        text = next((line for line in lines if "error:" in line), lines[0] if lines else type(problem).__name__)
        return Unsuitable(
            Finding(
                LNG004,
                f"IREE cannot run this network on {self._device.name}",
                at=f"{self._device.interface} device {self._device.name}",
                expected="functions that IREE compiles and runs",
                found=text[:400],
                help="--engine auto",
            )
        )


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
