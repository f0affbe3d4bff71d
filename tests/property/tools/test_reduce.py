"""The verb `reduce` on random networks: the result has the finding and is not larger, and the same command writes the same bytes."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chip_networks import network_text

import nopt.api as nopt
from nopt.api.reducing.axes import groups
from nopt.api.reducing.reduce import Size, reduce
from nopt.api.reducing.search import least, minimize
from nopt.core.diagnostics import Diagnostics
from nopt.tools.main import main


def random_text(seed: int) -> str:
    return network_text(np.random.default_rng(seed), ("if", "lif", "cuba_lif"))[0]


def findings(words: list[str], capfd: pytest.CaptureFixture[str]) -> set[str]:
    main([*words, "--format", "json"])
    said = capfd.readouterr()
    return {one["code"] for text in said if text for one in json.loads(text).get("findings", [])}


# A finding for each kind of command: a pass, the open choices, a device.
CASES = {
    "ANA020": ["-p", "nir-flatten,convert-nir-to-ntensor{dt-ns=1000000 precision=f32}"],
    "NTE009": ["-p", "nir-flatten,ntensor-quantize-weights{bits=4}"],
    "ANA033": [],
    "LEG015": ["--target", "asic/mesh", "--dt", "1ms", "--like", "norse"],
    "LEG016": ["--target", "truenorth/ranc", "--dt", "1ms", "--like", "norse"],
    "LEG003": ["--target", "c/int8", "--dt", "1ms", "--like", "norse"],
}


@pytest.mark.parametrize("code", CASES)
@pytest.mark.parametrize("seed", range(4))
def test_result_has_the_finding_and_is_not_larger(
    code: str, seed: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    given, small = tmp_path / "net.mlir", tmp_path / ("small.nir" if seed % 2 else "small.mlir")
    given.write_text(random_text(seed))
    verb = [] if "-p" in CASES[code] else ["check"]
    assert code in findings([*verb, str(given), *CASES[code]], capfd)
    words = ["reduce", str(given), *CASES[code], "--code", code, "-o", str(small), "--format", "json"]
    assert main(words) == 0
    record: dict[str, Any] = json.loads(capfd.readouterr().out)
    data = small.read_bytes()
    assert code in findings(shlex.split(record["command"])[1:], capfd)
    assert all(record["to"][name] <= record["from"][name] for name in ("nodes", "neurons", "ops"))
    assert main(words) == 0
    assert small.read_bytes() == data


@pytest.mark.parametrize("seed", range(6))
def test_networks_stay_valid_at_every_size(seed: int) -> None:
    """A network of one population is the smallest with a neuron."""
    module = nopt.parse(random_text(seed), diagnostics=Diagnostics())
    for level in (
        module,
        nopt.apply(module.clone(), "convert-nir-to-ntensor{dt-ns=1000000 like=norse}", diagnostics=Diagnostics()),
    ):

        def is_interesting(candidate: Any) -> bool:
            nopt.verify(candidate)
            return Size.of(candidate).neurons > 0 and nopt.parse(nopt.write(candidate)) is not None

        found = reduce(level, is_interesting)
        assert found.is_complete
        assert Size.of(found.module).nodes == Size.of(found.module).neurons == 1


@pytest.mark.parametrize("seed", range(6))
def test_a_convolution_and_its_reader_shrink_together(seed: int) -> None:
    """The pair of a convolution and a dense layer needs one channel, one position and one neuron."""
    module = nopt.parse(random_text(seed), diagnostics=Diagnostics())

    def is_interesting(candidate: Any) -> bool:
        names = [op.name for op in candidate.walk()]
        return "nir.conv2d" in names and "nir.linear" in names

    text = nopt.write(reduce(module, is_interesting).module)
    assert "tensor<1x1x1x1xf32>" in text
    assert "tensor<1x1xf32>" in text


def test_minimize_leaves_items_that_are_all_needed() -> None:
    needed = {3, 17, 40}
    assert minimize(range(50), lambda left: needed <= set(left)) == [3, 17, 40]
    assert minimize([], lambda left: True) == []


def test_least_is_found_by_bisection() -> None:
    assert [least(1, 9, lambda n, k=k: n >= k) for k in range(1, 10)] == list(range(1, 10))


@pytest.mark.parametrize(
    ("x", "y", "runs"),
    [
        ((2, 3, 4), (6, 4), [([0, 1], [0]), ([2], [1])]),
        ((6,), (2, 3), [([0], [0, 1])]),
        ((2, 3), (3, 2), [([0, 1], [0, 1])]),
        ((1, 5), (5,), [([0, 1], [0])]),
    ],
)
def test_axes_of_a_reshape_are_grouped(x: tuple[int, ...], y: tuple[int, ...], runs: list[Any]) -> None:
    assert groups(x, y) == runs
