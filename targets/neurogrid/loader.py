"""Reads the files of `emitter.py` back into a `neurogrid.chip`.

Errors: CHI023 a file that is missing or has another content than the emitter writes; those of the verifier of `neurogrid.chip`.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import ModuleOp

from ...core.diagnostics import Diagnostics
from ...dialects.chip_base.codec import NETWORK, OpReader
from ...dialects.neurogrid import ChipOp


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: CHI023; those of the verifier of `neurogrid.chip`."""
    return OpReader(files, diagnostics).read(NETWORK, ChipOp)
