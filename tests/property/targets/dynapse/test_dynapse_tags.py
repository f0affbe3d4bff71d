"""Tags of DYNAP-SE1, whose lower part is the number of the sending neuron on its core, for generated senders of several chips."""

from __future__ import annotations

import numpy as np
import pytest
from extent import seeds

from nopt.targets.dynapse.tags import count_tags, number_tags

NUMBERS, TAGS, NEURONS, CORES = 16, 64, 12, 8


def draw(seed: int) -> tuple[dict[int, np.ndarray], dict[int, int]]:
    """Returns the senders of two chips, and the cores of those that are neurons: the first senders are inputs."""
    rng = np.random.default_rng([61, seed])
    inputs = int(rng.integers(1, 20))
    cores = {inputs + core * NEURONS + k: core for core in range(CORES) for k in range(NEURONS)}
    every = np.arange(inputs + CORES * NEURONS)
    return {chip: np.sort(rng.choice(every, int(rng.integers(20, 40)), replace=False)) for chip in range(2)}, cores


@pytest.mark.parametrize("seed", seeds(30))
def test_numbers_are_those_of_neurons(seed: int) -> None:
    """Tags are unique on each chip, and all tags of a neuron have one number, which no other neuron of its core has."""
    senders, cores = draw(seed)
    tags = number_tags(senders, cores, NUMBERS, TAGS)
    assert tags is not None
    numbers: dict[int, int] = {}
    for chip, own in senders.items():
        assert len(np.unique(tags[chip])) == len(own)
        assert 0 <= tags[chip].min() <= tags[chip].max() < TAGS
        for sender, tag in zip(own.tolist(), tags[chip].tolist(), strict=True):
            if sender in cores:
                assert numbers.setdefault(sender, tag % NUMBERS) == tag % NUMBERS
    used = [(cores[sender], number) for sender, number in numbers.items()]
    assert len(set(used)) == len(used)


def test_a_full_chip_has_tags() -> None:
    """The neurons of four full cores take all tags of a chip; one input more has none, and neither has a neuron of another chip."""
    own = {k: k // NUMBERS for k in range(TAGS)}
    tags = number_tags({0: np.arange(TAGS)}, own, NUMBERS, TAGS)
    assert tags is not None
    assert sorted(tags[0].tolist()) == list(range(TAGS))
    assert number_tags({0: np.arange(TAGS + 1)}, own, NUMBERS, TAGS) is None
    assert number_tags({0: np.arange(TAGS + 1)}, own | {TAGS: 4}, NUMBERS, TAGS) is None


def test_tags_that_are_free_count_senders() -> None:
    np.testing.assert_array_equal(count_tags({1: np.array([4, 9, 11])})[1], [0, 1, 2])
