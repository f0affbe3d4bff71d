"""Times of engines for a network: each runs the first samples, and the times are kept by network, engine and device.

The results of these samples are compared with the reference, so an engine whose results differ is known before it is taken.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from importlib.metadata import version
from time import perf_counter
from typing import Any

import numpy as np
from attrs import asdict, evolve, field, frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ...core import registry
from ...core.cache.private_files import Cache, user_cache
from ...core.engine import Runner
from ...core.progress import doing
from ...dialects.ntensor import NetworkOp, SynapseOpInterface
from ...simulation.runs import Unsuitable
from ...simulation.signals import DenseSignal, Signal
from ...simulation.stimuli import Stimulus
from .candidates import EngineCandidate, unsuitable
from .network_digest import text_digest

FOLDER, LIMIT_BYTES = "speeds", 2**22
SCHEMA = "nopt.speeds/1"
TICK_WORK = 10**5
"""Work of one op of the reference in a tick. Units: [synapses]."""
PROBE_WORK = 10**9
"""Work of the reference on the first samples, about 0.3 s. Units: [synapses]."""
MOST_SAMPLES, MOST_TICKS = 64, 64
REPEATS = 2


@frozen
class Speed:
    """Time of an engine on the first samples of a run, or the reason why it did not run them."""

    seconds: float | None
    different: int = 0
    """Entries that differ from the reference."""
    entries: int = 0
    reason: str | None = None

    @property
    def text(self) -> str:
        return f"{self.different} of {self.entries} entries of the first samples differ from the reference"


@frozen
class Speeds:
    """Times by the key of a candidate."""

    extent: str
    """The samples and ticks that were run."""
    times: Mapping[str, Speed]
    runners: Mapping[str, Runner] = field(factory=dict[str, Runner])
    """The engines that were started for it."""


def work_of(network: NetworkOp, samples: int, ticks: int) -> int:
    """Returns the work of the reference for a run. Units: [synapses]."""
    ops = [op for op in network.body.block.ops if isinstance(op, SynapseOpInterface)]
    synapses = sum(int(op.count_synapses().sum()) for op in ops)
    return ticks * (samples * synapses + TICK_WORK * len(network.body.block.ops))


def first_samples(network: NetworkOp, fed: Stimulus, ticks: int) -> Stimulus:
    """Returns the first samples and ticks of an input, as many as the reference runs in a short time."""
    samples, ticks = min(fed.samples, MOST_SAMPLES), min(ticks, MOST_TICKS)
    while samples * ticks > 1 and work_of(network, samples, ticks) > PROBE_WORK:
        if samples > 1:
            samples = (samples + 1) // 2
        else:
            ticks = (ticks + 1) // 2
    part = slice(0, samples), slice(0, ticks)
    signals: dict[str, Signal] = {
        name: DenseSignal(np.swapaxes(one.window(*part), 0, 1)) for name, one in fed.signals.items()
    }
    return evolve(fed, signals=signals, samples=samples, ticks=ticks)


def measure_speeds(
    candidates: Sequence[EngineCandidate],
    network: NetworkOp,
    fed: Stimulus,
    ticks: int,
    options: Mapping[str, Any],
    cache: Cache | None = None,
) -> Speeds:
    """Returns the times of engines for a network, from the cache if it has those of all."""
    first = first_samples(network, fed, ticks)
    kept = user_cache(FOLDER, LIMIT_BYTES) if cache is None else cache
    module = network.parent_op()
    assert isinstance(module, ModuleOp)  # networks are in modules
    parts = [version("nopt"), text_digest(module), network.sym_name.data, first.samples, first.ticks]
    parts += [fed.samples > first.samples, *map(str, sorted(options.items()))]
    name = f"{blake2b(repr(parts).encode(), digest_size=20).hexdigest()}.json"
    known = read_times(kept.read(name))
    if all(one.key in known for one in candidates):
        return Speeds(first.extent(), known)
    with doing("comparison of engines"):
        wanted = registry.reference()(network, **options).run(first.signals, ticks=first.ticks)
        times, runners = dict(known), dict[str, Runner]()
        for one in candidates:
            try:
                runner = one.engine.start(network, device=one.device, **options)
                times[one.key] = time_of(runner, first, wanted)
                runners[one.key] = runner
            except Unsuitable as refusal:
                times[one.key] = Speed(None, reason=unsuitable(one, refusal).reason)
    record = {"schema": SCHEMA, "times": {key: asdict(time) for key, time in times.items()}}
    kept.keep(name, json.dumps(record).encode())
    return Speeds(first.extent(), times, runners)


def time_of(runner: Runner, first: Stimulus, wanted: Mapping[str, Any]) -> Speed:
    """Returns the shortest time of an engine, and how many entries of its results differ."""
    best, found = float("inf"), dict[str, Any]()
    for _ in range(REPEATS):
        begun = perf_counter()
        found = runner.run(first.signals, ticks=first.ticks)
        best = min(best, perf_counter() - begun)
    different = sum(different_entries(found[name], values) for name, values in wanted.items())
    return Speed(best, different, sum(values.size for values in wanted.values()))


def different_entries(found: NDArray[Any], wanted: NDArray[Any]) -> int:
    """Returns the number of entries that differ; NaN equals NaN."""
    both_nan = (found != found) & (wanted != wanted)
    return int(np.count_nonzero((found != wanted) & ~both_nan))


def read_times(content: bytes | None) -> dict[str, Speed]:
    """Returns the times of a file of the cache; none if another version wrote it."""
    try:
        found: Any = json.loads(content or b"{}")
        return {key: Speed(**time) for key, time in found["times"].items()} if found.get("schema") == SCHEMA else {}
    except (ValueError, TypeError, AttributeError, KeyError):
        return {}
