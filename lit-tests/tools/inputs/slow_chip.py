"""Writes a target called as a pass of a sweep: the asic target, whose artefact does not end if the preference `bits` is 1 or 2.

It computes with 1, and waits for another process with 2. The pass `slow-wait` does not end either.

python slow_chip.py DIR
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
TARGET = """
import subprocess
from tempfile import TemporaryDirectory
from typing import Any

from attrs import evolve

from nopt.targets.asic.target import TARGET as ASIC


def artefact() -> Any:
    return wait_or_write


def wait_or_write(module: Any, device: Any, diagnostics: Any) -> Any:
    with TemporaryDirectory(prefix="nopt-slow-"):
        while device.preferred["bits"] == 1:
            pass
        if device.preferred["bits"] == 2:
            subprocess.run(["sleep", "600"])
    return ASIC.artefact()(module, device, diagnostics)


TARGET = evolve(ASIC, slug="weights", summary="a chip that is never written", device="edge", artefact=artefact)
"""
PASS = '''
"""Waits for ever."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from nopt.core.ir.pipeline import NoptPass


@dataclass(frozen=True)
class SlowWaitPass(NoptPass):
    """Waits for ever; an exception of another class does not end it."""

    name = "slow-wait"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        while True:
            try:
                sum(range(100))
            except Exception:
                continue
'''


def main(folder: Path) -> None:
    asic = ROOT / "targets" / "asic" / "devices"
    device = json.loads((asic / "edge.json").read_text())
    text = (asic / "edge.neuron").read_text().splitlines()
    device["neuron"]["updates"]["edge_lif"] = {"families": ["if", "lif"], "source": "synthetic", "text": text}
    bits = {"value": 4, "source": "synthetic", "note": "1 and 2 do not end"}
    for room in ("devices", "passes"):
        (folder / room).mkdir(parents=True)
    for package in (folder, folder / "passes"):
        (package / "__init__.py").touch()
    (folder / "target.py").write_text(TARGET)
    (folder / "passes" / "slow_wait.py").write_text(PASS)
    (folder / "devices" / "edge.json").write_text(
        json.dumps(device | {"target": "weights", "preferences": {"bits": bits}})
    )


main(Path(sys.argv[1]))
