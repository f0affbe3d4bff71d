"""Reads the files of `emitter.py` back into a `memxbar.network`.

Errors: CHI023 a file that is missing or has another content than the emitter writes; those of the verifier of `memxbar.network`.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.arrays import ArrayAttr
from ...core.device.named_device import device_of
from ...core.diagnostics import Diagnostics
from ...core.json_node import JsonNode
from ...dialects.chip_base.codec import NETWORK, OpReader
from ...dialects.memxbar import NetworkOp
from .emitter import CONDUCTANCES, array_files
from .model import Model


class CrossbarReader(OpReader):
    """Reader of one artefact."""

    def __init__(self, files: Mapping[str, bytes], diagnostics: Diagnostics):
        super().__init__(files, diagnostics)
        try:
            with np.load(io.BytesIO(self.content(CONDUCTANCES)), allow_pickle=False) as archive:
                self.levels = {name: archive[name] for name in archive.files if name.endswith("/level")}
        except (ValueError, OSError, EOFError, zipfile.BadZipFile):
            self.refuse_file(CONDUCTANCES, "an archive of arrays", "other bytes")

    def array(self, node: JsonNode) -> ArrayAttr:
        """Returns an array of levels from the archive, or that of another file. Errors: CHI023."""
        if node.optional("member") is None:
            return super().array(node)
        levels = self.levels.get(node["member"].text())
        if levels is None or node["file"].text() != CONDUCTANCES:
            node["member"].refuse(f"an array of levels in {CONDUCTANCES}")
        return self.matched(node, CONDUCTANCES, levels)


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: CHI023; those of the verifier of `memxbar.network`."""
    reader = CrossbarReader(files, diagnostics)
    module = reader.read(NETWORK, NetworkOp)
    network = Model.chip_of(module)
    for name, content in array_files(network, device_of(network)).items():
        if reader.content(name) != (content if isinstance(content, bytes) else b"".join(content)):
            reader.refuse_file(name, "the content that nopt compile writes", "another one")
    return module
