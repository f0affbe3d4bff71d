"""The warning about a loss: builds beyond a default threshold have it, all others do not, and the change of its help is one that helps."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics, Finding, Severity

SIZES = "lit-tests/api/judging/inputs/sizes.mlir"
CASES = (
    (SIZES, "norse", "c"),
    (SIZES, "norse", "c/int8"),
    (SIZES, "norse", "c/int4"),
    (SIZES, "norse", "asic/edge"),
    (SIZES, "norse", "loihi2"),
    ("examples/digits/fc.nir", "norse", "c/int4"),
    ("examples/digits/fc.nir", "norse", "c/int8"),
    ("examples/digits/fc.nir", "norse", "memxbar/array128"),
    ("examples/digits/conv.nir", "sinabs", "dynapcnn"),
    ("examples/bars/bars.nir", "sinabs", "dynapcnn"),
)


def compiled(path: Path, like: str, target: str, out: Path, **options: Any) -> tuple[dict[str, Any], list[Finding]]:
    found = Diagnostics()
    options = {"calib": "poisson:0.3,ticks=20,samples=8", "dt": "1ms", "like": like} | options
    report = nopt.compile(path, out=out, target=target, diagnostics=found, **options).report
    return report, [one for one in found.findings if one.code.id == "LOS001"]


def is_beyond(loss: dict[str, Any]) -> bool:
    """Returns whether a record is beyond the default thresholds, as docs/loss.md states them."""
    agreement, accuracy = loss["agreement"], loss["accuracy"]
    errors = [loss["count_error"], loss["relative_error"]]
    return (
        (agreement is not None and 1 - agreement > 0.05)
        or any(error is not None and error > 0.1 for error in errors)
        or (accuracy is not None and loss["accuracy_before"] - accuracy > 0.01 + 1e-12)
    )


@pytest.mark.parametrize(("name", "like", "target"), CASES)
def test_a_build_beyond_a_threshold_has_the_warning(
    root: Path, tmp_path: Path, name: str, like: str, target: str
) -> None:
    report, found = compiled(root / name, like, target, tmp_path / "build")
    assert len(found) == is_beyond(report["loss"])
    for one in found:
        assert one.severity is Severity.WARNING
        assert one.node is None or one.node in {*report["levels"][0]["populations"]}


def test_labels_add_the_accuracy(root: Path, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    spikes = rng.random((20, 16, 64)) < 0.3
    path = root / "examples/digits/fc.nir"
    decisions = np.asarray(nopt.run(path, spikes, dt="1ms", like="norse")["output"]).sum(1).argmax(1)
    options = {"calib": spikes, "labels": decisions, "passes": "ntensor-quantize-weights{bits=2}"}
    report, (finding,) = compiled(path, "norse", "c", tmp_path / "build", **options)
    loss = report["loss"]
    assert loss["accuracy_before"] == 1.0
    assert loss["accuracy"] < 0.99
    assert f"accuracy 100.00 % -> {100 * loss['accuracy']:.2f} %" in str(finding.found)
    assert len(loss["lost"]) == round(20 * (1 - loss["accuracy"]))
    with pytest.raises(nopt.Refused) as refused:
        compiled(path, "norse", "c", tmp_path / "none", **options, max_loss={"accuracy": "1pt"})
    assert {one.code.id for one in refused.value.findings} == {"LOS001"}
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("name", "like", "target", "flag"),
    [
        (SIZES, "norse", "asic/edge", "-p"),
        (SIZES, "norse", "loihi2", "-p"),
        ("examples/digits/conv.nir", "sinabs", "c/int4", "--target"),
    ],
)
def test_the_change_of_the_help_helps(root: Path, tmp_path: Path, name: str, like: str, target: str, flag: str) -> None:
    report, (finding,) = compiled(root / name, like, target, tmp_path / "build")
    typed, value = shlex.split(str(finding.help))
    assert typed == flag
    if flag == "--target":
        changed, found = compiled(root / name, like, value, tmp_path / "changed")
    else:
        changed, found = compiled(root / name, like, target, tmp_path / "changed", passes=value)
    assert found == []
    assert changed["loss"]["count_error"] < report["loss"]["count_error"]


def test_generated_input_has_remarks_alone(root: Path, tmp_path: Path) -> None:
    for target in ("loihi2", "asic/edge"):
        report, (finding,) = compiled(root / SIZES, "norse", target, tmp_path / "build", calib=None)
        assert report["loss"]["measured_on"] == "generated input"
        assert is_beyond(report["loss"])
        assert finding.severity is Severity.REMARK
        assert finding.message.endswith("on generated input")


def test_the_same_network_has_the_same_probe(root: Path, tmp_path: Path) -> None:
    losses = [compiled(root / SIZES, "norse", "loihi2", tmp_path / name, calib=None)[0]["loss"] for name in "ab"]
    assert losses[0] == losses[1]
