"""Networks for questions of conformance, in continuous time: built node by node, or generated from a seed.

    image of spikes -> conv2d -> population -> delay -> sum_pool2d -> linear -> population, which may be recurrent
    spikes -> linear -> population -> delay -> linear -> population, which may be recurrent

For a device with count-based layers, the networks have neither delays nor loops, pools add whole maps, and resets subtract: rates represent
these networks. For a device without delays, the networks have no delays, and the question `delays` asks for their refusal. Sizes, weights, biases,
families, strides, delays, presets and reset rules are random. A generated network counts if every population spikes in 1 to 50 % of ticks, so
that a silent or saturated network proves nothing; otherwise it is generated again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, TensorType, f32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...core import registry
from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Diagnostics, Refused
from ...core.ir.graph_region import Signature, names
from ...core.ir.operation import element_type, shape_of
from ...dialects import nir, ntensor
from ..modules import parent_module
from ..options import Choices
from ..running.run import discretise, execute

DT = "1ms"
RULE: Choices = {"dt": DT, "like": "norse", "reset": "value"}
"""Rule of fixed networks, which are not generated."""
RESETS = ("value", "subtract")
COUNTED = "activation"
"""The family of count-based layers; networks of `LAYERED` are converted to it by their rates."""
LAYERED = ("if",)
LAYER_RULE: Choices = {"dt": DT, "like": "norse", "reset": "subtract"}
FAMILIES: dict[str, tuple[type[nir.PopulationOp], dict[str, float]]] = {
    "if": (nir.IFOp, {}),
    "lif": (nir.LIFOp, {"tau": 0.004, "v_leak": 0.0}),
    "cuba_lif": (nir.CubaLIFOp, {"tau_syn": 0.002, "tau_mem": 0.005, "w_in": 1.0, "v_leak": 0.0}),
}
"""Families of spiking neurons, with their parameters besides r, threshold and reset."""
ACTIVE = (0.01, 0.5)
TRIES = 60
IMAGES = 0.6
"""Share of networks whose input is an image."""
SAMPLES, TICKS = 2, 24
KEPT = 256
"""Number of generated networks that are cached for further devices."""


class Drawing:
    """A network that is built node by node."""

    def __init__(self, *shape: int, element: Attribute = f32):
        self.block = Block(arg_types=[TensorType(element, shape)])

    @property
    def x(self) -> SSAValue:
        """Returns the input of the network."""
        return self.block.args[0]

    def add(self, kind: type[nir.NodeOp], node: str, x: SSAValue, **entries: Any) -> SSAValue:
        """Adds a node that reads `x`, and returns its result. The type of the result is derived from the parameters."""
        properties = {"node": StringAttr(node), **{name: attribute(value) for name, value in entries.items()}}
        draft = kind.create(operands=[x], result_types=[x.type], properties=dict(properties))
        shape, element = draft.result_shape(shape_of(x)), draft.result_kind(element_type(x))
        draft.operands = []
        made = kind.create(operands=[x], result_types=[TensorType(element, shape)], properties=properties)
        self.block.add_op(made)
        return made.results[0]

    def population(self, family: str, node: str, x: SSAValue, threshold: float) -> SSAValue:
        kind, entries = FAMILIES[family]
        values = {**entries, "r": 1.0, "v_threshold": threshold, "v_reset": 0.0}
        return self.add(kind, node, x, **{name: np.full(shape_of(x), value) for name, value in values.items()})

    def linear(self, node: str, x: SSAValue, weight: NDArray[Any], **entries: Any) -> SSAValue:
        kind = nir.AffineOp if "bias" in entries else nir.LinearOp
        return self.add(kind, node, x, weight=weight, **entries)

    def sum(self, *xs: SSAValue) -> SSAValue:
        made = nir.SumOp.create(operands=[*xs], result_types=[TensorType(f32, shape_of(xs[0]))])
        self.block.add_op(made)
        return made.results[0]

    def close(self, z: SSAValue) -> tuple[Signature, Region]:
        """Ends the network with the output `z`, and returns the parts of a graph op."""
        self.block.add_op(nir.OutputOp(z))
        type = FunctionType.from_lists([self.x.type], [z.type])
        return Signature(names(["input"]), names(["output"]), type), Region(self.block)

    def finish(self, z: SSAValue) -> ModuleOp:
        """Ends the network with the output `z`, and returns its module."""
        return ModuleOp([nir.GraphOp("network", *self.close(z))])


def attribute(value: Any) -> Attribute:
    if isinstance(value, Attribute):
        return value
    array = np.asarray(value)
    return ArrayAttr.of(array.astype(np.float32) if array.dtype.kind == "f" else array)


@frozen(eq=False)
class Drawn:
    """A network in ticks with its input."""

    name: str
    module: ModuleOp
    x: NDArray[np.bool_]
    """Shapes: [samples, ticks, *shape]."""
    repairs: tuple[str, ...] = ()
    """Passes whose options the target's passes of the same names take, from the help of refusals."""

    @property
    def network(self) -> ntensor.NetworkOp:
        return next(op for op in self.module.ops if isinstance(op, ntensor.NetworkOp))


def discretised(module: ModuleOp, choices: Choices, diagnostics: Diagnostics | None = None) -> ModuleOp:
    """Returns a network in ticks."""
    return parent_module(discretise(module, choices, Diagnostics() if diagnostics is None else diagnostics))


def newest_presets() -> tuple[str, ...]:
    """Returns the presets of the newest framework versions. Earlier versions, `NAME_VERSION`, are left out: adding one does not change the networks."""
    known = registry.presets()
    return tuple(name for name in known if not any(name.startswith(f"{other}_") for other in known))


def generate(
    seed: int,
    families: Sequence[str],
    *,
    is_layered: bool = False,
    has_delays: bool = True,
    precision: Literal["f32", "f64"] = "f64",
) -> Drawn | None:
    """Returns the first network of a seed in which every population is active; None if there is none.

    Devices with the same families share the networks, which are never modified. `is_layered`: whether the network is converted to count-based layers.
    """
    return first_active(seed, tuple(families), newest_presets(), is_layered, has_delays, precision)


@lru_cache(KEPT)
def first_active(
    seed: int,
    families: tuple[str, ...],
    presets: tuple[str, ...],
    is_layered: bool,
    has_delays: bool,
    precision: Literal["f32", "f64"],
) -> Drawn | None:
    """Returns the first network of a seed in which every population is active; None if there is none."""
    for attempt in range(TRIES):
        rng = np.random.default_rng([seed, attempt])
        module, shape = random_layers(rng, families) if is_layered else random_network(rng, families, has_delays)
        like, reset = str(rng.choice(presets)), str(rng.choice(RESETS))
        if is_layered:
            reset = "subtract"
        x = rng.random((SAMPLES, TICKS, *shape)) < 0.3
        try:
            module = discretised(module, {"dt": DT, "like": like, "reset": reset, "precision": precision})
        except Refused:
            continue  # the preset lacks a family or the rule
        made = Drawn(f"seed {seed}, {like}, {reset}", module, x)
        if is_active(made):
            return made
    return None


def run_network(module: ModuleOp, x: NDArray[Any], record: Sequence[str] = ()) -> dict[str, NDArray[Any]]:
    """Returns the outputs and records of a network in ticks, computed by the reference."""
    reference = registry.engines()[-1].name
    return execute(module, x, record=record, engine=reference, diagnostics=Diagnostics()).arrays


def is_active(drawn: Drawn) -> bool:
    names = [op.node.data for op in drawn.network.populations]
    found = run_network(drawn.module, drawn.x, names)
    return all(ACTIVE[0] <= (found[name] != 0).mean() <= ACTIVE[1] for name in names)


def random_network(
    rng: np.random.Generator, families: Sequence[str], has_delays: bool
) -> tuple[ModuleOp, tuple[int, ...]]:
    """Returns a random network in continuous time, and the shape of its input."""
    shape = random_shape(rng)
    first, second = (str(rng.choice(families)) for _ in range(2))
    drawing, hidden = Drawing(*shape), int(rng.integers(2, 12))
    is_image = len(shape) > 1
    z = drawing.population(first, "first", (first_map if is_image else first_layer)(drawing, rng), threshold(rng))
    ticks = int(rng.integers(1, 4)) if rng.random() < 0.5 else 0
    if ticks and has_delays:
        z = drawing.add(nir.DelayOp, "late", z, delay=np.full(shape_of(z), ticks / 1000))
    flat = pooled(drawing, rng, z) if is_image else z
    current = drawing.linear("fc", flat, rng.normal(0, 1, (hidden, *shape_of(flat))), bias=bias(rng, hidden))
    if rng.random() < 0.6:
        recurrent = drawing.linear("rec", current, rng.normal(0, 0.5, (hidden, hidden)))
        z = drawing.population(second, "second", drawing.sum(current, recurrent), threshold(rng))
        assert isinstance(recurrent.owner, Operation)  # the linear op above
        recurrent.owner.operands[0] = z
    else:
        z = drawing.population(second, "second", current, threshold(rng))
    return drawing.finish(z), shape


def random_layers(rng: np.random.Generator, families: Sequence[str]) -> tuple[ModuleOp, tuple[int, ...]]:
    """Returns a random network of two layers in continuous time, and the shape of its input."""
    shape = random_shape(rng)
    drawing, hidden = Drawing(*shape), int(rng.integers(2, 12))
    is_image = len(shape) > 1
    x = first_map(drawing, rng, keeps_size=True) if is_image else first_layer(drawing, rng)
    z = drawing.population(str(rng.choice(families)), "first", x, threshold(rng))
    flat = drawing.add(nir.FlattenOp, "flat", z, start_dim=0, end_dim=-1) if is_image else z
    current = drawing.linear("fc", flat, rng.normal(0, 1, (hidden, *shape_of(flat))), bias=bias(rng, hidden))
    return drawing.finish(drawing.population(str(rng.choice(families)), "second", current, threshold(rng))), shape


def random_shape(rng: np.random.Generator) -> tuple[int, ...]:
    """Returns the shape of an image with channels, or of a vector."""
    side = int(rng.integers(4, 9))
    return (int(rng.integers(1, 3)), side, side) if rng.random() < IMAGES else (2 * side,)


def first_map(drawing: Drawing, rng: np.random.Generator, *, keeps_size: bool = False) -> SSAValue:
    """Adds a convolution of the input; the size of its map is another one, or the same."""
    (channels, *_), features, kernel = shape_of(drawing.x), int(rng.integers(1, 4)), int(rng.integers(1, 4))
    stride, padding = (int(rng.integers(*ends)) for ends in ((1, 3), (0, 2)))
    if keeps_size:
        kernel = int(rng.choice([1, 3, 5]))
        stride, padding = 1, kernel // 2
    return drawing.add(
        nir.Conv2dOp,
        "conv",
        drawing.x,
        weight=rng.normal(0, 1, (features, channels, kernel, kernel)),
        bias=bias(rng, features),
        stride=[stride, stride],
        padding=[padding, padding],
        dilation=[1, 1],
        groups=1,
    )


def first_layer(drawing: Drawing, rng: np.random.Generator) -> SSAValue:
    """Adds a linear op on the input."""
    size = int(rng.integers(4, 24))
    return drawing.linear("in", drawing.x, rng.normal(0, 1, (size, *shape_of(drawing.x))), bias=bias(rng, size))


def pooled(drawing: Drawing, rng: np.random.Generator, z: SSAValue) -> SSAValue:
    """Adds a pool of maps, and flattens its result."""
    sides = [min(int(rng.integers(1, 4)), shape_of(z)[-1])] * 2
    maps = drawing.add(nir.SumPool2dOp, "pool", z, kernel_size=sides, stride=sides, padding=[0, 0])
    return drawing.add(nir.FlattenOp, "flat", maps, start_dim=0, end_dim=-1)


def bias(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    return rng.normal(0, 0.2, n) if rng.random() < 0.5 else np.zeros(n)


def threshold(rng: np.random.Generator) -> float:
    return float(rng.choice([0.5, 1.0, 3.0]))
