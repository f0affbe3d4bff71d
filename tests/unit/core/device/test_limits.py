"""Memory of a core whose regions hold several kinds of content."""

from __future__ import annotations

from typing import Any

import pytest

from nopt.core.device.core_records import Core, Region
from nopt.core.device.fields import Quantity
from nopt.core.device.limits import excesses
from nopt.core.device.records import Device, Fidelity, Store


def fact(value: int | None) -> Quantity:
    return Quantity(value, "made")


def device(store: Store | None = None, **regions: Region) -> Device:
    core = Core(memory=regions)
    sources = {"made": "made for a test"}
    memory = {"shared": store} if store else {}
    return Device("nopt.device/1", "asic", "d", "", sources, Fidelity("exact", "made"), core=core, memory=memory)


def region(bytes: int | None, *holds: Any) -> Region:
    return Region(fact(bytes), holds)


@pytest.mark.parametrize(
    ("synapses", "neurons", "found"),
    [
        (100, 50, []),
        (101, 0, ["synapse_bytes"]),
        (0, 51, ["neuron_bytes"]),
        (130, 60, ["synapse_bytes", "synapse_bytes+neuron_bytes", "neuron_bytes"]),
    ],
)
def test_regions_of_their_own(synapses: int, neurons: int, found: list[str]) -> None:
    one = device(a=region(100, "synapses"), b=region(50, "neurons", "parameters"))
    needs = {"synapse_bytes": synapses, "neuron_bytes": neurons}
    assert [excess.need for excess in excesses(one, needs)] == found


def test_regions_that_are_shared() -> None:
    one = device(a=region(100, "synapses", "neurons"), b=region(50, "neurons"))
    assert not excesses(one, {"synapse_bytes": 100, "neuron_bytes": 50})
    assert not excesses(one, {"synapse_bytes": 60, "neuron_bytes": 90})
    (excess,) = excesses(one, {"synapse_bytes": 100, "neuron_bytes": 51})
    assert (excess.need, excess.limit, excess.found) == ("synapse_bytes+neuron_bytes", 150, 151)


def test_memory_outside_of_cores() -> None:
    core = region(100, "synapses")
    assert excesses(device(a=core), {"synapse_bytes": 101})
    assert not excesses(device(Store("chip", fact(1), ("synapses",)), a=core), {"synapse_bytes": 101})
    assert excesses(device(Store("chip", fact(1), ("synapses",)), a=core), {"synapse_bytes": 102})
    assert not excesses(device(Store("chip", fact(None), ("synapses",)), a=core), {"synapse_bytes": 10**9})
    assert excesses(device(Store("host", fact(10**6), ("synapses",)), a=core), {"synapse_bytes": 101})


def test_what_is_not_known_is_no_limit() -> None:
    assert not excesses(device(a=region(None, "synapses")), {"synapse_bytes": 10**9})
    assert not excesses(device(a=region(1, "synapses")), {"neurons": 10})
