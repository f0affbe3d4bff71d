"""Generated networks for DYNAP-SE2, with the chip's own neuron `dynapse_soma`, and DynapSim on their configurations."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from places import TESTS
from xdsl.dialects.builtin import ModuleOp, f64

import nopt.api as nopt
from nopt.core.neuron.neuron import parse_neurons
from nopt.dialects.equations.build import build_update
from nopt.dialects.ntensor import UpdateOp
from nopt.simulation.update import derive, initial

HERE = TESTS / "oracle"
TOOL = HERE / "tools" / "dynapse_dynapsim.py"
NEURONS = Path(nopt.__file__).parents[1] / "targets" / "dynapse" / "devices" / "dynapse.neuron"
MINUTES = 10
KAPPA, UT, VTH, IO = 0.705, 0.025, 0.7, 5e-13


def tau_current(capacity: float, seconds: Any) -> Any:
    """Returns the current of a time constant. Units: capacity [F], result [A]."""
    return UT / KAPPA * capacity / seconds


def currents(rng: np.random.Generator, dt: float) -> dict[str, float]:
    """Returns currents around the defaults of DynapSim. The refractory time is 0 to 4 ticks, half of the times a whole number of them."""

    def around(value: float, share: float = 0.4) -> float:
        return float(value * np.exp(rng.uniform(-share, share)))

    i_tau_mem = around(tau_current(3e-12, 20e-3))
    i_tau_syn, i_tau_ahp = around(tau_current(24.5e-12, 10e-3)), around(tau_current(40e-12, 50e-3))
    whole, part = float(rng.integers(1, 5)), float(rng.uniform(0.1, 4))
    return {
        "i_dc": float(rng.choice([IO, 2 * i_tau_mem])),
        "i_gain_mem": around(4) * i_tau_mem,
        "i_tau_mem": i_tau_mem,
        "i_spkthr": float(rng.choice([1e-7, 1e-9, 1e-10])) * around(1),
        "i_gain_syn": around(100) * i_tau_syn,
        "i_tau_syn": i_tau_syn,
        "i_pulse": around(VTH * 0.5e-12 / 10e-6),
        "i_ref": VTH * 1.5e-12 / (dt * (whole if rng.random() < 0.5 else part)),
        "i_gain_ahp": around(2) * i_tau_ahp,
        "i_tau_ahp": i_tau_ahp,
        "i_pulse_ahp": around(VTH * 0.5e-12 / float(rng.choice([1e-6, 1e-4]))),
        "i_w": around(1.2e-11),
        "i_w_ahp": float(rng.choice([IO, 1e-10, 3e-9])),
    }


def update_of(name: str) -> UpdateOp:
    """Returns the update of a neuron of the device."""
    parsed = parse_neurons(NEURONS.read_text(encoding="utf-8"), NEURONS.name).neurons
    return build_update(next(one for one in parsed if one.name == name), options={}, precision=f64)


def weights(rng: np.random.Generator, steps: np.ndarray, sources: int, size: int, share: float, low: float) -> Any:
    """Returns sums of subsets of four currents, some of them negative. Shapes: [size, sources]."""
    masks = rng.integers(1, 16, (size, sources))
    sums = ((masks[..., None] >> np.arange(4)) & 1) @ steps
    signs = np.where(rng.random((size, sources)) < low, -1, 1)
    return (sums * signs * (rng.random((size, sources)) < share)).astype(np.int16)


def array(values: Any) -> str:
    """Returns an array as its bytes, which keep every bit."""
    held = np.asarray(values)
    axes = "".join(f"{n}x" for n in held.shape)
    return f'#nopt.array<"0x{held.tobytes().hex()}" : tensor<{axes}{held.dtype.kind}{8 * held.dtype.itemsize}>>'


def entries(values: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {array(value)}" for name, value in values.items())


@frozen
class Drawn:
    """A network in ticks, whose populations are all outputs, with its input [ticks, entries]."""

    module: ModuleOp
    x: np.ndarray
    dt: float
    populations: tuple[str, ...]


def soma_network(seed: int, *, sizes: Sequence[int] = (), ticks: int = 150, share: float = 0.2) -> Drawn:
    """Returns populations of `dynapse_soma`, a chain with recurrence in some, each with its own currents."""
    rng = np.random.default_rng([35, seed])
    dt = float(rng.choice([1e-3, 5e-4, 2e-3, 1e-4]))
    inputs = int(rng.integers(3, 20))
    sizes = sizes or [int(n) for n in rng.integers(3, 24, int(rng.integers(1, 4)))]
    kind = "i1" if seed % 3 else "!ntensor.count<3>"
    update = update_of("dynapse_soma")
    ops: list[str] = [f'%d0 = ntensor.delay "d0" %x {{ticks = #nopt.array<1 : tensor<i8>>}} : tensor<{inputs}x{kind}>']
    source, width, element, names = "%d0", inputs, kind, []
    for k, size in enumerate(sizes):
        steps = rng.integers(1, 256, 4) if seed % 4 else np.array([1, 2, 4, 8]) * 16
        is_loop = bool(rng.random() < 0.5)
        gain = 1.0 if k == 0 else 3.0
        ops.append(linear(f"fc{k}", weights(rng, steps, width, size, 0.7, 0.15), source, element))
        total = f"%fc{k}"
        if is_loop:
            ops.append(linear(f"rec{k}", weights(rng, steps, size, size, 0.3, 0.5), f"%e{k}", "!ntensor.count<4>"))
            types = f"(tensor<{size}xi32>, tensor<{size}xi32>) -> tensor<{size}xi32>"
            ops.append(f"%s{k} = ntensor.sum %fc{k}, %rec{k} : {types}")
            total = f"%s{k}"
        given = currents(rng, dt)
        given["i_w"] *= gain
        params = derive(update, dt, {name: np.array(value) for name, value in given.items()})
        states = initial(update, params)
        held = {name: np.asarray(params[name]) for name in update.param_types}
        attributes = f"params = {{{entries(held)}}}, initial = {{{entries(states)}}}"
        ops.append(
            f'%n{k} = ntensor.neuron "n{k}" @dynapse_soma ({total}) {{{attributes}}} :'
            f" (tensor<{size}xi32>) -> tensor<{size}x!ntensor.count<4>>"
        )
        ops.append(
            f'%e{k} = ntensor.delay "e{k}" %n{k} {{ticks = #nopt.array<1 : tensor<i8>>}} : tensor<{size}x!ntensor.count<4>>'
        )
        source, width, element = f"%e{k}", size, "!ntensor.count<4>"
        names.append(f"n{k}")
    types = [f"tensor<{size}x!ntensor.count<4>>" for size in sizes]
    gives = ", ".join(f'"o{k}": {type}' for k, type in enumerate(types))
    last = f"ntensor.output {', '.join(f'%{name}' for name in names)} : {', '.join(types)}"
    tick_ns = round(dt * 1e9)
    text = (
        f'{update!s}\nntensor.network @net("x" %x: tensor<{inputs}x{kind}>) -> ({gives})'
        f" attributes {{tick_ns = {tick_ns}}} {{\n" + "\n".join([*ops, last]) + "\n}\n"
    )
    x = rng.random((ticks, inputs)) < share
    x = x.astype(np.int64) * (1 if kind == "i1" else rng.integers(1, 4, x.shape))
    return Drawn(nopt.parse(text), x, dt, tuple(names))


def linear(name: str, weight: np.ndarray, source: str, element: str) -> str:
    size, width = weight.shape
    attributes = f"weight = {array(weight)}"
    return (
        f'%{name} = ntensor.linear "{name}" {source} {{{attributes}}} : tensor<{width}x{element}> -> tensor<{size}xi32>'
    )


# ---- the tool


def write_case(folder: Path, number: int, build: Path, x: np.ndarray, dt: float, **more: Any) -> None:
    """Writes a configuration for the tool. Events take a tick: the input is one tick later."""
    late = np.concatenate([np.zeros_like(x[:1]), x[:-1]])
    configuration = (build / "artefact" / "configuration.json").read_text(encoding="utf-8")
    (folder / f"{number:03}.json").write_text(configuration, encoding="utf-8")
    np.savez(folder / f"{number:03}.npz", x=late, dt=dt, **more)


def call_tool(python: Path, *words: object) -> None:
    command = [str(python), str(TOOL), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60 * MINUTES, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


def results_of(folder: Path, number: int) -> dict[str, np.ndarray]:
    with np.load(folder / f"{number:03}.out.npz") as found:
        return {name: found[name] for name in found.files}


def table_of(python: Path, folder: Path) -> dict[str, Any]:
    call_tool(python, "table", folder / "table.json")
    return json.loads((folder / "table.json").read_text(encoding="utf-8"))
