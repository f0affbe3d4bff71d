"""Mapping ops: vertices, the edges between them, and the routes of spikes.

A vertex is a slice of a population or an input that fits one core; its name is `NODE/k`. An edge is a view of a projection between
two vertices. Cores are numbered chip by chip.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from xdsl.dialects.builtin import I64, DictionaryAttr, FloatAttr, IntegerAttr, StringAttr, f64, i64
from xdsl.ir import Attribute
from xdsl.irdl import ParsePropInAttrDict, irdl_op_definition, opt_prop_def, prop_def

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Code, invalid
from ...core.ir.operation import NoptOperation
from ..chip_base.multicast import MulticastOp

MCH005 = Code("MCH005", "machine-counts-invalid", "invalid counts of a vertex, edge or route")

Figures = NDArray[np.int64]


def verify_integer_array(op: NoptOperation, what: str, array: ArrayAttr, *shapes: tuple[int | None, ...]) -> None:
    """Refuses an array of another shape (None: any length), or with numbers that are not integers from 0. Errors: MCH005."""
    fits = any(
        len(shape) == len(array.shape) and all(n in (None, m) for n, m in zip(shape, array.shape, strict=True))
        for shape in shapes
    )
    is_integer = array.data.dtype.kind in "iu" and (not array.data.size or array.data.least() >= 0)
    if not fits or not is_integer:
        expected = " or ".join(f"[{', '.join('n' if n is None else str(n) for n in shape)}]" for shape in shapes)
        found = f"{list(array.shape)}" if not fits else "negative numbers, or numbers that are not integers"
        invalid(op, MCH005, f"{what} is invalid", expected=f"integers from 0, {expected}", found=found)


def verify_count(op: NoptOperation, what: str, value: IntegerAttr | None) -> None:
    if value is not None and value.value.data < 0:
        invalid(op, MCH005, f"{what} is negative", expected="0 or more", found=str(value.value.data))


def integer_attr(value: int) -> IntegerAttr[I64]:
    return IntegerAttr(value, i64)


def number_dictionary(entries: Mapping[str, int | float]) -> DictionaryAttr:
    """Returns numbers by name, integers as i64 and reals as f64."""
    return DictionaryAttr(
        {k: FloatAttr(n, f64) if isinstance(n, float) else integer_attr(n) for k, n in entries.items()}
    )


@irdl_op_definition
class VertexOp(NoptOperation):
    """A slice of a population or an input. `needs` holds the resources that it uses on a core, by the names of the contract language.

    `needs` holds `neurons`, `synapses`, `fan_in`, `fan_out`, `input_axons`, `output_axons`, `synapse_bytes`, `neuron_bytes`, … as integers;
    a missing entry is unknown. `classes.NAME` counts the different values of a group of shared parameters. An input needs no core: the
    core of its vertices is the core at which the input enters.

    Shapes: box [axes, 2], first index and end for each axis of the shape, or [1, 2] of the population's `order`.
    Errors: MCH005 invalid counts.
    """

    name = "machine.vertex"
    node = prop_def(StringAttr)
    source = prop_def(StringAttr)
    box = prop_def(ArrayAttr)
    needs = opt_prop_def(DictionaryAttr)
    core = opt_prop_def(IntegerAttr.constr(i64))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node `of` $source attr-dict"

    def __init__(self, node: str, source: str, box: Figures, needs: Mapping[str, int] | None = None):
        properties: dict[str, Attribute | None] = {
            "node": StringAttr(node),
            "source": StringAttr(source),
            "box": ArrayAttr.of(np.asarray(box, np.int64)),
            "needs": None if needs is None else number_dictionary(needs),
        }
        super().__init__(properties=properties)

    @property
    def neurons(self) -> int:
        """Returns the number of neurons of the slice."""
        box = self.box.values
        return prod(int(below - low) for low, below in box)

    @property
    def needed(self) -> dict[str, int]:
        """Returns the resources that it uses on a core, by name."""
        entries = self.needs.data.items() if self.needs is not None else ()
        return {name: n.value.data for name, n in entries if isinstance(n, IntegerAttr)}

    @property
    def place(self) -> int | None:
        """Returns the core of the vertex; None before placement."""
        return None if self.core is None else self.core.value.data

    def put(self, core: int) -> None:
        """Places it on a core."""
        self.core = integer_attr(core)

    def verify_(self) -> None:
        verify_integer_array(self, "box", self.box, (None, 2))
        low, below = self.box.values.T
        if (low >= below).any():
            invalid(self, MCH005, "box is empty", expected="first index < end", found=str(self.box.values.tolist()))
        verify_count(self, "core", self.core)
        for name, value in self.needs.data.items() if self.needs is not None else ():
            if not isinstance(value, IntegerAttr) or cast("IntegerAttr", value).value.data < 0:
                invalid(self, MCH005, f"{name} is not a count", expected="an integer from 0", found=f"{value}")


@irdl_op_definition
class EdgeOp(NoptOperation):
    """A view of a projection between two vertices: the synapses from one to the other.

    `sources` lists the neurons of the source vertex whose spikes the target needs, by their index in the vertex; default: all of them.
    `activity` is the number of their spikes.

    Shapes: sources [axons]; delays [2], the shortest and the longest. Units: activity [events per tick], delays [ticks].
    Errors: MCH005 invalid counts.
    """

    name = "machine.edge"
    projection = prop_def(StringAttr)
    source = prop_def(StringAttr)
    target = prop_def(StringAttr)
    synapses = prop_def(IntegerAttr.constr(i64))
    axons = prop_def(IntegerAttr.constr(i64))
    activity = prop_def(FloatAttr)
    delays = prop_def(ArrayAttr)
    sources = opt_prop_def(ArrayAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$projection `:` $source `->` $target attr-dict"

    def __init__(
        self,
        projection: str,
        source: str,
        target: str,
        *,
        synapses: int,
        axons: int,
        activity: float,
        delays: tuple[int, int],
        sources: Figures | None = None,
    ):
        properties: dict[str, Attribute | None] = {
            "projection": StringAttr(projection),
            "source": StringAttr(source),
            "target": StringAttr(target),
            "synapses": integer_attr(synapses),
            "axons": integer_attr(axons),
            "activity": FloatAttr(activity, f64),
            "delays": ArrayAttr.of(np.asarray(delays, np.int64)),
            "sources": None if sources is None else ArrayAttr.of(np.asarray(sources, np.int32)),
        }
        super().__init__(properties=properties)

    def verify_(self) -> None:
        verify_count(self, "synapses", self.synapses)
        verify_count(self, "axons", self.axons)
        verify_integer_array(self, "delays", self.delays, (2,))
        if not self.activity.value.data >= 0:
            invalid(self, MCH005, "activity is negative", expected="0 or more", found=str(self.activity.value.data))
        if self.sources is not None:
            verify_integer_array(self, "sources", self.sources, (self.axons.value.data,))


@irdl_op_definition
class RouteOp(MulticastOp):
    """The multicast trees for spikes of one vertex. `neurons` lists the neurons that use each tree, by their index in the vertex.

    `trees` holds the numbers of links and of listed neurons of each tree, whose links and neurons follow one another; default: a single tree. All neurons
    use a tree with none in the list. The columns of links are [x0, y0, x1, y1] on a mesh, or [chip0, x0, y0, chip1, x1, y1] if it has several chips;
    [position, link] on a hex-torus; a pair of cores where all are connected; and 0 for the bus. A tree to cores that share the router of the source has no links.

    Shapes: links [links, columns] in the form of the topology; trees [trees, 2]; neurons [n]; activity [trees].
    Units: activity [events per tick]. Errors: MCH005 invalid counts.
    """

    name = "machine.route"
    source = prop_def(StringAttr)
    activity = prop_def(ArrayAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$source attr-dict"

    def __init__(
        self,
        source: str,
        links: Figures,
        activity: ArrayLike,
        trees: Figures | None = None,
        neurons: NDArray[np.integer] | None = None,
    ):
        properties: dict[str, Attribute | None] = {
            "source": StringAttr(source),
            "links": ArrayAttr.of(
                links.astype(np.int16 if links.max(initial=0) <= np.iinfo(np.int16).max else np.int32)
            ),
            "activity": ArrayAttr.of(np.asarray(activity, np.float64)),
            "trees": None if trees is None else ArrayAttr.of(np.asarray(trees, np.int32)),
            "neurons": None if neurons is None else ArrayAttr.of(np.asarray(neurons, np.int32)),
        }
        super().__init__(properties=properties)

    @property
    def activities(self) -> NDArray[np.float64]:
        """Returns the events per tick of each tree. Shapes: [trees]."""
        return self.activity.values.astype(np.float64)

    def verify_(self) -> None:
        verify_integer_array(self, "links", self.links, (None, None))
        if self.trees is not None:
            verify_integer_array(self, "trees", self.trees, (None, 2))
        if self.neurons is not None:
            verify_integer_array(self, "neurons", self.neurons, (None,))
        if (fault := self.find_size_fault()) is not None:
            what, expected, found = fault
            invalid(self, MCH005, f"{what} is invalid", expected=expected, found=found)
        trees = len(self.tree_sizes)
        if self.activity.shape != (trees,) or self.activity.data.dtype.kind != "f":
            found = f"{list(self.activity.shape)} of {self.activity.data.dtype}"
            invalid(self, MCH005, "activity is invalid", expected=f"reals, [{trees}]", found=found)
        if not (self.activities >= 0).all():
            found = str(self.activities.min())
            invalid(self, MCH005, "activity is negative", expected="0 or more", found=found)
