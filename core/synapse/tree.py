"""Records of the synapse language, and their text form.

A synapse is a list of items in the order of the text. Each assignment belongs to the event whose line is above it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import field, frozen
from xdsl.utils.str_enum import StrEnum

from ..expressions.tree import Expr, format_expression
from ..neuron.tree import (
    Assign,
    Declaration,
    Declared,
    Equations,
    Item,
    format_declared,
    spelled_item,
    with_comments,
)

TICK, PRE, POST = "tick", "pre", "post"
EVENTS = (TICK, PRE, POST)
"""Events that every synapse has; the others are its modulators."""
DELAY = "delay"
"""The option that chooses the meaning of a delay."""


class Delay(StrEnum):
    """Meaning of the delay of a synapse.

    | delay | a presynaptic spike of tick t | a postsynaptic spike of tick t |
    | --- | --- | --- |
    | `axonal` (default) | reaches the rule in tick t + delay | reaches it in tick t |
    | `dendritic` | reaches the rule in tick t | reaches it in tick t + delay |
    | `split` | as `axonal` for the delays before the synapse op | as `dendritic` for the other delays |
    """

    AXONAL = "axonal"
    DENDRITIC = "dendritic"
    SPLIT = "split"

    @property
    def is_dendritic(self) -> bool:
        """Whether spikes wait for the target after the synapse op has read them."""
        return self is not Delay.AXONAL


@frozen
class Weight(Item):
    """The weight, its type and its bounds, which every assignment clips it to."""

    name: str
    declared: Declared | None
    low: Expr
    high: Expr


@frozen
class Event(Item):
    """Start of the assignments of an event, if the option has one of the values."""

    name: str
    option: str | None
    values: tuple[str, ...]

    def holds(self, options: Mapping[str, str]) -> bool:
        """Returns whether its assignments are part of the rule under a choice of options."""
        return self.option is None or options.get(self.option) in self.values


@frozen
class Efficacy(Item):
    """Value that a spike transmits instead of the weight."""

    value: Expr


@frozen
class Synapse(Equations):
    """A learning rule, or short-term plasticity."""

    source: str = field(default="<synapse>", eq=False, repr=False, kw_only=True)

    @property
    def weights(self) -> list[Weight]:
        return self.of(Weight)

    @property
    def events(self) -> list[tuple[Event, list[Assign]]]:
        """Returns the events in their order, each with its assignments."""
        found: list[tuple[Event, list[Assign]]] = []
        for item in self.items:
            if isinstance(item, Event):
                found.append((item, []))
            elif isinstance(item, Assign) and found:
                found[-1][1].append(item)
        return found

    def declarations(self, keyword: str) -> list[Declaration]:
        """Returns the declarations with a keyword; `canonical` are the bounds of the weight."""
        if keyword == "canonical":
            return [
                Declaration(f"{weight.name}.{end}", value, place=weight.place)
                for weight in self.weights[:1]
                for end, value in (("low", weight.low), ("high", weight.high))
            ]
        return super().declarations(keyword)

    @property
    def pre_states(self) -> list[Declaration]:
        return self.declarations("pre state")

    @property
    def post_states(self) -> list[Declaration]:
        return self.declarations("post state")

    @property
    def synapse_states(self) -> list[Declaration]:
        return self.declarations("synapse state")

    @property
    def randoms(self) -> list[Declaration]:
        return self.declarations("random")

    @property
    def observed(self) -> list[Declaration]:
        """States of the postsynaptic neuron."""
        return self.declarations("observe")

    @property
    def signals(self) -> list[Declaration]:
        """Signals of the network, each of them an event of its name."""
        return self.declarations("modulator")

    @property
    def modulators(self) -> list[str]:
        return [one.name for one in self.signals]

    @property
    def expressions(self) -> list[Expr]:
        states = (*self.synapse_states, *self.pre_states, *self.post_states)
        behind = [state.value for state in states if state.value]
        behind += [end for weight in self.weights for end in (weight.low, weight.high)]
        return behind + [item.value for item in self.items if isinstance(item, Assign | Efficacy)]


@frozen
class SynapseFile:
    synapses: tuple[Synapse, ...]
    source: str = field(default="<synapse>", eq=False)
    comment: str = ""
    """The comment above the first statement, without `#`; it names the source of the equations."""

    def named(self, name: str) -> Synapse | None:
        """Returns the synapse of a name; None if there is none."""
        return next((one for one in self.synapses if one.name == name), None)


# ---- text


def spelled_statement(item: Item) -> str:
    match item:
        case Weight():
            bounds = "..".join(map(format_expression, (item.low, item.high)))
            return f"weight {format_declared(item.name, item.declared)} in {bounds}"
        case Event():
            condition = f" if {item.option} is {' | '.join(item.values)}" if item.option is not None else ""
            return f"on {item.name}{condition}"
        case Efficacy():
            return f"efficacy = {format_expression(item.value)}"
        case _:
            return spelled_item(item)


def spelled_synapse(synapse: Synapse) -> Iterator[str]:
    """Yields the lines of a synapse, with a blank line before its first event."""
    yield from with_comments(f"synapse {synapse.name}", synapse.comments)
    first = next((item for item in synapse.items if isinstance(item, Event)), None)
    for item in synapse.items:
        if item is first:
            yield ""
        yield from with_comments(spelled_statement(item), item.comments)


def format_synapses(file: SynapseFile) -> str:
    """Formats a file in the canonical layout: one item per line, a blank line between blocks. The text parses to an equal file."""
    blocks = [[f"# {line}".rstrip() for line in file.comment.split("\n")]] if file.comment else []
    blocks += [list(spelled_synapse(one)) for one in file.synapses]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"
