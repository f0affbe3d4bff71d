"""The work of retiming and mapping grows with the size of the network."""

from __future__ import annotations

import pytest
from counted_work import MOST_EXPONENT, exponent, pass_calls

MAPPING = (
    'ntensor-legalize{device=asic/mesh set="core.fan_out=8"}',
    "convert-ntensor-to-machine",
    "machine-place-vertices",
    "machine-route-edges",
)


@pytest.mark.parametrize(
    ("kind", "sizes", "work"),
    [
        ("loops", (15, 45), 3),  # chains, too: every population is later than the one before it
        ("full", (8, 24), 9),  # edges are the square of the populations
    ],
)
def test_retiming_grows_as_populations_and_edges(kind: str, sizes: tuple[int, int], work: int) -> None:
    pass_calls(kind, 5, "ntensor-retime")  # imports, and fills caches
    few, many = (pass_calls(kind, size, "ntensor-retime") for size in sizes)
    assert exponent(few, many, work) < MOST_EXPONENT


def test_lengthening_grows_as_loops() -> None:
    """Every loop is too short, and is lengthened."""
    step = "ntensor-retime{op-ticks=5 stretch-loops=true}"
    pass_calls("loops", 5, step)
    few, many = (pass_calls("loops", size, step) for size in (20, 60))
    assert exponent(few, many, 3) < MOST_EXPONENT


def test_mapping_grows_as_edges() -> None:
    """Each population exceeds its fan-out limit, so splitters are added."""
    pass_calls("full", 5, *MAPPING)
    few, many = (pass_calls("full", size, *MAPPING) for size in (6, 18))
    assert exponent(few, many, 9) < MOST_EXPONENT


def test_copies_of_a_hub_grow_as_its_readers() -> None:
    """Every copy of the hub feeds 10 of its readers."""
    steps = ("ntensor-legalize{device=asic/mesh keep=fan_out}", "ntensor-replicate-fan-out{max-fan-out=10}")
    pass_calls("star", 25, *steps)
    few, many = (pass_calls("star", size, *steps) for size in (20, 60))
    assert exponent(few, many, 3) < MOST_EXPONENT
