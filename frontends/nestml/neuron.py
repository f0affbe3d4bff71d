"""A NESTML model as a neuron of the neuron language.

The equations keep the units of NEST: ms, mV, pA, pF, nS. Each port is an input, the sum of weights of a spiking port or the value of a continuous one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from attrs import frozen

from ...core.diagnostics import Code, Refused, choices_text, near_names, refuse
from ...core.expressions.tree import Expr, Name
from ...core.help_text import Phrase, other_key
from ...core.neuron.neuron import check_neuron, parse_neurons
from ..limits import DEFAULTS, Limits
from . import algebra
from .integration import RK4, Integration
from .model import BOOLEAN, Model, Variable
from .reading import read_model
from .source import Source, parse_model
from .statements import Lowering, assignments, blocks_of, timers_of
from .writer import Writer

NML008 = Code("NML008", "nestml-choice-unknown", "a model has no port or parameter of this name")
NML009 = Code("NML009", "nestml-value-invalid", "a value of a parameter is not valid")

MOST_SUBSTEPS = 32


@frozen
class NestmlParameter:
    """A parameter of a model."""

    name: str
    """Its name in the equations."""
    unit: str
    default: float
    """In ms, mV, pA, pF, nS and their products."""


@frozen
class NestmlNeuron:
    """Equations of a model in the neuron language."""

    name: str
    text: str
    parameters: tuple[NestmlParameter, ...]
    """Parameters that are not fixed."""
    inputs: tuple[str, ...]
    exact: tuple[str, ...]
    """Variables whose equations are solved exactly."""
    numeric: tuple[str, ...]
    """Variables that are integrated numerically."""


def read_neuron(
    path: Path,
    limits: Limits = DEFAULTS,
    *,
    model: str | None = None,
    ports: Iterable[str] | None = None,
    values: Mapping[str, float] | None = None,
    fixed: bool | Iterable[str] = False,
    substeps: int = 1,
    solver: str = RK4,
) -> NestmlNeuron:
    """Reads a model as a neuron.

    `ports` are those with an input, all by default. `values` replace values of parameters. `fixed` parameters are numbers in the equations; True
    fixes all. Errors: IMP007, NIF027, NML001 to NML009.
    """
    source, tree = parse_model(path, limits)
    try:
        return neuron_of(source, read_model(source, tree, model), ports, dict(values or {}), fixed, substeps, solver)
    except ArithmeticError as error:
        source.unsupported(tree.place, "arithmetic beyond doubles is", "numbers in the range of doubles", str(error))


def neuron_of(
    source: Source,
    model: Model,
    ports: Iterable[str] | None,
    values: Mapping[str, float],
    fixed: bool | Iterable[str],
    substeps: int,
    solver: str,
) -> NestmlNeuron:
    """Returns a model as a neuron. Errors: NML002 to NML009."""
    chosen = tuple(model.ports) if ports is None else tuple(ports)
    names = [*model.parameters] if fixed is True else [*(fixed or ())]
    refuse_unknown_names("port", "--ports", model.ports, chosen, source)
    refuse_unknown_names("parameter", "--fixed", model.parameters, names, source)
    refuse_unknown_names("parameter", "--set", model.parameters, values, source)
    defaults = default_values(model, values, source)
    given_values: dict[str, Expr] = {name: algebra.double_number(defaults[name]) for name in (*names, *values)}
    given_values |= {
        one.name: Name("true" if defaults[one.name] else "false")
        for one in model.parameters.values()
        if one.kind == BOOLEAN
    }
    writer = Writer(source, model, given_values)
    timers = timers_of(model)
    writer.constant_states |= {name: algebra.ZERO for name in model.ports if name not in chosen}
    if not chosen:
        source.unsupported(model.place, "a neuron without an input is", "one port or more", "none")
    writer.timers |= {writer.names[name] for name in timers}
    integration = Integration(source, model, writer, timers, chosen, substeps, solver)
    writer.inputs += [writer.names[name] for name in model.ports if name in chosen]
    declare_states(model, writer, integration, given_values)
    lowering = Lowering(source, model, writer, integration)
    for name in timers:
        writer.states[writer.names[name]] = ": u24", lowering.ticks(model.state[name].value)
    result = lowering.tick()
    parameters = tuple(
        NestmlParameter(writer.names[one.name], one.unit, defaults[one.name])
        for one in model.parameters.values()
        if one.name not in given_values and writer.names[one.name] in writer.raw
    )
    name = writer.fresh(model.name) if model.name in writer.taken else model.name
    text = writer.text(name, comment_of(source, parameters), result)
    try:
        check_neuron(parse_neurons(text, f"the equations of {model.name}").neurons[0])
    except Refused as refusal:
        first = refusal.findings[0]
        expected, found = "equations that the neuron language has", f"{first.code}: {first.message}"
        source.unsupported(model.place, "the equations of this model are", expected, found)
    return NestmlNeuron(
        name, text, parameters, tuple(writer.inputs), tuple(integration.exact), tuple(integration.solved)
    )


def declare_states(model: Model, writer: Writer, integration: Integration, values: Mapping[str, Expr]) -> None:
    """Adds the states; one that never changes is a constant."""
    changed = {one.name for block in blocks_of(model) for one in assignments(block.statements)} | {*model.equations}
    kernel_names = {name for kernel in model.kernels.values() for name in kernel.equations}
    for variable in model.state.values():
        if variable.name in kernel_names or variable.name in integration.timers:
            continue
        initial = writer.initial(variable.value)
        if variable.name not in changed:
            writer.constant_states[variable.name] = initial
            continue
        type = ": bool" if variable.kind == BOOLEAN else ""
        value = writer.resolve(initial)
        writer.states[writer.names[variable.name]] = type, value if type else writer.named(value)


def default_values(model: Model, values: Mapping[str, float], source: Source) -> dict[str, float]:
    """Returns the number of each parameter. Errors: NML009 a value that has no number, or contradicts a condition of the model."""
    found: dict[str, float] = {}
    for variable in model.parameters.values():
        if variable.name in values:
            found[variable.name] = float(values[variable.name])
        else:
            found[variable.name] = default_of(variable, found, source)
    for variable in model.parameters.values():
        if variable.invariant is None:
            continue
        try:
            is_valid = algebra.number_at(variable.invariant, found)
        except (ArithmeticError, KeyError, ValueError):
            continue
        if not is_valid:
            expected = source.lines[variable.place.line - 1].strip()
            help = f"--set {variable.name}={default_of(variable, found, source):g}"
            source.refuse(NML009, variable.place, expected=expected, found=f"{found[variable.name]:g}", help=help)
    return found


def default_of(variable: Variable, values: Mapping[str, float], source: Source) -> float:
    try:
        found = algebra.number_at(variable.value, values)
    except (ArithmeticError, KeyError, ValueError) as error:
        expected, help = "a value of numbers and earlier parameters", f"--set {variable.name}=1"
        return source.refuse(NML009, variable.place, expected=expected, found=str(error) or "none", help=help)
    return min(max(found, -algebra.LARGEST_REAL), algebra.LARGEST_REAL)


def refuse_unknown_names(kind: str, flag: str, known: Iterable[str], given: Iterable[str], source: Source) -> None:
    """Refuses names that a model does not have; `flag` is the option with the names. Errors: NML008."""
    names = list(known)
    for name in given:
        if name not in names:
            nearest = next(iter([*near_names(name, names), *names]), name)
            is_keyed = flag == "--set"
            help = Phrase(other_key(flag, name, nearest, "1")) if is_keyed else f"{flag} {nearest}"
            refuse(
                NML008,
                f"the model has no {kind} {name}",
                file=source.file,
                expected=choices_text(names) if names else "none",
                found=name,
                help=help,
            )


def comment_of(source: Source, parameters: Iterable[NestmlParameter]) -> list[str]:
    """Returns the comment of a file: its source, and the defaults of the parameters."""
    lines = [f"From {Path(source.file).name}, a model of NESTML. Units: ms, mV, pA, pF, nS. A tick is a step of NEST."]
    values = [f"{one.name} = {one.default:g}" for one in parameters]
    return lines + ([f"Defaults: {', '.join(values)}"] if values else [])
