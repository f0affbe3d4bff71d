"""Synaptic rows of the spinnaker dialect, as words of 32 bits in the memory of a chip.

    row = [words of plastic data = 0, synapses, words of plastic control = 0, word, word, …, 0, …]
    word = weight << 16 | delay << (index_bits + 1) | receptor << index_bits | neuron

1. A row belongs to a source neuron: that whose key has the place of the row in the bits outside of the mask.
2. All rows of a table have the length of the longest one. Words beyond the number of synapses are 0.
3. `receptor` is 0 for excitatory and 1 for inhibitory weights, which have no sign.
4. A delay of d ticks is stored modulo the slots of the ring buffer: as 0 if it is the number of slots.
5. Rows whose weights learn have another form (`learning.py`).

Source: sPyNNaker 7.4.1, neural_modelling/src/neuron/synapse_row.h; synapse_io.py; master_pop_table.py.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.irdl import ParsePropInAttrDict, irdl_op_definition, opt_prop_def, prop_def

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Ints
from ...core.diagnostics import Code
from ...core.ir.operation import NoptOperation
from ..chip_base.parts import refuse_chip
from .learning import TRIPLET, StdpAttr, TripletAttr, has_plastic_form, plastic_synapses, plastic_words

SPN001 = Code("SPN001", "synaptic-row-invalid", "a synaptic row is not one of the chip")

HEADER_WORDS = 3
"""Words of a row before its synapses. Source: synapse_io.py, _N_HEADER_WORDS."""
WEIGHT_SHIFT = 16
"""Bits of a word below the weight. Source: synapse_row.h."""
KEY_BITS = 32
BLOCK = 2**16
"""Synapses that are encoded or decoded at once."""
RING_MOST = 0xFFFF
"""The value at which an entry of a ring buffer saturates. Source: synapses.c, process_fixed_synapses."""


@frozen
class WordFormat:
    """The bits of a word below its weight."""

    index_bits: int
    delay_bits: int

    @property
    def slots(self) -> int:
        return 1 << self.delay_bits

    @property
    def ring_bits(self) -> int:
        """Returns the bits of an index into the ring buffers of both receptors."""
        return self.index_bits + 1 + self.delay_bits


@frozen(eq=False)
class Synapses:
    """Decoded rows. Shapes: source (a row), neuron, receptor, weight and delay [synapses], by row. Units: delay [ticks]."""

    source: Ints
    neuron: Ints
    receptor: Ints
    weight: Ints
    delay: Ints

    def part(self, some: slice) -> Synapses:
        """Returns some of the synapses."""
        return Synapses(*(one[some] for one in (self.source, self.neuron, self.receptor, self.weight, self.delay)))

    def low(self, format: WordFormat) -> Ints:
        """Returns the bits of the words below the weights."""
        delay = self.delay & (format.slots - 1)  # 4
        return delay << (format.index_bits + 1) | self.receptor << format.index_bits | self.neuron


def unsigned(words: AnyArray) -> Ints:
    """Returns the numbers that stored words of 32 bits are."""
    return words.astype(np.int64) & 0xFFFFFFFF


def encode(found: Synapses, rows: int, format: WordFormat, *, rule: StdpAttr | None = None) -> tuple[AnyArray, int]:
    """Returns the words of synapses, which are sorted by row and learn by a rule, and the length of a row. Shapes: words [rows, header + length]."""
    if rule is not None:
        return plastic_words(HEADER_WORDS, rule.data_header, found.source, found.weight, found.low(format), rows)
    count = np.bincount(found.source, minlength=rows)
    length = int(count.max(initial=0))
    words = np.zeros((rows, HEADER_WORDS + length), np.uint32)
    words[:, 1] = count
    first = np.cumsum(count) - count
    for start in range(0, len(found.source), BLOCK):
        some = found.part(slice(start, start + BLOCK))
        column = HEADER_WORDS + start + np.arange(len(some.source)) - first[some.source]
        words[some.source, column] = some.weight << WEIGHT_SHIFT | some.low(format)
    return words.view(np.int32), length


def decode(words: AnyArray, format: WordFormat, *, rule: StdpAttr | None = None) -> Synapses:
    """Returns the synapses of rows that learn by a rule, or whose weights stay. Shapes: words [rows, header + length]."""
    if rule is not None:
        source, weight, low = plastic_synapses(words, HEADER_WORDS, rule.data_header)
        return of_fields(format, source, weight, low)
    given = unsigned(words)
    count = np.minimum(given[:, 1], given.shape[1] - HEADER_WORDS)  # a longer one is refused
    source = np.repeat(np.arange(len(given)), count)
    column = np.arange(len(source)) - np.repeat(np.cumsum(count) - count, count)
    word = given[source, HEADER_WORDS + column]
    return of_fields(format, source, word >> WEIGHT_SHIFT, word)


def of_fields(format: WordFormat, source: Ints, weight: Ints, low: Ints) -> Synapses:
    """Returns synapses from the bits below the weight."""
    delay = low >> (format.index_bits + 1) & (format.slots - 1)
    return Synapses(
        source,
        low & ((1 << format.index_bits) - 1),
        low >> format.index_bits & 1,
        weight,
        np.where(delay == 0, format.slots, delay),
    )


@irdl_op_definition
class RowsOp(NoptOperation):
    """The rows of one projection into a core, with its entry of the master population table: keys with `key` under `mask` select a row.

    `plasticity` is the rule by which the chip changes the weights, and `triplet` has its further terms with the timing `pfister_triplet`.

    Shapes: words [rows, 3 + words of the longest row]. Errors: SPN001.
    """

    name = "spinnaker.rows"
    node = prop_def(StringAttr)
    key = prop_def(IntegerAttr.constr(i64))
    mask = prop_def(IntegerAttr.constr(i64))
    words = prop_def(ArrayAttr)
    plasticity = opt_prop_def(StdpAttr)
    triplet = opt_prop_def(TripletAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node attr-dict"

    @property
    def size(self) -> int:
        """Returns the number of rows."""
        return self.words.shape[0]

    @property
    def length(self) -> int:
        """Returns the number of words after the header of a row. All rows have the longest length; without learning, one word is one synapse."""
        return self.words.shape[1] - HEADER_WORDS

    def synapses(self, format: WordFormat) -> Synapses:
        """Returns the synapses of the rows."""
        return decode(self.words.values, format, rule=self.plasticity)

    def blocks(self, format: WordFormat) -> Iterator[Synapses]:
        """Yields the synapses of some rows at a time, with rows counted from the first of them: those of all rows need many times the memory of the words."""
        words = self.words.values
        together = max(1, BLOCK // max(1, words.shape[1]))
        for first in range(0, len(words), together):
            yield decode(words[first : first + together], format, rule=self.plasticity)

    def verify_(self) -> None:
        if len(self.words.shape) != 2 or self.words.shape[1] < HEADER_WORDS or self.words.data.dtype != np.int32:
            found = f"{self.words.data.dtype} of shape {list(self.words.shape)}"
            refuse_chip(self, SPN001.summary, "i32 of shape [rows, 3 or more]", found, SPN001)
        verify_key(self, self.key.value.data, self.mask.value.data, self.size)
        given, rule = unsigned(self.words.values), self.plasticity
        has_triplets = rule is not None and rule.timing.data == TRIPLET
        if has_triplets != (self.triplet is not None):
            expected = f"terms of triplets with the timing {TRIPLET}, and with no other"
            refuse_chip(self, SPN001.summary, expected, "no terms" if has_triplets else "terms", SPN001)
        if self.plasticity is not None:
            if not has_plastic_form(self.words.values, HEADER_WORDS, self.plasticity.data_header):
                refuse_chip(self, SPN001.summary, "the form of rows that learn", "another header", SPN001)
            return
        if (given[:, [0, 2]] != 0).any() or (given[:, 1] > self.length).any():
            expected = f"no plastic data, and at most {self.length} synapses"
            refuse_chip(self, SPN001.summary, expected, "another header", SPN001)

    def verify_against(self, format: WordFormat, neurons: int) -> None:
        """Refuses words of neurons that the core does not have. Errors: SPN001."""
        if (last := max((int(one.neuron.max(initial=-1)) for one in self.blocks(format)), default=-1)) >= neurons:
            refuse_chip(self, SPN001.summary, f"a neuron below {neurons}", str(last), SPN001)


def verify_key(op: NoptOperation, key: int, mask: int, size: int) -> None:
    """Refuses a key and mask that do not form a block of keys, and a block that is too small. Errors: SPN001."""
    free = ~mask & (2**KEY_BITS - 1)
    if not 0 <= key < 2**KEY_BITS or not 0 <= mask < 2**KEY_BITS or key & free or free & (free + 1):
        found = f"key {key:#x}, mask {mask:#x}"
        refuse_chip(op, SPN001.summary, "a key of 32 bits, and a mask of its highest bits", found, SPN001)
    if size > free + 1:
        refuse_chip(op, SPN001.summary, f"at most {free + 1} neurons", str(size), SPN001)
