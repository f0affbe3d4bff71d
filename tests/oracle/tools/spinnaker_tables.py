"""Compresses routing tables with the two compressors of PACMAN, and compares given ones with the originals: spinnaker_tables.py TABLES.npz OUT.json

For each number N, the file has the original table as N.key, N.mask, N.route and N.is_default, and a compressed one as N.small_key, N.small_mask
and N.small_route, in the order of priority. The output has, for each N, the number of entries of each compressor, and the message of the checker
or null.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from pacman.config_setup import unittest_setup
from pacman.data.pacman_data_writer import PacmanDataWriter
from pacman.exceptions import PacmanRoutingException
from pacman.model.routing_tables import MulticastRoutingTables, UnCompressedMulticastRoutingTable
from pacman.operations.router_compressors import pair_compressor
from pacman.operations.router_compressors.ordered_covering_router_compressor import ordered_covering
from pacman.operations.router_compressors.ordered_covering_router_compressor.utils import remove_default_routes
from pacman.operations.router_compressors.routing_compression_checker import compare_tables
from spinn_machine import MulticastRoutingEntry, RoutingEntry
from spinn_machine.virtual_machine import virtual_machine_by_boards
from spinn_utilities.config_holder import set_config


def table(columns: list[np.ndarray], is_default: np.ndarray) -> UnCompressedMulticastRoutingTable:
    """Returns a table of the chip 0, 0."""
    made = UnCompressedMulticastRoutingTable(0, 0)
    for key, mask, route, default in zip(*(one.tolist() for one in (*columns, is_default)), strict=True):
        made.add_multicast_routing_entry(
            MulticastRoutingEntry(key, mask, RoutingEntry(spinnaker_route=route, defaultable=default))
        )
    return made


def by_pairs(original: UnCompressedMulticastRoutingTable) -> int:
    """Returns the number of entries that the pair compressor needs."""
    writer = PacmanDataWriter.mock()
    writer.set_machine(virtual_machine_by_boards(1))
    tables = MulticastRoutingTables()
    tables.add_routing_table(original)
    writer.set_precompressed(tables)
    return pair_compressor(accept_overflow=True).get_routing_table_for_chip(0, 0).number_of_entries


def by_covering(original: UnCompressedMulticastRoutingTable) -> int:
    """Returns the number of entries that ordered covering needs, as its compressor does, but without a limit of the entries."""
    entries, _ = ordered_covering(original.multicast_routing_entries, None, {}, no_raise=True)
    return len(remove_default_routes(entries, None))


COMPRESSORS = {"pair": by_pairs, "ordered covering": by_covering}


def difference(original: UnCompressedMulticastRoutingTable, small: UnCompressedMulticastRoutingTable) -> str | None:
    """Returns the message of the checker if a key has another route."""
    try:
        compare_tables(original, small)
    except PacmanRoutingException as message:
        return str(message)
    return None


def main() -> None:
    unittest_setup()
    set_config("Machine", "version", "5")
    set_config("Mapping", "router_table_compress_as_far_as_possible", "True")
    found: dict[str, dict[str, Any]] = {}
    with np.load(sys.argv[1]) as given:
        for n in sorted({name.partition(".")[0] for name in given}, key=int):
            columns = [given[f"{n}.{name}"] for name in ("key", "mask", "route")]
            small = [given[f"{n}.small_{name}"] for name in ("key", "mask", "route")]
            original = table(columns, given[f"{n}.is_default"])
            own = table(small, np.zeros(len(small[0]), np.bool_))
            found[n] = {name: count(original) for name, count in COMPRESSORS.items()}
            found[n]["difference"] = difference(original, own)
    Path(sys.argv[2]).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
