"""Records of the cost of execution: coefficients of energy and time, and the objective of mapping.

A general coefficient applies to all events of its kind. If link directions, table layouts or steps of a spike differ in cost, a device declares
specific ones in its place (`SPECIFIC`).

Source: this project defines the format; the specific coefficients follow SANA-FE 2.2.9, examples/loihi.yaml.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from .fields import Quantity, Range, number_field, optional_field, record_fields, required_field

SPECIFIC = {
    "spike": ("fire", "axon_out", "axon_in"),
    "hop": ("hop_x", "hop_y"),
    "synapse": ("synapse_dense", "synapse_sparse", "synapse_convolution"),
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
    "synapse": ("adding one weight", "event"),
    "synapse_dense": ("reading one entry of a dense table", "event"),
    "synapse_sparse": ("adding one weight of a sparse table", "event"),
    "synapse_convolution": ("adding one weight of a kernel", "event"),
    "access": ("reading one neuron, also an idle one, in addition to its update", "access"),
    "update": ("updating one neuron", "update"),
}
"""Meaning and event of each coefficient."""
GENERAL = ("spike", "hop", "synapse", "update")
"""Coefficients that a complete cost requires, unless specific ones replace them."""


def coefficient(name: str, unit: str) -> Any:
    """Returns the field of a coefficient."""
    about, event = MEANINGS[name]
    return number_field(about, f"{unit}/{event}", whole=False, has_default=name not in GENERAL)


@frozen
class Energy:
    """Energy coefficients."""

    spike: Quantity | None = coefficient("spike", "pJ")
    fire: Quantity | None = coefficient("fire", "pJ")
    axon_out: Quantity | None = coefficient("axon_out", "pJ")
    axon_in: Quantity | None = coefficient("axon_in", "pJ")
    hop: Quantity | None = coefficient("hop", "pJ")
    hop_x: Quantity | None = coefficient("hop_x", "pJ")
    hop_y: Quantity | None = coefficient("hop_y", "pJ")
    synapse: Quantity | None = coefficient("synapse", "pJ")
    synapse_dense: Quantity | None = coefficient("synapse_dense", "pJ")
    synapse_sparse: Quantity | None = coefficient("synapse_sparse", "pJ")
    synapse_convolution: Quantity | None = coefficient("synapse_convolution", "pJ")
    access: Quantity | None = coefficient("access", "pJ")
    update: Quantity | None = coefficient("update", "pJ")
    idle: Quantity | None = number_field("power of an idle chip", "mW", whole=False)


@frozen
class Barrier:
    """Synchronisation of all cores at the end of a tick."""

    routers: int = required_field("routers with a core in use, at least", range=Range("1", 1))
    time: Quantity | None = number_field("its duration", "ns/tick", whole=False)


@frozen
class Latency:
    """Latency coefficients."""

    fire: Quantity | None = coefficient("fire", "ns")
    axon_out: Quantity | None = coefficient("axon_out", "ns")
    axon_in: Quantity | None = coefficient("axon_in", "ns")
    hop: Quantity | None = coefficient("hop", "ns")
    hop_x: Quantity | None = coefficient("hop_x", "ns")
    hop_y: Quantity | None = coefficient("hop_y", "ns")
    synapse: Quantity | None = coefficient("synapse", "ns")
    synapse_dense: Quantity | None = coefficient("synapse_dense", "ns")
    synapse_sparse: Quantity | None = coefficient("synapse_sparse", "ns")
    synapse_convolution: Quantity | None = coefficient("synapse_convolution", "ns")
    access: Quantity | None = coefficient("access", "ns")
    update: Quantity | None = coefficient("update", "ns")
    barrier: dict[str, Barrier] = record_fields(
        "synchronisation at the end of each tick, by name; the entry with the most routers up to those in use holds"
    )


def specific_coefficients(section: Energy | Latency | None, name: str) -> list[str]:
    """Returns the declared specific coefficients that replace a general one."""
    return [one for one in SPECIFIC.get(name, ()) if getattr(section, one, None) is not None]


@frozen
class Objective:
    """Objective of placement and routing: the weights of a sum."""

    hop: Quantity | None = number_field("a spike over a link", whole=False)
    crossing: Quantity | None = number_field("a spike from chip to chip, in addition to its hops", whole=False)
    axon: Quantity | None = number_field("an input axon of a core", whole=False, has_default=True)


@frozen
class Cost:
    """Cost of execution, and objective of mapping."""

    energy: Energy | None = optional_field("energy coefficients")
    latency: Latency | None = optional_field("latency coefficients")
    objective: Objective | None = optional_field("weights of the objective of mapping")
