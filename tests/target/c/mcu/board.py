"""A compiled network on a Cortex-M4 of QEMU: the cross compiler, the emulator, and the test vectors of the artefact."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
COMPILER, EMULATOR = "arm-none-eabi-gcc", "qemu-system-arm"
CORE = ("-mcpu=cortex-m4", "-mthumb", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard", "-O2")
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off")
LINKED = ("--specs=rdimon.specs", "-nostartfiles", "-T", str(HERE / "board.ld"), "-lm")
MACHINE = ("-M", "mps2-an386", "-cpu", "cortex-m4", "-nographic", "-icount", "shift=0")
SEMIHOSTING = ("-semihosting-config", "enable=on,target=native")
SECONDS = 120
HOLLOW = '#include <stdio.h>\nint main(void) { return printf("") != 0; }\n'


def missing() -> str | None:
    """Returns why no network can run on the board here, or None."""
    for name in (COMPILER, EMULATOR):
        if shutil.which(name) is None:
            return f"{name} is not on the path"
    trial = [COMPILER, *CORE, "-x", "c", "-", "--specs=rdimon.specs", "-o", "/dev/null"]
    done = subprocess.run(trial, input=HOLLOW, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else f"{COMPILER} has no C library (Debian: libnewlib-arm-none-eabi)"


def run_on_board(artefact: Path) -> tuple[int, str]:
    """Compiles an artefact with test vectors and runs it. Returns the exit code of its program and what it prints."""
    source = ("vectors.c", "net.c", str(HERE / "board.c"))
    command = [COMPILER, *CORE, *STRICT, "-DNET_NO_MAIN", "-I.", *source, *LINKED, "-o", "board.elf"]
    subprocess.run(command, cwd=artefact, check=True, timeout=SECONDS)
    emulated = [EMULATOR, *MACHINE, *SEMIHOSTING, "-kernel", "board.elf"]
    done = subprocess.run(emulated, cwd=artefact, capture_output=True, text=True, check=False, timeout=SECONDS)
    return done.returncode, (done.stdout + done.stderr).strip()
