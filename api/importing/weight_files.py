"""Files of trained weights: arrays by the names of a network's parameters, such as `fc.weight`.

| file | names |
| --- | --- |
| `.npz` | those of its arrays |
| a folder of `.npy` | the names of the files without `.npy`: `fc.weight.npy` |
| `.pt`, a `state_dict` that PyTorch saved | its keys; only tensors are loaded, never code |

The content decides, not the name of the file.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.arrays.numpy_files import MAGIC
from ...core.diagnostics import Code, first_of, refuse
from ...core.files import read_head
from ...frontends.frameworks.foreign import Foreign
from ...simulation.stimuli import load_arrays

IMP024 = Code("IMP024", "weights-unreadable", "a file holds no weights that can be read")

Weights = str | Path | Mapping[str, ArrayLike]
"""A file or folder of weights, or a mapping from names to arrays or tensors, such as a `state_dict`."""

ZIP, PICKLE = b"PK", b"\x80"
"""First bytes of an archive, and of a pickle, which is the form of a `state_dict` before PyTorch 1.6."""
TORCH_MEMBER = "data.pkl"
"""Member of every archive of PyTorch."""
FORMS = "a .npz, a folder of .npy, or a state_dict of PyTorch"
NAMED_ENTRIES = 4


def read_weights(given: Weights) -> dict[str, NDArray[Any]]:
    """Returns arrays by name.

    Errors: COR008, SIM005, SIM006, SIM016 arrays that cannot be read; IMP007 PyTorch is missing; IMP024 another file.
    """
    if isinstance(given, Mapping):
        return {str(name): to_array(value) for name, value in given.items()}
    path = Path(given)
    if path.is_dir():
        return read_folder(path)
    head = read_head(path)
    if head.startswith(PICKLE) or (head.startswith(ZIP) and is_torch_archive(path)):
        return read_state_dict(path)
    if head.startswith(MAGIC):
        refuse_file(path, "one .npy, without the name of a parameter", "numpy.savez('weights.npz', **{'fc.weight': w})")
    if not head.startswith(ZIP):
        refuse_file(
            path, f"the first bytes are {head[:8].hex(' ') or 'none'}", "torch.save(net.state_dict(), 'net.pt')"
        )
    return cast("dict[str, NDArray[Any]]", load_arrays(path)[0])


def to_array(value: Any) -> NDArray[Any]:
    """Returns an array, or a tensor of PyTorch as an array; `bfloat16`, which NumPy lacks, becomes `float32`."""
    if not hasattr(value, "detach"):
        return np.asarray(value)
    tensor = value.detach().cpu()
    return np.asarray(tensor.float() if str(tensor.dtype) == "torch.bfloat16" else tensor)


def read_folder(folder: Path) -> dict[str, NDArray[Any]]:
    """Returns the arrays of a folder. Errors: IMP024 it has no `.npy`; those of each file."""
    files = sorted(path for path in folder.iterdir() if path.suffix == ".npy")
    if not files:
        refuse_file(folder, "a folder without .npy", "numpy.save('weights/fc.weight.npy', w)")
    arrays: dict[str, NDArray[Any]] = {}
    for path in files:
        array = load_arrays(path)[0]
        if not isinstance(array, np.ndarray):
            refuse_file(path, "several arrays", "numpy.save('weights/fc.weight.npy', w)")
        arrays[path.stem] = array
    return arrays


def is_torch_archive(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return any(name.rpartition("/")[2] == TORCH_MEMBER for name in archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError):
        return False  # the reader of arrays reports the damage


def read_state_dict(path: Path) -> dict[str, NDArray[Any]]:
    """Returns the tensors of a `state_dict`. Errors: IMP007 PyTorch is missing; IMP024 the file holds other objects."""
    with Foreign(IMP024, "PyTorch cannot load the weights", "torch.load", "a state_dict of tensors", file=str(path)):
        torch: Any = import_module("torch")
        content: Any = torch.load(path, map_location="cpu", weights_only=True)
    help = "torch.save(net.state_dict(), 'net.pt')"
    if not isinstance(content, Mapping):
        refuse_file(path, f"an object of {type(content).__name__}", help)
    entries = cast("Mapping[Any, Any]", content)
    odd = [str(name) for name, value in entries.items() if not isinstance(value, torch.Tensor)]
    if odd:
        refuse_file(path, f"entries that are not tensors: {first_of(odd, NAMED_ENTRIES)}", help)
    return {str(name): to_array(value) for name, value in entries.items()}


def refuse_file(path: Path, found: str, help: str) -> NoReturn:
    refuse(IMP024, file=str(path), expected=FORMS, found=found, help=help)
