"""The nir dialect for all possible parameter values: text preserves every bit, and shapes agree with enumeration."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from xdsl.dialects.builtin import DictionaryAttr, FunctionType, ModuleOp, StringAttr, TensorType, f32, i1
from xdsl.ir import Attribute, Block, Region

from nopt.core.arrays.arrays import INLINE, ArrayAttr
from nopt.core.ir import source
from nopt.core.ir.context import NoptContext
from nopt.core.ir.graph_region import Signature, names
from nopt.core.windows import same_padding, window_outputs
from nopt.dialects import nir as ops

NODES = [op for op in ops.NIR.operations if issubclass(op, ops.NodeOp)]
ELEMENTWISE = [op for op in NODES if issubclass(op, ops.PopulationOp | ops.ScaleOp) and op is not ops.NeuronOp]
EXTREMES = {
    kind: [0.0, -0.0, 1.0, np.finfo(kind).max, np.finfo(kind).tiny, np.finfo(kind).smallest_subnormal]
    for kind in (np.float16, np.float32, np.float64)
}


# ---- helpers


def network(op: ops.NodeOp, shape: tuple[int, ...]) -> ModuleOp:
    """Returns a network of this one node, whose operand is the input."""
    block = Block(arg_types=[TensorType(f32, shape)])
    op.operands[0] = block.args[0]
    block.add_op(op)
    block.add_op(ops.OutputOp(op.results[0]))
    type = FunctionType.from_lists([block.args[0].type], [op.results[0].type])
    return ModuleOp([ops.GraphOp("net", Signature(names(["in"]), names(["out"]), type), Region(block))])


def node(
    op: type[ops.NodeOp], shape: tuple[int, ...], result: tuple[int, ...], properties: dict[str, Attribute]
) -> ops.NodeOp:
    """Returns a node without connections."""
    kind = i1 if issubclass(op, ops.PopulationOp) and op.SPIKES else f32
    return op.create(
        operands=[Block(arg_types=[TensorType(f32, shape)]).args[0]],
        result_types=[TensorType(kind, result)],
        properties={"node": StringAttr("node"), **properties},
    )


def check_round_trips(module: ModuleOp) -> ModuleOp:
    """Prints a module in generic form, parses it again and returns the result."""
    text = source.format_module(NoptContext(), module)
    generic = source.format_module(NoptContext(), module, True)
    again = source.parse_module(NoptContext(), generic)
    assert source.format_module(NoptContext(), source.parse_module(NoptContext(), text)) == text
    assert source.format_module(NoptContext(), again) == text
    source.check_module(again)
    return again


@st.composite
def floats(draw: st.DrawFn, shape: tuple[int, ...], kind: Any) -> Any:
    """Returns finite numbers, including special ones."""
    values = draw(hnp.arrays(kind, shape, elements={"allow_nan": False, "allow_infinity": False}))
    where = draw(st.integers(0, max(values.size - 1, 0)))
    if values.size:
        values.reshape(-1)[where] = draw(st.sampled_from(EXTREMES[kind]))
    return values


SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=1, max_side=5)
KINDS = st.sampled_from(sorted(EXTREMES, key=str))


# ---- text


@given(st.sampled_from(ELEMENTWISE), SHAPES, KINDS, st.data())
def test_parameters_come_back_to_the_last_bit(
    op: type[ops.NodeOp], shape: tuple[int, ...], kind: Any, data: st.DataObject
) -> None:
    """Tests below and above the size limit of inline arrays, with denormals and minus zero."""
    given: dict[str, Any] = {}
    for name in op.PARAMETERS:
        values = data.draw(floats(data.draw(st.sampled_from([(), shape])), kind))
        given[name] = np.abs(values) + np.finfo(kind).tiny if name.startswith("tau") else values
        assume(np.isfinite(given[name]).all())
    shape = max((value.shape for value in given.values()), key=len)
    module = network(node(op, shape, shape, {name: ArrayAttr.of(value) for name, value in given.items()}), shape)
    source.check_module(module)
    (again,) = (inner for inner in check_round_trips(module).walk() if isinstance(inner, op))
    for name, array in again.parameters():
        assert (array.values.dtype, array.shape) == (given[name].dtype, given[name].shape)
        assert array.values.tobytes() == given[name].tobytes()


@given(
    hnp.arrays(
        st.sampled_from(["?", "i1", "u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8"]),
        hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5),
    )
)
def test_arrays_of_metadata_may_hold_anything(values: Any) -> None:
    """Includes NaN and infinity, all integers, booleans, and empty arrays; each in its own number format."""
    op = node(ops.IdentityOp, (1,), (1,), {"metadata": DictionaryAttr({"values": ArrayAttr.of(values)})})
    (again,) = (inner for inner in check_round_trips(network(op, (1,))).walk() if isinstance(inner, ops.IdentityOp))
    assert again.metadata is not None
    array = again.metadata.data["values"]
    assert isinstance(array, ArrayAttr)
    assert (array.values.dtype, array.shape) == (values.dtype, values.shape)
    assert array.values.tobytes() == values.tobytes()


def test_equal_arrays_are_written_once() -> None:
    values = np.arange(INLINE + 1, dtype=np.float32)
    scale = ArrayAttr.of(values)
    module = network(node(ops.ScaleOp, values.shape, values.shape, {"scale": scale}), values.shape)
    (op,) = (inner for inner in module.walk() if isinstance(inner, ops.ScaleOp))
    op.properties["delays"] = ArrayAttr.of(values.copy())
    assert source.format_module(NoptContext(), module).count(values.tobytes().hex()) == 1


# ---- shapes


def positions(size: int, kernel: int, stride: int, pads: tuple[int, int], dilation: int) -> int:
    """Counts the positions of the kernel by enumeration."""
    padded = pads[0] + size + pads[1]
    return sum(start % stride == 0 and start + dilation * (kernel - 1) < padded for start in range(padded))


@given(*[st.integers(1, 9)] * 2, st.integers(1, 4), st.integers(0, 4), st.integers(0, 4), st.integers(1, 4))
def test_windows_are_counted_right(size: int, kernel: int, stride: int, before: int, after: int, dilation: int) -> None:
    found = window_outputs([size], [kernel], [stride], [(before, after)], [dilation])[0]
    assert max(found, 0) == positions(size, kernel, stride, (before, after), dilation)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 4))
def test_same_padding_keeps_the_size(size: int, kernel: int, dilation: int) -> None:
    (pads,) = same_padding([kernel], [dilation])
    assert window_outputs([size], [kernel], [1], [pads], [dilation]) == (size,)
    assert 0 <= pads[1] - pads[0] <= 1


@given(
    st.tuples(st.integers(1, 3), st.integers(1, 3)),
    st.integers(1, 3),
    st.tuples(*[st.integers(1, 7)] * 2),
    st.tuples(*[st.integers(1, 4)] * 2),
    st.tuples(*[st.integers(1, 3)] * 2),
    st.tuples(*[st.integers(0, 3)] * 2) | st.sampled_from(["same", "valid"]),
    st.tuples(*[st.integers(1, 3)] * 2),
)
def test_convolution_has_a_result_for_each_position(
    channels: tuple[int, int],
    groups: int,
    size: tuple[int, int],
    kernel: tuple[int, int],
    stride: tuple[int, int],
    padding: Any,
    dilation: tuple[int, int],
) -> None:
    """Covers groups, kernels that are not square, a stride and a dilation for each axis, and all kinds of padding."""
    if padding == "same":
        stride = (1, 1)
        expected: tuple[int, ...] = size
    else:
        pads = [(0, 0)] * 2 if padding == "valid" else [(n, n) for n in padding]
        expected = tuple(map(positions, size, kernel, stride, pads, dilation))
    weight = np.ones((channels[0] * groups, channels[1], *kernel), np.float32)
    properties: dict[str, Attribute] = {
        "weight": ArrayAttr.of(weight),
        "stride": ArrayAttr.of(np.array(stride)),
        "padding": StringAttr(padding) if isinstance(padding, str) else ArrayAttr.of(np.array(padding)),
        "dilation": ArrayAttr.of(np.array(dilation)),
        "groups": ArrayAttr.of(np.array(groups)),
        "bias": ArrayAttr.of(np.zeros(channels[0] * groups, np.float32)),
    }
    shape, result = (channels[1] * groups, *size), (channels[0] * groups, *expected)
    module = network(node(ops.Conv2dOp, shape, result, properties), shape)
    found = list(source.verify(module))
    if min(expected) < 1:
        assert "the kernel is larger than the padded operand" in [finding.message for finding in found]
    else:
        assert not found
        check_round_trips(module)


@given(hnp.array_shapes(min_dims=1, max_dims=5, max_side=4), st.data())
def test_flatten_is_a_reshape_of_numpy(shape: tuple[int, ...], data: st.DataObject) -> None:
    """For all axes, including negative ones, the order of elements is unchanged, so NumPy's reshape must agree."""
    start = data.draw(st.integers(0, len(shape) - 1))
    end = data.draw(st.integers(start, len(shape) - 1))
    expected = np.zeros(shape).reshape(*shape[:start], -1, *shape[end + 1 :]).shape
    for first, last in ((start, end), (start - len(shape), end), (start, end - len(shape))):
        properties: dict[str, Attribute] = {
            "start_dim": ArrayAttr.of(np.array(first)),
            "end_dim": ArrayAttr.of(np.array(last)),
        }
        source.check_module(network(node(ops.FlattenOp, shape, expected, properties), shape))


@pytest.mark.parametrize("op", NODES, ids=lambda op: op.name)
def test_every_node_says_what_it_is(op: type[ops.NodeOp]) -> None:
    """The docstring contains the equation first, and declares every parameter: an unlisted parameter would not be verified."""
    assert op.__doc__
    declared = {
        name
        for name, definition in op.get_irdl_definition().properties.items()
        if definition is not None and name not in ("node", "metadata", "delays", "plasticity", "transmission")
    }
    assert declared == set(op.PARAMETERS)
