"""Tables of the first pages are complete: every room, dialect, step of passes and target; every public name."""

from __future__ import annotations

import re

import pytest
from places import ROOT

import nopt.api
from nopt.core import registry

ROWS = dict(
    re.findall(
        r"^\| (`\w+/`(?:, `[\w-]+/`)*) \| (.+) \|$",
        (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
)


def test_every_room_is_listed() -> None:
    listed = {folder for row in ROWS for folder in re.findall(r"`([\w-]+)/`", row)}
    rooms = {path.name for path in ROOT.iterdir() if path.is_dir() and (path / "__init__.py").is_file()}
    assert rooms
    assert rooms <= listed


@pytest.mark.parametrize(
    ("room", "names"),
    [
        ("dialects", set(registry.dialects())),
        ("passes", {path.parent.name for path in ROOT.glob("passes/*/__init__.py")}),
        ("targets", set(registry.targets())),
    ],
)
def test_every_member_of_a_room_is_listed(room: str, names: set[str]) -> None:
    listed = set(re.findall(r"`(\w+)`", ROWS[f"`{room}/`"]))
    assert names <= listed, f"CONTRIBUTING.md, the row of `{room}/`, lacks {sorted(names - listed)}"


def test_every_target_is_a_row_of_the_readme() -> None:
    listed = re.findall(r"\[`(\w+)`\]\(docs/\S+\)\) \|", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(registry.targets())


def test_public_names_are_listed_once() -> None:
    section = (ROOT / "docs" / "python.md").read_text(encoding="utf-8").partition("\n## Public names\n")[2]
    rows = re.findall(r"^\| [a-z][^|]+ \| (`.+`) \|$", section, re.MULTILINE)
    assert sorted(name for row in rows for name in re.findall(r"`(\w+)`", row)) == sorted(nopt.api.__all__)
