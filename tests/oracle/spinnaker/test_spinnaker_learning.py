"""The model of rows that learn has the tables and the constants of sPyNNaker, and a pair of spikes changes a weight by them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
from places import TESTS

from nopt.dialects.spinnaker import StdpAttr, TripletAttr
from nopt.dialects.spinnaker.learning import DATA_HEADERS, TRIPLET
from nopt.targets.spinnaker.plastic_rows import ONE, SLOW_SHIFT, PlasticRows, accum_bits, exponential_table

TOOL = TESTS / "oracle" / "tools" / "spinnaker_learning.py"
SHIFT, WEIGHT = 5, 8192


def pair_change(rule: StdpAttr, pre: int, post: int) -> int:
    """Returns the stored weight after a pair of spikes, as an event of the source in a late tick finds it."""
    one = np.zeros(1, np.int64)
    has_triplets = rule.timing.data == TRIPLET
    slow = TripletAttr.of(30.0, 40.0, 5.0, 6.0) if has_triplets else None  # terms that a single pair does not have
    engine = PlasticRows("fc", rule, slow, 1, 1, one, one, one, one + WEIGHT, one + SHIFT, 1.0).start(1)
    for t in range(200):
        engine.spike(t, np.array([[t == post]]))
        if t in (pre, 199):
            engine.arrive(t, one, one, one, one)
    return int(engine.stored[0, 0])


def test_tables_and_pairs_are_those_of_spynnaker(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    """200 time constants and constants; pairs at all intervals up to the end of the table."""
    rng = np.random.default_rng(0)
    taus = [1.0, 20.0, 33.3, *rng.uniform(1, 100, 197).tolist()]
    constants = [0.0, 0.5, 1.0 / 3, *rng.uniform(0, 16, 197).tolist()]
    given, out = tmp_path / "in.json", tmp_path / "out.json"
    given.write_text(json.dumps({"taus": taus, "constants": constants}))
    done = subprocess.run(
        [python_of("spynnaker"), TOOL, given, out], capture_output=True, text=True, timeout=300, check=False
    )
    assert not done.returncode, done.stderr[-3000:]
    found = json.loads(out.read_text())
    assert found["one"] == ONE
    assert found["header_words"] == DATA_HEADERS
    for tau, table in zip(taus, found["tables"], strict=True):
        assert exponential_table(tau).tolist() == table, tau
    for tau, table in zip(taus, found["slow_tables"], strict=True):
        assert exponential_table(tau, SLOW_SHIFT).tolist() == table, tau
    assert [accum_bits(value) for value in constants] == found["constants"]
    a_plus, a_minus, table = 700.0, 900.0, found["tables"][1]
    up, down = (accum_bits(value * 2.0 ** (SHIFT - 15)) for value in (a_plus, a_minus))
    for d in range(1, 150):
        late = down * (table[199 - (5 + d)] << 4) >> 15 if 199 - (5 + d) < len(table) else 0
        potentiated = (WEIGHT << SHIFT) + (up * (table[d] << 4) >> 15)
        for timing in found["header_words"]:  # a pair without others is a nearest one, too, and not part of a triplet
            rule = StdpAttr.of(timing, "additive", 20.0, 20.0, a_plus, a_minus, 0.0, 65535.0)
            assert pair_change(rule, 5, 5 + d) == potentiated - late >> SHIFT, (timing, d)
