"""Programs of `nopt export --brian2` in Brian 2: populations of random networks emit the values of the reference, bit for bit."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from nets import run
from plastic_networks import array_text, entries_text
from real_networks import real_network

import nopt
from nopt.core.diagnostics import Diagnostics

SEEDS = range(0, 60, 2)
"""Networks of f64."""
DELAYED = "values with a delay of synapses"
SECONDS = 300


@pytest.mark.parametrize("seed", SEEDS)
def test_programs_emit_the_values_of_the_reference(seed: int, python_of: Callable[[str], Path], tmp_path: Path) -> None:
    case = real_network(seed)
    module = case.network.parent_op()
    file = tmp_path / "net.py"
    try:
        nopt.export_brian2(module, out=file, diagnostics=Diagnostics())  # type: ignore[arg-type]
    except nopt.Refused as refused:
        causes = [finding.found for finding in refused.findings]
    else:
        causes = []
    if causes:
        assert causes == [DELAYED]
        return
    np.savez(tmp_path / "in.npz", **case.inputs)
    names = [op.node.data for op in case.network.populations]
    command = [
        str(python_of("brian2")),
        str(file),
        str(tmp_path / "in.npz"),
        str(tmp_path / "out.npz"),
        "--record",
        ",".join(names),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    ours = run(case.network, record=names, **case.inputs)
    with np.load(tmp_path / "out.npz") as theirs:
        for name in names:
            np.testing.assert_array_equal(theirs[name], np.asarray(ours[name], np.float64))


PAIR = {"a_plus": 0.04, "a_minus": 0.03, "tau_plus": 0.02, "tau_minus": 0.03, "w_min": 0.0, "w_max": 1.0}
POWER = {"mu_plus": 0.4, "mu_minus": 0.7}
TRIPLET = {"a2_plus": 0.02, "a2_minus": 0.02, "a3_plus": 0.03, "a3_minus": 0.01, "w_min": 0.0, "w_max": 1.0}
TRIPLET |= {"tau_plus": 0.017, "tau_minus": 0.034, "tau_x": 0.1, "tau_y": 0.12}
RULES: list[tuple[str, dict[str, float | str]]] = [
    *(
        ("stdp", {**PAIR, **(POWER if kind == "power" else {}), "dependence": kind, "coincidence": coincidence})
        for kind in ("additive", "multiplicative", "power")
        for coincidence in ("none", "pre", "post")
    ),
    *(
        (name, {**PAIR, "dependence": kind})
        for name in ("stdp_symmetric", "stdp_pre_centred", "stdp_reduced")
        for kind in ("additive", "multiplicative")
    ),
    ("stdp_nearest_pair", {**PAIR}),
    *(("triplet", {**TRIPLET, "pairing": kind}) for kind in ("all", "nearest")),
    ("homeostatic", {"gain": 0.5, "target": 20.0, "w_min": 0.0, "w_max": 1.0, "tau_rate": 0.2}),
    ("tsodyks_markram", {"use": 0.4, "tau_rec": 0.1, "tau_fac": 0.05, "facilitation": "yes"}),
    ("tsodyks_markram", {"use": 0.4, "tau_rec": 0.1, "facilitation": "no"}),
    ("voltage", {"rate": 0.05, "decay": 0.9, "level": 0.1}),
]
VOLTAGE = """# Names of the populations and of their variables; the potential decides about the change.
synapse voltage
param rate, decay, level
weight fc in 0.0..1.0
pre state lif
synapse state again
post state refractory
observe v

on tick
lif = lif * decay
refractory = refractory * decay
again = 0.9 * again + 0.1 * v * lif
on pre
lif = lif + 1
fc = fc - rate * again * (1 + refractory)
on post
fc = fc + rate * lif if again > level else fc
refractory = refractory + 0.1
"""
SIZES, TICKS, RECORD = (7, 12), 200, ("lif", "fc.weight", "again.weight")


def plastic_network(rule: str, entries: dict[str, float | str], rng: np.random.Generator, has_delays: bool) -> str:
    """Returns a network with a plastic layer "fc" and a plastic loop "again", with delays of single synapses or without."""
    targets, sources = SIZES
    learning = entries_text(rule, entries)
    delays = rng.integers(0, 4, SIZES) / 1e3
    late = f", delays = {array_text(delays)}" if has_delays else ""
    numbers = {"tau": 0.02, "r": 20.0, "v_leak": 0.0, "v_threshold": 1.0, "v_reset": 0.0}
    params = ", ".join(f"{name} = {array_text(np.array(value))}" for name, value in numbers.items())
    weights = array_text(rng.uniform(0.1, 0.9, SIZES)), array_text(rng.uniform(0, 0.5, (targets, targets)))
    return f"""
nir.graph @net("in" %x: tensor<{sources}xi1>) -> ("out": tensor<{targets}xi1>) {{
  %0 = nir.linear "fc" %x {{weight = {weights[0]}, plasticity = {learning}{late}}} : tensor<{sources}xi1> -> tensor<{targets}xf32>
  %1 = nir.delay "late" %4 {{delay = #nopt.array<0.002 : tensor<f64>>}} : tensor<{targets}xi1> -> tensor<{targets}xi1>
  %2 = nir.linear "again" %1 {{weight = {weights[1]}, plasticity = {learning}}} : tensor<{targets}xi1> -> tensor<{targets}xf32>
  %3 = nir.sum %0, %2 : (tensor<{targets}xf32>, tensor<{targets}xf32>) -> tensor<{targets}xf32>
  %4 = nir.lif "lif" %3 {{{params}}} : tensor<{targets}xf32> -> tensor<{targets}xi1>
  nir.output %4 : tensor<{targets}xi1>
}}
"""


@pytest.mark.parametrize("seed", range(len(RULES)))
@pytest.mark.parametrize("has_delays", [False, True])
def test_rules_have_the_spikes_and_weights_of_the_reference(
    seed: int, has_delays: bool, python_of: Callable[[str], Path], tmp_path: Path
) -> None:
    rule, entries = RULES[seed]
    if rule == "voltage":
        rule = str(tmp_path / "voltage.synapse")
        Path(rule).write_text(VOLTAGE)
    rng = np.random.default_rng(seed)
    module = nopt.parse(plastic_network(rule, entries, rng, has_delays))
    x = rng.random((2, TICKS, SIZES[1])) < 0.06
    nopt.export_brian2(module, out=tmp_path / "net.py", dt="1ms", like="norse")
    np.savez(tmp_path / "in.npz", **{"in": x})
    files = [str(tmp_path / name) for name in ("net.py", "in.npz", "out.npz")]
    command = [str(python_of("brian2")), *files, "--record", ",".join(RECORD)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    ours = nopt.run(module, x, dt="1ms", like="norse", precision="f64", record=list(RECORD), engine="numpy")
    assert ours["lif"].sum() > 50
    with np.load(tmp_path / "out.npz") as theirs:
        np.testing.assert_array_equal(theirs["lif"], np.asarray(ours["lif"], np.float64))
        for name in RECORD[1:]:
            assert rule == "tsodyks_markram" or np.ptp(ours[name], axis=1).max() > 0.01
            np.testing.assert_allclose(theirs[name], ours[name], rtol=0, atol=1e-9)
