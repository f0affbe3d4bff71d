"""Passes keep the locations of ops, and findings name them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import UNKNOWN_LOC, FileLineColLoc, IntAttr, LocationAttr, ModuleOp, StringAttr
from xdsl.ir import Block, Operation, Region

from nopt.api import Diagnostics, compile, read
from nopt.api.modules import available_passes
from nopt.core.diagnostics import Code, Finding
from nopt.core.ir import pass_manager, pipeline
from nopt.core.ir.context import NoptContext
from nopt.core.ir.location_parts import file_location, fuse, is_known, node_location, nodes_of
from nopt.core.locations import Origins

FILE = file_location("net.nir")
LINE = FileLineColLoc(StringAttr("net.mlir"), IntAttr(3), IntAttr(5))
CODE = Code("TST001", "wrong-layer", "a layer is wrong")


def op(
    name: str | None = None, location: LocationAttr = UNKNOWN_LOC, inner: list[Operation] | None = None
) -> test.TestOp:
    properties = {} if name is None else {"node": StringAttr(name)}
    regions = [] if inner is None else [Region(Block(inner))]
    made = test.TestOp.create(properties=properties, regions=regions)
    made.location = location
    return made


def origins_of(*names: str) -> Origins:
    return Origins(ModuleOp([op(name, node_location(name, FILE)) for name in names]))


@pytest.mark.parametrize(
    ("name", "origin"),
    [
        ("lif1", "lif1"),
        ("lif1.relay", "lif1.relay"),
        ("lif1/0", "lif1"),
        ("lif1.relay_2/3", "lif1.relay"),
        ("lif12", None),
        ("other", None),
        ("1.part0", "1"),
    ],
)
def test_a_derived_name_has_the_longest_origin(name: str, origin: str | None) -> None:
    found = origins_of("lif1", "lif1.relay", "1").find(name)
    assert ([] if found is None else nodes_of(found)) == ([] if origin is None else [origin])


def test_a_core_has_the_locations_of_its_populations() -> None:
    core = op(inner=[op("a/0", inner=[op()]), op("b/0"), op("a/1")])
    origins_of("a", "b").fill(ModuleOp([core]))
    assert nodes_of(core.location) == ["a", "b"]
    inner = next(one for one in core.walk() if "node" not in one.properties and one is not core)
    assert nodes_of(inner.location) == ["a"]


def test_fused_locations_are_flat_and_unique() -> None:
    first, second = node_location("a", FILE), node_location("b", FILE)
    assert fuse([first, UNKNOWN_LOC, first]) == first
    assert fuse([fuse([first, second]), second]) == fuse([first, second])
    assert fuse([]) == UNKNOWN_LOC


def test_a_known_location_stays() -> None:
    mine = op("a", node_location("other", LINE))
    origins_of("a").fill(ModuleOp([mine]))
    assert nodes_of(mine.location) == ["other"]


def test_a_finding_has_the_file_and_the_line_of_its_node() -> None:
    module = ModuleOp([op("fc", node_location("fc", LINE)), op("lif", node_location("lif", FILE))])
    fc, lif, other, device = (
        Origins(module).locate(Finding(CODE, node=name, file=file))
        for name, file in (("fc.part0", None), ("lif", None), ("x", None), ("fc", "device.json"))
    )
    assert (fc.file, fc.place) == ("net.mlir", "net.mlir:3:5")
    assert (lif.file, lif.place) == ("net.nir", None)
    assert (other.file, other.place) == (None, None)
    assert (device.file, device.place) == ("device.json", None)


def test_an_op_without_a_name_is_described_by_its_nodes() -> None:
    core = op(location=fuse([node_location("a", FILE), node_location("b", FILE)]))
    found = Finding(CODE).about(core)
    assert str(found) == 'error[TST001]: a layer is wrong [wrong-layer]\n  at: test.op, from "a", "b" (net.nir)'
    assert Finding(CODE).about(op("a/0", node_location("a", LINE))).at == 'test.op "a/0"'
    assert Finding(CODE).about(op("relay", node_location("a", LINE))).at == 'test.op "relay", from "a"'


def unknown(module: ModuleOp) -> Iterator[str]:
    for one in module.walk():
        if not is_known(one.location):
            yield one.name
        yield from (
            f"argument of {one.name}"
            for region in one.regions
            for block in region.blocks
            for argument in block.args
            if not is_known(argument.location)
        )


@pytest.mark.parametrize(
    ("device", "example"),
    [
        *(("c", example) for example in ("bars/bars.nir", "digits/fc.nir", "digits/conv.nir", "order/order.nir")),
        *(
            ("spinnaker2", example)
            for example in ("bars/bars.nir", "digits/fc.nir", "digits/conv.nir", "order/order.nir")
        ),
        *(("loihi2/loihi1", example) for example in ("bars/bars.nir", "digits/fc.nir", "digits/conv.nir")),
        *(("asic/edge", example) for example in ("bars/bars.nir", "digits/fc.nir")),
        *(("dynapcnn", example) for example in ("bars/bars.nir", "digits/conv.nir")),
    ],
)
def test_every_op_of_every_level_has_a_source(
    example: str, device: str, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All passes of the targets leave no op without a location, and only networks and chips without a node."""
    fill, seen = Origins.fill, list[int]()

    def filled(self: Origins, module: ModuleOp) -> None:
        fill(self, module)
        whole = (module, *module.ops)
        assert list(unknown(module)) == []
        assert [one.name for one in module.walk() if not nodes_of(one.location) and one not in whole] == []
        seen.append(len(whole))

    monkeypatch.setattr(Origins, "fill", filled)
    diagnostics = Diagnostics()
    with diagnostics.collecting():
        compile(
            root / "examples" / example,
            target=device,
            dt="1ms",
            like="norse",
            out=tmp_path / "o",
            diagnostics=diagnostics,
        )
    assert len(seen) > 1


def test_a_module_of_the_api_has_the_names_of_its_nodes(root: Path) -> None:
    module = read(root / "examples" / "bars" / "bars.nir", diagnostics=Diagnostics())
    steps = pipeline.parse_pipeline("convert-nir-to-ntensor{dt-ns=1000000 like=norse}", available_passes())
    pass_manager.run_passes(steps, NoptContext(diagnostics=Diagnostics()), module)
    assert list(unknown(module)) == []
    assert {node for one in module.walk() for node in nodes_of(one.location)} >= {"detect", "detectors", "vote"}
