"""Compression of routing tables: the same route for every key of the original entries, with as few entries as a search finds.

The original entries match different keys. Keys without a matching entry do not arrive, and may be assigned any route.

1. Entries with the same route are a group. The groups are written one after the other, so that an entry of a group may match keys of the groups
   before it, but no key of the groups after it. The last group may match every key.
2. In a group, an entry is widened bit by bit as long as it matches no key of the later groups, and replaces all entries that it covers
   (the expansion of Espresso, Brayton et al. 1984). The entries that still have to be covered decide the order of the bits.
3. Entries with straight routes can be omitted if no other entry matches their keys. They are either written as a group, or excluded from all
   groups; the smaller table is used.
4. Groups are written in ascending size (among equal groups, the last first), and again in the order of their compressed sizes. The smallest table
   is used, the original included.
5. Each group is also covered by merging pairs of entries, in the order of the pair compressor of PACMAN, and the smaller cover is used. The first
   order of the groups is also the order of that compressor, so its table is never smaller.

At the end, a check ensures that all keys keep their routes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ..arrays.numeric import Bools, Ints
from .table import FULL, KEY_BITS, UNMATCHED, Table, joined, look_up


def compress(table: Table, is_default: Bools | None = None, most: int | None = None) -> Table:
    """Returns a smaller table with the same routes; entries that the default route replaces may be left out. Shapes: is_default [entries].

    The thorough search of steps 4 and 5 is skipped if the table has at most `most` entries without it.
    """
    straight = np.zeros(len(table), np.bool_) if is_default is None else is_default
    best = table.part(~straight)
    none = table.part(np.zeros(0, np.int64))
    choices = [(table.part(~straight), table.part(straight))] + ([(table, none)] if straight.any() else [])
    for is_thorough in (False, True):
        for written, excluded in choices:  # 3
            groups = sorted(groups_of(written), key=len)  # 4
            for _ in range(2 if is_thorough else 1):
                made = [
                    minimise(group, joined([*groups[k + 1 :], excluded]), is_thorough=is_thorough)
                    for k, group in enumerate(groups)
                ]
                best = min(best, joined(made), key=len)
                size = {int(one.route[0]): len(one) for one in made[:-1]}
                groups.sort(key=lambda group: size.get(int(group.route[0]), len(table)))  # 4
        if most is not None and len(best) <= most:
            break
    verify(table, straight, best)
    return best


def verify(table: Table, is_default: Bools, found: Table) -> None:
    """Checks that all keys have their routes."""
    route = look_up(found, table.key, table.mask)
    assert ((route == table.route) | (is_default & (route == UNMATCHED))).all()


def groups_of(table: Table) -> list[Table]:
    """Returns the entries of each route, in descending order of the first entry."""
    order = np.argsort(table.route, kind="stable")
    starts = np.flatnonzero(np.diff(table.route[order], prepend=-1))
    parts = np.split(order, starts[1:]) if len(order) else []
    return [table.part(one) for one in sorted(parts, key=lambda part: -int(part[0]))]


def minimise(group: Table, others: Table, *, is_thorough: bool) -> Table:
    """Returns entries that match all keys of a group, and no key of the others."""  # 2
    if not len(others):
        agree = np.bitwise_and.reduce(group.mask)
        same = ~(np.bitwise_or.reduce(group.key & agree) ^ np.bitwise_and.reduce(group.key & agree)) & FULL
        mask = int(agree & same)
        return Table(group.key[:1] & mask, np.array([mask], np.int64), group.route[:1])
    found = cover(group, others, is_thorough=is_thorough)
    if is_thorough:
        found = min(found, merge_pairs(group, others), key=len)  # 5
    return found


def merge_pairs(group: Table, others: Table) -> Table:
    """Returns entries that cover a group. Each entry is merged with further ones as long as the result matches no key of the other groups.

    The last entry takes the place of one that was merged.
    """
    waiting = list(zip(group.key.tolist(), group.mask.tolist(), strict=True))
    found: list[tuple[int, int]] = []
    while waiting:
        (key, mask), place = waiting.pop(0), 0
        while place < len(waiting):
            k, m = waiting[place]
            wide = mask & m & ~(key ^ k)
            if wide == mask or is_free(key, wide, others):
                key, mask, last = key & wide, wide, waiting.pop()
                if place < len(waiting):
                    waiting[place] = last
            else:
                place += 1
        found.append((key, mask))
    keys, masks = (np.array(one, np.int64) for one in zip(*found, strict=True))
    return Table(keys, masks, np.full(len(keys), group.route[0], np.int64))


def is_free(key: int, mask: int, others: Table) -> bool:
    """Returns whether an entry matches no key of the others."""
    return bool(((others.key ^ key) & mask & others.mask != 0).all())


def cover(group: Table, others: Table, *, is_thorough: bool = False) -> Table:
    """Returns entries that cover a group. Each step widens the first uncovered entry in several orders, and chooses the result that covers most entries."""
    found: list[tuple[int, int]] = []
    waiting = np.ones(len(group), np.bool_)
    while waiting.any():
        first = int(np.argmax(waiting))
        key, mask, rest = int(group.key[first]), int(group.mask[first]), group.part(waiting)
        tried = [widen(key, mask, order, others) for order in orders_of(key, mask, rest, is_thorough)]
        if is_thorough:
            tried.append(merge(key, mask, rest, others))
        key, mask = max(tried, key=lambda one: int(is_covered(rest, *one).sum()))
        found.append((key, mask))
        waiting &= ~is_covered(group, key, mask)
    keys, masks = (np.array(one, np.int64) for one in zip(*found, strict=True))
    keep = irredundant(group, keys, masks)
    return Table(keys[keep], masks[keep], np.full(len(keep), group.route[0], np.int64))


def is_covered(group: Table, key: int, mask: int) -> Bools:
    """Returns a mask of the entries of a group that an entry covers: it matches all their keys."""
    return (group.mask & mask == mask) & ((group.key ^ key) & mask == 0)


def widen(key: int, mask: int, bits: Iterable[int], others: Table) -> tuple[int, int]:
    """Widens an entry: removes bits from its mask, in the order of `bits`, as long as it matches no key of the others."""
    differs = (others.key ^ key) & mask & others.mask
    for bit in bits:
        rest = differs & ~(1 << bit)
        if (rest != 0).all():
            differs, mask = rest, mask & ~(1 << bit)
    return key & mask, mask


def merge(key: int, mask: int, group: Table, others: Table) -> tuple[int, int]:
    """Merges an entry with each entry of its group in turn. A merge is skipped if its result matches a key of the others."""
    for k, m in zip(group.key.tolist(), group.mask.tolist(), strict=True):
        wide = mask & m & ~(key ^ k)
        if wide != mask and is_free(key, wide, others):
            key, mask = key & wide, wide
    return key, mask


def orders_of(key: int, mask: int, group: Table, is_thorough: bool) -> Iterator[list[int]]:
    """Yields orders of the bits of a mask; bits that distinguish the most similar entries of the group come first."""
    bits = [bit for bit in range(KEY_BITS) if mask >> bit & 1]
    differs = (((group.key ^ key) & mask | ~group.mask)[:, None] >> np.array(bits, np.int64)) & 1
    count = differs.sum(axis=1)
    for base in (4.0, 2.0, 8.0) if is_thorough else (4.0,):
        weight = np.where(count > 0, base**-count, 0.0) @ differs
        yield [bits[k] for k in np.argsort(-weight, kind="stable").tolist()]
    if is_thorough:
        yield bits
        yield bits[::-1]


def irredundant(group: Table, keys: Ints, masks: Ints) -> Ints:
    """Returns the entries that cover the group; an entry that the others cover is left out."""
    covers = (group.mask[:, None] & masks == masks) & ((group.key[:, None] ^ keys) & masks == 0)
    count, keep = covers.sum(axis=1), np.ones(len(keys), np.bool_)
    for k in np.argsort(covers.sum(axis=0), kind="stable").tolist():
        if (count[covers[:, k]] > 1).all():
            keep[k] = False
            count -= covers[:, k]
    return np.flatnonzero(keep)
