"""`nopt check` prints the same text on a terminal, with the heads of findings in colour, and escapes what could control the terminal."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from places import GOLDENS

from nopt.tools.main import main

LIF = GOLDENS / "tools" / "inputs" / "lif.mlir"


@pytest.mark.parametrize("is_plain", [True, False])
def test_a_terminal_shows_the_text_in_colour(
    is_plain: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["check", str(LIF)]) == 0
    text = capsys.readouterr().out
    assert text.splitlines()[0].endswith("2 warnings")
    monkeypatch.setenv("COLUMNS", "140")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if is_plain:
        monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["check", str(LIF)]) == 0
    shown = capsys.readouterr().out
    assert ("\x1b[1;33m" in shown) is not is_plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown) == text


def test_names_of_a_file_do_not_control_a_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    network = tmp_path / "net.mlir"
    network.write_text(LIF.read_text(encoding="utf-8").replace('"lif"', '"li\x1b[2Jf"'), encoding="utf-8")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    main(["check", str(network)])
    assert "\x1b" not in capsys.readouterr().out
