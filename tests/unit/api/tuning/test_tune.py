"""Training for a device: the accuracy that is printed is that of the build, results repeat, and an end keeps the best epoch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nopt
from nopt.api.compiling.device_fit import Fit
from nopt.api.tuning.samples import read_samples
from nopt.api.tuning.training import Candidates, Epoch, Training, evaluated_parts
from nopt.dialects import ntensor

NETWORK = """nir.graph @net("input" %x: tensor<6xf32>) -> ("output": tensor<3xi1>) {
  %a = nir.affine "hidden" %x {weight = #nopt.array<normal(mean=0.0, std=0.4, seed=1) : tensor<12x6xf32>>, bias = #nopt.array<constant(value=0.0) : tensor<12xf32>>} : tensor<6xf32> -> tensor<12xf32>
  %b = nir.lif "lif" %a {tau = #nopt.array<0.004 : tensor<f32>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<12xf32> -> tensor<12xi1>
  %c = nir.linear "fc" %b {weight = #nopt.array<normal(mean=0.0, std=0.6, seed=2) : tensor<3x12xf32>>} : tensor<12xi1> -> tensor<3xf32>
  %d = nir.lif "out" %c {tau = #nopt.array<0.004 : tensor<f32>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<3xf32> -> tensor<3xi1>
  nir.output %d : tensor<3xi1>
}"""
CHIP: dict[str, Any] = {"target": "c", "passes": "ntensor-quantize-weights{bits=3}", "dt": "1ms", "like": "norse"}


def samples(count: int, seed: int) -> dict[str, Any]:
    """Returns spikes of six neurons of which two, those of the class, spike more often."""
    random, labels = np.random.default_rng(seed), np.arange(count) % 3
    rates = np.where(np.arange(6) // 2 == labels[:, None], 0.6, 0.25)
    return {"input": (random.random((count, 12, 6)) < rates[:, None]).astype(np.float32), "labels": labels}


def tuned(network: str = NETWORK, **options: Any) -> nopt.Tuned:
    given = {"data": samples(150, 0), "epochs": 4, "batch": 16, "learning_rate": 0.05, **CHIP}
    return nopt.tune(nopt.parse(network), **{"diagnostics": nopt.Diagnostics(), **given, **options})


@pytest.fixture(scope="module")
def result() -> nopt.Tuned:
    pytest.importorskip("torch")
    return tuned(test=samples(90, 1))


def test_a_training_makes_the_network_better(result: nopt.Tuned) -> None:
    assert result.held_back.after >= result.held_back.before
    assert result.test is not None
    assert result.test.after > result.test.before + 0.1
    assert len(result.epochs) == 5
    assert result.best.number > 0


def test_the_accuracy_is_that_of_the_build(result: nopt.Tuned, tmp_path: Path) -> None:
    """`nopt compile` of the written file makes the integers that the training had."""
    nopt.write(result.module, tmp_path / "tuned.mlir", diagnostics=nopt.Diagnostics())
    quiet, test = nopt.Diagnostics(), samples(90, 1)
    build = nopt.compile(tmp_path / "tuned.mlir", out=tmp_path / "build", diagnostics=quiet)
    run = nopt.execute(build.folder, test["input"], diagnostics=quiet).with_accuracy(test["labels"])
    assert result.test is not None
    assert run.accuracy == result.test.after


def test_the_same_seed_makes_the_same_network(result: nopt.Tuned) -> None:
    again = tuned(test=samples(90, 1))
    assert nopt.write(again.module) == nopt.write(result.module)
    assert again.as_json() == result.as_json()
    other = tuned(seed=1, epochs=1)
    assert other.epochs[1] != result.epochs[1]


def test_first_spikes_train_too() -> None:
    pytest.importorskip("torch")
    found = tuned(loss="first-spike")
    assert found.epochs[-1].training_loss is not None
    assert found.epochs[1].training_loss is not None
    assert found.epochs[-1].training_loss < found.epochs[1].training_loss
    assert found.best.accuracy >= found.epochs[0].accuracy


ANALOGUE: dict[str, Any] = {
    "target": "dynapse/se2",
    "passes": "",
    "approximate": ("current", "refractory", "reset", "early", "threshold"),
}


def test_a_training_on_manufactured_chips_is_measured_on_others(tmp_path: Path) -> None:
    """The accuracies are those of the chips of the next seed, as `nopt run --chips` prints them."""
    pytest.importorskip("torch")
    test, quiet = samples(60, 1), nopt.Diagnostics()
    strong = NETWORK.replace("std=0.4", "std=60.0").replace("std=0.6", "std=60.0")  # this neuron is silent otherwise
    given = {"data": samples(40, 0), "test": test, "epochs": 1}
    result = tuned(strong, mismatch=nopt.Draw(4, 3), **given, **ANALOGUE)
    assert result.test is not None
    assert result.test.chips == 4
    assert len({one.loss for one in result.epochs}) == 2
    build = nopt.compile(result.module, out=tmp_path / "build", diagnostics=quiet)
    for seed, is_equal in ((4, True), (3, False)):
        found = nopt.run_chips(
            build.folder, test["input"], chips=4, seed=seed, labels=test["labels"], diagnostics=quiet
        )
        spread = found.ages[0].accuracy
        assert spread is not None
        assert spread.deviation > 0
        assert ((spread.mean, spread.deviation) == (result.test.after, result.test.after_deviation)) == is_equal


def test_held_back_samples_run_on_chips_in_turn() -> None:
    some = read_samples(samples(7, 0), None, {"input": (6,)}, {"output": 3})
    parts = list(evaluated_parts(some, 3))
    assert [(chip, len(part)) for chip, part in parts] == [(0, 3), (1, 2), (2, 2)]
    np.testing.assert_array_equal(parts[1][1].labels, some.labels[1::3])
    assert [(chip, len(part)) for chip, part in evaluated_parts(some, 0)] == [(None, 7)]


def test_thresholds_are_trained_by_option(result: nopt.Tuned) -> None:
    def thresholds(module: Any) -> list[float]:
        neurons = [op for op in module.walk() if isinstance(op, ntensor.NeuronOp)]
        return [array.values.item() for op in neurons for name, array in op.params.data.items() if "th" in name]

    assert thresholds(result.module) == [1.0, 1.0]
    found = tuned(thresholds=True)
    assert thresholds(found.module)
    assert all(value != 1 for value in thresholds(found.module))
    assert found.held_back.after > found.held_back.before


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"mismatch": nopt.Draw(2)}, "RUN011"),
        ({"mismatch": nopt.Draw(2), "target": "memxbar/aihwkit", "passes": ""}, "PYT007"),
        ({"thresholds": True, **ANALOGUE}, "PYT008"),
    ],
    ids=["chips that are equal", "chips that differ in cells", "no threshold of its own"],
)
def test_devices_without_such_parts_are_refused(options: dict[str, Any], code: str) -> None:
    pytest.importorskip("torch")
    with pytest.raises(nopt.Refused, match=code):
        tuned(**options)


def test_chips_need_one_output() -> None:
    """It is refused before the training, and not by the runs of the builds after it."""
    pytest.importorskip("torch")
    text = NETWORK.replace('-> ("output": tensor<3xi1>)', '-> ("output": tensor<3xi1>, "more": tensor<12xi1>)')
    text = text.replace("nir.output %d : tensor<3xi1>", "nir.output %d, %b : tensor<3xi1>, tensor<12xi1>")
    options = {**CHIP, **ANALOGUE, "mismatch": nopt.Draw(2), "output": "output", "diagnostics": nopt.Diagnostics()}
    with pytest.raises(nopt.Refused) as refused:
        nopt.tune(nopt.parse(text), data=samples(30, 0), **options)
    assert refused.value.findings[0].code.id == "RUN021"
    assert refused.value.findings[0].at == "--mismatch"


def test_the_network_of_the_caller_stays(result: nopt.Tuned) -> None:
    module = nopt.parse(NETWORK)
    before = nopt.write(module)
    nopt.tune(module, data=samples(30, 0), epochs=1, diagnostics=nopt.Diagnostics(), **CHIP)
    assert nopt.write(module) == before


def test_an_interruption_keeps_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    trained = Training.train_epoch
    count = iter(range(9))

    def interrupted(self: Training, *args: Any) -> float:
        if next(count) == 2:
            raise KeyboardInterrupt
        return trained(self, *args)

    monkeypatch.setattr(Training, "train_epoch", interrupted)
    found = nopt.Diagnostics()
    result = tuned(diagnostics=found)
    assert len(result.epochs) == 3
    (warning,) = [one for one in found.findings if one.code.id == "TUN005"]
    assert warning.found == "2; the best of them is kept"


def test_the_end_of_the_time_keeps_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    trained = Training.train_epoch
    count = iter(range(9))

    def forever(self: Training, *args: Any) -> float:
        if next(count) < 2:
            return trained(self, *args)
        while True:
            pass

    monkeypatch.setattr(Training, "train_epoch", forever)
    result = tuned(max_time="12s")
    assert len(result.epochs) <= 3
    assert result.unfinished is not None
    assert result.unfinished.code.id == "COR007"
    assert result.held_back.after >= result.held_back.before


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"data": {"input": samples(9, 0)["input"]}}, "TUN001"),
        ({"data": samples(2, 0)}, "TUN002"),
        ({"output": "out"}, "TUN008"),
        ({"epochs": 0}, "API022"),
        ({"batch": 0}, "API022"),
        ({"learning_rate": float("nan")}, "API022"),
        ({"hold_back": 1.0}, "API022"),
        ({"drop_input": 1.0}, "API022"),
        ({"seed": -1}, "API022"),
        ({"loss": "other"}, "API022"),
        ({"schedule": "other"}, "API022"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_other_options_are_refused(options: dict[str, Any], code: str) -> None:
    with pytest.raises(nopt.Refused, match=code):
        tuned(**options)


def test_a_training_that_diverges_is_refused() -> None:
    pytest.importorskip("torch")
    with pytest.raises(nopt.Refused, match="TUN007"):
        tuned(learning_rate=1e300, data=samples(30, 0), passes="")


def test_numbers_that_the_device_does_not_add_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sums of all trained networks are refused: the network before training is kept, and a warning names the first refusal."""
    pytest.importorskip("torch")
    refusal = nopt.Finding(nopt.Code("TST001", "sum", "a sum is too wide"), "a sum is too wide", found="9 bits")
    no = Fit("c", "c/generic", fits="no", findings=(refusal,))
    monkeypatch.setattr("nopt.api.tuning.training.fit", lambda *_: no)
    found = nopt.Diagnostics()
    result = tuned(diagnostics=found, epochs=1, data=samples(30, 0))
    assert result.best.number == 0
    (warning,) = [one for one in found.findings if one.code.id == "TUN009"]
    assert warning.at == "epoch 0 is kept"
    assert warning.found is not None
    assert warning.found.endswith("a sum is too wide, 9 bits")


def test_networks_in_ticks_are_refused() -> None:
    module = nopt.apply(nopt.parse(NETWORK), "convert-nir-to-ntensor{dt-ns=1000000 like=norse}")
    with pytest.raises(nopt.Refused, match="IMP030"):
        nopt.tune(module, data=samples(30, 0), target="c", diagnostics=nopt.Diagnostics())


def test_values_have_no_first_spikes() -> None:
    pytest.importorskip("torch")
    text = NETWORK.replace('nir.lif "out"', 'nir.li "out"').replace("tensor<3xi1>", "tensor<3xf32>")
    li = text[text.index('nir.li "out"') :]
    fixed = li.replace(", v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>", "")
    with pytest.raises(nopt.Refused, match="TUN006"):
        nopt.tune(nopt.parse(text.replace(li, fixed)), data=samples(30, 0), loss="first-spike", **CHIP)


def test_a_missing_torch_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nopt.api.tuning.chip_modules.is_installed", lambda _: False)
    with pytest.raises(nopt.Refused) as refused:
        tuned()
    assert refused.value.findings[0].code.id == "TUN004"
    assert str(refused.value.findings[0].help) == "pip install 'nopt[torch]'"


def test_candidates() -> None:
    """With 100 samples, accuracies of 0.95 and 0.94 do not differ: the error of their difference is 0.031."""
    candidates = Candidates(100)
    for number, (loss, accuracy) in enumerate([(0.9, 0.6), (0.3, 0.94), (0.4, 0.95), (0.2, 0.9), (0.5, 0.94)]):
        candidates.add(Epoch(number, None, loss, accuracy), {})
    assert candidates.best()[0].number == 1
    assert [epoch.number for epoch, _ in candidates.epochs] == [1, 2, 3]
