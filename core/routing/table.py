"""Tables of routers that select routes by keys: each entry matches the keys that agree with it under its mask, and the first match decides.

    an entry matches a key  <=>  key & mask == entry.key
    route: bits 0 to 5: the links, bit 6 + p: processor p

A packet without a match is forwarded straight on (default route): its output link is opposite to its input link. A block of keys is an entry
as well: the keys that agree with its own under its mask.

Source: Furber et al., Overview of the SpiNNaker System Architecture, IEEE Transactions on Computers 62(12), 2013.
"""

from __future__ import annotations

import numpy as np
from attrs import frozen

from ..arrays.numeric import Bools, Ints

KEY_BITS = 32
FULL = 2**KEY_BITS - 1
"""The mask of one key."""
LINK_BITS = 6
"""Number of link bits in a route; the processor bits follow them."""
MOST_PROCESSORS = 63 - LINK_BITS
"""Maximum number of processor bits in a route."""
UNMATCHED = -1
"""The route of keys that no entry matches."""
SPLIT = -2
"""The route of a block whose keys have different routes."""
BATCH = 2**22
"""The number of pairs of a block and an entry that are examined together."""


@frozen(eq=False)
class Table:
    """Entries in the order of priority. Shapes: key, mask and route [entries]."""

    key: Ints
    mask: Ints
    route: Ints

    def __len__(self) -> int:
        return len(self.key)

    def part(self, chosen: Ints | Bools) -> Table:
        return Table(self.key[chosen], self.mask[chosen], self.route[chosen])


def joined(tables: list[Table]) -> Table:
    """Returns the entries of several tables, one after the other."""
    empty = [np.zeros(0, np.int64)]
    return Table(*(np.concatenate(empty + [getattr(one, name) for one in tables]) for name in ("key", "mask", "route")))


def look_up(table: Table, key: Ints, mask: Ints) -> Ints:
    """Returns the common route of each block's keys: UNMATCHED if no entry matches any key, SPLIT if the keys may have different routes.

    Shapes: key, mask and result [blocks].
    """
    found = np.full(len(key), UNMATCHED, np.int64)
    if not len(table):
        return found
    step = max(1, BATCH // len(table))
    for low in range(0, len(key), step):
        some = slice(low, low + step)
        k, m = key[some, None], mask[some, None]
        meets = (k ^ table.key) & m & table.mask == 0  # whether the blocks have a common key
        covers = meets & (table.mask & ~m == 0)
        is_met, first = meets.any(axis=1), meets.argmax(axis=1)
        route = np.where(is_met, table.route[first], UNMATCHED)
        last = np.where(covers.any(axis=1), covers.argmax(axis=1), len(table))
        is_before = np.arange(len(table)) <= last[:, None]
        differs = (meets & is_before & (table.route != route[:, None])).any(axis=1)
        is_open = is_met & (last == len(table))
        found[some] = np.where(differs | is_open, SPLIT, route)
    return found
