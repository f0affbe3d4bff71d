"""The machines of py-spinnaker2. They add what they were asked to run to the list in `calls.json` of the working folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from .snn import Network, simulate


def listed(value: Any) -> Any:
    """Returns parameters as JSON holds them."""
    if isinstance(value, dict):
        return {str(key): listed(one) for key, one in value.items()}
    return value.tolist() if isinstance(value, np.ndarray) else value


class Machine:
    """Base of the machines."""

    def __init__(self, **address: str):
        self.address = address

    def run(self, net: Network, timesteps: int) -> None:
        populations = [
            {
                "size": one.size,
                "neuron_model": one.neuron_model,
                "params": listed(one.params),
                "name": one.name,
                "record": list(one.record),
                "max_atoms_per_core": one.max_atoms_per_core,
            }
            for one in net.populations
        ]
        projections = [
            {"pre": one.pre.name, "post": one.post.name, "connections": one.connections} for one in net.projections
        ]
        calls = {
            "machine": type(self).__name__,
            "address": self.address,
            "network": net.name,
            "timesteps": timesteps,
            "populations": populations,
            "projections": projections,
        }
        path = Path("calls.json")
        earlier = json.loads(path.read_text()) if path.exists() else []
        path.write_text(json.dumps([*earlier, calls]))
        simulate(net, timesteps)


class SpiNNaker2Chip(Machine):
    pass


class SpiNNcloud48NodeBoard(Machine):
    pass
