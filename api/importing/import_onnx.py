"""Import of an ONNX model: as a network of values, or as a network of spikes with balanced thresholds.

A network of spikes is made in three steps: rectified linear units become integrate-and-fire neurons, the network is converted to ticks, and its thresholds are
balanced with the samples of the user.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
from attrs import field, frozen
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import AnyArray
from ...core.diagnostics import Code, Diagnostics, refuse
from ...core.files import read_head
from ...core.help_text import Phrase, option
from ...core.ir import pass_manager, pipeline
from ...core.ir.context import NoptContext
from ...core.ir.operation import shape_of, texts_of
from ...core.progress import Progress, doing, require_progress
from ...dialects import nir, ntensor
from ...frontends.limits import limits_of
from ...frontends.onnx_file import recognises
from ...passes.pipelines import BALANCE
from ...simulation.stimuli import load_arrays
from ..budgets import MaxTime, with_max_time
from ..calibration_inputs import calibration_pass
from ..discretisation import conversion_pass
from ..json_record import Record, key
from ..modules import available_passes, default_diagnostics, only_network, verify
from ..modules import read as read_network
from ..options import Choices
from ..unit_values import refuse_option

ONX013 = Code("ONX013", "spikes-without-samples", "a network of spikes needs a sample input")
ONX014 = Code("ONX014", "samples-mismatch-model", "the sample input does not fit the model")
ONX015 = Code("ONX015", "onnx-file-expected", "the file is not an ONNX model")

SPIKING_CHOICES: Choices = {"dt": "1ms", "like": "norse", "reset": "subtract"}
"""The conversion of a network of spikes: a reset by subtraction keeps the rest of the potential, so that a rate is an activation."""
DEFAULT_TICKS = 32


@frozen
class ImportedOnnx(Record):
    """An imported ONNX model: the record `nopt.import_onnx/1`."""

    SCHEMA = "nopt.import_onnx/1"

    file: str
    spikes: str | None
    """How spikes stand for values; None for a network of values."""
    ticks: int | None
    """Ticks of a sample in a network of spikes."""
    inputs: Mapping[str, str]
    """Types of the inputs by name."""
    outputs: Mapping[str, str]
    populations: int
    neurons: int
    weights: int
    approximations: tuple[str, ...]
    """Effects of passes that changed numbers."""
    module: ModuleOp = field(metadata=key(None))
    """The network in `ntensor`."""


def is_onnx(path: str | Path) -> bool:
    """Returns whether a file is an ONNX model, by its name or its first bytes. Errors: COR008."""
    return Path(path).suffix == ".onnx" or (Path(path).is_file() and recognises(read_head(path)))


@with_max_time
def import_onnx(
    path: str | Path,
    *,
    spikes: Literal["rates"] | None = None,
    calib: Any = None,
    ticks: int = DEFAULT_TICKS,
    limits: Mapping[str, int] | None = None,
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
) -> ImportedOnnx:
    """Imports an ONNX model.

        imported = nopt.import_onnx("net.onnx", spikes="rates", calib="x.npy")
        nopt.write(imported.module, "net.mlir")

    Without `spikes` it is a network of values, the same as that of `nopt.read`. With `spikes="rates"` the rates of spikes are activations, and thresholds are balanced with `calib`: a `.npy`, or an
    array for each input, of `[samples, *shape]`, shown in each of `ticks` ticks, or `[samples, ticks, *shape]`. `limits` are those of `nopt.read`, and
    `progress` counts the passes.

    Errors: COR008; IMP007 without the package; NIF027; ONX001 to ONX012; ONX013 spikes without `calib`; ONX014 samples of another shape; ONX015 another file; those of the passes.
    """
    require_progress(progress)
    found = default_diagnostics(diagnostics)
    if not recognises(read_head(path)):
        help = "nopt - --help"
        refuse(ONX015, file=str(path), expected="the first bytes of a model", found="others", help=help)
    if spikes is None:
        with doing("reading the model"):
            module = read_network(path, limits=limits or {}, diagnostics=found)
        return imported_record(path, None, None, module)
    if spikes != "rates":
        refuse_option("--spikes", spikes, "rates", "rates")
    if calib is None:
        expected = "samples for the balance of thresholds"
        refuse(ONX013, at="--spikes", expected=expected, found="none", help=Phrase(option("calib", "x.npy")))
    if ticks < 1:
        refuse_option("--ticks", ticks, "1 or more", str(DEFAULT_TICKS))
    module = spiking_module(path, limits, found)
    samples = sample_arrays(calib, next(op for op in module.ops if isinstance(op, nir.GraphOp)), ticks)
    balance = pipeline.parse_pipeline(BALANCE, available_passes())
    steps = [conversion_pass(SPIKING_CHOICES), *calibration_pass(samples, "samples,ticks", later=balance), *balance]
    with doing("balance of thresholds"):
        pass_manager.run_passes(steps, NoptContext(diagnostics=found, progress=progress), module)
    return imported_record(path, spikes, ticks, module)


def spiking_module(path: str | Path, limits: Mapping[str, int] | None, diagnostics: Diagnostics) -> ModuleOp:
    """Returns a model as a network of spikes in continuous time."""
    from ...frontends.onnx.model import read_graph
    from ...frontends.onnx.network import build_spiking_network

    with doing("reading the model"):
        module = build_spiking_network(read_graph(Path(path), limits_of(limits or {})), diagnostics)
        verify(module)
    return module


def sample_arrays(calib: Any, network: nir.GraphOp, ticks: int) -> dict[str, AnyArray]:
    """Returns samples for each input: `[samples, ticks, *shape]`. Errors: ONX014; those of the file."""
    given: Any = load_arrays(calib)[0] if isinstance(calib, str | Path) else calib
    names = texts_of(network.input_names)
    entries: Mapping[str, Any] = given if isinstance(given, Mapping) else {names[0]: given}
    found: dict[str, AnyArray] = {}
    for name, arg in zip(names, network.body.block.args, strict=True):
        shape, x = shape_of(arg), np.asarray(entries.get(name, ()), np.float32)
        if x.shape[1:] == shape:
            x = np.repeat(x[:, None], ticks, axis=1)
        if x.shape[2:] != shape or not x.size:
            sizes = ", ".join(map(str, shape))
            refuse(
                ONX014,
                at="--calib",
                expected=f"[samples, {sizes}] or [samples, ticks, {sizes}] for input {name}",
                found=f"shape {list(x.shape)}",
                help=f"numpy.save('x.npy', x.reshape(-1, {sizes}))",
            )
        found[name] = x
    return found


def imported_record(path: str | Path, spikes: str | None, ticks: int | None, module: ModuleOp) -> ImportedOnnx:
    network = only_network(module)
    ops = list(network.body.block.ops)
    synapses = [op.weights for op in ops if isinstance(op, ntensor.SynapseOpInterface)]
    ends = (network.input_names, network.body.block.args), (network.output_names, network.outputs.values)
    inputs, outputs = (
        {name: str(value.type) for name, value in zip(texts_of(names), values, strict=True)} for names, values in ends
    )
    return ImportedOnnx(
        file=str(path),
        spikes=spikes,
        ticks=ticks,
        inputs=inputs,
        outputs=outputs,
        populations=len(network.populations),
        neurons=sum(int(np.prod(shape_of(op.z))) for op in network.populations),
        weights=sum(one.data.size for one in synapses if one is not None),
        approximations=tuple(record.what.data for record in network.approximations or ()),
        module=module,
    )
