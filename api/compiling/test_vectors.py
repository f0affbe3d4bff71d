"""Test vectors of a compilation: the first sample of a sample input, run by the reference."""

from __future__ import annotations

from typing import Any

from attrs import evolve
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ...core import registry
from ...core.device.device import Device
from ...core.diagnostics import Diagnostics
from ...core.target import Artefact, Sample
from ...simulation.frames import fit_data, read_data
from ...simulation.signals import DenseSignal
from ...simulation.stimuli import Given
from ..modules import only_network
from ..running.run import execute

REFERENCE = "numpy"
"""The engine that every network can be run by."""


def with_vectors(made: Artefact, exit: ModuleOp, network: ModuleOp, device: Device, given: Given | None) -> Artefact:
    """Adds the test vectors of the target, if it writes any, to an artefact. Errors: those of a run."""
    write = registry.targets()[device.target]().vectors
    if write is None:
        return made
    more = write()(exit, device, None if given is None else first_sample(network, given))
    return evolve(made, files={**made.files, **more.files}, notes=(*made.notes, *more.notes))


def first_sample(network: ModuleOp, given: Given) -> Sample:
    """Returns the first sample of an input of a network in ticks."""
    graph = only_network(network)
    frame, whole = graph.frame_ticks, read_data(graph, given)
    fed = fit_data(graph, whole)

    def run(ticks: int) -> tuple[dict[str, NDArray[Any]], dict[str, NDArray[Any]]]:
        rows = {name: signal.window(slice(0, 1), slice(0, ticks))[:, 0] for name, signal in fed.signals.items()}
        given = {name: signal.window(slice(0, 1), slice(0, ticks * frame)) for name, signal in whole.signals.items()}
        signals = {name: DenseSignal(array.swapaxes(0, 1)) for name, array in given.items()}
        result = execute(network, signals, engine=REFERENCE, sum_order="index", diagnostics=Diagnostics())
        return rows, {name: array[0] for name, array in result.arrays.items()}

    return Sample(fed.ticks, run)
