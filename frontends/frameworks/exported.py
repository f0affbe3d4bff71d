"""A network of a framework with its graph in NIR, and what its comparison needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Protocol

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ...core.diagnostics import Code, refuse
from .framework import CalledLayer, Framework, Settings
from .layouts import Inputs, Layout, Nodes

IMP021 = Code("IMP021", "two-time-steps-given", "two time steps are given")

DEFAULT_DT = 1e-3
"""Default time step in seconds, for frameworks without one."""
EXPORTER_PACKAGES = ("nirtorch", "nir", "torch")
"""Packages of the exporters."""


class FrameworkNetwork(Protocol):
    """A network that its framework runs."""

    @property
    def framework(self) -> Framework: ...

    def run(self, arrays: Sequence[NDArray[Any]], layout: Layout, nodes: Nodes) -> dict[str, NDArray[Any]]:
        """Returns the output of each node. Shapes: arrays [samples, ticks, *shape]; results [samples, ticks, …]."""
        ...


@frozen
class Exported:
    """A network with its graph in NIR."""

    network: FrameworkNetwork
    graph: Any
    """The graph of the `nir` package."""
    layout: Layout
    layers: Sequence[CalledLayer]
    settings: Settings
    dt: float
    """Time step in seconds."""
    versions: Mapping[str, str]
    """Versions of the framework and of the packages of its exporter."""

    inputs: Inputs
    """Shape of each input."""
    calls: Mapping[str, Sequence[str]]
    """Nodes of each called layer, one for each call in a tick."""

    def nodes(self) -> dict[str, str]:
        """Returns the comparable nodes of layers, each with its population: neurons, and layers that are connected to an output."""
        framework, ends = self.network.framework, self.outputs()
        return {
            framework.node_name(layer): framework.compared_node(layer)
            for layer in self.layers
            if framework.neuron_class(layer.module) or framework.node_name(layer) in ends
        }

    def outputs(self) -> dict[str, str]:
        """Returns the nodes that are connected to an output alone, with the output."""
        ends = [name for name, node in self.graph.nodes.items() if type(node).__name__ == "Output"]
        sources = {end: [source for source, target in self.graph.edges if target == end] for end in ends}
        return {found[0]: end for end, found in sources.items() if len(found) == 1}


def settle_dt(framework: Framework, own: float | None, given: float | None) -> float:
    """Returns the time step. Errors: IMP021 the layers have another one."""
    if own is not None and given is not None and not np.isclose(own, given, rtol=1e-6):
        refuse(
            IMP021,
            f"the layers of {framework.title} have another time step",
            at="--dt",
            expected=f"{own * 1e3:g}ms, the dt of the layers",
            found=f"{given * 1e3:g}ms",
            help=f"--dt {own * 1e3:g}ms",
        )
    return next((dt for dt in (own, given) if dt is not None), DEFAULT_DT)


def versions_of(package: str, others: Sequence[str] = EXPORTER_PACKAGES) -> dict[str, str]:
    """Returns the installed versions of a framework and of the packages of its exporter."""
    versions: dict[str, str] = {}
    for name in (package, *others):
        with suppress(PackageNotFoundError):
            versions[name] = version(name)
    return versions
