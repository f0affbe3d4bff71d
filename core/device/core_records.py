"""Records of a device description about the cores of a chip, also of several kinds.

Source: this project defines the format.
"""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from .fields import (
    Quantity,
    list_field,
    note_field,
    number_field,
    optional_field,
    record_fields,
    required_field,
    source_field,
)

Content = Literal["synapses", "neurons", "parameters", "axons", "routes", "delays", "plasticity", "code"]
Place = Literal["chip", "host"]


@frozen
class Region:
    """Memory of each core."""

    bytes: Quantity | None = number_field("its size", "byte")
    holds: tuple[Content, ...] = list_field("its possible contents")
    note: str | None = note_field()


@frozen
class Shared:
    """Parameters that neurons of one core share."""

    parameters: tuple[str, ...] = required_field("names of parameters in the updates of the device")
    classes: Quantity | None = number_field("number of different sets of values on one core", "classes", 1)


@frozen
class Image:
    """A memory image of each core."""

    word: tuple[str, ...] = required_field("fields of a word from the lowest bit, as NAME:BITS")
    source: str = source_field()
    note: str | None = note_field()


@frozen
class Crossbar:
    """A crossbar of input axons and neurons: one switch for each pair.

    An axon has a type, and a neuron has one weight for each axon type: a synapse has the weight that its neuron assigns to the type
    of its axon, or does not exist.
    """

    source: str = source_field()
    axon_types: Quantity | None = number_field("types of axons; a neuron has one weight for each", low=1)
    note: str | None = note_field()


@frozen
class Core:
    """Capacity of one core."""

    neurons: Quantity | None = number_field("neurons of one core", "neurons", 1)
    vertices: Quantity | None = number_field("slices on a core; default: any number", "vertices", 1, has_default=True)
    fan_in: Quantity | None = number_field("synapses of one neuron", "synapses", 1)
    fan_out: Quantity | None = number_field("target cores of one neuron", "cores", 1)
    input_axons: Quantity | None = number_field("sources of spikes into one core", "axons", 1)
    output_axons: Quantity | None = number_field(
        "pairs of a neuron and one of its target cores, for all neurons of a core", "axons", 1
    )
    destinations: Quantity | None = number_field(
        "input axons that one neuron sends to, each with a delay; default: as many as `output_axons` allows",
        "axons",
        1,
        has_default=True,
    )
    merges_spikes: bool = optional_field(
        "whether spikes that arrive on one input axon in one tick count as one spike", default=False
    )
    crossbar: Crossbar | None = optional_field(
        "the crossbar of axons and neurons, in place of tables of synapses; default: each synapse has a weight of its own",
        has_default=True,
    )
    memory_bytes: Quantity | None = number_field("memory of one core, the sum of its regions", "byte")
    memory: dict[str, Region] = record_fields("regions of that memory by name")
    synapse_formats: Quantity | None = number_field(
        "different formats of the tables of one core: format, exponent and signs of the weights",
        "classes",
        1,
        has_default=True,
    )
    pre_traces: Quantity | None = number_field(
        "different traces of sources of plastic synapses on one core: impulse and time constant",
        "classes",
        1,
        has_default=True,
    )
    shared: dict[str, Shared] = record_fields("shared parameters, by the name of the group")
    images: dict[Literal["axons", "outputs", "rows"], Image] = record_fields(
        "bit layout of memory images: axons (axon, start, count), outputs (neuron, core, axon), and rows of a crossbar core (synapses, registers "
        "and destination of a neuron); default: as many bits as the device needs"
    )


# ---- cores of several kinds


@frozen
class KindRegion:
    """A region of `core.memory` on the cores of a kind."""

    bytes: Quantity | None = number_field("its size, at most that of `core.memory`", "byte", has_default=True)


@frozen
class CoreKind:
    """Cores with a smaller capacity than `core`, whose limits are the maxima over all kinds. A missing number defaults to the number in `core`."""

    cores: tuple[int, ...] = required_field("their numbers on each chip")
    source: str = source_field()
    neurons: Quantity | None = number_field("neurons of one core", "neurons", 1, has_default=True)
    fan_in: Quantity | None = number_field("synapses of one neuron", "synapses", 1, has_default=True)
    fan_out: Quantity | None = number_field("target cores of one neuron", "cores", 1, has_default=True)
    input_axons: Quantity | None = number_field("sources of spikes into one core", "axons", 1, has_default=True)
    output_axons: Quantity | None = number_field(
        "pairs of a neuron and one of its target cores, for all neurons of a core", "axons", 1, has_default=True
    )
    memory: dict[str, KindRegion] = record_fields("sizes of regions of `core.memory`, by name")
    note: str | None = note_field()
