"""Writes the arrays of the goldens of `run` and `compare` into a folder.

python arrays.py FOLDER
"""

import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)

# Two neurons, ten ticks, inputs 2 and 6 all along.
x = np.full((10, 2), [2.0, 6.0])
np.save(folder / "one.npy", x)
np.save(folder / "several.npy", np.stack([x, x, 0 * x]))
np.save(folder / "wrong_shape.npy", x.T)
np.save(folder / "complex.npy", x.astype(complex))
np.save(folder / "objects.npy", np.array([["a", None]], object), allow_pickle=True)
(folder / "cut.npy").write_bytes((folder / "one.npy").read_bytes()[:100])
(folder / "cut.npz").write_bytes(b"PK\x03\x04 and then nothing")
(folder / "text.npy").write_text("1 2 3\n")
np.savez(folder / "named.npz", input=x)
np.savez(folder / "misnamed.npz", inptu=x)

# The same spikes of weight 2 and 6 as events, in any order, one of them in two parts.
tick, index = (part.reshape(-1)[::-1] for part in np.indices(x.shape))
value = np.where(index == 0, 2.0, 6.0)
whole = {"tick": tick, "index": index, "value": value, "shape": np.array([2]), "ticks": np.array(10)}
np.savez(folder / "events.npz", **whole)
np.savez(folder / "events_named.npz", **{f"input/{key}": part for key, part in whole.items()})
np.savez(folder / "events_lack.npz", **{key: part for key, part in whole.items() if key != "ticks"})
np.savez(folder / "events_sample.npz", **whole, sample=0 * tick)
np.savez(folder / "events_shape.npz", **{**whole, "shape": np.array([3])})
np.savez(folder / "events_late.npz", **{**whole, "tick": tick + 1})
np.savez(folder / "events_uneven.npz", **{**whole, "index": index[1:]})

# Pairs to compare: b is a, one tick later, with one value changed.
a = np.zeros((6, 3))
a[1, 2], a[3, 0] = 1.0, np.nan
b = np.roll(a, 1, axis=0)
b[2, 2] = 1.5
np.savez(folder / "a.npz", v=a, spikes=a > 0, only_a=a)
np.savez(folder / "b.npz", v=b, spikes=b > 0, only_b=b)
np.savez(folder / "short.npz", v=a[:4], spikes=a > 0, only_a=a)

# Two inputs.
np.savez(folder / "two.npz", left=np.ones((5, 1)), right=np.ones(5))
np.savez(folder / "two_uneven.npz", left=np.ones((5, 1)), right=np.ones(4))
