"""Runs the model in Python with signals that do not fit: `misuse.py net.mlir '{"x": (1, 3, 2)}'`, the shapes of arrays by name."""

import ast
import sys
from pathlib import Path

import numpy as np

from nopt.core.diagnostics import Refused
from nopt.core.ir.context import NoptContext
from nopt.core.ir.source import parse_module
from nopt.dialects.ntensor import NetworkOp
from nopt.simulation.signals import DenseSignal
from nopt.targets.reference.model import ReferenceModel

module = parse_module(NoptContext(), Path(sys.argv[1]).read_text())
network = next(op for op in module.ops if isinstance(op, NetworkOp))
try:
    given = {name: DenseSignal(np.zeros(shape)) for name, shape in ast.literal_eval(sys.argv[2]).items()}
    print({name: array.shape for name, array in ReferenceModel(network).run(given).items()})
except Refused as refusal:
    print(refusal)
