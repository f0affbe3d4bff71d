"""Writes data files of the `nir` package into a folder: the input 2 and 6 of two neurons over ten ticks of 1 ms, in three forms.

python nir_data.py FOLDER
"""

import sys
from pathlib import Path

import nir
import numpy as np

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)


def write(name: str, **nodes: dict[str, object]) -> None:
    data = nir.NIRGraphData({node: nir.NIRNodeData(observables) for node, observables in nodes.items()})
    nir.write_data(folder / name, data)


x = np.full((1, 10, 2), [2.0, 6.0])
gridded = nir.TimeGriddedData(x, 1e-3)
tick, index = (part.reshape(1, -1) for part in np.indices(x.shape[1:]))
valued = nir.ValuedEventData(index, tick * 1e-3, 2, 10e-3, np.where(index == 0, 2.0, 6.0))
write("gridded.h5", input={"x": gridded})
write("valued.h5", input={"x": valued})
write("slow.h5", input={"x": nir.TimeGriddedData(x, 2e-3)})
write("stray.h5", inptu={"x": gridded})
write("double.h5", input={"x": gridded, "y": gridded})
nir.write(folder / "net.nir", nir.NIRGraph.from_list(nir.Linear(np.ones((2, 2), np.float32))))
