"""Copies an HDF5 file, with a user block of a size and a text in it: user_block.py FILE SIZE TEXT COPY"""

import sys
from pathlib import Path

import h5py

source, size, text, target = sys.argv[1:]
Path(target).parent.mkdir(exist_ok=True)
with h5py.File(source) as file, h5py.File(target, "w", userblock_size=int(size)) as copy:
    for name in file:
        file.copy(name, copy)
    for name, value in file.attrs.items():
        copy.attrs[name] = value
with open(target, "r+b") as file:
    file.write(text.encode())
