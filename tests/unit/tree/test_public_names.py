"""A public name that many files outside of targets define belongs to an interface."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from english import ROOMS
from places import ROOT

PRESCRIBED = {
    "PROG": "tools.command.Verb",
    "IS_LONG": "tools.command.Verb",
    "EXAMPLES": "tools.command.Verb",
    "configure": "tools.command.Verb",
    "run": "tools.command.Verb",
    "read": "core.registry, of frontends",
    "recognises": "core.registry, of frontends",
    "emit": "core.registry, of frontends",
}
"""Names that an interface prescribes, with the interface."""
DEFINITIONS = frozenset(["irdl_op_definition", "irdl_attr_definition"])
"""Decorators of classes whose names follow from those of ops and attributes."""
FILES = 3
"""Files that may define the same public name: a name that fits in any file describes none of its uses."""


def public_names(path: Path) -> Iterator[str]:
    """Yields the names of functions, classes and values that a module defines."""
    for node in ast.parse(path.read_text()).body:
        match node:
            case ast.ClassDef() if DEFINITIONS & {one.id for one in node.decorator_list if isinstance(one, ast.Name)}:
                names = []
            case ast.FunctionDef() | ast.ClassDef():
                names = [node.name]
            case ast.Assign():
                names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            case ast.AnnAssign(target=ast.Name(id=name)):
                names = [name]
            case _:
                names = []
        yield from (name for name in names if not name.startswith("_"))


def is_of_one_target(path: Path) -> bool:
    """Returns whether a module belongs to one target: the same role has the same name in all of them."""
    room, folder = path.relative_to(ROOT).parts[:2]
    return room == "targets" or (room == "dialects" and (ROOT / "targets" / folder).is_dir())


def test_public_names_are_specific() -> None:
    files: defaultdict[str, set[str]] = defaultdict(set)
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            if not is_of_one_target(path):
                for name in public_names(path):
                    files[name].add(path.relative_to(ROOT).as_posix())
    common = {name: sorted(found) for name, found in files.items() if len(found) > FILES}
    assert {name: found for name, found in common.items() if name not in PRESCRIBED} == {}
    assert set(PRESCRIBED) <= set(common), "names that need no exception any longer"
