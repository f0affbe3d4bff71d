"""Writes inputs of several sizes for two neurons into a folder.

python levels.py FOLDER
"""

import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for name, level in (("zeros", 0.0), ("weak", 0.5), ("good", 2.0), ("loud", 1000.0), ("huge", 1e308)):
    np.save(folder / f"{name}.npy", np.full((3, 20, 2), level))
np.save(folder / "short.npy", np.full((9, 2), 1000.0))
np.save(folder / "wide.npy", np.full((9, 5), 1.0))
