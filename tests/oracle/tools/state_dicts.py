"""Quantised weights back into the networks of the frameworks: python state_dicts.py FRAMEWORK prints one line of JSON for each network.

Runs in the environment `frameworks`, with the networks of `imported_networks.py` and `imported_layers.py`. Each network is imported, its weights are quantized to
4 bits in f32, and they are written into the state dictionary of the network itself, whose weights are drawn anew before.
"""

from __future__ import annotations

import json
import sys
import warnings
from io import BytesIO
from typing import Any

import imported_networks
import torch

NETWORKS = dict(imported_networks.RUNS)
import imported_layers  # noqa: E402 - it registers its networks in the same table

import nopt  # noqa: E402
from nopt.api.importing.import_weights import parameters_of  # noqa: E402
from nopt.api.unit_values import time_ns  # noqa: E402
from nopt.core.diagnostics import Diagnostics  # noqa: E402


def quantized(imported: Any) -> Any:
    """Returns the network in ticks of f32, with weights of 4 bits."""
    choices = dict(imported.choices)
    words = [f"dt-ns={time_ns(choices['dt'])}", f"like={choices['like']}", "precision=f32"]
    words += [
        f'{name.replace("_", "-")}="{choices[name]}"'
        for name in ("reset", "options", "options_at")
        if choices.get(name)
    ]
    nodes = ",".join(
        f'"{one.path}"' for one in parameters_of(imported.module) if one.name == "weight"
    )  # not those of an interpolation; sums of powers of two are exact
    passes = f"convert-nir-to-ntensor{{{' '.join(words)}}},ntensor-quantize-weights{{bits=4 per=row scale=power-of-two nodes={nodes}}}"
    return nopt.apply(imported.module.clone(), passes, diagnostics=Diagnostics())


def main(framework: str) -> None:
    warnings.simplefilter("ignore")
    tables = [NETWORKS.get(framework, {}), imported_layers.networks.RUNS.get(framework, {})]
    for name, (made, arguments, _) in {**tables[0], **tables[1]}.items():
        torch.manual_seed(0)
        network = made()
        imported = nopt.import_network(network, diagnostics=Diagnostics(), **arguments)
        wanted = quantized(imported)
        input = {key: value for key, value in arguments.items() if key in ("input", "axes")}
        record: dict[str, Any] = {"name": name}
        found = nopt.Diagnostics()
        for key, tensor in network.state_dict().items():
            if key.endswith(("weight", "weights", "w_rec")) and tensor.ndim > 1:
                tensor += 0.01 * torch.rand_like(tensor)
        try:
            exported = nopt.export_state_dict(wanted, network, dt=imported.choices["dt"], diagnostics=found, **input)
        except nopt.Refused as refused:
            print(json.dumps(record | {"refused": [str(one) for one in refused.findings]}))
            continue
        file = BytesIO()
        torch.save(dict(exported.state), file)
        file.seek(0)
        network.load_state_dict(torch.load(file, weights_only=True))
        changed = sum(entry.changed for entry in exported.entries)
        print(
            json.dumps(record | {"equal": exported.comparison.equal, "changed": changed, "rounding": exported.rounding})
        )


main(sys.argv[1])
