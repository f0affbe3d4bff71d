"""Weights of a network by `NODE.PARAMETER`: of one in continuous time all parameters, of one in ticks those that its ops hold as reals."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import AnyArray
from ....core.diagnostics import Code, refuse_op
from ....core.ir.operation import element_type, shape_of, texts_of
from ....dialects import nir, ntensor
from ....dialects.ntensor import NetworkOp, SynapseOpInterface, interval_of
from ....passes.pipelines import SEARCHED
from .framework_state import arrays_of
from .state_values import PYT010

PYT015 = Code("PYT015", "weights-not-reals", "the arithmetic of the network is not reals of quantised weights")


def network_in_ticks(module: ModuleOp) -> NetworkOp | None:
    return next((op for op in module.ops if isinstance(op, NetworkOp)), None)


def parameters_in(module: ModuleOp) -> dict[str, AnyArray]:
    """Returns the weights. Errors: IMP030 a module of a later level; PYT015 integers."""
    network = network_in_ticks(module)
    if network is None:
        return arrays_of(module)
    found: dict[str, AnyArray] = {}
    for op in network.body.block.ops:
        if isinstance(op, ntensor.SparseLinearOp):
            require_given(op, network)  # no layer of a framework has weights of single synapses
            continue
        if isinstance(op, SynapseOpInterface) and op.WEIGHTS is not None and op.weights is not None:
            require_reals(op)
            weight = op.weight_values().values
            is_transposed = isinstance(op, ntensor.ConvTranspose2dOp)
            found[f"{op.node.data}.{op.WEIGHTS}"] = (
                ntensor.swap_channels(weight, op.groups.value.data) if is_transposed else weight
            )
            if (bias := op.optional_array("bias")) is not None:
                found[f"{op.node.data}.bias"] = bias.values
        elif isinstance(op, ntensor.NeuronOp):
            arrays = {name: array for name, array in op.params.data.items() if isinstance(array, ArrayAttr)}
            found |= {
                f"{op.node.data}.{name}": array.values
                for name, array in arrays.items()
                if array.values.dtype.kind == "f"
            }
    return found


def require_reals(op: SynapseOpInterface) -> None:
    """Refuses sums of integers, which no weight of the framework has. Errors: PYT015."""
    if interval_of(element_type(op.y)) is not None:
        refuse_op(
            op,
            PYT015,
            expected="sums of reals, as quantised weights of the framework have",
            found=f"sums of {element_type(op.y)}",
            help="nopt export FILE --torch writes the arithmetic of the chip as a module of PyTorch",
        )


def require_given(op: ntensor.SparseLinearOp, network: NetworkOp) -> None:
    """Refuses weights of an interpolation that a pass quantized. Errors: PYT010."""
    if op.quantized_weights is not None:
        others = [
            one
            for one in network.body.block.ops
            if isinstance(one, SynapseOpInterface) and one.quantized_weights is not None
        ]
        nodes = ",".join(f'"{one.node.data}"' for one in others if not isinstance(one, ntensor.SparseLinearOp))
        refuse_op(
            op,
            PYT010,
            f"weights of {op.node.data} have no entry in the state dictionary",
            expected="weights that are not quantized",
            found=f"{op.quantized_weights.bits.data} bits",
            help=f"-p '{SEARCHED}{{nodes={nodes}}}'",
        )


def shapes_of_inputs(module: ModuleOp) -> dict[str, tuple[int, ...]]:
    """Returns the shape of each input of a network."""
    graph = network_in_ticks(module) or next(op for op in module.ops if isinstance(op, nir.GraphOp))
    return {name: shape_of(arg) for name, arg in zip(texts_of(graph.input_names), graph.body.block.args, strict=True)}
