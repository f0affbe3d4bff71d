"""`make mcu`: networks of the examples on a Cortex-M4 of QEMU, with their memory and instructions, and generated networks of integers.

Each example is compiled for every device of the target `c`, and for the first one in f32, and with weights and states of f16 and of bf16.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from places import EXAMPLES

import nopt.api as nopt
from nopt.api.conformance.networks import FAMILIES, generate
from nopt.core import registry
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.core.target import Emulation
from nopt.targets.c.emulation.emulator import COMPILER, CORES, emulate, missing

SPIKES = (np.random.default_rng(0).random((40, 64)) < 0.1).astype(np.float32)
NETWORKS = (
    (EXAMPLES / "bars" / "bars.nir", "sinabs", np.load(EXAMPLES / "bars" / "input.npy")),
    (EXAMPLES / "rhythm" / "rhythm.nir", "norse", np.load(EXAMPLES / "rhythm" / "input.npy")),
    (EXAMPLES / "digits" / "fc.nir", "norse", SPIKES),
)
CORE = "cortex-m4"
DEVICES_OF_INTEGERS = ("int4", "int8", "int16")
ROUND = "ntensor-round-reals{{to={0}}},ntensor-round-reals{{to={0} of=states}}"
SINGLE = {"precision": "f32"}
BUILDS: list[tuple[str, str, dict[str, Any]]] = [
    *((device, "", {}) for device in registry.devices()["c"]),
    ("generic", " f32", SINGLE),
    *(("generic", f" {format}", {**SINGLE, "passes": ROUND.format(format)}) for format in ("f16", "bf16")),
]
"""Of each build the device, its name, and its choices."""


def on_board(source: Any, device: str, **choices: Any) -> tuple[Emulation, dict[str, Any]]:
    """Compiles a network and runs its test vectors; returns what they cost and the report. Errors: those of `compile` and of the emulation."""
    settings = [f"c.compiler={COMPILER}", f"c.flags={' '.join(CORES[CORE].flags)} -O2"]
    with TemporaryDirectory(prefix="nopt-") as folder:
        out = Path(folder) / "out"
        build = nopt.compile(source, target=f"c/{device}", set=settings, out=out, diagnostics=Diagnostics(), **choices)
        return emulate(out / "artefact", CORE), build.report


def run_examples() -> int:
    """Prints a line for each example and build; returns the number of those whose outputs differ from the reference."""
    wrong = 0
    for path, like, x in NETWORKS:
        for device, name, chosen in BUILDS:
            try:
                found, report = on_board(path, device, dt="1ms", like=like, calib=x, **chosen)
            except Refused as refusal:
                print(f"{path.stem} c/{device}{name}: refused: {refusal.findings[0].message}")
                continue
            sizes = "ROM {rom} bytes, RAM {ram} bytes".format(**report["memory"])
            text = f"{found.equal_ticks} of {found.ticks} ticks equal, {found.instructions_per_tick:.0f} instructions per tick"
            print(
                f"{path.stem} c/{device}{name} {report['arithmetic']}: {text}, {sizes}, stack {found.stack_bytes} bytes"
            )
            wrong += found.equal_ticks < found.ticks
    return wrong


def run_generated(networks: int) -> int:
    """Prints a line for each device of integers; returns the number of networks whose outputs differ from the reference, and of devices that refuse all."""
    wrong = 0
    drawn = [one for seed in range(networks) if (one := generate(seed, list(FAMILIES))) is not None]
    for device in DEVICES_OF_INTEGERS:
        agreeing, notes = 0, list[str]()
        for one in drawn:
            try:
                found, _ = on_board(one.module, device, calib=one.x)
            except Refused as refusal:
                notes.append(f"refused: {one.name}: {refusal.findings[0].message}")
                continue
            agrees = found.equal_ticks == found.ticks
            agreeing += agrees
            wrong += not agrees
            notes += [] if agrees else [f"differs: {one.name}"]
        print(f"c/{device}: {agreeing} of {len(drawn)} generated networks agree", *notes, sep="; ")
        wrong += agreeing == 0
    return wrong


def main() -> int:
    """Returns 1 if the board computes other outputs than the reference."""
    parser = ArgumentParser(prog="make mcu", description=__doc__)
    parser.add_argument("--networks", type=int, default=20, help="generated networks")
    networks = parser.parse_args().networks
    if reason := missing():
        print(f"skipped: {reason}")
        return 0
    return int(run_examples() + run_generated(networks) > 0)


if __name__ == "__main__":
    sys.exit(main())
