"""`check --target auto`: each device that fits compiles, one that needs approximations only with these, and `compile` refuses each other one with the same code.

The quick form compiles one example with an input, and one without, for the devices that are first, last or in the middle of the order of their state. `CASES`, as in `make soak`,
compiles every sample and every example for every device, with and without an input.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from time import process_time

import pytest
from extent import FACTOR

import nopt.api as nopt
from nopt.api.checking.device_ranking import FIGURES, figure_weights, rank_devices
from nopt.api.compiling.device_fit import is_fitting

CHOICES = {"dt": "1ms", "like": "norse", "reset": "subtract"}
INPUT = "poisson:0.1"
MOST_S = 20
"""Time of a check, of this process."""
IS_WHOLE = FACTOR > 1


def networks(root: Path, shared: Path, calib: str | None) -> list[Path]:
    found = [*sorted(root.glob("examples/**/*.nir")), *sorted(shared.glob("samples/**/*.nir"))]
    name = "bars" if calib is None else "rhythm"
    return found if IS_WHOLE else [root / "examples" / name / f"{name}.nir"]


@cache
def ranked(network: Path, calib: str | None = None) -> tuple[nopt.Candidate, ...]:
    return tuple(nopt.check(network, calib, target="auto", **CHOICES).ranking)


LIMITED = {"max_memory": "4KiB", "prefer": "memory=2,cores=1"}
"""Options of a ranking by two figures of the devices within a limit."""


@cache
def ranked_within(network: Path) -> tuple[nopt.Candidate, ...]:
    return tuple(nopt.check(network, target="auto", **LIMITED, **CHOICES).ranking)


def some(candidates: list[nopt.Candidate]) -> list[nopt.Candidate]:
    """Returns candidates of each state: all of them, or three."""
    if IS_WHOLE or len(candidates) <= 3:
        return candidates
    return [candidates[0], candidates[len(candidates) // 2], candidates[-1]]


def codes_of(
    network: Path, device: str, calib: str | None, out: Path, approximate: Sequence[str] | str = (), passes: str = ""
) -> list[str]:
    """Returns the codes with which a compilation is refused; none if it is done."""
    try:
        given = {"target": device, "calib": calib, "out": out, "approximate": approximate, "passes": passes}
        nopt.compile(network, **given, diagnostics=nopt.Diagnostics(), **CHOICES)
    except nopt.Refused as refusal:
        return [str(one.code) for one in refusal.findings]
    return []


@pytest.mark.parametrize("calib", [None, INPUT])
def test_ranking_agrees_with_compile(root: Path, shared: Path, tmp_path: Path, calib: str | None) -> None:
    wrong: list[str] = []
    for network in networks(root, shared, calib):
        ranking = ranked(network, calib)
        groups = [[one for one in ranking if one.fits == state] for state in ("exact", "approximate", "no", None)]
        for one in (one for group in groups for one in some(group)):
            permission = "all" if one.fits == "no" else one.approximations
            passes = "" if one.approximations else ",".join(one.passes)
            found = codes_of(network, one.device, calib, tmp_path / "build", permission, passes)
            agrees = not found if is_fitting(one.fits) else one.code in found or (one.fits is None and bool(found))
            if not one.is_permitted:
                agrees &= bool(codes_of(network, one.device, calib, tmp_path / "build"))
            wrong += [] if agrees else [f"{network.name} on {one.device}: {one.fits}, {one.code}, but {found}"]
    assert wrong == []


@pytest.mark.skipif(not IS_WHOLE, reason="make soak limits times")
def test_a_ranking_takes_less_than_20_s(root: Path, shared: Path) -> None:
    for network in [*sorted(root.glob("examples/**/*.nir")), *sorted(shared.glob("samples/**/*.nir"))]:
        start = process_time()
        found = nopt.check(network, target="auto", **CHOICES)
        assert process_time() - start < MOST_S, network
        assert len(found.ranking) == len(nopt.matrix())


def test_memory_limit_refuses_what_cannot_fit(root: Path, tmp_path: Path) -> None:
    network = root / "examples" / "bars" / "bars.nir"
    free = {one.device: one for one in ranked(network) if one.is_fitting}
    limited = ranked_within(network)
    for one in limited:
        if one.device not in free:
            continue
        needed = free[one.device].estimate.memory_bytes
        assert one.is_fitting == (needed is None or needed <= 4096), one
        if one.fits == "no":
            assert one.code == "CMP012"
            assert f"{needed - 4096} more than --max-memory" in one.reason
    refused = next(one.device for one in limited if one.code == "CMP012")
    with pytest.raises(nopt.Refused, match="CMP012"):
        nopt.compile(network, target=refused, max_memory="4KiB", out=tmp_path / "build", **CHOICES)
    assert not (tmp_path / "build").exists()


def test_an_engine_is_refused_beyond_the_memory_limit(root: Path) -> None:
    from nopt.api.running.run import execute

    network, x = root / "examples" / "bars" / "bars.nir", root / "examples" / "bars" / "input.npy"
    result = execute(network, x, choices=CHOICES, max_memory="1MiB")
    assert result.as_json()["engine_reason"]
    with pytest.raises(nopt.Refused, match="CMP012"):
        execute(network, "zeros", ticks=3, choices=CHOICES, max_memory="1KiB")
    with pytest.raises(nopt.Refused, match="SIM016"):
        execute(network, x, choices=CHOICES, max_memory="1KiB")


def test_weights_order_by_the_sum_of_relative_figures(root: Path) -> None:
    network = root / "examples" / "bars" / "bars.nir"
    fitting = [one for one in ranked_within(network) if one.is_fitting]
    assert len(fitting) > 1
    largest = {name: max(FIGURES[name](one) or 0 for one in fitting) for name in ("memory", "cores")}
    for one in fitting:
        parts = {name: FIGURES[name](one) for name in largest}
        shares = {name: 1 if value is None else value / largest[name] for name, value in parts.items()}
        assert one.score == pytest.approx(2 * shares["memory"] + shares["cores"])
    assert [one.score for one in fitting] == sorted(one.score for one in fitting)
    chosen = nopt.select_device(network, prefer={"memory": 2, "cores": 1}, max_memory="4KiB", **CHOICES)
    assert chosen == fitting[0].device


def test_an_unknown_figure_counts_as_the_largest() -> None:
    from nopt.api.compiling.device_fit import Fit

    fits = [Fit("a", "a/unknown", "exact", cores=1), Fit("a", "a/other", "exact", cores=2)]
    assert [one.score for one in rank_devices(fits, {"energy": 3})] == [3, 3]
    assert [one.device for one in rank_devices(fits, {"cores": 1})] == ["a/unknown", "a/other"]


@pytest.mark.parametrize("text", ["enrgy=1", "energy=0", "energy=-1", "energy=x", "=1", "energy="])
def test_unknown_weights_are_refused(text: str) -> None:
    with pytest.raises(nopt.Refused, match="CHK023"):
        figure_weights(text)
    assert figure_weights("energy=2, loss") == {"energy": 2, "loss": 1}
