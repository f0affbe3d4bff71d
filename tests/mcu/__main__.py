"""`make mcu`: networks of the examples on a Cortex-M4 of QEMU, with their memory and instructions.

Each is compiled for every device of the target `c`, and for the first one in f32, and with weights and states of f16 and of bf16.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from board import COMPILER, CORE, missing, run_on_board

import nopt.api as nopt
from nopt.core import registry
from nopt.core.diagnostics import Diagnostics, Refused

EXAMPLES = Path(__file__).parents[2] / "examples"
SPIKES = (np.random.default_rng(0).random((40, 64)) < 0.1).astype(np.float32)
NETWORKS = (
    (EXAMPLES / "bars" / "bars.nir", "sinabs", np.load(EXAMPLES / "bars" / "input.npy")),
    (EXAMPLES / "rhythm" / "rhythm.nir", "norse", np.load(EXAMPLES / "rhythm" / "input.npy")),
    (EXAMPLES / "digits" / "fc.nir", "norse", SPIKES),
)
ROUND = "ntensor-round-reals{{to={0}}},ntensor-round-reals{{to={0} of=states}}"
SINGLE = {"precision": "f32"}
BUILDS: list[tuple[str, str, dict[str, Any]]] = [
    *((device, "", {}) for device in registry.devices()["c"]),
    ("generic", " f32", SINGLE),
    *(("generic", f" {format}", {**SINGLE, "passes": ROUND.format(format)}) for format in ("f16", "bf16")),
]
"""Of each build the device, its name, and its choices."""


def main() -> int:
    """Prints one line for each network and build; returns 1 if the board computes other outputs than the reference."""
    if reason := missing():
        print(f"skipped: {reason}")
        return 0
    wrong = 0
    for path, like, x in NETWORKS:
        for device, name, chosen in BUILDS:
            with TemporaryDirectory(prefix="nopt-") as folder:
                settings = [f"c.compiler={COMPILER}", f"c.flags={' '.join(CORE)}"]
                try:
                    build = nopt.compile(
                        path,
                        target=f"c/{device}",
                        dt="1ms",
                        like=like,
                        calib=x,
                        set=settings,
                        out=Path(folder) / "out",
                        diagnostics=Diagnostics(),
                        **chosen,
                    )
                except Refused as refusal:
                    print(f"{path.stem} c/{device}{name}: refused: {refusal.findings[0].message}")
                    continue
                code, text = run_on_board(Path(folder) / "out" / "artefact")
                memory, wrong = build.report["memory"], wrong + (code != 0)
                sizes = f"ROM {memory['rom']} bytes, RAM {memory['ram']} bytes"
                print(f"{path.stem} c/{device}{name} {build.report['arithmetic']}: {text}, {sizes}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
