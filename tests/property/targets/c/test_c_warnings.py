"""Generated C without a warning of clang or gcc, also where operators of different precedence meet."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from extent import seeds
from integer_networks import integer_network
from programs import called, write
from real_networks import real_network

from nopt.targets.c.printing.scalars import HELPERS, TEXTS
from nopt.targets.c.source import CSource, generate

WARNINGS = {
    "clang": ("-Wall", "-Wextra", "-Wpedantic", "-Werror"),
    "gcc": ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"),
}
GROUP = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
COMPARISON = re.compile(r"[!=<>]=")
CONDITION = re.compile(r"[^=()\[\],;?:{}]*\?")
BITWISE = re.compile(r"(?<![&|])[&|^](?![&|])")


def bare_conditions(text: str) -> list[str]:
    """Returns the conditions of `a ? b : c` with a bitwise operator that is not in parentheses."""
    found: list[str] = []
    text = COMPARISON.sub("<", text)
    while True:
        found += [match[0] for match in CONDITION.finditer(text) if BITWISE.search(match[0])]
        if (smaller := GROUP.sub("", text)) == text:
            return found
        text = smaller


def printed(kind: str, seed: int) -> CSource:
    case = real_network(seed) if kind == "reals" else integer_network(seed)
    return generate(case.network, record=case.record)


def test_a_bare_condition_is_found() -> None:
    assert bare_conditions("x = (a < b) | (a != a) ? a : b;") == ["  |  ?"]
    assert bare_conditions("y = f((a & 1 ? b : c), d);") == ["a & 1 ?"]
    assert not bare_conditions("x = ((a < b) | (a != a)) ? a : b; y = a && b || c ? d & e : f;")


@pytest.mark.parametrize("text", [*TEXTS.values(), *HELPERS.values()])
def test_conditions_of_ops_and_helpers_are_in_parentheses(text: str) -> None:
    assert not bare_conditions(text)


@pytest.mark.parametrize("kind", ["reals", "integers"])
def test_conditions_of_networks_are_in_parentheses(kind: str) -> None:
    for seed in seeds(12):
        for name, text in printed(kind, seed).files.items():
            assert not bare_conditions(text), f"{name} of seed {seed}"


@pytest.mark.parametrize("kind", ["reals", "integers"])
@pytest.mark.parametrize("compiler", WARNINGS)
def test_compilers_do_not_warn(compiler: str, kind: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} on the path")
    for seed in seeds(12):
        source = printed(kind, seed)
        write(source, tmp_path)
        texts = [tmp_path / name for name in source.files if name.endswith(".c")]
        called(compiler, "-std=c99", *WARNINGS[compiler], "-fsyntax-only", *texts)
