"""Networks that users of all chips have, one by one, with an input and labels: `network(Path("net"), "ff_bias.value")` writes one.

| name | what |
| --- | --- |
| `ff_lif` | 8-12-4 LIF |
| `ff_bias` | the same with biases, and a time constant of each neuron |
| `rec_cuba` | CubaLIF with a loop |
| `conv_if` | a convolution, IF, a sum pool, a dense layer |
| `conv_bias` | two convolutions with biases, the second with a stride |
| `resdelay` | a connection over a layer, 3 ms late |
| `conv1d_li` | a one-dimensional convolution, LIF, a dense layer, an LI readout |
| `wide` | a fan-in of 300 |
| `trained` | 16-12-3, trained with rates, as IF |
| `bars`, `digits_conv`, `digits_fc`, `rhythm` | the examples |

Weights are drawn so that every population spikes; the trained networks have labels.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from shutil import copyfile

import nir
import numpy as np
from attrs import frozen
from places import ROOT

SAMPLES, TICKS = 16, 64
EXAMPLES = ROOT / "examples"
NORSE = ("--dt", "1ms", "--like", "norse", "--reset")
SINABS = ("--dt", "1ms", "--like", "sinabs")


@frozen
class Drawn:
    """A network, its input, and labels or None."""

    graph: nir.NIRGraph
    x: np.ndarray
    labels: np.ndarray | None = None


def chain(
    shape: tuple[int, ...], *nodes: tuple[str, nir.NIRNode], more: tuple[tuple[str, str], ...] = ()
) -> nir.NIRGraph:
    """Returns a chain of nodes, with further edges; the last node is the output."""
    known = {"input": nir.Input({"input": np.array(shape)}), **dict(nodes)}
    names = list(known)
    last = known[names[-1]]
    known["output"] = nir.Output({"output": np.array(last.output_type["output"])})
    return nir.NIRGraph(known, [*zip(names, [*names[1:], "output"], strict=True), *more], type_check=False)


def weights(rng: np.random.Generator, shape: tuple[int, ...], drive: float) -> np.ndarray:
    """Returns weights of both signs. `drive`: mean of the sum of a neuron if each source spikes in every fifth tick."""
    fan_in = int(np.prod(shape[1:]))
    return (rng.normal(1, 1.5, shape) * 5 * drive / fan_in).astype(np.float32)


def votes(rng: np.random.Generator, shape: tuple[int, int], drive: float) -> np.ndarray:
    """Returns weights of outputs, of which each is driven more than the one before, and the last clearly most."""
    rows = np.linspace(0.3, 1.1, shape[0])
    rows[-1] = 1.6
    return (weights(rng, shape, drive) * rows[:, np.newaxis]).astype(np.float32)


def full(shape: tuple[int, ...] | int, value: float) -> np.ndarray:
    return np.full(shape, value, np.float32)


def lif(shape: tuple[int, ...] | int, tau: float | np.ndarray = 0.01) -> nir.LIF:
    """Returns LIF neurons to whose membrane a tick of 1 ms adds the weights as they are."""
    taus = full(shape, 1) * np.asarray(tau, np.float32)
    return nir.LIF(tau=taus, r=1000 * taus, v_leak=full(shape, 0), v_threshold=full(shape, 1), v_reset=full(shape, 0))


def integrators(shape: tuple[int, ...] | int) -> nir.IF:
    """Returns IF neurons to whose membrane a tick of 1 ms adds the weights as they are."""
    return nir.IF(r=full(shape, 1), v_threshold=full(shape, 1), v_reset=full(shape, 0))


def cuba(shape: int) -> nir.CubaLIF:
    one = full(shape, 1)
    rest = {"r": 10 * one, "v_leak": 0 * one, "v_reset": 0 * one, "v_threshold": one, "w_in": one}
    return nir.CubaLIF(tau_syn=0.005 * one, tau_mem=0.01 * one, **rest)


def spikes(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Returns spikes with another rate in each sample and at each place."""
    rates = rng.uniform(0.05, 0.35, (SAMPLES, 1, *shape))
    return (rng.random((SAMPLES, TICKS, *shape)) < rates).astype(np.float32)


def ff_lif(rng: np.random.Generator) -> Drawn:
    nodes = (
        ("w1", nir.Linear(weights(rng, (12, 8), 0.35))),
        ("h", lif(12)),
        ("w2", nir.Linear(votes(rng, (4, 12), 0.3))),
        ("o", lif(4)),
    )
    return Drawn(chain((8,), *nodes), spikes(rng, (8,)))


def ff_bias(rng: np.random.Generator) -> Drawn:
    first = nir.Affine(weights(rng, (12, 8), 0.25), rng.uniform(0, 0.1, 12).astype(np.float32))
    second = nir.Affine(votes(rng, (4, 12), 0.4), rng.uniform(0, 0.02, 4).astype(np.float32))
    nodes = (
        ("w1", first),
        ("h", lif(12, rng.uniform(0.006, 0.02, 12))),
        ("w2", second),
        ("o", lif(4, rng.uniform(0.009, 0.012, 4))),
    )
    return Drawn(chain((8,), *nodes), spikes(rng, (8,)))


def rec_cuba(rng: np.random.Generator) -> Drawn:
    nodes = (
        ("w1", nir.Linear(weights(rng, (12, 8), 0.2))),
        ("h", cuba(12)),
        ("w2", nir.Linear(votes(rng, (4, 12), 0.3))),
        ("o", cuba(4)),
    )
    graph = chain((8,), *nodes, more=(("h", "loop"), ("loop", "h")))
    graph.nodes["loop"] = nir.Linear((rng.normal(0, 0.05, (12, 12))).astype(np.float32))
    return Drawn(graph, spikes(rng, (8,)))


def conv_if(rng: np.random.Generator) -> Drawn:
    conv = nir.Conv2d((8, 8), weights(rng, (4, 2, 3, 3), 0.12), (1, 1), (1, 1), (1, 1), 1, np.zeros(4, np.float32))
    two, none = np.array([2, 2]), np.array([0, 0])
    pool, flat = nir.SumPool2d(two, two, none), nir.Flatten({"input": np.array([4, 4, 4])}, 0, -1)
    nodes = ("conv", conv), ("h", integrators((4, 8, 8))), ("pool", pool), ("flat", flat)
    return Drawn(
        chain((2, 8, 8), *nodes, ("w", nir.Linear(votes(rng, (5, 64), 0.15))), ("o", integrators(5))),
        spikes(rng, (2, 8, 8)),
    )


def conv_bias(rng: np.random.Generator) -> Drawn:
    first = nir.Conv2d(
        (8, 8), weights(rng, (4, 1, 3, 3), 0.1), (1, 1), (1, 1), (1, 1), 1, rng.uniform(0, 0.03, 4).astype(np.float32)
    )
    second = nir.Conv2d(
        (8, 8), weights(rng, (4, 4, 3, 3), 0.15), (2, 2), (1, 1), (1, 1), 1, rng.uniform(0, 0.03, 4).astype(np.float32)
    )
    flat = nir.Flatten({"input": np.array([4, 4, 4])}, 0, -1)
    nodes = (
        ("conv1", first),
        ("h1", integrators((4, 8, 8))),
        ("conv2", second),
        ("h2", integrators((4, 4, 4))),
        ("flat", flat),
    )
    return Drawn(
        chain((1, 8, 8), *nodes, ("w", nir.Linear(votes(rng, (5, 64), 0.4))), ("o", integrators(5))),
        spikes(rng, (1, 8, 8)),
    )


def resdelay(rng: np.random.Generator) -> Drawn:
    nodes = (
        ("w1", nir.Linear(weights(rng, (12, 8), 0.3))),
        ("h", lif(12)),
        ("w2", nir.Linear(weights(rng, (8, 12), 0.35))),
        ("m", lif(8)),
    )
    graph = chain(
        (8,),
        *nodes,
        ("w3", nir.Linear(votes(rng, (4, 8), 0.3))),
        ("o", lif(4)),
        more=(("h", "late"), ("late", "skip"), ("skip", "o")),
    )
    graph.nodes |= {"late": nir.Delay(full(12, 0.003)), "skip": nir.Linear(votes(rng, (4, 12), 0.1))}
    return Drawn(graph, spikes(rng, (8,)))


def conv1d_li(rng: np.random.Generator) -> Drawn:
    conv = nir.Conv1d(16, weights(rng, (4, 2, 3), 0.3), 1, 1, 1, 1, np.zeros(4, np.float32))
    flat = nir.Flatten({"input": np.array([4, 16])}, 0, -1)
    nodes = ("conv", conv), ("h", lif((4, 16))), ("flat", flat), ("w", nir.Linear(votes(rng, (5, 64), 0.2)))
    return Drawn(chain((2, 16), *nodes, ("li", nir.LI(full(5, 0.02), full(5, 20), full(5, 0)))), spikes(rng, (2, 16)))


def wide(rng: np.random.Generator) -> Drawn:
    nodes = (
        ("w1", nir.Linear(weights(rng, (12, 300), 0.3))),
        ("h", lif(12)),
        ("w2", nir.Linear(votes(rng, (4, 12), 0.3))),
        ("o", lif(4)),
    )
    return Drawn(chain((300,), *nodes), spikes(rng, (300,)))


def trained(rng: np.random.Generator) -> Drawn:
    """Returns a network of rectified rates that was trained by gradient descent on three noisy patterns."""
    patterns = rng.uniform(0.05, 0.4, (3, 16))
    labels = rng.integers(0, 3, 600)
    rates = np.clip(patterns[labels] + rng.normal(0, 0.06, (600, 16)), 0, 1)
    first, second = rng.normal(0, 0.3, (12, 16)), rng.normal(0, 0.3, (3, 12))
    for _ in range(800):
        hidden = np.maximum(rates @ first.T, 0)
        odds = np.exp(4 * hidden @ second.T)
        error = odds / odds.sum(1, keepdims=True) - np.eye(3)[labels]
        back = error @ second * (hidden > 0)
        second -= 0.5 * error.T @ hidden / len(rates)
        first -= 0.5 * back.T @ rates / len(rates)
    hidden = np.maximum(rates @ first.T, 0)
    first *= 0.8 / hidden.max()
    second *= 0.8 / np.maximum(np.maximum(rates @ first.T, 0) @ second.T, 0).max()
    graph = chain(
        (16,),
        ("w1", nir.Linear(first.astype(np.float32))),
        ("h", integrators(12)),
        ("w2", nir.Linear(second.astype(np.float32))),
        ("o", integrators(3)),
    )
    x = rng.random((SAMPLES, TICKS, 16)) < rates[:SAMPLES, np.newaxis]
    return Drawn(graph, x.astype(np.float32), labels[:SAMPLES])


MAKERS: dict[str, Callable[[np.random.Generator], Drawn]] = {
    make.__name__: make for make in (ff_lif, ff_bias, rec_cuba, conv_if, conv_bias, resdelay, conv1d_li, wide, trained)
}
BOTH = ("ff_lif", "conv_if", "trained")
"""Networks with both resets."""
FILES = {
    "bars": ("bars/bars.nir", SINABS),
    "digits_conv": ("digits/conv.nir", SINABS),
    "digits_fc": ("digits/fc.nir", (*NORSE, "subtract")),
    "rhythm": ("rhythm/rhythm.nir", (*NORSE, "value")),
}
NAMES = (*(f"{name}.{rule}" for name in MAKERS for rule in ("value", "subtract")[: 1 + (name in BOTH)]), *FILES)


@frozen
class Case:
    """A network in a folder (net.nir, x.npy, and y.npy if it has labels), with the options of its conversion."""

    folder: Path
    options: tuple[str, ...]

    @property
    def arguments(self) -> tuple[str, ...]:
        labels = ("--labels", "y.npy") if (self.folder / "y.npy").exists() else ()
        return ("net.nir", *self.options, "--input", "x.npy", *labels)


def write_network(folder: Path, name: str) -> Case:
    """Writes one of NAMES into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    if name in FILES:
        file, options = FILES[name]
        copyfile(EXAMPLES / file, folder / "net.nir")
        x, labels = sample_input(name)
    else:
        kind, rule = name.split(".")
        made = MAKERS[kind](np.random.default_rng(list(MAKERS).index(kind)))
        options, x, labels = (*NORSE, rule), made.x, made.labels
        nir.write(folder / "net.nir", made.graph)
    np.save(folder / "x.npy", x)
    if labels is not None:
        np.save(folder / "y.npy", labels)
    return Case(folder, options)


def sample_input(name: str) -> tuple[np.ndarray, np.ndarray | None]:
    """Returns the input of an example, and its labels or None."""
    if not name.startswith("digits"):
        return np.load(EXAMPLES / name / "input.npy"), None
    sys.path.insert(0, str(EXAMPLES))
    from encoder import digits

    images, labels = digits(is_test=True)
    shape = (1, 8, 8) if name == "digits_conv" else (64,)
    return images[: 4 * SAMPLES].reshape(4 * SAMPLES, -1, *shape), labels[: 4 * SAMPLES]
