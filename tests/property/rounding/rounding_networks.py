"""Trained networks whose weights are rounded, with samples for a calibration and others for the figures: `write_network(Path("net"), "digits_fc")` writes one.

| name | network | calibration | test |
| --- | --- | --- | --- |
| `digits_fc`, `digits_conv`, `order` | the examples | every 18th or 37th training sample, without labels | the test samples, with labels |
| `braille` | recurrent, of the NIR paper | its sample, later by even numbers of ticks | later by odd numbers |
| `cnn_sinabs` | convolutions for N-MNIST, of the NIR paper | spikes of drawn rates | spikes of other rates |
| `keywords` | four layers, of NeuroBench | spikes of drawn rates | spikes of other rates |

The last three are in the folder of samples.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from shutil import copyfile

import nir
import numpy as np
from attrs import frozen
from places import EXAMPLES

CALIBRATION = 64
"""Samples of a calibration."""
TESTS = 64
"""Samples of the figures of a network without labels."""
KEYWORD_TESTS = 512
"""Samples of the figures of the keywords, of which each has about 5 spikes: with 64 an agreement of 80 % has a standard error of 5 %."""
KEYWORD_TICKS, KEYWORD_RATES = 100, (0.0, 0.6)
IMAGE_TICKS, IMAGE_RATES = 50, (0.0, 0.1)
DT = 1e-4


@frozen
class Case:
    """A network in a folder (net.nir, calib.npy, x.npy, and y.npy if it has labels), with the options of its conversion."""

    folder: Path
    options: tuple[str, ...]

    @property
    def has_labels(self) -> bool:
        return (self.folder / "y.npy").exists()


@frozen
class Samples:
    """Inputs of a calibration and of the figures, and the classes of the latter or None."""

    calibration: np.ndarray
    test: np.ndarray
    labels: np.ndarray | None = None


Maker = Callable[[Path, Path], Samples]
"""Writes net.nir into a folder, from a folder of samples, and returns the inputs."""


def spread(x: np.ndarray) -> np.ndarray:
    """Returns `CALIBRATION` samples, evenly spaced."""
    return x[np.arange(CALIBRATION) * len(x) // CALIBRATION]


def digits(name: str, shape: tuple[int, ...], folder: Path, shared: Path) -> Samples:
    del shared
    from encoder import digits

    copyfile(EXAMPLES / "digits" / f"{name}.nir", folder / "net.nir")
    (train, _), (test, labels) = digits(is_test=False), digits(is_test=True)
    calibration, x = (x.reshape(*x.shape[:2], *shape) for x in (spread(train), test))
    return Samples(calibration, x, labels)


def order(folder: Path, shared: Path) -> Samples:
    del shared
    from encoder import TRAINING, order, orders

    copyfile(EXAMPLES / "order" / "order.nir", folder / "net.nir")
    numbers = np.array(TRAINING)[:: len(TRAINING) // CALIBRATION][:CALIBRATION]  # of all classes, which alternate
    return Samples(np.stack([order(int(number)) for number in numbers]), *orders(is_test=True))


def braille(folder: Path, shared: Path) -> Samples:
    source = shared / "samples" / "nir_paper" / "braille"
    copyfile(source / "braille_noDelay_bias_zero.nir", folder / "net.nir")
    sample = np.load(source / "input_sample0.npy")
    shifted = [np.roll(sample, ticks, axis=0) for ticks in range(CALIBRATION + TESTS)]
    return Samples(np.stack(shifted[::2]), np.stack(shifted[1::2]))


def drawn(seed: int, ticks: int, shape: tuple[int, ...], rates: tuple[float, float], tests: int) -> Samples:
    """Returns spikes with another rate at each place of each sample."""

    def spikes(rng: np.random.Generator, samples: int) -> np.ndarray:
        chances = rng.uniform(*rates, (samples, 1, *shape))
        return rng.random((samples, ticks, *shape)) < chances

    return Samples(spikes(np.random.default_rng(seed), CALIBRATION), spikes(np.random.default_rng([seed, 1]), tests))


def cnn_sinabs(folder: Path, shared: Path) -> Samples:
    copyfile(shared / "samples" / "nir_paper" / "cnn" / "cnn_sinabs.nir", folder / "net.nir")
    return drawn(50, IMAGE_TICKS, (2, 34, 34), IMAGE_RATES, TESTS)


def keywords(folder: Path, shared: Path) -> Samples:
    """Writes the layers of the state of a snnTorch network, whose membranes keep `beta` of their value in a tick."""
    nodes: dict[str, nir.NIRNode] = {"input": nir.Input({"input": np.array([20])})}
    with np.load(shared / "samples" / "neurobench" / "s2s_gsc_snntorch.npz") as state:
        for number in range(1, 9, 2):
            weight, bias = state[f"{number}.weight"], state[f"{number}.bias"]
            one, share = np.ones(len(bias), np.float32), 1 - float(state[f"{number + 1}.beta"])
            neurons = {
                "r": one / share,
                "v_leak": 0 * one,
                "v_threshold": float(state[f"{number + 1}.threshold"]) * one,
            }
            nodes[str(number)] = nir.Affine(weight, bias)
            nodes[str(number + 1)] = nir.LIF(tau=DT / share * one, v_reset=0 * one, **neurons)
    nodes["output"] = nir.Output({"output": np.array([len(bias)])})
    names = list(nodes)
    nir.write(folder / "net.nir", nir.NIRGraph(nodes, list(pairwise(names))))
    return drawn(48, KEYWORD_TICKS, (20,), KEYWORD_RATES, KEYWORD_TESTS)


SNNTORCH = ("--dt", "0.1ms", "--like", "snntorch", "--reset")
SINABS = ("--dt", "1ms", "--like", "sinabs")
EXAMPLE_NETWORKS: dict[str, tuple[Maker, tuple[str, ...]]] = {
    "digits_fc": (partial(digits, "fc", (64,)), ("--dt", "1ms", "--like", "norse")),
    "digits_conv": (partial(digits, "conv", (1, 8, 8)), SINABS),
    "order": (order, (*SNNTORCH, "subtract_next")),
}
SAMPLE_NETWORKS: dict[str, tuple[Maker, tuple[str, ...]]] = {
    "braille": (braille, (*SNNTORCH, "zero")),
    "cnn_sinabs": (cnn_sinabs, SINABS),
    "keywords": (keywords, (*SNNTORCH, "subtract_next")),
}


def write_network(folder: Path, name: str, shared: Path) -> Case:
    """Writes a network and its samples into a folder."""
    sys.path.insert(0, str(EXAMPLES))
    make, options = (EXAMPLE_NETWORKS | SAMPLE_NETWORKS)[name]
    folder.mkdir(parents=True, exist_ok=True)
    samples = make(folder, shared)
    np.save(folder / "calib.npy", samples.calibration)
    np.save(folder / "x.npy", samples.test)
    if samples.labels is not None:
        np.save(folder / "y.npy", samples.labels)
    return Case(folder, options)
