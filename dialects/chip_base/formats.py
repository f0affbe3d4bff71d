"""Memory of tables of synapses in the formats of a device, and the format in which each slice stores a chain.

    dense: an entry for each pair of an axon and a neuron        sparse: an entry for each synapse        convolution: one for each weight of a kernel

The entries of a table follow each other, or those of one axon fill blocks of memory words:

    memory of an axon = sum over its blocks of word_bits * ceil((header_bits + entries * entry_bits) / word_bits)

Source: blocks as in nengo-loihi 1.1.0, block.py, Synapse.bits_per_axon.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
from attrs import frozen

from ...core.arrays.numeric import Ints
from ...core.device.dtypes import dtype_bits
from ...core.device.features import WINDOWS
from ...core.device.fields import Quantity
from ...core.device.outside_memory import STORE
from ...core.device.records import Device
from ...core.device.synapse_records import Format, SignMode
from .chains import ChainCounts
from .connectivity import Arrivals
from .slicing import Slicing
from .weights import Mantissas

REAL = re.compile(r"b?f\d+")
MOST_TABLE_BITS = 2**48
"""Largest memory of a table [bit] that is distinguished, so that sums of tables are whole numbers of 64 bits."""
MOST_EXPONENT = 62
"""The greatest exponent of 64-bit weights, where a device publishes no limit."""

AxonRows = tuple[Ints, Ints]
"""Different numbers of entries of one axon, and how many axons have each."""


@frozen(order=True)
class TableFormat:
    """Storage format of a table. A core supports a limited number of different formats."""

    name: str
    exponent: int
    sign: SignMode
    is_delayed: bool
    learns: bool


# ---- widths and exponents


def weight_limit(device: Device) -> tuple[str, int] | None:
    """Returns the weight width that a device recommends, else the width that it stores, preceded by the field that declares it.

    None if it stores reals and recommends nothing.
    """
    if (advised := device.integer("quantization.weight_bits")) is not None:
        return "quantization.weight_bits", advised
    has_reals = device.synapse is not None and any(REAL.fullmatch(dtype) for dtype in device.synapse.dtypes)
    held = device.integer("synapse.bits")
    return None if held is None or has_reals else ("synapse.bits", held)


def stored_bits(device: Device, bits: int) -> int:
    """Returns the stored width of weights: their width, at most the device's limit. Wider weights have to be quantised first."""
    limit = weight_limit(device)
    return bits if limit is None else min(bits, limit[1])


def exponent_limit(device: Device) -> int:
    """Returns the greatest exponent of the weights of a table; 0 if the device has none."""
    if device.synapse is None or device.synapse.weight_exponent is None:
        return 0
    limit = device.integer("synapse.weight_exponent.max")
    return MOST_EXPONENT if limit is None else limit


def least_exponent(bits: Mantissas, width: int, limit: int = MOST_EXPONENT) -> int | None:
    """Returns the least exponent whose mantissas fit into a width; None if no exponent up to the limit suffices."""
    return next((k for k, n in enumerate(bits[: limit + 1]) if n <= width), None)


def formats_for(device: Device, bits: Mantissas) -> dict[str, Format]:
    """Returns the synapse formats whose type can store weights of some width, or their mantissas.

    If no format can, the result is the formats for the width that the device would store, else all formats. Another limit refuses such weights.
    """
    formats = device.synapse.formats if device.synapse is not None else {}
    widths = {name: dtype_bits(one.dtype) or 0 for name, one in formats.items()}
    limit = exponent_limit(device)
    for some in (bits, (stored_bits(device, bits[0]),)):
        if wide := [name for name, width in widths.items() if least_exponent(some, width, limit) is not None]:
            return {name: formats[name] for name in wide}
    return formats


def entry_bits(device: Device, bits: Mantissas) -> int:
    """Returns the memory of one weight in the smallest format [bit]; the weight's own width if the device does not specify entry sizes."""
    entries = [integer(format.entry_bits) for format in formats_for(device, bits).values()]
    return min((entry for entry in entries if entry is not None), default=min(bits))


# ---- windows of convolutions


def find_wide_window(sizes: Mapping[str, int], device: Device) -> tuple[str, int, int] | None:
    """Returns the first field of `synapse.convolution` that windows exceed, with its limit and their number; None if there is none."""
    for need, found in window_needs(sizes).items():
        if (limit := device.integer(WINDOWS[need])) is not None and found > limit:
            return WINDOWS[need], limit, found
    return None


def window_needs(sizes: Mapping[str, int]) -> dict[str, int]:
    """Returns the needs of a table in the convolution layout with these windows."""
    return {f"convolution_{name}": n for name, n in sizes.items()}


# ---- memory


def memory_need(format: Format) -> str:
    """Returns the need that tables in a format add to."""
    return "synapse_bytes" if format.memory is None else f"{STORE}{format.memory}"


def table_bits(device: Device, name: str, rows: AxonRows, *, is_delayed: bool) -> int | None:
    """Returns the memory of a table in a format [bit]; None if the device does not specify the memory of an entry."""
    format = device.synapse.formats[name] if device.synapse is not None else None
    entry = None if format is None else integer(format.entry_bits)
    if format is None or entry is None:
        return None
    entry += (integer(format.delay_bits) or 0) if is_delayed else 0
    numbers, often = rows
    bits = int(numbers @ often) * entry
    if (block := format.block) is not None:
        most = integer(block.entries) or int(numbers.max(initial=1))
        header, word = integer(block.header_bits) or 0, integer(block.word_bits) or 1
        full, rest = np.divmod(numbers, most)
        sizes = [
            full * (-(-(header + most * entry) // word)),
            np.where(rest > 0, -(-(header + rest * entry) // word), 0),
        ]
        bits = int(sum(sizes) @ often) * word
    return round_table(format, bits)


def integer(given: Quantity | None) -> int | None:
    """Returns the integer of a quantity; None if it is unknown."""
    return given.value if given is not None and isinstance(given.value, int) else None


def round_table(format: Format, bits: int) -> int:
    """Returns the memory of a table after its size is rounded up to the units of a format [bit]."""
    unit = integer(format.unit_bytes)
    is_power = format.rounding == "power-of-two"
    if unit is None and not is_power:
        return bits
    each = 8 * (unit or 1)
    count = -(-bits // each)
    return each * (1 << (count - 1).bit_length() if count and is_power else count)


def has_delays(longest: int, device: Device) -> bool:
    """Returns whether a table needs memory for delays, because its longest delay exceeds the shortest delay of the device."""
    return longest > (device.integer("synapse.delay.min") or 0)


def memory_of_formats(one: ChainCounts, sizes: Ints, device: Device) -> dict[str, Ints]:
    """Returns the bits that each slice needs in each format that can store a chain. Shapes: sizes [slices]: neurons."""
    delayed = [has_delays(longest, device) for longest in one.high.max(axis=1, initial=0).tolist()]
    rows: dict[str, list[AxonRows]] = {
        "sparse": one.rows,
        "dense": [(np.array([n]), np.array([axons])) for n, axons in zip(sizes, one.slice_axons, strict=True)],
    }
    if one.kernel_entries is not None and find_wide_window(one.window_sizes, device) is None:
        rows["convolution"] = [(np.array([one.kernel_entries]), np.array([1]))] * len(sizes)
    found: dict[str, Ints] = {}
    for name, format in formats_for(device, one.mantissas).items():
        if format.layout not in rows:
            continue
        pairs = zip(rows[format.layout], delayed, strict=True)
        bits = [table_bits(device, name, some, is_delayed=is_delayed) for some, is_delayed in pairs]
        if None not in bits:
            found[name] = np.array([min(one, MOST_TABLE_BITS) for one in bits if one is not None], np.int64)
    return found


def synapse_memory(slicing: Slicing, found: Arrivals, device: Device | None) -> dict[str, Ints] | None:
    """Returns the memory of the synapses of each slice, each chain in its smallest format, by need [bit].

    None if the device does not specify it.
    """
    if device is None or device.synapse is None or not found.chains:
        return None
    formats, none = device.synapse.formats, np.zeros(len(slicing.boxes), np.int64)
    total = {need: none.copy() for need in ("synapse_bytes", *map(memory_need, formats.values()))}
    for one in found.chains:
        known = memory_of_formats(one, slicing.sizes, device)
        if not known:
            return None
        chosen = np.stack([*known.values()]).argmin(axis=0)
        for k, (name, bits) in enumerate(known.items()):
            total[memory_need(formats[name])] += np.where(chosen == k, bits, 0)
    return total


# ---- choice of a format


def smallest_formats(one: ChainCounts, sizes: Ints, device: Device) -> list[TableFormat] | None:
    """Returns the smallest storage format of a chain for each slice, as used for counting needs; None if the device specifies no formats."""
    known = memory_of_formats(one, sizes, device)
    if not known or device.synapse is None:
        return None
    names, bits = list(known), np.stack(list(known.values()))
    found: list[TableFormat] = []
    smallest: Ints = bits.argmin(axis=0)
    for k, longest in zip(smallest, one.high.max(axis=1, initial=0), strict=True):
        name = names[int(k)]
        width = dtype_bits(device.synapse.formats[name].dtype) or 0
        exponent = least_exponent(one.mantissas, width) or 0
        is_delayed, learns = has_delays(int(longest), device), one.learns
        found.append(TableFormat(name, exponent, one.sign, is_delayed, learns))
    return found
