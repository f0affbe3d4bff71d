"""Resources that vertices of one core share: input axons and classes of parameters.

An axon carries the spikes of one source neuron to all vertices of its core, and neurons with equal values of shared parameters have
one class. So these needs are those of the union of what the vertices use; all other needs are added, or hold for one neuron. A source of
weights that change takes more axons on some devices, which are counted as axons of sources of their own.

    input_axons = |union over vertices of their source neurons|        neurons = sum over vertices of their neurons
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import DictionaryAttr

from ...core.device.limits import JOINED, add_needs
from ...core.device.records import Device
from .connectivity import Arrivals
from .lines import has_lines
from .needs import Classes, Needs, axon_slots, classes_of
from .slicing import Slicing

Axons = dict[str, NDArray[np.uint8]]
"""By source: a bit for each neuron that sends, in the order of `Slicing.arranged`."""


@frozen(eq=False)
class Contents:
    """The axons and classes of a vertex."""

    axons: Axons
    classes: dict[str, Classes]
    """By the name of the group of parameters."""


def contents_of(params: DictionaryAttr, slicing: Slicing, found: Arrivals, device: Device | None) -> list[Contents]:
    """Returns the contents of each slice of a population."""
    classes = classes_of(params, slicing, found, device)
    axons = dict(found.axons)
    if has_lines(device):
        axons = {f"{name}:{line}": masks for name, lines in found.lines.items() for line, masks in lines.items()}
    for k in range(1, axon_slots(device)):
        axons |= {f"{source}:learning{k}": masks for source, masks in found.learning_axons.items()}
    return [
        Contents(
            {source: masks[t] for source, masks in axons.items()},
            {name: listed[t] for name, listed in classes.items()},
        )
        for t in range(len(slicing.boxes))
    ]


def join_contents(contents: Sequence[Contents]) -> Contents:
    """Returns the union of the contents of several vertices."""
    axons, classes = Axons(), dict[str, Classes]()
    for one in contents:
        for source, mask in one.axons.items():
            axons[source] = axons[source] | mask if source in axons else mask
        for name, found in one.classes.items():
            classes[name] = classes.get(name, frozenset()) | found
    return Contents(axons, classes)


def join_needs(needs: Sequence[Needs], contents: Sequence[Contents]) -> Needs:
    """Returns the total needs of the vertices of a core; for a need of a single neuron, such as the fan-in, the maximum."""
    total, joined = add_needs(needs), join_contents(contents)
    for name in dict.fromkeys(name for one in needs for name in one):
        if name not in total:
            total[name] = max(one.get(name, 0) for one in needs)
    if JOINED in total:
        total[JOINED] = sum(int(np.unpackbits(mask).sum(dtype=np.int64)) for mask in joined.axons.values())
    return total | {f"classes.{name}": len(found) for name, found in joined.classes.items()}
