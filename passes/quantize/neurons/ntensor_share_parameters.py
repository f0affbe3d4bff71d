"""Replaces the parameters of neurons with those of a similar neuron, so that a network has at most a given number of different sets of parameters.

    ntensor.neuron "lif" @norse_lif.value(%x) {canonical = {decay = [0.95, 0.951, 0.90], …}, …}
      =>                                                                     (max-classes=2)
    ntensor.neuron "lif" @norse_lif.value(%x) {canonical = {decay = [0.95, 0.95, 0.90], …}, …}

1. Neurons are compared by the logarithms of 1 - decay, 1 - decay_i, and the threshold in multiples of the effect of an input, and by the leak in
   multiples of the threshold.
2. Each population has one class. Further ones go, one by one, to the population whose squared distances decrease most, while the classes of all populations,
   and one of the neurons that relay delays and constant sums, if there are any, are at most `max-classes`. Populations without differences have one class.
3. The classes of a population are clusters: the first centres are the neurons that are farthest from those before, and Lloyd's iterations follow. A
   neuron has all parameters, states and canonical values of the neuron that is nearest to the centre of its class, so that an update stays consistent.

The record holds the largest and the mean difference of canonical values.

Errors: NTE009 a network in continuous time; ANA031 a name in `nodes`; QUA050 `max-classes` out of range.
Source: S. P. Lloyd, Least squares quantization in PCM, IEEE Trans. Inf. Theory 28(2), 1982.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from attrs import define
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ....analysis.approximation_errors import Errors
from ....analysis.node_selection import name_of
from ....analysis.parameter_sets import count_parameter_sets, count_relay_sets, values_of_neurons
from ....core.arrays.arrays import uniform
from ....core.arrays.numeric import Ints, NamedReals, Reals
from ....core.diagnostics import Code, ExitCode, refuse
from ....core.ir.operation import shape_of
from ....core.ir.pipeline import NoptPass, pass_text, suggest_pass
from ....core.number_texts import counted_text
from ....dialects import ntensor
from ._populations import populations

QUA050 = Code("QUA050", "class-number-out-of-range", "a number of classes is out of range", exit_code=ExitCode.MISUSED)

SMALLEST = 1e-6
"""Least value whose logarithm is compared."""
ITERATIONS = 32
"""Lloyd's iterations at most."""


@dataclass(frozen=True)
class NtensorShareParametersPass(NoptPass):
    """Reduces the sets of parameters of every `ntensor.network`.

    Options:
        max-classes: sets of parameters of all populations together, at least one for each; default 1.
        nodes: the populations whose neurons change; default all.
    """

    name = "ntensor-share-parameters"
    APPROXIMATES = ("current", "decay", "leak", "threshold")
    max_classes: int = 1
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.max_classes < 1:
            help = suggest_pass(replace(self, max_classes=1))
            refuse(
                QUA050,
                at=f"max-classes={self.max_classes}",
                expected="1 or more",
                found=str(self.max_classes),
                help=help,
            )
        for network, chosen in populations(op, self.nodes, self.name):
            clusters = [Clusters.of(one) for one, _ in chosen]
            named = {one for one, _ in chosen}
            others = sum(count_parameter_sets(one) for one in network.populations if one not in named)
            left = self.max_classes - others - count_relay_sets(network) - len(clusters)
            for _ in range(max(0, left)):  # 2
                best = max(clusters, key=lambda one: one.gain, default=None)
                if best is None or best.gain <= 0:
                    break
                best.classes += 1
            errors = Errors()
            for one in clusters:
                one.share(errors)
            parts = [f"{name_of(one.op)} has {counted_text(one.classes, 'set')}" for one in clusters if one.is_changed]
            what = f"parameters shared: {', '.join(parts)}"
            errors.record(network, pass_text(self), what)


@define(eq=False)
class Clusters:
    """The neurons of a population as points. Shapes: points [neurons, coordinates]."""

    op: ntensor.NeuronOp
    points: Reals
    different: int
    """Different sets of parameters."""
    classes: int = 1
    is_changed: bool = False

    @staticmethod
    def of(op: ntensor.NeuronOp) -> Clusters:
        size = int(np.prod(shape_of(op.z)))
        given = {} if op.canonical is None else dict(op.arrays(op.canonical))
        points = coordinates({name: array.values.astype(np.float64) for name, array in given.items()}, size)
        return Clusters(op, points, count_parameter_sets(op))

    @property
    def gain(self) -> float:
        """Returns the decrease of squared distances by one more class."""
        return 0.0 if self.classes >= self.different else self.distance(self.classes) - self.distance(self.classes + 1)

    def distance(self, classes: int) -> float:
        centres, members = clustered(self.points, classes)
        return float(((self.points - centres[members]) ** 2).sum())

    def share(self, errors: Errors) -> None:
        """Sets the parameters of each neuron to those of the neuron that is nearest to the centre of its class."""  # 3
        if self.different <= self.classes:
            return
        centres, members = clustered(self.points, self.classes)
        distances = ((self.points[:, None] - centres[None]) ** 2).sum(-1)
        nearest = np.array([np.where(members == k, distances[:, k], np.inf).argmin() for k in range(len(centres))])
        source, shape = nearest[members], shape_of(self.op.z)
        for name in ("params", "initial", "canonical"):
            if (held := getattr(self.op, name)) is None:
                continue
            before = {key: array.values for key, array in self.op.arrays(held)}
            after = {
                key: uniform(values_of_neurons(values, len(source))[source].reshape(shape))
                for key, values in before.items()
            }
            setattr(self.op, name, ntensor.array_dictionary(after))
            if name == "canonical":
                for key, values in before.items():
                    change = np.abs(
                        values_of_neurons(after[key], len(source)).astype(np.float64)
                        - values_of_neurons(values, len(source))
                    )
                    if change.any():
                        errors.add(name_of(self.op), change)
        self.is_changed = True


def coordinates(value: NamedReals, size: int) -> Reals:
    """Returns the points of neurons with some canonical values. Shapes: [neurons, coordinates]."""  # 1

    def of(name: str, default: float) -> Reals:
        return values_of_neurons(np.asarray(value.get(name, default), np.float64), size)

    threshold = np.maximum(np.abs(of("threshold", 1.0)), SMALLEST)
    reach = threshold / np.maximum(np.abs(of("gain", 1.0) * of("gain_i", 1.0)), SMALLEST)
    rows = [np.log(np.maximum(1 - of(name, 0.0), SMALLEST)) for name in ("decay", "decay_i")]
    return np.stack([*rows, np.log(reach), of("leak", 0.0) / threshold], axis=1)


def clustered(points: Reals, classes: int) -> tuple[Reals, Ints]:
    """Returns centres, and the centre of each point. Shapes: [classes, coordinates], [points]."""
    chosen, distance = [0], ((points - points[0]) ** 2).sum(1)
    while len(chosen) < classes and distance.max() > 0:
        chosen.append(int(distance.argmax()))
        distance = np.minimum(distance, ((points - points[chosen[-1]]) ** 2).sum(1))
    centres, members = points[chosen], np.zeros(len(points), np.int64)
    for _ in range(ITERATIONS):
        nearest = ((points[:, None] - centres[None]) ** 2).sum(-1).argmin(1)
        centres = np.stack(
            [points[nearest == k].mean(0) if (nearest == k).any() else centres[k] for k in range(len(centres))]
        )
        if (nearest == members).all():
            break
        members = nearest
    return centres, members
