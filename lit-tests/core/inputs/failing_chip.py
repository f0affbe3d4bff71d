"""Writes packages with targets that fail: one for each part of the record, as `<part>_chip`, and `none_chip` with two passes and a dialect.

python failing_chip.py DIR
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
PARTS = ("emit", "artefact", "vectors", "model", "pipeline", "precision", "none")
TARGET = '''
from typing import Any

from attrs import evolve

from nopt.targets.asic.model import Model
from nopt.targets.asic.target import TARGET as ASIC


class FailingModel(Model):
    """Fails when it runs."""

    def run(self, signals: Any, **more: Any) -> Any:
        raise IndexError("no tick")


def fails(*given: Any) -> Any:
    return {}["no entry"]


PARTS = {
    "emit": lambda: fails,
    "artefact": lambda: fails,
    "vectors": lambda: fails,
    "model": lambda: FailingModel,
    "pipeline": fails,
    "precision": fails,
}
FAILING = {name: part for name, part in PARTS.items() if name == "@"}
TARGET = evolve(ASIC, slug="@_chip", summary="a chip that fails", device="edge", **FAILING)
'''
STEP = '''
from dataclasses import dataclass

from xdsl.dialects.builtin import StringAttr

from nopt.core.ir.pipeline import NoptPass


@dataclass(frozen=True)
class NirFailPass(NoptPass):
    """Raises an exception."""

    name = "nir-fail"

    def apply(self, ctx, op):
        raise ValueError("boom")
'''
SPOIL = STEP.replace("NirFail", "NirSpoil").replace("nir-fail", "nir-spoil")
SPOIL = SPOIL.replace('raise ValueError("boom")', 'next(iter(op.ops)).attributes["stray"] = StringAttr("spoilt")')
DIALECT = """
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition


@irdl_op_definition
class CheckOp(IRDLOperation):
    name = "failing.check"
    assembly_format = "attr-dict"

    def verify_(self):
        raise AttributeError("no size")


FAILING = Dialect("failing", [CheckOp])
"""


def main(folder: Path) -> None:
    asic = ROOT / "targets" / "asic" / "devices"
    device = json.loads((asic / "edge.json").read_text())
    text = (asic / "edge.neuron").read_text().splitlines()
    device["neuron"]["updates"]["edge_lif"] = {"families": ["if", "lif"], "source": "synthetic", "text": text}
    for part in PARTS:
        package = folder / f"{part}_chip"
        (package / "devices").mkdir(parents=True)
        (package / "__init__.py").write_text("")
        (package / "target.py").write_text(TARGET.replace("@", part))
        (package / "devices" / "edge.json").write_text(json.dumps(device | {"target": f"{part}_chip"}))
    package = folder / "none_chip"
    for room, name, content in (
        ("passes", "nir_fail", STEP),
        ("passes", "nir_spoil", SPOIL),
        ("dialects", "failing", DIALECT),
    ):
        (package / room).mkdir(exist_ok=True)
        (package / room / f"{name}.py").write_text(content)
    (folder / "check.mlir").write_text('"failing.check"() : () -> ()\n')


main(Path(sys.argv[1]))
