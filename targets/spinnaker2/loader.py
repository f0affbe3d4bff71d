"""Reads the files of `emitter.py` back into a `spinnaker2.chip`.

Errors: STN001 a file that is missing or has another content than the emitter writes; those of the verifier of `spinnaker2.chip`.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import ModuleOp

from ...core.diagnostics import Code, Diagnostics
from ...dialects.chip_base.codec import NETWORK, OpReader
from ...dialects.spinnaker2 import ChipOp

STN001 = Code("STN001", "spinnaker2-artefact-unreadable", "an artefact cannot be read")


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: STN001; those of the verifier of `spinnaker2.chip`."""
    return OpReader(files, diagnostics, STN001).read(NETWORK, ChipOp)
