"""Runs configurations of DYNAP-SE2 with rockpool's DynapSim, fits weights with its quantizer, and prints its bias generator.

python dynapse_dynapsim.py run FOLDER          for each N.json and N.npz of the folder: N.out.npz
python dynapse_dynapsim.py fit IN.npz OUT.npz  the weights that the quantizer makes of each matrix
python dynapse_dynapsim.py table OUT.json      currents of the bias generator, and scales of its parameters

N.json is `configuration.json` of an artefact. N.npz has the spikes of the inputs, `x` [ticks, entries], as the synapses take them; `dt` [s];
`has_refractory`, 0 for neurons without a refractory time; `chips`, if their spikes with mismatch are counted, in place of records. All neurons of the
configuration are one population of DynapSim, in the order of cores. The weight of a synapse is the current of its mask, negative for GABA.
"""

from __future__ import annotations

import json
import logging
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

warnings.simplefilter("ignore")
logging.disable(logging.WARNING)

from jax import random  # noqa: E402
from rockpool.devices.dynapse import DynapSim, autoencoder_quantization  # noqa: E402
from rockpool.devices.dynapse.lookup import paramgen_se2, scale_factor_se2  # noqa: E402

CURRENTS = {
    "SOIF_DC_P": "Idc",
    "SOIF_LEAK_N": "Itau_mem",
    "SOIF_GAIN_N": "Igain_mem",
    "SOIF_REFR_N": "Iref",
    "SOIF_SPKTHR_P": "Ispkthr",
    "SYPD_EXT_N": "Ipulse",
    "DEAM_ETAU_P": "Itau_syn",
    "DEAM_EGAIN_P": "Igain_syn",
    "SOAD_TAU_P": "Itau_ahp",
    "SOAD_GAIN_P": "Igain_ahp",
    "SOAD_PWTAU_N": "Ipulse_ahp",
    "SOAD_W_N": "Iw_ahp",
}
"""The current of DynapSim that each parameter of a core sets."""
CHIPS_X = 2
"""The chips of a row of the mesh. The host sends events at chip 0."""
ISCALE, GABA, PERCENT = 1e-8, 512, 0.3
"""Current of a weight of 1; code of the inhibitory dendrite; mismatch, three standard deviations."""


class Configuration:
    """The neurons of a configuration, with their currents [neurons] and weights [entries or neurons, neurons]."""

    def __init__(self, record: dict[str, Any], entries: int, has_refractory: bool):
        cores = [(chip["chip"], core) for chip in record["chips"] for core in chip["cores"]]
        neurons = [(chip, core, one) for chip, core in cores for one in core["neurons"]]
        self.columns = [(one["population"], one["index"]) for _, _, one in neurons]
        size = len(neurons)
        self.currents = {
            theirs: np.array([core["parameters"][name]["current"] for _, core, _ in neurons])
            for name, theirs in CURRENTS.items()
        }
        if not has_refractory:
            self.currents["Iref"] = np.full(size, np.inf)
        self.w_in, self.w_rec = np.zeros((entries, size)), np.zeros((size, size))
        senders: dict[tuple[int, int, int], list[tuple[np.ndarray, int]]] = {}

        def send(chip: int, to: dict[str, Any], matrix: np.ndarray, row: int) -> None:
            at = chip + to["x_hop"] + CHIPS_X * to["y_hop"]
            for number in np.flatnonzero(to["core"]).tolist():
                senders.setdefault((at, number, to["tag"]), []).append((matrix, row))

        for given in record["input_events"]:
            for one in given["destinations"]:
                send(0, one["destination"], self.w_in, given["entries"][one["neuron"]])
        for row, (chip, _, neuron) in enumerate(neurons):
            for destination in neuron["destinations"]:
                send(chip, destination, self.w_rec, row)
        for column, (chip, core, neuron) in enumerate(neurons):
            unit = np.array([core["parameters"][f"SYAM_W{k}_P"]["current"] for k in range(4)])
            for synapse in neuron["synapses"]:
                worth = float(np.dot(synapse["weight"], unit)) / ISCALE
                for matrix, row in senders[chip, core["core"], synapse["tag"]]:
                    matrix[row, column] += -worth if synapse["dendrite"] == GABA else worth

    def cells(self, dt: float, chips: int) -> Any:
        """Returns the ideal neurons, or those of some chips side by side, without recurrence, each with its own mismatch."""
        copies = max(chips, 1)
        size = len(self.columns) * copies
        assert not (chips and self.w_rec.any())
        given = {} if chips else {"w_rec": self.w_rec.astype(np.float32)}
        return DynapSim(
            (size, size),
            has_rec=not chips,
            dt=dt,
            Iscale=ISCALE,
            percent_mismatch=PERCENT if chips else None,
            rng_key=random.PRNGKey(0),
            **given,
            **{name: np.tile(values, copies).astype(np.float32) for name, values in self.currents.items()},
        )


def run(folder: Path) -> None:
    for file in sorted(folder.glob("*.json")):
        with np.load(file.with_suffix(".npz")) as given:
            x, dt, has_refractory = given["x"], float(given["dt"]), bool(given["has_refractory"])
            chips = int(given["chips"]) if "chips" in given.files else 0
        made = Configuration(json.loads(file.read_text(encoding="utf-8")), x.shape[1], has_refractory)
        weighted = (x @ made.w_in).astype(np.float32)[None]
        found: dict[str, Any] = {"columns": np.array([f"{name} {index}" for name, index in made.columns])}
        if chips:
            spikes = np.asarray(made.cells(dt, chips)(np.tile(weighted, chips))[0])[0]
            found["counts"] = spikes.sum(0).reshape(chips, -1).astype(np.int64)
        else:
            _, _, record = made.cells(dt, 0)(weighted, record=True)
            found |= {name: np.asarray(record[name])[0] for name in ("isyn", "iahp", "imem", "spikes")}
        np.savez(file.with_suffix(".out.npz"), **found)


def fit(source: Path, out: Path) -> None:
    found: dict[str, Any] = {}
    with np.load(source) as given:
        for name in given.files:
            weight = given[name]
            spec = autoencoder_quantization(1, np.zeros(weight.shape[1], int), weight, None, ISCALE)
            unit = np.array([float(np.ravel(spec[f"Iw_{k}"])[0]) for k in range(4)]) / ISCALE
            masks = np.asarray(spec["weights_in"][0]).astype(int)
            found[name] = np.asarray(spec["sign_in"][0]) * (((masks[..., None] >> np.arange(4)) & 1) @ unit)
    np.savez(out, **found)


def table(out: Path) -> None:
    currents = {kind: [list(ranges[k]) for k in sorted(ranges)] for kind, ranges in paramgen_se2.items()}
    out.write_text(json.dumps({"currents": currents, "scales": dict(scale_factor_se2)}), encoding="utf-8")


def main() -> None:
    command, *paths = sys.argv[1:]
    {"run": run, "fit": fit, "table": table}[command](*map(Path, paths))


if __name__ == "__main__":
    main()
