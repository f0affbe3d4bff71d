"""Routing tables: look-up against single keys, compression that keeps every route, and walks that reach exactly the cores of a tree."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from extent import seeds
from router_tables import BLOCK_BITS, KINDS, drawn_nets, entries_of, generated

from nopt.core.routing.compression import compress
from nopt.core.routing.table import FULL, SPLIT, UNMATCHED, Table, look_up
from nopt.core.routing.walk import walk
from nopt.core.topology.hex_torus import HexTorusTopology


def test_look_up_is_that_of_single_keys() -> None:
    random = np.random.default_rng(0)
    for _ in range(200):
        mask = random.integers(0, 64, 6)
        table = Table(random.integers(0, 64, 6) & mask, mask, random.integers(0, 3, 6))
        block_mask = int(random.choice([63, 62, 60, 56]))
        block = int(random.integers(0, 64)) & block_mask
        keys = [key for key in range(64) if key & block_mask == block]
        single = [
            next(
                (int(r) for k, m, r in zip(table.key, table.mask, table.route, strict=True) if key & m == k), UNMATCHED
            )
            for key in keys
        ]
        wide = [np.array([one]) for one in (block, block_mask)]
        found = int(look_up(table, *wide)[0])
        if found != SPLIT:
            assert set(single) == {found}
        np.testing.assert_array_equal(look_up(table, np.array(keys), np.full(len(keys), 63)), single)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", seeds(2))
def test_every_key_keeps_its_route(kind: str, seed: int) -> None:
    table, is_default = generated(kind, seed, 120)
    for most in (None, 1000):
        small = compress(table, is_default, most)
        assert len(small) <= np.count_nonzero(~is_default)
        for k, (key, mask, route) in enumerate(zip(table.key, table.mask, table.route, strict=True)):
            for one in range(int(key), int(key) + FULL - int(mask) + 1):
                first = next(
                    (int(r) for a, m, r in zip(small.key, small.mask, small.route, strict=True) if one & m == a), None
                )
                assert first == route or (first is None and is_default[k])


def test_known_tables() -> None:
    """One route needs one entry, and none if it is the default; two halves need two; no entries need none."""
    table, none = generated("structured", 0, 160)
    one = Table(table.key, table.mask, np.ones(160, np.int64))
    assert len(compress(one)) == 1
    assert len(compress(one, np.ones(160, np.bool_))) == 0
    halves = Table(table.key, table.mask, 1 + np.arange(160) // 128)
    assert len(compress(halves)) == 2
    assert len(compress(table.part(none))) == 0


def networks() -> Iterator[tuple[HexTorusTopology, int]]:
    random = np.random.default_rng(5)
    for seed in range(12):
        width, height = random.integers(2, 9, 2).tolist()
        dead = random.random(width * height) < (0.1 if seed % 2 else 0.0)
        links = np.stack([random.integers(0, width * height, 3), random.integers(0, 6, 3)], axis=1)[
            : 3 * (seed % 3 == 0)
        ]
        wraps = bool(seed % 4), bool(seed % 3)
        yield (
            HexTorusTopology(
                1, 1, width, height, slots=4, wraps_x=wraps[0], wraps_y=wraps[1], dead=dead, dead_links=links
            ),
            seed,
        )


@pytest.mark.parametrize(("topology", "seed"), [*networks()])
def test_walks_reach_exactly_the_targets(topology: HexTorusTopology, seed: int) -> None:
    nets = drawn_nets(topology, seed, 80)
    given = entries_of(topology, nets)
    tables = {position: compress(table, straight, 1023) for position, (table, straight) in given.items()}
    assert sum(map(len, tables.values())) < sum(len(table) for table, _ in given.values())
    key, mask = np.arange(80) << BLOCK_BITS, np.full(80, FULL >> BLOCK_BITS << BLOCK_BITS)
    found = walk(tables, topology.neighbours, key, mask, nets.source // topology.slots)
    assert found.fault is None
    reached = found.position * topology.slots + found.processor
    for net in range(80):
        expected = sorted({*nets.target[nets.start[net] : nets.start[net + 1]].tolist()})
        assert reached[found.block == net].tolist() == expected
