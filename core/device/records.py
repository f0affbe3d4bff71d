"""Records of a device description; the schema, the reader, `--set` and the generated pages are derived from them.

A field has a description (`about`) and, for a number, a unit, a range, and whether it is an integer. Numbers are
`Quantity`s: a value with a source and a confidence. A missing section or number is unspecified, and an unknown value
is not a limit. Names of fields are the paths of `--set` and of contracts: `core.neurons`, `synapse.delay.max`.

Source: this project defines the format.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cached_property
from hashlib import sha256
from typing import Any, Literal, TypeVar, cast

from attrs import asdict, field, frozen

from .core_records import Content, Core, CoreKind, Place
from .cost.records import Cost
from .fields import (
    Quantity,
    Scalar,
    fields_of,
    list_field,
    note_field,
    number_field,
    optional_field,
    record_fields,
    required_field,
    source_field,
)
from .neuron_records import Neurons, Plasticity, SpikeKind, Spikes, Update
from .synapse_records import Convolution, Synapse
from .topology_records import Topology

SCHEMA = "nopt.device/1"
Tier = Literal["exact", "windowed", "nominal"]
SEVERAL_SCALES = ("neuron", "row", "column")
"""Granularity of scales: the groups of weights, within an op or a population, that share one scale."""
Feature = Literal[
    "activation_bits",
    "axon_types",
    "bias",
    "delay",
    "fan_in",
    "fan_out",
    "graded",
    "latency",
    "max_pool",
    "parameters",
    "plasticity",
    "rates",
    "readout",
    "recurrence",
    "resets",
    "sign_modes",
    "synapse_chain",
    "update",
    "weight_bits",
    "weight_exponent",
]


@frozen
class Fidelity:
    """Agreement that the models of this device guarantee: `exact` bit for bit, `windowed` equal counts per window, `nominal` within a tolerance."""

    tier: Tier = required_field("exact, windowed or nominal")
    source: str = source_field()
    window: Quantity | None = number_field("windowed: ticks over which counts are equal", "ticks", 1)
    tolerance: Quantity | None = number_field(
        "nominal: the largest relative error of the published equations", whole=False
    )
    approximated_by: str | None = optional_field(
        "device of the target whose equations the models compute; default: this device", has_default=True
    )
    note: str | None = note_field()


@frozen
class Tick:
    """Length of one tick, for devices with ticks."""

    min: Quantity | None = number_field("the shortest tick", "ns", 1)
    max: Quantity | None = number_field("the longest tick", "ns", 1)
    default: Quantity | None = number_field("the default tick", "ns", 1)


@frozen
class Store:
    """Memory outside of the cores."""

    where: Place = required_field("chip or host")
    bytes: Quantity | None = number_field("its size, for one chip or for the whole host", "byte")
    holds: tuple[Content, ...] = list_field("its possible contents")
    note: str | None = note_field()


# ---- execution


@frozen
class Execution:
    """Execution of the device."""

    mode: Literal["time-stepped", "event-driven", "continuous"] = required_field(
        "the cause of a neuron's update: ticks, events, or physics"
    )
    granularity: Literal["neuron", "core", "layer", "chip"] = required_field("the unit of scheduling")
    source: str = source_field()
    step: Literal["tick", "frame", "event", "continuous"] | None = optional_field(
        "when neurons apply their threshold: after the sum of a tick, after that of a frame without a state from earlier frames, after each event, "
        "or at any time"
    )
    barrier: Literal["clock", "global", "host", "none"] | None = optional_field(
        "the start of a tick: a clock or timer, in real time; the end of the work of all cores; a call or frame of the host; or no ticks on the device"
    )
    clocked: tuple[Literal["bias", "leak"], ...] = list_field(
        "event-driven: changes of neurons that a clock or frame causes, without events"
    )
    parallelism: Quantity | None = number_field("neurons that one core updates simultaneously", "neurons", 1)
    note: str | None = note_field()


@frozen
class Probes:
    """Recordings of populations by the tools of the device; without them, a run returns outputs alone."""

    source: str = source_field()
    kinds: tuple[str, ...] = list_field("`spikes`, `states` for every state of the neurons, or names of states")
    note: str | None = note_field()


@frozen
class Quantization:
    """Recommendations of the vendor."""

    source: str = source_field()
    weight_bits: Quantity | None = number_field("bits of weights", "bit", 1)
    activation_bits: Quantity | None = number_field("bits of a neuron's output", "bit", 1)
    per: Literal["tensor", "row", "column", "neuron", "population", "spiking-neuron"] = optional_field(
        "the group of weights with one scale", default="tensor"
    )
    scale: Literal["float", "power-of-two"] = optional_field("the kind of scales", default="float")
    classes: Quantity | None = number_field(
        "different scales of one population; needs a scale for each neuron, row or column", low=1
    )
    method: Literal["nearest", "gptq", "adaround"] = optional_field(
        "the rounding of weights where a calibration keeps samples", default="nearest"
    )
    note: str | None = note_field()


@frozen
class Fallback:
    """Passes that remove an unsupported feature from a network."""

    passes: str = required_field("a pipeline in the syntax of `nopt FILE -p`")
    note: str | None = note_field()


@frozen
class Recipe:
    """Changes of the passes and recommendations of a device, which a compilation tries on a sample input."""

    name: str = required_field("lower case; `--recipe NAME` chooses it")
    reason: str = required_field("the networks that it is for, and what it costs")
    effort: Literal["normal", "best"] = optional_field("the least `--effort` that tries it", default="normal")
    passes: str | None = optional_field("passes on the network in ticks, before those of the target")
    fallbacks: dict[Feature, Fallback] = record_fields("passes of features, instead of those of the device, by feature")
    quantization: dict[str, Scalar] = record_fields(
        "values of fields of `quantization`, instead of those of the device"
    )


@frozen
class Machine:
    """The processor of a software target, and its programming interface."""

    type: Literal["cpu", "gpu", "any"] = required_field(
        "the kind of processor; `any` for a device that stands for all of them"
    )
    api: str = required_field("the programming interface and its version, as Vulkan 1.3")
    source: str = source_field()
    vendor: str | None = optional_field("the vendor of the processor")
    name: str | None = optional_field("the name that the interface reports")
    architecture: str | None = optional_field("the architecture of the processor")
    driver: str | None = optional_field("the driver, with its version")
    note: str | None = note_field()


@frozen
class Constraint:
    """A limit that no field can express."""

    expression: str = required_field("in the contract language")
    source: str = source_field()
    note: str | None = note_field()


# ---- all of it


Derived = TypeVar("Derived")


@frozen
class Naming:
    """The name of a device in IR and pipelines: `TARGET/NAME` or the path of its file, and the settings of the user."""

    key: str
    settings: tuple[str, ...] = ()


@frozen
class Device:
    """A device description.

    Errors: DEV002, DEV003, DEV006 to DEV009, DEV015 while it is loaded.
    """

    schema: Literal["nopt.device/1"] = required_field("the version of this format")
    target: str = required_field(
        "the target that compiles for it; one known only by its device file has the target `asic`"
    )
    name: str = required_field("lower case; `--target TARGET/NAME` is the device")
    summary: str = required_field("one line")
    sources: dict[str, str] = required_field("sources of its numbers, by a short name")
    fidelity: Fidelity = required_field("agreement that its models guarantee")
    tick: Tick | None = optional_field("length of a tick")
    device: Machine | None = optional_field("the processor and interface of a software target", has_default=True)
    limits: dict[str, Quantity] = record_fields("limits of a software target, by the names of its target")
    topology: Topology | None = optional_field("chips and cores")
    core: Core | None = optional_field("capacity of one core")
    core_kinds: dict[str, CoreKind] = record_fields("cores with a smaller capacity, by the name of their kind")
    synapse: Synapse | None = optional_field("weights and delays")
    neuron: Neurons | None = optional_field("computation of neurons")
    spike: Spikes | None = optional_field("output of neurons")
    plasticity: dict[str, Plasticity] | None = optional_field("rules by name; empty: none; absent: unspecified")
    memory: dict[str, Store] = record_fields("memory outside of the cores, by name")
    execution: Execution | None = optional_field("execution of the device")
    probes: Probes | None = optional_field("recordings of populations; absent: outputs alone", has_default=True)
    quantization: Quantization | None = optional_field("recommendations for quantisation")
    fallbacks: dict[Feature, Fallback] = record_fields("passes for unsupported features, by feature")
    recipes: tuple[Recipe, ...] = list_field(
        "changes of passes and recommendations, tried on a sample input in this order"
    )
    alternatives: tuple[str, ...] = list_field("devices of the same target with other neurons, for help lines")
    features: dict[str, Quantity] = record_fields(
        "capabilities for the target's code; all targets read `recurrence`, `max_pools` and `host_readout`"
    )
    preferences: dict[str, Quantity] = record_fields("preferences that control the target's code")
    imperfections: dict[str, Quantity] = record_fields("spreads of manufactured chips that models simulate; 0: none")
    cost: Cost | None = optional_field("cost of execution")
    constraints: tuple[Constraint, ...] = list_field("limits that no field can express")
    overridden: dict[str, Scalar] = record_fields("values that `--set` changed, by path")
    named_as: Naming | None = field(default=None, eq=False)
    """The name in the user's command; not a part of the description."""

    @property
    def key(self) -> str:
        """Returns `TARGET/NAME`, the form of `--target`."""
        return f"{self.target}/{self.name}"

    @property
    def naming(self) -> Naming:
        """Returns the name of the device in pipelines."""
        return self.named_as or Naming(self.key)

    @property
    def updates(self) -> dict[str, Update]:
        """Returns the neurons of the device by name."""
        return self.neuron.updates if self.neuron is not None else {}

    @property
    def spike_kinds(self) -> tuple[SpikeKind, ...]:
        """Returns the kinds of spikes that neurons emit; none where they are not specified."""
        return self.spike.kinds if self.spike is not None else ()

    @property
    def preferred(self) -> dict[str, Any]:
        """Returns the values of the preferences by name."""
        return {name: quantity.value for name, quantity in self.preferences.items()}

    @cached_property
    def entries(self) -> dict[str, Any]:
        """Cache of fields that were read, by path."""
        return {}

    def entry(self, path: str) -> Any:
        """Returns the content of a field by its path; None if it is absent. An unknown path is a defect of the caller."""
        if path not in self.entries:
            found: Any = self
            for step in path.split("."):
                if found is None:
                    break
                found = cast("dict[str, Any]", found).get(step) if isinstance(found, dict) else getattr(found, step)
            self.entries[path] = found
        return self.entries[path]

    def quantity(self, path: str) -> Quantity | None:
        """Returns a fact by its path, `core.neurons`; None if it is absent. An unknown path is a defect of the caller."""
        found = self.entry(path)
        assert found is None or isinstance(found, Quantity), path
        return found

    def number(self, path: str) -> int | float | None:
        """Returns a number by its path, in the unit of its field; None if it is unknown, which means no limit."""
        found = self.quantity(path)
        value = None if found is None else found.value
        assert value is None or isinstance(value, int | float), path
        return value

    def integer(self, path: str) -> int | None:
        """Returns the number of an integer field; None if it is unknown."""
        value = self.number(path)
        assert value is None or isinstance(value, int), path
        return value

    def cite(self, path: str) -> str:
        """Returns the declaration of a limit for messages: `asic/edge, core.neurons`."""
        found = self.entry(path)
        source_field = found.source if isinstance(found, Quantity) else None
        by = "set by the user" if path in self.overridden else self.sources.get(source_field or "", "")
        return f"{self.key}, {path}" + (f": {by}" if by else "")

    def limit_facts(self, path: str, value: float | None = None, limit: float | None = None) -> dict[str, Any]:
        """Returns the parts of a finding about a field: its declaration, its path, its limit, and the value that exceeds it."""
        return {"source": self.cite(path), "path": path, "limit": limit, "value": value}

    def is_open(self, path: str) -> bool:
        """Returns whether a user may override a field: on the user's own device, or if its value is assumed."""
        found = self.entry(path)
        return self.naming.key != self.key or (isinstance(found, Quantity) and found.confidence == "assumed")

    def as_json(self) -> dict[str, Any]:
        """Returns the content of a self-contained device file, without absent fields."""
        made: dict[str, Any] = without_absent(asdict(self, filter=lambda one, _: "about" in one.metadata))
        for update in made.get("neuron", {}).get("updates", {}).values():
            update.pop("file", None)  # the record contains its text
        return made

    @cached_property
    def text(self) -> str:
        """Returns the description as JSON. The order of members is kept, because the first fitting neuron is used."""
        return json.dumps(self.as_json())

    @cached_property
    def derived(self) -> dict[Callable[..., Any], Any]:
        """Returns the objects derived from the device, by class."""
        return {}

    def derive(self, kind: Callable[[Device], Derived]) -> Derived:
        """Returns the object of a class that is derived from the device. It is created once."""
        if kind not in self.derived:
            self.derived[kind] = kind(self)
        return self.derived[kind]

    @property
    def digest(self) -> str:
        """Returns a hash of the description, including overrides."""
        return sha256(json.dumps(self.as_json(), sort_keys=True).encode()).hexdigest()


SAID_BY_BEING_EMPTY = frozenset(["plasticity", "families"])
"""Fields with a meaningful empty value: no learning rule, no family."""


def without_absent(data: Any) -> Any:
    """Removes the absent fields of a record. The value of a fact stays, also null, and so do the fields of `SAID_BY_BEING_EMPTY`."""
    if isinstance(data, dict):
        given = cast("dict[str, Any]", data)
        return {
            k: without_absent(v)
            for k, v in given.items()
            if (v is not None and (v not in ({}, (), []) or k in SAID_BY_BEING_EMPTY)) or k == "value"
        }
    if isinstance(data, (list, tuple)):
        return [without_absent(item) for item in cast("list[Any]", data)]
    return data


QUANTITIES = {
    "fan_in": ("synapses", "synapses of one neuron"),
    "fan_out": ("cores", "target cores of one neuron"),
    "neurons": ("neurons", "neurons of the vertex"),
    "synapses": ("synapses", "synapses into the vertex"),
    "input_axons": ("axons", "sources of spikes into the vertex"),
    "output_axons": ("axons", "pairs of a neuron of the vertex and one of its target cores"),
    "weight_bits": ("bit", "bits of a weight"),
    "weight_exponent": ("1", "the greatest exponent of the weights of a table"),
    "state_bits": ("bit", "bits of the widest state"),
    "payload_bits": ("bit", "bits of a spike's payload"),
    "delay": ("ticks", "the longest delay"),
    "synapse_bytes": ("byte", "memory of the synapses"),
    "neuron_bytes": ("byte", "memory of states and parameters"),
    "axon_bytes": ("byte", "memory of axons"),
    **{
        f"convolution_{one.name}": (one.metadata["range"].unit, f"{one.metadata['about']}, stored as a convolution")
        for one in fields_of(Convolution)
    },
}
"""Quantities of contracts in addition to the numbers of the device: unit and meaning by name."""
