"""Reader of ONNX models into the ntensor dialect: networks of values, in reals or in the integers of QuantizeLinear and DequantizeLinear.

A tick of the network is one sample: the first axis of inputs and outputs, that of the samples, is not an axis of the network. `onnx/model.py` reads
the contents, `onnx/network.py` builds the ops. The package `onnx` (extra `import-onnx`) is imported when a model is read.
"""

from __future__ import annotations

import re
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ..core.diagnostics import Diagnostics
from .limits import DEFAULTS, Limits

START = re.compile(rb"\x08[\x01-\x1f](?:[\x12\x1a\x22\x32\x3a\x42\x72]|\x28[\x00-\x7f])", re.DOTALL)
"""The version of the format, then the next field of a model: names, versions of operators, or the graph."""


def recognises(head: bytes) -> bool:
    """Returns whether a file starts with the first fields of an ONNX model."""
    return START.match(head) is not None


def read(path: Path, diagnostics: Diagnostics, limits: Limits = DEFAULTS) -> ModuleOp:
    """Reads an ONNX model; the symbol of the network is the stem of the file name.

    Errors: IMP007, NIF027, ONX001 to ONX010.
    """
    from .onnx.model import read_graph
    from .onnx.network import build_network

    return build_network(read_graph(path, limits), diagnostics)
