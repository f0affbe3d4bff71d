"""Synapse language: reads and checks learning rules, the equations of weights and traces.

`parse_synapses` reads a text into the records of `tree`, `check_synapse` reports invalid rules (`elaboration`).
`docs/synapse-language.md` explains the language, `synapse.lark` is its grammar.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import evolve

from ..cache.parsed_texts import parsed
from ..diagnostics import Code, Diagnostics, Refused
from ..expressions.places import place_of
from ..expressions.reader import build_expression
from ..expressions.tree import Expr, Name, Neg, Number
from ..neuron.language import EXPECTED, Language
from ..neuron.neuron import combinations
from ..neuron.records import DECLARED_PARTS, EquationReader
from ..neuron.tree import Assign, Declarations, Declared, Item, Option
from .elaboration import RuleElaboration
from .tree import Efficacy, Event, Synapse, SynapseFile, Weight

if TYPE_CHECKING:
    from lark import Token, Tree

SYN001 = Code("SYN001", "synapse-syntax-error", "syntax error in the synapse language")

REMEMBERED = 256
"""Size of the caches of texts and checked rules."""
STATEMENTS = (
    "synapse",
    "option",
    "param",
    "weight",
    "pre",
    "post",
    "observe",
    "modulator",
    "random",
    "on",
    "efficacy",
)
TERMINALS = {
    **EXPECTED,
    "WEIGHT": "'weight'",
    "PRE_STATE": "'pre state'",
    "POST_STATE": "'post state'",
    "SYNAPSE_STATE": "'synapse state'",
    "__ANON_0": "'..'",
}
LANGUAGE = Language(Path(__file__).parent / "synapse.lark", STATEMENTS, SYN001, TERMINALS)


def parse_synapses(text: str, source: str = "<synapse>") -> SynapseFile:
    """Reads a file of rules. `source` is its name in messages. Results are cached by text.

    Errors: SYN001 a syntax error; NEU002 an unmatched bracket; NEU003 a reserved word as a name; NEU004 a rule that occurs twice.
    """
    try:
        file = parse_unnamed(text)
    except Refused:
        return read_text(text, source)  # the same refusals with the name
    return evolve(file, synapses=tuple(evolve(one, source=source) for one in file.synapses), source=source)


@lru_cache(maxsize=REMEMBERED)
def parse_unnamed(text: str) -> SynapseFile:
    """Parses a text without a name; its tree is never changed."""
    return parsed(SynapseFile, "synapse", text, lambda one: read_text(one, "<synapse>"))


def read_text(text: str, source: str) -> SynapseFile:
    """Parses a text without a cache. Errors: those of `parse_synapses`."""
    tree, lines = LANGUAGE.parse(text, source)
    return SynapseReader(source, lines).file(tree)


class SynapseReader(EquationReader):
    """Conversion of the parser's tree into records."""

    DECLARED_PARTS: ClassVar = {**DECLARED_PARTS, "given": ("name", "declared")}
    KEYWORDS: ClassVar = {
        "params": "param",
        "pres": "pre state",
        "posts": "post state",
        "synapses": "synapse state",
        "observes": "observe",
        "modulators": "modulator",
        "randoms": "random",
    }

    def file(self, tree: Tree[Token]) -> SynapseFile:
        blocks: list[Any] = list(tree.children)
        self.starts = sorted(self.starting(blocks))
        self.head = self.heading(self.starts[0] - 1)
        self.once("synapse", (block.children[0] for block in blocks))
        read = tuple(self.synapse(block) for block in blocks)
        self.found.raise_errors()
        head = [line.strip() for line in self.lines[: self.head]]
        comment = "\n".join(line.removeprefix("#").removeprefix(" ") for line in head).strip("\n")
        return SynapseFile(read, self.source, comment)

    def synapse(self, block: Any) -> Synapse:
        name, *rest = block.children
        return Synapse(str(name), items=tuple(map(self.item, rest)), **self.named(block))

    def item(self, node: Any) -> Item:
        place, comments, children = place_of(node), self.comments(node.meta.line), node.children
        match node.data:
            case "option":
                return Option(place, str(children[0]), tuple(map(str, children[1:])), comments=comments)
            case "weight":
                _, name, type, mode, low, high = children
                declared = None if type is None else Declared(str(type), "" if mode is None else str(mode), place=place)
                return Weight(place, str(name), declared, self.limit(low), self.limit(high), comments=comments)
            case "event":
                name, option, *values = children
                chosen = tuple(str(value) for value in values if value is not None)
                return Event(place, str(name), None if option is None else str(option), chosen, comments=comments)
            case "efficacy":
                return Efficacy(place, build_expression(children[0]), comments=comments)
            case "assign":
                name, declared, value = children
                return Assign(place, str(name), self.declared(declared), build_expression(value), comments=comments)
            case keyword:
                entries = [child for child in children if hasattr(child, "data")]
                return Declarations(
                    place, self.KEYWORDS[keyword], tuple(map(self.declaration, entries)), comments=comments
                )

    def limit(self, node: Any) -> Expr:
        """Returns a bound of the weight: a number, or a parameter with or without a minus sign."""
        place = place_of(node)
        if getattr(node, "data", None) == "opposite":
            return Neg(Name(str(node.children[0]), place), place)
        if node.type == "NAME":
            return Name(str(node), place)
        text = str(node)
        number = Number(text.removeprefix("-"), place)
        return Neg(number, place) if text.startswith("-") else number


# ---- checking


@lru_cache(maxsize=REMEMBERED)
def check_synapse(synapse: Synapse) -> None:
    """Checks names, kinds, sides and bounds of a rule for every choice of its options, and reports all findings together.

    Errors: NEU003, NEU004, NEU007 to NEU017, NEU021 and NEU022; SYN002 to SYN007 and SYN009, see `elaboration`.
    """
    found = Diagnostics()
    for options in combinations(synapse.options):
        for finding in RuleElaboration(synapse, options).found.findings:
            found.add(finding)
    found.raise_errors()
