"""Derives the parameters of the first update of a file: `derive.py net.mlir '{"tau": 0.02}'`, dt = 1 ms."""

import ast
import sys
from pathlib import Path

import numpy as np

from nopt.core.diagnostics import Refused
from nopt.core.ir.context import NoptContext
from nopt.core.ir.source import parse_module
from nopt.dialects.ntensor import UpdateOp
from nopt.simulation.update import derive

module = parse_module(NoptContext(), Path(sys.argv[1]).read_text())
update = next(op for op in module.ops if isinstance(op, UpdateOp))
given = {name: np.asarray(value) for name, value in ast.literal_eval(sys.argv[2]).items()}
try:
    print({name: value.tolist() for name, value in derive(update, 1e-3, given).items()})
except Refused as refusal:
    print(refusal)
