"""Samples with labels for training: arrays of the inputs of a network and the class of each sample, and their division into two parts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike, NDArray

from ...core.diagnostics import Code, quote_names, refuse
from ...core.help_text import Phrase, WithoutOptions
from ...core.number_texts import counted_text
from ...simulation.stimuli import load_arrays, stimulus
from ..running.labels import Labels, labels_of

TUN001 = Code("TUN001", "samples-without-labels", "the samples have no labels")
TUN002 = Code("TUN002", "too-few-samples", "there are too few samples to train with")
TUN003 = Code("TUN003", "labels-given-twice", "labels are given twice")

LABELS = "labels"
"""Name of the array of labels in a file of samples."""

Data = str | Path | Mapping[str, ArrayLike]
"""A `.npz` with an array for each input and `labels`, or a mapping of these."""


@frozen(eq=False)
class Samples:
    """Inputs by name, `[samples, ticks, *shape]`, and labels `[samples]`."""

    inputs: Mapping[str, NDArray[Any]]
    labels: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.labels)

    def some(self, chosen: NDArray[np.intp] | slice) -> Samples:
        """Returns a selection of samples."""
        return Samples({name: array[chosen] for name, array in self.inputs.items()}, self.labels[chosen])

    def split(self, share: float, seed: int) -> tuple[Samples, Samples]:
        """Returns the samples for training, and a random share of them that training does not see. Errors: TUN002."""
        count = round(share * len(self))
        if not 0 < count < len(self):
            refuse(
                TUN002,
                expected="at least one sample to train with, and one to hold back",
                found=f"{counted_text(len(self), 'sample')}, of which {count} are held back",
                help="--hold-back 0.5" if len(self) > 1 else "nopt explain TUN002",
            )
        order = np.random.default_rng(seed).permutation(len(self))
        return self.some(np.sort(order[count:])), self.some(np.sort(order[:count]))


def read_samples(
    data: Data,
    labels: Labels | None,
    inputs: Mapping[str, tuple[int, ...]],
    outputs: Mapping[str, int],
    tick_ns: int | None = None,
) -> Samples:
    """Returns samples with the class of each. `outputs` is the output that decides, with its number of neurons.

    Errors: TUN001 no labels; TUN003 labels twice; COR008 and SIM005 to SIM016 the inputs; RUN020, RUN021 the labels.
    """
    file = str(data) if isinstance(data, str | Path) else None
    content: Any = load_arrays(data)[0] if isinstance(data, str | Path) else data
    arrays = dict(cast("Mapping[str, Any]", content)) if isinstance(content, Mapping) else {next(iter(inputs)): content}
    within = arrays.pop(LABELS, None) if LABELS not in inputs else None
    if within is not None and labels is not None:
        refuse(
            TUN003,
            file=file,
            expected=f'the array "{LABELS}" of the data, or --labels',
            found="both",
            help=Phrase(WithoutOptions(("--labels",))),
        )
    given = within if labels is None else labels
    if given is None:
        found = quote_names(arrays) if isinstance(content, Mapping) else "one array"
        help = f"numpy.savez('train.npz', {next(iter(inputs))}=x, {LABELS}=y)"
        refuse(TUN001, file=file, expected=f'an array "{LABELS}" in the data, or --labels Y', found=found, help=help)
    signals = stimulus(arrays, inputs, tick_ns)
    all = slice(0, signals.samples), slice(0, signals.ticks)
    frames = {name: np.swapaxes(signal.window(*all), 0, 1) for name, signal in signals.signals.items()}
    classes = labels_of(given, signals.samples, outputs, has_samples=signals.has_samples, ticks=signals.ticks)
    return Samples(frames, np.asarray(classes, np.int64))
