"""Training loop: epochs of Adam over the module of a chip, and the network of the best epoch.

1. An epoch changes the parameters, which the module rounds to the grid of the device in each batch; gradients pass the rounding unchanged. The grid, and
   all other numbers of the device, are those of the network before training.
2. The numbers of the module are set in the legalised network, and `compile` keeps them. The accuracy of an epoch is therefore that of a build.
3. The best epoch has the lowest loss on the held-back samples, among the epochs whose accuracy there differs from the highest one by at most the
   standard error of a difference.
   The network before training counts as epoch 0. An epoch whose sums are too wide for the device is left out.

With manufactured chips, each sample of a step runs on a random chip, and each held-back sample on a chip of its own number.

The step of Adam is relative to the root mean square of a parameter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import cos, pi, sqrt
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike, NDArray
from xdsl.dialects.builtin import ModuleOp

from ...core.budget import Partial
from ...core.diagnostics import Code, Diagnostics, Finding, refuse
from ...core.help_text import Phrase, option
from ...core.progress import Progress, doing, report_part
from ..compiling.device_fit import fit
from ..compiling.legalized_networks import legalized_device
from ..exporting.torch_module import NUMBER_PREFIX
from ..json_record import Record
from .chip_modules import ChipModule, require_torch
from .losses import gain_of, scores_of
from .samples import Samples
from .training_options import LEARNING_RATE, Settings

TUN005 = Code("TUN005", "training-interrupted", "the training was interrupted")
TUN006 = Code("TUN006", "output-not-spikes", "the output has no spikes")
TUN007 = Code("TUN007", "training-diverged", "the training diverged")
TUN009 = Code("TUN009", "trained-numbers-do-not-fit", "the best numbers of the training do not fit the device")

LARGEST_GRADIENT = 1.0
"""Norm of the gradient of all parameters beyond which it is scaled down."""
EVALUATED = 256
"""Samples that run at once without gradients."""


@frozen
class Epoch(Record):
    """Result of an epoch on the held-back samples."""

    number: int
    training_loss: float | None
    """Mean loss of the batches; None for the network before training."""
    loss: float
    accuracy: float


@frozen
class Trained:
    """The network of the best epoch, and all epochs."""

    module: ModuleOp
    best: Epoch
    epochs: tuple[Epoch, ...]
    unfinished: Finding | None
    """Finding about a training that ended before its last epoch."""


Numbers = Mapping[str, NDArray[Any]]
"""The numbers of the chip, by their entries in a state dictionary."""


class Candidates:
    """Numbers of epochs: those that no other epoch exceeds in both accuracy and loss."""

    def __init__(self, samples: int):
        self.samples = samples
        self.epochs: list[tuple[Epoch, Numbers]] = []

    def add(self, epoch: Epoch, numbers: Numbers) -> None:
        kept = [one for one in self.epochs if one[0].loss < epoch.loss or one[0].accuracy > epoch.accuracy]
        if all(one.loss > epoch.loss or one.accuracy < epoch.accuracy for one, _ in kept):
            self.epochs = [*kept, (epoch, numbers)]

    def remove(self, epoch: Epoch) -> None:
        self.epochs = [one for one in self.epochs if one[0] is not epoch]

    def best(self) -> tuple[Epoch, Numbers]:
        """Returns the epoch with the lowest loss, among those whose accuracy is near the highest one."""
        most = max(epoch.accuracy for epoch, _ in self.epochs)
        share = (most * self.samples + 1) / (
            self.samples + 2
        )  # the rule of succession: an accuracy of 1 has an error, too
        least = most - sqrt(2 * share * (1 - share) / self.samples)  # of a difference of two accuracies
        return min((one for one in self.epochs if one[0].accuracy >= least), key=lambda one: one[0].loss)


class Training:
    """State of one training."""

    def __init__(self, module: ChipModule, output: str, settings: Settings):
        self.torch = require_torch()
        self.module, self.output, self.settings = module, output, settings
        self.random = np.random.default_rng(settings.seed)
        self.gain = 1.0

    def fit(self, train: Samples, held: Samples, progress: Progress | None, diagnostics: Diagnostics) -> Trained:
        """Trains, and returns the best network. Ctrl-C and the end of a time budget keep the best so far. Errors: TUN006, TUN007."""
        settings, parameters = self.settings, list(self.module.net.parameters())
        self.set_gain(train)
        epochs = [self.evaluate(held, 0, None)]
        candidates, first = Candidates(len(held)), self.module.chip_numbers()
        candidates.add(epochs[0], first)
        groups = [{"params": [one], "lr": settings.learning_rate * size_of(one)} for one in parameters]
        optimizer = self.torch.optim.Adam(groups)
        rates: list[float] = [group["lr"] for group in groups]
        is_interrupted, result = False, Partial()
        with result:
            try:
                for number in range(1, settings.epochs + 1):
                    with doing("epoch", number, settings.epochs):
                        report_part(progress, number - 1, settings.epochs)
                        factor = rate_factor(settings, number - 1)
                        for group, rate in zip(optimizer.param_groups, rates, strict=True):
                            group["lr"] = rate * factor
                        mean_loss = self.train_epoch(train, optimizer, parameters)
                        numbers = self.module.chip_numbers()
                        for name, array in numbers.items():
                            self.require_finite(array, name.removeprefix(NUMBER_PREFIX))
                        epochs.append(self.evaluate(held, number, mean_loss))
                        candidates.add(epochs[-1], numbers)
            except KeyboardInterrupt:
                is_interrupted = True
        done, left = len(epochs) - 1, settings.epochs - len(epochs) + 1
        if is_interrupted:
            diagnostics.warning(
                TUN005,
                at="nopt tune",
                expected=f"{settings.epochs} epochs",
                found=f"{done}; the best of them is kept",
                help=f"--epochs {max(done, 1)}",
            )
        unfinished = result.finding(f"{left} of {settings.epochs} epochs are")
        best, network = self.best_network(candidates, (epochs[0], first), diagnostics)
        return Trained(network, best, tuple(epochs), unfinished)

    def best_network(
        self, candidates: Candidates, first: tuple[Epoch, Numbers], diagnostics: Diagnostics
    ) -> tuple[Epoch, ModuleOp]:
        """Returns the best epoch that fits the device, with its network. Warnings: TUN009 a better one does not."""
        device, refusal = legalized_device(self.module.network), None
        assert device is not None  # exported for it
        while candidates.epochs:
            epoch, numbers = candidates.best()
            network = self.module.network_with(numbers)
            fitted = fit(network.clone(), device)
            if fitted.fits != "no":
                break
            refusal = refusal or (epoch, fitted.errors[0])
            candidates.remove(epoch)
        else:  # the network before training fits
            epoch, network = first[0], self.module.network_with(first[1])
        if refusal is not None:
            found = f"epoch {refusal[0].number}: {refusal[1].message}, {refusal[1].found}"
            help = Phrase(option("learning-rate", f"{self.settings.learning_rate / 2:g}"))
            expected = f"numbers that {device.key} computes with"
            diagnostics.warning(TUN009, at=f"epoch {epoch.number} is kept", expected=expected, found=found, help=help)
        return epoch, network

    def set_gain(self, train: Samples) -> None:
        """Sets the factor of the scores, from the first samples. Errors: TUN006 first spikes of an output without spikes."""
        with self.torch.no_grad():
            output = self.module.run(train.some(slice(0, EVALUATED)).inputs, self.output)
        if (
            self.settings.loss == "first-spike"
            and output.dtype.is_floating_point
            and bool((output != output.round()).any())
        ):
            refuse(TUN006, at=f'"{self.output}"', expected="spikes", found="values", help="--loss rates")
        self.gain = gain_of(scores_of(output, self.settings.loss).to(self.torch.float64))

    def loss_of(self, samples: Samples) -> tuple[Any, Any]:
        """Returns the loss of a batch, and the class of each sample."""
        scores = scores_of(self.module.run(samples.inputs, self.output), self.settings.loss).to(self.torch.float64)
        labels = self.torch.from_numpy(samples.labels)
        return self.torch.nn.functional.cross_entropy(self.gain * scores, labels), scores.detach().argmax(1)

    def train_epoch(self, train: Samples, optimizer: Any, parameters: list[Any]) -> float:
        """Trains with all batches, and returns their mean loss. Errors: TUN007 it is not finite."""
        order, size, losses = self.random.permutation(len(train)), self.settings.batch, list[float]()
        for start in range(0, len(train), size):
            optimizer.zero_grad()
            loss, _ = self.loss_of(self.thinned(train.some(order[start : start + size])))
            loss.backward()
            self.torch.nn.utils.clip_grad_norm_(parameters, LARGEST_GRADIENT)
            optimizer.step()
            losses.append(float(loss.detach()))
        self.require_finite(losses, "a loss")
        return float(np.mean(losses))

    def thinned(self, samples: Samples) -> Samples:
        """Returns samples in which a share of the input values is 0."""
        if (share := self.settings.drop_input) == 0:
            return samples
        inputs = {name: x * (self.random.random(x.shape) >= share) for name, x in samples.inputs.items()}
        return Samples(inputs, samples.labels)

    def require_finite(self, numbers: ArrayLike, name: str) -> None:
        """Refuses NaN and infinity. Errors: TUN007."""
        if not np.isfinite(numbers).all():
            rate = min(self.settings.learning_rate / 10, LEARNING_RATE)
            help = Phrase(option("learning-rate", f"{rate:g}"))
            refuse(TUN007, at=name, expected="finite numbers", found="NaN or infinity", help=help)

    def evaluate(self, held: Samples, number: int, training_loss: float | None) -> Epoch:
        """Returns loss and accuracy on the held-back samples."""
        module = self.module
        losses, right = 0.0, 0
        with self.torch.no_grad():
            for chip, some in evaluated_parts(held, module.chips):
                module.select_chip(chip)
                loss, decisions = self.loss_of(some)
                losses += float(loss) * len(some)
                right += int((decisions.numpy() == some.labels).sum())
        module.select_chip(None)
        return Epoch(number, training_loss, losses / len(held), right / len(held))


def evaluated_parts(samples: Samples, chips: int) -> Iterator[tuple[int | None, Samples]]:
    """Yields the samples that run at once, with the number of their chip: sample k runs on chip k modulo the number of chips."""
    for first in range(chips or 1):
        mine = samples.some(slice(first, None, chips or 1))
        for start in range(0, len(mine), EVALUATED):
            yield first if chips else None, mine.some(slice(start, start + EVALUATED))


def size_of(parameter: Any) -> float:
    """Returns the root mean square of a parameter; 1 for one that is zero."""
    return float(parameter.detach().square().mean().sqrt()) or 1.0


def rate_factor(settings: Settings, epoch: int) -> float:
    """Returns the learning rate of an epoch relative to that of the first."""
    return 1.0 if settings.schedule == "constant" else (1 + cos(pi * epoch / settings.epochs)) / 2
