"""What a device description holds, as records; the schema, the reader, `--set` and the generated pages all walk these.

A field says what it means (`about`) and, if it holds a number, in which unit, in which range, and whether it is whole. Numbers are
`Quantity`s: a value with a source and how sure that is. A section or a number that is not there says nothing, and what is not known
is no limit. Names of fields are the paths of `--set` and of contracts: `core.neurons`, `synapse.delay.max`.

Source: the format is ours.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, Literal, cast

from attrs import asdict, field, frozen

from .fields import Quantity, Range, Scalar, cited, listed, named, needed, noted, number, said

SCHEMA = "nopt.device/1"
Tier = Literal["exact", "windowed", "nominal"]
Layout = Literal["dense", "sparse", "convolution"]
SpikeKind = Literal["binary", "count", "graded"]
Content = Literal["synapses", "neurons", "parameters", "axons", "routes", "delays", "plasticity", "code"]
Place = Literal["chip", "host"]
Feature = Literal[
    "activation_bits",
    "delay",
    "fan_in",
    "fan_out",
    "graded",
    "latency",
    "parameters",
    "plasticity",
    "recurrence",
    "update",
    "weight_bits",
    "weight_format",
]


@frozen
class Fidelity:
    """What the models of this device promise: `exact` bit for bit, `windowed` equal counts per window, `nominal` within a tolerance."""

    tier: Tier = needed("exact, windowed or nominal")
    source: str = cited()
    window: Quantity | None = number("windowed: ticks over which counts are equal", "ticks", 1)
    tolerance: Quantity | None = number("nominal: the largest relative error of the published equations", whole=False)
    note: str | None = noted()


@frozen
class Tick:
    """How long one tick lasts; for devices that have ticks."""

    min: Quantity | None = number("the shortest tick", "ns", 1)
    max: Quantity | None = number("the longest tick", "ns", 1)
    default: Quantity | None = number("the tick that the device runs with unless told otherwise", "ns", 1)


# ---- where neurons sit


@frozen
class Grid:
    """A rectangle of places: x goes from 0 to width - 1, y from 0 to height - 1."""

    width: Quantity | None = number("places along x", low=1)
    height: Quantity | None = number("places along y", low=1)


@frozen
class Spot:
    """A core by its place."""

    x: int = needed("from 0", range=Range("1"))
    y: int = needed("from 0", range=Range("1"))
    source: str = cited()
    chip: int = said("from 0; chips are numbered along x first", default=0, range=Range("1"))
    note: str | None = noted()


@frozen
class Routers:
    """What carries spikes from core to core; one router beside each core."""

    source: str = cited()
    order: Literal["x-first", "y-first"] = said("which way a spike goes first", default="x-first")
    is_multicast: bool = said("whether a spike may part on its way, so that it takes each link once", default=True)
    entries: Quantity | None = number("routes that one router holds", "entries")
    note: str | None = noted()


@frozen
class Topology:
    """Chips, their cores, and what connects them."""

    chips: Quantity | None = number("chips of the whole device", "chips", 1)
    cores: Quantity | None = number(
        "cores of the whole device, those of all chips and faulty ones included", "cores", 1
    )
    mesh: Grid | None = said("how the cores of one chip lie; core = y * width + x")
    chip_mesh: Grid | None = said("how the chips lie, for parts of several")
    routers: Routers | None = said("how spikes travel")
    faulty: tuple[Spot, ...] = listed("cores that do not work")
    reserved: tuple[Spot, ...] = listed("cores that something else uses")


@frozen
class Region:
    """Memory of each core."""

    bytes: Quantity | None = number("its size", "byte")
    holds: tuple[Content, ...] = listed("what may live there")
    note: str | None = noted()


@frozen
class Shared:
    """Parameters that neurons of one core have in common."""

    parameters: tuple[str, ...] = needed("names, as the updates of the device call them")
    classes: Quantity | None = number("different sets of values that one core holds", "classes", 1)


@frozen
class Core:
    """What one core can hold."""

    neurons: Quantity | None = number("neurons of one core", "neurons", 1)
    fan_in: Quantity | None = number("synapses of one neuron", "synapses", 1)
    fan_out: Quantity | None = number("cores that one neuron can send to", "cores", 1)
    input_axons: Quantity | None = number("sources that one core can listen to", "axons", 1)
    output_axons: Quantity | None = number(
        "pairs of a neuron and a core that it sends to, for all neurons of a core", "axons", 1
    )
    memory_bytes: Quantity | None = number("memory of one core, the sum of its regions", "byte")
    memory: dict[str, Region] = named("regions of that memory by name")
    shared: dict[str, Shared] = named("parameters that neurons share, by a name for each group")


# ---- what neurons and synapses compute


@frozen
class Delay:
    """Effective ticks: 1 arrives in the next tick."""

    min: Quantity | None = number("the shortest delay", "ticks")
    max: Quantity | None = number("the longest delay", "ticks")


@frozen
class Format:
    """A way to store synapses."""

    layout: Layout = needed(
        "dense: every pair of an axon and a neuron; sparse: those that are there; convolution: kernels"
    )
    dtype: str = needed("one of `synapse.dtypes`")
    entry_bits: Quantity | None = number("memory that one synapse takes, its index included", "bit")
    note: str | None = noted()


@frozen
class Synapse:
    """Weights and their delays."""

    dtypes: tuple[str, ...] = listed("types of weights: i4 is signed with 4 bits, u1 binary, f32 a float")
    bits: Quantity | None = number("bits of the widest weight", "bit", 1)
    formats: dict[str, Format] = named("how synapses are stored, by a name for each way")
    delay: Delay | None = said("delays that a synapse can have")


@frozen
class Update:
    """How neurons change in one tick, in the neuron language; the name of the entry is the neuron's."""

    families: tuple[str, ...] = needed("families that it serves, as the neuron declares them: if, lif, cuba_lif, …")
    source: str = cited()
    text: tuple[str, ...] = listed("the lines of the neuron, or `file`")
    file: str | None = said("a .neuron file beside the device file, or `text`")
    options: dict[str, str] = named("values of the neuron's options")
    note: str | None = noted()


@frozen
class Neurons:
    """What neurons compute."""

    dtypes: tuple[str, ...] = listed("types of parameters")
    updates: dict[str, Update] = named("neurons that the device has, by name")


@frozen
class Spikes:
    """What neurons send."""

    kinds: tuple[SpikeKind, ...] = listed(
        "binary: a spike or none; count: several in one tick; graded: a spike with a number"
    )
    dtypes: tuple[str, ...] = listed("types of what a spike carries: u1 for binary ones")
    payload_bits: Quantity | None = number("bits of the widest number that a spike carries; 0 for binary ones", "bit")
    most: Quantity | None = number("count: spikes of one neuron in one tick", "spikes", 1)


@frozen
class Plasticity:
    """A rule by which weights change while the device runs."""

    rule: Literal["stdp", "reward", "homeostasis", "programmable"] = needed("what kind of rule")
    where: Place = needed("who computes it: chip or host")
    source: str = cited()
    trace_bits: Quantity | None = number("bits of a trace", "bit", 1)
    constraints: tuple[str, ...] = listed("contracts that plastic synapses must keep")
    note: str | None = noted()


@frozen
class Store:
    """Memory outside of the cores."""

    where: Place = needed("chip or host")
    bytes: Quantity | None = number("its size, for one chip or for the whole host", "byte")
    holds: tuple[Content, ...] = listed("what may live there")
    note: str | None = noted()


# ---- how it runs


@frozen
class Execution:
    """What drives the device."""

    mode: Literal["time-stepped", "event-driven", "continuous"] = needed(
        "what makes a neuron change: ticks, events, or physics"
    )
    granularity: Literal["neuron", "core", "layer", "chip"] = needed("what is scheduled as one")
    source: str = cited()
    parallelism: Quantity | None = number("neurons that one core updates at a time", "neurons", 1)
    note: str | None = noted()


@frozen
class Quantization:
    """What makers of the device advise."""

    source: str = cited()
    weight_bits: Quantity | None = number("bits of weights", "bit", 1)
    activation_bits: Quantity | None = number("bits of what neurons send", "bit", 1)
    per: Literal["tensor", "row", "column", "neuron", "population"] = said("what shares a scale", default="tensor")
    scale: Literal["float", "power-of-two"] = said("what a scale may be", default="float")
    note: str | None = noted()


@frozen
class Fallback:
    """What to do where a network needs what the device lacks."""

    passes: str = needed("a pipeline, as `nopt FILE -p` takes it")
    note: str | None = noted()


@frozen
class Energy:
    """Energy coefficients."""

    spike: Quantity | None = number("to send a spike", "pJ/spike", whole=False)
    hop: Quantity | None = number("to move a spike over one link", "pJ/hop", whole=False)
    synapse: Quantity | None = number("to add one weight", "pJ/event", whole=False)
    update: Quantity | None = number("to update one neuron", "pJ/update", whole=False)
    idle: Quantity | None = number("power of a chip that does nothing", "mW", whole=False)


@frozen
class Latency:
    """Latency coefficients."""

    hop: Quantity | None = number("to move a spike over one link", "ns/hop", whole=False)
    synapse: Quantity | None = number("to add one weight", "ns/event", whole=False)
    update: Quantity | None = number("to update one neuron", "ns/update", whole=False)


@frozen
class Objective:
    """What placement and routing make small: the weights of a sum."""

    hop: Quantity | None = number("a spike over a link", whole=False)
    crossing: Quantity | None = number("a spike from chip to chip, beside its hops", whole=False)


@frozen
class Cost:
    """What running costs, and what mapping makes small."""

    energy: Energy | None = said("energy coefficients")
    latency: Latency | None = said("latency coefficients")
    objective: Objective | None = said("weights of what mapping makes small")


@frozen
class Constraint:
    """A limit that no field can say."""

    expression: str = needed("in the contract language")
    source: str = cited()
    note: str | None = noted()


# ---- all of it


@frozen
class Naming:
    """How IR and pipelines name a device: `TARGET/NAME` or the path of its file, and the settings of the user."""

    key: str
    settings: tuple[str, ...] = ()


@frozen
class Device:
    """A device description.

    Errors: DEV002, DEV003, DEV006 to DEV009 while it is loaded.
    """

    schema: Literal["nopt.device/1"] = needed("the version of this format")
    target: str = needed("the target that compiles for it; one known only by its device file has the target `asic`")
    name: str = needed("lower case; `--target TARGET/NAME` is the device")
    summary: str = needed("one line")
    sources: dict[str, str] = needed("where its numbers come from, by a short name for each")
    fidelity: Fidelity = needed("what its models promise")
    tick: Tick | None = said("how long a tick lasts")
    topology: Topology | None = said("chips and cores")
    core: Core | None = said("what one core can hold")
    synapse: Synapse | None = said("weights and delays")
    neuron: Neurons | None = said("what neurons compute")
    spike: Spikes | None = said("what neurons send")
    plasticity: dict[str, Plasticity] | None = said(
        "rules by name; empty: the device has none; absent: nothing is said"
    )
    memory: dict[str, Store] = named("memory outside of the cores, by name")
    execution: Execution | None = said("what drives it")
    quantization: Quantization | None = said("advice for what is quantised")
    fallbacks: dict[Feature, Fallback] = named("what to do where a network needs what the device lacks")
    features: dict[str, Quantity] = named("what it can do, for the target's own code; `recurrence` is known to all")
    preferences: dict[str, Quantity] = named("what it likes; each steers the target's code")
    cost: Cost | None = said("what running costs")
    constraints: tuple[Constraint, ...] = listed("limits that no field can say")
    overridden: dict[str, Scalar] = named("what `--set` changed, by its path")
    named_as: Naming | None = field(default=None, eq=False)
    """How the user named it; not a part of the description."""

    @property
    def key(self) -> str:
        """`TARGET/NAME`, as `--target` takes it."""
        return f"{self.target}/{self.name}"

    @property
    def naming(self) -> Naming:
        """How a pipeline names the device."""
        return self.named_as or Naming(self.key)

    @property
    def preferred(self) -> dict[str, Any]:
        """The values of the preferences by name."""
        return {name: quantity.value for name, quantity in self.preferences.items()}

    def quantity(self, path: str) -> Quantity | None:
        """A fact by its path, `core.neurons`; None where nothing is said. A path that no record has is a defect of the caller."""
        found: Any = self
        for step in path.split("."):
            if found is None:
                return None
            found = cast("dict[str, Any]", found).get(step) if isinstance(found, dict) else getattr(found, step)
        assert found is None or isinstance(found, Quantity), path
        return found

    def number(self, path: str) -> int | float | None:
        """A number by its path, in the unit of its field; None where it is not known, which is no limit."""
        found = self.quantity(path)
        value = None if found is None else found.value
        assert value is None or isinstance(value, int | float), path
        return value

    def whole(self, path: str) -> int | None:
        """A number of a field that holds integers; None where it is not known."""
        value = self.number(path)
        assert value is None or isinstance(value, int), path
        return value

    def cite(self, path: str) -> str:
        """Where a limit is declared, as messages say it: `asic/edge, core.neurons`."""
        found = self.quantity(path)
        by = "set by the user" if path in self.overridden else self.sources.get((found and found.source) or "", "")
        return f"{self.key}, {path}" + (f": {by}" if by else "")

    def as_json(self) -> dict[str, Any]:
        """What a device file of it holds, without files beside it; what is absent is left out."""
        made: dict[str, Any] = without_absent(asdict(self, filter=lambda one, _: "about" in one.metadata))
        for update in made.get("neuron", {}).get("updates", {}).values():
            update.pop("file", None)  # its text stands in the record
        return made

    @property
    def digest(self) -> str:
        """A hash of all that the device says, overrides included."""
        return sha256(json.dumps(self.as_json(), sort_keys=True).encode()).hexdigest()


SAID_BY_BEING_EMPTY = frozenset(["plasticity", "families"])
"""Fields of which an empty value has a meaning: no learning rule, no family."""


def without_absent(data: Any) -> Any:
    """Removes the absent fields of a record. The value of a fact stays, also null, and so do the fields of `SAID_BY_BEING_EMPTY`."""
    if isinstance(data, dict):
        given = cast("dict[str, Any]", data)
        return {
            k: without_absent(v)
            for k, v in given.items()
            if (v is not None and (v not in ({}, (), []) or k in SAID_BY_BEING_EMPTY)) or k == "value"
        }
    if isinstance(data, list | tuple):
        return [without_absent(item) for item in cast("list[Any]", data)]
    return data


QUANTITIES = {
    "fan_in": ("synapses", "synapses of one neuron"),
    "fan_out": ("cores", "cores that one neuron sends to"),
    "neurons": ("neurons", "neurons of the vertex"),
    "synapses": ("synapses", "synapses into the vertex"),
    "input_axons": ("axons", "sources that the vertex listens to"),
    "output_axons": ("axons", "pairs of a neuron of the vertex and a core that it sends to"),
    "weight_bits": ("bit", "bits of a weight"),
    "state_bits": ("bit", "bits of the widest state"),
    "payload_bits": ("bit", "bits that a spike carries"),
    "delay": ("ticks", "the longest delay"),
    "synapse_bytes": ("byte", "memory of the synapses"),
    "neuron_bytes": ("byte", "memory of states and parameters"),
    "axon_bytes": ("byte", "memory of axons"),
}
"""What a contract can say about what is verified, beside the numbers of the device: unit and meaning by name."""
