"""Random networks on Loihi for the comparison with other tools: compiled by nopt, and registers of the artefact drawn anew.

    case = draw(17, folder)
    case.build, case.inputs, case.facts

A network is dense, sparse, convolutional with a sum pool, recurrent or delayed. It is compiled for a device with weights of 1 to 8 bits, on
several cores in a third of the cases. In every second network, the registers of the artefact are then drawn anew over their ranges: decays,
thresholds, biases, states before the first tick, weights, exponents, sign modes and delays. So sums round, neurons of a group differ, two
neurons have several synapses, and u wraps. `facts` names what occurs in a network. `Ranges` excludes what a tool lacks; then the registers
of every network are drawn anew.

A network counts if every population is active in 1 to 50 % of ticks; otherwise thresholds are changed, or it is drawn again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from typing import Any

import numpy as np
from attrs import frozen
from comparison import call
from places import ROOT
from xdsl.dialects.builtin import ModuleOp, f64

from nopt.api.conformance.networks import Drawing
from nopt.core.ir.context import NoptContext
from nopt.core.ir.operation import shape_of
from nopt.core.ir.source import format_module
from nopt.core.neuron.neuron import check_neuron, parse_neurons
from nopt.dialects import nir
from nopt.dialects.equations.build import build_update

NEURONS = ROOT / "passes" / "legalize" / "neurons" / "loihi.neuron"
DEVICES = ("oheo_gulch", "loihi1")
KINDS = ("dense", "sparse", "convolutional", "recurrent", "delayed")
TICKS, RATE = 80, 0.25
ACTIVE = (0.01, 0.5)
TRIES, ADJUSTMENTS = 40, 5
SUM = 2**17 - 1
"""The largest sum of weights, of the input of the neuron."""
RANGES = {"mixed": (-256, 254), "excitatory": (0, 255), "inhibitory": (-255, 0)}
OTHER_RULE = "error[LEG020]"
OVERFLOW = frozenset(["u wraps", "v at its bounds"])
CLOCK = "clock"
"""The population that fires in every tick."""


@frozen
class Ranges:
    """Ranges from which registers are drawn."""

    refractory: int = 1
    """The longest refractory period [ticks]."""
    delay: int | None = None
    """The largest register of a delay; by default that of the device."""
    has_biases: bool = True
    has_states: bool = True
    """Whether states before the first tick differ from 0."""
    has_rounding: bool = True
    """Whether sums can round."""
    has_overflow: bool = True
    """Whether u can wrap, and v can reach its bounds."""
    update: str = "loihi"
    """The update of the compartments; `loihi_nengo` has bounds of v among its registers."""


ANY = Ranges()


@frozen
class Case:
    """A compiled network, and an input in a file."""

    number: int
    device: str
    build: Path
    inputs: Path
    facts: frozenset[str]

    @property
    def record(self) -> dict[str, Any]:
        """Returns `network.json`."""
        return read_record(self.build)

    @property
    def names(self) -> list[str]:
        """Returns every population with its current and potential."""
        populations = {group["source"]: group["initial"] for _, group in groups_of(self.record)}
        return [
            name + suffix
            for name, states in populations.items()
            for suffix in ("", ".i", ".v")
            if suffix[1:] in ("", *states)
        ]

    def run(self, out: Path) -> dict[str, np.ndarray]:
        """Returns what the model of the chip computes."""
        words = ["run", self.build, "--input", self.inputs, "--record", ",".join(self.names), "-o", out]
        code, _, errors = call(*words)
        assert not code, errors
        with np.load(out) as found:
            return {name: found[name] for name in found.files}


def read_record(build: Path) -> dict[str, Any]:
    return json.loads((build / "artefact" / "network.json").read_text(encoding="utf-8"))


def groups_of(record: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yields each group of compartments with its core."""
    for core in cores_of(record):
        for group in ops_in(core, "compartments"):
            yield core, group


def cores_of(record: dict[str, Any]) -> list[dict[str, Any]]:
    return ops_in(record["chip"], "neuro_core")


def tables_of(group: dict[str, Any]) -> list[dict[str, Any]]:
    return ops_in(group, "dense", "sparse")


def ops_in(op: dict[str, Any], *kinds: str) -> list[dict[str, Any]]:
    """Returns the ops of some kinds in the body of an op."""
    return [inner for inner in op["body"] if inner["op"].partition(".")[2] in kinds]


def array_of(build: Path, record: dict[str, Any]) -> np.ndarray:
    if "file" in record:
        return np.load(build / "artefact" / record["file"])
    return np.array(record["values"], np.int64).reshape(record["shape"])


def array_json(values: Any, kind: str = "i64") -> dict[str, Any]:
    held = np.asarray(values)
    return {"type": kind, "shape": list(held.shape), "values": held.reshape(-1).tolist()}


# ---- networks in continuous time


def population(drawing: Drawing, rng: np.random.Generator, node: str, x: Any) -> Any:
    family = str(rng.choice(["if", "lif", "cuba_lif"]))
    kind = {"if": nir.IFOp, "lif": nir.LIFOp, "cuba_lif": nir.CubaLIFOp}[family]
    values = {"r": 1.0, "v_threshold": float(rng.choice([0.5, 1.0, 2.0])), "v_reset": 0.0}
    if family != "if":
        values["v_leak"] = 0.0
    if family == "lif":
        values["tau"] = float(rng.uniform(0.002, 0.02))
    if family == "cuba_lif":
        values |= {"tau_mem": float(rng.uniform(0.002, 0.01)), "tau_syn": float(rng.uniform(0.002, 0.004)), "w_in": 1.0}
    return drawing.add(kind, node, x, **{name: np.full(shape_of(x), value) for name, value in values.items()})


def weights(rng: np.random.Generator, kind: str, gain: float, *shape: int) -> np.ndarray:
    """Returns weights of one sign or of both; many are 0 in a sparse network."""
    sign = rng.choice(["mixed", "mixed", "positive"])
    drawn = rng.uniform(-0.7 if sign == "mixed" else 0.05, 1.0, shape) * gain / np.sqrt(np.prod(shape[1:]))
    return drawn * (rng.random(shape) < 0.15) * 2 if kind == "sparse" else drawn


def bias(rng: np.random.Generator, size: int) -> dict[str, Any]:
    return {"bias": rng.normal(0, 0.1, size)} if rng.random() < 0.5 else {}


def late(drawing: Drawing, rng: np.random.Generator, node: str, x: Any) -> Any:
    """Adds delays of 1 to 62 ticks, a delay for each neuron or one for all."""
    size = shape_of(x) if rng.random() < 0.7 else ()
    ticks = np.broadcast_to(rng.integers(1, 63, size), shape_of(x))
    return drawing.add(nir.DelayOp, node, x, delay=ticks / 1000)


def network(rng: np.random.Generator, kind: str, gain: float) -> tuple[Any, tuple[int, ...]]:
    """Returns a network of two or three populations, and the shape of its input."""
    side = int(rng.integers(5, 8))
    shape = (int(rng.integers(1, 3)), side, side) if kind == "convolutional" else (int(rng.integers(4, 16)),)
    drawing = Drawing(*shape)
    x = drawing.x
    if kind == "delayed":
        x = late(drawing, rng, "first_late", x)
    if kind == "convolutional":
        features, kernel = int(rng.integers(1, 4)), int(rng.integers(2, 4))
        x = drawing.add(
            nir.Conv2dOp,
            "conv",
            x,
            weight=weights(rng, kind, gain, features, shape[0], kernel, kernel),
            stride=[int(rng.integers(1, 3))] * 2,
            padding=[int(rng.integers(0, 2))] * 2,
            dilation=[1, 1],
            groups=1,
            **({"bias": np.zeros(features)} | bias(rng, features)),
        )
        z = population(drawing, rng, "first", x)
        z = drawing.add(nir.SumPool2dOp, "pool", z, kernel_size=[2, 2], stride=[2, 2], padding=[0, 0])
        z = drawing.add(nir.FlattenOp, "flat", z, start_dim=0, end_dim=-1)
    else:
        size = int(rng.integers(8, 24))
        z = population(
            drawing,
            rng,
            "first",
            drawing.linear("in", x, weights(rng, kind, gain, size, *shape_of(x)), **bias(rng, size)),
        )
    if kind == "delayed":
        z = late(drawing, rng, "second_late", z)
    hidden = int(rng.integers(4, 16))
    current = drawing.linear("fc", z, weights(rng, kind, gain, hidden, *shape_of(z)), **bias(rng, hidden))
    if kind != "recurrent":
        return drawing.finish(population(drawing, rng, "second", current)), shape
    recurrent = drawing.linear("rec", current, weights(rng, kind, gain / 2, hidden, hidden))
    z = population(drawing, rng, "second", drawing.sum(current, recurrent))
    recurrent.owner.operands[0] = z
    return drawing.finish(z), shape


# ---- registers


def update_text(name: str) -> str:
    """Returns an update of the neurons of Loihi as a module."""
    neurons = parse_neurons(NEURONS.read_text(encoding="utf-8"), NEURONS.name).neurons
    neuron = next(one for one in neurons if one.name == name)
    check_neuron(neuron)
    return format_module(NoptContext(), ModuleOp([build_update(neuron, options={}, precision=f64)]))


class Registers:
    """The registers of one artefact, which are drawn anew."""

    def __init__(self, rng: np.random.Generator, build: Path, device: str, ranges: Ranges):
        self.rng, self.build, self.record, self.ranges = rng, build, read_record(build), ranges
        self.bits = [bits for bits in range(1, 9) if device != "loihi1" or bits != 7]
        self.longest = (62 if device == "loihi1" else 63) if ranges.delay is None else ranges.delay

    def draw(self) -> None:
        for core in cores_of(self.record):
            self.configurations(core)
        tables = [(group, table) for _, group in groups_of(self.record) for table in tables_of(group)]
        for projection in dict.fromkeys(table["node"] for _, table in tables):
            self.synapses([(group, table) for group, table in tables if table["node"] == projection])
        for _, group in groups_of(self.record):
            self.exponents(group)
            if self.ranges.update != "loihi":
                self.replace_update(group)
        if self.ranges.update != "loihi":
            (self.build / "artefact" / "updates.mlir").write_text(update_text(self.ranges.update), encoding="utf-8")

    def replace_update(self, group: dict[str, Any]) -> None:
        """Replaces the registers of a group by those of `loihi_nengo`."""
        size, held = array_of(self.build, group["index"]).size, group["registers"]
        bias, e = (array_of(self.build, held[name]).astype(np.int64) for name in ("bias", "e"))
        ends = {name: 2 ** self.rng.integers(14, 24, size) - 1 for name in ("low", "high")}
        group["registers"] = {
            "bias": array_json((bias << np.maximum(e, 0)) >> np.maximum(-e, 0)),
            "low": array_json(-ends["low"]),
            "high": array_json(ends["high"]),
        }
        group["update"] = self.ranges.update

    def write(self) -> None:
        (self.build / "artefact" / "network.json").write_text(json.dumps(self.record), encoding="utf-8")

    def configurations(self, core: dict[str, Any]) -> None:
        """Draws the configurations of a core, and which of them each compartment has."""
        rng = self.rng
        used = {"profile": int(rng.integers(1, 4)), "threshold": int(rng.integers(1, 4))}
        decays = [rng.choice([4095, 0, 4096 // 3, *rng.integers(0, 4096, 3)], used["profile"]) for _ in range(2)]
        core["profiles"] |= {name: array_json(values) for name, values in zip(("du", "dv"), decays, strict=True)}
        core["profiles"]["refractory"] = array_json(rng.integers(1, 1 + self.ranges.refractory, used["profile"]))
        core["thresholds"]["vth"] = array_json(rng.integers(1, 2**17, used["threshold"]))
        for group in ops_in(core, "compartments"):
            size = array_of(self.build, group["index"]).size
            for which, count in used.items():
                group[which] = array_json(rng.integers(0, count, size if rng.random() < 0.5 else ()), "i32")
            biases = rng.integers(-4096, 4096, size) * (rng.random(size) < 0.5)
            group["registers"]["bias"] = array_json(biases if self.ranges.has_biases else 0)
            group["registers"]["e"] = array_json(rng.integers(-3, 5, size))
            if self.ranges.has_states:
                group["initial"]["i"] = array_json(rng.integers(-(2**20), 2**20, size))
                group["initial"]["v"] = array_json(rng.integers(-(2**20), 2**20, size))

    def synapses(self, tables: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
        """Draws the weights and delays of a projection, with the same registers in each of its tables."""
        rng = self.rng
        bits, sign = int(rng.choice(self.bits)), str(rng.choice([*RANGES]))
        has_delays, has_twins = self.longest and rng.random() < 0.4, rng.random() < 0.7
        for _, table in tables:
            step = 1 << (8 - bits + (sign == "mixed"))
            low, high = -(-RANGES[sign][0] // step), RANGES[sign][1] // step
            shape = array_of(self.build, table["weight"]).shape
            if table["op"] == "loihi2.sparse" and shape[0] and has_twins:
                shape = self.add_twins(table)
            table["weight"] = array_json(rng.integers(low, high, shape, endpoint=True) * step, "i16")
            delay = rng.integers(0, 1 + min(self.longest, rng.choice([2, 63])), shape if rng.random() < 0.6 else ())
            table["delay"] = array_json(delay if has_delays else 0, "i32")
            table |= {"format": f"{table['op'].partition('.')[2]}{bits}", "num_weight_bits": bits, "sign_mode": sign}

    def add_twins(self, table: dict[str, Any]) -> tuple[int, ...]:
        """Adds synapses between neurons that have one, and returns the number of all."""
        pairs = np.stack([array_of(self.build, table[name]) for name in ("axon", "compartment")])
        count = pairs.shape[1]
        pairs = np.concatenate([pairs, pairs[:, self.rng.integers(0, count, 1 + count // 3)]], axis=1)
        pairs = pairs[:, np.lexsort(pairs[::-1])]
        table["axon"], table["compartment"] = (array_json(one, "i32") for one in pairs)
        return (pairs.shape[1],)

    def exponents(self, group: dict[str, Any]) -> None:
        """Draws exponents with which no sum of the group has more than 18 bits."""
        size = array_of(self.build, group["index"]).size
        limit = (SUM if self.ranges.has_overflow else SUM // 64) // max(len(tables_of(group)), 1)
        for table in tables_of(group):
            weight = np.abs(array_of(self.build, table["weight"]))
            sums = weight.sum(0) if table["op"] == "loihi2.dense" else self.sums(table, weight, size)
            lost = 8 - table["num_weight_bits"] + (table["sign_mode"] == "mixed")
            most = min(int(np.floor(np.log2(limit / max(np.max(sums, initial=0), 1)))), 7 - lost)
            least = max(-8 if self.ranges.has_rounding else -lost, most - 12)
            drawn = most if self.rng.random() < 0.5 else int(self.rng.integers(min(least, most), most + 1))
            table["weight_exp"] = max(drawn, least)

    def sums(self, table: dict[str, Any], weight: np.ndarray, size: int) -> np.ndarray:
        return np.bincount(array_of(self.build, table["compartment"]), weight, size)

    def adjust(self, found: dict[str, np.ndarray]) -> None:
        """Moves each threshold to where about a tenth of its compartments fire."""
        for core in cores_of(self.record):
            thresholds = np.array(core["thresholds"]["vth"]["values"])
            peaks: list[list[int]] = [[] for _ in thresholds]
            rates: list[list[float]] = [[] for _ in thresholds]
            for group in ops_in(core, "compartments"):
                index = array_of(self.build, group["index"]).astype(int)
                which = np.broadcast_to(array_of(self.build, group["threshold"]), index.shape)
                v = found[f"{group['source']}.v"].reshape(TICKS, -1)[:, index]
                z = found[group["source"]].reshape(TICKS, -1)[:, index]
                for k in range(len(thresholds)):
                    peaks[k] += v[:, which == k].reshape(-1).tolist()
                    rates[k] += z[:, which == k].reshape(-1).tolist()
            for k, values in enumerate(peaks):
                rate = float(np.mean(rates[k])) if values else ACTIVE[0]
                if rate < ACTIVE[0]:
                    thresholds[k] = np.clip(int(np.quantile(values, 0.9)) >> 6, 1, 2**17 - 1)
                elif rate > ACTIVE[1] / 2:
                    thresholds[k] = min(2 * thresholds[k] + 1, 2**17 - 1)
            core["thresholds"]["vth"] = array_json(thresholds)


# ---- cases


def draw(number: int, folder: Path, ranges: Ranges = ANY) -> Case:
    """Returns the first network of a number in which every population is active."""
    device, kind = DEVICES[number % 2], KINDS[number // 2 % 5]
    bits = 1 + number // 10 % 8
    for attempt in range(TRIES):
        rng = np.random.default_rng([number, attempt])
        case = compile_network(rng, number, device, kind, bits, folder, ranges)
        if case is not None:
            return case
    raise AssertionError(f"network {number} is silent or saturated in {TRIES} forms")


def compile_network(
    rng: np.random.Generator, number: int, device: str, kind: str, bits: int, folder: Path, ranges: Ranges
) -> Case | None:
    """Returns one network with its input; None if it is not active."""
    module, shape = network(rng, kind, float(rng.uniform(2, 8)))
    file, build, inputs = folder / f"{number}.mlir", folder / f"{number}", folder / f"{number}.npz"
    file.write_text(format_module(NoptContext(), module), encoding="utf-8")
    np.savez(inputs, input=rng.random((TICKS, *shape)) < RATE)
    rmtree(build, ignore_errors=True)
    words = [
        "--target",
        f"loihi2/{device}",
        "--dt",
        "1ms",
        "--like",
        "snntorch",
        "--reset",
        "zero",
        "--weight-bits",
        bits,
        "-o",
        build,
    ]
    few = ["--set", f"core.neurons={int(rng.integers(5, 20))}"] if rng.random() < 0.35 else []
    code, _, errors = call("compile", file, *words, *few)
    if OTHER_RULE in errors:
        return None  # rounded decays change the rule too much
    assert not code, errors
    case = Case(number, device, build, inputs, frozenset())
    if number % 4 < 2 and ranges is ANY:
        found = case.run(folder / "found.npz")
        return Case(number, device, build, inputs, facts_of(case, found, kind)) if is_active(found) else None
    registers = Registers(rng, build, device, ranges)
    registers.draw()
    for _ in range(ADJUSTMENTS):
        registers.write()
        found = case.run(folder / "found.npz")
        facts = facts_of(case, found, kind) | {"registers drawn anew"}
        if not ranges.has_overflow and facts & OVERFLOW:
            return None
        if is_active(found):
            return Case(number, device, build, inputs, facts)
        registers.adjust(found)
    return None


def is_active(found: dict[str, np.ndarray]) -> bool:
    spikes = {name: values for name, values in found.items() if f"{name}.v" in found and name != CLOCK}
    return all(ACTIVE[0] <= values.mean() <= ACTIVE[1] for values in spikes.values())


def facts_of(case: Case, found: dict[str, np.ndarray], kind: str) -> frozenset[str]:
    """Returns what occurs in a network."""
    record, facts = case.record, {kind, case.device}
    if len(cores_of(record)) > 1:
        facts.add("several cores")
    if CLOCK in found:
        facts.add("a clock for biases")
    for core, group in groups_of(record):
        facts |= group_facts(case, core, group, found)
        for table in tables_of(group):
            facts |= table_facts(case, core, table)
    return frozenset(facts)


def group_facts(case: Case, core: dict[str, Any], group: dict[str, Any], found: dict[str, np.ndarray]) -> set[str]:
    facts: set[str] = set()
    index = array_of(case.build, group["index"]).astype(int)
    profile = np.broadcast_to(array_of(case.build, group["profile"]), index.shape)
    threshold = np.broadcast_to(array_of(case.build, group["threshold"]), index.shape)
    du = array_of(case.build, core["profiles"]["du"])[profile]
    facts |= {"a filtered input" if (du < 4095).any() else "no filter"}
    periods = array_of(case.build, core["profiles"]["refractory"])[profile]
    facts |= {"a refractory period"} if (periods > 1).any() else set()
    if len({*zip(profile.tolist(), threshold.tolist(), strict=True)}) > 1:
        facts.add("several configurations in a group")
    for name in (one for one in ("bias", "e") if one in group["registers"]):
        values = array_of(case.build, group["registers"][name])
        facts |= {f"{name} above 0"} if (values > 0).any() else set()
        facts |= {f"{name} below 0"} if (values < 0).any() else set()
    u = found[f"{group['source']}.i"].reshape(TICKS, -1)[:, index].astype(np.int64)
    kept = np.sign(u[:-1]) * (np.abs(u[:-1]) * (4095 - du) >> 12)
    if (np.abs(u[1:] - kept) > SUM << 6).any():  # no input adds that much
        facts.add("u wraps")
    v = found[f"{group['source']}.v"]
    facts |= {"v at its bounds"} if (np.abs(v) == 2**23 - 1).any() else set()
    return facts


def table_facts(case: Case, core: dict[str, Any], table: dict[str, Any]) -> set[str]:
    weight, delay = (array_of(case.build, table[name]) for name in ("weight", "delay"))
    exponent = table["weight_exp"]
    facts = {
        f"layout {table['op'].partition('.')[2]}",
        table["sign_mode"],
        f"{case.device} {table['num_weight_bits']} bits",
    }
    facts.add("exponent above 0" if exponent > 0 else "exponent below 0" if exponent < 0 else "exponent of 0")
    facts |= {"weights below 0"} if (weight < 0).any() else set()
    if delay.any():
        facts |= {"delays", "delays of each synapse" if delay.shape else "one delay"}
        facts |= {f"register of delays {int(delay.max())}"} if delay.max() > 60 else set()
    does_round = exponent < 0 and bool((weight.astype(np.int64) % (1 << -exponent)).any())
    if does_round:
        facts |= {"sums that round", *(["sums that round for each delay"] if delay.shape else [])}
        axons = array_of(case.build, table["axons"])
        facts |= {"sums that round over several processes"} if senders(case, core, axons) > 1 else set()
    if table["op"] == "loihi2.sparse":
        pairs = np.stack([array_of(case.build, table[name]) for name in ("axon", "compartment")])
        place, counts = np.unique(pairs, axis=1, return_counts=True)
        del place
        facts |= {"several synapses between two neurons"} if (counts > 1).any() else set()
    return facts


def senders(case: Case, core: dict[str, Any], axons: np.ndarray) -> int:
    """Returns how many processes of Lava send to some axons of a core: inputs and groups."""
    found = 0
    inputs = ops_in(case.record["chip"], "input")
    for one in [*inputs, *(group for _, group in groups_of(case.record))]:
        for outputs in ops_in(one, "output_axons"):
            to, axon = (array_of(case.build, outputs[name]) for name in ("core", "axon"))
            found += bool(((to == core["place"]) & np.isin(axon, axons)).any())
    return found
