"""Networks as modules of PyTorch that compute what a device computes, for training."""

from __future__ import annotations

import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ...core.diagnostics import Code, Diagnostics, refuse
from ...core.help_text import Phrase
from ...core.packages import is_installed
from ..exporting.export_torch import export_torch
from ..exporting.torch_module import NUMBER_PREFIX
from ..importing.import_weights import import_weights
from ..modules import read

TUN004 = Code("TUN004", "torch-missing", "the package torch is not installed")

STEM = "chip"


def require_torch() -> Any:
    """Returns the package PyTorch. Errors: TUN004 it is missing."""
    if not is_installed("torch"):
        refuse(
            TUN004,
            at="nopt tune",
            expected="torch, which the extra torch of nopt brings",
            found="no torch",
            help=Phrase("pip install 'nopt[torch]'"),
        )
    return import_module("torch")


@contextmanager
def single_thread(torch: Any) -> Generator[None]:
    """Restricts PyTorch to one thread: sums of several threads have no order."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


class ChipModule:
    """A network as a device computes it, with parameters that can be trained."""

    def __init__(self, network: ModuleOp, options: Mapping[str, Any]):
        """Exports and loads a network. Errors: those of `export_torch`."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{STEM}.py"
            export_torch(network, out=path, diagnostics=Diagnostics(), **options)
            spec = spec_from_file_location(STEM, path)
            assert spec is not None  # the path ends with .py
            assert spec.loader is not None
            module = module_from_spec(spec)
            spec.loader.exec_module(module)
            self.net: Any = module.Net()
            self.network: ModuleOp = read(path.with_suffix(".mlir"), diagnostics=Diagnostics())
            """The network that the device computes, legalised."""
            self.chips: int = module.CHIPS
            """Number of manufactured chips; 0 without."""

    def select_chip(self, chip: int | None) -> None:
        """Selects a manufactured chip for all samples; None: a random one for each sample."""
        self.net.chip = chip

    def run(self, inputs: Mapping[str, NDArray[Any]], output: str) -> Any:
        """Returns an output. Shapes: [samples, ticks, *shape]."""
        torch = require_torch()
        given = {name: torch.from_numpy(np.ascontiguousarray(array, np.float64)) for name, array in inputs.items()}
        return self.net.run(given)[output]

    def chip_numbers(self) -> dict[str, NDArray[Any]]:
        """Returns the numbers that the chip computes with, by their entries in a state dictionary."""
        entries = self.net.state_dict().items()
        return {name: value.numpy() for name, value in entries if name.startswith(NUMBER_PREFIX)}

    def network_with(self, numbers: Mapping[str, NDArray[Any]]) -> ModuleOp:
        """Returns the legalised network with other numbers of the chip. Errors: IMP033."""
        return import_weights(self.network, numbers, diagnostics=Diagnostics()).module
