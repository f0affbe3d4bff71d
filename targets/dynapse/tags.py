"""Tags of the senders of each chip.

If a tag is free, the tags of a chip count its senders. If its lower part is the number of the sending neuron on its core (`features.tag_neurons`),
neurons take the first number that is free on their core, and for each chip the first tag with that number that is free there. Inputs take the
tags that are left. A tag is unique on each chip.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...core.arrays.numeric import Ints


def count_tags(senders: Mapping[int, Ints]) -> dict[int, Ints]:
    """Returns the tags of the senders of each chip in their order."""
    return {chip: np.arange(len(own)) for chip, own in senders.items()}


def number_tags(
    senders: Mapping[int, Ints], cores: Mapping[int, int], numbers: int, tags: int
) -> dict[int, Ints] | None:
    """Returns the sender tags of each chip; a tag modulo `numbers` is the number of a neuron on its core. None if the tags of a chip do not suffice.

    `cores` has the core of each sender that is a neuron of a chip. Shapes: senders and results [senders of the chip], sorted.
    """
    free = {chip: np.ones((tags // numbers, numbers), np.bool_) for chip in senders}
    is_free: dict[int, np.ndarray[tuple[int], np.dtype[np.bool_]]] = {}
    targets: dict[int, list[int]] = {}
    for chip, own in senders.items():
        for sender in own.tolist():
            targets.setdefault(sender, []).append(chip)
    found: dict[tuple[int, int], int] = {}
    for sender in sorted(targets, key=lambda one: (one not in cores, one)):
        if sender in cores:
            numbers_left = is_free.setdefault(cores[sender], np.ones(numbers, np.bool_))
            fits = numbers_left & np.all([free[chip].any(axis=0) for chip in targets[sender]], axis=0)
            if not fits.any():
                return None
            number = int(np.argmax(fits))
            numbers_left[number] = False
            chosen = {chip: int(np.argmax(free[chip][:, number])) * numbers + number for chip in targets[sender]}
        else:
            if not all(free[chip].any() for chip in targets[sender]):
                return None
            chosen = {chip: int(np.argmax(free[chip])) for chip in targets[sender]}
        for chip, tag in chosen.items():
            free[chip].reshape(-1)[tag] = False
            found[chip, sender] = tag
    return {chip: np.array([found[chip, one] for one in own.tolist()], np.int64) for chip, own in senders.items()}
