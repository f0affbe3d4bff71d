"""Thirty networks of each framework, drawn from a small grammar: python drawn_networks.py FRAMEWORK [--count N] [--start K].

A network is a chain of blocks (`drawn_blocks.py`) between an input and an output layer of neurons. Its number determines the blocks, the neurons, the weights
and the form of its forward, so every run draws the same networks. The output is that of `imported_networks.py`, with the form and the blocks of each network.

| form | forward |
| --- | --- |
| tick | computes one tick; layers keep their states, or states are the second argument |
| loop | loops over the ticks of its input |
| all | calls each layer once for all ticks |
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Sequence
from typing import Any

import imported_networks as networks
import numpy as np
import torch
from drawn_blocks import BLOCKS, Block, End
from drawn_neurons import FRAMES, Frame

SEED = 55
SIZES: dict[str, tuple[int, ...]] = {"dense": (10,), "map": (2, 8, 8), "row": (3, 12)}
"""Shape of the input of each kind of network."""
BLOCKS_OF_NETWORK = 2


class Drawn(torch.nn.Module):
    """A network of blocks, in one form."""

    def __init__(self, frame: Frame, form: str, rng: np.random.Generator, kind: str, names: Sequence[str]):
        super().__init__()
        self.frame, self.form = frame, form
        shape, blocks = SIZES[kind], list[Block]()
        for name in names:
            block = BLOCKS[kind][name](frame, rng, shape)
            shape = block.result
            blocks.append(block)
        self.blocks = torch.nn.ModuleList([*blocks, End(frame, rng, shape)])
        frame.name_neurons(self)

    def tick(self, x: torch.Tensor) -> torch.Tensor:
        for block in self.blocks:
            x = block(x)
        return x

    def forward(self, x: torch.Tensor, state: Any = None) -> Any:
        frame = self.frame
        if self.form == "tick":
            frame.states = dict(state or {})
            found = self.tick(x)
            return (found, frame.states) if frame.passes_states else found
        frame.states = {}
        if self.form == "all":
            return self.tick(x)
        ticks = range(x.shape[frame.time_axis])
        return torch.stack([self.tick(frame.select(x, tick)) for tick in ticks], frame.time_axis)


def draw(framework: str, number: int) -> tuple[torch.nn.Module, dict[str, Any], str]:
    """Returns a network, the arguments of its import, and its description."""
    rng = np.random.default_rng((SEED, number))
    torch.manual_seed(SEED + number)
    frame = FRAMES[framework]()
    kinds = [kind for kind in SIZES if kind in frame.kinds]
    kind = kinds[number % len(kinds)]
    turn = number // len(kinds)
    form = frame.forms[turn % len(frame.forms)]
    names = [name for name in BLOCKS[kind] if frame.takes(name, kind, form)]
    chosen = [names[(BLOCKS_OF_NETWORK * turn + k) % len(names)] for k in range(BLOCKS_OF_NETWORK)]
    frame.start(kind, form)
    network = Drawn(frame, form, rng, kind, chosen)
    arguments = {"shape": SIZES[kind], "input": "poisson:0.4,ticks=30,samples=3"}
    return frame.finish(network), arguments, f"{kind}, {form}: {', '.join(chosen)}; {', '.join(frame.used)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("framework")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--start", type=int, default=0)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    for number in range(args.start, args.start + args.count):
        network, arguments, text = draw(args.framework, number)
        found = networks.run(lambda network=network: network, arguments, {})
        print(json.dumps({"network": str(number), "blocks": text, **found}), flush=True)


if __name__ == "__main__":
    main()
