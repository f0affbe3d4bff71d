"""Weights that a tool stores for Loihi, for every integer of each sign mode and each number of bits.

python loihi_weights.py {lava,nengo_loihi,brian2_loihi} OUT.npz

OUT gets an array `SIGN.BITS` for the integers -256 to 254, 0 to 255 or -255 to 0, with the exponent 0.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np

RANGES = {"mixed": (-256, 254), "excitatory": (0, 255), "inhibitory": (-255, 0)}
Rule = Callable[[np.ndarray, str, int], np.ndarray]


def lava_rule() -> Rule:
    from lava.utils.weightutils import SignMode, clip_weights, truncate_weights

    def store(weights: np.ndarray, sign: str, bits: int) -> np.ndarray:
        mode = SignMode[sign.upper()]
        return truncate_weights(clip_weights(weights, mode, num_bits=8), mode, bits)

    return store


def nengo_rule() -> Rule:
    from nengo_loihi.builder.discretize import discretize_weights

    def store(weights: np.ndarray, sign: str, bits: int) -> np.ndarray:
        config = SimpleNamespace(shift_bits=8 - bits + (sign == "mixed"), weight_exp=0, scale=64)
        return discretize_weights(config, weights.astype(float)) // 64

    return store


def brian_rule() -> Rule:
    import brian2
    from brian2_loihi import LoihiNeuronGroup, LoihiSynapses, synapse_sign_mode

    brian2.BrianLogger.suppress_name("unused_brian_object")  # nothing is run
    group = LoihiNeuronGroup(1)

    def store(weights: np.ndarray, sign: str, bits: int) -> np.ndarray:
        made = LoihiSynapses(group, group, sign_mode=getattr(synapse_sign_mode, sign.upper()), num_weight_bits=bits)
        return made.calcActualWeights(weights) // 64

    return store


if __name__ == "__main__":
    rule = {"lava": lava_rule, "nengo_loihi": nengo_rule, "brian2_loihi": brian_rule}[sys.argv[1]]()
    np.savez(
        sys.argv[2],
        **{
            f"{sign}.{bits}": rule(np.arange(low, high + 1), sign, bits)
            for sign, (low, high) in RANGES.items()
            for bits in range(1, 9)
        },
    )
