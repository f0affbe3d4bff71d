"""Selection of the neuron that serves a family: from a preset by name, or from a file of the user's own.

A preset is a file in the neuron language: its neurons serve families of NIR, and its switches apply to the whole network.

| switch | meaning |
| --- | --- |
| `loop_delay = spikes \\| current` | what waits in a loop, see `loops.py` |
| `synapse_delay = N` | ticks that every synapse op takes |
| `neuron_delay = N` | ticks that every spike takes to leave its neuron |
| `neuron_delay_<family> = N` | the same for one family, whatever `neuron_delay` is |
| `input_delay_<family> = N` | ticks that what arrives at a neuron of this family waits |
| `output_delay = N` | ticks before every output of the network |
| an option of its neurons | another default for it |
| `recurrent_VALUE = OTHER` | the effect of `reset = VALUE` on a population with synapses onto itself, without another population between |
| `ask = OPTION` | an option whose default is not the framework's: it is warned about unless it is chosen |

What a file does not define falls to forward Euler (`euler.neuron`), with a remark.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

from attrs import Factory, frozen

from ..core.diagnostics import Code, Diagnostics, ExitCode, choose, first_of, refuse
from ..core.help_text import Phrase, option
from ..core.ir.pipeline import option_text
from ..core.neuron.neuron import parse_neurons
from ..core.neuron.tree import Neuron, NeuronFile
from ..core.registry import presets
from ..dialects import nir
from ..dialects.nir.populations import parse_own_neuron

ANA017 = Code("ANA017", "unknown-preset", "unknown preset", exit_code=ExitCode.MISUSED)
ANA018 = Code("ANA018", "family-missing-in-preset", "a family is not defined by the preset")
ANA019 = Code("ANA019", "preset-option-value-unknown", "an option has no such value", exit_code=ExitCode.MISUSED)
ANA020 = Code("ANA020", "reset-rule-missing", "the reset rule is not given")
ANA021 = Code("ANA021", "preset-switch-value-unknown", "a switch has no such value", exit_code=ExitCode.MISUSED)

ANA022 = Code("ANA022", "preset-option-without-effect", "an option changes nothing")
ANA023 = Code("ANA023", "framework-choice-missing", "a choice of the framework is not made")

FALLBACK = "euler"
"""The preset that defines every family."""

FAMILIES = tuple(
    kind.name.partition(".")[2]
    for kind in nir.NIR.operations
    if issubclass(kind, nir.PopulationOp) and kind is not nir.NeuronOp
)
"""The families of neurons, in NIR's names."""

OWN_EQUATIONS = "\n"
"""Separates the name of a family from equations of its own."""
INPUT_DELAY = "input_delay_"
NEURON_DELAY = "neuron_delay_"
RECURRENT = "recurrent_"
ASK = "ask"
LOOP_DELAYS = ("spikes", "current")
MOST_TICKS = 2**31 - 1
"""Longest delay of a switch; the sum of several delays of a path is a 64-bit integer."""
SWITCHES = ("loop_delay", "synapse_delay", "neuron_delay", "output_delay")


@frozen
class Rules:
    """The choices: the neurons, the switches of the network, and the options of the neurons."""

    name: str
    """The preset as the user named it; empty where there is none."""
    file: NeuronFile
    fallback: NeuronFile
    switches: Mapping[str, str | int]
    options: Mapping[str, str]
    at: Mapping[str, Mapping[str, str]] = Factory(dict[str, Mapping[str, str]])
    """Options of single populations, by name."""

    def neuron(self, family: str) -> tuple[Neuron, bool]:
        """Returns the neuron that serves a family, and whether it is the fallback."""
        if OWN_EQUATIONS in family:
            return parse_own_neuron(family.partition(OWN_EQUATIONS)[2]), False
        own = self.file.serving(family)
        if own is not None:
            return own, False
        other = self.fallback.serving(family)
        assert other is not None  # the fallback defines every family of NIR
        return other, bool(self.name)

    def chosen(self, neuron: Neuron, is_recurrent: bool = False, node: str = "") -> dict[str, str]:
        """Returns the options of a neuron from the user or the preset. Recurrent populations can have another reset; options of `node` take precedence."""
        made = {name: value for name, value in self.options.items() if name in neuron.options} | dict(
            self.at.get(node, {})
        )
        reset = made.get("reset", next(iter(neuron.options.get("reset", ())), None))
        other = self.switches.get(f"{RECURRENT}{reset}") if is_recurrent else None
        return made if other is None or other not in neuron.options["reset"] else made | {"reset": str(other)}

    @property
    def asked(self) -> str | None:
        """The option that the preset requires the user to choose; None without such an option."""
        found = self.switches.get(ASK)
        return None if found is None else str(found)

    def unused(self, given: Iterable[str], families: Iterable[str]) -> list[str]:
        """Returns the options that no neuron of these families has."""
        known = {name for family in families for name in self.neuron(family)[0].options}
        return [name for name in given if name not in known]

    def ticks(self, switch: str, otherwise: int = 0) -> int:
        return int(self.switches.get(switch, otherwise))


def load_rules(like: str | None, options: Mapping[str, str], switches: Mapping[str, str | int | None]) -> Rules:
    """Reads the preset or file that `like` names and lets the user's choices override it.

    Errors: ANA017 no such preset; ANA019 an option that no neuron has, or a value that none knows; ANA021 a switch out of range.
    """
    fallback = read_neuron_file(presets()[FALLBACK])
    if like is None:
        file, own = fallback, dict[str, str | float]()
    else:
        file = read_neuron_file(find_preset(like))
        own = dict(file.preset.switches) if file.preset else {}
    neurons = [*file.neurons, *fallback.neurons]
    known = list(dict.fromkeys(option for neuron in neurons for option in neuron.options))
    chosen: dict[str, str] = {}
    merged: dict[str, str | int] = {}
    for name, value in own.items():
        if name == ASK or name.startswith(RECURRENT):
            merged[name] = checked_choice(name, str(value), neurons, file.source)
        elif name in SWITCHES or name.startswith((INPUT_DELAY, NEURON_DELAY)):
            merged[name] = checked_switch(name, value, file.source)
        elif name in known:
            chosen[name] = checked_option(name, str(value), neurons, file.source)
        else:
            everything = [*SWITCHES, ASK, *(f"{INPUT_DELAY}{family}" for family in FAMILIES), *known]
            help = f"{nearest(name, everything)} = {format_switch(value)}"
            refuse_switch(f"unknown switch {name}", f"{name} in {file.source}", one_of(everything), name, help)
    for name, value in options.items():
        if name not in known:
            at, help = assignment(name, value), f"{nearest(name, known)}, or leave it out"
            refuse(ANA019, f"unknown option {name}", at=at, expected=one_of(known), found=name, help=help)
        chosen[name] = checked_option(name, value, neurons)
    for name, value in switches.items():
        if value is not None:
            merged[name] = checked_switch(name, value)
    return Rules(like or "", file, fallback, merged, chosen)


def nearest(word: str, known: Sequence[str]) -> str:
    return get_close_matches(word, known, 1, 0)[0]


def one_of(names: Iterable[str]) -> str:
    return f"one of {', '.join(names)}"


def refuse_switch(message: str, at: str, expected: str, found: str, help: str) -> NoReturn:
    """Errors: ANA021."""
    refuse(ANA021, message, at=at, expected=expected, found=found, help=help)


def refuse_preset(message: str, like: str, expected: str, found: str, help: Phrase) -> NoReturn:
    """Errors: ANA017."""
    at = Phrase(option("like", like, option_text(like)))
    refuse(ANA017, message, at=at, expected=expected, found=found, help=help)


def format_switch(value: str | float) -> str:
    """Returns a value of a switch as it is written."""
    return value if isinstance(value, str) else f"{value:g}"


def assignment(name: str, value: str | float, source: str | None = None) -> str:
    """Formats a value as a line of a file of neurons, or as an option of the conversion."""
    if source is not None:
        return f"{name} = {format_switch(value)}"
    flag = name.replace("_", "-")
    is_option = name == "reset" or name in SWITCHES
    return Phrase(option(flag, format_switch(value))) if is_option else f"{name}={value}"


def assignment_place(name: str, value: str | float, source: str | None) -> str:
    return assignment(name, value) if source is None else f"{name} in {source}"


def checked_option(name: str, value: str, neurons: Iterable[Neuron], source: str | None = None) -> str:
    """Returns the value of an option after a check that at least one neuron has it; `source` is the file that contains it. Errors: ANA019."""
    values = list(dict.fromkeys(known for neuron in neurons for known in neuron.options.get(name, ())))
    if value not in values:
        message = f"option {name} has no value {value}" if value else f"option {name} needs a value"
        at = assignment_place(name, value, source)
        help = assignment(name, nearest(value, values), source)
        refuse(ANA019, message, at=at, expected=" or ".join(values), found=value or "none", help=help)
    return value


def checked_choice(name: str, value: str, neurons: Iterable[Neuron], source: str) -> str:
    """Returns the value of `ask`, which is an option, or of `recurrent_VALUE`, which is another value of `reset`. Errors: ANA021."""
    options = list(dict.fromkeys(option for neuron in neurons for option in neuron.options))
    resets = list(dict.fromkeys(known for neuron in neurons for known in neuron.options.get("reset", ())))
    known = options if name == ASK else resets
    for word in [value] if name == ASK else [value, name.removeprefix(RECURRENT)]:
        if word not in known:
            help = f"{name} = {nearest(word, known)}"
            refuse_switch(f"{name} names what no neuron has", f"{name} in {source}", one_of(known), word, help)
    return value


def checked_switch(name: str, value: str | float, source: str | None = None) -> str | int:
    """Returns a value that a switch knows; `source` is the file that contains it. Errors: ANA021."""
    at, called = assignment_place(name, value, source), name if source is not None else name.replace("_", "-")
    switch = NEURON_DELAY if name.startswith(NEURON_DELAY) else INPUT_DELAY
    family = name.removeprefix(switch)
    if family != name and family not in FAMILIES:
        expected = f"{switch}FAMILY with {one_of(FAMILIES)}"
        help = f"{switch}{nearest(family, FAMILIES)} = {format_switch(value)}"
        refuse_switch(f"unknown family {family}", at, expected, name, help)
    if name == "loop_delay":
        if value not in LOOP_DELAYS:
            found, help = format_switch(value), assignment(name, nearest(str(value), LOOP_DELAYS), source)
            refuse_switch(f"{called} has no value {found}", at, " or ".join(LOOP_DELAYS), found, help)
        return str(value)
    if not isinstance(value, int | float) or not 0 <= value <= MOST_TICKS or value != int(value):
        expected, help = f"an integer from 0 to {MOST_TICKS}", assignment(name, 1, source)
        refuse_switch(f"{called} is a number of ticks", at, expected, format_switch(value), help)
    return int(value)


def family_of(op: nir.PopulationOp) -> str:
    """Returns the neuron family of a population, such as `lif`. Equations of its own are a family of their own, which contains them."""
    family = op.name.partition(".")[2]
    return f"{family}{OWN_EQUATIONS}{op.equations.data}" if isinstance(op, nir.NeuronOp) else family


def declared_family(op: nir.PopulationOp) -> str | None:
    """Returns the family of NIR that a population computes; None for own equations that declare none."""
    if not isinstance(op, nir.NeuronOp):
        return family_of(op)
    names = [name.removeprefix("nir.") for name in op.neuron().families]
    return next((name for name in names if name in FAMILIES), None)


def find_preset(like: str) -> Path:
    """Returns the file of a preset's name or a path."""
    path, near = presets().get(like), closest(like)
    if path is None:
        path = Path(like)
        if path.suffix != ".neuron" and not os.path.isfile(like):
            help = Phrase(option("like", near)) if near else choose(option("like", "NAME"), presets())
            refuse_preset(f"unknown preset {like}", like, f"{one_of(presets())}, or a file", like, help)
    if not os.path.isfile(path):  # also false for a name that no system takes
        help = choose(option("like", "NAME"), presets())
        refuse_preset(f"file {like} does not exist", like, "a file in the neuron language", like, help)
    return path


def closest(like: str) -> str | None:
    """Returns the preset whose name differs by one or two letters; None for other names, which would be a guess."""
    return next(iter(get_close_matches(like.lower(), presets(), 1, 0.8)), None)


def read_neuron_file(path: Path) -> NeuronFile:
    """Parses and checks a file of neurons. Errors: those of the neuron language; ANA017 a file that cannot be read."""
    from ..core.neuron.neuron import check_neuron

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        help = Phrase("save the file as UTF-8, or ", choose(option("like", "NAME"), presets()))
        refuse_preset(f"{path} cannot be read", str(path), "a text file in UTF-8", str(error), help)
    file = parse_neurons(text, str(path))
    for neuron in file.neurons:
        check_neuron(neuron)
    return file


def remark_fallback(family: str, nodes: list[str], rules: Rules, diagnostics: Diagnostics) -> None:
    """Reports the populations that use forward Euler."""
    named = first_of([f'"{node}"' for node in nodes], 6)
    diagnostics.remark(
        ANA018,
        f"{rules.name} defines no {family}; forward Euler takes its place",
        at=f"nir.{family} {named}",
        node=nodes[0],
        expected=f"a neuron for {family} in {rules.name}",
        found=f"none; took the one of {FALLBACK}",
        help=Phrase(
            "write the rule in the neuron language and set ",
            option("like", "./mine.neuron"),
            ", if it was trained with another one",
        ),
    )


def remark_unused(option: str, value: str, families: Iterable[str], rules: Rules, diagnostics: Diagnostics) -> None:
    """Reports an option of the user that has no effect on this network."""
    served = sorted({rules.neuron(family)[0].name for family in families})
    diagnostics.remark(
        ANA022,
        f"option {option} changes nothing",
        at=assignment(option, value),
        expected=f"a neuron with the option {option}",
        found=f"none of {', '.join(served)} has it" if served else "a network without populations",
        help=f"leave {option} out, or declare it in the file that like names",
    )


def warn_unchosen(resetting: Mapping[str, str], rules: Rules, diagnostics: Diagnostics) -> None:
    """Reports an option that the preset requires and the user did not set; `resetting` are the populations that have it, with their families."""
    assert rules.asked is not None  # the caller asked for it
    nodes = list(resetting)
    neuron, _ = rules.neuron(resetting[nodes[0]])
    values = neuron.options[rules.asked]
    choice = f"{rules.asked}=RULE"
    asked = option("reset", "RULE") if rules.asked == "reset" else option("options", choice, f'"{choice}"')
    diagnostics.warning(
        ANA023,
        f"{rules.asked} is not chosen",
        at=f"nir.{resetting[nodes[0]]} " + first_of([f'"{node}"' for node in nodes], 6),
        node=nodes[0],
        expected=f"one of {', '.join(values)}, as the network was trained",
        found=f"none; took {values[0]}",
        help=choose(asked, values, "RULE"),
    )
