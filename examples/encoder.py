"""Inputs of the trained networks as spikes, with the same bits on every machine.

`rate` encodes each number from 0 to 16 as that many spikes, spread evenly over 16 ticks; `digits` applies it to the handwritten digits
of scikit-learn. `orders` generates samples of a second task: two bumps of spikes, one after the other; the class is their
order.

    python examples/encoder.py fc digits.npy       # the test third of the digits: bool [599, 16, 64]
    python examples/encoder.py conv digits.npy     # the same as images: bool [599, 16, 1, 8, 8]
    python examples/encoder.py order order.npy     # the test samples of the other task: bool [600, 64, 12]
    python examples/encoder.py fc digits.npy y.npy # and their classes: int64 [599]

Source: E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits (1998), UCI, by way of the file that `sklearn.datasets.load_digits` reads.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent))

from bars.encode import chance

Spikes = NDArray[np.bool_]
Labels = NDArray[np.int64]

# ---- digits

TICKS = 16
"""Ticks of a digit; a pixel of strength p spikes p times in them."""
SPREAD = 5
"""Offset in ticks between the first spikes of neighbours, so that a line of equal pixels does not spike at once."""


def rate(values: NDArray[np.int64]) -> Spikes:
    """Encodes value p as p spikes in `TICKS` ticks, as evenly as possible. Shapes: [samples, n] => [samples, TICKS, n].

    spikes up to tick t = floor((t p + phase) / TICKS),  phase = SPREAD index mod TICKS
    """
    ticks = np.arange(TICKS + 1)[:, np.newaxis]
    phase = SPREAD * np.arange(values.shape[-1]) % TICKS
    return np.diff((ticks * values[:, np.newaxis] + phase) // TICKS, axis=1) > 0


def digits(is_test: bool) -> tuple[Spikes, Labels]:
    """Returns the handwritten digits as spikes, with their classes: every third sample is a test sample, the others are for training.

    Shapes: [599, 16, 64] or [1198, 16, 64]; [599] or [1198].
    """
    table = np.loadtxt(digits_file(), np.int64, delimiter=",")
    pixels, labels = table[:, :-1], table[:, -1]
    chosen = (np.arange(len(labels)) % 3 == 2) == is_test
    return rate(pixels[chosen]), labels[chosen]


def digits_file() -> Path:
    """Returns the file of the digits in scikit-learn, whose import would take more than a second."""
    package = find_spec("sklearn")
    if package is None or package.origin is None:
        sys.exit("error: the digits are part of scikit-learn, which is not installed\n  help: pip install scikit-learn")
    return Path(package.origin).parent / "datasets" / "data" / "digits.csv.gz"


# ---- order

CHANNELS, LENGTH = 12, 64
"""Input neurons and ticks of a sample."""
CENTRES = (1.5, 5.5, 9.5)
"""First channels of the bumps A, B and C."""
BUMP = 6
"""Ticks of a bump."""
START, GAP = 8, (10, 36)
"""Upper bound of the first bump's start; range of ticks from its end to the second bump."""
NOISE = 0.05
"""Probability of a noise spike of a channel in a tick."""
ORDERS = ("AB", "AC", "BA", "BC", "CA", "CB")
TRAINING, TEST = range(2400), range(1_200_000, 1_200_600)
"""Numbers of the samples."""
STREAM = 1 << 32
"""Streams of random numbers from here on belong to this task; the bars use lower ones."""


def order(number: int) -> Spikes:
    """Returns one sample: bump, silence, bump. Its class is `number % 6`, in the order of `ORDERS`. Shapes: [LENGTH, CHANNELS]."""
    start, gap = chance(STREAM + 2 * number, 2)
    first = int(start * START)
    second = first + BUMP + GAP[0] + int(gap * (GAP[1] - GAP[0] + 1))
    probability = np.full((LENGTH, CHANNELS), NOISE)
    for tick, letter in zip((first, second), ORDERS[number % len(ORDERS)], strict=True):
        distance = np.arange(CHANNELS) - CENTRES["ABC".index(letter)]
        height = np.maximum(0, 0.875 - abs(distance) / 4)
        probability[tick : tick + BUMP] = np.maximum(probability[tick : tick + BUMP], height)
    return chance(STREAM + 2 * number + 1, LENGTH, CHANNELS) < probability


def orders(is_test: bool) -> tuple[Spikes, Labels]:
    """Returns the training or test samples of the task, with their classes. Shapes: [samples, LENGTH, CHANNELS]; [samples]."""
    numbers = TEST if is_test else TRAINING
    return np.stack([order(number) for number in numbers]), np.array(numbers) % len(ORDERS)


# ---- command line


def test_input(name: str) -> tuple[Spikes, Labels]:
    """Returns the test samples of a network, in the shape of its input."""
    if name == "order":
        return orders(is_test=True)
    spikes, labels = digits(is_test=True)
    return (spikes.reshape(*spikes.shape[:2], 1, 8, 8) if name == "conv" else spikes), labels


def main() -> None:
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in ("fc", "conv", "order"):
        sys.exit("usage: python examples/encoder.py fc|conv|order OUT.npy [LABELS.npy]")
    for path, array in zip(sys.argv[2:], test_input(sys.argv[1]), strict=False):
        np.save(path, array)


if __name__ == "__main__":
    main()
