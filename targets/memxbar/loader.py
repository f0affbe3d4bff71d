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
from ...core.arrays.numeric import AnyArray
from ...core.device.device import from_record
from ...core.device.named_device import name_device
from ...core.diagnostics import Diagnostics, Refused, refuse
from ...core.ir import source
from ...core.ir.context import NoptContext
from ...core.json_node import HELP, JsonNode
from ...dialects.chip_base.json_form import CHI023
from ...dialects.memxbar import LayerBase, NetworkOp, TileOp
from .emitter import (
    AIHWKIT,
    CONDUCTANCES,
    CROSSBARS,
    DEVICE_FILE,
    MEMXBAR_SCHEMA,
    PERIPHERY,
    aihwkit_json,
    archive,
    conductance_arrays,
    crossbars_json,
)

MOST_ELEMENTS = 2**31 - 1


class CrossbarLoader:
    """Reader of one artefact."""

    def __init__(self, files: Mapping[str, bytes], diagnostics: Diagnostics):
        self.files, self.context = files, NoptContext(diagnostics=diagnostics)

    def data(self, name: str) -> bytes:
        if name not in self.files:
            refuse(CHI023, f"{name} cannot be read", file=name, expected="a file", found="no such file", help=HELP)
        return self.files[name]

    def text(self, name: str) -> str:
        """Returns the text of a file. Errors: CHI023."""
        try:
            return self.data(name).decode("utf-8")
        except UnicodeDecodeError:
            found = "bytes that are not UTF-8"
            refuse(CHI023, f"{name} cannot be read", file=name, expected="a text", found=found, help=HELP)

    def read(self) -> ModuleOp:
        """Returns the module with the network. Errors: CHI023."""
        chip = JsonNode.parse(CROSSBARS, self.text(CROSSBARS), CHI023)
        if chip["schema"].text() != MEMXBAR_SCHEMA:
            chip["schema"].refuse(f'"{MEMXBAR_SCHEMA}"')
        device = from_record(self.text(DEVICE_FILE))
        try:
            module = source.parse_module(self.context, self.text(PERIPHERY), PERIPHERY)
        except Refused as refusal:
            found = refusal.findings[0].message
            refuse(CHI023, f"{PERIPHERY} cannot be read", file=PERIPHERY, expected="IR", found=found, help=HELP)
        network = next((op for op in module.ops if isinstance(op, NetworkOp)), None)
        if network is None:
            found = "none"
            refuse(
                CHI023,
                f"{PERIPHERY} has no network",
                file=PERIPHERY,
                expected="a memxbar.network",
                found=found,
                help=HELP,
            )
        levels = self.levels()
        layers = {layer.node.data: layer for layer in network.layers}
        for node in chip["layers"].items():
            layer = layers.pop(name := node["layer"].text(), None)
            if layer is None:
                node["layer"].refuse(f"a layer of {PERIPHERY}", name)
            for tile in node["tiles"].items():
                layer.body.block.add_op(self.tile(tile, layer, levels))
        if layers:
            chip["layers"].refuse(f"all layers of {PERIPHERY}", f"none for {', '.join(layers)}")
        name_device(network, device)
        source.check_module(module)
        for name, wanted in (
            (CROSSBARS, crossbars_json(network, device).encode()),
            (CONDUCTANCES, archive(conductance_arrays(network, device))),
            (AIHWKIT, aihwkit_json(device).encode()),
        ):
            if self.data(name) != wanted:
                expected = "the content that nopt compile writes"
                refuse(CHI023, f"{name} cannot be read", file=name, expected=expected, found="another one", help=HELP)
        return module

    def levels(self) -> dict[str, AnyArray]:
        """Returns the arrays of levels by their names. Errors: CHI023."""
        try:
            with np.load(io.BytesIO(self.data(CONDUCTANCES)), allow_pickle=False) as found:
                return {name: found[name] for name in found.files if name.endswith("/level")}
        except (ValueError, OSError, EOFError, zipfile.BadZipFile):
            expected = "an archive of arrays"
            refuse(
                CHI023,
                f"{CONDUCTANCES} cannot be read",
                file=CONDUCTANCES,
                expected=expected,
                found="other bytes",
                help=HELP,
            )

    def tile(self, node: JsonNode, layer: LayerBase, levels: Mapping[str, AnyArray]) -> TileOp:
        place = node["array"].whole()
        found = levels.get(f"array-{place}/level")
        if found is None or found.ndim != 2 or found.dtype.kind != "u":
            node["array"].refuse(f"an array of levels in {CONDUCTANCES}")
        made = TileOp(place, node["group"].whole(), self.span(node["rows"]), self.span(node["columns"]), found)
        ranges = node.optional("adc_range")
        if ranges is not None:
            made.adc_range = ArrayAttr.of(np.array([self.real(one) for one in ranges.items()], np.float64))
        return made

    def span(self, node: JsonNode) -> tuple[int, int]:
        found = [one.whole(0, MOST_ELEMENTS) for one in node.items()]
        if len(found) != 2:
            node.refuse("2 integers")
        return found[0], found[1]

    def real(self, node: JsonNode) -> float:
        value = node.value
        if isinstance(value, bool) or not isinstance(value, int | float):
            node.refuse("a number")
        return float(value)


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: CHI023; those of the verifier of `memxbar.network`."""
    return CrossbarLoader(files, diagnostics).read()
