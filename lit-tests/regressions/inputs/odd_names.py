"""Writes a network and arrays whose names hold control characters: python odd_names.py DIR."""

import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
folder.mkdir(exist_ok=True)
net = (Path(__file__).parent / "two.mlir").read_text(encoding="utf-8")
name = "out\\E2\\80\\AE\\1B]0;title\\07"
(folder / "net.mlir").write_text(net.replace('"out"', f'"{name}"'), encoding="utf-8")
(folder / "x\x1b[31m.mlir").write_text("no IR", encoding="utf-8")
np.save(folder / "x.npy", np.ones((3, 2), bool))
np.savez(folder / "a.npz", **{"a\x1b[31m": np.ones(3)})
np.savez(folder / "b.npz", **{"b\nc": np.ones(3)})
np.save(folder / "finite.npy", np.ones(3))
np.save(folder / "infinite.npy", np.array([1, np.inf, 1]))
