"""Records of a network of PyNN: populations, sources of spikes, and synapses as arrays. They know nothing of PyNN's classes.

Units: times [ms], potentials [mV], capacities [nF], currents [nA], conductances [uS], as in PyNN.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b

import numpy as np
from attrs import field, frozen

from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import AnyArray, Ints, Reals
from ....core.names import PrimedNames

EXCITATORY, INHIBITORY = "excitatory", "inhibitory"
RECEPTORS = (EXCITATORY, INHIBITORY)
STEPS = ("IF_curr_delta", "Izhikevich")
"""Cell types whose synapses change the potential itself."""


@frozen(eq=False)
class Cells:
    """A population of neurons. `parameters` has the names of PyNN; each entry has one number for each neuron."""

    label: str
    size: int
    model: str
    """The cell type of PyNN, such as `IF_curr_exp`."""
    parameters: Mapping[str, Reals]
    initial: Mapping[str, Reals]
    """Initial values by the name of the variable, such as `v`."""
    has_current: bool = False
    """Whether sources of currents are injected: an input of the network."""

    @property
    def current(self) -> str:
        """The name of the input with the injected currents."""
        return f"{self.label}.current"

    @property
    def has_steps(self) -> bool:
        """Whether weights are steps of the potential, which act at the end of the tick in which they arrive."""
        return self.model in STEPS


@frozen(eq=False)
class Source:
    """A population that only sends spikes: an input of the network. `has_counts`: several spikes per tick are possible."""

    label: str
    size: int
    has_counts: bool = False


@frozen
class Rule:
    """A rule of `rules.synapse` with its options and numbers. Units: time constants [s]; amplitudes and bounds as weights."""

    name: str
    options: tuple[tuple[str, str], ...]
    numbers: tuple[tuple[str, float], ...]
    axonal: float = 0.0
    """The share of a delay that is before the synapse."""

    @property
    def values(self) -> dict[str, float]:
        return dict(self.numbers)


@frozen(eq=False)
class Synapses:
    """Synapses of one projection between two populations, in any order, with one rule. Indices are those of the populations.

    Shapes: pre, post, weight, delay, number [synapses].
    """

    label: str
    source: str
    target: str
    receptor: str
    pre: Ints
    post: Ints
    weight: Reals
    delay: Reals
    """[ms]"""
    rule: Rule | None = None
    """How the weights change, or what a spike transmits; None for static synapses."""
    owner: int = 0
    """The place of the projection in the script."""
    number: Ints = field(factory=lambda: np.zeros(0, np.int64))
    """The place of each synapse in the projection, of synapses with a rule."""


@frozen(eq=False)
class Matrix:
    """A projection whose weights are an array by a rule, with one delay. Shapes: weight [post, pre]. Units: delay [ms]."""

    label: str
    source: str
    target: str
    receptor: str
    weight: ArrayAttr
    delay: float


@frozen(eq=False)
class Net:
    """A network. `outputs` are the labels of the populations whose spikes leave it."""

    cells: tuple[Cells, ...]
    sources: tuple[Source, ...]
    projections: tuple[Synapses | Matrix, ...]
    outputs: tuple[str, ...]
    tick_ms: float
    name: str = field(default="pynn")

    @property
    def tick_ns(self) -> int:
        return round(self.tick_ms * 1_000_000)

    def ticks_of(self, delay: Reals) -> Ints:
        """Returns delays in ticks, rounded to the nearest."""
        return np.rint(np.asarray(delay, np.float64) / self.tick_ms).astype(np.int64)

    @property
    def output_names(self) -> dict[str, str]:
        """The names of the outputs by population: `LABEL_out`, with an apostrophe where a population has this name."""
        names = PrimedNames(one.label for one in (*self.cells, *self.sources))
        return {label: names.take(f"{label}_out") for label in self.outputs}

    def fingerprint(self) -> bytes:
        """Returns a hash of everything but the outputs: equal networks have equal ones."""
        digest = blake2b()
        for part in self.contents():
            if not isinstance(part, str):
                digest.update(f"{part.dtype} {part.shape}".encode())
            digest.update(part.encode() if isinstance(part, str) else np.ascontiguousarray(part).tobytes())
        return digest.digest()

    def contents(self) -> Iterator[str | AnyArray]:
        """Yields texts and arrays that define the network."""
        yield f"{self.tick_ms} " + " ".join(f"{one.label!r} {one.size} {one.has_counts}" for one in self.sources)
        for cells in self.cells:
            yield f"{cells.label!r} {cells.size} {cells.model} {cells.has_current}"
            for name, values in (*cells.initial.items(), *cells.parameters.items()):
                yield name
                yield values
        for one in self.projections:
            yield f"{one.label!r} {one.source!r} {one.target!r} {one.receptor}"
            if isinstance(one, Matrix):
                yield f"{one.weight} {one.delay}"
            else:
                yield repr(one.rule)
                yield from (one.pre, one.post, one.weight, one.delay)
