"""Trains a network of rectified linear units on the digits, and writes it as a network of spikes: `python examples/digits/train_relu.py`.

| | |
| --- | --- |
| network | 64 inputs, 64 and 32 rectified linear units, 10 classes |
| as spikes | integrate-and-fire neurons in place of the units, with a threshold of 1 and the trained weights and biases; nothing is balanced |
| recipe | `sklearn.neural_network.MLPClassifier` with seed 0, alpha 0.001, 60 epochs; inputs are pixels from 0 to 1 |
| framework, exporter | scikit-learn 1.9.1, and nir 1.0.8 |
| in nopt | `--like norse --reset subtract`, and any `--dt` |

The input of a tick is a spike of a pixel, or its value in every tick. An activation of the trained network is a rate in spikes per tick, so that activations above 1 saturate:
`ntensor-balance-thresholds` mends that. The file holds the weights as multiples of 1/256. The `.npz` file holds the class that the trained network chooses for each test sample.
"""

from __future__ import annotations

import sys
import warnings
from itertools import pairwise
from pathlib import Path

import nir
import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import encoder  # noqa: E402 (a sibling of this folder)

SEED, EPOCHS, ALPHA = 0, 60, 1e-3
UNITS, CLASSES = (64, 32), 10
GRID = 1 / 256


def rounded(values: np.ndarray) -> np.ndarray:
    return (np.round(values / GRID) * GRID).astype(np.float32)


def exported(model: MLPClassifier) -> nir.NIRGraph:
    """Returns the trained network with integrate-and-fire neurons."""
    nodes: dict[str, nir.NIRNode] = {"input": nir.Input({"input": np.array([64])})}
    for k, (weight, bias) in enumerate(zip(model.coefs_, model.intercepts_, strict=True), 1):
        one = np.ones(len(bias), np.float32)
        nodes[f"fc{k}"] = nir.Affine(weight=weight.T, bias=bias)
        nodes[f"if{k}"] = nir.IF(r=one, v_threshold=one, v_reset=0 * one)
    nodes["output"] = nir.Output({"output": np.array([CLASSES])})
    return nir.NIRGraph(nodes=nodes, edges=list(pairwise(nodes)))


def main() -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)
    spikes, labels = encoder.digits(is_test=False)
    model = MLPClassifier(UNITS, alpha=ALPHA, max_iter=EPOCHS, random_state=SEED).fit(spikes.mean(1), labels)
    model.coefs_, model.intercepts_ = (
        [rounded(values) for values in part] for part in (model.coefs_, model.intercepts_)
    )
    spikes, labels = encoder.digits(is_test=True)
    classes = model.predict(spikes.mean(1))
    print(f"{int((classes == labels).sum())} of {len(labels)} right")
    nir.write(HERE / "relu.nir", exported(model))
    np.savez_compressed(HERE / "relu.npz", classes=classes.astype(np.int64))


if __name__ == "__main__":
    main()
