"""Replaces the integers of an artefact for Xylo by those of rockpool's quantizer.

python xylo_quantizer.py FOLDER IN.npz

FOLDER has the `specification.json` of nopt. IN.npz has the weights and thresholds in reals: `weights_in` [inputs, hidden], `weights_rec` [hidden, hidden] and
`threshold` [hidden]. Decays, and all that is not quantized, stay those of the artefact.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from rockpool.transform.quantize_methods import global_quantize

SHIFTS = ("weight_shift_in", "weight_shift_rec", "weight_shift_out")


def main(folder: str, given: str) -> None:
    path = Path(folder) / "specification.json"
    specification = json.loads(path.read_text(encoding="utf-8"))
    with np.load(given) as reals:
        found = global_quantize(
            weights_in=reals["weights_in"],
            weights_rec=reals["weights_rec"],
            weights_out=np.zeros((len(reals["threshold"]), 1)),
            threshold=reals["threshold"],
            threshold_out=np.ones(1),
            **{name: np.array(specification[name]) for name in ("dash_mem", "dash_syn", "dash_syn_2")},
            dash_mem_out=np.ones(1),
            dash_syn_out=np.ones(1),
        )
    for name in ("weights_in", "weights_rec"):
        own = np.array(specification[name])
        chosen = np.zeros_like(own)
        weights = found[name].reshape(*found[name].shape[:2], -1)
        chosen[: weights.shape[0], : weights.shape[1], 0] = weights[..., 0]
        specification[name] = chosen.tolist()
    specification["threshold"] = found["threshold"].tolist()
    specification |= dict.fromkeys(SHIFTS, 0)
    path.write_text(json.dumps(specification), encoding="utf-8")


main(*sys.argv[1:])
