"""A synapse op that is defined outside of the package passes through check, quantisation, integer arithmetic, fan-in splits, partition and the
reference engine."""

from __future__ import annotations

from math import prod
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from places import GOLDENS
from test_machine import DIGITS, device, graph_of
from xdsl.dialects.builtin import ModuleOp
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def
from xdsl.rewriter import Rewriter

import nopt.api as nopt
from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.ir.operation import shape_of
from nopt.dialects import ntensor
from nopt.dialects.ntensor import QuantizedAttr, SynapseOpInterface

FIXED = GOLDENS / "passes/legalize/inputs/fixed.neuron"


@irdl_op_definition
class BySourceOp(SynapseOpInterface):
    """Linear map with the weights of one source side by side. Shapes: weight [i, o], x [i], bias and y [o]."""

    WEIGHTS: ClassVar[str | None] = "table"
    name = "outside.by_source"
    table = prop_def(ArrayAttr)
    bias = opt_prop_def(ArrayAttr)
    quantized = opt_prop_def(QuantizedAttr)

    def pairs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        place = np.arange(prod(self.table.shape))
        return *np.divmod(place, self.table.shape[1]), place


def network(name: str = "fc") -> ModuleOp:
    module = nopt.read(DIGITS / f"{name}.nir")
    nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=norse}")
    return module


def replaced(module: ModuleOp) -> ModuleOp:
    """The same network with every linear map as an op of this test."""
    found = module.clone()
    for op in [op for op in found.walk() if isinstance(op, ntensor.LinearOp)]:
        properties = {key: value for key, value in op.properties.items() if key in ("node", "bias")}
        properties["table"] = ArrayAttr.of(np.ascontiguousarray(op.weight.values.T))
        made = BySourceOp.create(operands=[op.x], result_types=[op.y.type], properties=properties)
        Rewriter.replace_op(op, made)
    found.verify()
    assert any(isinstance(op, BySourceOp) for op in found.walk())
    return found


def spikes(module: ModuleOp, engine: str = "numpy") -> dict[str, np.ndarray]:
    found = next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))
    (name,), (type,) = found.input_names, found.function_type.inputs
    x = np.random.default_rng(0).random((20, *shape_of(type))) < 0.3
    record = [op.node.data for op in found.body.block.ops if isinstance(op, ntensor.NeuronOp)]
    return nopt.run(module, {name.data: x.astype(np.uint8)}, record=record, engine=engine)


def check_same(module: ModuleOp, other: ModuleOp) -> None:
    one, two = spikes(module), spikes(other)
    assert one.keys() == two.keys()
    assert all(one[name].tobytes() == two[name].tobytes() for name in one)
    assert any(array.any() for array in one.values())


def test_the_reference_engine_adds_in_the_order_of_sources() -> None:
    module = network()
    check_same(module, replaced(module))


@pytest.mark.parametrize("per", ["tensor", "row", "column", "neuron"])
def test_weights_are_quantized(per: str) -> None:
    module = network()
    other = replaced(module)
    for each in (module, other):
        nopt.apply(each, f"ntensor-quantize-weights{{bits=4 per={per}}}")
    dense = [op for op in module.walk() if isinstance(op, ntensor.LinearOp)]
    for op, made in zip(dense, [op for op in other.walk() if isinstance(op, BySourceOp)], strict=True):
        assert op.quantized is not None
        assert made.quantized is not None
        assert made.quantized.bits == op.quantized.bits
        assert np.array_equal(made.table.values, op.weight.values.T)
    check_same(module, other)


def test_check_counts_its_synapses(tmp_path: Path) -> None:
    module = network()
    where = device(tmp_path, 400, 8)
    fits = [nopt.check(each, device=where).targets[0].as_json() for each in (module, replaced(module))]
    assert fits[0] == fits[1]


def test_a_machine_graph_holds_it(tmp_path: Path) -> None:
    module = network()
    other = replaced(module)
    passes = f'ntensor-plan-cores{{device="{device(tmp_path, 400, 8)}"}},convert-ntensor-to-machine'
    mapped = [module.clone(), other.clone()]
    for each in mapped:
        nopt.apply(each, passes)
    one, two = map(graph_of, mapped)
    assert {name: vertex.needed for name, vertex in one.vertices.items()} == {
        name: vertex.needed for name, vertex in two.vertices.items()
    }
    for edge, again in zip(one.edges, two.edges, strict=True):
        assert (edge.source, edge.target, edge.synapses) == (again.source, again.target, again.synapses)
    nopt.apply(mapped[1], "convert-machine-to-ntensor")
    check_same(other, mapped[1])
    assert any(isinstance(op, BySourceOp) for op in mapped[1].walk())


def test_it_becomes_integers() -> None:
    module = network()
    other = replaced(module)
    passes = (
        "ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=4 per=neuron},ntensor-quantize-bias,"
        f'ntensor-set-neuron-model{{to="{FIXED}" neuron=fixed_lif}}'
    )
    for each in (module, other):
        nopt.apply(each, passes)
    dense = [op for op in module.walk() if isinstance(op, ntensor.LinearOp)]
    for op, made in zip(dense, [op for op in other.walk() if isinstance(op, BySourceOp)], strict=True):
        assert made.table.values.dtype.kind == "i"
        assert np.array_equal(made.table.values, op.weight.values.T)
        assert made.y.type == op.y.type
        assert (made.bias is None) == (op.bias is None)
    check_same(module, other)


def test_its_fan_in_is_split() -> None:
    module = network()
    other = replaced(module)
    for each in (module, other):
        nopt.apply(each, "ntensor-quantize-inputs{kind=spike},ntensor-split-fan-in{max-fan-in=48 reorder=true}")
    assert not any(isinstance(op, BySourceOp) for op in other.walk())
    assert str(other) == str(module)
    check_same(module, other)


def test_c_adds_its_synapses_by_source() -> None:
    other = replaced(network())
    one, two = spikes(other), spikes(other, "native")
    assert all(one[name].tobytes() == two[name].tobytes() for name in one)
    assert any(array.any() for array in two.values())


@pytest.mark.parametrize("name", ["fc", "conv"])
def test_means_of_operands_add_up_to_those_of_sums(name: str) -> None:
    """The products of weights and means, added for each channel, are the mean over its positions of the sums of all pairs."""
    rng = np.random.default_rng(1)
    for op in [op for op in network(name).walk() if isinstance(op, SynapseOpInterface) and op.weights is not None]:
        x, weights = rng.random(shape_of(op.x)), op.weight_values().values
        source, target, place = op.pairs()
        sums = np.bincount(target, weights.reshape(-1)[place] * x.reshape(-1)[source], prod(shape_of(op.y)))
        found = (weights * op.operand_means(x)).reshape(len(weights), -1).sum(axis=1)
        np.testing.assert_allclose(found, sums.reshape(len(weights), -1).mean(axis=1), rtol=1e-6)
