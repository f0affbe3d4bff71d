"""The reference model: runs an `ntensor.network` on NumPy, without limits.

All other models and lowerings are compared with this one. It executes the IR literally: each op computes its
definition, in the value types that it names, and by default in the order of sums that the dialect defines. The partition of a run
into blocks of samples and ticks changes no bit in that order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np
from xdsl.ir import Operation

from ...core.arrays.numeric import AnyArray
from ...core.ir.operation import shape_of
from ...dialects.ntensor import NetworkOp
from ...simulation.memory_budget import allocate_results
from ...simulation.records import Records
from ...simulation.runs import convert_window, extent
from ...simulation.signals import Signal
from .plan import Neurons, Plan, Running
from .plasticity import Learnt, Plastic

BLOCK_BYTES = 64 * 2**20
"""Bytes of the values between the ops of a network during a block of ticks; larger blocks were not faster."""
LEAST_TICKS = 32
"""Minimal ticks of a block with several samples, because an op starts once per block, and a cycle once per tick."""


def block_of(row_bytes: int, samples: int, ticks: int) -> tuple[int, int]:
    """Returns samples and ticks of a block, so that its values need about `BLOCK_BYTES`. Units: row_bytes [bytes per sample and tick]."""
    rows = max(1, BLOCK_BYTES // max(1, row_bytes))
    together = max(1, min(samples, rows // max(1, min(ticks, LEAST_TICKS))))
    return together, max(1, min(ticks, rows // together))


def plastic_workers(running: Sequence[Running]) -> dict[Operation, Plastic]:
    """Returns the plastic ops in execution."""
    return {op: worker for stage in running for op, worker in stage.workers.items() if isinstance(worker, Plastic)}


class ReferenceModel:
    """Runs one network. It may run many times; every run starts from the initial states.

    Options: sum_order `index` adds in the order that the dialect defines, bit for bit; `fast` may use BLAS for dense signals,
    and its last bits depend on the machine and the size of a block. record: names of nodes and states, in addition to the outputs.
    block: samples and ticks that run at once; by default chosen by memory.
    Errors: SIM017 an unknown record; SIM024 an unsupported op or type. The module of the network must be verified.
    """

    def __init__(
        self,
        network: NetworkOp,
        *,
        sum_order: Literal["index", "fast"] = "index",
        record: Sequence[str] = (),
        block: tuple[int, int] | None = None,
    ):
        records = Records(network)
        self.network = network
        self.block = block
        self._arguments = records.arguments
        self.inputs = {name: shape_of(value) for name, value in records.arguments.items()}
        """Shapes of the inputs by name."""
        self.outputs = {name: shape_of(value) for name, value in records.outputs.items()}
        """Shapes of the outputs by name."""
        self._plan = plan = Plan(
            network, [*records.outputs.values(), *records.values(record)], fast=sum_order == "fast"
        )
        self._watched = records.watched(record)
        self._states: dict[Operation, list[str]] = {op: [] for op in plan.parts}
        for watched in self._watched.values():
            if watched.state is not None and isinstance(owner := watched.value.owner, Operation):
                self._states[owner].append(watched.entry)

    # ---- running

    def run(
        self,
        signals: Mapping[str, Signal],
        *,
        ticks: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, AnyArray]:
        """Returns every output and record by name, `[samples, ticks, *shape]`; row t is the result of the tick that reads input row t.

        Options: ticks beyond the signals use zero inputs, fewer ticks truncate them. progress is called with the completed
        ticks, over all samples, and with their total.
        Errors: SIM018 a missing or unknown signal; SIM019 a signal that does not fit; SIM020 results beyond the memory;
        SIM021 a value outside of the type of an input; SIM022 a sum that leaves its integer type; SIM023 no number of ticks.
        """
        samples, ticks = extent(self.inputs, signals, ticks)
        results = allocate_results(self._watched, samples, ticks)
        together, at_once = self.block or block_of(self._plan.row_bytes, samples, ticks)
        together = 1 if self.network.learns_on else together
        done = 0
        learnt: dict[Operation, Learnt] = {}
        for first in range(0, samples, together):
            some = slice(first, min(first + together, samples))
            running = [stage.running(stage, some.stop - some.start, self._states) for stage in self._plan.stages]
            plastic = plastic_workers(running)
            for op, worker in plastic.items():
                worker.continue_from(learnt.get(op))
            for start in range(0, ticks, at_once):
                now = slice(start, min(start + at_once, ticks))
                with np.errstate(all="ignore"):
                    self._run_block(signals, some, now, running, results)
                done += (some.stop - some.start) * (now.stop - now.start)
                if progress is not None:
                    progress(done, samples * ticks)
            if self.network.learns_on:
                learnt = {op: worker.learnt for op, worker in plastic.items()}
        return results

    def _run_block(
        self,
        signals: Mapping[str, Signal],
        samples: slice,
        ticks: slice,
        running: Sequence[Running],
        results: Mapping[str, AnyArray],
    ) -> None:
        blocks: list[AnyArray | None] = [None] * len(self._plan.slots)
        for name, value in self._arguments.items():
            blocks[self._plan.slots[value]] = convert_window(
                name, signals[name].window(samples, ticks), value, ticks.start
            )
        for stage in running:
            stage(blocks, ticks.stop - ticks.start)
        recorded = {
            op: worker.recorded
            for stage in running
            for op, worker in stage.workers.items()
            if isinstance(worker, Neurons | Plastic)
        }
        for name, watched in self._watched.items():
            owner = watched.value.owner
            if watched.state is not None and isinstance(owner, Operation):
                block = recorded[owner][watched.entry]
            else:
                block = blocks[self._plan.slots[watched.value]]
            assert block is not None  # the plan keeps needed values
            rows = slice(watched.rows(ticks.start), watched.rows(ticks.stop))
            results[name][samples, rows] = block.swapaxes(0, 1)
