"""Learning rules of Loihi: pair STDP of a network, as an evaluation of the rule in exact arithmetic computes it, in each kind of weights."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from extent import seeds
from places import GOLDENS

from nopt.api.conformance.artefacts import differing
from nopt.api.conformance.networks import Drawing, Drawn, discretised
from nopt.api.conformance.subject import Compiled, Subject
from nopt.core.device.device import find_device
from nopt.core.diagnostics import Diagnostics
from nopt.dialects.loihi2 import LearningRuleAttr, SynapsesOp
from nopt.dialects.nir import StdpAttr
from nopt.dialects.ntensor import SynapseOpInterface

TICKS, RATE, TICK = 300, 0.03, 1e-3
BOUNDS = {"mixed": (-1.0, 1.0), "excitatory": (0.0, 2.0), "inhibitory": (-0.5, 0.0)}


def subject(device: str = "loihi2/oheo_gulch", *settings: str) -> Subject:
    one = Subject(find_device(*device.split("/")), 0, 0)
    return Subject(one.settings(*settings), 0, 0)


def plastic(rules: Sequence[StdpAttr], *, is_one_population: bool = False, size: int = 4) -> Drawn:
    """Returns a network with a projection for each rule, into one population or into one each."""
    drawing, rng = Drawing(size), np.random.default_rng(len(rules))
    found: list[Any] = []
    for k, rule in enumerate(rules):
        weight = rng.uniform(rule.values["w_min"], rule.values["w_max"], (size, size))
        found.append(drawing.linear(f"fc{k}", drawing.x, weight, plasticity=rule))
    if is_one_population:
        z = drawing.population("lif", "lif", drawing.sum(*found), 1.0)
    else:
        spikes = [drawing.population("lif", f"lif{k}", a, 1.0) for k, a in enumerate(found)]
        each = [drawing.linear(f"out{k}", z, rng.uniform(-1, 1, (size, size))) for k, z in enumerate(spikes)]
        z = drawing.population("lif", "last", drawing.sum(*each), 1.0)
    module = discretised(drawing.finish(z), {"dt": "1ms", "like": "norse"})
    return Drawn("plastic", module, rng.random((1, 20, size)) < 0.3)


def rules_of(compiled: Compiled) -> dict[str, tuple[SynapsesOp, LearningRuleAttr]]:
    """Returns tables and rules by the name of their projection."""
    ops = [op for op in compiled.module.walk() if isinstance(op, SynapsesOp)]
    return {op.node.data: (op, rule) for op in ops if (rule := op.learning_rule) is not None}


def learnt(rule: LearningRuleAttr, x: np.ndarray, y: np.ndarray) -> float:
    """Returns the change of a register by a rule, with traces that are neither rounded nor limited. Shapes: [ticks]."""
    given = rule.constants
    traces, total = dict.fromkeys(("x1", "x2", "y1", "y2", "y3"), 0.0), 0.0
    for pre, post in zip(x.tolist(), y.tolist(), strict=True):
        for name in traces:
            tau, impulse = given.get(f"{name}_tau", 0.0), given.get(f"{name}_impulse", 0.0)
            traces[name] *= np.exp(-1 / tau) if tau else 0.0
            traces[name] += impulse * (pre if name[0] == "x" else post)
        known = {**traces, "x0": pre, "y0": post}
        for product in rule.products:
            values = [known[one.variable] + one.constant for one in product.factors]
            total += product.mantissa * 2.0**product.exponent * known[product.dependency] * float(np.prod(values))
    return total


def wanted(rule: StdpAttr, x: np.ndarray, y: np.ndarray) -> float:
    """Returns the sum over all pairs of spikes of the change that `#nir.stdp` defines, without bounds."""
    given = rule.values
    d = (np.flatnonzero(y)[None, :] - np.flatnonzero(x)[:, None]) * TICK
    up = given["a_plus"] * np.exp(-d / given["tau_plus"]) * (d > 0)
    down = given["a_minus"] * np.exp(np.minimum(d, 0) / given["tau_minus"]) * (d < 0)
    return float((up - down).sum())


@pytest.mark.parametrize("sign", BOUNDS)
@pytest.mark.parametrize("seed", seeds(3))
def test_the_rule_is_pair_stdp(sign: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    low, high = BOUNDS[sign]
    size = (high - low) * 10 ** rng.uniform(-3, -1, 2) * rng.choice([-1, 1], 2)
    rule = StdpAttr.of(*size.tolist(), *rng.uniform(0.002, 0.05, 2).tolist(), low, high)
    compiled = subject().compile(plastic([rule]))
    assert compiled.fit.is_fitting, compiled.refusal
    table, found = rules_of(compiled)["fc0"]
    quantized = next(
        op for op in compiled.network.walk() if isinstance(op, SynapseOpInterface) and op.node.data == "fc0"
    )
    step, rounded = quantized.quantized_weights, quantized.learning_rule
    assert step is not None
    assert rounded is not None
    assert table.sign.value == sign
    register = float(step.scale.values) / 2  # a step is two units of the register
    x, y = rng.random((2, TICKS)) < RATE
    y[::37] = x[::37] = True  # pairs in one tick
    assert learnt(found, x, y) * register == pytest.approx(wanted(rounded, x, y), rel=1e-9, abs=1e-12)
    for name in ("a_plus", "a_minus"):
        assert rounded.values[name] == pytest.approx(rule.values[name], rel=1 / 9)  # mantissas 4 to 7, or 8
    for name, bound in zip(("w_min", "w_max"), (low, high), strict=True):
        assert abs(rounded.values[name] - bound) <= register * (1 + 1e-6)


def test_pairs_in_one_tick_need_the_products_that_cancel() -> None:
    compiled = subject().compile(plastic([StdpAttr.of(0.01, 0.02, 0.02, 0.03, -1, 1)]))
    _, rule = rules_of(compiled)["fc0"]
    without = LearningRuleAttr.of({"dw": " ".join(rule.equations["dw"].split()[:15])}, rule.constants)
    assert len([*without.products]) == 2
    spikes = np.ones(1, np.bool_)
    assert learnt(rule, spikes, spikes) == 0
    assert learnt(without, spikes, spikes) != 0


@pytest.mark.parametrize("device", ["oheo_gulch", "loihi1", "programmable"])
def test_an_artefact_with_rules_is_read_back(device: str) -> None:
    rules = [
        StdpAttr.of(0.01, 0.012, tau, 0.02, *ends) for tau, ends in zip((0.01, 0.02), BOUNDS.values(), strict=False)
    ]
    one = subject(f"loihi2/{device}")
    compiled = one.compile(plastic(rules))
    assert compiled.fit.is_fitting, compiled.refusal
    files = one.files(compiled)
    assert one.target.load is not None
    loaded = one.target.load()(files, Diagnostics())
    assert differing(files, one.files(evolve(compiled, module=loaded))) is None
    read = [op.learning_rule for op in loaded.walk() if isinstance(op, SynapsesOp) and op.learning_rule is not None]
    assert read == [rule for _, rule in rules_of(compiled).values()]
    assert len(set(read)) == 2


def test_a_core_has_three_traces_of_sources() -> None:
    four = [StdpAttr.of(0.01, 0.012, 0.01 * (k + 1), 0.02, -1, 1) for k in range(4)]
    spread = subject().compile(plastic(four))
    assert spread.fit.is_fitting, spread.refusal
    assert (spread.fit.cores or 0) >= 2
    together = subject().compile(plastic(four[:3], is_one_population=True))
    assert together.fit.is_fitting, together.refusal
    refused = subject().compile(plastic(four, is_one_population=True))
    assert [one.path for one in refused.errors] == ["core.pre_traces"]
    assert (refused.errors[0].limit, refused.errors[0].value) == (3, 4)


def test_a_source_that_learns_takes_two_axons() -> None:
    rule = StdpAttr.of(0.01, 0.012, 0.01, 0.02, -1, 1)
    drawn = plastic([rule], is_one_population=True, size=6)
    assert subject("loihi2/oheo_gulch", "core.input_axons=12").compile(drawn).fit.is_fitting
    refused = subject("loihi2/oheo_gulch", "core.input_axons=11").compile(drawn)
    assert [(one.path, one.value) for one in refused.errors] == [("core.input_axons", 12)]
    drawn = plastic([rule], is_one_population=True, size=6)
    for op in drawn.module.walk():
        op.properties.pop("plasticity", None)
    assert subject("loihi2/oheo_gulch", "core.input_axons=6").compile(drawn).fit.is_fitting


def test_a_sum_holds_all_weights_that_can_be_learnt(tmp_path: Path) -> None:
    """1024 weights of 0.01 that learn up to 1 need 1024 * 128 = 2^17, beyond the 18 bits of the input."""
    for size, fits in ((1000, True), (1025, False)):
        drawing = Drawing(size)
        rule = StdpAttr.of(0.01, 0.012, 0.01, 0.02, -1, 1)
        x = drawing.linear("fc", drawing.x, np.full((1, size), 0.01), plasticity=rule)
        module = discretised(drawing.finish(drawing.population("lif", "lif", x, 1.0)), {"dt": "1ms", "like": "norse"})
        found = subject().compile(Drawn("wide", module, np.zeros((1, 2, size), np.bool_)))
        assert found.fit.is_fitting == fits, found.refusal
        assert fits or [str(one.code) for one in found.errors] == ["LEG030"]


def test_the_report_names_what_is_rounded(tmp_path: Path) -> None:
    import nopt.api as nopt

    net = GOLDENS / "targets" / "loihi2" / "learning.mlir"
    options: dict[str, Any] = {"dt": "1ms", "like": "norse", "loop_delay": "spikes"}
    nopt.compile(net, out=tmp_path, target="loihi2/oheo_gulch", diagnostics=Diagnostics(), **options)
    report = json.loads((tmp_path / "report.json").read_text())
    steps = [one for one in report["approximations"] if one["step"] == "ntensor-quantize-plasticity"]
    assert [sorted(one["touched"]) for one in steps] == [["both", "negative", "positive"]]
    assert all(0 < one["mean"] <= one["largest"] < 0.005 for one in steps)
