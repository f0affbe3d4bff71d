"""Activations: populations without states, whose count of a frame is a function of the sum of their inputs.

    n = clip(ceil((x - threshold) / level), 0, most)

`x` is the input of the frame, the sum over its ticks. The family is `activation`, with the canonical values `threshold` and `level`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from xdsl.dialects.builtin import Float32Type, IntegerType, TensorType, f32, f64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ....core.arrays.numeric import Reals
from ....core.ir.graph_region import walk_downstream
from ....core.ir.operation import element_type, shape_of
from ....core.neuron.neuron import parse_neurons
from ....dialects import ntensor
from ..numbers._integer_synapses import retype
from ..relays._relays import NodeNames
from ..updates._neuron_files import COUNTED
from ..updates._population_builder import build_population

LAYER_EQUATIONS = Path(__file__).with_name("activation.neuron")
MOST_COUNT_BITS = 16
"""Maximum width of a count."""


def is_activation(op: Operation) -> bool:
    """Returns whether an op is a population of activations of reals."""
    if not isinstance(op, ntensor.NeuronOp) or op.family is None or op.family.data != COUNTED:
        return False
    return set(op.params.data) == {"threshold", "level"} and not isinstance(element_type(op.xs[0]), IntegerType)


def build_activation(
    names: NodeNames, node: str, x: SSAValue, most: int, bits: int, threshold: Reals, level: Reals
) -> ntensor.NeuronOp:
    """Returns a population of activations that reads `x`; its update is added to the module.

    Shapes: threshold and level () or that of x. Units: bits [bits].
    """
    from ....dialects.equations.build import build_update

    text = LAYER_EQUATIONS.read_text(encoding="utf-8").replace("u8", f"u{bits}").replace("255", str(most))
    (rule,) = parse_neurons(text, LAYER_EQUATIONS.name).neurons
    is_short = isinstance(element_type(x), Float32Type)
    symbol = f"{rule.name}_{most}{'.f32' if is_short else ''}"
    update = build_update(rule, options={}, precision=f32 if is_short else f64, symbol=symbol)
    raw: Mapping[str, Reals] = {"threshold": threshold, "level": level}
    return build_population(names, node, update, x, raw, rule)


def most_of(op: ntensor.NeuronOp, updates: Mapping[str, ntensor.UpdateOp]) -> int:
    """Returns the greatest count of a population of activations."""
    held = ntensor.interval_of(element_type(op.z))
    assert held is not None  # a count
    return int(getattr(updates[op.update_name].emitted.type, "upper", held.high))


def activation_values(op: ntensor.NeuronOp) -> tuple[Reals, Reals]:
    """Returns threshold and level of a population of activations, in f64."""
    params = dict(op.arrays(op.params))
    threshold, level = (params[name].values.astype(np.float64) for name in ("threshold", "level"))
    return threshold, level


def activate(x: Reals, threshold: Reals, level: Reals, most: int) -> Reals:
    """Returns the counts of activations in f64."""
    return np.clip(np.ceil((x - threshold) / level), 0, most)


def replace_population(old: ntensor.NeuronOp, new: ntensor.NeuronOp) -> None:
    """Replaces a population by a population with another event type. Reshapes after it get the new type, too."""
    change_events(old.z, element_type(new.z))
    Rewriter.replace_op(old, new)


def change_events(value: SSAValue, element: Attribute) -> None:
    """Changes the element type of events, and of all reshapes, delays and max pools of them."""
    kinds = ntensor.ReshapeOp | ntensor.DelayOp | ntensor.MaxPool2dOp
    for one in list(walk_downstream([value], lambda op: isinstance(op, kinds))):
        retype(one, TensorType(element, shape_of(one)))
