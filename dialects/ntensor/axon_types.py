"""Axon types: the weights of a synapse op as sums of a few values for each neuron of a crossbar core.

A crossbar core has one bit for each pair of an axon and a neuron. Each axon has a type, and each neuron has one value for each type. A connected
axon adds the value of its type. All neurons of a slice share the axons, so that the types are common to them.

    weight from neuron i to neuron n  =  sum over the connected axons of i of values[n, type of the axon]

1. A row of `axons` is an axon: the slice that it reaches, its source neuron, its type and its delay. A source has one axon for each delay of its
   synapses, or several: its axons are duplicated then, and their values are added.
2. The connections are not stored. They follow from the weights: the smallest set of axons with that sum, the first of them in the order of the
   rows. A weight of zero has no connection.
3. Sums are exact integers where the op stores integers, else they are computed in f64 and rounded once to the type of the weights.

Errors: NTE002 shapes that do not match; NTE006 an index out of range, axons that are not sorted, or weights that change; NTE008 a weight that is
not such a sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Ints
from ...core.diagnostics import Code, invalid
from ...core.ir.operation import shape_of
from .signals import refuse_parameter, verify_integers, verify_shape

if TYPE_CHECKING:
    from ._synapse_interface import SynapseOpInterface

NTE008 = Code("NTE008", "weight-not-axon-sum", "a weight is not a sum of the values of its axons")

COLUMNS = "slice", "source", "type", "delay"
"""The columns of `axons`."""
DUPLICATES = 8
"""Maximum number of axons of one source neuron and delay in a slice; they have 2^8 sums."""
SUMS = 2**22
"""Sums that are compared with weights at a time."""


@irdl_attr_definition
class AxonTypesAttr(ParametrizedAttribute):
    """Axons of a synapse op, and the value of each target neuron for each type.

    Shapes: values [targets, types]; slices [targets], the slice of each target neuron; axons [axons, 4], sorted: slice, source, type, delay.
    Units: values as the stored weights; delay [ticks].
    """

    name = "ntensor.axon_types"
    values: ArrayAttr
    slices: ArrayAttr
    axons: ArrayAttr

    @staticmethod
    def of(values: AnyArray, slices: Ints, axons: Ints) -> AxonTypesAttr:
        """Returns the attribute; the axons are sorted."""
        order = np.lexsort(axons.T[[2, 3, 1, 0]])
        small = (
            array.astype(np.int32 if array.size and array.max() < 2**31 else np.int64)
            for array in (slices, axons[order])
        )
        return AxonTypesAttr(ArrayAttr.of(values), *map(ArrayAttr.of, small))

    @property
    def types(self) -> int:
        """The number of types."""
        return self.values.shape[1]

    @property
    def table(self) -> Ints:
        """The axons. Shapes: [axons, 4]."""
        return self.axons.values.astype(np.int64)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        found: list[Attribute] = []
        with parser.in_angle_brackets():
            for k, name in enumerate(("values", "slices", "axons")):
                if k:
                    parser.parse_punctuation(",", f" before the {name}")
                parser.parse_keyword(name)
                parser.parse_punctuation("=")
                at = parser.pos
                array = parser.parse_attribute()
                if not isinstance(array, ArrayAttr):
                    parser.raise_error(f"expected the {name} as an array", at, parser.pos)
                found.append(array)
        return found

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            for k, (name, array) in enumerate(
                (("values", self.values), ("slices", self.slices), ("axons", self.axons))
            ):
                printer.print_string(f"{', ' if k else ''}{name} = ")
                printer.print_attribute(array)


@frozen(eq=False)
class Points:
    """The synapses of an op, and the axons that each may use.

    Shapes: target, weight and first [synapses]; first is the row of the first axon of its source, and there are `count` of them.
    """

    count: int
    target: Ints
    weight: AnyArray
    first: Ints
    place: Ints
    """The index of each synapse in the order of the op."""


def crossbar_points(op: SynapseOpInterface) -> tuple[Ints, Ints]:
    """Returns the row of the axon and the target neuron of each connection of an op with axon types.

    The op verifies. Shapes: both [connections], by axon, then by target.
    """
    given = op.typed_axons
    assert given is not None  # asked before
    rows: list[Ints] = []
    targets: list[Ints] = []
    for points in grouped_points(op, given):
        mask, is_sum = connections(points, given)
        assert is_sum.all()  # the op verifies
        for k in range(points.count):
            is_connected = (mask >> k) & 1 == 1
            rows.append(points.first[is_connected] + k)
            targets.append(points.target[is_connected])
    axon, target = (np.concatenate([np.zeros(0, np.int64), *part]) for part in (rows, targets))
    order = np.lexsort((target, axon))
    return axon[order], target[order]


def grouped_points(op: SynapseOpInterface, given: AxonTypesAttr) -> Iterator[Points]:
    """Yields the synapses of an op by the number of axons that they can use, 0 included, with weights of zero left out."""
    source, target, place = op.used_pairs()
    assert op.weights is not None  # an op with axon types has weights
    weights = op.weights.values
    delay = np.zeros(len(place), np.int64)
    if op.delays is not None:
        delay = np.broadcast_to(op.delays.values, weights.shape).reshape(-1)[place].astype(np.int64)
    slices, table = given.slices.values.astype(np.int64), given.table
    base = [prod(shape_of(op.x)), int(max(delay.max(initial=0), table[:, 3].max(initial=0))) + 1]
    wanted = (slices[target] * base[0] + source) * base[1] + delay
    keys = (table[:, 0] * base[0] + table[:, 1]) * base[1] + table[:, 3]
    first = np.searchsorted(keys, wanted, "left")
    count = np.searchsorted(keys, wanted, "right") - first
    flat = weights.reshape(-1)[place]
    for n in np.unique(count).tolist():
        every = np.flatnonzero(count == n)
        step = max(1, SUMS >> n)
        for low in range(0, len(every), step):
            some = every[low : low + step]
            yield Points(n, target[some], flat[some], first[some], place[some])


def mask_members(masks: Ints, count: int) -> Ints:
    """Returns 1 for each member of a mask, else 0. Shapes: [masks, count]."""
    return np.bitwise_and(np.right_shift(masks[:, None], np.arange(count)), 1)


def subset_masks(count: int) -> Ints:
    """Returns the subsets of some axons as masks, in ascending order of size; subsets of equal size are in ascending order of their masks."""
    masks = np.arange(1 << count)
    return masks[np.lexsort((masks, mask_members(masks, count).sum(axis=1)))]


def subset_sums(values: AnyArray, masks: Ints, dtype: np.dtype[Any]) -> AnyArray:
    """Returns the sum of each subset of values, as a stored weight. Shapes: values [n, axons], result [n, masks]."""
    members = mask_members(masks, values.shape[1])
    wide = np.dtype(np.int64 if dtype.kind in "iu" else np.float64)
    sums: AnyArray = np.zeros((len(values), len(masks)), wide)
    for k in range(values.shape[1]):  # in this order, whatever the shapes are
        sums += values[:, k, None].astype(wide) * members[:, k].astype(wide)
    return sums if wide.kind == "i" else sums.astype(dtype)


def connections(points: Points, given: AxonTypesAttr) -> tuple[Ints, AnyArray]:
    """Returns the connected axons of each synapse as a mask, and whether its weight is their sum. Shapes: both [synapses]."""
    types = given.table[:, 2][points.first[:, None] + np.arange(points.count)]
    values = given.values.values[points.target[:, None], types]
    masks = subset_masks(points.count)
    is_sum = subset_sums(values, masks, points.weight.dtype) == points.weight[:, None]
    return masks[is_sum.argmax(axis=1)], is_sum.any(axis=1)


# ---- verifier


def verify_axon_types(op: SynapseOpInterface) -> None:
    """Refuses axons that do not exist, and weights that are not sums of the values of their axons. Errors: NTE002, NTE006, NTE008."""
    if (given := op.typed_axons) is None:
        return
    targets, weights = prod(shape_of(op.y)), op.weights
    assert weights is not None  # only ops with weights declare the property
    shapes = given.values.shape, given.axons.shape
    types = shapes[0][1] if len(shapes[0]) == 2 else 1
    verify_shape(op, "the values of axon types", shapes[0], (targets, types))
    verify_shape(op, "the slices of axon types", given.slices.shape, (targets,))
    verify_shape(op, "the axons of axon types", shapes[1], ((shapes[1] or (0,))[0], len(COLUMNS)))
    verify_integers(op, "slices", given.slices, (targets,), 0)
    verify_integers(op, "axons", given.axons, shapes[1], 0)
    verify_table(op, given)
    quantized = op.quantized_weights
    if op.learning_rule is not None or (quantized is not None and quantized.has_zero):
        message = "weights with axon types are constant, and have no zero point"
        found = "a learning rule" if op.learning_rule is not None else "a zero point"
        help = (
            "ntensor-freeze-plasticity" if op.learning_rule is not None else "ntensor-quantize-weights{grid=symmetric}"
        )
        refuse_parameter(op, message, "constant weights without a zero point", found, help)
    if (weights.data.dtype.kind == "f") != (given.values.data.dtype.kind == "f"):
        message = "the values of axon types differ from the weights in their type"
        help = "store the values as the weights are"
        refuse_parameter(op, message, f"values of {weights.element}", str(given.values.element), help)
    for points in grouped_points(op, given):
        if not len(points.target):
            continue
        _, is_sum = connections(points, given)
        if not is_sum.all():
            refuse_weight(op, given, points, int(is_sum.argmin()))


def verify_table(op: SynapseOpInterface, given: AxonTypesAttr) -> None:
    """Refuses axons from or to nothing, unsorted ones, and too many of one source. Errors: NTE006."""
    table = given.table
    limits = {"source": prod(shape_of(op.x)), "type": given.types}
    for column, name in enumerate(COLUMNS):
        if (most := limits.get(name)) is not None and len(table) and int(table[:, column].max()) >= most:
            k = int((table[:, column] >= most).argmax())
            expected, found = f"a {name} below {most}", f"{name} {table[k, column]} of axon {k}"
            refuse_parameter(op, f"an axon has a {name} that does not exist", expected, found, f"correct the {name}")
    order = np.lexsort(table.T[[2, 3, 1, 0]])
    if (np.diff(order) < 0).any():
        k = int((np.diff(order) < 0).argmax())
        help = "sort the axons by slice, source, delay, then type"
        found = f"axon {k + 1} is out of order"
        refuse_parameter(op, "axons are not sorted", "by slice, source, delay, then type", found, help)
    _, counts = np.unique(table[:, [0, 1, 3]], axis=0, return_counts=True)
    if (most := int(counts.max(initial=0))) > DUPLICATES:
        help = "run ntensor-fit-axon-types with fewer duplicates"
        message = "one source neuron has too many axons"
        refuse_parameter(op, message, f"at most {DUPLICATES} for each slice and delay", f"{most} axons", help)


def refuse_weight(op: SynapseOpInterface, given: AxonTypesAttr, points: Points, k: int) -> None:
    """Refuses a weight that is the sum of no set of axons. Errors: NTE008."""
    weight, target = points.weight[k].item(), int(points.target[k])
    rows = range(int(points.first[k]), int(points.first[k]) + points.count)
    place = np.unravel_index(int(points.place[k]), op.weights.shape if op.weights is not None else ())
    values = [given.values.values[target, given.table[row, 2]].item() for row in rows]
    expected = f"a sum of some of {', '.join(map(str, values))}" if values else "0, since its source has no axon"
    found = f"{op.WEIGHTS}[{', '.join(str(int(n)) for n in place)}] = {weight}, into neuron {target}"
    invalid(op, NTE008, expected=expected, found=found, help="ntensor-fit-axon-types")
