"""Measurements of compiled C: text as counted by `size`, stack as reported by the compiler."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from integer_networks import integer_network
from programs import COMPILERS, called, needs_compiler, write

from nopt.targets.c.cross import toolchain_of
from nopt.targets.c.measuring import OPTIMISED, measure, sections_of, stack_bytes_of
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
    sections = sections_of((tmp_path / "net.o").read_bytes())
    assert sections is not None
    assert sections.code == counted > 0


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
    assert sections_of(b"MZ\x90\x00") is None


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


ARM = "arm-none-eabi-gcc"


@pytest.mark.skipif(shutil.which(ARM) is None, reason=f"no {ARM} on the path")
def test_sections_of_a_core_are_what_size_counts(tmp_path: Path) -> None:
    """`size` counts instructions and constants as text."""
    source = generate(integer_network(1).network)
    write(source, tmp_path)
    toolchain = toolchain_of({"compiler": ARM, "flags": "-mcpu=cortex-m4 -mthumb -O2"}, source.flags)
    assert toolchain is not None
    found = measure(source.files, "net", source.flags, toolchain)
    called(ARM, *toolchain.flags, *source.flags, "-c", tmp_path / "net.c", "-o", tmp_path / "net.o")
    text, data, bss = map(int, called("arm-none-eabi-size", tmp_path / "net.o").split(b"\n")[1].split()[:3])
    assert found.sections is not None
    assert (found.sections.code + found.sections.constants, found.sections.data, found.sections.bss) == (
        text,
        data,
        bss,
    )
    assert found.stack_bytes
