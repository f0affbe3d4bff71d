"""Records of a device description about synapses: weights, delays, and the storage formats of synapse tables.

Source: this project defines the format.
"""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from .fields import Quantity, list_field, note_field, number_field, optional_field, record_fields, required_field

Layout = Literal["dense", "sparse", "convolution"]
SignMode = Literal["mixed", "excitatory", "inhibitory"]
Rounding = Literal["unit", "power-of-two"]


@frozen
class Delay:
    """Effective ticks: a delay of 1 arrives in the next tick."""

    min: Quantity | None = number_field("the shortest delay", "ticks")
    max: Quantity | None = number_field("the longest delay", "ticks")


@frozen
class Block:
    """Blocks of memory in which the entries of one axon are stored. The last word of a block is padded."""

    entries: Quantity | None = number_field("entries of a full block", "entries", 1)
    header_bits: Quantity | None = number_field("bits before the entries of a block", "bit")
    word_bits: Quantity | None = number_field("bits of a word; a block takes whole words", "bit", 1)


@frozen
class Format:
    """A storage format of synapses."""

    layout: Layout = required_field(
        "dense: every pair of an axon and a neuron; sparse: existing synapses only; convolution: kernels"
    )
    dtype: str = required_field("one of `synapse.dtypes`")
    entry_bits: Quantity | None = number_field("memory of one synapse, including its index", "bit")
    delay_bits: Quantity | None = number_field(
        "additional memory of one synapse in a table with a delay beyond `synapse.delay.min`", "bit", has_default=True
    )
    block: Block | None = optional_field(
        "blocks of the entries of one axon; default: the entries of a table follow each other", has_default=True
    )
    word: tuple[str, ...] = list_field(
        "fields of an entry from the lowest bit, as NAME:BITS: weight, neuron, delay and unused; default: as the layout needs"
    )
    unit_bytes: Quantity | None = number_field(
        "the memory of a table is a multiple of it; default: entries are packed without gaps",
        "byte",
        1,
        has_default=True,
    )
    rounding: Rounding | None = optional_field(
        "unit: the memory of a table is rounded up to units, the default; power-of-two: to a power of two of them, or of bytes without a unit"
    )
    memory: str | None = optional_field(
        "the store of `memory` that holds tables in this format; default: the memory of the core"
    )
    note: str | None = note_field()


@frozen
class WeightExponent:
    """Exponents of tables: a table stores `weight = mantissa * 2^exponent`, with one exponent for all its weights."""

    min: Quantity | None = number_field("the least exponent, at most 0", low=None)
    max: Quantity | None = number_field("the greatest exponent, at least 0")


@frozen
class Convolution:
    """The largest window of a table in the layout `convolution`. A pool is a convolution with one group for each channel.

    A projection beyond a limit is stored in another layout.
    """

    kernel: Quantity | None = number_field("taps of a kernel along one axis", "taps", 1)
    stride: Quantity | None = number_field("distance between two positions of a kernel along one axis", "elements", 1)
    padding: Quantity | None = number_field("padding on one side of a map", "elements")
    dilation: Quantity | None = number_field("distance between two taps of a kernel along one axis", "elements", 1)
    channels_in: Quantity | None = number_field("channels that a convolution reads", "channels", 1)
    channels_out: Quantity | None = number_field("channels of its result", "channels", 1)
    groups: Quantity | None = number_field("groups of its channels", "groups", 1)


@frozen
class Synapse:
    """Weights and their delays."""

    dtypes: tuple[str, ...] = list_field("types of weights: i4 is signed with 4 bits, u1 binary, f32 a float")
    bits: Quantity | None = number_field("bits of the widest weight", "bit", 1)
    sum_bits: Quantity | None = number_field(
        "bits of the sum of the weights of one sign into a neuron in one tick, which saturates or wraps; default: a sum holds all weights",
        "bit",
        1,
        has_default=True,
    )
    currents: Quantity | None = number_field(
        "numbers that the synapses of a core share: a weight is the sum of a subset of them; default: any weight",
        "1",
        1,
        has_default=True,
    )
    inhibitory_currents: Quantity | None = number_field(
        "the last of `currents`, of which negative weights are sums, while the others are for positive weights; default: all are for both",
        "1",
        1,
        has_default=True,
    )
    words: Quantity | None = number_field(
        "synapses that a weight takes at most, if each selects one of `currents` alone: their currents are added; default: a synapse selects a subset",
        "1",
        1,
        has_default=True,
    )
    formats: dict[str, Format] = record_fields("storage formats of synapses, by name")
    weight_exponent: WeightExponent | None = optional_field(
        "exponents of the weights of a table; default: weights are stored as they are", has_default=True
    )
    sign_modes: tuple[SignMode, ...] = list_field(
        "signs of the weights of one table: mixed, excitatory (0 and more) or inhibitory (0 and less); default: mixed"
    )
    has_bias: bool = optional_field("whether a core can add a constant to each sum in every tick", default=True)
    convolution: Convolution | None = optional_field("the largest convolution of a table in the layout `convolution`")
    delay: Delay | None = optional_field("range of delays of a synapse")
