"""Interpreter of the network files of RANC, for tests: it reads nothing but the network and the configuration.

Written from the description of the format, not from nopt: packets of `packets[k]` are executed in tick k + 1 + destination_tick; a spike of tick k
with `destination_tick` d is executed in tick k + d + 1; line k of the output holds the spikes that reach the output bus in tick k, line 0 is
empty. Potentials have no bound in the simulator; with `bits` they wrap after each addition, as in hardware. A second spike on one axon in one tick is dropped, as is one with the largest delivery tick.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Simulator:
    """A network that runs tick by tick."""

    def __init__(self, network: dict[str, Any], config: dict[str, Any], bits: int | None = None):
        self.config, self.network, self.bits = config, network, bits
        self.width, self.height = config["num_cores_x"], config["num_cores_y"]
        self.bus = tuple(network["output_bus"]["coordinates"])
        self.outputs = network["output_bus"]["num_outputs"]
        assert self.inside(self.bus)
        self.cores = {tuple(core["coordinates"]): core for core in network["cores"]}
        assert all(self.inside(place) and place != self.bus for place in self.cores)
        self.waiting: dict[tuple[int, tuple[int, ...], int], int] = {}
        for core in self.cores.values():
            self.check(core)
        self.potential = {
            place: [one["current_potential"] for one in core["neurons"]] for place, core in self.cores.items()
        }

    def inside(self, place: tuple[int, ...]) -> bool:
        return 0 <= place[0] < self.width and 0 <= place[1] < self.height

    def check(self, core: dict[str, Any]) -> None:
        """Checks sizes and destinations as the reader of the simulator does."""
        config, (x, y) = self.config, core["coordinates"]
        assert len(core["axons"]) <= config["num_axons"]
        assert all(0 <= one < config["num_weights"] for one in core["axons"])
        assert len(core["connections"]) == len(core["neurons"]) <= config["num_neurons"]
        for neuron, row in zip(core["neurons"], core["connections"], strict=True):
            assert len(row) <= config["num_axons"]
            assert set(row) <= {0, 1}
            assert len(neuron["weights"]) <= config["num_weights"]
            assert 0 <= neuron["destination_tick"] < config["max_tick_offset"]
            assert neuron["reset_mode"] in (0, 1)
            dx, dy = neuron["destination_core_offset"]
            target = (x + dx, y + dy)
            assert self.inside(target)
            assert 0 <= neuron["destination_axon"] < (self.outputs if target == self.bus else config["num_axons"])

    def deliver(self, tick: int, core: tuple[int, ...], axon: int) -> None:
        self.waiting[tick, core, axon] = 1

    def run(self, ticks: int) -> NDArray[np.int64]:
        """Returns the lines of the output bus. Shapes: [ticks, outputs]."""
        lines = np.zeros((ticks + 1, self.outputs), np.int64)
        for k, packets in enumerate(self.network["packets"][: ticks + 1]):
            for packet in packets:
                core = tuple(packet["destination_core"])
                self.deliver(k + 1 + packet["destination_tick"], core, packet["destination_axon"])
        for tick in range(1, ticks + 1):
            for place, core in self.cores.items():
                self.step(tick, place, core, lines)
        return lines[:ticks]

    def step(self, tick: int, place: tuple[int, ...], core: dict[str, Any], lines: NDArray[np.int64]) -> None:
        spikes = [axon for axon in range(len(core["axons"])) if self.waiting.pop((tick, place, axon), 0)]
        for k, (neuron, row) in enumerate(zip(core["neurons"], core["connections"], strict=True)):
            v = self.potential[place][k]
            for axon in spikes:
                if axon < len(row) and row[axon]:
                    v = self.held(v + neuron["weights"][core["axons"][axon]])
            v = self.held(v + neuron["leak"])
            low = neuron["negative_threshold"]
            below = v <= low if self.config["neuron_reset_type"] == 1 else v < low
            if v >= neuron["positive_threshold"]:
                self.send(tick, place, neuron, lines)
                v = neuron["reset_potential"] if neuron["reset_mode"] == 0 else v - neuron["positive_threshold"]
            elif below:
                v = -neuron["reset_potential"] if neuron["reset_mode"] == 0 else v - low
            self.potential[place][k] = self.held(v)

    def held(self, v: int) -> int:
        """Returns a potential in its bits."""
        if self.bits is None:
            return v
        half = 1 << self.bits - 1
        return (v + half) % (2 * half) - half

    def send(self, tick: int, place: tuple[int, ...], neuron: dict[str, Any], lines: NDArray[np.int64]) -> None:
        dx, dy = neuron["destination_core_offset"]
        target, axon, late = (place[0] + dx, place[1] + dy), neuron["destination_axon"], neuron["destination_tick"]
        if target == self.bus:
            lines[tick, axon] = 1
        elif late < self.config["max_tick_offset"] - 1:
            self.deliver(tick + late + 1, target, axon)


def main() -> None:
    """Runs a network as the program of RANC does: `ranc.py IN.json OUT.txt CONFIG.json TICKS`, with `--bits N` for potentials that wrap."""
    parser = argparse.ArgumentParser()
    for name in ("network", "output", "config"):
        parser.add_argument(name, type=Path)
    parser.add_argument("ticks", type=int)
    parser.add_argument("--bits", type=int)
    args = parser.parse_args()
    network, config = (json.loads(path.read_text(encoding="utf-8")) for path in (args.network, args.config))
    lines = Simulator(network, config, args.bits).run(args.ticks)
    args.output.write_text("".join(f"{' '.join(map(str, line))} \n" for line in lines.tolist()), encoding="utf-8")


if __name__ == "__main__":
    main()
