"""Time and energy of samples on this machine, as a log that `nopt report BUILD --measured` shows next to the estimate of a chip.

Each sample runs alone, again and again until `SHORTEST` seconds have passed (less for many samples, `ALL` seconds for all of them), after one run that is
not measured. Samples that run together take less time each. The energy is that of whole processor packages,
with their idle power and whatever else they compute meanwhile: the counters of RAPL in `/sys/class/powercap`, where the system lets the user read them.

Source: Linux, Documentation/power/powercap/powercap.rst, for the names of the counters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter

from attrs import frozen

from ...core.diagnostics import Diagnostics
from ...core.progress import Progress, require_progress
from ...simulation.axes import order_axes
from ...simulation.frames import fit_data, read_data
from ...simulation.runs import REFERENCE
from ...simulation.stimuli import Given
from ..atomic_files import write_whole
from ..budgets import MaxTime, with_max_time
from ..executing.choice import Request, start_engine
from ..modules import Network, default_diagnostics
from ..options import Choices
from ..running.run import discretise, open_network

POWERCAP = Path("/sys/class/powercap")
SHORTEST = 0.02
"""Shortest measurement of a sample [s]; RAPL counts about every millisecond."""
ALL = 5.0
"""Time of all measurements [s], if each run is shorter than its share."""


@frozen
class Counter:
    """Energy counter of a processor package, in uJ; it starts again at 0 after `range_uj`."""

    name: str
    path: Path
    range_uj: int

    def read(self) -> int:
        return int(self.path.read_text(encoding="ascii"))

    def between(self, before: int, after: int) -> int:
        """Returns the energy between two readings."""
        return after - before if after >= before else after - before + self.range_uj + 1


@frozen
class HostLog:
    """Samples that ran on this machine. Units: times [s], energies [uJ]."""

    engine: str
    ticks: int
    times: tuple[float, ...]
    energies: Mapping[str, Sequence[float]]
    """Energy of each sample by package; empty if the machine shows none."""

    @property
    def mean_time_s(self) -> float:
        """Returns the mean time of a sample."""
        return sum(self.times) / len(self.times)

    @property
    def mean_energy_uj(self) -> float | None:
        """Returns the mean energy of a sample in all packages; None if the machine shows none."""
        total = sum(sum(values) for values in self.energies.values())
        return total / len(self.times) if self.energies else None

    @property
    def text(self) -> str:
        """Returns the log."""
        rails = ", ".join(self.energies) or "none that this user may read"
        lines = [
            f"# rail: this machine with the engine {self.engine}; counters of energy: {rails}",
            f"# samples: {len(self.times)}",
            f"# ticks: {self.ticks}",
            ",".join(["sample", "time_ms", *(f"{name}_uJ" for name in self.energies)]),
        ]
        for k, time in enumerate(self.times):
            cells = [str(k), f"{time * 1e3:.6g}", *(f"{values[k]:.6g}" for values in self.energies.values())]
            lines.append(",".join(cells))
        return "\n".join(lines) + "\n"


def energy_counters(folder: Path = POWERCAP) -> list[Counter]:
    """Returns the counters of processor packages that this user may read."""
    found = list[Counter]()
    for zone in sorted(folder.glob("*-rapl:*")):
        if zone.name.count(":") != 1:
            continue  # a part of a package
        try:
            int((zone / "energy_uj").read_text(encoding="ascii"))
            range_uj = int((zone / "max_energy_range_uj").read_text(encoding="ascii"))
            name = (zone / "name").read_text(encoding="ascii").strip().replace("-", "_")
        except (OSError, ValueError):
            continue  # only the superuser reads it, or it is not a counter
        found.append(Counter(name, zone / "energy_uj", range_uj))
    return found


@with_max_time
def measure_host(
    network: Network,
    given: Given,
    *,
    engine: str = "auto",
    axes: str | None = None,
    choices: Choices | None = None,
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
    counters: Sequence[Counter] | None = None,
) -> HostLog:
    """Runs each sample on an engine of this machine and returns its time and energy.

        nopt.measure_host("net.nir", x, choices={"dt": "1ms", "like": "norse"}).times

    Errors: those of `run`.
    """
    require_progress(progress)
    found = default_diagnostics(diagnostics)
    module, _ = open_network(network, REFERENCE, None, found)
    graph = discretise(module, choices or {}, found)
    fed = fit_data(graph, read_data(graph, order_axes(given, axes), found))
    runner, name, _ = start_engine(Request(engine, graph, fed, fed.ticks), found)
    rails = energy_counters() if counters is None else counters
    shortest = min(SHORTEST, ALL / max(1, fed.samples))
    times, energies = list[float](), {one.name: list[float]() for one in rails}
    for some, signals in fed.groups(1, 1):  # one sample after the other
        runner.run(signals, ticks=None, progress=None)
        runs, before, start = 0, [one.read() for one in rails], perf_counter()
        while (passed := perf_counter() - start) < shortest or not runs:
            runner.run(signals, ticks=None, progress=None)
            runs += 1
        times.append(passed / runs)
        for one, reading in zip(rails, before, strict=True):
            energies[one.name].append(one.between(reading, one.read()) / runs)
        if progress is not None:
            progress(some.stop, fed.samples)
    return HostLog(name, fed.ticks, tuple(times), energies)


def write_log(path: str | Path, log: HostLog) -> None:
    """Writes the log as a whole."""
    write_whole(Path(path), log.text.encode())
