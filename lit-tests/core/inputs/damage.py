"""Damages the one array in a folder in the ways that the golden of `core/arrays/files.py` asks for.

python damage.py FOLDER: copies of it stand in FOLDER.flipped, .cut, .text, .typed and .empty
"""

import shutil
import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
(path,) = folder.glob("*.npy")
whole = path.read_bytes()
values = np.load(path)
for name, data in {
    "flipped": whole[:-1] + bytes([whole[-1] ^ 1]),
    "cut": whole[:-3],
    "text": b"1 2 3\n",
    "typed": None,
    "empty": None,
}.items():
    damaged = Path(f"{folder}.{name}")
    shutil.rmtree(damaged, ignore_errors=True)
    damaged.mkdir()
    if data is not None:
        (damaged / path.name).write_bytes(data)
    elif name == "typed":
        np.save(damaged / path.name, values.astype(np.float64))
