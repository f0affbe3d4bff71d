"""Lava's learning engine computes the same weights in every tick as the engine of the chip's model: random rules, and networks with neurons.

With Lava's random numbers (`rounding=shared`) and with rounding to the nearest all integers are equal. With the numbers of the model the weights of 40 seeds
have the distribution of 40 seeds of Lava.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from comparison import call
from learning_windows import RULES as FITTED
from learning_windows import in_ticks, network_of
from loihi2_comparison import TOOLS, run_tool
from places import ROOT

from nopt.api.conformance.networks import Drawn
from nopt.api.conformance.subject import Subject
from nopt.core.device.device import find_device
from nopt.dialects.loihi2 import LearningRuleAttr, Sign, SynapsesOp
from nopt.simulation.learning.plastic_table import Synapses
from nopt.targets.loihi2.learning_engine import ENDS, EngineRule

TRACES = ("x1", "x2", "y1", "y2", "y3")
RULES = 300
SEEDS = 40
TICKS = 80

Case = dict[str, Any]


def product(rng: np.random.Generator, decimation: int) -> str:
    """Returns a random product."""
    dependency = str(rng.choice(["x0", "y0", f"u{decimation}"], p=[0.45, 0.45, 0.1]))
    factors = [str(one) for one in rng.choice(["x1", "x2", "y1", "y2", "y3", "w", "d", "t"], rng.integers(0, 4))]
    if dependency[0] in "xy" and rng.random() < 0.2:
        factors.append("y0" if dependency == "x0" else "x0")
    if rng.random() < 0.3:
        factors.append(
            str(rng.choice(["(w + 4)", "(w - 2)", "(x1 + 3)", "(y1 - 5)", "sgn(w)", "(t + 6)"])).replace(
                "sgn(w)", "sgn(w + 2)"
            )
        )
    number = f"{rng.integers(1, 8)} * 2^{rng.integers(-7, 1)}"
    return f"{rng.choice(['+', '-'])} {' * '.join([number, dependency, *factors])}"


def draw(number: int) -> tuple[Case, dict[str, np.ndarray]]:
    """Returns a random rule with spike trains, as Lava reads it."""
    rng = np.random.default_rng(number)
    decimation = int(rng.integers(0, 3))
    names = ["dw", *(one for one in ("dd", "dt") if rng.random() < 0.3)]
    rule: dict[str, Any] = {
        name: " ".join(product(rng, decimation) for _ in range(rng.integers(1, 5))).removeprefix("+ ") for name in names
    }
    for one in TRACES:
        rule[f"{one}_impulse"] = (
            float(rng.integers(0, 128 * 256)) / 256 if rng.random() < 0.3 else float(rng.integers(1, 64))
        )
        rule[f"{one}_tau"] = float(rng.choice([0, 1, 5, 20, 33.3]))
    rule |= {"t_epoch": int(rng.choice([1, 1, 2, 5, 63])), "rng_seed": int(rng.integers(0, 1000))}
    sign = str(rng.choice(["mixed", "excitatory", "inhibitory"]))
    low, high = ENDS[Sign(sign)]
    pre, post = rng.integers(1, 6, 2)
    weight = rng.integers(low // 2, high // 2 + 1, (post, pre)) * (2 if sign == "mixed" else 1)
    spikes = {
        "pre": rng.random((TICKS, pre)) < rng.uniform(0, 0.5),
        "post": rng.random((TICKS, post)) < rng.uniform(0, 0.5),
    }
    return {"rule": rule, "sign": sign, "rounding": "shared"}, {"weight": weight, **spikes}


def ours(case: Case, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Returns w, d and t of the model after each tick. Shapes: [ticks, post, pre]."""
    weight, rule = arrays["weight"], dict(case["rule"])
    seed, epoch = rule.pop("rng_seed"), rule.pop("t_epoch")
    equations = {name: value for name, value in rule.items() if isinstance(value, str)}
    constants = {name: value for name, value in rule.items() if name not in equations}
    post, pre = weight.shape
    axon, neuron = np.repeat(np.arange(pre), post), np.tile(np.arange(post), pre)
    delay = np.ones(pre * post, np.int64)
    synapses = Synapses("fc", "fc", axon, neuron, weight.T.reshape(-1), delay, post)
    engine = EngineRule(
        LearningRuleAttr.of(equations, constants, epoch), Sign(case["sign"]), synapses, case["rounding"], seed
    ).start(1)
    found: dict[str, list[np.ndarray]] = {name: [] for name in "wdt"}
    for t, (x, y) in enumerate(zip(arrays["pre"], arrays["post"], strict=True)):
        (fired,) = np.nonzero(x)
        engine.learn(t, [[(np.zeros_like(fired), fired, np.ones(len(fired)))]], y[None].astype(bool))
        for name, rows in found.items():
            rows.append(engine.variable(name)[0].reshape(pre, post).T.copy())
    return {name: np.stack(rows) for name, rows in found.items()}


def theirs(python: Path, folder: Path, cases: list[tuple[Case, dict[str, np.ndarray]]]) -> list[dict[str, np.ndarray]]:
    """Returns the results of Lava for some cases."""
    arrays = {f"{n}.{name}": values for n, (_, held) in enumerate(cases) for name, values in held.items()}
    np.savez(folder / "in.npz", cases=json.dumps([case for case, _ in cases]), **arrays)
    found = run_tool(python, TOOLS / "loihi_learning.py", folder / "in.npz", folder / "out.npz")
    return [
        {name.partition(".")[2]: values for name, values in found.items() if name.startswith(f"{n}.")}
        for n in range(len(cases))
    ]


@pytest.mark.parametrize("rounding", ["shared", "nearest"])
def test_lava_computes_the_same_weights(
    rounding: str, python_of: Callable[[str], Path], tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """300 random rules: w, d and t of all ticks, with epochs, sign modes, decimation and factors with constants."""
    cases = [({**case, "rounding": rounding}, arrays) for case, arrays in map(draw, range(RULES))]
    changed = 0
    for (case, arrays), lava in zip(cases, theirs(python_of("lava"), tmp_path, cases), strict=True):
        mine = ours(case, arrays)
        changed += any((mine[name][-1] != mine[name][0]).any() for name in mine)
        for name, values in lava.items():
            assert np.array_equal(mine[name], values), (case, name, np.argwhere(mine[name] != values)[0])
    assert changed > RULES / 2
    record_property("values", sum(3 * TICKS * arrays["weight"].size for _, arrays in cases))


def pair_case(seed: int) -> tuple[Case, dict[str, np.ndarray]]:
    rule = {
        "dw": "5 * 2^-5 * x1 * y0 - 3 * 2^-4 * y1 * x0",
        **{f"{one}_{what}": n for one in ("x1", "y1") for what, n in (("impulse", 16.0), ("tau", 20.0))},
    }
    rng = np.random.default_rng(7)
    arrays = {
        "weight": 2 * rng.integers(-60, 60, (4, 12)),
        "pre": rng.random((400, 12)) < 0.08,
        "post": rng.random((400, 4)) < 0.08,
    }
    return {
        "rule": {**rule, "t_epoch": 1, "rng_seed": seed},
        "sign": "mixed",
        "rounding": "shared",
        "weight_seed": 1000 + seed,
    }, arrays


def test_weights_have_the_distribution_of_lava(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    """The last weights of 40 seeds: mean and spread of each of 48 synapses. Of 48 differences in units of their error, 2.6 are beyond 1.96 by chance."""
    lava = np.stack(
        [one["w"][-1] for one in theirs(python_of("lava"), tmp_path, [pair_case(10 * k) for k in range(SEEDS)])]
    )
    drawn = [pair_case(k) for k in range(SEEDS)]
    mine = np.stack([ours({**case, "rounding": "stochastic"}, arrays)["w"][-1] for case, arrays in drawn])
    error = np.sqrt((mine.var(0, ddof=1) + lava.var(0, ddof=1)) / SEEDS)
    z = np.abs(mine.mean(0) - lava.mean(0)) / error
    assert (mine.var(0) > 0).all()
    assert (z > 1.96).sum() <= 8
    assert z.max() < 4.5
    assert 0.7 < np.sqrt(mine.var(0).mean() / lava.var(0).mean()) < 1.4


NETWORK = """nir.graph @net("input" %x: tensor<6xi1>) -> ("output": tensor<3xi1>) {{
  %a = nir.linear "fc" %x {{weight = #nopt.array<{weight} : tensor<3x6xf32>>, plasticity = #nir.stdp<0.05, 0.04, 0.01, 0.02, -1.0, 1.0>}} : tensor<6xi1> -> tensor<3xf32>
  %z = nir.if "out" %a {{r = #nopt.array<1.0 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>}} : tensor<3xf32> -> tensor<3xi1>
  nir.output %z : tensor<3xi1>
}}
"""


@pytest.mark.parametrize("seed", range(4))
def test_lava_computes_a_network_that_learns(seed: int, python_of: Callable[[str], Path], tmp_path: Path) -> None:
    """Compiled by nopt, and run by the processes of Lava with the numbers of the artefact: all spikes and weights are equal."""
    rng = np.random.default_rng(seed)
    device = json.loads((ROOT / "targets" / "loihi2" / "devices" / "oheo_gulch.json").read_text())
    device["plasticity"]["pairs"] |= {
        "rounding": "shared",
        "seed": {"value": seed, "source": "lava", "confidence": "assumed"},
    }
    (tmp_path / "device.json").write_text(json.dumps(device))
    file, x = tmp_path / "net.mlir", rng.random((1, 40, 6)) < 0.3
    file.write_text(NETWORK.format(weight=rng.uniform(-0.2, 0.7, (3, 6)).tolist()))
    np.save(tmp_path / "x.npy", x)
    build = tmp_path / "build"
    for words in (
        ("compile", file, "--device", tmp_path / "device.json", "--dt", "1ms", "--like", "norse", "-o", build),
        ("run", build, "--input", tmp_path / "x.npy", "--record", "fc.weight", "-o", tmp_path / "nopt.npz"),
    ):
        code, _, errors = call(*words)
        assert not code, errors
    record = json.loads((build / "artefact" / "network.json").read_text())
    (core,) = [one for one in record["chip"]["body"] if one["op"] == "loihi2.neuro_core"]
    (group,) = core["body"]
    table = next(one for one in group["body"] if one["op"] == "loihi2.dense")
    weight = np.load(build / "artefact" / table["weight"]["file"])
    rule = {"t_epoch": 1, "rng_seed": seed, **table["learning_rule"]["entries"]}
    lif = {name: int(core["profiles"][name]["values"][0]) for name in ("du", "dv")}
    lif |= {"vth": int(core["thresholds"]["vth"]["values"][0]), "weight_exp": table["weight_exp"]}
    case = {"rule": rule, "sign": table["sign_mode"], "rounding": "shared", "lif": lif}
    (lava,) = theirs(python_of("lava"), tmp_path, [(case, {"weight": weight.T, "pre": x[0]})])
    with np.load(tmp_path / "nopt.npz") as mine:
        assert np.array_equal(mine["output"][0], lava["post"])
        assert np.array_equal(np.round(mine["fc.weight"][0] * 255), lava["w"])
    assert lava["post"].sum() > 5
    assert (lava["w"][0] != lava["w"][-1]).any()


def test_lava_computes_fitted_rules(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    """The products of `ntensor-fit-plasticity`: several spikes and constants as factors, and traces that saturate at their impulse."""
    cases: list[tuple[Case, dict[str, np.ndarray]]] = []
    for name, (rule, entries) in FITTED.items():
        subject = Subject(find_device("loihi2", "loihi1"), 0, 0)
        drawn = Drawn(name, in_ticks(network_of(rule, entries)), np.zeros((1, 4, 1), np.bool_))
        compiled = subject.follow(drawn)
        (found,) = [
            op.learning_rule for op in compiled.module.walk() if isinstance(op, SynapsesOp) and op.learning_rule
        ]
        rng = np.random.default_rng(len(cases))
        given = {**found.equations, **found.constants, "t_epoch": 1, "rng_seed": 3}
        spikes = {side: rng.random((TICKS, 4)) < 0.15 for side in ("pre", "post")}
        weight = rng.integers(20, 236, (4, 4))
        cases.append(({"rule": given, "sign": "excitatory", "rounding": "shared"}, {"weight": weight, **spikes}))
    changed = 0
    for (case, arrays), wanted in zip(cases, theirs(python_of("lava"), tmp_path, cases), strict=True):
        weights = ours(case, arrays)["w"]
        assert np.array_equal(weights, wanted["w"]), case["rule"]["dw"]
        changed += len(np.unique(weights)) > 20
    assert changed == len(cases)
