"""The model of compiled kernels: the kernel program on NumPy, for any number of samples at once.

It runs the kernels themselves, with their fusion and their order of sums. The sources that are printed from the same program run on devices, and
`make kernels` compares both with the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from xdsl.dialects.builtin import ModuleOp

from ...core import registry
from ...core.arrays.numeric import AnyArray
from ...core.device.device import Device
from ...core.diagnostics import Code, refuse
from ...core.ir import pass_manager, pipeline
from ...core.ir.context import NoptContext
from ...core.ir.operation import only_op, shape_of
from ...dialects import c, kernels
from ...dialects.kernels import Kind
from ...dialects.ntensor import NetworkOp
from ...dialects.ntensor.network import PROBES
from ...simulation.memory_budget import allocate_results
from ...simulation.records import Records
from ...simulation.runs import convert_window, extent
from ...simulation.signals import Signal
from .interpreter import Interpreter
from .pipelines import passes_to_kernels

KNL004 = Code("KNL004", "kernel-program-missing", "the module contains no kernel program, or not that of its network")
Progress = Callable[[int, int], None]


class Model:
    """Runs the exit dialect of a compiled directory, `exit`; `network` is the legalised network that it was lowered from.

    Records other than the probes change the fusion of a program, so it is lowered again.
    Errors: KNL004; SIM017 an unknown record.
    """

    def __init__(self, exit: ModuleOp, network: NetworkOp, *, device: Device, record: Sequence[str] = ()):
        program = program_of(exit)
        records = Records(network)
        self._arguments = records.arguments
        self._watched = records.watched(record)
        names = [name for name in self._watched if name not in records.outputs]
        if names != [row.row_name for row in program.of_kind(Kind.PROBE)]:
            program = lowered_again(network, device, names)
        self.program = program
        self.inputs = {name: shape_of(value) for name, value in records.arguments.items()}
        """Shapes of the inputs by name."""
        self.outputs = {name: shape_of(value) for name, value in records.outputs.items()}
        """Shapes of the outputs by name."""
        self._inputs = {row.row_name: row for row in program.of_kind(Kind.INPUT)}
        self._results = {row.row_name: row for row in program.of_kind(Kind.OUTPUT, Kind.PROBE)}
        self.check(self._inputs, self.inputs)
        self.check(self._results, {name: watched.shape for name, watched in self._watched.items()})

    def check(self, rows: Mapping[str, kernels.BufferOp], shapes: Mapping[str, tuple[int, ...]]) -> None:
        found = {name: c.memory_shape(row.memory) for name, row in rows.items()}
        if found != dict(shapes):
            refuse_program(", ".join(f'"{name}" {shape}' for name, shape in shapes.items()), str(list(found.items())))

    def run(
        self, signals: Mapping[str, Signal], *, ticks: int | None = None, progress: Progress | None = None
    ) -> dict[str, AnyArray]:
        """Returns every output and record by name, `[samples, ticks, *shape]`.

        Errors: SIM018 to SIM023 as every engine.
        """
        samples, ticks = extent(self.inputs, signals, ticks)
        results = allocate_results(self._watched, samples, ticks, {})
        if not samples:
            return results
        machine = Interpreter(self.program, samples)
        for tick in range(ticks):
            rows: dict[str, Any] = {}
            for name, row in self._inputs.items():
                window = signals[name].window(slice(0, samples), slice(tick, tick + 1))
                values = convert_window(name, window, self._arguments[name], tick)
                rows[row.label.data] = values[0].reshape(samples, -1)
            machine.step(rows)
            for name, row in self._results.items():
                shape = c.memory_shape(row.memory)
                results[name][:, tick] = machine.row(row).reshape(samples, *shape)
            if progress is not None:
                progress((tick + 1) * samples, ticks * samples)
        return results


def program_of(module: ModuleOp) -> kernels.ProgramOp:
    """Returns the only kernel program of a module. Errors: KNL004 none, or several."""
    return only_op(
        module,
        kernels.ProgramOp,
        KNL004,
        "kernel programs",
        "the module contains no kernel program",
        expected="one kernels.program",
        help="lower the network with convert-ntensor-to-c, then convert-c-to-kernels",
    )


def lowered_again(
    network: NetworkOp, device: Device, record: Sequence[str], is_verified: bool = False
) -> kernels.ProgramOp:
    """Returns the program of a network with other records, for the same device. The network is not changed.

    A network that was compiled for the device need not be verified again.
    """
    module = network.parent_op()
    assert isinstance(module, ModuleOp)  # networks are in modules
    copy = module.clone()
    for inner in copy.ops:
        inner.attributes.pop(PROBES, None)
    steps = pipeline.parse_pipeline(passes_to_kernels(device, record=record, names="make"), registry.passes())
    pass_manager.run_passes(steps, NoptContext(), copy, is_verified=is_verified)
    return next(op for op in copy.ops if isinstance(op, kernels.ProgramOp) and op.sym_name == network.sym_name)


def refuse_program(expected: str, found: str) -> NoReturn:
    message = "the program of the compiled directory is not that of its network"
    refuse(KNL004, message, at="the last module of ir", expected=expected, found=found, help="--model reference")
