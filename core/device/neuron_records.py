"""Records of a device description about neurons: their updates, their spikes, and the learning rules of their synapses.

Source: this project defines the format.
"""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from .core_records import Place
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

SpikeKind = Literal["binary", "count", "graded"]
RoundingKind = Literal["nearest", "stochastic", "shared"]


@frozen
class Update:
    """The update of neurons in one tick, in the neuron language; the entry has the name of the neuron."""

    families: tuple[str, ...] = required_field("families that the neuron declares: if, lif, cuba_lif, …")
    source: str = source_field()
    text: tuple[str, ...] = list_field("the lines of the neuron, or `file`")
    file: str | None = optional_field(
        "a .neuron file in the folder of the device file, or the name of one of nopt, or `text`"
    )
    options: dict[str, str] = record_fields("values of the neuron's options")
    note: str | None = note_field()


@frozen
class Neurons:
    """Computation of neurons."""

    dtypes: tuple[str, ...] = list_field("types of parameters")
    updates: dict[str, Update] = record_fields("neurons that the device has, by name")


@frozen
class Spikes:
    """Output of neurons."""

    kinds: tuple[SpikeKind, ...] = list_field(
        "binary: a spike or none; count: several in one tick; graded: a spike with a number"
    )
    dtypes: tuple[str, ...] = list_field("types of a spike's payload: u1 for binary ones")
    payload_bits: Quantity | None = number_field(
        "bits of the widest number that a spike carries; 0 for binary ones", "bit"
    )
    most: Quantity | None = number_field("count: spikes of one neuron in one tick", "spikes", 1)


@frozen
class ConstantExponent:
    """Exponents of the constants of a learning rule."""

    min: Quantity | None = number_field("the least exponent", low=None)
    max: Quantity | None = number_field("the greatest exponent", low=None)


@frozen
class Plasticity:
    """A learning rule: it changes weights while the device runs."""

    rule: Literal[
        "stdp",
        "stdp_nearest_pair",
        "triplet",
        "stdp_multiplicative",
        "reward",
        "homeostasis",
        "programmable",
        "integers",
    ] = required_field(
        "the kind of rule; stdp, stdp_nearest_pair and triplet: the shipped rule with its default options; stdp_multiplicative: stdp with the option dependence=multiplicative; integers: rules of the synapse language in integers, to which those of reals are lowered"
    )
    where: Place = required_field("the place of computation: chip or host")
    source: str = source_field()
    trace_bits: Quantity | None = number_field("bits of a trace", "bit", 1)
    impulse: Quantity | None = number_field("the number that a spike adds to a trace", low=1, has_default=True)
    mantissa_bits: Quantity | None = number_field(
        "bits of the mantissa of a learning constant, with its sign: a constant is mantissa * 2^exponent; default: constants are stored as they are",
        "bit",
        2,
        has_default=True,
    )
    exponent: ConstantExponent | None = optional_field("exponents of learning constants", has_default=True)
    register_bits: Quantity | None = number_field(
        "bits of a weight while it learns, without its sign; it saturates at the range of this register",
        "bit",
        1,
        has_default=True,
    )
    product_bits: Quantity | None = number_field(
        "bits of a product of a constant and its factors, as wide as they are; wider ones lose their lowest bits; default: all bits are kept",
        "bit",
        2,
        has_default=True,
    )
    rounding: RoundingKind | None = optional_field(
        "rounding of traces and weights; shared: stochastic, with one number for many of them; default: unspecified"
    )
    seed: Quantity | None = number_field("seed of stochastic rounding; default: 0", has_default=True)
    traces: tuple[str, ...] = list_field("traces of a programmable rule by name, first those of sources")
    axons: Quantity | None = number_field(
        "input axons that a source of plastic synapses takes; default: 1", "axons", 1, has_default=True
    )
    constraints: tuple[str, ...] = list_field("contracts on plastic synapses")
    note: str | None = note_field()
