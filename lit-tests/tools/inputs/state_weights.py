"""Parameters that no entry of a state dictionary holds: python state_weights.py FOLDER."""

import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
np.savez(folder / "tau.npz", **{"1.tau": np.array([0.003, 0.003])})
np.savez(folder / "threshold.npz", **{"1.v_threshold": np.array([1.0, 2.0])})
