"""Every wrong declaration of a device's execution fails a question of conformance, and so does a model with another execution."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import evolve

from nopt.api.conformance.execution import ask_execution, ask_scheduling
from nopt.api.conformance.subject import Subject
from nopt.core import registry
from nopt.core.device.device import Device, find_device

SILENT, BIASED = "neuron in ticks without events", "a neuron with a bias, without events"
FRAMES, TICKS, SUM = (
    "the same frames in another order",
    "the same ticks in another order",
    "excitation and inhibition of one tick",
)
CHAIN, LOOP, BARRIER = (
    "a chain of three populations",
    "a neuron that excites itself",
    "two populations that fire in one tick",
)
STRANGE = {"mode": "event-driven", "step": "event", "barrier": "none"}


def declared(key: str, **changes: Any) -> Device:
    device = find_device(*key.split("/"))
    return evolve(device, execution=evolve(device.execution, **changes))


def failed(device: Device) -> list[str]:
    """Returns the cases that a device fails."""
    subject = Subject(device, 1, 0)
    return [one.case for ask in (ask_execution, ask_scheduling) for one in ask(subject) if one.found is not None]


@pytest.mark.parametrize(
    ("key", "changes", "cases"),
    [
        ("asic/mesh", {"mode": "event-driven"}, [SILENT, BIASED]),
        ("asic/mesh", {"step": "frame"}, [FRAMES]),
        ("asic/mesh", STRANGE, [SILENT, BIASED, SUM]),
        ("asic/multi", {"clocked": ()}, [SILENT, BIASED]),
        ("asic/multi", {"clocked": ("bias",)}, [SILENT]),
        ("asic/multi", {"clocked": ("leak",)}, [BIASED]),
        ("dynapcnn/speck2f", {"clocked": ()}, [BIASED]),
        ("akida/akd1000", {"step": "tick"}, [TICKS]),
        ("akida/akd1000", {"clocked": ()}, [BIASED]),
        ("c/generic", {"step": "frame"}, [FRAMES]),
        ("neurogrid/board", {"mode": "time-stepped", "step": "tick", "barrier": "clock"}, [CHAIN, LOOP]),
    ],
)
def test_a_wrong_declaration_is_noticed(key: str, changes: dict[str, Any], cases: list[str]) -> None:
    assert not failed(find_device(*key.split("/")))
    found = failed(declared(key, **changes))
    assert len(found) == len(cases)
    assert all(case in one for case, one in zip(cases, found, strict=True))


def test_an_absent_declaration_is_not_asked() -> None:
    device = evolve(find_device("asic", "mesh"), execution=None)
    subject = Subject(device, 1, 0)
    assert not [*ask_execution(subject), *ask_scheduling(subject)]


def with_model(key: str, change: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns the cases that a device fails with a model whose results are changed."""
    target = registry.targets()[key.partition("/")[0]]()

    class Model(target.model()):
        def run(self, *args: Any, **options: Any) -> dict[str, np.ndarray]:
            return change(super().run(*args, **options))

    monkeypatch.setitem(registry.targets(), target.slug, lambda: evolve(target, model=lambda: Model))
    return failed(find_device(*key.split("/")))


def late(name: str) -> Any:
    """A model in which an array comes a tick later."""
    return lambda found: found | ({name: np.roll(found[name], 1, 1)} if name in found else {})


@pytest.mark.parametrize("name", ["second", "third"])
def test_a_late_layer_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert with_model("asic/mesh", late(name), monkeypatch) == [CHAIN]


def test_a_slow_loop_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(found: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        names = {"first"} & found.keys()
        return found | {
            name: np.where(np.arange(found[name].shape[1])[None, :, None] % 4 == 3, found[name], 0) for name in names
        }

    assert LOOP in with_model("asic/mesh", slow, monkeypatch)


def test_spikes_that_arrive_apart_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def apart(found: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        output = found["output"].copy()
        output[-1, -1] = True
        return found | {"output": output}

    cases = with_model("asic/mesh", apart, monkeypatch)
    assert any(BARRIER in one for one in cases)
    assert SUM in cases
