"""The mapper of BrainChip's akida starts the passes that the report has, with the same processors, and refuses what is refused."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from akida_passes import Deep, deep_networks, draw_deep, unplaced
from akida_stacks import VENDOR, Case, compiled, differences, hand_over, run_tool
from test_akida_script import printed_processors, processors

STACKS = 140
LAYERS = 26


def answers(python: Path, cases: list[Case], folder: Path) -> list[dict[str, object]]:
    """Returns the answer of the mapper for each network."""
    handed = folder / "tool"
    handed.mkdir()
    hand_over([case if case.build is not None else unplaced(case, folder) for case in cases], handed)
    theirs = run_tool(python, "map", handed)
    return [json.loads(theirs[case.name].tobytes()) for case in cases]


def layer_number(name: str) -> int:
    """Returns the number of a layer, which ends the names of its ops."""
    return int(name.lstrip("abcdefghijklmnopqrstuvwxyz"))


def test_deep_stacks_take_the_passes_of_the_mapper(
    python_of: Callable[[str], Path], tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """Also those that the mapper refuses, at the same layer."""
    count = max(STACKS, pytestconfig.getoption("--count"))
    cases = [
        compiled(str(seed), deep.stack(seed, has_values=False), deep.device, tmp_path)
        for seed, deep in deep_networks(count, LAYERS)
    ]
    given = answers(python_of("akida"), cases, tmp_path)
    passes, refused = Counter[int](), Counter[str]()
    for case, answer in zip(cases, given, strict=True):
        what = (case.device, case.stack.kinds)
        if case.build is None:
            (name,) = re.findall(r"layer '(\w+)'. ", str(answer.get("refused")))[:1] or [""]
            assert layer_number(case.refused_node) == layer_number(name), (what, case.refusal, answer)
            refused[case.refusal.partition(":")[0]] += 1
        else:
            assert answer == case.idents(), what
            passes[max(layer["pass"] for layer in case.mapping["layers"])] += 1
    assert sum(n for number, n in passes.items() if number) >= count // 6, passes
    assert refused["AKI008"] >= count // 10, refused


SHAPE = (8, 3, 2)
IMAGES = (
    *(("image 4 4 1",), ("image 4 4 2",), ("image 4 4 3",), ("image 4 4 4", "fc 40 4", "fc 9 4")),
    *(("image 4 6 1",), ("image 4 3 2", "conv 8 1 4", "fc 40 4", "fc 40 4", "fc 40 4", "fc 40 4")),
)
WIDE_IMAGES = (
    "image 4 3 1 2",
    "image 4 5 3 1",
    "image 4 7 2 3",
    "image 4 3 1 1 1 2",
    "image 4 3 1 1 2 1",
    "image 4 5 1 2 2 1",
)
"""Input convolutions of version 1 whose strides and pools differ along both axes."""
NETWORKS = (
    *(Deep("akd1000", (3, 11, 12), 8, (layer, "fc 9 4")) for layer in WIDE_IMAGES),
    *(Deep("akd1000", (16,), 4, ("fc 12 4",) * n) for n in (1, 20, 22)),
    *(Deep("akd1500", (16,), 4, ("fc 12 4",) * n) for n in (8, 9, 20)),
    *(Deep(device, (16,), 4, ("fc 12 4",) * n) for device in ("two_nodes_v1", "two_nodes_v2") for n in (2, 3)),
    Deep("two_nodes_v1", SHAPE, 4, (*["conv 8 3 4"] * 17, "fc 5 4")),
    Deep("two_nodes_v1", SHAPE, 1, (*["conv 8 1 1"] * 9, "fc 1500 4", "fc 5 4")),
    *(Deep(device, SHAPE, 4, (*["conv 8 3 4"] * 26, *["fc 20 4"] * 6)) for device in ("six_nodes_v2", "four_nodes_v2")),
    Deep("six_nodes_v2", (16,), 4, ("fc 12 4",) * 4),
    Deep("twelve_nodes_v2", (16,), 4, ("fc 12 4",) * 11),
    Deep("two_nodes_v2", (64, 70, 2), 4, ("conv 16 1 4", "dw 3 4", "conv 8 3 4", "conv 8 1 4", "conv 8 1 4")),
    *(Deep("six_nodes_v2", (1 + 2 * (k % 2), 9, 8 + k), 8, layers) for k, layers in enumerate(IMAGES)),
    *(Deep("four_nodes_v2", (1, 6, width), 8, ("image 2 4 4",)) for width in (5, 384, 385)),
    *(draw_deep(seed, device, 20) for seed, device in enumerate(VENDOR)),
)


def test_networks_of_several_passes_have_the_values_of_the_software_backend(
    python_of: Callable[[str], Path], tmp_path: Path
) -> None:
    """The script of each artefact builds the model, maps it in the passes of the report, and its layers have the same values."""
    assert len(NETWORKS) >= 30
    cases = [
        compiled(str(seed), deep.stack(seed, has_values=True), deep.device, tmp_path)
        for seed, deep in enumerate(NETWORKS)
    ]
    made, refused = ([case for case in cases if (case.build is None) == is_refused] for is_refused in (False, True))
    assert len(refused) < len(made) // 3
    for case, answer in zip(refused, answers(python_of("akida"), refused, tmp_path), strict=True):
        assert "refused" in answer, (case.device, case.stack.kinds, case.refusal)
    hand_over(made, tmp_path)
    theirs = run_tool(python_of("akida"), "build", tmp_path)
    assert not [line for case in made for line in differences(case, theirs)]
    passes = Counter[int]()
    for case in made:
        answer = json.loads(theirs[case.name].tobytes())
        assert printed_processors(answer["printed"]) == processors(case), case.stack.kinds
        assert case.build is not None
        report = json.loads((case.build / "report.json").read_text(encoding="utf-8"))["processors"]
        assert len(report["used_by_pass"]) == report["passes"]
        passes[report["passes"]] += 1
    assert sum(n for number, n in passes.items() if number > 1) >= 10, passes
