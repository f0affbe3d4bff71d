"""The table that `nopt check` shows on a terminal contains the content of the text."""

from __future__ import annotations

import re
import sys

import pytest
from places import GOLDENS

from nopt.tools.main import main

LIF = GOLDENS / "tools" / "inputs" / "lif.mlir"


@pytest.mark.parametrize("is_plain", [True, False])
def test_table_on_a_terminal(
    is_plain: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["check", str(LIF)]) == 0
    text = capsys.readouterr().out
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if is_plain:
        monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["check", str(LIF)]) == 0
    table = capsys.readouterr().out
    assert ("\x1b[33m" in table) is not is_plain
    # cells are wrapped and framed, so only words can be compared
    shown = re.sub(r"\x1b\[[0-9;]*m", "", table)
    for word in re.findall(r"[A-Za-z0-9_]{3,}", text.replace(str(LIF), "")):
        assert word in shown
    assert shown.rstrip().endswith("2 warnings")


def test_nothing_found_needs_no_table(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["check", str(LIF), "--dt", "1ms", "--like", "norse"]) == 0
    lines = capsys.readouterr().out.replace("\n", "")
    assert lines.endswith("no problems found")
