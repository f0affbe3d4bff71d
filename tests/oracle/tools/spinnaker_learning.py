"""Tables and constants of sPyNNaker's pair rule, from its own functions: spinnaker_learning.py IN.json OUT.json

IN has `taus` [ticks] and `constants`, numbers of the rule. OUT has the entries of the table of each time constant, the words of each
constant, and the words before the weights of a row by timing.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from spinn_front_end_common.interface.ds import DataType
from spynnaker.pyNN.models.neuron.plasticity.stdp.common import STDP_FIXED_POINT_ONE, get_exp_lut_array
from spynnaker.pyNN.models.neuron.plasticity.stdp.timing_dependence import (
    TimingDependencePfisterSpikeTriplet,
    TimingDependenceSpikeNearestPair,
    TimingDependenceSpikePair,
)
from spynnaker.pyNN.models.neuron.synapse_dynamics.synapse_dynamics_stdp import TIME_STAMP_BYTES

RULES = {
    "spike_pair": TimingDependenceSpikePair,
    "spike_nearest_pair": TimingDependenceSpikeNearestPair,
    "pfister_triplet": TimingDependencePfisterSpikeTriplet,
}


def table(tau: float, shift: int = 0) -> list[int]:
    """Returns the entries of a table, after its header."""
    size, _, *values = get_exp_lut_array(1.0, tau, shift=shift).view(np.uint16).tolist()
    return values[:size]


def header_words(rule: Any) -> int:
    """Returns the words of a row before its weights: the time of the last spike, and the trace."""
    size = TIME_STAMP_BYTES + rule.pre_trace_n_bytes.fget(None)
    return -(-size // 4)


def main() -> None:
    given = json.loads(Path(sys.argv[1]).read_text())
    found = {
        "one": STDP_FIXED_POINT_ONE,
        "header_words": {name: header_words(rule) for name, rule in RULES.items()},
        "tables": [table(tau) for tau in given["taus"]],
        "slow_tables": [table(tau, 2) for tau in given["taus"]],
        "constants": [int(DataType.S1615.encode_as_int(value)) for value in given["constants"]],
    }
    Path(sys.argv[2]).write_text(json.dumps(found))


if __name__ == "__main__":
    main()
