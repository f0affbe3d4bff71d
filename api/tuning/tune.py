"""Training of a network for a device: a short loop over the network as the device computes it, and a network file that `compile` takes."""

from __future__ import annotations

import tempfile
from math import prod, sqrt
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from attrs import field, frozen
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute

from ...core.diagnostics import Code, Diagnostics, Finding, quote_names, refuse
from ...core.help_text import Phrase, WithoutOptions, option
from ...core.ir.operation import is_tensor
from ...core.progress import Progress, doing, part_progress, report_part, require_progress
from ...dialects import nir
from ..budgets import MaxTime, with_max_time
from ..compiling.compile import compile
from ..compiling.request import device_of
from ..exporting.drawn_chips import require_drawn
from ..importing.import_weights import IMP030
from ..json_record import Record, key
from ..modules import Network, default_diagnostics, reading
from ..options import TrainableOptions, complete, declared, with_options
from ..running.chip_records import Statistics
from ..running.labels import RUN021, Labels
from ..running.run import execute
from ..running.variability import Draw, run_chips
from .chip_modules import ChipModule, require_torch, single_thread
from .samples import Data, Samples, read_samples
from .training import Epoch, Training
from .training_options import Settings, TuneOptions, checked_settings

TUN008 = Code("TUN008", "training-output-ambiguous", "the network has several outputs")

PARTS = 20
"""Parts of the progress; the builds before and after the training are one each."""


@frozen
class Accuracy(Record):
    """Accuracy of a network on the device, or its mean over manufactured chips."""

    samples: int
    before: float
    after: float
    chips: int | None = None
    """Number of manufactured chips; None: the ideal chip."""
    before_deviation: float | None = None
    """Standard deviation from chip to chip."""
    after_deviation: float | None = None

    def error(self, value: float) -> float:
        """Returns the standard error of an accuracy: `sqrt(a (1 - a) / samples)`."""
        return sqrt(value * (1 - value) / self.samples)

    def as_json(self) -> dict[str, Any]:
        return super().as_json() | {"before_error": self.error(self.before), "after_error": self.error(self.after)}


@frozen
class Tuned(Record):
    """A network that was trained for a device: the record `nopt.tune/1`."""

    SCHEMA = "nopt.tune/1"

    device: str
    settings: Settings
    training_samples: int
    held_back: Accuracy
    """Accuracy of the builds before and after the training, on the samples that the training did not see. Chips are others than those of the training."""
    test: Accuracy | None
    """The same on samples that neither training nor the choice of the epoch saw."""
    best: Epoch
    epochs: tuple[Epoch, ...]
    module: ModuleOp = field(metadata=key(None))
    """The network, legalised for the device, with the trained numbers."""
    unfinished: Finding | None = field(metadata=key(None))
    """Finding about epochs that the time budget did not permit."""


@with_options(TuneOptions)
@with_max_time
def tune(
    network: Network,
    *,
    data: Data,
    labels: Labels | None = None,
    test: Data | None = None,
    mismatch: Draw | None = None,
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
    **given: Unpack[TuneOptions],
) -> Tuned:
    """Trains a network for a device, and returns the network of the best epoch with its accuracy before and after.

        tuned = nopt.tune("net.nir", data="train.npz", target="asic/edge", epochs=20, dt="1ms", like="norse")
        nopt.write(tuned.module, "tuned.mlir")
        build = nopt.compile("tuned.mlir", out="build")

    The result is legalised for the device, with the trained numbers, which `compile` keeps.

    `data` has an array for each input, `[samples, ticks, *shape]`, and `labels`, the class of each sample; `labels` as an argument is another array. The
    options of the device and of the gradients are those of `export_torch`. A share `hold_back` of the samples chooses the epoch. `output` is
    the output that decides, if there are several. `learning_rate` is relative to the root mean square of each parameter. `test` are other samples.
    With `thresholds`, those of populations are trained, too. With `mismatch`, each sample of a step runs on one of these manufactured chips, and the
    accuracies are means over as many chips of the next seed.
    The accuracies are those of builds in temporary folders. The result is the same for the same seed. `progress` counts the epochs. If the time is used up,
    the best epoch so far is returned, with a finding.

    Errors: TUN001 to TUN008; API022; IMP030 a network in ticks; RUN011, PYT007, PYT008 no such chips or thresholds; RUN020 the labels; those of `export_torch` and `compile`. Warnings: TUN005, TUN009.
    """
    require_progress(progress)
    found = default_diagnostics(diagnostics)
    options = complete(TuneOptions, given)
    settings = checked_settings(options)
    chip = {name: options[name] for name in declared(TrainableOptions)}
    if mismatch is not None:
        require_drawn(device_of(options["target"], options["device"], options["set"]), mismatch)
    with reading(network, found) as module:
        inputs, name, classes = training_signals(module, options["output"], has_chips=mismatch is not None)
        samples = read_samples(data, labels, inputs, {name: classes})
        tests = None if test is None else read_samples(test, None, inputs, {name: classes})
        train, held = samples.split(options["hold_back"], settings.seed)
        torch = require_torch()
        with single_thread(torch), torch.random.fork_rng(devices=()):
            torch.manual_seed(settings.seed)  # the module draws a chip for each sample
            with doing("build before training"):
                chip_module = ChipModule(module, {**chip, "mismatch": mismatch})
                before = Built(chip_module.network, name)
            training = Training(chip_module, name, settings)
            trained = training.fit(train, held, part_progress(progress, 1, PARTS, PARTS - 2), found)
            with doing("build after training"):
                after = Built(trained.module, name)
    report_part(progress, PARTS, PARTS)
    return Tuned(
        device=before.device,
        settings=settings,
        training_samples=len(train),
        held_back=accuracy_of(before, after, held, mismatch),
        test=None if tests is None else accuracy_of(before, after, tests, mismatch),
        best=trained.best,
        epochs=trained.epochs,
        module=trained.module,
        unfinished=trained.unfinished,
    )


def training_signals(
    module: ModuleOp, output: str | None, *, has_chips: bool
) -> tuple[dict[str, tuple[int, ...]], str, int]:
    """Returns the inputs of a network with their shapes, and the output that decides with its number of neurons. Errors: IMP030, RUN021, TUN008."""
    graph = next((op for op in module.ops if isinstance(op, nir.GraphOp)), None)
    if graph is None:
        names = ", ".join(sorted({op.name for op in module.ops})) or "an empty module"
        refuse(IMP030, expected="one nir.graph", found=names, help="tune the file that the network was made from")
    types = graph.function_type
    inputs = {name.data: type_shape(type) for name, type in zip(graph.input_names, types.inputs, strict=True)}
    outputs = {name.data: type_shape(type) for name, type in zip(graph.output_names, types.outputs, strict=True)}
    if (output is None and len(outputs) > 1) or (output is not None and output not in outputs):
        refuse(
            TUN008,
            "the network has several outputs" if output is None else f'the network has no output "{output}"',
            at=f"@{graph.sym_name.data}" if output is None else f"--output {output}",
            expected=f"--output with one of {quote_names(outputs)}",
            found="no --output" if output is None else output,
            help=Phrase(option("output", next(iter(outputs)))),
        )
    if has_chips and len(outputs) > 1:  # runs of manufactured chips count the decisions of one output
        help = Phrase(WithoutOptions(("--mismatch", "--chips")))
        refuse(RUN021, at="--mismatch", expected="a network with one output", found=quote_names(outputs), help=help)
    name = next(iter(outputs)) if output is None else output
    return inputs, name, prod(outputs[name])


def type_shape(type: Attribute) -> tuple[int, ...]:
    """Returns the shape of a signal."""
    assert is_tensor(type)  # verified
    return tuple(type.get_shape())


class Built:
    """A compiled network in a temporary folder, and its decisions."""

    def __init__(self, module: ModuleOp, output: str):
        """Compiles a legalised network. Errors: those of `compile`."""
        self.folder = tempfile.TemporaryDirectory()
        build = compile(module, out=Path(self.folder.name) / "build", diagnostics=Diagnostics())
        self.path, self.output, self.device = build.folder, output, str(build.report["device"]["name"])

    def accuracy(self, samples: Samples) -> float:
        """Returns the share of samples that the build classifies correctly, as `nopt run` of the build with labels."""
        decisions = execute(self.path, samples.inputs, diagnostics=Diagnostics()).argmax(self.output)
        return float(np.mean(np.array(decisions) == samples.labels))

    def accuracy_of_chips(self, samples: Samples, chips: Draw) -> Statistics:
        """Returns the accuracy over manufactured chips, as `nopt run --chips` of the build with labels. They are not those of the training."""
        options: Any = {"chips": chips.chips, "seed": chips.seed + 1, "diagnostics": Diagnostics()}
        found = run_chips(self.path, samples.inputs, labels=samples.labels, **options)
        (ages,) = found.ages
        assert ages.accuracy is not None  # there are labels
        return ages.accuracy


def accuracy_of(before: Built, after: Built, samples: Samples, chips: Draw | None) -> Accuracy:
    with doing("runs of the builds"):
        if chips is None:
            return Accuracy(len(samples), before.accuracy(samples), after.accuracy(samples))
        start, end = (one.accuracy_of_chips(samples, chips) for one in (before, after))
        return Accuracy(len(samples), start.mean, end.mean, chips.chips, start.deviation, end.deviation)
