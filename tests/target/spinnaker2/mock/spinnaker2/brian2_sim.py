"""The simulator of py-spinnaker2."""

from __future__ import annotations

from .hardware import Machine


class Brian2Backend(Machine):
    pass
