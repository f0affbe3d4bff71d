"""The reference: not a chip, but this machine, without limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.target import API_VERSION, HardwareTarget, HostEngine

if TYPE_CHECKING:
    from .model import ReferenceModel


def engine() -> type[ReferenceModel]:
    """Returns the class that runs `ntensor` networks."""
    from .model import ReferenceModel

    return ReferenceModel


TARGET = HardwareTarget(
    slug="reference",
    summary="the NumPy engine that all others are compared with; runs any network, has no limits",
    source="the definitions of the ntensor dialect",
    api_version=API_VERSION,
    engine=HostEngine("numpy", engine, speed=0),
)
