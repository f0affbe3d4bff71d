"""Divides the matrices of layers into tiles, and assigns an array to each.

    memxbar.dense "fc1" %x attributes {weight = …}   =>   memxbar.dense "fc1" %x attributes {…} { memxbar.tile 0 … memxbar.tile 1 … }

1. A tile has at most the rows of an array, and as many outputs as its columns hold in the encoding of the layer. Parts have almost equal sizes.
2. A tile without a weight other than zero takes no array.
3. Arrays are assigned in the order of layers, groups, rows and columns. Faulty and reserved ones are left out.

Exactness: exact. Errors: MXB006 the device has too few arrays; MXB004 parameters of the device; DEV023 no device is specified.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64

from ....core.device.limits import OTHER_DEVICE
from ....core.device.named_device import device_of
from ....core.device.records import Device
from ....core.device.topology import topology_of
from ....core.diagnostics import refuse_op
from ....core.ir.pipeline import NoptPass
from ....dialects import memxbar
from ....dialects.memxbar.network import MXB006
from ..encoding import encode_weights, layer_matrices


@dataclass(frozen=True)
class MemxbarAllocateTilesPass(NoptPass):
    """Allocates the tiles of every `memxbar.network`."""

    name = "memxbar-allocate-tiles"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for network in op.ops:
            if isinstance(network, memxbar.NetworkOp):
                device = device_of(network)
                allocate(network, device, memxbar.Crossbar.of(device))


def allocate(network: memxbar.NetworkOp, device: Device, crossbar: memxbar.Crossbar) -> None:
    """Adds tiles to the layers of a network. Errors: MXB006."""
    places = usable_arrays(device)
    tiles = [
        (layer, tile) for layer in network.layers if layer.weight is not None for tile in tiles_of(layer, crossbar)
    ]
    if places is not None and len(tiles) > len(places):
        largest = max(network.layers, key=lambda layer: sum(one is layer for one, _ in tiles))
        refuse_op(
            largest,
            MXB006,
            expected=f"at most {len(places)} arrays of {crossbar.rows} x {crossbar.columns} cells",
            found=f"{len(tiles)}, of which {largest.node.data} takes {sum(one is largest for one, _ in tiles)}",
            **device.limit_facts("topology.cores", len(tiles), len(places)),
            help=OTHER_DEVICE,
        )
    for k, (layer, tile) in enumerate(tiles):
        if places is not None:
            tile.array = IntegerAttr(places[k], i64)
        layer.body.block.add_op(tile)
    for layer in network.layers:
        layer.properties.pop("weight", None)


def usable_arrays(device: Device) -> list[int] | None:
    """Returns the arrays of a device that work; None if their number is unknown."""
    if device.integer("topology.cores") is None:
        return None
    return [int(place) for place in np.flatnonzero(topology_of(device, 1).is_usable)]


def tiles_of(layer: memxbar.LayerBase, crossbar: memxbar.Crossbar) -> Iterator[memxbar.TileOp]:
    """Yields the tiles of a layer with weights, on arrays from 0."""
    encoding, slices, bits = layer.encoding.data, layer.slices.value.data, layer.cell_bits.value.data
    place = 0
    for group, matrix in enumerate(layer_matrices(layer)):
        outputs = None if crossbar.columns is None else memxbar.most_outputs(crossbar.columns, encoding, slices)
        for rows in spans(matrix.shape[0], crossbar.rows):
            for columns in spans(matrix.shape[1], outputs):
                part = matrix[rows[0] : sum(rows), columns[0] : sum(columns)]
                if part.any():
                    yield memxbar.TileOp(place, group, rows, columns, encode_weights(part, encoding, slices, bits))
                    place += 1


def spans(size: int, most: int | None) -> list[tuple[int, int]]:
    """Returns the fewest spans of at most some entries, with almost equal sizes: the first entry and the number of each."""
    if not size:
        return []
    count = 1 if most is None else -(-size // most)
    edges = [size * k // count for k in range(count + 1)]
    return [(low, high - low) for low, high in pairwise(edges)]
