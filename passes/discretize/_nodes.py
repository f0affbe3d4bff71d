"""Nodes of NIR as ops of `ntensor`: one synapse op, neuron or delay for each, with parameters in the network's precision.

Values take the network's precision (`f32` or `f64`). Weights stay in the type of the file where that converts exactly. Other
weights are rounded, and the largest and mean rounding error are kept for the record.

Delays of single synapses: seconds become ticks, and a matrix of weights becomes one synapse after the other.

    nir.linear "w" %x {weight, delays}  =>  ntensor.delay "w.delay" %x            what all synapses wait
                                            ntensor.sparse_linear "w" %delayed    what each waits beyond that

The sum keeps its order, by presynaptic index. A synapse without weight is left out where it adds nothing for certain: where spikes
arrive, which are finite, and nothing learns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerAttr, StringAttr, TensorType, i64
from xdsl.ir import Attribute, Operation, SSAValue

from ...analysis import time_constants as times
from ...analysis.approximation_errors import Errors
from ...analysis.presets import declared_family
from ...core.arrays.arrays import ArrayAttr, dtype_of, uniform
from ...core.diagnostics import Code, refuse, refuse_op
from ...core.help_text import Phrase, option
from ...core.ir.operation import element_type, shape_of
from ...dialects import nir, ntensor
from ...dialects.fixed import IntType

DIS002 = Code("DIS002", "neuron-parameter-missing", "a neuron needs a parameter that the node does not have")
DIS003 = Code("DIS003", "neuron-input-count-mismatch", "a neuron has another number of inputs than the node")


DIS004 = Code("DIS004", "parameter-exceeds-precision", "a parameter is beyond the precision of the network")
DIS005 = Code("DIS005", "integer-neuron-in-real-network", "a neuron computes on integers, and the network on reals")


@frozen(eq=False)
class Lateness:
    """The synapses of one op that count, and their delays; `seconds`, `ticks` and `places` have an entry for each of them.

    Units: seconds [s]; ticks and common [ticks].
    """

    seconds: NDArray[Any]
    ticks: NDArray[np.int64]
    places: NDArray[np.int64]
    """Flat indices into the weights, in the order of sources, then targets."""
    common: int
    """The common delay."""

    @property
    def differs(self) -> bool:
        """Whether some wait longer than others."""
        return bool((self.ticks != self.common).any())


def lateness(op: nir.SynapseOp, node: str, tick_ns: int) -> Lateness:
    """Returns the delays of single synapses in ticks. Errors: ANA037 more ticks than can be counted."""
    assert op.delays is not None  # the caller's promise
    shape = op.synapse_shape
    delays = np.broadcast_to(op.delays.values, shape)
    order = np.arange(prod(shape), dtype=np.int64).reshape(shape)
    if isinstance(op, nir.LinearOp | nir.AffineOp):
        order = np.swapaxes(order, -1, -2)
        weight, learns = op.weight.values, op.plasticity is not None
        if not learns and nir.is_spike(element_type(op.x)):
            order = order[np.swapaxes(weight, -1, -2) != 0]
    places = order.reshape(-1)
    found = delays.reshape(-1)[places]
    ticks = times.ticks_of(op, found, node, tick_ns)
    return Lateness(found, ticks, places, int(ticks.min()) if ticks.size else 0)


def split_late_synapses(dense: Operation, late: Lateness) -> ntensor.SparseLinearOp:
    """Returns a sparse op with the synapses of a dense linear op. Each synapse has its delay minus the common delay."""
    assert isinstance(dense, ntensor.LinearOp)  # other ops have no delays here
    *lead, outputs, inputs = dense.weight.shape
    at = np.unravel_index(late.places, (prod(lead), outputs, inputs))
    properties: dict[str, Attribute] = {
        "node": StringAttr(dense.node.data),
        "weight": ArrayAttr.of(dense.weight.values.reshape(-1)[late.places]),
        "source": ArrayAttr.of((at[0] * inputs + at[2]).astype(np.int32)),
        "target": ArrayAttr.of((at[0] * outputs + at[1]).astype(np.int32)),
        "delay": ArrayAttr.of((late.ticks - late.common).astype(np.int64)),
    }
    for name in ("bias", "plasticity"):
        if name in dense.properties:
            properties[name] = dense.properties[name]
    made = ntensor.SparseLinearOp.create(operands=[dense.x], result_types=[dense.y.type], properties=properties)
    assert isinstance(made, ntensor.SparseLinearOp)
    dense.drop_all_references()
    return made


@define
class Precision:
    """The type of values, and the numbers that it rounded."""

    type: Float32Type | Float64Type
    rounding: Errors = field(factory=Errors)

    def tensor(self, shape: Sequence[int]) -> TensorType[Attribute]:
        return TensorType(self.type, shape)

    def fit(self, node: str, array: ArrayAttr) -> ArrayAttr:
        """Returns an array rounded to numbers that the precision represents exactly; an array of such numbers is unchanged."""
        dtype, data = dtype_of(self.type), array.data
        assert dtype is not None
        if np.can_cast(data.dtype, dtype, "safe") and data.dtype.kind in "fb":
            return array
        found = data.rounded(dtype)
        made = None if found else np.empty(data.size, dtype)
        start = 0
        for block in data.blocks():  # a rule is rounded as a rule, but what that changes has to be counted
            rounded = self.rounded(node, block, dtype)
            if made is not None:
                made[start : start + block.size] = rounded
            start += block.size
        return ArrayAttr(found) if made is None and found else ArrayAttr.of(np.asarray(made).reshape(data.shape))

    def rounded(self, node: str, array: NDArray[np.generic], dtype: np.dtype[np.generic]) -> NDArray[np.generic]:
        """Returns the array in another type of reals, and keeps the error for the record. Errors: DIS004 a number beyond the type."""
        with np.errstate(over="ignore"):
            rounded: NDArray[Any] = array.astype(dtype)
        exact: NDArray[Any] = array.astype(np.longdouble)
        with np.errstate(invalid="ignore"):
            errors = np.where(rounded == exact, 0, np.abs(rounded - exact)).astype(np.float64)
        if np.isinf(errors).any():
            worst = array.reshape(-1)[int(np.isinf(errors).reshape(-1).argmax())]
            refuse(
                DIS004,
                f"a parameter is beyond {self.type}",
                at=f'"{node}"',
                node=node,
                expected=f"at most {np.finfo(np.float32).max:g} in size",
                found=str(worst),
                help=Phrase(option("precision", "f64")),
            )
        if errors.any():
            self.rounding.add(node, errors)
        return rounded


def each_axis(array: ArrayAttr, rank: int) -> ArrayAttr:
    """Returns a stride, kernel or the like with one entry for each axis."""
    return ArrayAttr.of(np.array(nir.integers(array, rank), np.int64))


def synapse(op: nir.SynapseOp, node: str, x: SSAValue, precision: Precision) -> Operation:
    """Returns the `ntensor` op for a synapse op of NIR, without synapse delays."""
    properties: dict[str, Attribute] = {"node": StringAttr(node)}
    for name in ("weight", "scale"):
        if isinstance(array := op.properties.get(name), ArrayAttr):
            properties[name] = precision.fit(node, array)
    if isinstance(op, nir.AffineOp | nir.ConvolutionOp | nir.ConvTranspose2dOp):
        shape = op.weight.shape[:-1] if isinstance(op, nir.AffineOp) else shape_of(op.y)[:1]
        bias = op.bias if op.bias.shape == shape else ArrayAttr.of(np.broadcast_to(op.bias.values, shape))
        properties["bias"] = precision.fit(node, bias)
    match op:
        case nir.LinearOp() | nir.AffineOp():
            kind: type[Operation] = ntensor.LinearOp
        case nir.ScaleOp():
            kind = ntensor.ScaleOp
        case nir.ConvolutionOp():
            properties |= {
                "stride": each_axis(op.stride, op.RANK),
                "padding": ArrayAttr.of(np.array(op.padding_pairs(), np.int64)),
                "dilation": each_axis(op.dilation, op.RANK),
                "groups": IntegerAttr(nir.integers(op.groups, 1)[0], i64),
            }
            kind = ntensor.Conv1dOp if op.RANK == 1 else ntensor.Conv2dOp
        case nir.ConvTranspose2dOp():
            groups, weight = nir.integers(op.groups, 1)[0], properties["weight"]
            assert isinstance(weight, ArrayAttr)  # an array of the node
            properties |= {
                "weight": ArrayAttr.of(np.ascontiguousarray(ntensor.swap_channels(weight.values, groups))),
                "stride": each_axis(op.stride, 2),
                "padding": ArrayAttr.of(np.array(op.padding_pairs(), np.int64)),
                "dilation": each_axis(op.dilation, 2),
                "groups": IntegerAttr(groups, i64),
            }
            kind = ntensor.ConvTranspose2dOp
        case nir.Upsample2dOp() if op.mode.data == "nearest":
            properties["factor"] = each_axis(op.factor, 2)
            kind = ntensor.Upsample2dOp
        case nir.Upsample2dOp():
            properties |= interpolation(op, precision)
            kind = ntensor.SparseLinearOp
        case nir.PoolOp():
            properties |= pool_properties(op)
            kind = ntensor.SumPool2dOp if isinstance(op, nir.SumPool2dOp) else ntensor.AvgPool2dOp
        case _:
            raise TypeError(f"{op.name} is not a synapse op")
    if isinstance(op.plasticity, nir.StdpAttr):
        properties["plasticity"] = op.plasticity
    return kind.create(operands=[x], result_types=[precision.tensor(shape_of(op.y))], properties=properties)


def pool_properties(op: nir.PoolOp | nir.MaxPool2dOp) -> dict[str, Attribute]:
    """Returns kernel, stride and padding of a pool."""
    padding = [(n, n) for n in nir.integers(op.padding, 2)]
    return {
        "kernel": each_axis(op.kernel_size, 2),
        "stride": each_axis(op.stride, 2),
        "padding": ArrayAttr.of(np.array(padding, np.int64)),
    }


def interpolation(op: nir.Upsample2dOp, precision: Precision) -> dict[str, Attribute]:
    """Returns the synapses of a bilinear upsampling, whose weights are products of those of both axes, without those of weight 0."""
    factors, corners = nir.integers(op.factor, 2), op.mode.data == "bilinear-corners"
    channels, *sizes = shape_of(op.x)
    y, x = (interpolation_matrix(n, f, corners) for n, f in zip(sizes, factors, strict=True))
    plane = np.kron(y, x)  # [result positions, operand positions]
    target, source = np.nonzero(plane)
    weight, channel = plane[target, source], np.arange(channels)[:, None]
    order = np.lexsort((target, source))
    return {
        "weight": precision.fit(op.node.data, ArrayAttr.of(np.tile(weight[order], channels))),
        "source": ArrayAttr.of((source[order] + channel * plane.shape[1]).reshape(-1).astype(np.int32)),
        "target": ArrayAttr.of((target[order] + channel * plane.shape[0]).reshape(-1).astype(np.int32)),
    }


def interpolation_matrix(size: int, factor: int, corners: bool) -> NDArray[np.float64]:
    """Returns the weights of a linear interpolation along one axis. Shapes: [factor size, size]."""
    at = np.arange(size * factor, dtype=np.float64)
    steps = max(1, size * factor - 1)
    at = at * (size - 1) / steps if corners else np.clip((at + 0.5) / factor - 0.5, 0, size - 1)
    low = np.minimum(np.floor(at).astype(np.int64), size - 1)
    share = at - low
    found = np.zeros((size * factor, size))
    rows = np.arange(size * factor)
    found[rows, low] += 1 - share
    found[rows, np.minimum(low + 1, size - 1)] += share
    return found


def raw_parameters(op: nir.PopulationOp, update: ntensor.UpdateOp, name: str) -> dict[str, NDArray[np.float64]]:
    """Returns the parameters that an update takes from the node, in f64. Errors: DIS002, DIS003."""
    given = dict(op.parameters())
    names = update.operand_names
    if len(names) != 1:
        refuse_op(
            op,
            DIS003,
            f"@{update.sym_name.data} has {len(names)} inputs",
            at=f'{op.name} "{name}"',
            node=name,
            expected="1 input, the sum of what arrives at the node",
            found=", ".join(names) or "none",
            help="declare one input in the file",
        )
    missing = [raw.data for raw in update.raw if raw.data not in given]
    if missing:
        refuse_op(
            op,
            DIS002,
            f"@{update.sym_name.data} needs a parameter that the node does not have",
            at=f'{op.name} "{name}"',
            node=name,
            expected=f"parameters among {', '.join(given)}",
            found=", ".join(missing),
            help=f"give it a value in the file, for example: param {missing[0]} = 1",
        )
    return {raw.data: uniform(given[raw.data].values.astype(np.float64)) for raw in update.raw}


def verify_reals(op: nir.PopulationOp, name: str, x: SSAValue, update: ntensor.UpdateOp) -> None:
    """Refuses a population whose neuron reads integers but receives reals, or whose neuron accumulates terms. Errors: DIS005."""
    takes_integers = any(isinstance(type, IntType) for type in update.input_types)
    if update.accumulators or (takes_integers and not ntensor.is_event(element_type(x))):
        what = "adds them event by event" if update.accumulators else "computes on integers"
        refuse_op(
            op,
            DIS005,
            f"@{update.sym_name.data} takes integers, and {op.name} gets reals",
            at=f'{op.name} "{name}"',
            node=name,
            expected="a neuron with an input of reals",
            found=f"input {update.operand_names[0]}, which {what}",
            help=Phrase(option("like", "norse")),
            notes=["then integers: ntensor-quantize-weights{bits=8},ntensor-set-neuron-model{to=FILE}"],
        )


def neuron(
    op: nir.PopulationOp,
    name: str,
    x: SSAValue,
    update: ntensor.UpdateOp,
    dt: float,
    precision: Precision,
    check: Callable[[Mapping[str, NDArray[np.generic]]], None],
) -> ntensor.NeuronOp:
    """Returns a population of NIR under an update: parameters are derived once, in f64, and kept in the types of the step."""
    from ...simulation.update import derive, initial

    verify_reals(op, name, x, update)
    raw = raw_parameters(op, update, name)
    derived = derive(update, dt, raw, name)
    check({**raw, **derived})
    params: dict[str, NDArray[np.generic]] = {}
    for key, type in update.param_types.items():
        values = np.asarray(derived[key])
        dtype = dtype_of(type) or np.dtype(np.int64)
        is_real = values.dtype.kind == "f" and dtype.kind == "f"
        made: NDArray[np.generic] = precision.rounded(name, values, dtype) if is_real else values.astype(dtype)
        params[key] = uniform(made)
    states = initial(update, params)
    shape = shape_of(op.y)
    element = ntensor.emission_type(update)
    return ntensor.NeuronOp(
        name,
        update.sym_name.data,
        [x],
        TensorType(element, shape),
        params=ntensor.array_dictionary(params),
        initial=ntensor.array_dictionary(
            {state.data: uniform(np.asarray(states[state.data])) for state in update.states}
        ),
        family=declared_family(op),
        canonical=ntensor.array_dictionary(
            {key.data: uniform(np.asarray(derived[key.data])) for key in update.canonical}
        ),
    )
