"""Writes state dictionaries as those of a module that `nopt export` wrote: DIR/chip.mlir has the digest of its arrays."""

import re
import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
(digest,) = re.findall(r'machine.legalized = "(\w+)"', (folder / "chip.mlir").read_text())
arrays = np.array(list(bytes.fromhex(digest)), np.uint8)
good = {
    "fc.weight": np.array([[0.5], [0.25]]),
    "on_chip:fc.weight": np.array([[3.0], [-100.0]]),
    "on_chip:arrays": arrays,
}
np.savez(folder / "good.npz", **good)
np.savez(folder / "masters.npz", **{"fc.weight": good["fc.weight"]})
np.savez(folder / "other.npz", **{**good, "on_chip:arrays": 255 - arrays})
np.savez(folder / "half.npz", **{**good, "on_chip:fc.weight": np.array([[3.5], [0.0]])})
np.savez(folder / "wide.npz", **{**good, "on_chip:fc.weight": np.array([[200.0], [0.0]])})
