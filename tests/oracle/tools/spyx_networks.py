"""Random networks of Spyx: IF, LIF, CuBaLIF, RIF, RLIF, RCuBaLIF and PSU_LIF, dense and convolutional.

Spyx uses channels last and the file channels first. The exporter writes r = beta and counts tau in its own time step. It connects
the input of a recurrent layer to the recurrent weights, and keeps the order of the weights after a flattened convolution.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from flax import nnx
from generation import Arrays, Network, Shape, main, weights, write_nir
from spyx import nn
from spyx.nir import to_nir

STEPS = {1: "1ms", 1e-3: "1ms", 5e-4: "500us"}
"""Time steps of the export, default 1, and the corresponding values of --dt."""
DENSE = ("IF", "LIF", "CuBaLIF", "RIF", "RLIF", "RCuBaLIF", "PSU_LIF")
GAINS = {"IF": 0.4, "LIF": 1.0, "CuBaLIF": 0.5, "RIF": 0.4, "RLIF": 1.0, "RCuBaLIF": 0.5, "PSU_LIF": 0.6}


def draw_neurons(rng: np.random.Generator, name: str, shape: Shape, rngs: nnx.Rngs) -> nnx.Module:
    """Returns one layer; `shape` is channels last. Decays are one value or one for each neuron."""
    layer = getattr(nn, name)(shape, threshold=float(rng.uniform(0.5, 1.5)), rngs=rngs)
    for decay in ("alpha", "beta"):
        if hasattr(layer, decay):
            size = shape if rng.random() < 0.5 else (1,) * len(shape)
            values = np.broadcast_to(rng.uniform(0.2, 0.95, size), shape)
            getattr(layer, decay)[...] = np.asarray(values, np.float32)
    if hasattr(layer, "recurrent_w"):
        layer.recurrent_w[...] = rng.uniform(-0.5, 0.4, shape + shape).astype(np.float32)
    return layer


def draw_dense(rng: np.random.Generator, gain: float, inputs: int, outputs: int, rngs: nnx.Rngs) -> nnx.Module:
    layer = nnx.Linear(inputs, outputs, use_bias=bool(rng.integers(2)), rngs=rngs)
    layer.kernel[...] = weights(rng, (outputs, inputs), gain, dyadic=bool(rng.integers(2))).T
    if layer.bias is not None:
        layer.bias[...] = rng.uniform(-0.1, 0.2, outputs).astype(np.float32)
    return layer


def draw_convolution(rng: np.random.Generator, gain: float, shape: Shape, rngs: nnx.Rngs) -> tuple[nnx.Module, Shape]:
    channels, kernel = int(rng.integers(2, 4)), int(rng.choice([2, 3]))
    padding, stride = str(rng.choice(["SAME", "VALID"])), int(rng.integers(1, 3))
    if padding == "SAME":  # of an even size or a stride, it is not symmetric
        kernel, stride = 3, 1
    layer = nnx.Conv(
        shape[2],
        channels,
        (kernel, kernel),
        strides=(stride, stride),
        padding=padding,
        use_bias=bool(rng.integers(2)),
        rngs=rngs,
    )
    drawn = weights(rng, (channels, shape[2], kernel, kernel), gain, dyadic=False)
    layer.kernel[...] = drawn.transpose(2, 3, 1, 0)
    if layer.bias is not None:
        layer.bias[...] = rng.uniform(-0.1, 0.2, channels).astype(np.float32)
    return layer, tuple(layer(np.zeros((1, *shape), np.float32)).shape[1:])


def draw(rng: np.random.Generator) -> Network:
    """Returns one to three layers of neurons, a third of the networks with convolutions before them."""
    rngs = nnx.Rngs(int(rng.integers(1 << 30)))
    dt = [*STEPS][rng.integers(len(STEPS))]
    modules: list[Any] = []
    used: list[str] = []
    shape: Shape = (int(rng.integers(3, 9)),)
    if rng.random() < 0.35:
        shape = (int(rng.integers(6, 9)), int(rng.integers(6, 9)), int(rng.integers(1, 3)))
    start = shape
    if len(shape) == 3:
        used.append(str(rng.choice(DENSE[:2])))
        layer, shape = draw_convolution(rng, rng.uniform(0.5, 1.5) * GAINS[used[-1]], shape, rngs)
        modules += [layer, draw_neurons(rng, used[-1], shape, rngs)]
        if rng.random() < 0.5:
            modules.append(nn.SumPool((2, 2), (2, 2), "VALID", channel_axis=-1))
            shape = tuple(modules[-1](np.zeros((1, *shape), np.float32)).shape[1:])
        modules.append(nn.Flatten())
        shape = (int(np.prod(shape)),)
    for _ in range(int(rng.integers(1, 3 if used else 4))):
        used.append(str(rng.choice(DENSE)))
        outputs = int(rng.integers(3, 9))
        gain = rng.uniform(0.5, 1.5) * GAINS[used[-1]]
        modules += [draw_dense(rng, gain, shape[0], outputs, rngs), draw_neurons(rng, used[-1], (outputs,), rngs)]
        shape = (outputs,)
    net = nn.Sequential(*modules)
    first = tuple(np.roll(start, 1)) if len(start) == 3 else start
    return Network(
        layers=", ".join(used),
        options=f"dt={dt}",
        shape=tuple(int(n) for n in first),
        run=lambda x: run(net, x),
        export=lambda path: write_nir(
            path, to_nir(net, {"input": np.array(first)}, {"output": np.array(shape)}, dt=dt)
        ),
        arguments=["--dt", STEPS[dt], "--like", "spyx", "--exported-by", "spyx"],
    )


def run(net: Any, x: np.ndarray) -> Arrays:
    """Runs the network layer by layer, each over all ticks, with the axes [ticks, samples, …] and channels last."""
    values = np.swapaxes(x, 0, 1)
    if x.ndim == 5:
        values = np.moveaxis(values, 2, -1)
    found: Arrays = {}
    for number, layer in enumerate(net.layers):
        if not hasattr(layer, "initial_state"):
            values = np.stack([np.asarray(layer(row)) for row in values])
            continue
        values = np.asarray(nn.run(layer, values)[0])
        name = f"layer_{number}"
        name += f".{name}.lif" if hasattr(layer, "recurrent_w") else "_threshold" * isinstance(layer, nn.PSU_LIF)
        found[name] = np.swapaxes(values if values.ndim < 5 else np.moveaxis(values, -1, 2), 0, 1).copy()
    return found


if __name__ == "__main__":
    main(draw, "spyx", "flax", "nir", "jax")
