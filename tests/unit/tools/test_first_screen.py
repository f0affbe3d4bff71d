"""First screen of `compile` and `check`: texts of loss and changes, the width of the table, and the order of the streams."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from places import GOLDENS

from nopt.api.judging.changes import NetworkChange
from nopt.tools import summary

LOSS: dict[str, Any] = {
    "agreement": 0.985,
    "count_error": 0.012,
    "spike_agreement": None,
    "relative_error": None,
    "largest_error": None,
    "largest_output": None,
    "accuracy": 0.9599,
    "accuracy_before": 0.9633,
    "measured_on": "sample input",
    "samples": 599,
}


def test_the_loss_has_the_accuracy_first_and_no_figure_that_does_not_apply() -> None:
    text = "loss: accuracy 96.33 % -> 95.99 %, agreement 98.50 %, count error 0.012; 599 samples"
    assert summary.loss_line(LOSS, "") == text


def test_the_loss_of_values_has_the_largest_error_beside_the_largest_output() -> None:
    values = dict.fromkeys(LOSS) | {"relative_error": 0.034, "largest_error": 0.4912, "largest_output": 1.16}
    values |= {"measured_on": "generated input", "samples": 1}
    text = "loss: relative error 0.034 (0.491 of 1.16 at most); 1 sample on generated input"
    assert summary.loss_line(values, "") == text


@pytest.mark.parametrize("columns", [80, 120, 200])
def test_the_table_has_the_width_of_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    change = NetworkChange(
        "w" * 90, ("a", "b", "c", "d", "e"), "x" * 60, "core.fan_in", largest=0.25, unit="1 per tick"
    )
    head, row = summary.changes_table([change]).splitlines()
    needed = 2 * summary.NARROWEST + len('"a", "b", "c" and 2 more') + len("error 0.25 per tick") + 3 * 2
    assert len(row) == max(columns, needed)
    assert row.endswith("error 0.25 per tick")
    assert head.index("how much") == row.index("error 0.25")


def test_more_changes_than_a_screen_holds_are_counted() -> None:
    lines = summary.changes_table([NetworkChange(f"change {k}", ()) for k in range(summary.ROWS + 3)]).splitlines()
    assert len(lines) == summary.ROWS + 2
    assert lines[-1] == "and 3 more changes: -v"


def test_the_next_commands_follow_the_findings(tmp_path: Path) -> None:
    network, out = GOLDENS / "targets" / "spinnaker" / "inputs" / "spread.mlir", tmp_path / "build"
    options = ["--target", "spinnaker/spinn5", "--dt", "1ms", "--like", "euler", "--reset", "value", "-o", str(out)]
    command = [sys.executable, "-m", "nopt", "compile", str(network), *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
    verdict, warning, closing = (done.stdout.index(text) for text in ("fits spinnaker", "warning[", "next: nopt run"))
    assert verdict < warning < closing
