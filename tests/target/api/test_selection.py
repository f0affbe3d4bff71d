"""Choice of a device: the order, and the device that `compile` takes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import nopt.api as nopt
from nopt.api.checking.device_ranking import rank_devices
from nopt.api.compiling.device_fit import Fit

CHOICES = {"dt": "1ms", "like": "norse", "reset": "subtract"}
REFUSED = ("asic/multi", "akida/akd1000", "c/int8", "truenorth/ranc", "xylo/imu")


@cache
def ranked(network: Path) -> tuple[nopt.Candidate, ...]:
    return tuple(nopt.check(network, target="auto", **CHOICES).ranking)


def test_order_of_devices() -> None:
    fits = [
        Fit("a", "a/refused", "no"),
        Fit("a", "a/host", "exact"),
        Fit("a", "a/large", "exact", cores=3),
        Fit("a", "a/unknown", None),
        Fit("a", "a/late", "exact", cores=2, latency_ticks={"out": 4}),
        Fit("a", "a/small", "exact", cores=2, latency_ticks={"out": 1}),
    ]
    names = [one.device.removeprefix("a/") for one in rank_devices(fits)]
    assert names == ["small", "late", "large", "host", "unknown", "refused"]
    assert rank_devices(fits[::-1]) == rank_devices(fits)


@pytest.mark.parametrize("name", ["bars/bars.nir"])
def test_first_device_compiles(root: Path, tmp_path: Path, name: str) -> None:
    network = root / "examples" / name
    ranking = ranked(network)
    assert len(ranking) == len(nopt.matrix())
    best = nopt.select_device(network, **CHOICES)
    assert best == ranking[0].device
    assert nopt.compile(network, target=best, out=tmp_path / "build", **CHOICES).report["device"]["name"] == best


def test_refused_device_is_refused_by_compile_with_the_same_code(root: Path, tmp_path: Path) -> None:
    network = root / "examples" / "bars" / "bars.nir"
    ranking = {one.device: one for one in ranked(network)}
    assert {ranking[device].fits for device in REFUSED} == {"exact", "approximate", "no"}
    assert not any(ranking[device].is_fitting for device in REFUSED)
    for device in REFUSED:
        codes = refused_codes(network, tmp_path, device, ())
        assert codes
        if ranking[device].fits == "no":
            assert ranking[device].code in codes | refused_codes(network, tmp_path, device, "all")


def refused_codes(network: Path, folder: Path, device: str, permitted: str | tuple[str, ...]) -> set[str]:
    """Returns the codes with which a compilation is refused; none if it is not."""
    try:
        nopt.compile(network, target=device, out=folder / "build", approximate=permitted, **CHOICES)
    except nopt.Refused as refusal:
        return {str(one.code) for one in refusal.findings}
    return set()
