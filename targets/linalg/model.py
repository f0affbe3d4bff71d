"""The model of a compiled network: the function `tick` on NumPy, as many samples at a time as its tensors have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...core import registry
from ...core.arrays.numeric import AnyArray
from ...core.device.device import Device
from ...core.diagnostics import refuse
from ...core.ir import pass_manager, pipeline
from ...core.ir.context import NoptContext
from ...core.ir.operation import shape_of
from ...core.ir.pipeline import option_text
from ...dialects.functions import Entry, ProgramOp, Role
from ...dialects.functions.program import TICK
from ...dialects.ntensor import NetworkOp
from ...dialects.ntensor.network import PROBES
from ...simulation.memory_budget import allocate_results
from ...simulation.records import Records
from ...simulation.runs import convert_window, extent
from ...simulation.signals import Signal
from .emitter import LNG002, arrays_of, dtype_of_element, program_of
from .interpreter import Interpreter

Progress = Callable[[int, int], None]


class Model:
    """Runs the exit dialect of a compiled directory, `exit`; `network` is the legalised network that it was lowered from.

    Records other than the probes change the results of a tick, so the network is lowered again.
    Errors: LNG002; SIM017 an unknown record.
    """

    def __init__(self, exit: ModuleOp, network: NetworkOp, *, device: Device, record: Sequence[str] = ()):
        records = Records(network)
        self._arguments = records.arguments
        self._watched = records.watched(record)
        names = [name for name in self._watched if name not in records.outputs]
        program = program_of(exit)
        if names != [one.name for one in program.returned if one.role is Role.PROBE]:
            program = lowered_again(network, program, names)
        self._program, self._start = program, arrays_of(program)
        self._tick = Interpreter(program.function(TICK))
        self.inputs = {name: shape_of(value) for name, value in records.arguments.items()}
        """Shapes of the inputs by name."""
        self.outputs = {name: shape_of(value) for name, value in records.outputs.items()}
        """Shapes of the outputs by name."""
        self.check([one for one in program.given if one.role is Role.INPUT], self.inputs)
        shown = [one for one in program.returned if one.role is not Role.STATE]
        self.check(shown, {name: watched.shape for name, watched in self._watched.items()})

    def check(self, entries: Sequence[Entry], shapes: Mapping[str, tuple[int, ...]]) -> None:
        found = {one.name: one.shape[2:] for one in entries}
        if found != dict(shapes):
            refuse(
                LNG002,
                "the functions of the compiled directory are not those of its network",
                at="the last module of ir",
                expected=", ".join(f'"{name}" {shape}' for name, shape in shapes.items()),
                found=", ".join(f'"{name}" {shape}' for name, shape in found.items()),
                help="--model reference",
            )

    def run(
        self, signals: Mapping[str, Signal], *, ticks: int | None = None, progress: Progress | None = None
    ) -> dict[str, AnyArray]:
        """Returns every output and record by name, `[samples, ticks, *shape]`.

        Errors: SIM018 to SIM023 as every engine.
        """
        samples, ticks = extent(self.inputs, signals, ticks)
        results = allocate_results(self._watched, samples, ticks, {})
        batch = self._program.samples
        for first in range(0, samples, batch):
            some = slice(first, min(samples, first + batch))
            held = dict(self._start)
            for tick in range(ticks):
                held |= self.step(signals, some, tick, held, results)
            if progress is not None:
                progress(some.stop * ticks, samples * ticks)
        return results

    def step(
        self,
        signals: Mapping[str, Signal],
        some: slice,
        tick: int,
        held: Mapping[str, AnyArray],
        results: Mapping[str, AnyArray],
    ) -> dict[str, AnyArray]:
        """Runs a tick of some samples, and stores its results; returns the states after it."""
        args: list[Any] = [np.array(tick, np.int64)]
        for one in self._program.given:
            if one.role is not Role.INPUT:
                args.append(held[one.name])
                continue
            window = signals[one.name].window(some, slice(tick, tick + 1))
            rows = np.zeros(one.shape[1:], dtype_of_element(one.element))
            rows[: some.stop - some.start] = convert_window(one.name, window, self._arguments[one.name], tick)[0]
            args.append(rows)
        after: dict[str, AnyArray] = {}
        for one, values in zip(self._program.returned, self._tick(args), strict=True):
            if one.role is Role.STATE:
                after[one.name] = values
            else:
                results[one.name][some, tick] = values[: some.stop - some.start]
        return after


def lowered_again(network: NetworkOp, program: ProgramOp, record: Sequence[str]) -> ProgramOp:
    """Returns the program of a network with other records. The network is not changed."""
    return lowered(network, program.samples, program.window, record)


def lowered(
    network: NetworkOp, samples: int, window: int, record: Sequence[str], is_verified: bool = False
) -> ProgramOp:
    """Returns the program of a network with records, which is not changed. A network that was compiled before need not be verified again."""
    module = network.parent_op()
    assert isinstance(module, ModuleOp)  # networks are in modules
    copy = module.clone()
    for inner in copy.ops:
        inner.attributes.pop(PROBES, None)
    names = ",".join(option_text(name) for name in record)
    options = f"samples={samples} window={window}" + (f" record={names}" if names else "")
    steps = pipeline.parse_pipeline(f"convert-ntensor-to-functions{{{options}}}", registry.passes())
    pass_manager.run_passes(steps, NoptContext(), copy, is_verified=is_verified)
    return program_of(copy)
