"""The `nopt` command with a pass that breaks, one that has no memory, one that leaves invalid IR, and a binary format: what no part of nopt does.

What repeats a defect is written into the working directory, which the caller cleans up.

python pretend.py FILE -p pretend-to-break
"""

import os
import sys
import tempfile
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr

from nopt.api import modules
from nopt.core.ir.context import multiverse
from nopt.core.ir.pipeline import NoptPass
from nopt.tools.main import main


@dataclass(frozen=True)
class PretendToBreakPass(NoptPass):
    """Raises what no pass should raise."""

    name = "pretend-to-break"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise KeyError("lif1")


@dataclass(frozen=True)
class PretendToGrowPass(NoptPass):
    """Asks for more memory than there is."""

    name = "pretend-to-grow"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise MemoryError("Unable to allocate 8.00 EiB")


@dataclass(frozen=True)
class PretendToSpoilPass(NoptPass):
    """Leaves a parameter that no op has."""

    name = "pretend-to-spoil"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.ops):
            inner.attributes["stray"] = StringAttr("spoilt")


PASSES = (PretendToBreakPass, PretendToGrowPass, PretendToSpoilPass)
multiverse().all_passes.update({cls.name: (lambda cls=cls: cls) for cls in PASSES})
tempfile.tempdir = os.getcwd()
offered = modules.emitters
modules.emitters = lambda: {**offered(), "pretend": lambda: lambda module, diagnostics: b"\0bytes"}
sys.exit(main())
