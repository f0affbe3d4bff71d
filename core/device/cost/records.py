"""Records of the cost of execution: coefficients of energy and time, and the objective of mapping.

A general coefficient applies to all events of its kind. If link directions, table layouts or steps of a spike differ in cost, a device declares
specific ones in its place (`SPECIFIC`). The scope of a coefficient is one more event (`marginal`), or everything that happens during an event at
a stated activity (`average`). Its `supersedes` lists the parts that it already contains, which are not counted again.

Source: this project defines the format; the specific coefficients follow SANA-FE 2.2.9, examples/loihi.yaml.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from attrs import frozen

from ..fields import Quantity, Range, fields_of, number_field, optional_field, record_fields, required_field

SPECIFIC = {
    "spike": ("fire", "axon_out", "axon_in"),
    "hop": ("hop_x", "hop_y"),
    "synapse": ("synapse_dense", "synapse_sparse", "synapse_convolution"),
    "update": ("update_active", "update_inactive"),
}
"""General coefficients, and the specific ones that replace them."""
MEANINGS = {
    "spike": ("sending a spike", "spike"),
    "fire": ("a neuron that fires, whatever its targets", "spike"),
    "axon_out": ("sending a spike to one core, also to its own", "message"),
    "axon_in": ("receiving a spike on an input axon", "message"),
    "hop": ("moving a spike over one link", "hop"),
    "hop_x": ("moving a spike over one link to the east or west", "hop"),
    "hop_y": ("moving a spike over one link to the north or south", "hop"),
    "crossing": ("moving a spike from chip to chip, in addition to its hops", "crossing"),
    "synapse": ("adding one weight", "event"),
    "synapse_dense": ("reading one entry of a dense table", "event"),
    "synapse_sparse": ("adding one weight of a sparse table", "event"),
    "synapse_convolution": ("adding one weight of a kernel", "event"),
    "access": ("reading one neuron, also an idle one, in addition to its update", "access"),
    "update": ("updating one neuron", "update"),
    "update_active": ("updating a neuron that received an event", "update"),
    "update_inactive": ("updating a neuron that received none", "update"),
    "cycle": ("one clock cycle of a core, as `cost.cycles` counts them", "cycle"),
    "multiply": ("multiplying by one weight in an array", "product"),
    "row": ("driving one row of an array", "drive"),
    "cell": ("reading one cell of an array", "read"),
    "conversion": ("converting one output of an array", "conversion"),
    "frame": ("computing one frame", "frame"),
}
"""Meaning and event of each coefficient."""
GENERAL = ("spike", "hop", "synapse", "update")
"""Coefficients that a complete cost requires, unless others replace or contain them."""
POWERS = {
    "idle": ("power of an idle chip", "mW"),
    "core": ("power of one core in use, in addition to that of its idle chip", "mW"),
    "board": ("power of an idle board", "mW"),
    "running": ("power of a chip in operation, at a stated activity", "mW"),
}
"""Meaning and unit of each power."""
Scope = Literal["marginal", "average"]
Measure = Literal["hops", "remote-pairs", "input-axons", "crossings", "peak-load", "energy"]
Basis = Literal["silicon", "simulation", "claim"]


@frozen
class Coefficient(Quantity):
    """One coefficient of a cost, with its source and its condition."""

    scope: Scope = optional_field(
        "marginal: one more event, or a power; average: everything that happens meanwhile, at a stated activity",
        default="marginal",
    )
    basis: Basis | None = optional_field(
        "silicon: measured; simulation: computed before or without silicon; claim: published without a method"
    )
    band: tuple[float, ...] | None = optional_field(
        "the lowest and the highest value that its sources give, in the unit of the value"
    )
    condition: str | None = optional_field("voltage, temperature, activity and precision of the value")
    supersedes: tuple[str, ...] = optional_field("coefficients of the same section that the value contains", default=())

    @property
    def bounds(self) -> tuple[float, float, float] | None:
        """Returns the lowest value, the value and the highest value; a value without a band is all three; None if it is unknown."""
        if not isinstance(self.value, int | float):
            return None
        low, high = self.band or (self.value, self.value)
        return low, self.value, high


def coefficient(name: str, unit: str) -> Any:
    """Returns the field of a coefficient."""
    about, event = MEANINGS[name]
    return number_field(about, f"{unit}/{event}", whole=False, has_default=name not in GENERAL)


def power(name: str) -> Any:
    """Returns the field of a power."""
    about, unit = POWERS[name]
    return number_field(about, unit, whole=False, has_default=name != "idle")


@frozen
class Energy:
    """Energy coefficients."""

    spike: Coefficient | None = coefficient("spike", "pJ")
    fire: Coefficient | None = coefficient("fire", "pJ")
    axon_out: Coefficient | None = coefficient("axon_out", "pJ")
    axon_in: Coefficient | None = coefficient("axon_in", "pJ")
    hop: Coefficient | None = coefficient("hop", "pJ")
    hop_x: Coefficient | None = coefficient("hop_x", "pJ")
    hop_y: Coefficient | None = coefficient("hop_y", "pJ")
    crossing: Coefficient | None = coefficient("crossing", "pJ")
    synapse: Coefficient | None = coefficient("synapse", "pJ")
    synapse_dense: Coefficient | None = coefficient("synapse_dense", "pJ")
    synapse_sparse: Coefficient | None = coefficient("synapse_sparse", "pJ")
    synapse_convolution: Coefficient | None = coefficient("synapse_convolution", "pJ")
    access: Coefficient | None = coefficient("access", "pJ")
    update: Coefficient | None = coefficient("update", "pJ")
    update_active: Coefficient | None = coefficient("update_active", "pJ")
    update_inactive: Coefficient | None = coefficient("update_inactive", "pJ")
    cycle: Coefficient | None = coefficient("cycle", "pJ")
    multiply: Coefficient | None = coefficient("multiply", "pJ")
    row: Coefficient | None = coefficient("row", "pJ")
    cell: Coefficient | None = coefficient("cell", "pJ")
    conversion: Coefficient | None = coefficient("conversion", "pJ")
    frame: Coefficient | None = coefficient("frame", "pJ")
    idle: Coefficient | None = power("idle")
    core: Coefficient | None = power("core")
    board: Coefficient | None = power("board")
    running: Coefficient | None = power("running")


@frozen
class Barrier:
    """Synchronisation of all cores at the end of a tick."""

    routers: int = required_field("routers with a core in use, at least", range=Range("1", 1))
    time: Coefficient | None = number_field("its duration", "ns/tick", whole=False)


@frozen
class Latency:
    """Latency coefficients."""

    fire: Coefficient | None = coefficient("fire", "ns")
    axon_out: Coefficient | None = coefficient("axon_out", "ns")
    axon_in: Coefficient | None = coefficient("axon_in", "ns")
    hop: Coefficient | None = coefficient("hop", "ns")
    hop_x: Coefficient | None = coefficient("hop_x", "ns")
    hop_y: Coefficient | None = coefficient("hop_y", "ns")
    crossing: Coefficient | None = coefficient("crossing", "ns")
    synapse: Coefficient | None = coefficient("synapse", "ns")
    synapse_dense: Coefficient | None = coefficient("synapse_dense", "ns")
    synapse_sparse: Coefficient | None = coefficient("synapse_sparse", "ns")
    synapse_convolution: Coefficient | None = coefficient("synapse_convolution", "ns")
    access: Coefficient | None = coefficient("access", "ns")
    update: Coefficient | None = coefficient("update", "ns")
    update_active: Coefficient | None = coefficient("update_active", "ns")
    update_inactive: Coefficient | None = coefficient("update_inactive", "ns")
    cycle: Coefficient | None = coefficient("cycle", "ns")
    frame: Coefficient | None = coefficient("frame", "ns")
    tick: Coefficient | None = number_field(
        "the shortest tick that was run, with everything in it", "ns/tick", whole=False, has_default=True
    )
    barrier: dict[str, Barrier] = record_fields(
        "synchronisation at the end of each tick, by name; the entry with the most routers up to those in use holds"
    )


def specific_coefficients(section: Energy | Latency | None, name: str) -> list[str]:
    """Returns the declared specific coefficients that replace a general one."""
    return [one for one in SPECIFIC.get(name, ()) if getattr(section, one, None) is not None]


def coefficients_of(section: Energy | Latency | None) -> Iterator[tuple[str, Coefficient]]:
    """Yields the declared coefficients of a section by name, without the barriers."""
    for one in () if section is None else fields_of(section.__class__):
        held = getattr(section, one.name)
        if isinstance(held, Coefficient):
            yield one.name, held


def superseded(section: Energy | Latency | None) -> frozenset[str]:
    """Returns the coefficients that known ones contain."""
    return frozenset(name for _, held in coefficients_of(section) if held.value is not None for name in held.supersedes)


@frozen
class Objective:
    """Objective of placement and routing: the weights of a sum."""

    hop: Quantity | None = number_field("a spike over a link", whole=False)
    crossing: Quantity | None = number_field("a spike from chip to chip, in addition to its hops", whole=False)
    axon: Quantity | None = number_field("an input axon of a core", whole=False, has_default=True)
    measure: Measure | None = optional_field("the quantity that a placement lowers; hops by default")


@frozen
class OtherCost:
    """Coefficients of another source, which are reported next to those of the device."""

    about: str = required_field("the source and its condition, in one line")
    energy: Energy = required_field("energy coefficients")


@frozen
class MeasuredInference:
    """One whole inference of another network, measured on this device."""

    network: str = required_field("the network, its precision, and its software")
    energy: Coefficient | None = number_field("its energy", "pJ/inference", whole=False, has_default=True)
    time: Coefficient | None = number_field("its duration", "ns/inference", whole=False, has_default=True)


@frozen
class Cycles:
    """Clock cycles of one part of a tick."""

    expression: str = required_field("a number in the contract language, from the counts of the target")
    source: str = required_field("a key of `sources`", is_source=True)
    note: str | None = optional_field("additional information")


@frozen
class Cost:
    """Cost of execution, and objective of mapping."""

    energy: Energy | None = optional_field("energy coefficients")
    latency: Latency | None = optional_field("latency coefficients")
    cycles: dict[str, Cycles] = record_fields("clock cycles of a tick, by part")
    boards: Quantity | None = number_field("boards that are powered", low=1, has_default=True)
    others: dict[str, OtherCost] = record_fields("coefficients of other sources, by name")
    inferences: dict[str, MeasuredInference] = record_fields("inferences of other networks that were measured, by name")
    unknown: str | None = optional_field("why a device without coefficients has none, in one sentence")
    objective: Objective | None = optional_field("weights of the objective of mapping")
