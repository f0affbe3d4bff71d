"""Reads the files of `emitter.py` back into a `spinnaker.chip`. No path in a file is followed: a region is found by the number of its core.

Errors: CHI023 a file that is missing or has another content than the emitter writes; those of the verifier of `spinnaker.chip`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Diagnostics
from ...core.json_node import JsonNode
from ...dialects.chip_base.codec import NETWORK, OpReader
from ...dialects.chip_base.json_form import MAX_ARRAY_ELEMENTS
from ...dialects.spinnaker import ChipOp
from .emitter import ALIGNMENT, ROW_WORD, region_files, region_path
from .model import Model


class RegionReader(OpReader):
    """Reader of one artefact."""

    def array(self, node: JsonNode) -> ArrayAttr:
        """Returns words from the region of a core, or an array of another file. Errors: CHI023."""
        if node.optional("core") is None:
            return super().array(node)
        dtype, shape = self.dtype(node), self.shape(node)
        file = region_path(node["core"].integer(0, MAX_ARRAY_ELEMENTS), "synapses")
        content, start = self.content(file), ALIGNMENT * node["address"].integer(0, MAX_ARRAY_ELEMENTS)
        end = start + ROW_WORD.itemsize * prod(shape)
        if end > len(content):
            self.refuse_file(file, f"at least {end} bytes", f"{len(content)} bytes")
        words = np.frombuffer(content[start:end], ROW_WORD).view("<i4")
        return self.typed(node, words.astype(dtype).reshape(shape))


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: CHI023; those of the verifier of `spinnaker.chip`."""
    reader = RegionReader(files, diagnostics)
    module = reader.read(NETWORK, ChipOp)
    for name, wanted in region_files(Model.chip_of(module)).items():
        if (content := reader.content(name)) != wanted:
            reader.refuse_file(name, f"that of {NETWORK}", f"{len(content)} other bytes")
    return module
