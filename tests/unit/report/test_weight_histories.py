"""Pages of networks that learn: weights over the ticks, in the network and on the model of a chip."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from plastic_networks import network_text

import nopt
from nopt.api.report.figures.weights import field_chart, quantile_chart
from nopt.api.report.measurements import recorded_run
from nopt.api.report.weight_histories import Learning, LearnMode

PAIR = {"a_plus": 0.05, "a_minus": 0.04, "tau_plus": 0.02, "tau_minus": 0.02, "w_min": 0.0, "w_max": 1.0}
WEIGHT = np.linspace(0.2, 0.7, 12).reshape(3, 4)
TICKS = 60


def spikes(samples: int) -> np.ndarray:
    return np.random.default_rng(0).random((samples, TICKS, 4)) < 0.3


def module() -> nopt.ModuleOp:
    return nopt.parse(network_text(WEIGHT, "stdp", PAIR))


@pytest.mark.parametrize(("mode", "rows"), [("sample", 3), ("continue", 6), ("off", 0)])
def test_weights_are_those_of_a_run(mode: LearnMode, rows: int) -> None:
    """With the interval of the user: the rows are those of the record, after the weights of the network."""
    network = nopt.apply(module(), "convert-nir-to-ntensor{dt-ns=1000000 like=norse}")
    x = spikes(2)
    run = recorded_run(network, x, None, nopt.Diagnostics(), learning=Learning(("fc.weight@20ticks",), mode))
    if not rows:
        assert not run.weights
        return
    found = run.weights["fc"]
    assert found.ticks == tuple(range(0, 20 * (rows + 1), 20))
    assert found.fields == (2, 2)
    np.testing.assert_array_equal(found.values[0], WEIGHT.reshape(-1))
    wanted = nopt.execute(network, x, record=["fc.weight@20ticks"], learn=mode).arrays["fc.weight@20ticks"]
    np.testing.assert_array_equal(found.values[1:], wanted.reshape(-1, 12)[:rows])
    assert (found.values[-1] != found.values[0]).any()


def test_page_of_a_run_shows_weights(tmp_path: Path) -> None:
    page = tmp_path / "run.html"
    nopt.write_report(page, module(), spikes(1), dt="1ms", like="norse")
    text = page.read_text(encoding="utf-8")
    assert "<h2>Weights over time</h2>" in text
    assert "12 weights, 30 records in 60 ticks" in text
    assert "from 2 x 2 sources at the end" in text


def test_page_of_a_build_compares_the_chip(tmp_path: Path) -> None:
    folder = tmp_path / "build"
    choices = {"dt": "1ms", "like": "norse", "approximate": ["plasticity", "reset"]}
    nopt.compile(module(), target="loihi2/loihi1", out=folder, diagnostics=nopt.Diagnostics(), **choices)
    page = tmp_path / "build.html"
    nopt.write_report(page, folder, spikes(1), diagnostics=nopt.Diagnostics())
    text = page.read_text(encoding="utf-8")
    section = text[text.index("<h2>Weights over time</h2>") :].partition("</section>")[0]
    assert {*re.findall(r'class="band (\w+)"', section)} == {"before", "after"}
    assert section.count("<figcaption>Weights of 3 targets") == 2


def test_a_network_without_a_rule_has_no_section(tmp_path: Path) -> None:
    page = tmp_path / "run.html"
    fixed = nopt.parse(re.sub(r", plasticity = #nir.rule<.*?}>", "", network_text(WEIGHT, "stdp", PAIR)))
    nopt.write_report(page, fixed, spikes(1), dt="1ms", like="norse")
    assert "Weights over time" not in page.read_text(encoding="utf-8")


def test_charts_are_drawings() -> None:
    values = np.random.default_rng(1).random((5, 12))
    for chart in (
        quantile_chart({"after": ((0, 1, 2, 3, 4), values)}, "weights"),
        quantile_chart({"after": ((0,), np.zeros((1, 3)))}, "constant"),
        field_chart(values[0].reshape(3, 2, 2), "fields", 0.0, 1.0),
        field_chart(np.zeros((1, 1, 1)), "constant", 0.0, 0.0),
    ):
        ElementTree.fromstring(chart)
        assert "nan" not in chart
