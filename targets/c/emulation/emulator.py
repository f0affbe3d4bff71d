"""Compiled networks on boards of QEMU: the cross compiler, the emulator, and the test vectors of an artefact.

A program is emulated twice. The first counts the instructions of each tick and marks the stack. In the second the compiler calls a function
at the start and the end of each function of the network (`-finstrument-functions`), so that the instructions of each op are counted.
QEMU counts instructions, not cycles: it has no model of pipelines, caches and wait states.

Source: QEMU 7.2, "Arm MPS2 and MPS3 boards" and "TCG instruction counting"; Arm DUI 0475, CMSDK APB timer; GCC manual, instrumentation options.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

from ....core.diagnostics import Code, ExitCode, choices_text, near_names, refuse
from ....core.target import Emulation
from ..compiler import last_lines, run_compiler
from ..measuring import sections_of
from ..printing.scalars import HELPERS

CSR030 = Code("CSR030", "emulated-core-unknown", "unknown core of an emulated board", exit_code=ExitCode.MISUSED)
CSR031 = Code("CSR031", "emulator-missing", "a core cannot be emulated here")
CSR032 = Code("CSR032", "emulation-without-result", "an emulated program prints no result")

COMPILER, EMULATOR = "arm-none-eabi-gcc", "qemu-system-arm"
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off")
INSTRUCTION_TIME = ("-icount", "shift=6")
SEMIHOSTING = ("-semihosting-config", "enable=on,target=native")
SECONDS = 300
HOLLOW = '#include <stdio.h>\nint main(void) { return printf("") != 0; }\n'
NEEDED_FILES = ("manifest.json", "vectors.c", "vectors.h")


@frozen
class Core:
    """Core of a board of QEMU."""

    flags: tuple[str, ...]
    board: str


CORES = {
    "cortex-m3": Core(("-mcpu=cortex-m3", "-mthumb"), "mps2-an385"),
    "cortex-m4": Core(("-mcpu=cortex-m4", "-mthumb", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"), "mps2-an386"),
    "cortex-m7": Core(("-mcpu=cortex-m7", "-mthumb", "-mfpu=fpv5-d16", "-mfloat-abi=hard"), "mps2-an500"),
}
"""Cores by name; each board has 4 MiB of ROM, 4 MiB of RAM and a timer of 25 MHz at the same addresses."""
DEFAULT = "cortex-m4"


def missing() -> str | None:
    """Returns why no network can be emulated here, or None."""
    for name in (COMPILER, EMULATOR):
        if shutil.which(name) is None:
            return f"{name} is not on the path"
    trial = [COMPILER, *CORES["cortex-m4"].flags, "-x", "c", "-", "--specs=rdimon.specs", "-o", "/dev/null"]
    done = subprocess.run(trial, input=HOLLOW, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else f"{COMPILER} has no C library (Debian: libnewlib-arm-none-eabi)"


def emulate(artefact: Path, core: str) -> Emulation:
    """Runs the test vectors of an artefact on an emulated core, and returns what they cost.

    Errors: CSR030 an unknown core; CSR031 no compiler or emulator; CSR032 another artefact, a network that does not fit, a program without result.
    """
    at = f"--core {core}"
    if (chosen := CORES.get(core)) is None:
        help = f"--core {next(iter(near_names(core, CORES)), DEFAULT)}"
        refuse(CSR030, at=at, expected=choices_text(CORES), found=core, help=help)
    if (reason := missing()) is not None:
        refuse(CSR031, at=at, expected=f"{COMPILER} with its C library, and {EMULATOR}", found=reason)
    lacking = [name for name in NEEDED_FILES if not (artefact / name).is_file()]
    if lacking:
        refuse(CSR032, at=at, expected="an artefact with test vectors and a Makefile", found=f"no {lacking[0]}")
    prefix: str = json.loads((artefact / NEEDED_FILES[0]).read_text("utf-8"))["prefix"]
    with TemporaryDirectory(prefix="nopt-") as name:
        folder = shutil.copytree(artefact, Path(name) / "artefact")
        text = (folder / f"{prefix}.c").read_text("utf-8")
        plain = run_program(folder, prefix, chosen, at, ())
        own = sections_of((folder / "network.o").read_bytes())
        hidden = ",".join(f"{prefix}_{helper}" for helper in HELPERS)
        marks = ("-finstrument-functions", f"-finstrument-functions-exclude-function-list={hidden}")
        counted = run_program(folder, prefix, chosen, at, marks)
    ticks = plain["ticks"][0]
    equal = plain["equal"][0]
    passed = max(1, min(ticks, equal + 1))
    return Emulation(
        core=core,
        board=chosen.board,
        ticks=ticks,
        equal_ticks=equal,
        instructions_per_tick=plain["total"][0] / passed,
        longest_tick=plain["longest"][0],
        stack_bytes=plain["stack"][0],
        ram_bytes=plain["state"][0] + plain["stack"][0] + (0 if own is None else own.data + own.bss),
        rom_bytes=None if own is None else own.code + own.constants + own.data,
        ops={name: count / passed for name, count in zip(op_names(text, prefix), counted.get("op", []), strict=False)},
    )


def run_program(folder: Path, prefix: str, core: Core, at: str, marks: Sequence[str]) -> dict[str, list[int]]:
    """Compiles the program of a board in the folder of an artefact, and returns the numbers that it prints by their names."""
    here = Path(__file__).parent
    words = {"@": prefix, "UPPER": prefix.upper()}
    board = re.sub("@|UPPER", lambda word: words[word[0]], (here / "board.c.in").read_text("utf-8"))
    (folder / "board.c").write_text(board, "utf-8")
    flags = [*core.flags, "-O2", *STRICT, f"-D{prefix.upper()}_NO_MAIN", "-I.", *(["-DLAYERS"] if marks else [])]
    linked = [
        "--specs=rdimon.specs",
        "-nostartfiles",
        "-T",
        str(here / "board.ld.in"),
        f"-Wl,--wrap={prefix}_step",
        "-lm",
    ]
    for command in (
        [COMPILER, *flags, *marks, "-c", f"{prefix}.c", "-o", "network.o"],
        [COMPILER, *flags, "network.o", "vectors.c", "board.c", *linked, "-o", "board.elf"],
    ):
        done = run_compiler(command, folder)
        if done.returncode:
            expected = "a program that fits into 4 MiB of ROM and 4 MiB of RAM"
            refuse(
                CSR032, at=at, expected=expected, found=f"exit code {done.returncode}", notes=last_lines(done.stderr)
            )
    machine = ("-M", core.board, "-nographic", *INSTRUCTION_TIME, *SEMIHOSTING, "-kernel", "board.elf")
    try:
        done = subprocess.run(
            [EMULATOR, *machine], cwd=folder, capture_output=True, text=True, check=False, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        refuse(CSR032, at=at, expected=f"a result within {SECONDS} s", found="none")
    found: dict[str, list[int]] = {}
    for name, number in re.findall(r"^(\w+) (-?\d+)$", done.stdout, re.MULTILINE):
        found.setdefault(name, []).append(int(number))
    if "state" not in found:
        refuse(
            CSR032,
            at=at,
            expected="the numbers of a program",
            found=f"exit code {done.returncode}",
            notes=last_lines(done.stdout + done.stderr),
        )
    return found


def op_names(text: str, prefix: str) -> list[str]:
    """Returns the functions that a tick calls, in order and without the prefix; calls of one function are numbered."""
    body = text[text.index(f"\nvoid {prefix}_step(") :]
    names = re.findall(rf"^    {prefix}_(\w+)\(", body[: body.index("\n}")], re.MULTILINE)
    calls, seen = Counter(names), Counter[str]()
    numbered: list[str] = []
    for name in names:
        seen[name] += 1
        numbered.append(f"{name} ({seen[name]})" if calls[name] > 1 else name)
    return numbered
