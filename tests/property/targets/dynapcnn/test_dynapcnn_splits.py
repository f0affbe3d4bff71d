"""Splits of layers over features: the fewest cores, as an exhaustive search finds them, and the same results as without splits."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from both_models import run_equal
from dynapcnn_networks import Case, compiled, draw, small_device
from extent import times

from nopt.api.running.run import execute
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.dialects.dynapcnn import ConfigurationOp
from nopt.targets.dynapcnn.loader import load
from nopt.targets.dynapcnn.model import Model
from nopt.targets.dynapcnn.split import Assignment, divide_features

KERNELS = (128, 256, 512, 128)
"""Memories of kernels of a device that splits many networks of `draw` [bytes]."""
SEEDS = times(12)


def exhaustive(features: list[int], held: list[list[int]], most: list[int], free: list[int]) -> int | None:
    """Returns the fewest cores, of all assignments of each core to a layer or none."""
    kinds = [kind for kind, count in enumerate(free) for _ in range(count)]
    best: int | None = None
    for owners in product(range(-1, len(features)), repeat=len(kinds)):
        sums, counts = [0] * len(features), [0] * len(features)
        for kind, owner in zip(kinds, owners, strict=True):
            if owner >= 0:
                sums[owner] += held[owner][kind]
                counts[owner] += 1
        fits = all(
            has >= needs and n <= limit for has, needs, n, limit in zip(sums, features, counts, most, strict=True)
        )
        if fits and (best is None or sum(counts) < best):
            best = sum(counts)
    return best


def test_the_fewest_cores_are_found() -> None:
    rng, found = np.random.default_rng(0), 0
    for _ in range(times(60)):
        layers, kinds = int(rng.integers(1, 4)), int(rng.integers(1, 4))
        free = [int(n) for n in rng.integers(0, 3, kinds)]
        features = [int(n) for n in rng.integers(1, 20, layers)]
        held = [[int(min(f, n)) for n in rng.integers(0, 15, kinds)] for f in features]
        most = [int(n) for n in rng.choice([1, 2, 5], layers)]
        best = Assignment(features, held, most).fewest(0, tuple(free))
        assert (None if best is None else best[0]) == exhaustive(features, held, most, free)
        found += best is not None
    assert found >= 10


@pytest.mark.parametrize("seed", range(20))
def test_features_are_divided_within_what_cores_hold(seed: int) -> None:
    rng = np.random.default_rng(seed)
    held = [int(n) for n in rng.integers(1, 30, int(rng.integers(1, 6)))]
    features = int(rng.integers(sum(held) - min(held) + 1, sum(held) + 1))
    parts = divide_features(features, list(enumerate(held)))
    assert sum(part.features for part in parts) == features
    assert all(1 <= part.features <= held[part.core] for part in parts)
    assert [part.first for part in parts] == [sum(one.features for one in parts[:k]) for k in range(len(parts))]


def configuration(folder: Path) -> ConfigurationOp:
    return Model.chip_of(
        load({path.name: path.read_bytes() for path in (folder / "artefact").iterdir()}, Diagnostics())
    )


def splits(case: Case, folder: Path, device: Path, *settings: str) -> dict[str, list[int]] | None:
    """Compiles a network and returns the parts of its populations; None if the cores do not hold it."""
    try:
        return compiled(case, folder, device, *settings)["cores"]["split"]
    except Refused as refusal:
        codes = {finding.code.id for finding in refusal.findings}
    assert codes <= {"DYN010", "DYN011"}
    return None


@pytest.fixture(scope="module")
def small(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a device with small memories, in a folder of its own."""
    return small_device(root, tmp_path_factory.mktemp("small") / "small.json", KERNELS)


@pytest.fixture(scope="module")
def on_small(small: Path) -> list[tuple[Case, Path, dict[str, list[int]] | None]]:
    """Returns each network, its build for the small device, and the parts of its populations."""
    found: list[tuple[Case, Path, dict[str, list[int]] | None]] = []
    for seed in range(SEEDS):
        case, folder = draw(seed), small.parent / str(seed)
        found.append((case, folder, splits(case, folder, small)))
    return found


def test_a_split_changes_no_result(
    on_small: list[tuple[Case, Path, dict[str, list[int]] | None]], tmp_path: Path
) -> None:
    split, refused = 0, 0
    for seed, (case, small, parts) in enumerate(on_small):
        whole = tmp_path / f"{seed}whole"
        assert compiled(case, whole, "dynapcnn/speck2f")["cores"]["split"] == {}
        if parts is None:
            refused += 1
            continue
        record = [*case.names, *(f"{name}.v" for name in case.names)]
        found = run_equal(small, case.x, record)
        for name, values in execute(whole, case.x, record=record, diagnostics=Diagnostics()).arrays.items():
            np.testing.assert_array_equal(found[name], values, name)
        populations = configuration(small).populations
        assert parts == {name: [p.made[0] for p in ones] for name, ones in populations.items() if len(ones) > 1}
        split += bool(parts)
    assert split >= SEEDS // 4
    assert refused >= 1


def test_only_what_no_matching_holds_is_split(
    small: Path, on_small: list[tuple[Case, Path, dict[str, list[int]] | None]], tmp_path: Path
) -> None:
    whole = 0
    for seed, (case, _, parts) in enumerate(on_small):
        without = splits(case, tmp_path / f"{seed}without", small, "features.feature_shift=false")
        assert not without
        assert (without is None) == (parts != {})
        whole += without is not None
    assert 3 <= whole <= SEEDS - 3
