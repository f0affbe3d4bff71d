"""Networks for chains of helps, from a seed: `network = chain_network(7)`.

Even seeds are the networks of `structured_networks`, of one style after another. Odd seeds mix further structures:

| structure | in |
| --- | --- |
| an image or a sequence with a convolution (stride, padding) and a sum or average pool | half |
| fan-in of 300 to 700 | a fifth |
| a population of up to 2,000 neurons | a sixth |
| weights of which 95 % are zero | a fifth |
| parameters that differ from neuron to neuron | a third |
| a loop; a connection over a layer; delays | a quarter each |
| a readout of LI or CubaLI | two fifths |
| nodes that are named "0", "1", ... | a third |
"""

from __future__ import annotations

import math

import nir
import numpy as np
from attrs import evolve, frozen
from structured_networks import STYLES, Drawing, Style, structured

MIXED = Style(0.001, 6, 70)
LIKES = ("norse", "snntorch", "norse", "spikingjelly", "norse", "lava", "sinabs", "rockpool")
TICKS = 40


@frozen
class Network:
    """A network, the options of its conversion, and spikes of its input, [samples, ticks, *shape]."""

    graph: nir.NIRGraph
    options: tuple[str, ...]
    x: np.ndarray


def chain_network(seed: int) -> Network:
    """Returns the network of a seed."""
    if seed % 2:
        return mixed(seed)
    styles = list(STYLES.values())
    style = styles[seed // 2 % len(styles)]
    made = structured(seed, evolve(style, wide=max(style.wide, 40)))
    shape = [int(n) for n in made.graph.nodes["input"].input_type["input"]]
    x = made.x.reshape(1, len(made.x), *shape)
    return Network(made.graph, options_of(**made.choices), np.asarray(x, np.float32))


def options_of(**choices: str) -> tuple[str, ...]:
    return tuple(word for name, value in choices.items() for word in (f"--{name}", value))


class Mixture(Drawing):
    """A network that grows layer by layer; `last` is its last node, of a shape."""

    last = "input"
    shape: tuple[int, ...] = ()
    is_leaky = True

    def then(self, name: str, node: nir.NIRNode, shape: tuple[int, ...]) -> None:
        self.last, self.shape = self.add(name, node, self.last), shape

    def values(self, low: float, high: float) -> np.ndarray:
        """Returns a value for each neuron of the shape: the same for all, or different ones."""
        one = self.rng.uniform(low, high, self.shape if self.chance(0.33) else ())
        return np.broadcast_to(one, self.shape).astype(np.float32).copy()

    def neurons(self, name: str) -> None:
        one = np.ones(self.shape, np.float32)
        kind = str(self.rng.choice(["lif", "lif", "cuba"])) if self.is_leaky else "if"
        spikes = {"v_threshold": self.values(0.6, 1.5), "v_reset": 0 * one}
        if kind == "if":
            return self.then(name, nir.IF(one, **spikes), self.shape)
        rest = {"r": one, "v_leak": 0 * one, **spikes}
        if kind == "lif":
            return self.then(name, nir.LIF(tau=self.values(0.004, 0.03), **rest), self.shape)
        taus = {"tau_mem": self.values(0.005, 0.03), "tau_syn": self.values(0.002, 0.01)}
        return self.then(name, nir.CubaLIF(**taus, w_in=one, **rest), self.shape)

    def readout(self, name: str) -> None:
        one = np.ones(self.shape, np.float32)
        rest = {"r": one, "v_leak": 0 * one}
        if self.chance(0.5):
            return self.then(name, nir.LI(tau=self.values(0.005, 0.03), **rest), self.shape)
        taus = {"tau_mem": self.values(0.005, 0.03), "tau_syn": self.values(0.002, 0.01)}
        return self.then(name, nir.CubaLI(**taus, w_in=one, **rest), self.shape)

    def convolve(self, name: str, is_image: bool) -> None:
        axes = 2 if is_image else 1
        channels, kernel, stride, pad = (int(self.rng.integers(*ends)) for ends in ((2, 5), (2, 4), (1, 3), (0, 2)))
        weight = self.weights((channels, self.shape[0], *(kernel,) * axes))
        bias = self.rng.uniform(0, 0.2, channels).astype(np.float32) * self.chance(0.4)
        sizes = tuple((n + 2 * pad - kernel) // stride + 1 for n in self.shape[1:])
        if is_image:
            node = nir.Conv2d(self.shape[1:], weight, (stride,) * 2, (pad,) * 2, (1, 1), 1, bias)
        else:
            node = nir.Conv1d(self.shape[1], weight, stride, pad, 1, 1, bias)
        self.then(name, node, (channels, *sizes))

    def pool(self, name: str) -> None:
        two, none = np.array([2, 2]), np.array([0, 0])
        kind = nir.AvgPool2d if self.chance(0.5) else nir.SumPool2d
        self.then(name, kind(two, two, none), (self.shape[0], *(n // 2 for n in self.shape[1:])))

    def connect(self, name: str, outputs: int) -> None:
        weight = self.weights((outputs, self.shape[0]))
        if self.chance(0.2):
            weight = np.where(self.rng.random(weight.shape) < 0.95, 0, 4 * weight).astype(np.float32)
        bias = self.rng.uniform(0, 0.2, outputs).astype(np.float32)
        self.then(name, nir.Affine(weight, bias) if self.chance(0.4) else nir.Linear(weight), (outputs,))


def mixed(seed: int) -> Network:
    drawing = Mixture(seed, MIXED)
    rng = drawing.rng
    like = LIKES[seed // 2 % len(LIKES)]
    drawing.is_leaky = like != "sinabs" and not drawing.chance(0.25)
    front = str(rng.choice(["dense", "dense", "image", "sequence"]))
    wide = int(rng.integers(300, 700)) if drawing.chance(0.2) else int(rng.integers(4, 40))
    shape = {"dense": (wide,), "image": (2, 8, 8), "sequence": (2, 24)}[front]
    drawing.add("input", nir.Input({"input": np.array(shape)}))
    drawing.shape = shape
    if front != "dense":
        drawing.convolve("conv", front == "image")
        drawing.neurons("map")
        if front == "image" and drawing.chance(0.6):
            drawing.pool("pool")
        size = math.prod(drawing.shape)
        drawing.then("flat", nir.Flatten({"input": np.array(drawing.shape)}, 0, -1), (size,))
    layers = int(rng.integers(1, 4))
    for k in range(layers):
        before, width = drawing.last, drawing.shape[0]
        large = int(rng.integers(800, 2001)) if k == 0 and drawing.chance(0.16) else int(rng.integers(3, 40))
        if drawing.chance(0.25):
            drawing.then(f"delay{k}", drawing.nodes.pop(drawing.delay(f"delay{k}", before, (width,))), (width,))
            drawing.edges.remove((before, f"delay{k}"))
        drawing.connect(f"fc{k}", large)
        if k == layers - 1 and k and drawing.chance(0.6):
            drawing.readout(f"pop{k}")
            continue
        drawing.neurons(f"pop{k}")
        if drawing.chance(0.25):
            drawing.dense(f"skip{k}", before, width, large)
            drawing.edges.append((f"skip{k}", f"pop{k}"))
        if large < 40 and drawing.chance(0.25):
            drawing.loop(f"pop{k}", large)
    drawing.then("output", nir.Output({"output": np.array(drawing.shape)}), drawing.shape)
    reset = "subtract" if like in ("sinabs", "rockpool") else str(rng.choice(["value", "subtract"]))
    x = np.asarray(rng.random((1, TICKS, *shape)) < 0.2, np.float32)
    names = {name: str(k) for k, name in enumerate(drawing.nodes) if name not in ("input", "output")}
    names = names if drawing.chance(0.33) else {}
    nodes = {names.get(name, name): node for name, node in drawing.nodes.items()}
    edges = [(names.get(a, a), names.get(b, b)) for a, b in dict.fromkeys(drawing.edges)]
    graph = nir.NIRGraph(nodes, edges, type_check=False)
    return Network(graph, options_of(dt="1ms", like=like, reset=reset), x)
