"""Ticks and events of a network that a device does not have."""

from __future__ import annotations

import re

from attrs import frozen
from xdsl.ir import Attribute

from ...core.device.records import Device
from ...core.fixed_point import Interval
from ..ntensor import CountType, interval_of, is_event

DTYPE = re.compile(r"([iuf])([0-9]+)")
EXACT_BITS = {16: 12, 32: 25, 64: 54}
"""Signed bits of the integers that a real of some bits represents exactly."""


@frozen
class Excess:
    """Violation of a field of a device."""

    expected: str
    path: str
    limit: int | None = None


def tick_excess(tick_ns: int, device: Device) -> Excess | None:
    """Returns the tick limit that a tick violates; None if the device supports the tick."""
    least, most = device.integer("tick.min"), device.integer("tick.max")
    if least is not None and tick_ns < least:
        return Excess(f"at least {least} ns", "tick.min", least)
    if most is not None and tick_ns > most:
        return Excess(f"at most {most} ns", "tick.max", most)
    return None


def event_excess(element: Attribute, device: Device) -> Excess | None:
    """Returns how events exceed the spikes of a device; None if they do not, or if the elements are values."""
    if device.spike is None or not is_event(element) or (held := interval_of(element)) is None:
        return None
    most = device.integer("spike.most")
    if isinstance(element, CountType) and "count" in device.spike.kinds and most is not None and held.high > most:
        return Excess(f"at most {most} spikes in a tick", "spike.most", most)
    if device.spike.dtypes and not any(type_holds(dtype, held) for dtype in device.spike.dtypes):
        return Excess(" or ".join(device.spike.dtypes), "spike.dtypes")
    return None


def type_holds(dtype: str, range: Interval) -> bool:
    """Returns whether a type of a device file holds all integers of a range."""
    found = DTYPE.fullmatch(dtype)
    if found is None:
        return False
    kind, bits = found[1], int(found[2])
    if kind == "f":
        bits = EXACT_BITS.get(bits, 0)
    return (Interval.unsigned(bits) if kind == "u" else Interval.signed(bits)).holds(range)
