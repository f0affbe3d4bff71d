"""A compiled network on an emulated microcontroller: its outputs are those of the reference, another number is noticed, and each op has its instructions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import EXAMPLES

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.targets.c.emulation.emulator import CORES, emulate, missing, op_names

REASON = missing()
needs_emulator = pytest.mark.skipif(REASON is not None, reason=str(REASON))
BARS = EXAMPLES / "bars"
CHOICES: dict[str, Any] = {"dt": "1ms", "like": "sinabs"}


def build(out: Path, device: str = "c/generic") -> Path:
    x = np.load(BARS / "input.npy")
    nopt.compile(BARS / "bars.nir", target=device, calib=x, out=out, diagnostics=Diagnostics(), **CHOICES)
    return out / "artefact"


@needs_emulator
@pytest.mark.parametrize("core", CORES)
def test_the_board_computes_the_outputs_of_the_reference(core: str, tmp_path: Path) -> None:
    artefact = build(tmp_path / "a")
    found = emulate(artefact, core)
    assert found.ticks == found.equal_ticks == 28
    assert 0 < found.stack_bytes < found.ram_bytes
    assert 0 < found.instructions_per_tick <= found.longest_tick
    assert sum(found.ops.values()) == pytest.approx(found.instructions_per_tick, rel=0.05)
    source = artefact / "net.c"
    source.write_text(source.read_text().replace("-0.25f, -0.25f", "0.25f, 0.25f"))
    assert emulate(artefact, core).equal_ticks < 28


@needs_emulator
def test_a_program_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    artefact = build(tmp_path / "a", "c/int8")
    source = artefact / "net.c"
    source.write_text(source.read_text() + "const unsigned char large[5 << 20] = {1};\n")
    with pytest.raises(Refused, match="CSR032"):
        emulate(artefact, "cortex-m4")


@needs_emulator
def test_an_artefact_without_vectors_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"CSR032[\s\S]*no manifest.json"):
        emulate(tmp_path, "cortex-m4")


def test_a_machine_without_the_tools_is_told_what_it_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Refused, match=r"CSR031[\s\S]*arm-none-eabi-gcc is not on the path"):
        emulate(tmp_path, "cortex-m4")


def test_calls_of_one_function_are_numbered() -> None:
    text = "\nvoid net_step(net_state *self) {\n    net_loop_a(1);\n    net_clear(2);\n    net_loop_a(3);\n}\n"
    assert op_names(text, "net") == ["loop_a (1)", "clear", "loop_a (2)"]
