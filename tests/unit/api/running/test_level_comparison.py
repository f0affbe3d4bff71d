"""Levels agree with `compare` on whole arrays, for any partition of the run into samples; and the cost of quantisation."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import nopt.api as nopt
from nopt.api.options import Choices
from nopt.api.running import level_comparison as levelling
from nopt.api.running.run import execute

FC = "examples/digits/fc.nir"


@pytest.fixture(scope="module")
def digits(root: Path) -> ModuleType:
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("encoder", root / "examples" / "encoder.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("room", [levelling.ROOM_BYTES, 1])
def test_levels_are_what_compare_says(
    root: Path, digits: ModuleType, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levelling, "ROOM_BYTES", room)
    spikes, labels = digits.test_input("fc")
    x, y = spikes[:7], labels[:7]
    module = nopt.apply(nopt.read(root / FC), "convert-nir-to-ntensor{dt-ns=1000000 like=norse}")
    found = nopt.levels(module, x, passes="ntensor-quantize-weights{bits=4}", labels=y)
    first, last = found.levels
    assert (first.level, last.level, last.step) == ("discretized", "quantized", "ntensor-quantize-weights{bits=4}")
    quantized = nopt.apply(module.clone(), "ntensor-quantize-weights{bits=4}")
    a, b = (execute(net, x, record=["1", "3"]) for net in (module, quantized))
    compared = nopt.compare(a.arrays, b.arrays, samples=True)
    for name, one in (("1", last.populations["1"]), ("3", last.populations["3"]), ("output", last)):
        expected = compared.arrays[name]
        assert one.first == expected.first
        assert one.rate_cosine == pytest.approx(expected.rate_cosine, abs=1e-12)
        assert one.bin_cosine == pytest.approx(expected.bin_cosine, abs=1e-12)
    assert last.populations["1"].rate == b.arrays["1"].mean()
    for level, result in ((first, a), (last, b)):
        assert level.accuracy == np.mean(np.array(result.argmax("output")) == y)
    assert first.rate_cosine == first.bin_cosine == 1
    assert first.first is None


def test_the_trained_digits_stand_eight_bits(root: Path, digits: ModuleType) -> None:
    x, y = digits.test_input("fc")
    found = nopt.levels(root / FC, x, passes="ntensor-quantize-weights{bits=8}", labels=y, dt="1ms", like="norse")
    before, _, after = (level.accuracy for level in found.levels)
    assert before == 577 / 599
    assert after is not None
    assert before - after <= 0.01


def test_braille_with_a_scale_for_each_row(shared: Path) -> None:
    """The hidden layer keeps its rates and the class, 1. One scale for the layer, which an outlier increases, keeps them less accurately."""
    folder = shared / "samples" / "nir_paper" / "braille"
    passes = {per: f"ntensor-quantize-weights{{bits=8 per={per}}}" for per in ("row", "tensor")}
    hidden: dict[str, float] = {}
    for per, step in passes.items():
        found = nopt.levels(
            folder / "braille_noDelay_bias_zero.nir",
            folder / "input_sample0.npy",
            passes=step,
            labels=[1],
            dt="0.1ms",
            like="norse",
        )
        assert [level.level for level in found.levels] == ["float", "discretized", "quantized"]
        cosine = found.levels[-1].populations["lif1.lif"].rate_cosine
        assert cosine is not None
        hidden[per] = cosine
        if per == "row":
            assert [level.accuracy for level in found.levels] == [1.0, 1.0, 1.0]
    assert hidden["row"] >= 0.997
    assert hidden["tensor"] < hidden["row"]


def test_precision_is_a_level_of_its_own(root: Path, digits: ModuleType) -> None:
    x = digits.test_input("fc")[0][:2]
    found = nopt.levels(root / FC, x, dt="1ms", like="norse", precision="f32")
    assert [level.level for level in found.levels] == ["float", "discretized"]
    assert found.levels[1].accuracy is None


def test_passes_within_a_pass_have_levels(
    root: Path, digits: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A legalisation has a level for each pass that it records; so has that of the target in a report."""
    x, y = (array[:20] for array in digits.test_input("fc"))
    leak, legal = "ntensor-linearize-leak", 'ntensor-legalize{device="truenorth/ns1e"}'
    choices: Choices = {"like": "norse", "reset": "zero"}
    monkeypatch.chdir(tmp_path)
    np.savez("calib.npz", input=x)
    calibration = 'ntensor-calibrate{data="calib.npz" keep=32}'
    module = nopt.apply(nopt.read(root / FC), "convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=zero}")
    found = nopt.levels(module, x, passes=f"{calibration},{leak},{legal}", labels=y, engine="numpy")
    texts = [level.step for level in found.levels]
    records = levelling.records_of(nopt.apply(module.clone(), f"{calibration},{leak},{legal}"))
    assert texts == [None, calibration, *(record.step.data for record in records[1:]), legal]
    before, fitted, last = found.levels[-3:]
    assert fitted.step == "ntensor-fit-axon-types{copies=4 neurons=true}"
    assert fitted.accuracy is not None
    assert fitted.accuracy == last.accuracy
    assert before.loss is not None
    assert fitted.loss is not None
    assert fitted.loss == last.loss
    assert fitted.loss.count_error is not None
    assert before.loss.count_error is not None
    assert fitted.loss.count_error > before.loss.count_error
    out = tmp_path / "b"
    report = nopt.compile(
        root / FC, target="truenorth", out=out, passes=leak, calib=x, labels=y, dt="1ms", **choices
    ).report
    assert [one["step"] for one in report["levels"]] == [None, *texts[:-1], None]
    assert next(one for one in report["levels"] if one["step"] == fitted.step)["accuracy"] == fitted.accuracy
