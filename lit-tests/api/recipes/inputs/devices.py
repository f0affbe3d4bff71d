"""Writes a network, an input and a device with recipes into a folder. The default of the device saturates all weights but the smallest.

python devices.py DIR
"""

import json
import sys
from copy import deepcopy
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[4]
EDGE = json.loads((ROOT / "targets" / "asic" / "devices" / "edge.json").read_text())
TEXT = (ROOT / "targets" / "asic" / "devices" / "edge.neuron").read_text().splitlines()
EDGE["neuron"]["updates"]["edge_lif"] = {"families": ["if", "lif"], "source": "synthetic", "text": TEXT}
ROUND = "ntensor-quantize-weights{bits=4 per=population clip=%d},ntensor-quantize-bias"
SOURCES, NEURONS, SAMPLES, TICKS = 12, 6, 40, 48
NETWORK = """nir.graph @net("input" %x: tensor<{sources}xi1>) -> ("output": tensor<{neurons}xi1>) {{
  %y = nir.linear "fc" %x {{weight = #nopt.array<{weights} : tensor<{neurons}x{sources}xf32>>}} : tensor<{sources}xi1> -> tensor<{neurons}xf32>
  %z = nir.if "out" %y {{r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<2.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>}} : tensor<{neurons}xf32> -> tensor<{neurons}xi1>
  nir.output %z : tensor<{neurons}xi1>
}}
"""


def recipe(name: str, **changes: object) -> dict[str, object]:
    return {"name": name, "reason": "to test", **changes}


def weights(clip: int) -> dict[str, object]:
    return {"weight_bits": {"passes": ROUND % clip}}


def chances(*shape: int) -> np.ndarray:
    """Returns numbers from 0 to 1 that are the same on every machine."""
    return (np.arange(np.prod(shape), dtype=np.int64) * 7919 % 8191 / 8191).reshape(shape)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    device = deepcopy(EDGE)
    device["fallbacks"]["weight_bits"]["passes"] = ROUND % 25
    device["recipes"] = [
        recipe("most", fallbacks=weights(60)),
        recipe("pools", passes="ntensor-split-pools"),
        recipe("unfit", fallbacks={"weight_bits": {"passes": "ntensor-quantize-inputs{kind=spike}"}}),
        recipe("every", fallbacks=weights(100), effort="best"),
    ]
    (folder / "coarse.json").write_text(json.dumps(device))
    values = np.round(2 * chances(NEURONS, SOURCES) - 0.8, 3).tolist()
    text = NETWORK.format(sources=SOURCES, neurons=NEURONS, weights=values)
    (folder / "net.mlir").write_text(text)
    np.save(folder / "x.npy", chances(SAMPLES, TICKS, SOURCES) < 0.4)


main(Path(sys.argv[1]))
