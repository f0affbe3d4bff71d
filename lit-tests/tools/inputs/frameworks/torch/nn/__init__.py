from .. import Linear, Module, Sequential  # noqa: F401


def Parameter(value, requires_grad):
    return value
