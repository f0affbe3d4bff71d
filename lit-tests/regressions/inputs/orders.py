"""Writes inputs of 3 samples and 10 ticks for two neurons, in both orders, and with values that are not finite.

python orders.py FOLDER
"""

import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)

x = np.stack([np.full((10, 2), [low, 6.0]) for low in (2.0, 6.0, 0.0)])
np.save(folder / "x.npy", x)
np.save(folder / "swapped.npy", x.swapaxes(0, 1))
np.save(folder / "many.npy", np.stack([np.full((2, 2), n / 8) for n in range(8)]))
np.save(folder / "flat.npy", np.ones((3, 10, 4)))
np.save(folder / "y.npy", np.arange(10) % 2)

for name, value in (("nan", np.nan), ("infinite", -np.inf)):
    wrong = x.copy()
    wrong[1, 7, 1] = wrong[2, 0, 0] = value
    np.save(folder / f"{name}.npy", wrong)
np.savez(folder / "events.npz", tick=[0, 4], index=[0, 1], value=[1.0, np.nan], shape=np.array([2]), ticks=np.array(10))
