"""Prints what a `.nir` file holds: every group and data set with its type and value, by name.

python hdf5.py FILE        python hdf5.py --package FILE: what the `nir` package makes of it, shapes checked
"""

import sys

import h5py
import nir

if sys.argv[1] == "--package":
    graph = nir.read(sys.argv[2])
    for name, node in sorted(graph.nodes.items()):
        print(name, type(node).__name__)
    print(sorted(graph.edges))
    sys.exit()


def show(name, item):
    if isinstance(item, h5py.Dataset):
        value = item[()]
        print(name, "text" if item.dtype.hasobject else item.dtype, getattr(value, "tolist", lambda: value)())


with h5py.File(sys.argv[1]) as file:
    file.visititems(show)
