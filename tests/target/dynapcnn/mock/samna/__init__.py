"""A mock of samna with the fields and calls that sinabs 3.1.3 uses. It keeps what it is given in `samna.json` of the current folder."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

LARGEST_KERNEL = 16


class Destination:
    __slots__ = ("enable", "feature_shift", "layer", "pooling")

    def __init__(self) -> None:
        self.enable, self.layer, self.pooling, self.feature_shift = False, 0, 1, 0


class Layer:
    __slots__ = (
        "biases",
        "destinations",
        "dimensions",
        "leak_enable",
        "monitor_enable",
        "neurons_initial_value",
        "return_to_zero",
        "threshold_high",
        "threshold_low",
        "weights",
    )

    def __init__(self) -> None:
        self.destinations = [Destination(), Destination()]


class Camera:
    __slots__ = (
        "cut",
        "destinations",
        "merge",
        "mirror",
        "mirror_diagonal",
        "monitor_enable",
        "origin",
        "pass_sensor_events",
        "pooling",
    )

    def __init__(self) -> None:
        self.destinations = [Destination(), Destination()]


class Filter:
    __slots__ = ("enable", "hot_pixel_filter_enable", "threshold")


class Configuration:
    """The configuration of a chip; unknown fields are refused."""

    __slots__ = ("cnn_layers", "dvs_filter", "dvs_layer")

    def __init__(self) -> None:
        self.cnn_layers, self.dvs_layer, self.dvs_filter = [Layer() for _ in range(9)], Camera(), Filter()


def fields(one: Any) -> Any:
    """Returns the fields of a record that were set."""
    if isinstance(one, list):
        return [fields(each) for each in one]
    if not hasattr(one, "__slots__"):
        return one
    return {name: fields(getattr(one, name)) for name in one.__slots__ if hasattr(one, name)}


def validate_configuration(configuration: Configuration) -> tuple[bool, str]:
    used = [layer for layer in configuration.cnn_layers if hasattr(layer, "dimensions")]
    if any(layer.dimensions["kernel_size"] > LARGEST_KERNEL for layer in used):
        return False, "kernel_size"
    return True, ""


class Model:
    def apply_configuration(self, configuration: Configuration) -> None:
        Path("samna.json").write_text(json.dumps(fields(configuration)), encoding="utf-8")


BOARD = SimpleNamespace(device_type_name="Speck2fDevKit")
device = SimpleNamespace(
    get_unopened_devices=lambda: [BOARD], open_device=lambda board: SimpleNamespace(get_model=lambda: Model())
)
