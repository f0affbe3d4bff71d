from types import SimpleNamespace

from .. import validate_configuration as validate_configuration


class Spike:
    """An event; unknown fields are refused."""

    __slots__ = ("feature", "layer", "timestamp", "x", "y")


event = SimpleNamespace(Spike=Spike)
