"""Capabilities of all devices: a cell for each capability and device, with its state, a note, and its evidence.

| state | meaning |
| --- | --- |
| `full` | the device has the capability, and its `proof` tests it |
| `partial` | a fallback replaces it, its number is assumed, or it holds within a tolerance |
| `planned` | the device file describes it, but no pass leads to the device |
| `unsupported` | the device does not have it |
| `unpublished` | the number is not published, or the device file does not specify it; nothing is checked |

Every value is read from the device file or from the record of the target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, cast, get_args

from attrs import evolve, frozen

from ...core import registry
from ...core.device.core_kinds import has_host_readout
from ...core.device.device import Device
from ...core.device.fields import Quantity
from ...core.device.records import Feature
from ...passes.pipelines import REPAIRS, map_to_cores
from ..devices.device_files import (
    UNKNOWN,
    UNSPECIFIED,
    device_columns,
    number_text,
    range_text,
    rules_text,
    size_text,
    topology_text,
)
from ..json_record import Record

State = Literal["full", "partial", "planned", "unsupported", "unpublished"]
STATES: tuple[State, ...] = get_args(State)

ABSENT = "the device file does not specify it"
CONFORMANCE, TESTS, GOLDEN = "conformance:", "tests:", "golden:"
"""Kinds of proofs: a question of `nopt conform`, a folder or file of tests, and a golden whose code refuses a network beyond the limit."""
UNTESTED = "no question or golden depends on it"


@frozen
class Cell(Record):
    """One capability of one device."""

    capability: str
    device: str
    value: str
    state: State
    note: str
    field: str
    """Path of the field of the device file that declares the value, or `target.NAME` for the record of the target."""
    proof: str | None
    """The proof; None where the state is not `full`."""

    @property
    def target(self) -> str:
        """Returns the slug of the target."""
        return self.device.partition("/")[0]


@frozen
class Reading:
    """Value of a capability on a device."""

    value: str
    state: State = "full"
    note: str = ""


NOT_SPECIFIED = Reading(UNSPECIFIED, "unpublished", ABSENT)
Read = Callable[[Device], Reading]


@frozen
class Capability:
    """A row of the matrix."""

    name: str
    field: str
    read: Read
    proof: Callable[[Device], str | None] | str | None
    """The proof of a `full` cell; without it, the cell is `partial`."""

    def cell(self, device: Device) -> Cell:
        """Returns the cell of a device."""
        found = self.read(device)
        proof = self.proof(device) if callable(self.proof) else self.proof
        if found.state != "full":
            proof = None
        elif proof is None:
            found = evolve(found, state="partial", note=UNTESTED)
        return Cell(self.name, device.key, found.value, found.state, found.note, self.field, proof)


# ---- readings


def fact_reading(facts: Sequence[Quantity | None], value: str) -> Reading:
    """Returns the state of several numbers, which is the state of the least certain number."""
    if any(fact is None for fact in facts):
        return NOT_SPECIFIED
    known = cast("Sequence[Quantity]", facts)
    if missing := next((fact for fact in known if fact.value is None), None):
        return Reading(value, "unpublished", missing.note or "")
    if assumed := next((fact for fact in known if fact.confidence == "assumed"), None):
        return Reading(value, "partial", f"assumed: {assumed.note}" if assumed.note else "assumed")
    return Reading(value)


def number_reader(path: str) -> Read:
    """Returns a reading of one number."""
    return lambda device: fact_reading([device.quantity(path)], number_text(device, path))


def size_reader(path: str) -> Read:
    """Returns a reading of a number of bytes."""
    return lambda device: fact_reading([device.quantity(path)], size_text(number_text(device, path)))


def span_reader(low: str, high: str) -> Read:
    """Returns a reading of the range between two numbers."""

    def read(device: Device) -> Reading:
        facts = [device.quantity(path) for path in (low, high)]
        return fact_reading(facts, range_text(*(number_text(device, path) for path in (low, high))))

    return read


def delays(device: Device) -> Reading:
    """Returns the delays of synapses; with equal ends of the range, the delay cannot be chosen."""
    found = span_reader("synapse.delay.min", "synapse.delay.max")(device)
    if found.state != "full" or device.integer("synapse.delay.min") != device.integer("synapse.delay.max"):
        return found
    if fallback := device.fallbacks.get("delay"):
        return Reading(found.value, "partial", f"other delays: {fallback.passes}")
    return Reading(found.value, "unsupported", "every synapse has the same delay")


def names_reader(path: str) -> Read:
    """Returns a reading of a list of names."""

    def read(device: Device) -> Reading:
        found: Sequence[str] = device.entry(path) or ()
        return Reading(", ".join(found)) if found else NOT_SPECIFIED

    return read


def families(device: Device) -> Reading:
    found = sorted({family for update in device.updates.values() for family in update.families})
    return Reading(", ".join(found)) if found else NOT_SPECIFIED


def text_reader(path: str) -> Read:
    """Returns a reading of a text or a truth value."""

    def read(device: Device) -> Reading:
        found = device.entry(path)
        if found is None:
            return NOT_SPECIFIED
        return Reading(("yes" if found else "no") if isinstance(found, bool) else str(found))

    return read


def recurrence(device: Device) -> Reading:
    fact = device.features.get("recurrence")
    if fact is None:
        return NOT_SPECIFIED
    return Reading("yes") if fact.value else Reading("no", "unsupported", fact.note or "")


def plasticity_rules(device: Device) -> Reading:
    """Returns the rules of learning; rules that the host computes are partial."""
    rules = device.plasticity
    if rules is None:
        return NOT_SPECIFIED
    if not rules:
        fallback = device.fallbacks.get("plasticity")
        return Reading("none", "unsupported", f"removed by {fallback.passes}" if fallback else "")
    outside = sorted(name for name, one in rules.items() if one.where != "chip")
    if outside:
        return Reading(rules_text(device), "partial", f"computed by the host: {', '.join(outside)}")
    if not any(one.rule == "stdp" for one in rules.values()):
        return Reading(rules_text(device), "partial", "no network of the tests has such a rule")
    return Reading(rules_text(device))


def topology(device: Device) -> Reading:
    return NOT_SPECIFIED if device.topology is None else Reading(topology_text(device))


def connectivity(device: Device) -> Reading:
    """Returns the layouts in which a core stores synapses."""
    synapse, crossbar = device.synapse, device.entry("core.crossbar")
    if crossbar is not None:
        return Reading("crossbar")
    layouts = dict.fromkeys(one.layout for one in synapse.formats.values()) if synapse is not None else {}
    return Reading(", ".join(layouts)) if layouts else NOT_SPECIFIED


def regions(device: Device) -> Reading:
    """Returns the regions of the memory of a core."""
    found: dict[str, object] = device.entry("core.memory") or {}
    return Reading(", ".join(found)) if found else NOT_SPECIFIED


def stores(where: str) -> Read:
    """Returns a reading of the memory outside of the cores in one place."""

    def read(device: Device) -> Reading:
        found = {name: one.bytes for name, one in device.memory.items() if one.where == where}
        if not found:
            return Reading("none", "unsupported") if device.topology is not None else NOT_SPECIFIED
        sizes = {name: size_text(number_text(device, f"memory.{name}.bytes")) for name in found}
        return fact_reading([*found.values()], ", ".join(f"{name} {text}" for name, text in sizes.items()))

    return read


def symmetry(device: Device) -> Reading:
    """Returns whether quantised weights are symmetric about zero: `nopt` quantises to integers with a sign without a zero point."""
    types = device.synapse.dtypes if device.synapse is not None else ()
    if not types:
        return NOT_SPECIFIED
    signed = {"signed" if one[0] == "i" else "unsigned" if one[0] == "u" else "real" for one in types}
    kinds = {"signed": "symmetric", "unsigned": "from 0", "real": "none needed"}
    return Reading(", ".join(kinds[one] for one in sorted(signed)))


def advice(device: Device) -> Reading:
    """Returns the recommendation of the vendor for quantisation."""
    held = device.quantization
    if held is None:
        return NOT_SPECIFIED
    bits = {name: number_text(device, f"quantization.{name}") for name in ("weight_bits", "activation_bits")}
    parts = [f"{name.replace('_', ' ')} {text}" for name, text in bits.items() if text not in (UNKNOWN, UNSPECIFIED)]
    return Reading(", ".join([*parts, f"per {held.per}", f"scale {held.scale}"]), "partial", "advice, not a limit")


def fidelity(device: Device) -> Reading:
    tier, other = device.fidelity.tier, device.fidelity.approximated_by
    if other is not None:
        return Reading(f"{tier}, approximated by {device.target}/{other}", "partial", device.fidelity.note or "")
    return Reading(tier) if tier == "exact" else Reading(tier, "partial", device.fidelity.note or "")


def fallback(feature: Feature) -> Read:
    """Returns a reading of the passes that replace a feature."""

    def read(device: Device) -> Reading:
        held = device.fallbacks.get(feature)
        if held is None and feature == "readout" and has_host_readout(device):
            return Reading(REPAIRS[feature], "partial", "exact")
        return Reading("none", "unsupported") if held is None else Reading(held.passes, "partial", held.note or "")

    return read


# ---- the record of the target


def room(*rooms: str) -> Read:
    """Returns a reading for parts of the target: `full` if it has all of them, `planned` if no pass leads to the device."""

    def read(device: Device) -> Reading:
        target = registry.usable_targets()[device.target]
        held = [name for name in rooms if getattr(target, name) is not None]
        if not held:
            return Reading("none", "unsupported")
        if target.pipeline is None or not target.pipeline(device):
            return Reading("none", "planned", "no pass leads to the device")
        missing = [name for name in rooms if name not in held]
        return Reading("yes") if not missing else Reading("yes", "partial", f"without {', '.join(missing)}")

    return read


def oracles(device: Device) -> Reading:
    found = registry.usable_targets()[device.target].oracles
    if not found:
        return Reading("none", "unsupported", "no external tool checks the target")
    if (other := device.fidelity.approximated_by) is not None:
        return Reading(", ".join(found), "partial", f"the tools simulate {device.target}/{other}")
    return Reading(", ".join(found))


def oracle_tests(device: Device) -> str:
    """Returns the tests with the first oracle."""
    found = registry.usable_targets()[device.target].oracles
    return f"{TESTS}{next(iter(found.values()))}" if found else TESTS


def cores_proof(device: Device) -> str | None:
    """Returns the golden of the placement if the device's pipeline places vertices."""
    pipeline, mapping = registry.usable_targets()[device.target].pipeline, map_to_cores(device)
    return PLACEMENT if mapping and pipeline is not None and mapping in pipeline(device) else None


def barrier_proof(device: Device) -> str | None:
    """Returns the question about barriers; a device without ticks has none."""
    return None if device.entry("execution.barrier") == "none" else EXECUTION


def layers_proof(device: Device) -> str | None:
    """Returns the question about the latency of layers, which shows whether layers are computed in sequence; other units are not visible in a run."""
    return SCHEDULING if device.entry("execution.granularity") == "layer" else None


LIMITS, DTYPES, DELAYS, MEMORY = (f"{CONFORMANCE}{name}" for name in ("limits", "dtypes", "delays", "memory"))
EXECUTION, SCHEDULING = f"{CONFORMANCE}execution", f"{CONFORMANCE}scheduling"
EQUIVALENCE, ARTEFACT = f"{CONFORMANCE}equivalence", f"{CONFORMANCE}artefact"
TICKS = f"{GOLDEN}lit-tests/passes/legalize/ntensor_check_device-errors.mlir#LEG064"
PLACEMENT = f"{GOLDEN}lit-tests/passes/place/initial_placement-errors.mlir#MAP004"
REPLACED: tuple[Feature, ...] = (
    "readout",
    "activation_bits",
    "weight_bits",
    "weight_exponent",
    "parameters",
    "sign_modes",
    "graded",
    "recurrence",
    "delay",
    "fan_in",
    "latency",
    "bias",
    "resets",
    "rates",
    "fan_out",
    "axon_types",
    "plasticity",
)
"""Features whose fallbacks have a row."""

CAPABILITIES: tuple[Capability, ...] = (
    Capability("dt range [ns]", "tick", span_reader("tick.min", "tick.max"), TICKS),
    Capability("execution model", "execution.mode", text_reader("execution.mode"), EXECUTION),
    Capability("barrier of a tick", "execution.barrier", text_reader("execution.barrier"), barrier_proof),
    Capability("step of the threshold", "execution.step", text_reader("execution.step"), SCHEDULING),
    Capability("scheduling granularity", "execution.granularity", text_reader("execution.granularity"), layers_proof),
    Capability("parallelism", "execution.parallelism", number_reader("execution.parallelism"), None),
    Capability("placement constraints", "topology", topology, cores_proof),
    Capability("cores", "topology.cores", number_reader("topology.cores"), cores_proof),
    Capability("neurons of a core", "core.neurons", number_reader("core.neurons"), LIMITS),
    Capability("memory of a core", "core.memory_bytes", size_reader("core.memory_bytes"), MEMORY),
    Capability("memory topology", "core.memory", regions, MEMORY),
    Capability("memory on chip", "memory", stores("chip"), MEMORY),
    Capability("memory on host", "memory", stores("host"), MEMORY),
    Capability("neuron families", "neuron.updates", families, EQUIVALENCE),
    Capability("weight dtypes", "synapse.dtypes", names_reader("synapse.dtypes"), DTYPES),
    Capability("weight bits", "synapse.bits", number_reader("synapse.bits"), DTYPES),
    Capability("symmetry of weights", "synapse.dtypes", symmetry, DTYPES),
    Capability("quantisation advice", "quantization", advice, DTYPES),
    Capability("delays [ticks]", "synapse.delay", delays, DELAYS),
    Capability("fan-in", "core.fan_in", number_reader("core.fan_in"), LIMITS),
    Capability("fan-out", "core.fan_out", number_reader("core.fan_out"), LIMITS),
    Capability("connectivity", "synapse.formats", connectivity, EQUIVALENCE),
    Capability("recurrence", "features.recurrence", recurrence, EQUIVALENCE),
    Capability("plasticity rules", "plasticity", plasticity_rules, f"{CONFORMANCE}plasticity"),
    Capability("spike kinds", "spike.kinds", names_reader("spike.kinds"), EQUIVALENCE),
    Capability("fidelity", "fidelity.tier", fidelity, EQUIVALENCE),
    *(Capability(f"fallback for {name}", f"fallbacks.{name}", fallback(name), LIMITS) for name in REPLACED),
    Capability("artefact", "target.artefact", room("artefact", "load"), ARTEFACT),
    Capability("model", "target.model", room("model"), EQUIVALENCE),
    Capability("conformance", "target.pipeline", room("artefact", "model"), f"{CONFORMANCE}determinism"),
    Capability("oracle", "target.oracles", oracles, oracle_tests),
)


# ---- cells


def capabilities(
    target: str | None = None, *, state: str | None = None, name: str | None = None, note: str | None = None
) -> list[Cell]:
    """Returns the cells of all devices, of a target's devices, or of one device, filtered by `state`, `name` and `note`.

        [cell.capability for cell in nopt.capabilities("asic/edge", state="unpublished")]

    `name` is a capability, and `note` a text that the note contains. Errors: API021, DEV005.
    """
    wanted = None if name is None else name.casefold()
    return [
        cell
        for device in device_columns(target)
        for capability in CAPABILITIES
        if wanted in (None, capability.name.casefold())
        for cell in [capability.cell(device)]
        if state in (None, cell.state) and (note is None or note.casefold() in cell.note.casefold())
    ]


def pending_capabilities(target: str) -> list[Cell]:
    """Returns the cells of a target or device that are neither `full` nor `unsupported`.

        for cell in nopt.pending_capabilities("asic/edge"): print(cell.capability, cell.state)

    Errors: API021, DEV005.
    """
    return [cell for cell in capabilities(target) if cell.state not in ("full", "unsupported")]


def capability_totals(
    by: Literal["device", "target", "capability"] | None = None, target: str | None = None
) -> dict[str, dict[State, int]]:
    """Returns the number of cells in each state, for each device, target or capability, and for all cells as `total`.

        nopt.capability_totals("target")["asic"]["full"]

    Errors: API021, DEV005.
    """
    groups: dict[str, list[Cell]] = {} if by else {"total": []}
    for cell in capabilities(target):
        groups.setdefault("total" if by is None else str(getattr(cell, by)), []).append(cell)
    return {
        name: {state: sum(cell.state == state for cell in cells) for state in STATES} for name, cells in groups.items()
    }


@frozen
class Readiness(Record):
    """Place of a device in the ranking."""

    device: str
    score: float
    """Share of `full` capabilities; a `partial` capability counts half, an `unsupported` one is not counted at all."""
    states: dict[State, int]


def readiness_ranking(target: str | None = None) -> list[Readiness]:
    """Returns the devices by readiness, the best first, and by name where the scores are equal.

        nopt.readiness_ranking()[0].device

    Errors: API021, DEV005.
    """
    found = [Readiness(name, score_of(states), states) for name, states in capability_totals("device", target).items()]
    return sorted(found, key=lambda one: (-one.score, one.device))


def score_of(states: dict[State, int]) -> float:
    """Returns the share of the capabilities of a device that are ready."""
    counted = sum(n for state, n in states.items() if state != "unsupported")
    return (states["full"] + states["partial"] / 2) / counted if counted else 0.0


def rows_of(cells: Sequence[Cell]) -> Iterator[tuple[str, list[Cell]]]:
    """Yields each capability with its cells, in the order of the devices."""
    for name in dict.fromkeys(cell.capability for cell in cells):
        yield name, [cell for cell in cells if cell.capability == name]
