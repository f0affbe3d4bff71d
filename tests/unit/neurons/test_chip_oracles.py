"""The chips' neurons in small networks, against the vendors' own models: every state of every tick.

The tools are not part of the tree. Each case has two tests: one runs the tool if its environment exists (`--oracles=DIR`, one folder
per tool; the scripts are among the samples), the other compares with recorded numbers of the tool and always runs.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from attrs import frozen
from chips import tick, update_of

from nopt.dialects import ntensor
from nopt.simulation.update import Step, derive, initial

SCRIPTS = {
    "lava": "lava_fixed.py",
    "nengo_loihi": "nengo_loihi_run.py",
    "brian2_loihi": "brian2_loihi_run.py",
    "xylo": "xylo_run.py",
    "akida": "akida_layer.py",
    "dynapsim": "dynapsim_run.py",
    "sinabs_dynapcnn": "sinabs_dynapcnn_check.py",
}

Arrays = dict[str, Any]


@frozen
class Case:
    """A network in the exchange format of the tools."""

    tool: str
    head: dict[str, Any]
    arrays: Arrays

    def run_tool(self, python: Path, script: Path, folder: Path) -> Arrays:
        given, result = folder / "net.npz", folder / "result.npz"
        np.savez_compressed(given, net=json.dumps(self.head), **self.arrays)
        command = [python, script, given, result]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, cwd=folder)
        assert done.returncode == 0, done.stderr[-2000:]
        with np.load(result) as found:
            return {name: found[name] for name in found.files} | {"info": json.loads(str(found["net"]))}


class Population:
    """One of our neurons, tick by tick."""

    def __init__(self, update: ntensor.UpdateOp, size: int, params: Mapping[str, Any]):
        self.update = update
        self.states = {name: np.broadcast_to(v, (1, size)).copy() for name, v in initial(update, params).items()}
        self.step = Step(update, params, (1, size))

    def __call__(self, **inputs: Any) -> Any:
        """Returns the output. Shapes: each input [neurons], or [neurons, terms] if it accumulates."""
        return tick(self.step, self.update, inputs, self.states).value[0].astype(np.int64)


def spikes(rng: np.random.Generator, ticks: int, size: int, rate: float) -> Any:
    return (rng.random((ticks, size)) < rate).astype(np.int64)


# ---- Loihi


def loihi_case(tool: str, seed: int, *, exponent: int = 0, delay: int = 1, refractory: int = 1, bias: int = 5) -> Case:
    """Returns 4 inputs, 8 recurrent neurons, 2 outputs, even weights; with `exponent = 6` the current wraps."""
    rng, ticks = np.random.default_rng(seed), 60
    wait = {"refractory": refractory} if refractory > 1 else {}
    hid = {"name": "hid", "size": 8, "model": "loihi", "du": 300, "dv": 300, "vth": 300 << max(exponent, 0), **wait}
    out = {"name": "out", "size": 2, "model": "loihi", "du": 4095, "dv": 0, "vth": 900, **wait}
    both = {"weight_exp": exponent, "sign": "mixed", "delay": delay}
    head: dict[str, Any] = {
        "format": "nopt-oracle-net/1",
        "ticks": ticks,
        "inputs": [{"name": "in", "size": 4}],
        "populations": [hid | {"bias_mant": bias, "bias_exp": 4}, out | {"bias_mant": 0, "bias_exp": 0}],
        "projections": [
            {"name": "in_hid", "pre": "in", "post": "hid", **both},
            {"name": "hid_hid", "pre": "hid", "post": "hid", **both},
            {"name": "hid_out", "pre": "hid", "post": "out", "weight_exp": 0, "sign": "mixed", "delay": 1},
        ],
    }
    arrays = {
        "in.spikes": spikes(rng, ticks, 4, 0.4),
        "in_hid.weights": rng.integers(-64, 128, (8, 4)) * 2,
        "hid_hid.weights": rng.integers(-40, 40, (8, 8)) * 2,
        "hid_out.weights": rng.integers(-32, 128, (2, 8)) * 2,
    }
    return Case(tool, head, arrays)


def run_loihi(case: Case, name: str) -> Arrays:
    """Synapses hold their sum, shifted once after it, for a tick or more."""
    ticks, update = case.head["ticks"], update_of("loihi", name)
    defaults = {"e": 0, "bias": 0, "low": -(2**23) + 1, "high": 2**23 - 1}
    populations: dict[str, Population] = {}
    for pop in case.head["populations"]:
        own = {"vth": pop["vth"], "du": pop["du"], "dv": pop["dv"], "refractory": pop.get("refractory", 1)}
        own |= {"bias": pop["bias_mant"], "e": pop["bias_exp"]} if name == "loihi" else {}
        own |= {"bias": pop["bias_mant"] << pop["bias_exp"]} if name == "loihi_nengo" else {}
        wanted = [param.data for param in update.params]
        params = {key: np.asarray((defaults | own)[key]) for key in wanted}
        populations[pop["name"]] = Population(update, pop["size"], params)
    sent = {"in": case.arrays["in.spikes"]} | {
        n: np.zeros((ticks, p.step.tape.shape[1]), int) for n, p in populations.items()
    }
    rows: dict[str, list[Any]] = {}
    for t in range(ticks):
        for n, population in populations.items():
            a = np.zeros(sent[n].shape[1], int)
            for p in case.head["projections"]:
                if p["post"] == n and t >= p["delay"]:
                    total = case.arrays[f"{p['name']}.weights"] @ sent[p["pre"]][t - p["delay"]]
                    a = a + (total << p["weight_exp"] if p["weight_exp"] > 0 else total >> -p["weight_exp"])
            sent[n][t] = population(a=a)
            rows.setdefault(f"{n}.spikes", []).append(sent[n][t].copy())
            rows.setdefault(f"{n}.u", []).append(population.states["i"][0].copy())
            rows.setdefault(f"{n}.v", []).append(population.states["v"][0].copy())
    return {name: np.array(values) for name, values in rows.items()}


# ---- Xylo


def xylo_case(seed: int, scale: int) -> Case:
    """Returns 4 inputs, 8 recurrent neurons with two currents, 2 outputs; with a large `scale` every kind of addition saturates."""
    rng, ticks = np.random.default_rng(seed), 80
    paths = [
        ("in_hid", "in", "hid", 0),
        ("in_hid2", "in", "hid", 1),
        ("hid_hid", "hid", "hid", 0),
        ("hid_out", "hid", "out", 0),
    ]
    head: dict[str, Any] = {
        "format": "nopt-oracle-net/1",
        "ticks": ticks,
        "inputs": [{"name": "in", "size": 4}],
        "populations": [{"name": "hid", "size": 8, "model": "xylo"}, {"name": "out", "size": 2, "model": "xylo_out"}],
        "projections": [
            {"name": n, "pre": pre, "post": post, "shift": scale if pre == "in" else 1, "synapse": k}
            for n, pre, post, k in paths
        ],
    }
    sizes = {"in": 4, "hid": 8, "out": 2}
    arrays = {f"{n}.weights": rng.integers(-55, 55, (sizes[post], sizes[pre])) for n, pre, post, _ in paths}
    arrays["in.spikes"] = rng.integers(0, 16, (ticks, 4)) * spikes(rng, ticks, 4, 0.3)
    arrays |= {
        "hid.dash_mem": rng.integers(1, 7, 8),
        "hid.dash_syn": rng.integers(1, 6, (8, 2)),
        "hid.threshold": rng.integers(200, 900, 8),
    }
    arrays |= {
        "hid.bias": rng.integers(-20, 20, 8),
        "out.dash_mem": rng.integers(1, 6, 2),
        "out.dash_syn": rng.integers(1, 6, 2),
    }
    arrays |= {"out.threshold": rng.integers(200, 900, 2), "out.bias": rng.integers(-9, 9, 2)}
    return Case("xylo", head, arrays)


def run_xylo(case: Case) -> Arrays:
    """Inputs act in their tick, hidden spikes in the next; n simultaneous spikes are n events of the same weight."""
    c = case.arrays
    shift = {p["name"]: p["shift"] for p in case.head["projections"]}
    hid = {"dash_syn": c["hid.dash_syn"][:, 0], "dash_syn_2": c["hid.dash_syn"][:, 1], "dash_mem": c["hid.dash_mem"]}
    out = {
        "dash_syn": c["out.dash_syn"],
        "dash_mem": c["out.dash_mem"],
        "th": c["out.threshold"],
        "bias": c["out.bias"],
    }
    hidden = Population(update_of("xylo", "xylo_two"), 8, hid | {"th": c["hid.threshold"], "bias": c["hid.bias"]})
    output = Population(update_of("xylo", spikes="one"), 2, out)

    def terms(name: str, counts: Any) -> Any:
        return (c[f"{name}.weights"] << shift[name]) * counts

    z, rows = np.zeros(8, int), dict[str, list[Any]]()
    for counts in c["in.spikes"]:
        y = output(a=terms("hid_out", z))
        z = hidden(a=np.hstack([terms("in_hid", counts), terms("hid_hid", z)]), a_2=terms("in_hid2", counts))
        states = hidden.states | {f"out_{k}": v for k, v in output.states.items()}
        names = {"i": "hid.isyn", "i_2": "hid.isyn2", "v": "hid.v", "out_i": "out.isyn", "out_v": "out.v"}
        for name, row in {"hid.spikes": z, "out.spikes": y, **{to: states[k][0] for k, to in names.items()}}.items():
            rows.setdefault(name, []).append(row.copy())
    return {name: np.array(values) for name, values in rows.items()}


# ---- Akida


def akida_case(seed: int, bits: int) -> Case:
    """Returns a dense layer of 40 inputs and 12 neurons with their own thresholds and steps."""
    rng = np.random.default_rng(seed)
    layer = {"name": "fc", "type": "dense", "weight_bits": 4, "act_bits": bits}
    head = {"format": "nopt-oracle-layers/1", "shape": [40], "bits": 4, "layers": [layer]}
    arrays = {"frames": rng.integers(0, 16, (50, 40)), "fc.weights": rng.integers(-7, 8, (12, 40))}
    arrays |= {"fc.threshold": rng.integers(-60, 60, 12), "fc.act_step": rng.uniform(0.5, 30, 12).astype(np.float32)}
    return Case("akida", head, arrays)


def run_akida(case: Case) -> Arrays:
    bits = case.head["layers"][0]["act_bits"]
    update = update_of("akida", act_bits={1: "one", 2: "two", 4: "four"}[bits])
    step = case.arrays["fc.act_step"] * np.float32(2 ** (4 - bits))
    layer = Population(update, 12, {"th": case.arrays["fc.threshold"], "step": step})
    return {"fc.out": np.array([layer(a=case.arrays["fc.weights"] @ frame) for frame in case.arrays["frames"]])}


# ---- DYNAP-SE2


def dynapsim_case() -> Case:
    """Returns 4 inputs and 8 recurrent neurons, with the default currents of the tool."""
    rng, ticks = np.random.default_rng(11), 300
    head: dict[str, Any] = {
        "format": "nopt-oracle-net/1",
        "ticks": ticks,
        "inputs": [{"name": "in", "size": 4}],
        "populations": [{"name": "pop", "size": 8, "model": "dynapsim", "dt": 1e-3}],
        "projections": [
            {"name": "w_in", "pre": "in", "post": "pop"},
            {"name": "w_rec", "pre": "pop", "post": "pop"},
        ],
    }
    arrays = {"in.spikes": spikes(rng, ticks, 4, 0.15), "w_in.weights": rng.uniform(0, 0.3, (8, 4))}
    arrays["w_rec.weights"] = rng.uniform(-0.1, 0.1, (8, 8)) * (1 - np.eye(8))
    return Case("dynapsim", head, arrays)


def run_dynapsim(case: Case, currents: Mapping[str, float]) -> Arrays:
    """Renames parameters of the tool, such as Itau_mem to i_tau_mem."""
    update, c = update_of("dynap_se2"), case.arrays
    names = {key: key[0].lower() + "_" + key[1:] for key in currents if key[0] in "IC" and key[1:2].islower()}
    raw = {names.get(key, key.lower()): np.asarray(value) for key, value in currents.items()}
    raw |= {"i_0": raw["i_o"], "u_t": raw["ut"], "v_th": raw["vth"]}
    population = Population(update, 8, derive(update, 1e-3, raw))
    z, rows = np.zeros(8), dict[str, list[Any]]()
    for counts in c["in.spikes"]:
        z = population(x=c["w_in.weights"] @ counts + c["w_rec.weights"] @ z)
        for name, row in (("spikes", z), ("isyn", population.states["syn"][0]), ("imem", population.states["mem"][0])):
            rows.setdefault(f"pop.{name}", []).append(row.copy())
    return {name: np.array(values) for name, values in rows.items()}


# ---- Speck


def speck_case() -> Case:
    """Returns a dense layer on counts; the tool quantises weights and biases to integers of 8 bits."""
    rng = np.random.default_rng(12)
    layer = {"name": "fc", "type": "dense", "threshold": 1.0, "v_min": -1.0}
    head = {"format": "nopt-oracle-layers/1", "shape": [2, 4, 4], "layers": [layer]}
    arrays = {"frames": rng.integers(0, 3, (100, 2, 4, 4)), "fc.weights": rng.uniform(-0.4, 0.45, (6, 32))}
    return Case("sinabs_dynapcnn", head, arrays | {"fc.bias": rng.uniform(-0.1, 0.1, 6)})


def run_speck(case: Case, made: Arrays) -> Any:
    """Returns the integers of the tool: weights [neurons, channels, y, x], biases, threshold and lower bound."""
    params = {"th": made["fc.threshold"], "low": made["fc.v_min"], "bias": made["fc.bias"]}
    layer = Population(update_of("speck"), 6, params)
    weights = made["fc.weights"].reshape(6, -1)
    return np.array([layer(a=weights @ frame.reshape(-1)) for frame in case.arrays["frames"]])


# ---- the cases

CASES: dict[str, tuple[Case, Callable[[Case], Arrays]]] = {
    "lava": (loihi_case("lava", 1), lambda case: run_loihi(case, "loihi")),
    "lava, wrapping": (loihi_case("lava", 2, exponent=6), lambda case: run_loihi(case, "loihi")),
    "lava, shifted down, late": (loihi_case("lava", 3, exponent=-3, delay=4), lambda case: run_loihi(case, "loihi")),
    "nengo": (loihi_case("nengo_loihi", 4, refractory=3), lambda case: run_loihi(case, "loihi_nengo")),
    "brian": (
        loihi_case("brian2_loihi", 5, refractory=4, delay=3, bias=0),
        lambda case: run_loihi(case, "loihi_brian"),
    ),
    "xylo": (xylo_case(6, 0), run_xylo),
    "xylo, saturating": (xylo_case(7, 7), run_xylo),
    "akida, 1 bit": (akida_case(8, 1), run_akida),
    "akida, 2 bits": (akida_case(9, 2), run_akida),
    "akida, 4 bits": (akida_case(10, 4), run_akida),
}


RECORDED = {
    "lava": (294, 0x597982AB),
    "lava, wrapping": (275, 0x0C0732A4),
    "lava, shifted down, late": (174, 0x35C35F97),
    "nengo": (114, 0x12003770),
    "brian": (102, 0xD27E9DBC),
    "xylo": (7199, 0x95F64336),
    "xylo, saturating": (8026, 0x1713142D),
    "akida, 1 bit": (276, 0x89877EC1),
    "akida, 2 bits": (713, 0x90E5D21F),
    "akida, 4 bits": (3774, 0xE2B21624),
}
"""Recorded results of the tools: the sum of all spikes, and a CRC-32 of all arrays, in order of their names, as 64-bit integers.

lava-nc 0.10.0, nengo-loihi 1.1.0 with nengo 3.2.0, brian2-loihi 0.5.2 with brian2 2.9.0, xylosim 0.1.3, akida 2.19.3.
"""


@pytest.mark.parametrize("name", CASES)
def test_equals_what_the_tool_gave(name: str) -> None:
    case, ours = CASES[name]
    found = ours(case)
    total = sum(int(values.sum()) for key, values in found.items() if key.endswith((".spikes", ".out")))
    check = crc32(b"".join(found[key].astype("<i8").tobytes() for key in sorted(found)))
    assert (total, check) == RECORDED[name]


def found_tool(case: Case, shared: Path, oracles: Path) -> tuple[Path, Path]:
    """Returns the interpreter of a tool's environment and its script; skips if they are missing."""
    script = shared / "oracles" / SCRIPTS[case.tool]
    names = case.tool, case.tool.rpartition("_")[0] or case.tool  # an environment may serve several tools
    python = next((p for name in names if (p := oracles / name / "bin" / "python").is_file()), None)
    if python is None or not script.is_file():
        pytest.skip(f"no environment of {case.tool} at {oracles} (pytest --oracles=DIR)")
    return python, script


@pytest.mark.parametrize("name", CASES)
def test_equals_the_tool(name: str, shared: Path, oracles: Path, tmp_path: Path) -> None:
    case, ours = CASES[name]
    python, script = found_tool(case, shared, oracles)
    wanted = case.run_tool(python, script, tmp_path)
    found = ours(case)
    for key, values in found.items():
        assert np.array_equal(values, wanted[key]), (key, np.argwhere(values != wanted[key])[:3])


def test_dynapsim(shared: Path, oracles: Path, tmp_path: Path) -> None:
    """The tool computes in single precision: all spike counts are equal, the synaptic current to 1e-4."""
    case = dynapsim_case()
    python, script = found_tool(case, shared, oracles)
    wanted = case.run_tool(python, script, tmp_path)
    found = run_dynapsim(case, wanted["info"]["currents"])
    assert wanted["pop.spikes"].sum() > 50
    assert np.array_equal(found["pop.spikes"], wanted["pop.spikes"])
    assert np.allclose(found["pop.isyn"], wanted["pop.isyn"], rtol=1e-4, atol=0)


def test_speck(shared: Path, oracles: Path, tmp_path: Path) -> None:
    case = speck_case()
    python, script = found_tool(case, shared, oracles)
    wanted = case.run_tool(python, script, tmp_path)
    assert wanted["out.spikes"].max() > 1
    assert np.array_equal(run_speck(case, wanted), wanted["out.spikes"])


def test_the_recorded_trace_of_loihi(shared: Path) -> None:
    """One neuron of the NIR paper, weight 10, in integers: every v and every spike of 1000 ticks; an input acts a tick later.

    Its decay is 1 - dt / tau = 0.96, so dv = 4096 * 0.04 = 163.84; the recording uses this number rounded down.
    """
    x, v, z = np.loadtxt(shared / "samples" / "nir_paper" / "lif" / "lif_lava_cpu_fixed.csv", delimiter=",").T
    neuron = Population(update_of("loihi"), 1, {name: np.asarray(value) for name, value in TRACE.items()})
    late = np.concatenate([[0], x[:-1]]).astype(np.int64)
    for t in range(1000):
        assert neuron(a=np.array([10 * late[t]]))[0] == z[t], t
        assert neuron.states["v"].item() == v[t], t
    assert z.sum() == 4


TRACE = {"du": 4095, "dv": 163, "vth": 25, "bias": 0, "e": 0, "refractory": 1}
