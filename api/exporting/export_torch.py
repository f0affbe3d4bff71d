"""Export of a network as a device computes it to a module of PyTorch: one file of Python, and its arrays."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from itertools import count
from keyword import iskeyword
from pathlib import Path
from typing import Unpack

from attrs import frozen

from ...core.diagnostics import Code, Diagnostics, ExitCode, refuse
from ...core.ir.operation import texts_of
from ...core.progress import Progress, require_progress
from ..atomic_files import write_whole
from ..budgets import MaxTime, with_max_time
from ..compiling.added_passes import with_added_passes
from ..compiling.legalized_networks import mark_legalized
from ..compiling.request import CompileRequest, device_of, effort_of, refuse_without_sample
from ..compiling.steps.lowering import Lowered, lower_network
from ..compiling.steps.preparation import prepare_network
from ..json_record import Record
from ..modules import Network, default_diagnostics, only_network, reading, write
from ..options import TrainableOptions, complete, with_options
from ..permissions.calibrated_networks import CalibratedNetworks
from ..running.chips import find_start
from ..running.run import lift_graphs
from ..running.variability import Draw
from .drawn_chips import drawn_parameters, require_drawn
from .network_trace import NetworkTrace
from .torch_module import SurrogateGradient, arrays_digest, torch_files
from .weight_masters import Masters

PYT004 = Code("PYT004", "export-not-python-file", "the output is not a file of Python", exit_code=ExitCode.MISUSED)
PYT006 = Code("PYT006", "export-replaces-other-file", "the output is a file that was not exported")
PYT008 = Code("PYT008", "thresholds-not-trainable", "no threshold of the chip follows from one of the network")
PYT005 = Code("PYT005", "export-of-compiled-network", "the module is of a later level than a network")


EXPORT_MARK = "Written by nopt "
"""Text of every exported file."""


@frozen
class Exported(Record):
    """A module of PyTorch that was written."""

    file: str
    arrays: str
    network: str
    """The legalised network, which takes trained weights."""
    device: str
    parameters: dict[str, dict[str, list[int]]]
    """Shapes of the parameters, by node and name."""
    inputs: list[str]
    outputs: list[str]
    approximations: list[str]
    """The passes that changed a number, as they are recorded."""


@with_options(TrainableOptions)
@with_max_time
def export_torch(
    network: Network,
    *,
    out: str | Path,
    mismatch: Draw | None = None,
    strict: bool = False,
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
    **given: Unpack[TrainableOptions],
) -> Exported:
    """Writes a network, as a device computes it, as a module of PyTorch: a file of Python, and its arrays in a `.npz` with the same name.

    A `.mlir` of this name is the legalised network: `import_weights` sets the numbers of a trained module in it, and `compile` keeps them.

        nopt.export_torch("net.nir", out="chip.py", target="loihi2/oheo_gulch", dt="1ms", like="norse")

    The options of the network and of the device are those of `compile`. The parameters of the module are those of the trained network; it quantizes them as the device
    does. `surrogate` is the gradient of a comparison that decides about a spike: `atan` or `fast_sigmoid`, with a width relative to the distance of
    a resting neuron from its threshold, and a factor `surrogate_scale`. With `detach_reset`, no gradient flows through resets.
    With `thresholds`, those of populations are parameters, too. With `mismatch`, the parameters of neurons on manufactured chips are stored, and each sample of a training step runs on one of these chips.

    Errors: PYT001 to PYT008; RUN011; API012 a file; API022 an option; those of `compile` up to the network that the device computes.
    """
    require_progress(progress)
    file, found = Path(out), default_diagnostics(diagnostics)
    if file.suffix != ".py" or not is_module_name(file.stem):
        refuse(PYT004, at=str(out), expected="a file that Python imports, NAME.py", found=file.name, help="-o chip.py")
    refuse_other_file(file)
    options = complete(TrainableOptions, given)
    refuse_without_sample(options["calib"], options["axes"], None)
    effort = effort_of(options["effort"], options["recipe"], has_sample=options["calib"] is not None)
    gradient = SurrogateGradient(
        options["surrogate"], options["surrogate_width"], options["surrogate_scale"], options["detach_reset"]
    )
    named = device_of(options["target"], options["device"], options["set"])
    request = CompileRequest.of(
        network, out, named, options, effort=effort, strict=strict, progress=progress, diagnostics=found
    )
    chosen = request.device
    if mismatch is not None:
        require_drawn(chosen, mismatch)
    trace = NetworkTrace()
    lowered = legalised(request, trace)
    request.settle()
    graph = only_network(lowered.network)
    source = str(network) if isinstance(network, str | Path) else graph.sym_name.data
    drawn = None if mismatch is None else drawn_parameters(lowered.module, graph, chosen, mismatch)
    masters = Masters(trace.origins(), *trace.grids(graph), trace.thresholds() if options["thresholds"] else {})
    files = torch_files(graph, masters, file.stem, gradient, drawn=drawn, device=chosen.key, source=Path(source).name)
    require_thresholds(masters, chosen.key)
    mark_legalized(lowered.network, chosen, arrays_digest(files[f"{file.stem}.npz"]))
    files[f"{file.stem}.mlir"] = write(lowered.network).encode()
    for name, data in files.items():  # the file first: it refuses arrays of another export
        write_whole(file.with_name(name), data)
    shapes = {node: {name: list(array.shape) for name, array in found.items()} for node, found in masters.nodes.items()}
    names = (texts_of(graph.input_names), texts_of(graph.output_names))
    steps = [one.step.data for one in graph.approximations or ()]
    return Exported(
        str(file), str(file.with_suffix(".npz")), str(file.with_suffix(".mlir")), chosen.key, shapes, *names, steps
    )


def require_thresholds(masters: Masters, device: str) -> None:
    """Refuses thresholds as parameters if no population of the device has one that follows from its node. Errors: PYT008."""
    if masters.thresholds and not any("v_threshold" in found for found in masters.nodes.values()):
        refuse(
            PYT008,
            at="--train-thresholds",
            expected="a population with a threshold of its own",
            found=device,
            help="nopt targets",
        )


def is_module_name(stem: str) -> bool:
    """Returns whether Python can import a file `stem.py`."""
    return stem.isidentifier() and not iskeyword(stem)


def refuse_other_file(file: Path, suffixes: Sequence[str] = (".npz", ".mlir")) -> None:
    """Refuses to replace a file, or those with `suffixes` that are written with it, if no export wrote it. Errors: PYT006; those of reading it."""
    if file.is_file():
        is_other, found = EXPORT_MARK not in file.read_text(errors="replace"), file.name
    else:  # an export writes no other file without this one
        others = [one.name for one in map(file.with_suffix, suffixes) if one.exists()]
        is_other, found = bool(others), ", ".join(others)
    if is_other:
        expected = "a new file, or one of an earlier export"
        refuse(PYT006, at=str(file), expected=expected, found=found, help=f"-o {unused_file(suffixes)}")


def unused_file(suffixes: Sequence[str]) -> str:
    """Returns the name of a file of Python that does not exist, nor one of the same name with another of the suffixes."""
    names = (f"other_chip{number or ''}.py" for number in count())
    return next(one for one in names if not any(Path(one).with_suffix(s).exists() for s in (".py", *suffixes)))


def legalised(request: CompileRequest, trace: NetworkTrace) -> Lowered:
    """Returns the network that the device of a request computes. `trace` sees every pass. Errors: PYT005; those of `compile`."""
    with tempfile.TemporaryDirectory() as folder, reading(request.network, request.diagnostics) as module:
        if (start := find_start(module, request.device, request.passes)) is not None:
            expected, found = "a .nir file, or a network in ticks", start.level
            key = request.device.key
            help = f"nopt export FILE --torch --target {key} -o chip.py"
            refuse(PYT005, at=key, expected=expected, found=found, help=help)
        given = lift_graphs(module, request.diagnostics)
        networks = CalibratedNetworks(
            given, request.choices, request.calib, request.axes, is_lifted=given is not module
        )
        request = with_added_passes(request, networks)
        return lower_network(request, prepare_network(request, networks, Path(folder), trace))
