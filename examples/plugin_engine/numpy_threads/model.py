"""The model of the engine `numpy_threads`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nopt.core.diagnostics import Code, finding_about
from nopt.core.engine import SumOrder
from nopt.core.processors import processor_count
from nopt.dialects.ntensor import NetworkOp, SynapseOpInterface
from nopt.simulation.runs import Unsuitable, extent
from nopt.simulation.signals import SampleRange, Signal
from nopt.targets.reference.model import ReferenceModel

THR001 = Code("THR001", "threads-plasticity", "plasticity is not supported by the engine `numpy_threads`")
TICKS = 32
"""Ticks of a block."""


class ThreadedModel:
    """Runs one network. Errors: those of the reference; as a reason to choose another engine THR001 plasticity."""

    def __init__(self, network: NetworkOp, *, record: Sequence[str] = (), sum_order: SumOrder = "index"):
        for op in network.body.block.ops:
            if isinstance(op, SynapseOpInterface) and op.learning_rule is not None:
                raise Unsuitable(
                    finding_about(
                        op,
                        THR001,
                        "plasticity is not supported",
                        expected="weights that stay as they are",
                        found=op.learning_rule.name,
                        help="--engine numpy",
                    )
                )
        self.model = ReferenceModel(network, record=record, sum_order=sum_order, block=(1, TICKS))

    def run(
        self,
        signals: Mapping[str, Signal],
        *,
        ticks: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, NDArray[Any]]:
        """Returns every output and record by name, `[samples, ticks, *shape]`. Errors: those of the reference."""
        samples, ticks = extent(self.model.inputs, signals, ticks)
        if samples < 2:
            return self.model.run(signals, ticks=ticks, progress=progress)

        def work(sample: int) -> dict[str, NDArray[Any]]:
            some = {name: SampleRange(signal, slice(sample, sample + 1)) for name, signal in signals.items()}
            return self.model.run(some, ticks=ticks)

        parts: list[dict[str, NDArray[Any]]] = []
        with ThreadPoolExecutor(processor_count()) as pool:
            for part in pool.map(work, range(samples)):
                parts.append(part)
                if progress is not None:
                    progress(len(parts) * ticks, samples * ticks)
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
