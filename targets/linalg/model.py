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
from ...dialects.ntensor import NetworkOp
from ...dialects.ntensor.network import PROBES
from ...simulation.memory_budget import allocate_results
from ...simulation.records import Records
from ...simulation.runs import convert_window, extent
from ...simulation.signals import Signal
from .emitter import LNG002, functions_of, moving_axes, signal_entries
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
        arguments, results, arrays = signal_entries(exit)
        if names != [one["name"] for one in results if one["role"] == "probe"]:
            exit = lowered_again(network, *moving_axes(results), names)
            arguments, results, arrays = signal_entries(exit)
        self._entries, self._shown, self._arrays = arguments, results, arrays
        self._tick = Interpreter(functions_of(exit)[0])
        self.inputs = {name: shape_of(value) for name, value in records.arguments.items()}
        """Shapes of the inputs by name."""
        self.outputs = {name: shape_of(value) for name, value in records.outputs.items()}
        """Shapes of the outputs by name."""
        self.check({one["name"]: one for one in arguments if one["role"] == "input"}, self.inputs)
        shown = {one["name"]: one for one in results if one["role"] != "state"}
        self.check(shown, {name: watched.shape for name, watched in self._watched.items()})

    def check(self, entries: Mapping[str, Mapping[str, Any]], shapes: Mapping[str, tuple[int, ...]]) -> None:
        found = {name: tuple(one["shape"][2:]) for name, one in entries.items()}
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
        _, batch = moving_axes(self._shown)
        for first in range(0, samples, batch):
            some = slice(first, min(samples, first + batch))
            held = {name: values.copy() for name, values in self._arrays.items()}
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
        for one in self._entries:
            if one["role"] != "input":
                args.append(held[one["name"]])
                continue
            window = signals[one["name"]].window(some, slice(tick, tick + 1))
            rows = np.zeros(one["shape"][1:], np.int8 if one["dtype"] == "b1" else np.dtype(one["dtype"]))
            rows[: some.stop - some.start] = convert_window(one["name"], window, self._arguments[one["name"]], tick)[0]
            args.append(rows)
        after: dict[str, AnyArray] = {}
        for one, values in zip(self._shown, self._tick(args), strict=True):
            if one["role"] == "state":
                after[one["name"]] = values
            else:
                results[one["name"]][some, tick] = values[: some.stop - some.start]
        return after


def lowered_again(network: NetworkOp, window: int, samples: int, record: Sequence[str]) -> ModuleOp:
    """Returns the functions of a network with other records. The network is not changed."""
    module = network.parent_op()
    assert isinstance(module, ModuleOp)  # networks are in modules
    copy = module.clone()
    for inner in copy.ops:
        inner.attributes.pop(PROBES, None)
    names = ",".join(option_text(name) for name in record)
    options = f"samples={samples} window={window}" + (f" record={names}" if names else "")
    steps = pipeline.parse_pipeline(f"convert-ntensor-to-linalg{{{options}}}", registry.passes())
    pass_manager.run_passes(steps, NoptContext(), copy, is_verified=False)  # verified when it was compiled
    return copy
