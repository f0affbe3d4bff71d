"""Source locations: the node of a file, or the line of a text, that an op comes from.

    loc("lif1"("net.nir":0:0))          the node "lif1" of a file without lines
    loc("lif1"("net.mlir":3:5))         a node of a text
    loc("lif1")                         a node of a graph without a file
    loc(fused["lif1"(…), "lif2"(…)])    several nodes: an op that serves them, such as a core

Frontends and the parser set them, and every pass keeps them: the location of a new op is, in this order,

1. the location of the op with the same name before the pass, or with a prefix of its name: `lif1` for `lif1/0` and `lif1.relay`;
2. the locations of its inner ops: a core is located at its populations;
3. the locations of the ops that refer to its symbol, if they are few;
4. the location of an op that reads its result, of an op that it reads, or of its parent op.

An op without any of these has no source. A pass sets a location itself where another op is the origin.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager

from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    LocationAttr,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from .diagnostics import Diagnostics, Finding, Refused, describe_op, symbol_of
from .ir.location_parts import fuse, is_known, line_of, node_location

NAME_PROPERTIES = ("node", "part_of", "source", "label")
"""Properties whose value is a node name; each of them identifies the origin of an op."""
MOST_USERS = 8
"""Maximum number of distinct user locations of a symbol; an op with more of them has the location of the file."""
ENDING = re.compile(r"\W|_")
"""Start of the ending of a derived name: `.relay`, `/0`, `_1`."""


class Origins:
    """Locations of the ops of a module before a pass, by their names."""

    def __init__(self, module: Operation):
        self.named: dict[str, LocationAttr] = {}
        """Locations of nodes, inputs and outputs by name; the names of symbols start with `@`."""
        self.described: dict[str, LocationAttr] = {}
        """Locations of the ops with a symbol, by their description in messages."""
        stack = [(module, "")]
        while stack:
            op, prefix = stack.pop()
            if is_known(op.location):
                self.take(op, prefix)
            if op.regions:
                node = op.properties.get("node")
                inner = f"{prefix}{node.data}." if isinstance(node, StringAttr) else prefix
                stack += [(one, inner) for region in op.regions for block in region.blocks for one in block.ops]

    def take(self, op: Operation, prefix: str) -> None:
        """Stores the location of an op by its names."""
        location, properties = op.location, op.properties
        if isinstance(name := properties.get("node", properties.get("label")), StringAttr):
            self.named.setdefault(name.data, location)
            if prefix:
                self.named.setdefault(prefix + name.data, location)
        elif (symbol := symbol_of(op)) is not None:
            self.named.setdefault(f"@{symbol}", location)
            self.described[describe_op(op)[0]] = location
            line = line_of(location) or UNKNOWN_LOC
            inputs = names_in(properties.get("input_names"))
            for name, argument in zip(inputs, op.regions[0].block.args if inputs else (), strict=False):
                if is_known(argument.location):
                    self.named.setdefault(name, argument.location)
            for name in (*inputs, *names_in(properties.get("output_names"))):
                self.named.setdefault(name, node_location(name, line))

    def find(self, name: str) -> LocationAttr | None:
        """Returns the location of the node with a name, or of the longest name that it starts with."""
        if (found := self.named.get(name)) is not None:
            return found
        for ending in reversed(list(ENDING.finditer(name, 1))):
            if (found := self.named.get(name[: ending.start()])) is not None:
                return found
        return None

    def origin(self, op: Operation) -> LocationAttr:
        """Returns the location of an op by its names: rule 1."""
        texts = [text.data for name in NAME_PROPERTIES if isinstance(text := op.properties.get(name), StringAttr)]
        if (symbol := symbol_of(op)) is not None:
            return self.named.get(f"@{symbol}", UNKNOWN_LOC)
        for text in texts:
            if (found := self.named.get(text)) is not None:
                return found
        return next((found for text in texts if (found := self.find(text)) is not None), UNKNOWN_LOC)

    def fill(self, module: Operation) -> None:
        """Sets the missing locations of the ops of a module, and of the arguments of their blocks."""
        holders: list[Operation] = []
        missing: list[Operation] = []
        for op in module.walk():
            if not is_known(op.location):
                op.location = self.origin(op)
                if not is_known(op.location):
                    missing.append(op)
            if op.regions:
                holders.append(op)
        for op in reversed(missing):  # 2: inner ops first
            if op.regions and symbol_of(op) is None:
                op.location = fuse(
                    one.location for region in op.regions for block in region.blocks for one in block.ops
                )
        if any(symbol_of(op) is not None for op in missing):  # 3
            users = symbol_users(module)
            for op in missing:
                found = users.get(symbol_of(op) or "", ())
                if 0 < len(found) <= MOST_USERS:
                    op.location = fuse(found)
        for op in reversed(missing):  # 4: an op after those that read it
            if not is_known(op.location):
                op.location = first_known(use.operation for result in op.results for use in result.uses)
        for op in missing:  # an op after the one that it is in
            if not is_known(op.location):
                op.location = first_known([*owners(op.operands), *filter(None, [op.parent_op()])])
        for op in holders:
            fill_arguments(op, self.named)

    def locate(self, finding: Finding) -> Finding:
        """Returns a finding with the file and the place of its node, or of the network that it is about."""
        if finding.file or finding.place:
            return finding
        found = self.described.get(finding.at) if finding.node is None else self.find(finding.node)
        return finding if found is None else finding.with_location(found)

    @contextmanager
    def locating(self, diagnostics: Diagnostics | None) -> Generator[None]:
        """Adds file and place to the findings that the body adds, and to the findings of a refusal."""
        try:
            if diagnostics is None:
                yield
            else:
                with diagnostics.changing(self.locate):
                    yield
        except Refused as refusal:
            refusal.findings = tuple(map(self.locate, refusal.findings))
            raise


def fill_arguments(op: Operation, named: Mapping[str, LocationAttr]) -> None:
    """Sets the missing locations of an op's block arguments: the location of the input, or else of the op."""
    names = names_in(op.properties.get("input_names"))
    for region in op.regions:
        for block in region.blocks:
            for k, argument in enumerate(block.args):
                if not is_known(argument.location):
                    name = names[k] if k < len(names) else None
                    own = None if name is None else named.get(name)
                    argument.location = own or (op.location if name is None else node_location(name, op.location))


def names_in(value: Attribute | None) -> list[str]:
    """Returns the texts of a property that is a list of names."""
    names: Iterable[Attribute] = value if isinstance(value, ListAttr) else ()
    return [name.data for name in names if isinstance(name, StringAttr)]


def symbol_users(module: Operation) -> dict[str, dict[LocationAttr, None]]:
    """Returns the locations of the ops that refer to each symbol."""
    found: dict[str, dict[LocationAttr, None]] = {}
    for op in module.walk():
        if is_known(op.location):
            for value in op.properties.values():
                if isinstance(value, SymbolRefAttr):
                    found.setdefault(value.root_reference.data, {})[op.location] = None
    return found


def first_known(ops: Iterable[Operation]) -> LocationAttr:
    """Returns the first known location of several ops."""
    return next((op.location for op in ops if is_known(op.location)), UNKNOWN_LOC)


def owners(values: Iterable[SSAValue]) -> list[Operation]:
    """Returns the ops that define values."""
    return [value.op for value in values if isinstance(value, OpResult)]
