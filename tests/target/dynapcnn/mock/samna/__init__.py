"""A mock of samna with the fields and calls that sinabs 3.1.3 uses. It keeps what it is given in `samna.json` of the current folder, and runs events on the configured
chip (`simulator.py`)."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from .simulator import Chip

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


class Readout:
    __slots__ = (
        "enable",
        "low_pass_filter32_not16",
        "low_pass_filter_disable",
        "output_mode_sel",
        "readout_configuration_sel",
        "readout_pin_monitor_enable",
        "threshold",
    )


class Configuration:
    """The configuration of a chip; unknown fields are refused."""

    __slots__ = ("cnn_layers", "dvs_filter", "dvs_layer", "readout")

    def __init__(self) -> None:
        self.cnn_layers, self.dvs_layer, self.dvs_filter = [Layer() for _ in range(9)], Camera(), Filter()
        self.readout = Readout()


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
    """The model of a board. Events that are written run on the chip of the last configuration."""

    def __init__(self) -> None:
        self.chip: Chip | None = None
        self.sinks: list[Node] = []

    def apply_configuration(self, configuration: Configuration) -> None:
        Path("samna.json").write_text(json.dumps(fields(configuration)), encoding="utf-8")
        self.chip = Chip(fields(configuration))

    def get_sink_node(self) -> Model:
        return self

    def get_source_node(self) -> Model:
        return self

    def run(self, events: list[Any]) -> None:
        assert self.chip is not None
        for sink in self.sinks:
            sink.buffer += self.chip.run(events)


class Node:
    """The node of a graph on the host: `write` sends events to a model, and `get_events` returns and removes those of a model."""

    def __init__(self) -> None:
        self.buffer: list[Any] = []
        self.model: Model | None = None

    def write(self, events: list[Any]) -> None:
        assert self.model is not None
        self.model.run(events)

    def get_events(self) -> list[Any]:
        found, self.buffer = self.buffer, []
        return found


BasicSourceNode_speck2f_event_input_event = BasicSinkNode_speck2f_event_output_event = Node


class Graph:
    def sequential(self, nodes: list[Any]) -> None:
        first, last = nodes
        if isinstance(first, Node):
            first.model = last
        else:
            first.sinks.append(last)

    def start(self) -> None:
        """Starts the graph."""

    def stop(self) -> None:
        """Stops the graph."""


class StopWatch:
    def set_enable_value(self, value: bool) -> None:
        """Turns timestamps on."""

    def reset(self) -> None:
        """Sets the time to 0."""


class Clock:
    def set_slow_clk_rate(self, rate: int) -> None:
        Path("clock.json").write_text(json.dumps(rate), encoding="utf-8")

    def set_slow_clk(self, value: bool) -> None:
        """Starts the clock."""


class Board:
    def __init__(self) -> None:
        self.model = Model()

    def get_model(self) -> Model:
        return self.model

    def get_stop_watch(self) -> StopWatch:
        return StopWatch()

    def get_io_module(self) -> Clock:
        return Clock()


graph = SimpleNamespace(EventFilterGraph=Graph)
BOARD = SimpleNamespace(device_type_name="Speck2fDevKit")
device = SimpleNamespace(get_unopened_devices=lambda: [BOARD], open_device=lambda board: Board())
