"""Neuron language: reads, checks and writes the equations of a neuron's update in one tick.

`parse_neurons` reads a text into the records of `tree`, `check_neuron` reports invalid neurons (`elaboration`), `format` writes
the records as text again. `docs/neuron-language.md` explains the language, `neuron.lark` is its grammar.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve

from ..cache.parsed_texts import parsed
from ..diagnostics import Code, Diagnostics, Refused
from ..expressions.places import finding_at, place_of
from ..expressions.reader import build_expression
from .elaboration import Elaboration
from .kinds import STATEMENTS
from .language import Language
from .records import DECLARED_PARTS, EquationReader
from .tree import (
    Assign,
    Comments,
    Declarations,
    Emit,
    Equations,
    Item,
    Neuron,
    NeuronFile,
    Option,
    Preset,
    Record,
    format,
)

if TYPE_CHECKING:
    from lark import Token, Tree

__all__ = ["Neuron", "NeuronFile", "Preset", "check_bounds", "check_neuron", "format", "parse_neurons"]

NEU001 = Code("NEU001", "neuron-syntax-error", "syntax error in the neuron language")
NEU005 = Code("NEU005", "neuron-option-unknown", "unknown option or value")
NEU006 = Code("NEU006", "parameter-out-of-bounds", "the value of a parameter is out of its bounds")

LANGUAGE = Language(Path(__file__).parent / "neuron.lark", STATEMENTS, NEU001)

REMEMBERED = 1024
"""Size of the caches of texts and checked neurons: every conversion reads the same presets."""
MOST_COMBINATIONS = 64
"""Maximum number of option combinations that are all checked. Beyond it, each value is checked with the defaults of the other options."""


# ---- reading


def parse_neurons(text: str, source: str = "<neuron>") -> NeuronFile:
    """Reads a file of neurons. `source` is its name in messages. Results are cached by text.

    Errors: NEU001 a syntax error; NEU002 an unmatched bracket; NEU003 a reserved word as a name; NEU004 a neuron
    or switch that occurs twice, or a second preset.
    """
    return parse_text(text, source)


@lru_cache(maxsize=REMEMBERED)
def parse_text(text: str, source: str) -> NeuronFile:
    """Parses a text under a name. Equal texts under different names, as in the records of devices, are parsed once."""
    try:
        file = parse_unnamed(text)
    except Refused:
        return read_text(text, source)  # the same refusals with the name
    return evolve(file, neurons=tuple(evolve(neuron, source=source) for neuron in file.neurons), source=source)


@lru_cache(maxsize=REMEMBERED)
def parse_unnamed(text: str) -> NeuronFile:
    """Parses a text without a name; its tree is never changed, so that all readers share it, also those of later commands."""
    return parsed(NeuronFile, "neuron", text, lambda one: read_text(one, "<neuron>"))


def read_text(text: str, source: str) -> NeuronFile:
    """Parses a text without a cache. Errors: those of `parse_neurons`."""
    tree, lines = LANGUAGE.parse(text, source)
    return NeuronReader(source, lines).file(tree)


class NeuronReader(EquationReader):
    """Conversion of the parser's tree into records."""

    DECLARED_PARTS = {
        **DECLARED_PARTS,
        "canonical": ("name", "value"),
        "input": ("name", "declared", "each", "into"),
    }

    def file(self, tree: Tree[Token]) -> NeuronFile:
        blocks: list[Any] = list(tree.children)
        presets = [block for block in blocks if block.data == "preset"]
        neurons = [block for block in blocks if block.data == "neuron"]
        self.starts = sorted(self.starting(blocks))
        self.head = self.heading(self.starts[0] - 1)
        self.once("preset", (block.children[0] for block in presets[1:]), {""})
        self.once("neuron", (block.children[0] for block in neurons))
        preset = self.preset(presets[0]) if presets else None
        read = tuple(self.neuron(block) for block in neurons)
        self.found.raise_errors()
        head = [line.strip() for line in self.lines[: self.head]]
        comment = "\n".join(line.removeprefix("#").removeprefix(" ") for line in head).strip("\n")
        ending = tuple(line.strip() for line in self.lines[self.end(len(self.starts) - 1) :] if line.strip())
        return NeuronFile(preset, read, self.source, comment, ending)

    def preset(self, block: Any) -> Preset:
        name, *rest = block.children
        keys, values = rest[::2], rest[1::2]
        self.once("switch", keys)
        switches = {
            str(key): float(value) if value.type == "NUMBER" else str(value)
            for key, value in zip(keys, values, strict=True)
        }
        beside = {str(key): self.comments(key.line) for key in keys}
        kept = {key: comments for key, comments in beside.items() if comments != Comments()}
        return Preset(str(name), switches, self.comments(block.meta.line), kept, place_of(name))

    def neuron(self, block: Any) -> Neuron:
        name, *rest = block.children
        families = tuple(str(token) for token in rest if getattr(token, "type", None) == "FAMILY")
        items = tuple(self.item(node) for node in rest if getattr(node, "data", None) is not None)
        return Neuron(str(name), families, items=items, **self.named(block))

    def item(self, node: Any) -> Item:
        place, comments, children = place_of(node), self.comments(node.meta.line), node.children
        match node.data:
            case "option":
                return Option(place, str(children[0]), tuple(map(str, children[1:])), comments=comments)
            case "params" | "canonicals" | "states" | "inputs" as keyword:
                entries = tuple(map(self.declaration, children))
                return Declarations(place, keyword.removesuffix("s"), entries, comments=comments)
            case "assign":
                name, declared, value = children
                return Assign(place, str(name), self.declared(declared), build_expression(value), comments=comments)
            case "emit":
                kind, value = children
                return Emit(place, None if kind is None else str(kind), build_expression(value), comments=comments)
            case _:
                name, value = children
                return Record(place, str(name), build_expression(value), comments=comments)


# ---- checking


@lru_cache(maxsize=REMEMBERED)
def check_neuron(neuron: Neuron) -> None:
    """Checks names, kinds and widths of a neuron for every choice of its options, and reports all findings together.

    Refusals are not cached, because equal neurons can be declared in different places.
    Errors: NEU003 to NEU004 and NEU007 to NEU022, see `elaboration`.
    """
    found = Diagnostics()
    for options in combinations(neuron.options):
        for finding in Elaboration(neuron, options).found.findings:
            found.add(finding)
    found.raise_errors()


def combinations(options: Mapping[str, tuple[str, ...]]) -> Iterator[dict[str, str]]:
    """Yields every choice of options; if there are too many, each value with the defaults of the others."""
    default = {name: values[0] for name, values in options.items()}
    if prod(map(len, options.values())) <= MOST_COMBINATIONS:
        for chosen in product(*options.values()):
            yield dict(zip(options, chosen, strict=True))
        return
    yield default
    for name, values in options.items():
        yield from ({**default, name: value} for value in values[1:])


def choose_options(neuron: Equations, options: Mapping[str, str]) -> dict[str, str]:
    """Returns the value of every option: the caller's, else the first. Errors: NEU005 an unknown option or value."""
    found = Diagnostics()
    declared = neuron.options
    for name, value in options.items():
        if value not in declared.get(name, ()):
            what = f"option {name} has no value '{value}'" if name in declared else f"unknown option '{name}'"
            allowed = declared.get(name) or tuple(declared)
            found.add(
                finding_at(
                    NEU005,
                    f"{what} in {type(neuron).__name__.lower()} {neuron.name}",
                    neuron.source,
                    neuron.lines,
                    next((item.place for item in neuron.of(Option) if item.name == name), neuron.place),
                    expected=" or ".join(allowed) or "no options",
                    found=value if name in declared else name,
                    help=f"{name}={allowed[0]}" if name in declared else None,
                )
            )
    found.raise_errors()
    return {name: options.get(name, values[0]) for name, values in declared.items()}


def check_bounds(neuron: Equations, values: Mapping[str, Any], node: str | None = None) -> None:
    """Refuses values of parameters, raw or derived, outside of the neuron's declared bounds; `values` are given by name.

    Shapes: any. Errors: NEU006 a value outside of its bounds.
    """
    import numpy as np

    found = Diagnostics()
    for param in neuron.params:
        if param.bounds is None or param.name not in values:
            continue
        low, high = float(param.bounds.low), float(param.bounds.high)
        given = np.asarray(values[param.name])
        outside = given[~((given >= low) & (given <= high))]
        if outside.size:
            parts = {"expected": f"{param.name} {param.bounds}", "found": str(outside.flat[0]), "node": node}
            message = f"parameter {param.name} is out of its bounds"
            found.add(finding_at(NEU006, message, neuron.source, neuron.lines, param.place, **parts))
    found.raise_errors()
