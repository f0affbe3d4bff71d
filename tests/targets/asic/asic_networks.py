"""Random networks on the devices of `asic`: the model of the chip against the discretised network, every bit of every population and state.

    python tests/targets/asic/asic_networks.py --networks 500 --seed 1000

A network has a convolution, a pool and a dense population, with random biases, delays, recurrence, reset rules and neurons. It counts if every
population spikes in 1 to 50 % of ticks. A refusal with `approximate` in its help line is followed by the help.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from functools import cache, lru_cache, partial
from pathlib import Path

import numpy as np
from attrs import frozen

sys.path.insert(0, str(Path(__file__).parents[2]))

from chip_networks import names_of, network_text, reals
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.api.execution import execute, only_network
from nopt.api.fitting import fit
from nopt.core import registry
from nopt.core.device.device import Device, find_device
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.targets.asic.emitter import artefact_of
from nopt.targets.asic.loader import load
from nopt.targets.asic.model import AsicModel

HELP = re.compile(r"--passes '([^']*)'")
RULES = (("norse", "value"), ("norse", "subtract"), ("snntorch", "subtract"), ("euler", "value"))
ACTIVE = (0.01, 0.5)
TRIES = 40
ENGINE = "numpy"
"""The engine of the discretised networks: each runs for a few ticks only, less than a C compiler takes for it."""


@frozen
class Drawn:
    """A network in ticks, with its input."""

    module: ModuleOp
    x: np.ndarray
    choices: str


@cache
def devices() -> list[Device]:
    return [find_device("asic", name) for name in registry.devices()["asic"]]


def families(device: Device) -> tuple[str, ...]:
    """Returns the families of neurons that a device has; all if it does not limit them."""
    updates = device.neuron.updates.values() if device.neuron is not None else ()
    known = {family for update in updates for family in update.families}
    return tuple(family for family in ("if", "lif", "cuba_lif") if family in known or not known)


@lru_cache(maxsize=100)
def drawn(seed: int, families: tuple[str, ...]) -> Drawn:
    """Returns the first network of a seed in which every population is active."""
    for attempt in range(TRIES):
        rng = np.random.default_rng([seed, attempt])
        text, shape = network_text(rng, families)
        if rng.random() < 0.5:
            text = delayed(text, int(rng.integers(1, 4)))
        like, reset = RULES[int(rng.integers(len(RULES)))]
        steps = (
            f"convert-nir-to-ntensor{{dt-ns=1000000 like={like} reset={reset}}},ntensor-quantize-inputs{{kind=spike}}"
        )
        module = nopt.apply(nopt.parse(text), steps, diagnostics=Diagnostics())
        x = rng.random((2, 24, *shape)) < 0.3
        names = [name for name in names_of(only_network(module)) if "." not in name]
        found = execute(module, x, record=names, engine=ENGINE, diagnostics=Diagnostics()).arrays
        if all(ACTIVE[0] <= (found[name] != 0).mean() <= ACTIVE[1] for name in names):
            return Drawn(module, x, f"{like}, {reset}, {text.count('nir.delay')} delays")
    raise AssertionError(f"seed {seed}: no active network in {TRIES} tries")


def delayed(text: str, ticks: int) -> str:
    """Returns the network with a delay of some ticks between the first population and the pool."""
    line = re.search(r'nir\.sum_pool2d "pool" %first \{.*\} : (tensor<[^>]*>)', text)
    assert line is not None
    shape = line[1].removeprefix("tensor<").rpartition("x")[0]
    values = np.full([int(n) for n in shape.split("x")], ticks / 1000)
    late = f'%late = nir.delay "late" %first {{delay = {reals(values)}}} : {line[1]} -> {line[1]}\n  '
    return text.replace("%pool = nir.sum_pool2d", f"{late}%pool = nir.sum_pool2d").replace(
        '"pool" %first', '"pool" %late'
    )


def outcome(seed: int, device: Device) -> str:
    """Returns what happened to a network of a seed. Raises AssertionError if the chip differs, or its artefact is another chip."""
    net = drawn(seed, families(device))
    module = net.module.clone()
    found = fit(module, device)
    for _ in range(3):
        help = next((m[1] for one in found.findings if (m := HELP.search(str(one.help or "")))), None)
        if found.fits or help is None:
            break
        try:
            module = nopt.apply(net.module.clone(), help, diagnostics=Diagnostics())
        except Refused as refusal:
            return f"refused {refusal.findings[0].code}"
        found = fit(module, device)
    if not found.fits or found.network is None:
        return f"refused {next(str(one.code) for one in found.findings if one.severity == 'error')}"
    compare(seed, net, module, found.network, device)
    return "equal"


def compare(seed: int, net: Drawn, module: ModuleOp, network: ModuleOp, device: Device) -> None:
    record = names_of(only_network(network))
    wanted = execute(network, net.x, record=record, engine=ENGINE, diagnostics=Diagnostics()).arrays
    loaded = load(artefact_of(module, device, Diagnostics()).files, Diagnostics())  # pyright: ignore[reportArgumentType]
    for chip in (module, loaded):
        model = partial(AsicModel, chip, device=device)
        got = execute(network, net.x, record=record, chip=model, diagnostics=Diagnostics()).arrays
        for name, values in wanted.items():
            assert np.array_equal(values, got[name]), f"seed {seed} on {device.key}: {name} differs ({net.choices})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", type=int, default=500, help="for each device")
    parser.add_argument("--seed", type=int, default=1000, help="of the first network")
    args = parser.parse_args()
    broken = 0
    for device in devices():
        ended = Counter[str]()
        for seed in range(args.seed, args.seed + args.networks):
            try:
                ended[outcome(seed, device)] += 1
            except AssertionError as failure:
                broken += 1
                print(failure, flush=True)
        counts = ", ".join(f"{count} {how}" for how, count in sorted(ended.items()))
        print(f"{device.key}: {args.networks} networks: {counts}", flush=True)
    print(f"{broken} broken")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
