"""Networks with structures that chips serve by several passes, from a seed: `made = structured(7, STYLES["asic"])`.

| structure | in |
| --- | --- |
| loops whose delays differ, before or after the weights, or both | most |
| a bias of each neuron, or none | half |
| a connection over a layer, with delays of its own | half |
| a convolution, and a sum pool after it | a fifth, if the style has maps |
| a layer of more neurons than a core of small chips holds | a fifth |
| weights in one row of which some are 40 times weaker | half, if the style has weak ones |
| a second population, whose spikes are an output, too | a third, if the style has branches |
| an average pool in place of the sum pool, a convolution in groups or with a stride | by seed, if the style has them |
| both resets; thresholds that are reached from above, or reached (`spikingjelly`); several spikes in a tick (`sinabs`, `rockpool`) | by seed |

`outcome` compiles one, and compares an interpreter of the artefact with the model of the chip.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import nir
import numpy as np
from attrs import frozen

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics, Refused

Arrays = dict[str, np.ndarray]
POPULATIONS = nir.LIF | nir.CubaLIF
Interpreter = Callable[[Path, Arrays], Mapping[str, Any]]


@frozen
class Style:
    """The properties of networks that fit a chip. Units: dt [s], longest [ticks], ticks [ticks]."""

    dt: float
    longest: int
    wide: int
    ticks: int = 60
    tau: float = 0.01
    r: float = 4.0
    grid: float = 0.0
    """Weights are multiples of this; 0: any reals."""
    rate: float = 0.2
    has_maps: bool = False
    has_leaks: bool = True
    has_currents: bool = True
    has_biases: bool = True
    weak: float = 0.0
    """The share of weak weights in a row."""
    has_branches: bool = False
    has_counts: bool = False
    """Inputs of networks whose neurons spike several times in a tick are counts."""
    pools: tuple[str, ...] = ("sum",)
    likes: tuple[str, ...] = ("norse", "norse", "norse", "norse", "spikingjelly", "sinabs")
    resets: tuple[str, ...] = ("value", "subtract")


STYLES = {
    "asic": Style(0.001, 9, 70, has_maps=True),
    "asic_lif": Style(0.001, 4, 70, has_maps=True, has_currents=False),
    "loihi2": Style(
        0.001,
        40,
        70,
        150,
        has_maps=True,
        weak=0.4,
        has_branches=True,
        pools=("sum", "average"),
        likes=("norse", "snntorch", "rockpool", "norse", "spikingjelly", "sinabs"),
    ),
    "dynapcnn": Style(0.001, 4, 0, r=1.0, weak=0.4, has_leaks=False),
    "spinnaker2": Style(0.001, 12, 260),
    "neurogrid": Style(
        0.00005,
        5,
        40,
        1200,
        tau=0.02,
        r=400.0,
        grid=0.1,
        rate=0.01,
        has_biases=False,
        has_currents=False,
        likes=("euler",),
        resets=("value",),
    ),
    "integers": Style(
        0.001,
        40,
        300,
        has_maps=True,
        weak=0.4,
        has_branches=True,
        has_counts=True,
        pools=("sum", "average"),
        likes=("norse", "sinabs", "spikingjelly", "rockpool", "norse", "snntorch"),
    ),
    "dynapse": Style(
        0.001,
        40,
        260,
        r=8.0,
        rate=0.3,
        has_maps=True,
        weak=0.4,
        has_branches=True,
        pools=("sum", "average"),
        likes=("norse", "norse", "norse", "norse", "spikingjelly", "sinabs"),
        resets=("value", "value", "subtract"),
    ),
}


COUNTS = ("sinabs", "rockpool")
"""Presets whose neurons spike several times in a tick."""


@frozen
class Made:
    """A network, the options of its conversion, and spikes of its input, [ticks, entries]."""

    graph: nir.NIRGraph
    choices: dict[str, str]
    x: np.ndarray


class Drawing:
    def __init__(self, seed: int, style: Style):
        self.rng, self.style = np.random.default_rng([44, seed]), style
        self.nodes: dict[str, nir.NIRNode] = {}
        self.edges: list[tuple[str, str]] = []

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def add(self, name: str, node: nir.NIRNode, *sources: str) -> str:
        self.nodes[name] = node
        self.edges += [(source, name) for source in sources]
        return name

    def weights(self, shape: tuple[int, ...]) -> np.ndarray:
        inputs = int(np.prod(shape[1:]))
        if self.style.grid:
            values = self.style.grid * self.rng.integers(0, 4, shape)
            return np.where(self.rng.random(shape) < 0.15, -self.style.grid, values).astype(np.float32)
        values = self.rng.normal(1.2 / inputs, 1.5 / np.sqrt(inputs), shape)
        if self.style.weak and self.chance(0.5):
            values = np.where(self.rng.random(shape) < self.style.weak, values / 40, values)
        return values.astype(np.float32)

    def dense(self, name: str, source: str, inputs: int, outputs: int) -> str:
        weight = self.weights((outputs, inputs))
        if self.style.has_biases and self.chance(0.5):
            return self.add(name, nir.Affine(weight, self.rng.uniform(0, 0.2, outputs).astype(np.float32)), source)
        return self.add(name, nir.Linear(weight), source)

    def population(self, name: str, shape: tuple[int, ...], *sources: str) -> str:
        one, style = np.ones(shape, np.float32), self.style
        given = {"r": style.r * one, "v_leak": 0 * one, "v_threshold": one, "v_reset": 0 * one}
        if not style.has_leaks:
            return self.add(name, nir.IF(style.r * one, one, 0 * one), *sources)
        if self.style.has_currents and self.chance(0.3):
            node: nir.NIRNode = nir.CubaLIF(tau_syn=0.4 * style.tau * one, tau_mem=style.tau * one, w_in=one, **given)
        else:
            node = nir.LIF(tau=style.tau * one, **given)
        return self.add(name, node, *sources)

    def delay(self, name: str, source: str, shape: tuple[int, ...]) -> str:
        ticks = self.rng.integers(1, self.style.longest + 1, shape)
        ticks.flat[0], ticks.flat[-1] = 1, self.style.longest
        return self.add(name, nir.Delay((ticks * self.style.dt).astype(np.float32)), source)

    def loop(self, population: str, size: int) -> None:
        """Adds a loop from a population to itself, with delays before or after the weights, or both."""
        form, name = str(self.rng.choice(["before", "before", "after", "both"])), f"{population}_loop"
        source = self.delay(f"{name}d", population, (size,)) if form != "after" else population
        source = self.dense(name, source, size, size)
        source = self.delay(f"{name}e", source, (size,)) if form != "before" else source
        self.edges.append((source, population))


def add_map(drawing: Drawing, rng: np.random.Generator) -> tuple[str, int]:
    """Adds a convolution of the input, and a pool. Returns the flat result and its size."""
    pools = drawing.style.pools
    more = len(pools) > 1
    groups, stride = (int(rng.integers(1, 3)), int(rng.integers(1, 3))) if more else (1, 1)
    channels, side = (4 if more else 3), 6 // stride
    weight = rng.normal(0.3, 0.5, (channels, 2 // groups, 3, 3)).astype(np.float32)
    bias = np.zeros(channels, np.float32)
    drawing.add("conv", nir.Conv2d((6, 6), weight, (stride, stride), (1, 1), (1, 1), groups, bias), "input")
    drawing.population("map", (channels, side, side), "conv")
    two, none = np.array([2, 2]), np.array([0, 0])
    kind = nir.AvgPool2d if str(rng.choice(pools)) == "average" else nir.SumPool2d
    drawing.add("pool", kind(two, two, none), "map")
    shape = np.array([channels, side // 2, side // 2])
    drawing.add("flat", nir.Flatten({"input": shape}, 0, -1), "pool")
    return "flat", int(shape.prod())


def structured(seed: int, style: Style) -> Made:
    """Returns the network of a seed."""
    drawing = Drawing(seed, style)
    rng = drawing.rng
    has_map = style.has_maps and drawing.chance(0.2)
    if has_map:
        shape, inputs = (2, 6, 6), 72
        drawing.add("input", nir.Input({"input": np.array(shape)}))
        last, size = add_map(drawing, rng)
    else:
        inputs = size = int(rng.integers(4, 12))
        last = drawing.add("input", nir.Input({"input": np.array([size])}))
    first, given = last, size
    for k in range(int(rng.integers(1, 4))):
        outputs = style.wide if k == 0 and drawing.chance(0.2) else int(rng.integers(3, 16))
        drawing.dense(f"fc{k}", last, size, outputs)
        arriving = [f"fc{k}"]
        if k == 1 and not has_map and drawing.chance(0.5):
            late = drawing.delay("skipd", first, (given,))
            arriving.append(drawing.dense("skip", late, given, outputs))
        last, size = drawing.population(f"pop{k}", (outputs,), *arriving), outputs
        if outputs < 40 and drawing.chance(0.7):
            drawing.loop(last, size)
    drawing.add("output", nir.Output({"output": np.array([size])}), last)
    if style.has_branches and drawing.chance(0.35):
        width = int(rng.integers(2, 9))
        late = drawing.delay("branchd", first, (given,)) if drawing.chance(0.5) else first
        drawing.population("branch", (width,), drawing.dense("branchfc", late, given, width))
        drawing.add("side", nir.Output({"output": np.array([width])}), "branch")
    graph = nir.NIRGraph(drawing.nodes, list(dict.fromkeys(drawing.edges)), type_check=False)
    like = style.likes[seed % len(style.likes)]
    reset = "subtract" if like in COUNTS else style.resets[seed % len(style.resets)]
    dt = f"{round(style.dt * 1e6)}us"
    x: np.ndarray = rng.random((style.ticks, inputs)) < style.rate
    if style.has_counts and like in COUNTS:
        x = x * rng.integers(1, 4, x.shape)
    return Made(graph, {"dt": dt, "like": like, "reset": reset}, x)


def outcome(
    made: Made, target: str, out: Path, interpret: Interpreter, passes: str = "", kinds: Any = POPULATIONS, **more: Any
) -> str:
    """Returns "equal", the code of a refusal, or "different" with the first node of these kinds that differs."""
    more |= {"passes": passes} if passes else {}
    shape = tuple(int(n) for n in made.graph.nodes["input"].input_type["input"])
    x = made.x.reshape(len(made.x), *shape).astype(np.float32)
    more |= {"calib": x[None]} if more.pop("is_calibrated", False) else {}
    try:
        nopt.compile(made.graph, target=target, out=out, diagnostics=Diagnostics(), **made.choices, **more)
    except Refused as refusal:
        return refusal.findings[0].code.id
    names = [name for name, node in made.graph.nodes.items() if isinstance(node, kinds)]
    wanted = nopt.run(out, x, record=names if kinds is POPULATIONS else [], diagnostics=Diagnostics())
    found = interpret(out / "artefact", {"input": made.x.astype(np.int64)})
    total = 0
    for name in names:
        spikes = np.asarray(wanted[name]).reshape(len(wanted[name]), -1)
        ticks = min(len(spikes), len(made.x))
        if not np.array_equal(np.asarray(found[name])[:ticks, : spikes.shape[1]], spikes[:ticks]):
            return f"different: {name}"
        total += int(spikes.sum())
    return "equal" if total else "silent"


def tally(results: list[str]) -> str:
    """Formats the number of each result."""
    return ", ".join(f"{count} {name}" for name, count in sorted(Counter(results).items()))
