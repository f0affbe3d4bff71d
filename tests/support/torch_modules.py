"""Exported modules of PyTorch, next to the network that they were exported from: `difference(network, inputs, record, folder)`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from nopt.api.exporting.network_trace import NetworkTrace
from nopt.api.exporting.torch_module import SurrogateGradient, torch_files
from nopt.api.exporting.weight_masters import Masters
from nopt.api.modules import only_network
from nopt.dialects.ntensor import NetworkOp
from nopt.simulation.signals import DenseSignal
from nopt.targets.reference.model import ReferenceModel

TOLERANCE = {"float64": 1e-12, "float32": 1e-5}
"""Largest error of reals, relative to the largest of an array: sums have another order, and functions of the library another last bit."""


def import_file(path: Path) -> ModuleType:
    """Returns the module of a file of Python."""
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def exported(
    network: NetworkOp,
    folder: Path,
    given: ModuleOp | None = None,
    drawn: Mapping[str, Mapping[str, np.ndarray]] | None = None,
) -> ModuleType:
    """Exports a network in ticks, and imports the file. `given`: the module before the passes, whose weights are the parameters."""
    trace = NetworkTrace()
    if given is not None:
        trace(None, given, None)
    masters = Masters(trace.origins(), *trace.grids(network))
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in torch_files(network, masters, "chip", SurrogateGradient(), drawn=drawn).items():
        (folder / name).write_bytes(data)
    return import_file(folder / "chip.py")


def run_module(module: ModuleType, inputs: Any, record: Sequence[str] = ()) -> dict[str, np.ndarray]:
    """Runs an exported network without gradients."""
    import torch

    given = (
        {name: torch.as_tensor(np.asarray(array)) for name, array in inputs.items()}
        if isinstance(inputs, Mapping)
        else torch.as_tensor(np.asarray(inputs))
    )
    with torch.no_grad():
        return {name: values.numpy() for name, values in module.Net.load().run(given, record).items()}


def difference(network: NetworkOp, inputs: Mapping[str, np.ndarray], record: Sequence[str], folder: Path) -> list[str]:
    """Returns the outputs and records of an exported network that differ from those of the reference."""
    signals = {name: DenseSignal(array) for name, array in inputs.items()}
    wanted = ReferenceModel(network, record=record).run(signals)
    return differing(wanted, run_module(exported(network, folder), inputs, record))


def differing(wanted: Mapping[str, np.ndarray], found: Mapping[str, np.ndarray]) -> list[str]:
    """Returns the names of arrays that differ: integers and spikes in any entry, reals beyond the tolerance."""
    return [name for name, array in wanted.items() if not are_equal(array, found[name])]


def are_equal(wanted: np.ndarray, found: np.ndarray) -> bool:
    if wanted.dtype.kind != "f":
        return np.array_equal(wanted, found)
    most = np.abs(wanted[np.isfinite(wanted)]).max(initial=0.0)
    near = TOLERANCE[wanted.dtype.name] * max(1.0, float(most))
    return wanted.shape == found.shape and np.allclose(found, wanted, 0.0, near, equal_nan=True)


def network_of(module: ModuleOp) -> NetworkOp:
    return only_network(module)
