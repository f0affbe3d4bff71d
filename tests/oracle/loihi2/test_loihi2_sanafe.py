"""SANA-FE reads the files of an artefact, and its spikes, messages, hops, energy and time are those that nopt computes.

Its soma differs from the chip where u decays: it does not round. `simulate` computes both rules, so the difference is proven for every value.
The cost of nopt uses the mean rate of a population, and takes every neuron as updated. Without idle neurons, all energies differ by less than 5 %.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import frozen
from loihi2_comparison import TOOLS, run_tool
from loihi2_networks import Ranges, draw
from places import EXAMPLES
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.api.conformance.networks import Drawing
from nopt.api.costing.costs import cost_of
from nopt.api.running.run import execute
from nopt.core.device.cost.records import MEANINGS
from nopt.core.device.device import Device, find_device, override_fields
from nopt.core.device.topology import topology_of
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import nir
from nopt.dialects.loihi2 import ChipOp, CompartmentsOp, DenseOp
from nopt.targets.loihi2 import sanafe
from nopt.targets.loihi2.loader import load

DEVICE, BRAILLE = "loihi1", "braille"
TICKS, TICK_NS = 60, 10**6
WITHIN = 0.05
"""The largest relative difference of the energy, apart from that of idle neurons."""
SEEN: dict[Path, set[str]] = {}
"""The kinds of events in each network."""
Values = dict[Any, np.ndarray]
"""Arrays by input or group. Shapes: [ticks, neurons]."""


@frozen
class Plan:
    """A network to generate."""

    kind: str
    seed: int
    family: str = "lif"
    settings: tuple[str, ...] = ()
    pins: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.family}-{self.seed}"


CHIPS = ("topology.cores=48", "topology.chips=6", "topology.mesh.width=2", "topology.mesh.height=1")
CHIPS += ("topology.chip_mesh.width=2", "topology.chip_mesh.height=3")
PLANS = [
    Plan("dense", 0),
    Plan("dense", 1, "if"),
    Plan("dense", 2, "cuba_lif"),
    Plan("dense", 3, settings=("core.neurons=5",)),
    Plan("dense", 4, "if", pins=("first.refractory=3",)),
    Plan("dense", 15, "if", ("core.neurons=2",)),
    Plan("dense", 16, settings=("core.neurons=1", *CHIPS)),
    Plan("sparse", 5),
    Plan("sparse", 6, "if", ("core.neurons=7",)),
    Plan("convolutional", 7),
    Plan("convolutional", 8, "if", ("core.neurons=20",)),
    Plan("recurrent", 9),
    Plan("recurrent", 10, "cuba_lif", ("core.neurons=6",)),
    Plan("delayed", 11),
    Plan("delayed", 12, "if", ("core.neurons=9",)),
    Plan("biased", 13),
    Plan("large", 14, "if", ("core.neurons=2000",)),
]


GAINS = ((2, 2), (4, 4), (1, 1), (1, 0.2), (8, 8), (2, 0.4), (6, 6), (0.5, 0.1))
"""Factors of the weights of the first and the second population, which are tried in turn until a network is active."""


def weights(rng: np.random.Generator, plan: Plan, *shape: int) -> np.ndarray:
    """Returns weights of both signs; most are 0 in a sparse network."""
    drawn = rng.uniform(-0.5, 1.0, shape) / np.sqrt(np.prod(shape[1:]))
    return drawn * (rng.random(shape) < 0.15) * 3 if plan.kind == "sparse" else drawn


def network(rng: np.random.Generator, plan: Plan, gain: tuple[float, float]) -> tuple[ModuleOp, tuple[int, ...]]:
    """Returns a network of two populations, and the shape of its input."""
    shape = (2, 6, 6) if plan.kind == "convolutional" else (int(rng.integers(6, 14)),)
    drawing = Drawing(*shape)
    more = {"bias": rng.uniform(0, 0.1, 20)} if plan.kind == "biased" else {}
    if plan.kind == "convolutional":
        kernel = gain[0] * weights(rng, plan, 3, 2, 3, 3)
        window = {"stride": [1, 1], "padding": [1, 1], "dilation": [1, 1], "groups": 1}
        x = drawing.add(nir.Conv2dOp, "in", drawing.x, weight=kernel, bias=np.zeros(3), **window)
    else:
        size = 1500 if plan.kind == "large" else 20
        x = drawing.linear("in", drawing.x, gain[0] * weights(rng, plan, size, *shape), **more)
    z = drawing.population(plan.family, "first", x, 0.7)
    if plan.kind == "convolutional":
        z = drawing.add(nir.FlattenOp, "flat", z, start_dim=0, end_dim=-1)
    if plan.kind == "delayed":
        z = drawing.add(nir.DelayOp, "late", z, delay=rng.integers(1, 7, 20) / 1000)
    (size,) = z.type.get_shape()
    current = drawing.linear("fc", z, gain[1] * weights(rng, plan, 10, size))
    if plan.kind != "recurrent":
        return drawing.finish(drawing.population(plan.family, "second", current, 0.7)), shape
    recurrent = drawing.linear("rec", current, weights(rng, plan, 10, 10) / 2)
    z = drawing.population(plan.family, "second", drawing.sum(current, recurrent), 0.7)
    recurrent.owner.operands[0] = z
    return drawing.finish(z), shape


# ---- a compiled network


class Case:
    """A compiled network with its input, and the runs of nopt and of SANA-FE."""

    def __init__(self, kind: str, build: Path, x: np.ndarray, device: Device, python: Path):
        self.kind, self.build, self.device, self.ticks = kind, build, device, len(x)
        paths = [file for file in (build / "artefact").rglob("*") if file.is_file()]
        files = {file.relative_to(build / "artefact").as_posix(): file.read_bytes() for file in paths}
        self.module = load(files, Diagnostics())
        self.chip = next(op for op in self.module.ops if isinstance(op, ChipOp))
        self.senders = [*self.chip.inputs, *self.chip.groups]
        self.names = {op: re.sub("[^A-Za-z0-9]", "_", op.node.data) for op in self.senders}
        record = [name for group in self.chip.groups for name in (group.source.data, f"{group.source.data}.v")]
        found = execute(build, x, record=list(dict.fromkeys(record)), diagnostics=Diagnostics()).arrays
        flat = {name: values.reshape(self.ticks, -1) for name, values in found.items()} | {
            "input": x.astype(bool).reshape(self.ticks, -1)
        }
        self.spikes = {op: flat[op.source.data][:, op.index.values] for op in self.senders}
        self.v = {op: flat[f"{op.source.data}.v"][:, op.index.values] for op in self.chip.groups}
        given, result = build / "given.npz", build / "result.npz"
        np.savez(given, **{self.names[op]: self.spikes[op] for op in self.chip.inputs})
        self.theirs = run_tool(python, TOOLS / "loihi_sanafe.py", build / "artefact" / "sanafe", given, result)

    @cached_property
    def chip_rule(self) -> tuple[Values, Values, Values]:
        return simulate(self, rounds=True)

    @cached_property
    def tool_rule(self) -> tuple[Values, Values, Values]:
        return simulate(self, rounds=False)

    @property
    def has_filter(self) -> bool:
        return any((group.parameters()["du"] != 4095).any() for group in self.chip.groups)

    def sent(self, op: Any) -> Iterator[tuple[int, np.ndarray]]:
        """Yields each core that an input or a group sends to, with the neurons that do."""
        if (axons := op.output_axons) is not None:
            for core in np.unique(axons.core.values).tolist():
                yield core, np.unique(axons.neuron.values[axons.core.values == core])

    def arrivals(self, core: int, spikes: Values) -> np.ndarray:
        """Returns the spikes on the input axons of a core in the tick in which they are sent. Shapes: [ticks, axons]."""
        found = np.zeros((self.ticks, self.chip.cores[core].axons.value.data), bool)
        for op in self.senders:
            if (axons := op.output_axons) is not None:
                own = axons.core.values == core
                found[:, axons.axon.values[own]] |= spikes[op][:, axons.neuron.values[own]]
        return found

    def place(self, op: Any) -> int:
        """Returns the core of a group, or that at which an input enters."""
        if isinstance(op, CompartmentsOp):
            return next(core for core, one in self.chip.cores.items() if op in one.groups)
        return op.at.value.data

    def links(self, op: Any, core: int) -> tuple[int, int]:
        """Returns the links along x and y from an input or a group to a core."""
        topology = topology_of(self.device)
        trees = topology.trees(np.array([self.place(op)]), np.array([0, 1]), np.array([core]))
        along_y = int(topology.is_along_y(trees.tail, trees.head).sum())
        return len(trees.tail) - along_y, along_y


def make_case(plan: Plan, python: Path, folder: Path) -> Case:
    """Compiles a network in which every population is active in 1 to 50 % of ticks, and runs it."""
    for attempt, gain in enumerate(GAINS):
        rng = np.random.default_rng([plan.seed, attempt])
        module, shape = network(rng, plan, gain)
        x, build = rng.random((TICKS, *shape)) < 0.3, folder / f"build{attempt}"
        options = {"set": list(plan.settings), "pin": list(plan.pins), "diagnostics": Diagnostics()}
        nopt.compile(
            module,
            out=build,
            target=f"loihi2/{DEVICE}",
            dt="1ms",
            like="norse",
            reset="value",
            calib=x[None],
            **options,
        )
        found = execute(build, x, record=["first", "second"], diagnostics=Diagnostics()).arrays
        if all(0.01 <= found[name].mean() <= 0.5 for name in ("first", "second")):
            return Case(plan.kind, build, x, override_fields(find_device("loihi2", DEVICE), plan.settings), python)
    pytest.fail(f"no active network: {plan}")


def make_braille(folder: Path, python: Path, out: Path) -> Case:
    """Compiles the trained network that classifies letters in Braille, and runs its sample."""
    net, sample = folder / "braille_noDelay_bias_zero.nir", folder / "input_sample0.npy"
    options: dict[str, Any] = {"dt": "0.1ms", "like": "snntorch", "reset": "zero", "diagnostics": Diagnostics()}
    nopt.compile(net, out=out / "build", target=f"loihi2/{DEVICE}", calib=sample, **options)
    return Case(BRAILLE, out / "build", np.load(sample), find_device("loihi2", DEVICE), python)


def make_drawn(number: int, python: Path, out: Path) -> Case:
    """Compiles a network, draws its registers over their ranges, and writes the files for SANA-FE anew."""
    made = draw(number, out, Ranges(refractory=63, delay=sanafe.LONGEST_DELAY))
    folder, device = made.build / "artefact", find_device("loihi2", DEVICE)
    module = load(
        {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.*")}, Diagnostics()
    )
    files, reason = sanafe.files_of(next(op for op in module.ops if isinstance(op, ChipOp)), device)
    assert reason is None
    (folder / "sanafe").mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_bytes(text)
    with np.load(made.inputs) as found:
        return Case("drawn", made.build, found["input"], device, python)


# ---- what SANA-FE computes, computed again


def simulate(case: Case, *, rounds: bool) -> tuple[Values, Values, Values]:
    """Returns spikes and v / 64 of each group, and which neurons are updated, by the rule of the chip or that of SANA-FE.

    SANA-FE does not round u, and adds no events to it in a refractory period.
    """
    spikes = {op: np.zeros_like(case.spikes[op]) for op in case.senders}
    spikes |= {op: case.spikes[op] for op in case.chip.inputs}
    v: Values = {group: np.zeros((case.ticks, group.size)) for group in case.chip.groups}
    updated: Values = {group: np.zeros((case.ticks, group.size), bool) for group in case.chip.groups}
    u, wait = ({group: np.zeros(group.size) for group in case.chip.groups} for _ in range(2))
    for tick in range(case.ticks):
        for group in case.chip.groups:
            held = {name: values.astype(np.int64) for name, values in group.parameters().items()}
            arriving, total = case.arrivals(case.place(group), spikes), np.zeros(group.size)
            reached = np.zeros(group.size, bool)
            for table, one in zip(group.tables, group.entries(), strict=True):
                then = tick - one.delay
                active = (then >= 0) & arriving[then, one.axon]
                total += np.bincount(one.neuron, active * np.ldexp(one.weight, table.weight_exp.value.data), group.size)
                axon, neuron, delay = read_entries(table, one)
                then = tick - delay
                reached[neuron[(then >= 0) & arriving[then, axon]]] = True
            before = v[group][tick - 1] if tick else np.zeros(group.size)
            bias = (held["bias"] << np.maximum(held["e"], 0) >> np.maximum(-held["e"], 0)) / 64
            kept = u[group] * (4095 - held["du"]) / 4096
            if rounds:
                kept = np.trunc(kept * 64) / 64
            else:
                total = np.where(wait[group] > 0, 0, total)
            u[group] = kept + total
            now = np.trunc(before * 64 * (4096 - held["dv"]) / 4096) / 64 + u[group] + bias
            now = np.where(wait[group] > 0, 0, np.maximum(now, -(2**23 - 1) / 64))
            fired = now > held["vth"]
            wait[group] = np.where(fired, held["refractory"] - 1, np.maximum(wait[group] - 1, 0))
            spikes[group][tick], v[group][tick] = fired, np.where(fired, 0, now)
            updated[group][tick] = (before != 0) | reached | (bias != 0) | fired
    return spikes, v, updated


def read_entries(table: Any, one: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns axon, neuron and delay of each stored entry: a dense table also stores zeros."""
    if not isinstance(table, DenseOp):
        return one.axon, one.neuron, one.delay
    row, neuron = (axis.reshape(-1) for axis in np.indices(table.weight.shape))
    delay = 1 + np.broadcast_to(table.delay.values, table.weight.shape).reshape(-1)
    return table.axons.values[row], neuron, delay


def count_events(case: Case, spikes: Values) -> Values:
    """Returns the events of each tick, by the name of their coefficient."""
    found: Values = {}

    def add(name: str, counts: Any) -> None:
        found[name] = found.get(name, np.zeros(case.ticks)) + counts

    for group in case.chip.groups:
        add("access", group.size)
        add("update", case.tool_rule[2][group].sum(axis=1))
        add("fire", spikes[group].sum(axis=1))
        arriving = case.arrivals(case.place(group), spikes)
        for table, one in zip(group.tables, group.entries(), strict=True):
            add(f"synapse_{sanafe.layout_of(group)}", arriving[:, read_entries(table, one)[0]].sum(axis=1))
    for op in case.senders:
        for core, neurons in case.sent(op):
            events = spikes[op][:, neurons].sum(axis=1)
            add("axon_out", events)
            for name, links in zip(("hop_x", "hop_y"), case.links(op, core), strict=True):
                add(name, events * links)
    return found


def work_of(case: Case, spikes: Values) -> dict[tuple[Any, str], np.ndarray]:
    """Returns the time of each tick that each core, or an input, takes for its neurons and for its messages [ns]."""
    work: dict[tuple[Any, str], np.ndarray] = {}

    def add(at: Any, kind: str, name: str, counts: Any) -> None:
        time = work.setdefault((at, kind), np.zeros(case.ticks))
        time += counts * (case.device.number(f"cost.latency.{name}") or 0)

    for group in case.chip.groups:
        at = case.place(group)
        add(at, "neurons", "access", group.size)
        add(at, "neurons", "update", case.tool_rule[2][group].sum(axis=1))
        add(at, "neurons", "fire", spikes[group].sum(axis=1))
        arriving = case.arrivals(at, spikes)
        for table, one in zip(group.tables, group.entries(), strict=True):
            reads = arriving[:, read_entries(table, one)[0]].sum(axis=1)
            add(at, "messages", f"synapse_{sanafe.layout_of(group)}", reads)
    for op in case.senders:
        for core, neurons in case.sent(op):
            events = spikes[op][:, neurons].sum(axis=1)
            add(case.place(op) if isinstance(op, CompartmentsOp) else op, "neurons", "axon_out", events)
            add(core, "messages", "axon_in", events)
    return work


def barrier_of(case: Case) -> float:
    """Returns the time of the barrier [ns]."""
    topology, cost = topology_of(case.device), case.device.cost
    assert cost is not None
    assert cost.latency is not None
    barriers, used = cost.latency.barrier, len({topology.router(case.place(op)) for op in case.senders})
    name = max((name for name in barriers if barriers[name].routers <= used), key=lambda one: barriers[one].routers)
    barrier = case.device.number(f"cost.latency.barrier.{name}.time")
    assert barrier is not None
    return barrier


def measured_mapping(case: Case, spikes: Values) -> dict[str, Any]:
    """Returns the mapping with the rates of these spikes."""
    made = json.loads((case.build / "mapping.json").read_text())
    sizes = {one["node"]: int(np.prod(one["shape"])) for one in made["populations"]}
    rates = dict.fromkeys(sizes, 0.0)
    for op in case.senders:
        rates[op.source.data] += float(spikes[op].sum()) / case.ticks / sizes[op.source.data]
    source = {one["id"]: one["node"] for one in made["vertices"]}
    for one in made["populations"]:
        one["rate"] = rates[one["node"]]
    for name, count in (("edges", "axons"), ("deliveries", "neurons")):
        for one in made[name]:
            one["activity"] = one[count] * rates[source[one["source"]]]
    return made


# ---- tests


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "number" in metafunc.fixturenames:
        metafunc.parametrize("number", range(-(-metafunc.config.getoption("--count") // 4)))


@pytest.fixture(scope="module")
def python(python_of: Callable[[str], Path]) -> Path:
    return python_of("sanafe")


@pytest.fixture(scope="module", params=[*PLANS, BRAILLE], ids=lambda one: getattr(one, "name", one))
def case(request: pytest.FixtureRequest, python: Path, shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Case:
    if request.param == BRAILLE:
        return make_braille(shared / "samples" / "nir_paper" / "braille", python, tmp_path_factory.mktemp(BRAILLE))
    return make_case(request.param, python, tmp_path_factory.mktemp(request.param.kind))


def test_our_rule_is_that_of_the_chip(case: Case) -> None:
    spikes, v, _ = case.chip_rule
    for group in case.chip.groups:
        assert np.array_equal(spikes[group], case.spikes[group])
        assert np.array_equal(v[group] * 64, case.v[group])


def test_spikes_and_potentials_are_equal(case: Case) -> None:
    """Without a filter they are those of the chip, and with one those of the same rule without rounding u."""
    spikes, v, _ = case.tool_rule
    for group in case.chip.groups:
        name = case.names[group]
        assert np.array_equal(case.theirs[name], spikes[group]), name
        assert np.allclose(case.theirs[f"{name}.v"], v[group], rtol=0, atol=1e-9), name
        if not case.has_filter:
            assert np.array_equal(case.theirs[name], case.spikes[group]), name
            assert np.array_equal(case.theirs[f"{name}.v"] * 64, case.v[group]), name
    stated = "# differs from the chip: u of" in (case.build / "artefact" / sanafe.NETWORK).read_text()
    assert stated == case.has_filter


def test_spikes_and_potentials_of_all_registers_are_equal(number: int, python: Path, tmp_path: Path) -> None:
    """The file names the rules of SANA-FE that differ from those of the chip, wherever its spikes or v do."""
    case = make_drawn(number, python, tmp_path)
    spikes, v, _ = case.tool_rule
    text = (case.build / "artefact" / sanafe.NETWORK).read_text(encoding="utf-8")
    for group in case.chip.groups:
        name = case.names[group]
        assert np.array_equal(case.theirs[name], spikes[group]), name
        assert np.allclose(case.theirs[f"{name}.v"], v[group], rtol=1e-12, atol=1e-9), name
        if "# differs from the chip" not in text:
            assert np.array_equal(case.theirs[f"{name}.v"] * 64, case.v[group]), name


def test_messages_hops_energy_and_time_are_equal(case: Case) -> None:
    spikes = case.tool_rule[0]
    events = count_events(case, spikes)
    SEEN[case.build] = {name for name, counts in events.items() if counts.any()}
    assert events["axon_out"].sum() == case.theirs["messages"]
    assert np.array_equal(events["hop_x"] + events["hop_y"], case.theirs["tick.hops"])
    parts = {
        "synapse": ["synapse_dense", "synapse_sparse"],
        "soma": ["access", "update", "fire"],
        "network": ["axon_out", "hop_x", "hop_y"],
    }
    for part, names in parts.items():
        energy = sum(
            events[name] * (case.device.number(f"cost.energy.{name}") or 0) for name in names if name in events
        )
        assert case.theirs[f"tick.{part}_energy"] == pytest.approx(energy * 1e-12, rel=1e-9), part
    times = np.max([*work_of(case, spikes).values()], axis=0) + barrier_of(case)  # the mode `simple`
    assert case.theirs["tick.sim_time"] == pytest.approx(times * 1e-9, rel=1e-9)


def energy_of_events(cost: dict[str, Any]) -> float:
    """Returns the energy of a tick without that of an idle chip, which SANA-FE does not have."""
    return float(sum(term["value"] for term in cost["energy"]["terms"] if term["name"] != "idle"))


def test_the_cost_differs_by_less_than_five_percent(case: Case) -> None:
    """Neurons that are idle are left out of SANA-FE's updates; mean rates make the other differences."""
    spikes = case.tool_rule[0]
    cost = cost_of(case.device, measured_mapping(case, spikes), TICK_NS)
    assert cost is not None
    events = {name: float(counts.sum()) / case.ticks for name, counts in count_events(case, spikes).items()}
    counted = {term["name"]: term["count"] for term in cost["energy"]["terms"]}
    theirs = float(case.theirs["energy.total"]) / case.ticks * 1e12
    idle = (counted["update"] - events["update"]) * (case.device.number("cost.energy.update") or 0)
    found = energy_of_events(cost)
    print(f"{found:.0f} pJ, SANA-FE {theirs:.0f} pJ, of that {idle:.0f} pJ for idle neurons")
    assert {name: counted[name] for name in ("access", "fire")} == pytest.approx(
        {name: events[name] for name in ("access", "fire")}
    )
    assert 0 <= counted["update"] - events["update"] <= counted["update"]
    assert found - idle == pytest.approx(theirs, rel=WITHIN)
    if case.kind != "sparse":
        assert found == pytest.approx(theirs, rel=WITHIN)
    assert cost["energy"]["unknown"] == []
    # A core works in sequence, which takes at most twice as long as its neurons and its messages simultaneously.
    work = max(time.mean() for (at, _), time in work_of(case, spikes).items() if isinstance(at, int))
    barrier = barrier_of(case)
    print(f"{cost['latency']['value']:.0f} ns, SANA-FE {case.theirs['tick.sim_time'].mean() * 1e9:.0f} ns")
    assert (work + barrier) * (1 - WITHIN) <= cost["latency"]["value"] <= (2 * work + barrier) * (1 + WITHIN)


def test_the_networks_have_every_kind_of_event(python: Path) -> None:
    if len(SEEN) <= len(PLANS):
        pytest.skip(f"{len(SEEN)} networks; {len(PLANS) + 1} are needed")
    wanted = {"access", "update", "fire", "axon_out", "hop_x", "hop_y", "synapse_dense", "synapse_sparse"}
    assert wanted == set().union(*SEEN.values())


def test_the_coefficients_are_those_of_the_tool(python: Path) -> None:
    """A note has the form FIELD, FIELD and FIELD, or FIELD of UNIT: the fields of SANA-FE's own description of Loihi 1."""
    (file,) = python.parent.parent.glob("lib/*/site-packages/sanafe/examples/loihi.yaml")
    text, device = file.read_text(encoding="utf-8"), find_device("loihi2", DEVICE)
    count = 0
    for section, exponent in (("energy", 12), ("latency", 9)):
        for name in (one for one in MEANINGS if getattr(device.entry(f"cost.{section}"), one, None) is not None):
            fact, value = device.quantity(f"cost.{section}.{name}"), device.number(f"cost.{section}.{name}")
            assert fact is not None
            fields, _, unit = (fact.note or "").partition(" of ")
            part = text.split(f"- name: {unit}", 1)[-1].split("- name:", 1)[0] if unit else text
            for field in fields.split(" and "):
                assert value == pytest.approx(float(number_of(rf"\b{field}: ([0-9.e-]+)", part)) * 10**exponent), field
                count += 1
    assert count == 24  # the fields of that file which have a value: 12 of each section
    entries = [entry.split(":") for entry in number_of(r"(?m)^ *latency_sync: \{(.*)\}", text).split(",")]
    assert device.cost is not None
    assert device.cost.latency is not None
    barriers = device.cost.latency.barrier
    assert {one.routers: device.number(f"cost.latency.barrier.{name}.time") for name, one in barriers.items()} == {
        int(routers): pytest.approx(float(time) * 1e9) for routers, time in entries
    }


def number_of(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found, pattern
    return found[1]


@pytest.mark.parametrize("settings", [[], ["core.neurons=40"]])
def test_the_report_of_a_trained_network(settings: list[str], python: Path, tmp_path: Path, encoded: Any) -> None:
    """The energy of an inference in the report, by the rates of the calibration, is that of SANA-FE for the same samples."""
    x, _ = encoded("fc")
    samples = np.load(x)[:5]
    np.save(tmp_path / "x.npy", samples)
    build, name = tmp_path / "build", f"loihi2/{DEVICE}"
    options: dict[str, Any] = {"dt": "1ms", "like": "norse", "set": settings, "diagnostics": Diagnostics()}
    report = nopt.compile(
        EXAMPLES / "digits" / "fc.nir", out=build, target=name, calib=tmp_path / "x.npy", **options
    ).report
    chosen = override_fields(find_device("loihi2", DEVICE), settings)
    cases = [Case("digits", build, sample, chosen, python) for sample in samples]
    for case in cases:
        for group in case.chip.groups:
            assert np.array_equal(case.theirs[case.names[group]], case.spikes[group])
    theirs = float(np.mean([case.theirs["energy.total"] for case in cases])) * 1e12
    cost = report["cost"]
    found = energy_of_events(cost) * cost["sample"]["ticks"]
    print(f"{found:.0f} pJ, SANA-FE {theirs:.0f} pJ")
    assert {*cost["assumed"]} <= {"clock"}  # it fires in every tick, as assumed
    assert found == pytest.approx(theirs, rel=WITHIN)
    assert {term["confidence"] for part in ("energy", "latency") for term in cost[part]["terms"]} == {"secondary"}
