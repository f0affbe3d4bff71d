"""Neurons of a file for legalisation: read, checked, chosen by name or by the family that they serve."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches
from pathlib import Path

from attrs import evolve

from ....core.device.named_device import resolve_device
from ....core.device.records import Device
from ....core.diagnostics import Code, ExitCode, Refused, first_of, refuse, refuse_op
from ....core.files import reason_of
from ....core.help_text import Passes, Phrase
from ....core.ir.pipeline import option_text
from ....core.neuron.tree import Neuron, NeuronFile
from ....core.registry import devices, neurons, presets
from ....dialects import ntensor
from ...pipelines import FALLING, LINEAR, LINEARIZE, REPLACE_LEAK
from ..rates._count_layers import COUNTED, EXPONENTIAL, INTEGRATING, layers_remedy

LEG023 = Code("LEG023", "neuron-file-missing", "the file of neurons does not exist", exit_code=ExitCode.MISUSED)
LEG024 = Code("LEG024", "neuron-missing-in-file", "the file has no such neuron", exit_code=ExitCode.MISUSED)
LEG025 = Code("LEG025", "neuron-family-mismatch", "the neuron does not serve the family of a population")


LEAK_NOTE = "the leak of the population is a fraction of v in each tick (exponential), that of the device is a constant (linear)"
INTEGRATED = "if"
"""The family that neurons with an exponential leak become with a bias in its place."""
BIAS_NOTE = "an integrator takes its place, with a constant negative bias as the leak"
NAMED_NEURONS = 4
"""Maximum number of populations in a note."""


def read_neurons(to: str, populations: Sequence[str]) -> NeuronFile:
    """Returns the neurons of a device, of a preset or file that nopt includes, or of a user's file; `populations` names the nodes that use them."""
    from ....core.neuron.neuron import check_neuron, parse_neurons

    if (device := device_called(to)) is not None:
        return neurons_of(device)
    known = {**presets(), **neurons()}
    path = known.get(to) or Path(to)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        refuse(
            LEG023,
            f"{to} cannot be read",
            at=f"to={option_text(to)}",
            expected=f"a file in the neuron language, or one of {', '.join(known)}",
            found=reason_of(error),
            help=f"ntensor-set-neuron-model{{to={next(iter(get_close_matches(to, known, 1)), next(iter(known)))}}}",
        )
    try:
        file = parse_neurons(text, str(path))
        for neuron in file.neurons:
            check_neuron(neuron)
    except Refused as refusal:
        named = first_of([f'"{name}"' for name in populations], NAMED_NEURONS)
        note = f"ntensor-set-neuron-model wants it for {named or 'no population'}"
        raise Refused(*(evolve(finding, notes=(*finding.notes, note)) for finding in refusal.findings)) from None
    return file


def device_called(to: str) -> Device | None:
    """Returns the device that `to` names, by its key or its file; None where it is not a device."""
    target, _, name = to.partition("/")
    return resolve_device(to) if to.endswith(".json") or name in devices().get(target, {}) else None


def neurons_of(device: Device) -> NeuronFile:
    """Returns a neuron file with the neurons that a device's updates name."""
    from ....core.neuron.neuron import parse_neurons

    found: dict[str, Neuron] = {}
    for name, update in device.updates.items():
        neurons = parse_neurons("\n".join(update.text), update.file or device.key).neurons
        found |= {neuron.name: neuron for neuron in neurons if neuron.name == name}
    return NeuronFile(None, tuple(found.values()), device.key)


def fixed_options(to: str, neuron: str) -> dict[str, str]:
    """Returns the values of options that a device fixes for one of its neurons."""
    device = device_called(to)
    update = device.updates.get(neuron) if device is not None else None
    return {} if update is None else {option: str(value) for option, value in update.options.items()}


def serving_neuron(neurons: Sequence[Neuron], op: ntensor.NeuronOp, emits: ntensor.Emits) -> Neuron | None:
    """Returns a neuron that serves the family of a population, the first with the same kind of output if there is one."""
    family = op.family.data if op.family is not None else None
    found = [neuron for neuron in neurons if family and neuron.serves(family)]
    return next((neuron for neuron in found if neuron.emit.kind == emits), next(iter(found), None))


def family_remedy(
    op: ntensor.NeuronOp, family: str | None, served: Collection[str], device: Device | None = None
) -> tuple[Phrase, str] | None:
    """Returns passes that convert a population to a supported neuron family, with the reason; None if its family is supported or no pass converts it."""
    if family in served:
        return None
    if family in EXPONENTIAL and LINEAR in served:
        return Phrase(Passes(LINEARIZE)), LEAK_NOTE
    if family in EXPONENTIAL and FALLING in served:
        return Phrase(Passes(f"{LINEARIZE}{{direction=down}}")), LEAK_NOTE
    if family in EXPONENTIAL and INTEGRATED in served:
        current = "current," if family == "cuba_lif" else ""
        least, most = (f"{REPLACE_LEAK}{{approximate={current}{names}}}" for names in ("leak", "leak,threshold"))
        return Phrase(Passes(most), ", or ", Passes(least)), BIAS_NOTE
    network = op.parent_op()
    if family in INTEGRATING and COUNTED in served and isinstance(network, ntensor.NetworkOp):
        layers = layers_remedy(network, device)
        return layers and (Phrase(Passes(layers[0])), layers[1])
    return None


def choose_neuron(file: NeuronFile, name: str | None, op: ntensor.NeuronOp, emits: ntensor.Emits) -> Neuron:
    """Returns the neuron with this name. Without a name, it returns a neuron of the population's family, preferably with the same kind of output."""
    family = op.family.data if op.family is not None else None
    names = [neuron.name for neuron in file.neurons]
    if name is not None and name not in names:
        refuse(
            LEG024,
            f"{file.source} has no neuron {name}",
            at=f"neuron={option_text(name)}",
            expected=", ".join(names) or "a neuron",
            found=name,
            help=f"neuron={names[0]}" if names else None,
        )
    candidates = [neuron for neuron in file.neurons if name in (None, neuron.name)]
    found = serving_neuron(candidates, op, emits)
    if found is None:
        remedy = family_remedy(op, family, [name for neuron in candidates for name in neuron.families])
        served = "; ".join(f"{neuron.name} for {', '.join(neuron.families) or 'none'}" for neuron in candidates)
        who = f"no neuron of {file.source} serves" if name is None else f"neuron {name} does not serve"
        refuse_op(
            op,
            LEG025,
            f"{who} family {family}",
            expected=served or "a neuron",
            found=f"family {family or 'none'}",
            help=remedy[0]
            if remedy
            else "name a neuron that serves it (to=FILE), or the populations that are served (nodes=A,B)",
            notes=[remedy[1]] if remedy else [],
        )
    return found
