"""Saved states that `net_load` refuses, and the header in C++."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from integer_networks import integer_network
from programs import called, library, needs_compiler, write
from real_networks import real_network

import nopt.api as nopt
from nopt.dialects.ntensor import NetworkOp
from nopt.targets.c.library import Instance
from nopt.targets.c.source import generate

pytestmark = needs_compiler
SIZE, OTHER, DAMAGED = 1, 2, 3
"""Results of `net_load`, as the header names them."""


@pytest.fixture(scope="module")
def instance() -> Instance:
    return library(generate(real_network(2).network), "-O1").instance()


def changed(saved: bytes, at: int) -> bytes:
    return saved[:at] + bytes([saved[at] ^ 1]) + saved[at + 1 :]


def test_garbage_is_refused(instance: Instance) -> None:
    saved = instance.save()
    bad = {
        b"": SIZE,
        saved[:-1]: SIZE,
        saved + b"\0": SIZE,
        bytes(len(saved)): OTHER,
        saved[3::-1] + saved[7:3:-1] + saved[11:7:-1] + saved[15:11:-1] + saved[16:]: OTHER,  # the other order of bytes
        changed(saved, 0): OTHER,
        changed(saved, 12): DAMAGED,
        changed(saved, len(saved) - 1): DAMAGED,
    }
    for text, code in bad.items():
        with pytest.raises(ValueError, match=f"code {code}$"):
            instance.load(text)
        assert instance.save() == saved


def test_a_state_of_another_network_is_refused(instance: Instance) -> None:
    other = library(generate(integer_network(1).network), "-O1").instance()
    with pytest.raises(ValueError, match=f"code [{SIZE}{OTHER}]$"):
        instance.load(other.save())


KEYWORDS = """
ntensor.network @net("new" %x: tensor<2xf32>) -> ("class": tensor<2xf32>) attributes {tick_ns = 1000000} {
  %y = ntensor.delay "this" %x {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xf32>
  ntensor.output %y : tensor<2xf32>
}"""


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ on the path")
def test_the_header_is_also_cplusplus(tmp_path: Path) -> None:
    """Names of nodes that are keywords of C++ do not occur in the header."""
    network = next(op for op in nopt.parse(KEYWORDS).ops if isinstance(op, NetworkOp))
    write(generate(network), tmp_path)
    text = '#include "net.h"\nint main() { static net_state s; net_init(&s); return net_load(&s, 0, 0) == NET_LOAD_SIZE ? 0 : 1; }\n'
    (tmp_path / "use.cpp").write_text(text, encoding="utf-8")
    called("gcc", "-c", tmp_path / "net.c", "-o", tmp_path / "net.o")
    called(
        "g++",
        "-Wall",
        "-Wextra",
        "-pedantic",
        "-Werror",
        tmp_path / "use.cpp",
        tmp_path / "net.o",
        "-o",
        tmp_path / "use",
    )
    called(tmp_path / "use")
