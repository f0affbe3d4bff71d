"""Learning in a run: whether weights change, and the weights at its end.

| mode | each sample starts with |
| --- | --- |
| `sample` (default) | the weights of the network |
| `continue` | the weights that the sample before it has learnt; samples run one after another |
| `off` | the weights of the network, which stay |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp, UnitAttr

from ...core.diagnostics import Code, ExitCode, refuse, refuse_op
from ...core.help_text import Phrase, WithoutOptions
from ...core.ir.operation import shape_of
from ...dialects.ntensor import KEEPS_WEIGHTS, LEARNS_ON, NetworkOp, SparseLinearOp, SynapseOpInterface
from ...simulation.records import WEIGHT
from ..executing.listing import CHOICES

API031 = Code("API031", "learning-mode-unsupported", "the run cannot learn so", exit_code=ExitCode.MISUSED)

LearnMode = Literal["sample", "continue", "off"]
MODES: tuple[LearnMode, ...] = ("sample", "continue", "off")
ENGINES = ("numpy", "native")
"""The engines that run learning rules."""


def plastic_nodes(network: NetworkOp) -> dict[str, SynapseOpInterface]:
    """Returns the plastic synapse ops of a network by name."""
    ops = (op for op in network.body.block.ops if isinstance(op, SynapseOpInterface))
    return {op.node.data: op for op in ops if op.learning_rule is not None}


def set_learning(network: NetworkOp, mode: LearnMode, engine: str) -> None:
    """Sets the mode of a network. Errors: API031 an engine that does not learn."""
    if mode == "off":
        for op in plastic_nodes(network).values():
            del op.properties["plasticity"]
        network.attributes[KEEPS_WEIGHTS] = UnitAttr()
    if mode != "continue":
        return
    if engine not in (*CHOICES, *ENGINES):
        refuse(
            API031,
            f"the engine {engine} does not learn",
            at="--learn continue",
            expected=f"--engine {' or '.join(ENGINES)}",
            found=engine,
            help=f"--learn continue --engine {ENGINES[0]}",
        )
    network.attributes[LEARNS_ON] = UnitAttr()


def copy_to_learn(network: NetworkOp, chip: Callable[..., Any] | None) -> NetworkOp:
    """Returns the network in a copy of its module. `chip` creates the model that runs it instead of an engine. Errors: API031 a chip that does not learn."""
    kind = getattr(chip, "func", chip)
    if kind is not None and not getattr(kind, "learns", False):
        refuse(
            API031,
            "the model of the chip changes no weights",
            at="--learn",
            expected="a device with learning rules, or --model reference",
            found="a device whose weights stay",
            help="--model reference",
        )
    module = network.parent_op()
    assert isinstance(module, ModuleOp)  # networks belong to modules
    return next(op for op in module.clone().ops if isinstance(op, NetworkOp) and op.sym_name == network.sym_name)


def final_records(network: NetworkOp, ticks: int, samples: int) -> dict[str, str]:
    """Returns the record of the last weights of each plastic node, by node. Errors: API031 no plastic synapse, no tick, several weights."""
    nodes = plastic_nodes(network)
    if nodes and samples > 1 and not network.learns_on:
        message, expected = "each sample learns weights of its own", "--learn continue, or one sample"
        refuse(
            API031, message, at="--save-weights", expected=expected, found=f"{samples} samples", help="--learn continue"
        )
    if not nodes or not ticks:
        expected, found = "a synapse op with plasticity, and a tick", "no tick" if nodes else "weights that stay"
        help = Phrase(WithoutOptions(("--save-weights",)))
        refuse(API031, "no weight is learnt", at="--save-weights", expected=expected, found=found, help=help)
    return {name: f"{name}.{WEIGHT}@{ticks}ticks" for name in nodes}


def final_weights(
    network: NetworkOp, arrays: Mapping[str, NDArray[Any]], records: Mapping[str, str]
) -> dict[str, NDArray[Any]]:
    """Returns the weights after the last sample as `NODE.weight`, in the shapes of the nodes. Shapes: arrays [samples, 1, *shape]. Errors: API031."""
    found: dict[str, NDArray[Any]] = {}
    for name, op in plastic_nodes(network).items() if records else ():
        weight = np.asarray(arrays[records[name]][-1, 0])
        if isinstance(op, SparseLinearOp):
            if op.target_multiplicity() > 1:
                refuse_op(
                    op,
                    API031,
                    expected="at most one synapse of two neurons",
                    found="several",
                    help="without --save-weights",
                )
            dense = np.zeros((int(np.prod(shape_of(op.y))), int(np.prod(shape_of(op.x)))), weight.dtype)
            dense[op.target.values, op.source.values] = weight
            weight = dense
        if weight.dtype.kind in "iu" and (quantized := op.quantized_weights) is not None:
            weight = weight * quantized.scale.values
        found[f"{name}.{WEIGHT}"] = weight
    return found
