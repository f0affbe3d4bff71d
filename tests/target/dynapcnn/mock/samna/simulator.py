"""The configured chip, as sinabs simulates it: all events of a timestamp are added, tap by tap, then the neurons spike as often as the threshold fits into their potentials.

The edges of the slow clock are the timestamps of 1 ms.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

EDGE_US, READOUT = 1000, 12


class Core:
    """A layer on its core."""

    def __init__(self, given: dict[str, Any]):
        self.given, sizes = given, given["dimensions"]
        self.weights = np.array(given["weights"])
        self.padding, self.stride = ((sizes[name]["x"], sizes[name]["y"]) for name in ("padding", "stride"))
        shape = sizes["input_shape"]
        self.shape = shape["feature_count"], shape["size"]["x"], shape["size"]["y"]
        self.v = np.array(given["neurons_initial_value"])
        made = sizes["output_shape"]
        assert self.v.shape == (made["feature_count"], made["size"]["x"], made["size"]["y"])
        self.clear()

    def clear(self) -> None:
        self.events = np.zeros(self.shape, np.int64)

    def step(self, is_edge: bool) -> np.ndarray:
        """Returns the spikes of the events that arrived."""
        whole = np.pad(self.events, [(0, 0), *((n, n) for n in self.padding)])
        (_, wide, high), (right, down) = self.v.shape, self.stride
        for i, j in np.ndindex(*self.weights.shape[2:]):
            part = whole[:, i : i + right * (wide - 1) + 1 : right, j : j + down * (high - 1) + 1 : down]
            self.v = self.v + np.tensordot(self.weights[:, :, i, j], part, 1)
        if is_edge and self.given["leak_enable"]:
            self.v = self.v + np.array(self.given["biases"])[:, None, None]
        threshold = self.given["threshold_high"]
        spikes = np.where(self.v >= threshold, self.v // threshold, 0)
        reset = np.where(spikes > 0, 0, self.v) if self.given["return_to_zero"] else self.v - spikes * threshold
        self.v = np.maximum(reset, self.given["threshold_low"])
        self.clear()
        return spikes


class Chip:
    def __init__(self, configuration: dict[str, Any]):
        self.cores = {k: Core(one) for k, one in enumerate(configuration["cnn_layers"]) if "dimensions" in one}
        self.readout = configuration["readout"]
        self.sums: list[np.ndarray] = []

    def order(self) -> list[int]:
        """Returns the cores from the inputs to the outputs."""
        found: list[int] = []
        while len(found) < len(self.cores):
            sent = {one["layer"] for k in self.cores if k not in found for one in self.sends(k)}
            found += [k for k in self.cores if k not in found and k not in sent]
        return found

    def sends(self, number: int) -> list[dict[str, Any]]:
        return [one for one in self.cores[number].given["destinations"] if one["enable"]]

    def run(self, events: list[Any]) -> list[Any]:
        """Returns the events of the monitored cores and of the readout block."""
        found: list[Any] = []
        by_time: dict[int, list[Any]] = {}
        for event in events:
            by_time.setdefault(event.timestamp, []).append(event)
        for time in range(0, max(by_time, default=0) + 1, EDGE_US):
            for event in by_time.pop(time, ()):
                self.cores[event.layer].events[event.feature, event.x, event.y] += 1
            found += self.tick(time)
        assert not by_time
        return found

    def tick(self, time: int) -> list[Any]:
        found: list[Any] = []
        for number in self.order():
            spikes = self.cores[number].step(is_edge=True)
            for feature, x, y in np.argwhere(spikes).tolist():
                count = int(spikes[feature, x, y])
                if self.cores[number].given["monitor_enable"]:
                    one = SimpleNamespace(layer=number, feature=feature, x=x, y=y, timestamp=time)
                    found += [one] * count
                for sent in self.sends(number):
                    if sent["layer"] == READOUT:
                        continue
                    target = self.cores[sent["layer"]].events
                    place = feature + sent["feature_shift"], x // sent["pooling"], y // sent["pooling"]
                    if all(n < size for n, size in zip(place, target.shape, strict=True)):
                        target[place] += count
            if any(sent["layer"] == READOUT for sent in self.sends(number)):
                found += self.read(spikes[:, 0, 0], time)
        return found

    def read(self, spikes: np.ndarray, time: int) -> list[Any]:
        """Returns the class that the readout block reports at an edge: every fourth feature is one, and the first class has the index 1."""
        assert self.readout["enable"]
        self.sums.append(spikes[::4])
        window = 1 if self.readout["low_pass_filter_disable"] else 32 if self.readout["low_pass_filter32_not16"] else 16
        sums = np.sum(self.sums[-window:], 0)
        is_reported = sums.max() > self.readout["threshold"]
        return [SimpleNamespace(index=int(sums.argmax()) + 1, timestamp=time)] if is_reported else []
