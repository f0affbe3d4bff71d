"""Selection of a learning rule: a shipped rule by name, or a file in the synapse language, with its options, parameters and modulators.

| entry of `#nir.rule` | meaning |
| --- | --- |
| a number | a parameter of the rule, or `seed`, of a rule with random numbers |
| a text of an option | the value of the option |
| a text of a modulator | the input or node that is its signal; by default the one of the modulator's name |
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

from attrs import frozen
from xdsl.dialects.builtin import Float32Type, Float64Type

from ...core.diagnostics import Code, ExitCode, near_notes, refuse
from ...core.neuron.neuron import check_bounds
from ...core.registry import synapses
from ...core.synapse.synapse import check_synapse, parse_synapses
from ...core.synapse.tree import Synapse
from ...dialects import ntensor
from ...dialects.equations.rules import build_rule
from ...dialects.ntensor.learning.attributes import SEED

ANA041 = Code("ANA041", "learning-rule-unknown", "unknown learning rule", exit_code=ExitCode.MISUSED)
ANA042 = Code("ANA042", "learning-parameters-differ", "the parameters are not those of the learning rule")

SUFFIX = ".synapse"


@frozen
class RuleChoice:
    """A rule with the choices of one synapse op."""

    rule: ntensor.RuleOp
    learning: ntensor.LearningAttr
    """Names the rule by its symbol."""


def find_synapse(name: str, at: str, node: str | None = None) -> Synapse:
    """Returns a shipped rule by name, or the rule of a file: the one that is named like the file, else the first. Errors: ANA041; those of the language."""
    path = synapses().get(name) or Path(name)
    if name not in synapses() and path.suffix != SUFFIX:
        near = get_close_matches(name, synapses(), 1)
        help = near_help(near[0], at) if near else "name a file that ends in .synapse"
        refuse_rule(f"unknown learning rule {name}", at, node, name, help, near_notes(name, synapses()))
    if not os.path.isfile(path):
        refuse_rule(f"file {name} does not exist", at, node, name, near_help(next(iter(synapses())), at))
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        refuse_rule(f"{name} cannot be read", at, node, str(error), "save the file as UTF-8")
    file = parse_synapses(text, str(path) if name not in synapses() else f"{name}{SUFFIX}")
    found = file.named(path.stem) or file.synapses[0]
    check_synapse(found)
    return found


def near_help(name: str, at: str) -> str:
    """Returns the help that names a shipped rule: as an option of a pass, or as in `#nir.rule`."""
    return f"rule={name}" if at.startswith("rule=") else f'#nir.rule<"{name}", …>'


def refuse_rule(message: str, at: str, node: str | None, found: str, help: str, notes: Iterable[str] = ()) -> NoReturn:
    """Errors: ANA041."""
    expected = f"one of {', '.join(synapses())}, or a file in the synapse language"
    refuse(ANA041, message, at=at, node=node, expected=expected, found=found, help=help, notes=tuple(notes))


def choose_rule(
    name: str,
    values: Mapping[str, float],
    texts: Mapping[str, str],
    *,
    dt: float,
    precision: Float32Type | Float64Type,
    at: str,
    node: str,
    derive: Callable[[ntensor.RuleOp, float, Mapping[str, float]], Mapping[str, float]],
) -> RuleChoice:
    """Returns a rule with the parameters of a synapse op. `derive` computes its derived parameters, for the check of their bounds.

    Units: dt [s].
    Errors: ANA041 an unknown rule; ANA042 missing or unknown parameters; NEU005 an unknown option; NEU006 a parameter out of its bounds.
    """
    synapse = find_synapse(name, at, node)
    modulators = {name: texts.get(name, name) for name in synapse.modulators}
    options = {name: value for name, value in texts.items() if name not in modulators}
    rule = build_rule(synapse, options=options, precision=precision)
    wanted = [one.data for one in rule.raw] + ([SEED] if len(rule.randoms) else [])
    required = [one for one in wanted if one != SEED]
    check_names(required, values, at, node)
    if unknown := [one for one in values if one not in wanted]:
        declared = {param.name for param in synapse.raw_params}
        message = (
            f"parameter {unknown[0]} {'changes nothing with these options' if unknown[0] in declared else 'is unknown'}"
        )
        near = get_close_matches(unknown[0], wanted, 1)
        help = f"{near[0]} = {values[unknown[0]]:g}" if near else f"remove {unknown[0]}"
        expected = ", ".join(wanted) or "no parameters"
        refuse(ANA042, message, at=at, node=node, expected=expected, found=unknown[0], help=help)
    check_bounds(synapse, {**values, **derive(rule, dt, values)}, node)
    return RuleChoice(rule, ntensor.LearningAttr.of(rule.sym_name.data, values, modulators))


def check_names(required: Iterable[str], values: Mapping[str, float], at: str, node: str | None) -> None:
    """Refuses parameters that are missing. Errors: ANA042."""
    missing = [one for one in required if one not in values]
    if missing:
        message = f"parameter {missing[0]} is missing"
        found = ", ".join(values) or "no parameters"
        help = f"{missing[0]} = VALUE, a number"
        refuse(ANA042, message, at=at, node=node, expected=", ".join(required), found=found, help=help)
