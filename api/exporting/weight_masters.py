"""Parameters of a network for training: which weight of the trained network each weight of the chip is, and the grid that the chip rounds it to.

    number of the chip = round(parameter[index] * factor / scale), limited to the grid

1. The ops of the network before and after the passes have the same synapses, and the name of an op starts with that of its origin. The neurons that
   a synapse connects determine its parameter, and the shapes of both ops may differ: a convolution may have become a list of synapses.
2. A factor is the ratio of the last reals before rounding to the trained weights, such as a scale that a pass folded into them.
3. `fc.excitatory` and `fc.inhibitory` have the positive and the negative part of the weights of `fc`; `fc.bias` has its biases, as weights of a clock.
4. A grid is that of `#ntensor.quantized`; the sums of the values of axon types; or the values that occur, where a pass chose a few of them.
5. A parameter starts as the trained one if the grid rounds it to the number of the chip, else as the nearest real that does.

Ops that passes added (relays, clocks) have constant weights.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
from attrs import define, evolve, field, frozen
from xdsl.ir import Attribute, Operation

from ...core.arrays.numeric import AnyArray, Ints
from ...core.diagnostics import Code, refuse_op
from ...core.help_text import Phrase
from ...core.ir.operation import element_type, shape_of
from ...dialects import ntensor
from ...dialects.fixed import IntType
from ...dialects.ntensor import SynapseOpInterface, interval_of
from ._weight_grids import WeightGrid, grid_of
from .scalar_expressions import dtype_text

PYT003 = Code("PYT003", "weights-without-origin", "weights of the chip do not follow from those of the network")

MARGIN = 0.49
"""Distance from its integer, in steps, of a parameter that was not rounded to the nearest integer."""
SAME = 1e-6
"""Relative difference of reals that were stored in f32."""
ADDED = ("in", "self")
"""Suffixes of the synapses of relays."""
PARTS = {"excitatory": 1.0, "inhibitory": -1.0}
"""The sign of the weights that an op with this suffix has."""


@frozen(eq=False)
class Origin:
    """A node of the trained network, with the reals that passes made of its weights before they were rounded."""

    op: SynapseOpInterface
    """Its op in the first network in ticks."""
    trained: Mapping[str, AnyArray]
    """Weights and biases as the user trained them."""
    last: SynapseOpInterface | None = None
    """The last op of this name with real weights."""
    before: Sequence[Operation] = ()
    """The pools and reshapes between the node and the neurons before it, the nearest first."""

    def paths(self) -> Iterator[tuple[int, tuple[Ints, Ints, Ints]]]:
        """Yields the number of sources, and source, target and weight of each synapse of the node; then the same from before its pools."""
        source, target, place = self.op.pairs()
        yield int(np.prod(shape_of(self.op.x))), (source, target, place)
        for op in self.before:
            if not isinstance(op, SynapseOpInterface):
                continue
            reads, writes, _ = op.pairs()
            order = np.argsort(writes, kind="stable")
            reads, count = reads[order], np.bincount(writes, minlength=int(np.prod(shape_of(op.y))))
            start = np.concatenate([[0], np.cumsum(count)])[:-1]
            size = count[source]
            at = np.arange(int(size.sum())) - np.repeat(np.cumsum(size) - size, size) + np.repeat(start[source], size)
            source, target, place = reads[at], np.repeat(target, size), np.repeat(place, size)
            yield int(np.prod(shape_of(op.x))), (source, target, place)


def index_into(op: SynapseOpInterface, origin: Origin) -> Ints | None:
    """Returns the flat index of the trained weight for each weight of an op; None if an op has other synapses.

    The op may include the pools before its origin: a synapse then starts at a neuron before the pool.
    """
    if op.weights is None or origin.op.weights is None:
        return None
    if type(op) is type(origin.op) and op.weights.shape == origin.op.weights.shape and same_windows(op, origin.op):
        return np.arange(int(np.prod(op.weights.shape)), dtype=np.int64).reshape(op.weights.shape)
    outputs = int(np.prod(shape_of(op.y)))
    if outputs != int(np.prod(shape_of(origin.op.y))):
        return None
    source, target, own = op.pairs()
    wanted = source.astype(np.int64) * max(1, outputs) + target
    for size, (sources, targets, places) in origin.paths():
        keys = sources.astype(np.int64) * max(1, outputs) + targets
        known, first = np.unique(keys, return_index=True)
        at = np.minimum(np.searchsorted(known, wanted), max(0, known.size - 1))
        is_other = size != int(np.prod(shape_of(op.x))) or not known.size or known.size < keys.size
        if is_other or (known[at] != wanted).any():
            continue  # several paths connect two neurons, or none does
        found = np.zeros(op.weights.shape, np.int64)
        found.reshape(-1)[own] = places[first[at]]
        return found
    return None


def same_windows(op: SynapseOpInterface, origin: SynapseOpInterface) -> bool:
    """Returns whether two ops of a class connect the same neurons by the same weights."""
    names = ("source", "target", "stride", "padding", "dilation", "groups")
    return all(op.properties.get(name) == origin.properties.get(name) for name in names)


@define
class Masters:
    """Parameters by node, formats by op, and the arrays of both."""

    origins: Mapping[str, Origin]
    few_values: frozenset[str] = frozenset()
    """The nodes whose weights a pass replaced by a few values."""
    unsigned: frozenset[str] = frozenset()
    """The nodes whose weights have no sign."""
    stored_bits: int | None = None
    """The bits of weights without a power of two that many share; None if each weight has its own bits."""
    thresholds: Mapping[str, AnyArray] = field(factory=dict[str, AnyArray])
    """The thresholds of the trained populations that are parameters, by node."""
    nodes: dict[str, dict[str, AnyArray]] = field(init=False, factory=dict[str, dict[str, AnyArray]])
    """Start values by node and parameter."""
    formats: dict[str, dict[str, Any]] = field(init=False, factory=dict[str, dict[str, Any]])
    arrays: dict[str, AnyArray] = field(init=False, factory=dict[str, AnyArray])
    settled: dict[tuple[str, str], AnyArray] = field(init=False, factory=dict[tuple[str, str], AnyArray])
    """Whether an op has decided about each entry of a parameter."""

    def add(self, op: SynapseOpInterface) -> None:
        """Adds the weights and the bias of an op. Errors: PYT003."""
        bias, node = op.optional_array("bias"), op.node.data
        kinds = {"few_values": node in self.few_values, "is_unsigned": node in self.unsigned}
        grid = grid_of(op, **kinds, stored_bits=self.stored_bits)
        if not op.pairs()[0].size or (found := self.origin_of(node)) is None:
            self.arrays[f"{node}.{op.WEIGHTS}"] = grid.values().astype(self.dtype(op))
            if bias is not None:
                self.arrays[f"{node}.bias"] = bias.values.astype(self.dtype(op))
            return
        origin, parameter, sign = found
        if parameter == "bias":
            index = bias_index(op, origin)
            self.add_parameter(
                op, f"{node}.{op.WEIGHTS}", origin, parameter, index, grid, sign, is_part=self.is_part(op)
            )
            return
        index = index_into(op, origin)
        if index is None:
            self.refuse(op, origin, "synapses that the node does not have")
        factor = self.factor(op, origin, index)
        is_part = self.is_part(op)
        self.add_parameter(op, f"{node}.{op.WEIGHTS}", origin, parameter, index, grid, factor * sign, is_part=is_part)
        if bias is not None:
            self.add_bias(op, origin, grid, bias.values)

    def dtype(self, op: SynapseOpInterface) -> type[np.float32] | type[np.float64]:
        return np.float32 if dtype_text(element_type(op.y)).endswith("32") else np.float64

    def is_part(self, op: SynapseOpInterface) -> bool:
        """Returns whether an op has the weights of one sign."""
        return op.node.data.rpartition(".")[2] in PARTS

    def origin_of(self, node: str) -> tuple[Origin, str, float] | None:
        """Returns the node that an op follows from, its parameter, and the sign of its part of them; None for an op that a pass added."""
        sign, is_bias, name = 1.0, False, node
        while name not in self.origins:
            name, _, last = name.rpartition(".")
            if not name or last in ADDED:
                return None
            sign *= PARTS.get(last, 1.0)
            is_bias |= last == "bias"
        origin = self.origins[name]
        parameter = "bias" if is_bias else origin.op.WEIGHTS
        return None if parameter is None or parameter not in origin.trained else (origin, parameter, sign)

    def factor(self, op: SynapseOpInterface, origin: Origin, index: Ints) -> AnyArray:
        """Returns the ratio of the last reals to the trained weights. Shapes: result that of the weights, or (). Errors: PYT003."""
        last = origin.last or origin.op
        trained = origin.trained[origin.op.WEIGHTS or ""].astype(np.float64).reshape(-1)
        place = index_into(last, origin)
        if place is None or last.weights is None:
            self.refuse(op, origin, "reals of other synapses")
        reals, before = last.weight_values().values.astype(np.float64), trained[place]
        if np.allclose(reals, before, SAME, 0.0):
            return np.ones(())
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(before != 0, reals / before, np.nan)
        line = ratio.reshape(len(ratio), -1) if ratio.ndim else ratio.reshape(1, 1)
        common = np.array([[np.median(row[np.isfinite(row)]) if np.isfinite(row).any() else 1.0] for row in line])
        filled = np.where(np.isfinite(line), line, common).reshape(ratio.shape)
        if not np.allclose(before * filled, reals, 1e-5, 0.0) or not is_product(line):
            self.refuse(op, origin, "reals that are not multiples of the trained weights")
        whole = np.zeros(trained.size)
        whole[place.reshape(-1)] = filled.reshape(-1)
        found = whole[index]
        return found.reshape(-1)[0] if found.size and np.allclose(found, found.reshape(-1)[0], SAME, 0.0) else found

    def add_bias(self, op: SynapseOpInterface, origin: Origin, grid: WeightGrid, bias: AnyArray) -> None:
        """Adds the bias of an op, whose integers have the scale of its weights. Errors: PYT003."""
        node, trained = op.node.data, origin.trained.get("bias")
        if trained is None or trained.shape != bias.shape:
            self.arrays[f"{node}.bias"] = bias.astype(self.dtype(op))
            return
        held = interval_of(element_type(op.y))
        if held is None:
            own = WeightGrid("real", bias.astype(np.float64), np.ones(()), is_real=True)
        else:
            scale = op.output_scale()
            steps = bias.astype(np.float64)
            unit = np.ones(()) if scale is None else np.nan_to_num(scale.astype(np.float64), nan=1.0)
            own = WeightGrid(
                "grid", steps, unit if unit.shape in ((), steps.shape) else np.ones(()), False, held.low, held.high
            )
        index = np.arange(bias.size, dtype=np.int64).reshape(bias.shape)
        factor = self.bias_factor(origin, trained)
        self.add_parameter(op, f"{node}.bias", origin, "bias", index, own, factor, is_part=False)

    def bias_factor(self, origin: Origin, trained: AnyArray) -> AnyArray:
        """Returns the ratio of the last real biases to the trained ones."""
        last = None if origin.last is None else origin.last.optional_array("bias")
        if last is None or last.shape != trained.shape or last.data.dtype.kind != "f":
            return np.ones(())
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(trained != 0, last.values.astype(np.float64) / trained, 1.0)
        return np.ones(()) if np.allclose(ratio, 1.0, SAME, 0.0) else ratio

    def add_parameter(
        self,
        op: SynapseOpInterface,
        key: str,
        origin: Origin,
        parameter: str,
        index: Ints,
        grid: WeightGrid,
        factor: Any,
        *,
        is_part: bool,
    ) -> None:
        """Adds the format of one array of the chip, and moves the parameter to where the grid rounds it to this array."""
        node, factor = origin.op.node.data, np.asarray(factor, np.float64)
        is_negative = is_part and bool((grid.steps < 0).any())  # a receptor that subtracts has negative weights
        grid = evolve(grid, steps=-grid.steps) if is_negative else grid
        trained = origin.trained[parameter]
        start = self.nodes.setdefault(node, {}).setdefault(parameter, trained.astype(np.float64).copy())
        settled = self.settled.setdefault((node, parameter), np.zeros(trained.size, np.bool_))
        reals = start.reshape(-1)[index] * factor
        reals = np.maximum(reals, 0) if is_part else reals
        wrong = (
            (grid.rounded(reals) != grid.steps) if grid.kind != "real" else ~np.isclose(reals, grid.steps, SAME, 0.0)
        )
        if wrong.any():
            near = nearest_reals(reals, grid, is_part=is_part)
            with np.errstate(divide="ignore", invalid="ignore"):
                moved = np.where(factor != 0, near / factor, start.reshape(-1)[index])
            flat = np.broadcast_to(index, wrong.shape)[wrong]
            if settled[flat].any():
                self.refuse(op, origin, "different roundings of one weight")
            start.reshape(-1)[flat] = moved[wrong]
            again = start.reshape(-1)[index] * factor
            again = np.maximum(again, 0) if is_part else again
            if grid.kind != "real" and (grid.rounded(again) != grid.steps).any():
                self.refuse(op, origin, "different roundings of one weight")
        if not is_part:
            settled[index.reshape(-1)] = True
        self.formats[key] = {
            "node": node,
            "parameter": parameter,
            "shape": grid.steps.shape,
            "dtype": f"torch.{np.dtype(self.dtype(op)).name}",
            "is_part": is_part,
            "is_negative": is_negative,
            **grid.as_json(),
        }
        arrays = grid.arrays()
        if trained.shape != grid.steps.shape or (index.reshape(-1) != np.arange(index.size)).any():
            arrays["index"] = index
        if (factor != 1).any():
            arrays["factor"] = factor
        self.arrays |= {f"{key}.{name}": np.ascontiguousarray(array) for name, array in arrays.items()}

    def add_threshold(self, op: ntensor.NeuronOp, name: str, values: AnyArray, type: Attribute) -> None:
        """Adds the threshold of a population: the number of the chip changes in proportion to that of the network. Errors: PYT003."""
        node, shape = op.node.data, shape_of(op.z)
        trained = self.thresholds[node].astype(np.float64)
        if trained.size not in (1, int(np.prod(shape))) or not (trained != 0).all():
            expected = "one threshold, or one for each neuron, and none of 0"
            refuse_op(
                op,
                PYT003,
                "thresholds of the chip do not follow from those of the network",
                expected=expected,
                found=f"{trained.size} for {int(np.prod(shape))} neurons",
            )
        index = np.zeros(shape, np.int64) if trained.size == 1 else np.arange(trained.size).reshape(shape)
        key = f"{node}.{name}"
        is_whole = isinstance(type, IntType)
        limits = (type.lower, type.upper) if isinstance(type, IntType) else (0, 0)
        self.nodes.setdefault(node, {})["v_threshold"] = trained
        self.formats[key] = {
            "node": node,
            "parameter": "v_threshold",
            "shape": shape,
            "dtype": dtype_text(type),
            "is_part": False,
            "is_negative": False,
            "kind": "ratio",
            "low": limits[0],
            "high": limits[1],
            "is_real": not is_whole,
        }
        self.arrays[f"{key}.index"] = index
        self.arrays[f"{key}.start"] = trained.reshape(-1)[index]
        self.arrays[f"{key}.first"] = np.broadcast_to(values.astype(np.float64), shape).copy()

    def refuse(self, op: SynapseOpInterface, origin: Origin, found: str) -> NoReturn:
        """Refuses weights that follow from no parameter. Errors: PYT003."""
        refuse_op(
            op,
            PYT003,
            expected=f'weights of "{origin.op.node.data}", each times a factor and rounded',
            found=f"{found}: {op.name} of shape {op.weights.shape if op.weights is not None else ()}",
            help=Phrase("nopt targets"),
            notes=["the last passes with weights are in the stages of a build: nopt compile … -o DIR, then DIR/stages"],
        )


def is_product(ratio: AnyArray) -> bool:
    """Returns whether each ratio is that of its row times that of its column; NaN entries are unknown. Shapes: [rows, columns]."""
    if not np.isfinite(ratio).any() or ratio.shape[1] == 1:
        return True
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a row or a column without a number
        of_rows = np.nanmedian(ratio, axis=1, keepdims=True)
        of_columns = np.nanmedian(ratio / of_rows, axis=0, keepdims=True)
    known = np.isfinite(ratio)
    return bool(np.allclose(ratio[known], (of_rows * of_columns)[known], 1e-5, 0.0))


def nearest_reals(reals: AnyArray, grid: WeightGrid, *, is_part: bool) -> AnyArray:
    """Returns the nearest reals that a grid rounds to its steps."""
    if grid.kind == "real":
        return grid.steps
    steps = reals / grid.scale
    if grid.kind == "grid":
        return np.clip(steps, grid.steps - MARGIN * grid.unit, grid.steps + MARGIN * grid.unit) * grid.scale
    if grid.kind == "sign":
        return np.where(grid.steps > 0, np.maximum(steps, MARGIN), np.minimum(steps, -MARGIN)) * grid.scale
    return grid.steps * grid.scale


def bias_index(op: SynapseOpInterface, origin: Origin) -> Ints:
    """Returns the bias of each synapse of a clock that adds biases: that of the channel of its target."""
    biases = origin.trained["bias"]
    _, target, place = op.pairs()
    each = int(np.prod(shape_of(op.y))) // max(1, biases.size)
    assert op.weights is not None  # asked before
    found = np.zeros(op.weights.shape, np.int64)
    found.reshape(-1)[place] = target // max(1, each)
    return found
