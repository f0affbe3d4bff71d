"""Load of the links of a routed graph, where the device limits the events of one link in a tick.

    load of a link = sum of the activity of the routes that use it

The activity of a source is known if a calibration observed it (`ntensor-calibrate`). Without an observation, each neuron counts as active once
per tick. Known activity alone decides that a limit is exceeded; if the limit is exceeded only together with assumed activity, the load
is not checked.
"""

from __future__ import annotations

import numpy as np
from attrs import frozen

from ..core.device.named_device import device_of
from ..core.device.topology import topology_of
from ..dialects import machine
from .placement.spike_destinations import source_rates


@frozen
class LinkLoad:
    """The most loaded link. Units: loads and limit [events per tick]."""

    path: str
    """The device field with the limit."""
    limit: int | float
    name: str
    """The link, as in messages."""
    known: float
    """Events of observed sources."""
    total: float
    """Events of all sources."""
    assumed: tuple[str, ...]
    """Inputs and populations without an observation whose spikes use the link."""

    @property
    def is_exceeded(self) -> bool:
        return self.known > self.limit

    @property
    def is_checked(self) -> bool:
        """Returns whether the load is known to be within the limit, or beyond it."""
        return self.is_exceeded or self.total <= self.limit


def most_loaded_link(graph: machine.GraphOp) -> LinkLoad | None:
    """Returns the link of a routed graph with the largest known load, then the largest load; None if the device limits no link.

    Errors: DEV023 the graph names no device; those of reading a device.
    """
    device, vertices = device_of(graph), graph.vertices
    topology = topology_of(device, len(vertices))
    path = topology.link_limit
    limit = None if path is None else device.number(path)
    if path is None or limit is None:
        return None
    loads: dict[tuple[int, ...], list[float]] = {}
    users: dict[tuple[int, ...], dict[str, None]] = {}
    rates = source_rates(graph)
    for route in graph.routes:
        source = vertices[route.source.data].source.data
        rate = rates[source]
        activity = np.repeat(route.activities, route.tree_sizes[:, 0])
        links, which = np.unique(route.links.values, axis=0, return_inverse=True)
        added = np.bincount(which.reshape(-1), activity, len(links))
        for link, events in zip(map(tuple, links.tolist()), added.tolist(), strict=True):
            load = loads.setdefault(link, [0.0, 0.0])
            load[0] += events if rate is not None else 0.0
            load[1] += events
            if rate is None:
                users.setdefault(link, {})[source] = None
    if not loads:
        return LinkLoad(path, limit, "no link", 0.0, 0.0, ())
    link = max(sorted(loads), key=lambda one: tuple(loads[one]))
    name = topology.format_link(np.array(link))
    known, total = loads[link]
    return LinkLoad(path, limit, name, known, total, tuple(users.get(link, ())))
