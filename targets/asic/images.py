"""Memory images of the cores of an `asic.chip`, and which arrays of the chip each one holds.

| image | a word for | fields |
| --- | --- | --- |
| `FORMAT` | each entry of the tables in that format, table by table | weight, neuron and delay |
| `axons` | each axon of each table | axon, start: the first entry of the axon, or the place in the map of a convolution, and count: its entries |
| `outputs` | each destination of each group | neuron, core and axon |
| `neurons-K` | each neuron of group K | parameters and initial states that differ between neurons |

Neurons are numbered over all groups of a core.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

import numpy as np
from attrs import define, field, frozen
from xdsl.dialects.builtin import DictionaryAttr
from xdsl.ir import Attribute

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.device.device import Device
from ...core.device.register_fields import Field, Misfit, Word, declared_fields, index_field, synapse_word, whole_word
from ...dialects.asic import CoreOp, KernelOp, NeuronsOp, SparseOp, TableOp
from ...dialects.chip_base.needs import bits_of
from ...dialects.ntensor import UpdateOp, interval_of

AXONS, OUTPUTS = "axons", "outputs"


@define
class Image:
    """The words of one image, column by column."""

    columns: dict[str, list[AnyArray]] = field(factory=dict[str, list[AnyArray]])
    words: int = 0
    word: Word = field(factory=lambda: Word(()))

    def append(self, arrays: Mapping[str, AnyArray]) -> int:
        """Adds words and returns the index of the first. A column that other words have, or had, is zero here, or there."""
        first, count = self.words, max(len(array) for array in arrays.values())
        for name in dict.fromkeys((*self.columns, *arrays)):
            column = self.columns.setdefault(name, [np.zeros(first, np.int64)] if first else [])
            column.append(np.broadcast_to(arrays.get(name, np.zeros(1, np.int64)), (count,)))
        self.words += count
        return first

    @property
    def arrays(self) -> dict[str, AnyArray]:
        return {name: np.concatenate(parts) for name, parts in self.columns.items()}


@frozen(eq=False)
class Held:
    """Where an array of the chip is in the images of its core."""

    image: str
    field: str
    first: int
    base: int = 0
    """A number that is subtracted from each value."""


@frozen(eq=False)
class CoreImages:
    """The images of a core, and the places of arrays by op and name."""

    images: dict[str, Image]
    held: dict[tuple[int, str], Held]
    """By the identity of the op and the name of the array."""
    firsts: list[int]
    """The first neuron of each group."""

    def misfits(self) -> Iterator[tuple[str, Misfit]]:
        """Yields the name of an image and the first number of a field that cannot hold it."""
        for name, image in self.images.items():
            yield from ((name, misfit) for misfit in image.word.misfits(image.arrays))


def images_of(core: CoreOp, updates: Mapping[str, UpdateOp], device: Device) -> CoreImages:
    """Returns the images of a core."""
    found = CoreImages({}, {}, [])
    first = 0
    for k, group in enumerate(core.groups):
        found.firsts.append(first)
        for table in group.tables:
            add_table(found, table, first, device)
        add_outputs(found, group, first)
        add_neurons(found, group, f"neurons-{k}", updates[group.update.root_reference.data])
        first += group.size
    for name, image in found.images.items():
        if name in (AXONS, OUTPUTS):
            image.word = table_word(name, image, device)
    return found


def add_table(found: CoreImages, table: TableOp, first: int, device: Device) -> None:
    """Adds the entries and the axons of a table."""
    axons, arrays = table.axons.values, {"weight": table.weight.values.reshape(-1)}
    if isinstance(table, SparseOp):
        arrays["neuron"] = table.neuron.values.astype(np.int64) + first
        if table.delay.shape:
            arrays["delay"] = table.delay.values
        counts = np.bincount(table.axon.values, minlength=len(axons))
    else:
        counts = np.full(len(axons), 0 if isinstance(table, KernelOp) else table.weight.shape[1])
    if table.format is None:
        return
    name = table.format.data
    image = found.images.setdefault(name, Image(word=synapse_word(device, name)))
    start = image.append(arrays) if table.weight.data.size else image.words
    if table.weight.data.size:
        found.held[id(table), "weight"] = Held(name, "weight", start)
    if isinstance(table, SparseOp):
        found.held[id(table), "neuron"] = Held(name, "neuron", start, first)
        if table.delay.shape:
            found.held[id(table), "delay"] = Held(name, "delay", start)
    if not len(axons):
        return
    starts = start + np.cumsum(counts) - counts
    if isinstance(table, KernelOp):
        starts = table.sources.values
    row = found.images.setdefault(AXONS, Image()).append({"axon": axons, "start": starts, "count": counts})
    found.held[id(table), "axons"] = Held(AXONS, "axon", row)
    if isinstance(table, SparseOp):
        found.held[id(table), "counts"] = Held(AXONS, "count", row)
    if isinstance(table, KernelOp):
        found.held[id(table), "sources"] = Held(AXONS, "start", row)


def add_outputs(found: CoreImages, group: NeuronsOp, first: int) -> None:
    """Adds the destinations of a group."""
    axons = group.output_axons
    if axons is None or not axons.neuron.data.size:
        return
    arrays = {
        "neuron": axons.neuron.values.astype(np.int64) + first,
        "core": axons.core.values,
        "axon": axons.axon.values,
    }
    start = found.images.setdefault(OUTPUTS, Image()).append(arrays)
    for name in arrays:
        found.held[id(axons), name] = Held(OUTPUTS, name, start, first if name == "neuron" else 0)


def add_neurons(found: CoreImages, group: NeuronsOp, name: str, update: UpdateOp) -> None:
    """Adds the parameters and initial states that differ between the neurons of a group."""
    types = {"params": update.param_types, "initial": update.state_types}
    fields: list[Field] = []
    arrays: dict[str, AnyArray] = {}
    for part in types:
        for key, array in cast("DictionaryAttr", group.properties[part]).data.items():
            assert isinstance(array, ArrayAttr)  # verified
            if array.shape:
                fields.append(field_of(f"{part}.{key}", types[part][key], array.values))
                arrays[fields[-1].name] = array.values
                found.held[id(group), fields[-1].name] = Held(name, fields[-1].name, 0)
    if arrays:
        found.images[name] = Image(word=whole_word(fields))
        found.images[name].append(arrays)


def field_of(name: str, type: Attribute, values: AnyArray) -> Field:
    """Returns the field of a parameter or state of a type."""
    held = interval_of(type)
    if values.dtype.kind == "f" or held is None:
        return Field(name, 8 * values.dtype.itemsize)
    return Field(name, max(1, bits_of(type)), held.low < 0)


def table_word(name: str, image: Image, device: Device) -> Word:
    """Returns the word of the axons or the outputs of a core: as the device declares it, else with as many bits as needed."""
    declared = device.core.images if device.core is not None else {}
    if name in declared:
        return declared_fields(declared[name].word)
    return whole_word([index_field(key, int(array.max(initial=0))) for key, array in image.arrays.items()])
