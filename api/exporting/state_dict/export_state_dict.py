"""Export of the weights of a network into the state dictionary of the PyTorch network that it was imported from.

1. Normalisations of the framework's network are folded into the layers before them, as in the import, and become identities.
2. The places of the entries of its state dictionary are found (`state_places.py`).
3. The weights of the network of nopt are written at these places. A parameter without a place must have the number of the framework's network.
4. The framework's network with the new state dictionary is exported again, which must give the weights of nopt, and both run on the same input.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

from attrs import field, frozen

from ....core.diagnostics import Code, Diagnostics, ExitCode, first_of, refuse
from ....core.progress import Progress, doing, require_progress
from ....passes.pipelines import DISCRETISE
from ...atomic_files import write_whole
from ...budgets import MaxTime, with_max_time
from ...importing.import_network import (
    DEFAULT_INPUT,
    Imported,
    Precision,
    compare_network,
    read_inputs,
    require_share,
    settle_numbers,
)
from ...importing.user_networks import call_maker, load_network
from ...json_record import Record, key
from ...modules import Network, default_diagnostics, reading
from ...unit_values import time_ns
from .framework_state import FrameworkState, arrays_of
from .network_weights import network_in_ticks, parameters_in, shapes_of_inputs
from .state_places import StatePlaces
from .state_values import PARAMETERS_SHOWN, require_equal, same_parameters, write_values

PYT012 = Code("PYT012", "state-output-not-pt", "the output is not a file of PyTorch", exit_code=ExitCode.MISUSED)
PYT013 = Code("PYT013", "normalisations-set-to-identity", "normalisations are part of the weights before them")
PYT014 = Code("PYT014", "weights-rounded-to-framework", "weights are rounded to the number format of the framework")


@frozen
class StateEntry(Record):
    """One entry of the state dictionary that has weights of the network."""

    name: str
    shape: tuple[int, ...]
    changed: int
    """Number of entries that differ from those of the framework's network."""
    parameters: tuple[str, ...]
    """Parameters of the network that it holds, `NODE.PARAMETER`."""


@frozen
class ExportedState(Record):
    """A state dictionary with the weights of a network: the record `nopt.export_state/1`."""

    SCHEMA = "nopt.export_state/1"

    file: str | None
    entries: tuple[StateEntry, ...]
    kept: tuple[str, ...]
    """Entries of the framework's network that stay."""
    identities: tuple[str, ...]
    """Normalisations that are identities now."""
    rounding: float
    """Largest relative change of a weight by the number format of the framework."""
    comparison: Imported
    """Comparison of the framework's network, with the new weights, with the network of nopt."""
    state: Mapping[str, Any] = field(metadata=key(None))
    """The state dictionary."""


@with_max_time
def export_state_dict(
    network: Network,
    into: Any,
    out: str | Path | None = None,
    *,
    input: Any = DEFAULT_INPUT,
    axes: str | None = None,
    dt: str | None = None,
    precision: Precision | None = None,
    allow_differing: float = 0.0,
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
) -> ExportedState:
    """Writes the weights of a network into the state dictionary of the PyTorch network that it was imported from, and compares both.

        nopt.export_state_dict("quantized.mlir", "train.py:make_network", "quantized.pt")
        network.load_state_dict(torch.load("quantized.pt", weights_only=True))

    `into` is `FILE.py:NAME`, a network, or a function that makes one, as in `import_network`; its weights are replaced, and its own object does not change. The network of
    nopt is one in continuous time, or one in ticks whose arithmetic is reals. `dt` is the one of the import. The comparison runs on `input`.

    Errors: PYT009, PYT010, PYT011 the networks; PYT012 the file; API012 it cannot be written; those of `convert-ntensor-to-nir` a network in ticks, and of `import_network`.
    Remarks: PYT013, PYT014.
    """
    require_progress(progress)
    found = default_diagnostics(diagnostics)
    if out is not None and Path(out).suffix not in (".pt", ".pth"):
        refuse(PYT012, at=str(out), expected="NAME.pt", found=Path(out).name, help="-o weights.pt")
    require_share(allow_differing)
    is_file = isinstance(into, str | Path)
    at = str(into) if is_file else getattr(into, "__name__", type(into).__name__)
    with reading(network, found) as given:
        module = given.clone()
    wanted, is_in_ticks = parameters_in(module), network_in_ticks(module) is not None
    with doing(f"making the network of {at}"):
        source = load_network(into) if is_file else call_maker(into, at, at)
    target = FrameworkState(source, at, shapes_of_inputs(module), None if dt is None else time_ns(dt) / 1e9)
    with doing("finding the places of the weights"):
        identities = target.set_identities()
        places = StatePlaces(target.state(), target.parameters(), target.raw_parameters)
        places.find()
        wanted = same_parameters(wanted, places.baseline, at, is_in_ticks=is_in_ticks)
        state, written, rounding = write_values(wanted, places, target.repaired(), at)
    report_changes(identities, rounding, found)
    exported = target.export(state, found)
    checked, choices = settle_numbers(exported, {"like": None, "reset": None, "options": None}, Diagnostics())
    require_equal(wanted, arrays_of(checked), at)
    inputs = read_inputs(exported, input, axes, found)
    comparison = compare_network(exported, module, choices, inputs, precision, allow_differing, at, found, progress)
    found.settle()
    if out is not None:
        write_whole(out, state_file(state))
    entries = written_entries(written, state, target.original)
    kept = tuple(name for name in state if all(name != entry.name for entry in entries))
    return ExportedState(
        None if out is None else str(out), entries, kept, tuple(identities), rounding, comparison, state
    )


def report_changes(identities: Sequence[str], rounding: float, diagnostics: Diagnostics) -> None:
    """Remarks: PYT013, PYT014."""
    if identities:
        diagnostics.remark(
            PYT013,
            at=first_of([f'"{name}"' for name in identities], PARAMETERS_SHOWN),
            node=identities[0],
            expected="weights that contain the normalisation",
            found="the identity, or the bias alone",
        )
    if rounding:
        diagnostics.remark(
            PYT014,
            expected="the weights of the network",
            found=f"a relative change of at most {rounding:.2g}",
            help=f"-p '{DISCRETISE}{{precision=f32 …}}' computes and quantizes in f32",
        )


def written_entries(
    written: Mapping[str, Mapping[str, None]], state: Mapping[str, Any], before: Mapping[str, Any]
) -> tuple[StateEntry, ...]:
    return tuple(
        StateEntry(key, tuple(state[key].shape), int((state[key] != before[key]).sum()), tuple(written[key]))
        for key in state
        if key in written
    )


def state_file(state: Mapping[str, Any]) -> bytes:
    """Returns the bytes of a file of PyTorch."""
    torch: Any = import_module("torch")
    buffer = BytesIO()
    torch.save(dict(state), buffer)
    return buffer.getvalue()
