"""Writes reduced `.nir` files of the fuzz suite into a folder: one good network, each file with one thing wrong.

python damage.py FOLDER
"""

import sys
from pathlib import Path

import h5py
import numpy as np

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
text = h5py.string_dtype()
lif = {name: np.ones(3, np.float32) for name in ("tau", "r", "v_leak", "v_threshold", "v_reset")}
nodes = {
    "input": {"type": "Input", "shape": np.array([3])},
    "lif": {"type": "LIF", **lif},
    "output": {"type": "Output", "shape": np.array([3])},
}


def opened(name):
    """A good network, open for damage."""
    file = h5py.File(folder / f"{name}.nir", "w")
    file.create_dataset("version", data="1.0.8", dtype=text)
    file.create_dataset("node/type", data="NIRGraph", dtype=text)
    file.create_dataset("node/edges", data=np.array([["input", "lif"], ["lif", "output"]], object), dtype=text)
    for node, values in nodes.items():
        for key, value in values.items():
            file.create_dataset(f"node/nodes/{node}/{key}", data=value, dtype=text if isinstance(value, str) else None)
    return file


with opened("graph_type") as file:
    del file["node/type"]
    file["node/type"] = np.array([0.5, 0.5])
with opened("node_type") as file:
    del file["node/nodes/lif/type"]
    file["node/nodes/lif/type"] = np.array([1, 1])
with opened("view") as file:
    del file["node/nodes/lif/tau"]
    layout = h5py.VirtualLayout((3,), np.float32)
    layout[...] = h5py.VirtualSource(".", "node/nodes/lif/tau", (3,))
    file.create_virtual_dataset("node/nodes/lif/tau", layout)
with opened("outside") as file:
    del file["node/nodes/lif/tau"]
    file.create_dataset("node/nodes/lif/tau", (3,), np.float32, external=[("/etc/passwd", 0, 12)])
with opened("circle") as file:
    file["node/nodes/again"] = file["node"]
with opened("itself") as file:
    del file["node/nodes/lif"]
    file["node/nodes/lif"] = h5py.ExternalLink("itself.nir", "/node")
with opened("huge") as file:
    del file["node/nodes/lif/tau"]
    file.create_dataset("node/nodes/lif/tau", (2,) * 30, np.float64, chunks=(1,) * 29 + (2,))
with opened("hollow") as file:
    del file["node/nodes/lif/tau"]
    file.create_dataset("node/nodes/lif/tau", (2**62, 0), "S1")
