"""Thirty networks of Spyx for `nopt import`: python drawn_spyx.py [--count N] [--start K] prints one line of JSON for each.

A network is a `spyx.nn.Sequential` of blocks, each a layer with weights, other layers, and neurons. Its number determines the kind of its input, the layers, and
the weights, so every run draws the same networks. `REFUSALS` are networks that are refused, with the code.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import numpy as np
from flax import nnx
from spyx import axn, nn

import nopt
from nopt.core.diagnostics import Diagnostics

SEED = 58
SIZES: dict[str, tuple[int, ...]] = {"dense": (10,), "map": (8, 8, 2), "row": (12, 3)}
"""Shape of the input of each kind of network, channels last."""
DENSE = ("IF", "LIF", "CuBaLIF", "ALIF", "LI", "RIF", "RLIF", "RCuBaLIF", "PSU_LIF", "AssociativeLIF")
SPATIAL = ("IF", "LIF", "LI", "PSU_LIF")
"""Neurons of maps; Spyx splits the states of the others along the channels."""
STEPS = (axn.superspike(), axn.arctan(), axn.tanh())


class Drawing:
    """A network that grows by layers."""

    def __init__(self, number: int):
        self.rng = np.random.default_rng((SEED, number))
        self.rngs = nnx.Rngs(number)
        self.layers: list[Any] = []
        self.used: list[str] = []
        self.shape = SIZES[[*SIZES][number % len(SIZES)]]

    def add(self, layer: Any, name: str = "") -> None:
        self.layers.append(layer)
        self.used.append(name or type(layer).__name__)
        if not hasattr(layer, "initial_state") and not isinstance(layer, nnx.Dropout | nnx.BatchNorm):
            x = jax.ShapeDtypeStruct((1, *self.shape), np.float32)
            self.shape = tuple(jax.eval_shape(layer, x).shape[1:])

    def pick(self, choices: Any) -> Any:
        return choices[int(self.rng.integers(len(choices)))]

    def weights(self, layer: Any) -> None:
        """Draws weights, most of them positive, and biases."""
        kernel = layer.kernel[...]
        fan_in = int(np.prod(kernel.shape[:-1]))
        layer.kernel[...] = (self.rng.uniform(-0.6, 1.2, kernel.shape) * 1.6 / np.sqrt(fan_in)).astype(np.float32)
        if layer.bias is not None:
            layer.bias[...] = self.rng.uniform(-0.1, 0.2, layer.bias[...].shape).astype(np.float32)

    def neurons(self, names: tuple[str, ...] = DENSE) -> None:
        name = self.pick(names)
        size = self.shape
        if name == "LI":
            layer = nn.LI(size, rngs=self.rngs)
        else:
            level = float(self.rng.uniform(0.4, 1.0))
            layer = getattr(nn, name)(size, threshold=level, activation=self.pick(STEPS), rngs=self.rngs)
        for decay in ("alpha", "beta", "gamma"):
            if hasattr(layer, decay):
                drawn = self.rng.uniform(0.2, 0.95, size if self.rng.random() < 0.7 else (1,) * len(size))
                values = np.broadcast_to(drawn, size).copy()
                if self.rng.random() < 0.2:  # clipped to 1
                    values.reshape(-1)[:1] = 1.05
                getattr(layer, decay)[...] = values.astype(np.float32)
        if hasattr(layer, "recurrent_w"):
            layer.recurrent_w[...] = self.rng.uniform(-0.4, 0.3, size + size).astype(np.float32)
        self.add(layer)

    def linear(self, outputs: int) -> None:
        layer = nnx.Linear(self.shape[-1], outputs, use_bias=bool(self.rng.integers(2)), rngs=self.rngs)
        self.weights(layer)
        self.add(layer)

    def convolution(self) -> None:
        axes, channels = len(self.shape) - 1, self.shape[-1]
        kinds: tuple[dict[str, Any], ...] = (
            {"padding": "SAME", "strides": 2},
            {"padding": "VALID"},
            {"padding": [(1, 0)] * axes, "kernel_dilation": 2},
            {"padding": 1, "feature_group_count": channels, "use_bias": False},
            {"padding": "CAUSAL" if axes == 1 else "SAME", "kernel_dilation": 2},
            {"mask": True},
        )
        given = dict(self.pick(kinds))
        window = (int(self.pick((2, 3))),) * axes
        outputs = 2 * channels
        if given.get("mask"):
            inputs = channels // given.get("feature_group_count", 1)
            given["mask"] = (self.rng.random((*window, inputs, outputs)) < 0.8).astype(np.float32)
        layer = nnx.Conv(channels, outputs, window, rngs=self.rngs, **given)
        self.weights(layer)
        self.add(layer)

    def pool(self) -> None:
        axes = len(self.shape) - 1
        two, three = (2,) * axes, (3,) * axes
        pools: tuple[tuple[str, Callable[[], Any]], ...] = (
            ("SumPool", lambda: nn.SumPool(two, two, "VALID")),
            ("avg_pool", lambda: partial(nnx.avg_pool, window_shape=two, strides=two)),
            ("max_pool", lambda: partial(nnx.max_pool, window_shape=two, strides=two)),
            ("SumPool of 3", lambda: nn.SumPool(3, 1, "SAME")),
            ("avg_pool of SAME", lambda: partial(nnx.avg_pool, window_shape=three, strides=two, padding="SAME")),
            ("max_pool of 3", lambda: partial(nnx.max_pool, window_shape=three, padding=((1, 1),) * axes)),
        )
        name, made = self.pick(pools)
        self.add(made(), name)

    def normalisation(self) -> None:
        layer = nnx.BatchNorm(self.shape[-1], rngs=self.rngs)
        size = self.shape[-1:]
        for name, low, high in (("mean", -0.2, 0.2), ("var", 0.5, 1.5), ("scale", 0.7, 1.5), ("bias", -0.1, 0.3)):
            getattr(layer, name)[...] = self.rng.uniform(low, high, size).astype(np.float32)
        self.add(layer)


def draw(number: int) -> tuple[Any, dict[str, Any], str]:
    """Returns a network, the arguments of its import, and its description."""
    made = Drawing(number)
    start, turn = made.shape, number // len(SIZES)
    if len(start) > 1:
        made.convolution()
        if turn % 3 == 1:
            made.normalisation()
        made.neurons(SPATIAL)
        if turn % 2 == 0:
            made.pool()
        elif turn % 5 == 3:
            made.linear(4)
            made.neurons(SPATIAL)
        made.add(nn.Flatten())
        if turn % 4 == 3:
            made.neurons()
    else:
        made.linear(12)
        if turn % 3 == 2:
            made.normalisation()
        made.neurons()
        made.add(nn.ActivityRegularization(made.shape) if turn % 2 else nnx.Dropout(0.3, rngs=made.rngs))
    made.linear(8)
    made.neurons()
    if turn % 2 == 0:
        made.add(nnx.Sequential(made.layers.pop()) if not hasattr(made.layers[-1], "initial_state") else nn.Flatten())
        made.linear(4)
        made.neurons()
    shape = (start[-1], *start[:-1])
    arguments = {"shape": shape, "input": "poisson:0.4,ticks=30,samples=3"}
    return nn.Sequential(*made.layers), arguments, ", ".join(made.used)


def smooth() -> Any:
    """An activation that is not a step."""
    rngs = nnx.Rngs(0)
    activation = axn.custom(lambda x: x, jax.nn.sigmoid)
    return nn.Sequential(nnx.Linear(6, 4, rngs=rngs), nn.LIF((4,), activation=activation, rngs=rngs))


def function() -> Any:
    rngs = nnx.Rngs(0)
    return nn.Sequential(nnx.Linear(6, 4, rngs=rngs), lambda x: 2 * x, nn.LIF((4,), rngs=rngs))


def transposed() -> Any:
    rngs = nnx.Rngs(0)
    return nn.Sequential(nnx.ConvTranspose(2, 4, (3, 3), rngs=rngs), nn.IF((8, 8, 4)))


def circular() -> Any:
    rngs = nnx.Rngs(0)
    return nn.Sequential(nnx.Conv(2, 4, (3, 3), padding="CIRCULAR", rngs=rngs), nn.IF((8, 8, 4)))


def uneven() -> Any:
    pool = partial(nnx.max_pool, window_shape=(2, 2), padding="SAME")
    return nn.Sequential(nnx.Conv(2, 4, (3, 3), rngs=nnx.Rngs(0)), nn.IF((8, 8, 4)), pool)


class Wrapped(nnx.Module):
    def __init__(self) -> None:
        self.core = smooth()


REFUSALS: dict[str, tuple[Callable[[], Any], str]] = {
    "smooth": (smooth, "IMP009"),
    "function": (function, "IMP008"),
    "transposed": (transposed, "IMP008"),
    "circular": (circular, "IMP009"),
    "uneven": (uneven, "IMP009"),
    "wrapped": (Wrapped, "IMP008"),
    "empty": (nn.Sequential, "IMP008"),
    "in_flax": (lambda: nn.Sequential(nnx.Sequential(nn.IF((4,)))), "IMP008"),
    "other_size": (lambda: nn.Sequential(nnx.Linear(6, 4, rngs=nnx.Rngs(0)), nn.IF((5,))), "IMP013"),
}


def run(made: Callable[[], Any], arguments: dict[str, Any]) -> dict[str, Any]:
    """Imports a network. Returns the findings, and the layers that were compared."""
    found = Diagnostics()
    try:
        result = nopt.import_network(made(), diagnostics=found, **arguments)
    except nopt.Refused as refusal:
        return {"codes": [str(one.code) for one in refusal.findings], "text": [str(one) for one in refusal.findings]}
    text = [str(one) for one in found.findings]
    codes = [str(one.code) for one in found.findings]
    return {"codes": codes, "equal": result.equal, "layers": list(result.layers), "text": text}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--start", type=int, default=0)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    for number in range(args.start, args.start + args.count):
        network, arguments, text = draw(number)
        found = run(lambda network=network: network, arguments)
        print(json.dumps({"network": str(number), "blocks": text, **found}), flush=True)
    for name, (made, code) in REFUSALS.items():
        found = run(made, {"shape": (2, 8, 8)} if name in ("transposed", "circular", "uneven") else {})
        print(json.dumps({"network": name, "expected": code, **found}), flush=True)


if __name__ == "__main__":
    main()
