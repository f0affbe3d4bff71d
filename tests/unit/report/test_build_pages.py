"""Data of the page of a build: values are lines, membranes are in units of the threshold, fullness is that of capacities, the verdict is that of the loss."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import nir
import numpy as np
import pytest
from numpy.typing import NDArray
from places import EXAMPLES

import nopt
from nopt.api.report.measurements import Pair, discrete_stages, pairs_of
from nopt.api.report.membranes import membrane_unit
from nopt.api.report.pages import run_both
from nopt.api.report.parts.activity import activity_section
from nopt.api.report.parts.card import card_section, fullness, verdict
from nopt.api.report.parts.losses import confusion_blocks
from nopt.api.report.sections import BlockGroup, Figure
from nopt.api.running.run import discretise
from nopt.dialects import ntensor

DEVICES = ["loihi2/programmable", "asic/mesh", "c/int8", "c/int4", "spinnaker", "spinnaker2", "truenorth"]


@pytest.fixture(scope="module")
def readout(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, NDArray[Any]]:
    """A network of 8 spiking neurons with a readout of 3 values, as integers."""
    rng = np.random.default_rng(5)
    many, few = np.ones(8, np.float32), np.ones(3, np.float32)
    nodes = {
        "input": nir.Input({"input": np.array([4])}),
        "w1": nir.Linear(rng.normal(0, 3, (8, 4)).astype(np.float32)),
        "lif": nir.LIF(tau=0.01 * many, r=many, v_leak=0 * many, v_threshold=many, v_reset=0 * many),
        "w2": nir.Linear(rng.normal(0, 1, (3, 8)).astype(np.float32)),
        "li": nir.LI(tau=0.02 * few, r=few, v_leak=0 * few),
        "output": nir.Output({"output": np.array([3])}),
    }
    names = list(nodes)
    network = nir.NIRGraph(nodes, list(pairwise(names)))
    out, x = tmp_path_factory.mktemp("readout") / "build", rng.random((2, 60, 4)) < 0.4
    nopt.compile(
        nopt.from_nir(network),
        out=out,
        target="c/int8",
        calib=x,
        dt="1ms",
        like="norse",
        diagnostics=nopt.Diagnostics(),
    )
    return out, x


def pairs_of_build(folder: Path, x: Any) -> list[Pair]:
    runs = run_both(folder, {"target": "c"}, discrete_stages(folder), x, None, nopt.Diagnostics(), None)
    assert runs is not None
    return pairs_of(*runs)


def test_values_are_lines_in_units_of_the_network(readout: tuple[Path, NDArray[Any]]) -> None:
    """The readout is in no raster, and its integers differ little from the values of the network once they are scaled."""
    pairs = pairs_of_build(*readout)
    spiking, values = pairs
    assert spiking.before is not None
    assert spiking.before.events is not None
    assert (values.before, values.after) != (None, None)
    assert values.before is not None
    assert values.after is not None
    assert values.before.events is values.after.events is None
    a, b = values.before.values, values.after.values
    assert a is not None
    assert b is not None
    assert values.after.is_scaled
    assert np.abs(a - b).max() < 0.2 * np.abs(a).max()
    section = activity_section(pairs, "2 samples", (), is_build=True)
    groups = [group for group in section.blocks if isinstance(group, BlockGroup)]
    labels = {
        group.title: [figure.drawing for figure in group.blocks if isinstance(figure, Figure)] for group in groups
    }
    assert any("raster of lif" in drawing for drawing in labels["Population lif"])
    assert not any("raster" in drawing or "events" in drawing for drawing in labels["Population li"])
    assert any("values of li" in drawing for drawing in labels["Population li"])


def test_notebook_draws_a_readout_as_lines(readout: tuple[Path, NDArray[Any]]) -> None:
    """The output of the chip is integers; they are values nevertheless."""
    result = nopt.execute(*readout, record=["lif"])
    assert result.arrays["output"].dtype.kind == "i"
    assert result.values == ("output",)
    text = result._repr_html_()
    assert text.count('class="line after"') > text.count('class="events')
    assert 'aria-label="output"' in text
    assert 'aria-label="lif: ' in text


@pytest.mark.parametrize("device", DEVICES)
def test_membranes_are_in_units_of_the_threshold(device: str, tmp_path: Path) -> None:
    """A neuron that does not spike is at most at 1, and some come close to it, in the network and on the chip."""
    name = "crossbar" if device == "truenorth" else "fc"
    x = "poisson:0.3,ticks=30,samples=2"
    network, found = EXAMPLES / "digits" / f"{name}.nir", nopt.Diagnostics()
    nopt.compile(network, out=tmp_path / "b", target=device, calib=x, dt="1ms", like="norse", diagnostics=found)
    pairs = pairs_of_build(tmp_path / "b", x)
    for runs in ([pair.before for pair in pairs], [pair.after for pair in pairs]):
        known = [(one.membranes, one.events) for one in runs if one is not None]
        cut = [
            (states, events[:, : states.shape[1]])
            for states, events in known
            if states is not None and events is not None
        ]
        largest = [states[events == 0].max() for states, events in cut]
        assert len(largest) == 2
        assert 0.9 < max(largest) <= 1 + 1e-6


@pytest.mark.parametrize("device", ["loihi2/programmable", "spinnaker"])
def test_membranes_of_both_runs_are_those_of_one_tick(device: str, tmp_path: Path) -> None:
    """SpiNNaker records a membrane before the update of its tick, Loihi 2 after it."""
    x, choices = "poisson:0.3,ticks=40,samples=2", {"dt": "1ms", "like": "norse", "diagnostics": nopt.Diagnostics()}
    nopt.compile(EXAMPLES / "digits" / "fc.nir", out=tmp_path / "b", target=device, calib=x, **choices)
    pair = pairs_of_build(tmp_path / "b", x)[0]
    assert pair.before is not None
    assert pair.after is not None
    before, after = pair.before.membranes, pair.after.membranes
    assert before is not None
    assert after is not None
    ticks = min(before.shape[1], after.shape[1]) - 2

    def distance(shift: int) -> float:
        return float(np.abs(before[:, 1 : 1 + ticks] - after[:, 1 + shift : 1 + shift + ticks]).mean())

    assert 3 * distance(0) < min(distance(-1), distance(1))


def test_thresholds_are_those_of_the_network() -> None:
    """Membranes from -1 at rest to 2 at the threshold; one neuron has a threshold of 5."""
    ones = np.ones(3, np.float32)
    neuron = nir.LIF(tau=0.01 * ones, r=ones, v_leak=-ones, v_threshold=np.float32([2, 2, 5]), v_reset=-ones)
    nodes = {
        "input": nir.Input({"input": np.array([3])}),
        "lif": neuron,
        "output": nir.Output({"output": np.array([3])}),
    }
    module = nopt.from_nir(nir.NIRGraph(nodes, [("input", "lif"), ("lif", "output")]))
    network = discretise(module, {"dt": "1ms", "like": "norse"}, nopt.Diagnostics())
    (op,) = network.populations
    unit = membrane_unit(op, ntensor.updates_of(network)[op.update_name])
    assert unit is not None
    assert unit.threshold == pytest.approx([2, 2, 5])
    assert unit.scaled(np.array([[-1.0, 0.5, 5.0]])).tolist() == [pytest.approx([0, 0.5, 1])]


# ---- the card


def use(quantity: str, used: float, limit: float | None) -> dict[str, Any]:
    return {"quantity": quantity, "used": used, "limit": limit}


def test_fullness_is_that_of_capacities() -> None:
    """Bits, delays and exponents that are used in full fill no core; the fullest core counts for each capacity."""
    cores = [
        [use("neurons", 30, 100), use("weight_bits", 8, 8), use("delay", 3, 3), use("input_axons", 9, None)],
        [use("neurons", 10, 100), use("synapse_bytes+neuron_bytes", 60, 100), use("weight_exponent", 7, 7)],
    ]
    found = fullness([{"uses": uses} for uses in cores])
    assert [(one.name, one.share) for one in found] == [("neurons", 0.3), ("memory", 0.6)]


FIGURES = dict.fromkeys(
    (
        "agreement",
        "count_error",
        "spike_agreement",
        "relative_error",
        "largest_error",
        "largest_output",
        "accuracy",
        "accuracy_before",
    )
)


@pytest.mark.parametrize(
    ("names", "figures", "expected"),
    [
        ((), {"agreement": 0.95, "count_error": 0.1}, "✓ Fits"),
        (("reset",), {"agreement": 1.0}, "≈ Fits with approximations"),
        (("reset",), {"agreement": 0.94}, "✗ Loss beyond threshold"),
        ((), {"accuracy": 0.889, "accuracy_before": 0.9}, "✗ Loss beyond threshold"),
        ((), {"accuracy": 0.89, "accuracy_before": 0.9}, "✓ Fits"),
        ((), {"relative_error": 0.11}, "✗ Loss beyond threshold"),
    ],
)
def test_verdict_is_that_of_the_thresholds(names: tuple[str, ...], figures: dict[str, float], expected: str) -> None:
    loss = {
        **FIGURES,
        **figures,
        "measured_on": "sample input",
        "samples": 9,
        "gained": [],
        "lost": [],
        "outputs": {},
        "populations": [],
    }
    report = {"loss": loss, "levels": None, "fit": {"fits": "exact", "approximations": names}}
    assert verdict(report).value == expected


def test_card_comes_first_and_names_the_command(readout: tuple[Path, NDArray[Any]]) -> None:
    report = nopt.api.compiling.builds.require_report(readout[0])
    facts = {fact.name: fact for fact in card_section(report).facts}
    assert next(iter(facts)) == "Verdict"
    assert facts["Built by"].value == "nopt compile NETWORK --target c/int8 --dt 1ms --like norse --calib X"
    assert "bytes" not in facts["Device"].note


# ---- confusions


def test_confusion_matrix_counts_samples() -> None:
    confusion = {"classes": 3, "before": [[0, 0, 2]], "after": [[0, 0, 1], [0, 2, 1], [2, 2, 4]]}
    (table,) = confusion_blocks(confusion)
    assert [[str(cell) for cell in row] for row in table.rows] == [
        ["0", "1", "", "1"],
        ["1", "", "", ""],
        ["2", "", "", "4"],
    ]
    assert "5 of 6 right" in table.caption


def test_many_classes_list_the_confusions() -> None:
    confusion = {"classes": 200, "before": [[5, 7, 1]], "after": [[5, 5, 90], [5, 7, 3], [9, 1, 4]]}
    (table,) = confusion_blocks(confusion)
    assert table.rows == (("9", "1", "4", "0"), ("5", "7", "3", "1"))
