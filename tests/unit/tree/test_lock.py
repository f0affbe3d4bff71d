"""requirements.lock installs the requirements of pyproject.toml, and does not contain the location of its creation.

An available update is not a failure: `make lock` renews the lock explicitly.
"""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from places import ROOT

LOCK = (ROOT / "requirements.lock").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCKED_EXTRAS = ("dev", "examples", "plot", "report", "cluster", "parquet")

PINS = {
    canonicalize_name(match["name"]): match["version"]
    for match in re.finditer(r"^(?P<name>[\w.-]+)==(?P<version>\S+)", LOCK, re.MULTILINE)
}
REQUIREMENTS = [
    *PROJECT["build-system"]["requires"],
    *PROJECT["project"]["dependencies"],
    *(text for extra in LOCKED_EXTRAS for text in PROJECT["project"]["optional-dependencies"][extra]),
]


@pytest.mark.parametrize("text", REQUIREMENTS)
def test_every_requirement_has_a_pin_in_its_range(text: str) -> None:
    requirement = Requirement(text)
    version = PINS.get(canonicalize_name(requirement.name))
    assert version is not None, f"{text} has no pin in requirements.lock: run `make lock`"
    assert version in requirement.specifier, f"the pin {version} is outside of {text}: run `make lock`"


def test_every_pin_has_a_hash() -> None:
    entries = re.split(r"\n(?=[\w.-]+==)", LOCK)
    bare = [entry.split()[0] for entry in entries if "==" in entry and "--hash=sha256:" not in entry]
    assert not bare, f"no hash for {', '.join(bare)}: run `make lock`"


def test_no_place_stands_in_the_lock() -> None:
    kinds = re.compile(r"://|--(extra-)?index-url|--find-links|--trusted-host| /|\\\\")
    places = [line for line in LOCK.splitlines() if kinds.search(line)]
    assert not places, "requirements.lock names a host or a folder"
