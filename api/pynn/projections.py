"""Projections of the back end: synapses as arrays, or weights by a rule where a connector and its weights have one.

`AllToAllConnector` with one weight is an array of one constant. With `setup(array_rules=True)`, `FixedProbabilityConnector` with one weight is drawn by a
rule of nopt, whose seed is `rng_seed` and the number of the projection. Otherwise PyNN draws the pairs, as in its other back ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Reals
from . import simulator
from .bases import AssemblyBase, ConnectionBase, ProjectionBase, ViewBase
from .models.synapses import SYNAPSES, StaticSynapse, own_synapses
from .populations import refuse_feature
from .requirements import package

connectors: Any = package("pyNN.connectors")
spaces: Any = package("pyNN.space")

WEIGHT, DELAY = "weight", "delay"
PRE, POST = ADDRESS = ("presynaptic_index", "postsynaptic_index")
EVERYWHERE = spaces.Space()


class Connection(ConnectionBase):
    """One synapse of a projection."""

    def __init__(self, projection: Projection, number: int):
        self.projection: Projection = projection
        self.number: int = number

    def value(self, name: str) -> Any:
        return self.projection.values()[name][self.number].item()

    @property
    def presynaptic_index(self) -> int:
        return int(self.value(PRE))

    @property
    def postsynaptic_index(self) -> int:
        return int(self.value(POST))

    @property
    def weight(self) -> float:
        return float(self.value(WEIGHT))

    @property
    def delay(self) -> float:
        return float(self.value(DELAY))

    def as_tuple(self, *names: str) -> tuple[Any, ...]:
        return tuple(self.value(name) for name in names)


class Projection(ProjectionBase):
    """The synapses from one population to another. `pre` and `post` may be views and assemblies."""

    _simulator: Any = simulator
    _static_synapse_class: Any = StaticSynapse

    def __init__(
        self,
        presynaptic_population: Any,
        postsynaptic_population: Any,
        connector: Any,
        synapse_type: Any = None,
        source: Any = None,
        receptor_type: Any = None,
        space: Any = EVERYWHERE,
        label: str | None = None,
    ):
        ProjectionBase.__init__(
            self,
            presynaptic_population,
            postsynaptic_population,
            connector,
            synapse_type,
            source,
            receptor_type,
            space,
            label,
        )
        if not isinstance(self.synapse_type, SYNAPSES):
            found = f"the synapse type {type(self.synapse_type).__name__}"
            refuse_feature(found, own_synapses(), "StaticSynapse(weight=1.0, delay=1.0)")
        self.rows: list[dict[str, AnyArray]] = []
        """Blocks of synapses: indices, weights, delays [ms], and the numbers of the rule. Shapes: [synapses]."""
        self.weights: ArrayAttr | None = self.rule(connector)
        """The weights by a rule; None where they are listed. Shapes: [post, pre]."""
        if self.weights is None:
            if type(connector) is connectors.OneToOneConnector and self.shape == (1, 1):
                connector = connectors.AllToAllConnector(safe=connector.safe)  # PyNN 0.13 fails here with NumPy 2
            connector.connect(self)
        simulator.state.projections.append(self)

    @property
    def has_rule(self) -> bool:
        return bool(self.synapse_type.rule_parameters)

    def constant(self, name: str) -> float | None:
        """Returns the number that all synapses have; None if they differ."""
        value = self.synapse_type.native_parameters[name]
        if not value.is_homogeneous:
            return None
        value.shape = (1, 1)
        return float(np.asarray(value.evaluate(simplify=True)))

    def rule(self, connector: Any) -> ArrayAttr | None:
        """Returns the weights as an array by a rule, where one defines them."""
        weight, delay = self.constant("weight"), self.constant("delay")
        is_whole = self.pre is not self.post or getattr(connector, "allow_self_connections", False) is True
        if weight is None or delay is None or self.has_rule or not is_whole or connector.location_selector:
            return None
        if any(isinstance(one, AssemblyBase | ViewBase) for one in (self.pre, self.post)):
            return None
        shape = self.post.size, self.pre.size
        if type(connector) is connectors.AllToAllConnector:
            return ArrayAttr.by("constant", shape, np.dtype(np.float64), value=weight)
        if type(connector) is connectors.FixedProbabilityConnector and simulator.state.has_rules:
            seed = simulator.state.seed * 65536 + len(simulator.state.projections)
            share = float(connector.p_connect)
            return ArrayAttr.by(
                "uniform", shape, np.dtype(np.float64), low=weight, high=weight, seed=seed, density=share
            )
        return None

    def _convergent_connect(
        self, presynaptic_indices: Any, postsynaptic_index: int, location_selector: Any = None, **values: Any
    ) -> None:
        """Adds the synapses of one postsynaptic neuron."""
        pre = np.asarray(presynaptic_indices, np.int64).reshape(-1)
        names = WEIGHT, DELAY, *self.synapse_type.rule_parameters
        columns = {name: np.broadcast_to(np.asarray(values[name], np.float64), pre.shape) for name in names}
        self.rows.append({PRE: pre, POST: np.full(len(pre), postsynaptic_index, np.int64), **columns})

    def columns(self) -> dict[str, AnyArray]:
        """Returns the indices and the numbers of all synapses, with the weights before the first tick."""
        if self.weights is not None:
            matrix = self.weights.values
            post, pre = np.nonzero(matrix) if self.weights.data.size else (np.zeros(0, np.int64),) * 2
            if type(self._connector) is connectors.AllToAllConnector:
                post, pre = (one.reshape(-1) for one in np.indices(matrix.shape))
            delay = np.full(len(pre), self.constant(DELAY))
            return {PRE: pre.astype(np.int64), POST: post.astype(np.int64), WEIGHT: matrix[post, pre], DELAY: delay}
        if len(self.rows) != 1:
            names = WEIGHT, DELAY, *self.synapse_type.rule_parameters
            none = dict.fromkeys(ADDRESS, np.zeros(0, np.int64)) | dict.fromkeys(names, np.zeros(0))
            blocks = [none, *self.rows]
            self.rows = [{name: np.concatenate([one[name] for one in blocks]) for name in none}]
        return self.rows[0]

    def values(self) -> dict[str, AnyArray]:
        """Returns the columns with the weights of this time."""
        columns = self.columns()
        weights = simulator.state.weights_of(self)
        return columns if weights is None else {**columns, WEIGHT: weights}

    def __len__(self) -> int:
        return len(self.columns()[PRE])

    def __getitem__(self, i: int) -> Connection:
        return Connection(self, range(len(self))[i])

    @property
    def connections(self) -> list[Connection]:
        return [Connection(self, number) for number in range(len(self))]

    def _get_attributes_as_list(self, names: list[str]) -> list[tuple[Any, ...]]:
        given = self.values()
        return list(zip(*(given[name].tolist() for name in names), strict=True))

    def _get_attributes_as_arrays(self, names: list[str], multiple_synapses: str = "sum") -> list[Reals]:
        """Returns one array for each name. Pairs without a synapse have NaN. Shapes: [pre, post]."""
        given = self.values()
        pre, post = given[PRE], given[POST]
        choose = {"sum": np.add, "min": np.minimum, "max": np.maximum}.get(multiple_synapses)
        found: list[Reals] = []
        for name in names:
            array = np.full(self.shape, np.nan)
            order = slice(None, None, -1) if multiple_synapses == "first" else slice(None)
            array[pre[order], post[order]] = given[name][order]
            if choose is not None:
                start = {"sum": 0.0, "min": np.inf, "max": -np.inf}[multiple_synapses]
                array[pre, post] = start
                choose.at(array, (pre, post), given[name])
            found.append(array)
        return found

    def _set_attributes(self, space: Any) -> None:
        """Replaces weights, delays or numbers of the rule of all synapses."""
        space.evaluate(simplify=False)
        given = {**self.columns()}
        known = [name for name in given if name not in ADDRESS]
        for name, values in space.items():
            if name not in known:
                refuse_feature(f"the attribute {name} of synapses", ", ".join(known), "set(weight=1.0)")
            given[name] = np.asarray(values, np.float64)[given[PRE], given[POST]]
        self.weights, self.rows = None, [given]
