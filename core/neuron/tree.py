"""Records of the neuron language, and their text form.

A `NeuronFile` contains at most one `Preset` (switches of the network) and any number of `Neuron`s. A neuron is a list of items in
the order of the text; expressions are trees. Equality of records ignores their places. Comments above an item and at the end of its
line are kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import field, frozen

from ..expressions.places import NOWHERE, Place
from ..expressions.tree import Expr, format_expression

# ---- declarations


@frozen
class Bounds:
    """Bounds `in low..high`, as written."""

    low: str
    high: str

    def __str__(self) -> str:
        return f"in {self.low}..{self.high}"


@frozen
class Declared:
    """Type as written: `real`, `f32`, `f64`, `bool`, `uN`, `sN`, with `wrap` or `saturate` and bounds."""

    type: str = ""
    """Empty if only bounds are declared."""
    mode: str = ""
    bounds: Bounds | None = None
    place: Place = field(default=NOWHERE, eq=False, repr=False)

    def __str__(self) -> str:
        return " ".join(str(part) for part in (self.type, self.mode, self.bounds) if part)


@frozen
class Declaration:
    """Declared parameter, canonical parameter, state or input.

    A parameter is raw (read by name from the trained network) or, with a value, derived once at conversion. A canonical parameter describes
    the update in the terms of its family: `decay`, `gain`, `threshold`, ... The value of a state is the initial one. The events of an input
    with `into` accumulate one by one in that state; any other input is their sum.
    """

    name: str
    value: Expr | None = None
    declared: Declared | None = None
    unit: str | None = None
    into: str | None = None
    place: Place = field(default=NOWHERE, eq=False, repr=False)

    @property
    def bounds(self) -> Bounds | None:
        return self.declared.bounds if self.declared else None

    def __str__(self) -> str:
        text = format_declared(f"{self.name} [{self.unit}]" if self.unit else self.name, self.declared)
        return format_assignment(f"{text} each into {self.into}" if self.into else text, self.value)


# ---- items


@frozen
class Comments:
    """Comments directly above a line and at its end, each with its `#`."""

    above: tuple[str, ...] = ()
    beside: str = ""


@frozen
class Item:
    place: Place = field(eq=False, repr=False)
    comments: Comments = field(default=Comments(), kw_only=True)


@frozen
class Option(Item):
    """Option that is chosen before the update is built; the first value is the default."""

    name: str
    values: tuple[str, ...]


@frozen
class Declarations(Item):
    """Line of declarations; its keyword is `param`, `canonical`, `state` or `input`."""

    keyword: str
    entries: tuple[Declaration, ...]


@frozen
class Assign(Item):
    name: str
    declared: Declared | None
    value: Expr


@frozen
class Emit(Item):
    kind: str | None
    """`spike`, `count`, `graded` or `value`; None if the type of the value determines it."""
    value: Expr


@frozen
class Record(Item):
    """Value that a run records as `NODE.name` instead of the final state; it is read at the position of the line."""

    name: str
    value: Expr


@frozen
class Preset:
    """Switches of the whole network that belong to the neurons of a file, for example `loop_delay = spikes`."""

    name: str
    switches: dict[str, str | float]
    comments: Comments = Comments()
    beside: dict[str, Comments] = field(factory=dict[str, Comments])
    """Comments of the switches, by switch; a switch without comments is missing."""
    place: Place = field(default=NOWHERE, eq=False, repr=False)


@frozen
class Equations:
    """A block of declarations and equations with a name: a neuron or a synapse. A subclass adds its own records."""

    name: str
    items: tuple[Item, ...] = field(kw_only=True)
    comments: Comments = field(default=Comments(), kw_only=True)
    place: Place = field(default=NOWHERE, eq=False, repr=False, kw_only=True)
    source: str = field(default="<neuron>", eq=False, repr=False, kw_only=True)
    lines: tuple[str, ...] = field(default=(), eq=False, repr=False, kw_only=True)
    """The lines of the text, for messages."""

    def of(self, kind: type[Any]) -> list[Any]:
        """Returns the items of one class, in order."""
        return [item for item in self.items if isinstance(item, kind)]

    @property
    def options(self) -> dict[str, tuple[str, ...]]:
        return {option.name: option.values for option in self.of(Option)}

    def declarations(self, keyword: str) -> list[Declaration]:
        """Returns the declarations with a keyword, in order."""
        return [one for item in self.of(Declarations) if item.keyword == keyword for one in item.entries]

    @property
    def params(self) -> list[Declaration]:
        return self.declarations("param")

    @property
    def raw_params(self) -> list[Declaration]:
        return [param for param in self.params if param.value is None]

    @property
    def derived(self) -> list[Declaration]:
        return [param for param in self.params if param.value is not None]

    @property
    def assigned(self) -> list[Assign]:
        """Returns the assignments, in the order of the text."""
        return self.of(Assign)

    @property
    def expressions(self) -> list[Expr]:
        """Returns the expressions that are computed in a tick, and the initial values of states."""
        return [item.value for item in self.items if isinstance(item, Assign)]


@frozen
class Neuron(Equations):
    """Update of a neuron, and the families that it implements."""

    families: tuple[str, ...]
    """As written, for example `nir.lif` or `lif`."""

    def serves(self, family: str) -> bool:
        """Returns whether it is declared for a family, with or without the prefix `nir.`."""
        return family.removeprefix("nir.") in {name.removeprefix("nir.") for name in self.families}

    @property
    def expressions(self) -> list[Expr]:
        behind = [state.value for state in self.states if state.value]
        return behind + [item.value for item in self.items if isinstance(item, Assign | Emit | Record)]

    @property
    def canonical(self) -> list[Declaration]:
        return self.declarations("canonical")

    @property
    def states(self) -> list[Declaration]:
        return self.declarations("state")

    @property
    def inputs(self) -> list[Declaration]:
        return self.declarations("input")

    @property
    def records(self) -> list[Record]:
        return self.of(Record)

    @property
    def emit(self) -> Emit:
        """Returns its emit; `check` ensures that there is exactly one."""
        return self.of(Emit)[0]


@frozen
class NeuronFile:
    preset: Preset | None
    neurons: tuple[Neuron, ...]
    source: str = field(default="<neuron>", eq=False)
    comment: str = ""
    """The comment above the first statement, without `#`; it names the source of the equations."""
    ending: tuple[str, ...] = ()
    """Comments below the last statement, each with its `#`."""

    def serving(self, family: str) -> Neuron | None:
        """Returns the first neuron that is declared for a family; None if there is none."""
        return next((neuron for neuron in self.neurons if neuron.serves(family)), None)


# ---- text


def format_declared(name: str, declared: Declared | None) -> str:
    if declared is None:
        return name
    return f"{name}: {declared}" if declared.type else f"{name} {declared}"


def format_assignment(text: str, value: Expr | None) -> str:
    return text if value is None else f"{text} = {format_expression(value)}"


def spelled_item(item: Item) -> str:
    match item:
        case Option():
            return f"option {item.name} = {' | '.join(item.values)}"
        case Declarations():
            return f"{item.keyword} {', '.join(map(str, item.entries))}"
        case Assign():
            return format_assignment(format_declared(item.name, item.declared), item.value)
        case Emit():
            return " ".join(filter(None, ("emit", item.kind, format_expression(item.value))))
        case Record():
            return f"record {item.name} = {format_expression(item.value)}"
        case _:
            raise TypeError(item)


def with_comments(text: str, comments: Comments) -> Iterator[str]:
    yield from comments.above
    yield f"{text}  {comments.beside}" if comments.beside else text


def spelled_neuron(neuron: Neuron) -> list[str]:
    families = f" for {', '.join(neuron.families)}" if neuron.families else ""
    lines = list(with_comments(f"neuron {neuron.name}{families}", neuron.comments))
    for item in neuron.items:
        lines += with_comments(spelled_item(item), item.comments)
    return lines


def spelled_preset(preset: Preset) -> list[str]:
    lines = list(with_comments(f"preset {preset.name}", preset.comments))
    for key, value in preset.switches.items():
        text = value if isinstance(value, str) else repr(value).removesuffix(".0")
        lines += with_comments(f"{key} = {text}", preset.beside.get(key, Comments()))
    return lines


def format(file: NeuronFile) -> str:
    """Formats a file in the canonical layout: one item per line, a blank line between blocks. The text parses to an equal file."""
    blocks = [[f"# {line}".rstrip() for line in file.comment.split("\n")]] if file.comment else []
    if file.preset:
        blocks.append(spelled_preset(file.preset))
    blocks += map(spelled_neuron, file.neurons)
    if file.ending:
        blocks.append(list(file.ending))
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"
