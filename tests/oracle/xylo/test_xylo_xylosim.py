"""The model of `xylo.chip` equals XyloSim in every state of every tick, on generated chips and on compiled networks for all devices.

Chips have recurrence, aliases, biases, counts of spikes at the input, both synaptic currents where the device has them, and weights and shifts at which
states saturate. Networks have counts or single spikes, both comparisons with the threshold, recurrence, delays in loops, biases, several layers, skips,
and time constants that differ between neurons. The script of the artefact runs xylosim, and its mock in `tests/target/xylo/mock` has the same states.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nir
import numpy as np
import pytest
from places import TESTS
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, TensorType, i1, i64
from xdsl.ir import Attribute, Block, Region

import nopt.api as nopt
from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.device.named_device import name_device, resolve_device
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.core.ir import source
from nopt.dialects import ntensor, xylo
from nopt.dialects.chip_base.chip import ChipBase
from nopt.targets.xylo.emitter import artefact
from nopt.targets.xylo.model import Model

MOCK = TESTS / "target" / "xylo" / "mock"
NETWORKS, TICKS = 24, 80
"""Chips of each device, and ticks of each."""
COMPILED = 12
"""Networks that are compiled for each device."""
PRESETS = ("rockpool", "spikingjelly", "norse")
"""Presets of counts, of single spikes from `>=`, and of single spikes from `>`."""
STRUCTURES = {"recurrence": 0.6, "delay": 0.6, "bias": 0.4, "layers": 0.7, "skip": 0.5}
"""Their share of the networks; a delay is one of the recurrence, and a skip one of several layers."""
MINUTES = 5


def integers(values: Any, dtype: Any = np.int32) -> ArrayAttr:
    return ArrayAttr.of(np.asarray(values, dtype))


def weights(rng: np.random.Generator, layer: xylo.WeightLayer, shape: tuple[int, int, int]) -> xylo.WeightsOp:
    """Returns sparse weights, some of them with a shift at which currents saturate."""
    shift = int(rng.choice([0, 1, 3, 6]))
    size = int(rng.choice([20, 127]))
    found = rng.integers(-size // 2, size + 1, shape) * (rng.random(shape) < 0.6)
    found[0, 0, 0] = size
    source_, target, current = np.nonzero(found)
    return xylo.WeightsOp(layer, shift, source_, target, current, found[source_, target, current])


def registers(rng: np.random.Generator, kind: type[xylo.NumberedOp], size: int) -> DictionaryAttr:
    drawn = {
        "dash_mem": rng.integers(0, 8, size),
        "dash_syn": rng.integers(0, 7, size),
        "dash_syn_2": rng.integers(0, 7, size),
        "threshold": rng.integers(1, 3000, size),
        "bias": rng.integers(-128, 128, size) * (rng.random(size) < 0.5),
    }
    return DictionaryAttr({name: integers(drawn[name]) for name in kind.KNOWN})


def generated(seed: int, name: str) -> tuple[ModuleOp, int]:
    """Returns a module with a chip, and the number of its channels."""
    rng, device = np.random.default_rng([33, seed]), resolve_device(f"xylo/{name}")
    inputs, hidden, outputs = (int(rng.integers(*ends)) for ends in ((1, 17), (2, 40), (1, 9)))
    currents = device.integer("features.currents") or 2
    aliases = np.full(hidden, xylo.NO_ALIAS)
    for k in range(int(rng.integers(0, hidden // 2 + 1))):
        aliases[k * 2] = (k * 2 + int(rng.integers(1, hidden))) % hidden
    properties: dict[str, Attribute] = {
        "node": StringAttr("x/0"),
        "source": StringAttr("x"),
        "at": IntegerAttr(0, i64),
        "index": integers(np.arange(inputs)),
        "channels": integers(np.arange(inputs)),
        "type": TensorType(ntensor.CountType(4), [inputs]),
    }
    given = xylo.InputOp(properties=properties, regions=[Region(Block())])
    numbers = rng.permutation(hidden)
    groups: list[Any] = []
    for kind, node, ids, element, more in (
        (xylo.HiddenOp, "h", numbers, ntensor.CountType(5), {"aliases": integers(aliases[numbers])}),
        (xylo.ReadoutOp, "o", np.arange(outputs), i1, {}),
    ):
        own: dict[str, Attribute] = {
            "node": StringAttr(f"{node}/0"),
            "source": StringAttr(node),
            "index": integers(np.arange(len(ids))),
            "ids": integers(ids),
            "registers": registers(rng, kind, len(ids)),
            "type": TensorType(element, [len(ids)]),
            **more,
        }
        groups.append(kind(properties=own, regions=[Region(Block())]))
    layers = [
        weights(rng, xylo.WeightLayer.INPUT, (inputs, hidden, currents)),
        weights(rng, xylo.WeightLayer.RECURRENT, (hidden, hidden, currents)),
        weights(rng, xylo.WeightLayer.OUTPUT, (hidden, outputs, 1)),
    ]
    core = xylo.CoreOp(
        properties={"place": IntegerAttr(0, i64), "axons": IntegerAttr(inputs, i64)},
        regions=[Region(Block([*groups, *layers]))],
    )
    chip: ChipBase = xylo.ChipOp(
        properties={"sym_name": StringAttr("net"), "tick_ns": IntegerAttr(1_000_000, i64)},
        regions=[Region(Block([given, core]))],
    )
    name_device(chip, device)
    module = ModuleOp([chip])
    source.check_module(module)
    return module, inputs


def of_model(module: ModuleOp, device: Any, x: Any) -> dict[str, Any]:
    """Returns the spikes and states of the model of the target. Shapes: [ticks, neurons]."""
    grid = Model.build_grid(object.__new__(Model), next(iter(module.ops)), module, device)
    running, found = grid.start(1), dict[str, list[Any]]()
    for t in range(len(x)):
        tick = running.tick(t, {"x": x[t][None]})
        for group in ("h", "o"):
            found.setdefault(group, []).append(tick.outputs[f"{group}/0"][0])
            for state, values in tick.states[f"{group}/0"].items():
                found.setdefault(f"{group}.{state}", []).append(values[0])
    return {name: np.array(rows, np.int64) for name, rows in found.items()}


def of_tool(files: Any, spikes: Any, folder: Path, python: Path | str, records: list[str], **environment: str) -> Any:
    """Returns the arrays that the script of an artefact writes."""
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    np.savez(folder / "in.npz", **spikes)
    script = [str(python), "xylo_network.py", "in.npz", "out.npz", "--record", ",".join(records)]
    done = subprocess.run(
        script, cwd=folder, capture_output=True, text=True, timeout=60 * MINUTES, check=False, env=environment or None
    )
    assert done.returncode == 0, done.stderr[-2000:]
    with np.load(folder / "out.npz") as found:
        return dict(found)


@pytest.mark.parametrize("name", ["audio2", "audio3", "imu"])
def test_every_state_equals_the_tool(name: str, python_of: Callable[[str], Path], tmp_path: Path) -> None:
    python, device, saturated, several = python_of("xylosim"), resolve_device(f"xylo/{name}"), 0, 0
    for seed in range(NETWORKS):
        module, inputs = generated(seed, name)
        rng = np.random.default_rng([34, seed])
        x = rng.integers(0, 16, (TICKS, inputs)) * (rng.random((TICKS, inputs)) < 0.3)
        files = artefact(module, device, Diagnostics()).files
        mine = of_model(module, device, x)
        records = [record for record in mine if record != "h.i_2" or device.integer("features.currents") != 1]
        theirs = of_tool(files, {"x": x}, tmp_path / f"{seed}-tool", python, records)
        mocked = of_tool(files, {"x": x}, tmp_path / f"{seed}-mock", sys.executable, records, PYTHONPATH=str(MOCK))
        for record in records:
            for values, tool in ((mine[record], "the model"), (mocked[record], "the mock")):
                where = np.argwhere(values != theirs[record])
                assert not len(where), f"{seed}: {record} of {tool} differs at {where[0]}"
        saturated += int((np.abs(mine["h.v"]) >= 32767).any() or (np.abs(mine["h.i"]) >= 16000).any())
        several += int(mine["h"].max() > 1)
    assert saturated >= NETWORKS // 4
    assert several >= NETWORKS // 2


def populated(rng: np.random.Generator, size: int) -> nir.CubaLIF:
    """Returns a population, whose time constants often differ between neurons. The shortest current of the chip is halved in a tick."""

    def tau() -> Any:
        return rng.uniform(1.6e-3, 3e-2, size) if rng.random() < 0.5 else np.full(size, rng.uniform(1.6e-3, 3e-2))

    zero, one = np.zeros(size), np.ones(size)
    return nir.CubaLIF(
        tau_mem=tau(), tau_syn=tau(), r=one, v_leak=zero, v_threshold=one * rng.uniform(0.5, 2), v_reset=zero, w_in=one
    )


def compiled(seed: int, name: str, path: Path) -> tuple[set[str], Any]:
    """Writes a network. Returns its structures, and its input. Shapes: [ticks, channels]."""
    rng = np.random.default_rng([35, seed, *name.encode()])
    has = {name for name, share in STRUCTURES.items() if rng.random() < share}
    has -= (set() if "recurrence" in has else {"delay"}) | (set() if "layers" in has else {"skip"})
    channels, hidden, second, outputs = (int(rng.integers(*ends)) for ends in ((2, 16), (3, 30), (2, 20), (1, 8)))
    gain = float(rng.choice([1, 4, 12])) * (
        1 if PRESETS[seed % 3] == "rockpool" else 20
    )  # the others multiply by dt / tau

    def linear(rows: int, columns: int) -> Any:
        return rng.normal(0, gain / np.sqrt(columns), (rows, columns)) * (rng.random((rows, columns)) < 0.8)

    first = linear(hidden, channels)
    nodes: dict[str, Any] = {
        "input": nir.Input({"input": np.array([channels])}),
        "fc": nir.Affine(first, rng.normal(0, 0.2, hidden)) if "bias" in has else nir.Linear(first),
        "h": populated(rng, hidden),
        "o": populated(rng, outputs),
        "output": nir.Output({"output": np.array([outputs])}),
    }
    edges = [("input", "fc"), ("fc", "h"), ("o", "output")]
    if "recurrence" in has:
        nodes["rec"] = nir.Linear(linear(hidden, hidden))
        edges += [("rec", "h")]
        if "delay" in has:
            nodes["wait"] = nir.Delay(1e-3 * rng.integers(1, 4, hidden))
        edges += [("h", "wait"), ("wait", "rec")] if "delay" in has else [("h", "rec")]
    if "layers" in has:
        nodes |= {"fc2": nir.Linear(linear(second, hidden)), "h2": populated(rng, second)}
        edges += [("h", "fc2"), ("fc2", "h2")]
    nodes["fc3"] = nir.Linear(linear(outputs, second if "layers" in has else hidden))
    edges += [("h2" if "layers" in has else "h", "fc3"), ("fc3", "o")]
    if "skip" in has:
        nodes["skip"] = nir.Linear(linear(outputs, hidden))
        edges += [("h", "skip"), ("skip", "o")]
    nir.write(path, nir.NIRGraph(nodes, edges, type_check=False))
    return has, rng.random((TICKS, channels)) < rng.choice([0.05, 0.3])


@pytest.mark.parametrize("name", ["audio2", "audio3", "imu"])
def test_compiled_networks_equal_the_tool(name: str, python_of: Callable[[str], Path], tmp_path: Path) -> None:
    """At most 31 spikes of a tick, and the order of additions of relays are permitted. Loops whose relays have another order where currents saturate are refused."""
    python, seen, active = python_of("xylosim"), set[str](), set[str]()
    passes = f'ntensor-legalize{{device="xylo/{name}" approximate=count,order}}'
    equal = 0
    for seed in range(COMPILED):
        folder, like = tmp_path / str(seed), PRESETS[seed % 3]
        folder.mkdir()
        has, x = compiled(seed, name, folder / "net.nir")
        choices: Any = {
            "dt": "1ms",
            "like": like,
            "reset": "subtract",
            "loop_delay": "spikes",
            "diagnostics": Diagnostics(),
        }
        try:
            nopt.compile(folder / "net.nir", target=f"xylo/{name}", out=folder / "b", passes=passes, **choices)
        except Refused as refusal:
            refused = {finding.code.id for finding in refusal.findings}
        else:
            refused = set[str]()
        assert refused <= ({"XYL016"} if "delay" in has else set()), f"{seed}: {refused}"
        if refused:
            continue
        files = {file.name: file.read_bytes() for file in (folder / "b" / "artefact").iterdir()}
        records = ["h", "h.v", "h.i", "o", "o.v", "o.i"]
        theirs = of_tool(files, {"input": np.stack([x, x[::-1]])}, folder / "tool", python, records)
        mine = nopt.run(folder / "b", np.stack([x, x[::-1]]), record=records, diagnostics=Diagnostics())
        comparison = nopt.compare(theirs, mine)
        assert comparison.equal, f"{seed}, {like}, {has}: {comparison}"
        equal += 1
        seen |= has
        active |= {like} if theirs["h"].any() else set()
    assert equal >= COMPILED * 2 // 3
    assert seen == set(STRUCTURES)
    assert active == set(PRESETS)
