"""Measurements of compiled C: text as counted by `size`, stack as reported by the compiler."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from integer_networks import integer_network
from programs import COMPILERS, called, needs_compiler, write

from nopt.targets.c.measuring import OPTIMISED, measure, stack_bytes_of, text_bytes_of
from nopt.targets.c.source import generate


@needs_compiler
@pytest.mark.skipif(shutil.which("size") is None, reason="no size on the path")
@pytest.mark.parametrize("seed", range(3))
def test_text_is_what_size_counts(seed: int, tmp_path: Path) -> None:
    source = generate(integer_network(seed).network)
    write(source, tmp_path)
    called(COMPILERS[0], *OPTIMISED, *source.flags, "-c", tmp_path / "net.c", "-o", tmp_path / "net.o")
    printed = called("size", "-A", tmp_path / "net.o").decode()
    counted = sum(int(size) for size in re.findall(r"^\.text\S* +(\d+)", printed, re.MULTILINE))
    assert text_bytes_of((tmp_path / "net.o").read_bytes()) == counted > 0


@needs_compiler
def test_says_of_which_compiler() -> None:
    source = generate(integer_network(0).network)
    found = measure(source.files, "net", source.flags)
    assert found.compiler
    assert found.text_bytes is None or found.text_bytes > 0
    assert found.flags == " ".join((*OPTIMISED, *source.flags))


def test_a_program_that_does_not_compile_has_no_figures() -> None:
    found = measure({"net.h": "", "net.c": "no C"}, "net", ())
    assert (found.text_bytes, found.stack_bytes) == (None, None)


def test_what_is_no_object_file_has_no_text() -> None:
    assert text_bytes_of(b"MZ\x90\x00") is None


def test_stack_is_that_of_one_call() -> None:
    usage = (
        "net.c:10:6:net_step\t48\tstatic\n"
        "net.c:20:13:net_rows_fc\t16\tstatic\n"
        "net.c:30:13:net_loop_lif\t24\tstatic\n"
        "net.c:40:15:net_wrap\t8\tstatic\n"
        "net.c:50:6:net_run\t400\tstatic\n"
    )
    assert stack_bytes_of(usage, "net") == 48 + 24 + 8
    assert stack_bytes_of("net.c:10:6:net_other\t48\tstatic\n", "net") is None
