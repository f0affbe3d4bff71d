"""The engine `native`, and the model of compiled directories: a network as C, compiled by the system's compiler and run in this process.

Samples run in parallel, each in its own instance. If there are fewer samples than threads, several threads compute the ticks of one large
network, each its own neurons. So the number of threads changes no bit. Signals are passed by windows of
ticks, so a long recording of sparse events is never stored densely as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from itertools import count
from threading import Lock
from time import perf_counter
from typing import ClassVar, Literal, NoReturn

import numpy as np
from attrs import evolve
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.ir import Attribute

from ...core.arrays.numeric import AnyArray
from ...core.device.device import Device
from ...core.diagnostics import Code, Refused, refuse
from ...core.ir.operation import element_type, shape_of
from ...core.processors import chosen_processors, processor_count
from ...dialects import c
from ...dialects.ntensor import NetworkOp, updates_of
from ...dialects.ntensor.probes import probe_names
from ...simulation.memory_budget import allocate_results
from ...simulation.records import Records, Watched
from ...simulation.runs import Unsuitable, convert_window, extent
from ...simulation.signals import Signal
from .building.program import storage_type
from .building.values import result_element
from .compiler import CSR002, CSR003, find_compiler
from .emitter import emit_program
from .equivalence_conditions import inexact, violations
from .instructions.profile import own_profile
from .library import CSR018, Instance, address, includes_constants, load_library
from .passes.c_split_ticks import LEAST, split
from .source import CSource, generate, lower

CSR012 = Code("CSR012", "compiled-program-mismatch", "the program of a compiled directory is not that of its network")

Progress = Callable[[int, int], None]

WINDOW_BYTES = 8 * 2**20
"""Bytes of the dense rows of a window of ticks, per thread, at most."""
FIRST_TICKS = 64
"""Ticks of the first window of a run; `PACE_SECONDS` determines the others."""
MEASURED_AGAIN = 20
"""Windows of ticks after which the other number of threads is measured again."""
PACE_SECONDS = 0.1
"""Duration of a call into C; progress and interrupts are handled between two calls."""

FAILURES = frozenset([CSR002, CSR003, CSR018])
"""Reasons that depend on this machine, not on the network."""


class CompiledModel:
    """Runs one program. It may run many times; every run starts from the initial states.

    Options: record: names of nodes and states, in addition to the outputs. threads: number of threads; default: the processors that this
    process may use.
    Errors: SIM017 an unknown record; CSR002 no compiler; CSR003 the compiler fails; CSR018 too large for the memory.
    """

    def __init__(
        self,
        network: NetworkOp,
        make: Callable[[Sequence[str]], CSource],
        record: Sequence[str] = (),
        threads: int | None = None,
    ):
        records = Records(network)
        self.network = network
        self.inputs = {name: shape_of(value) for name, value in records.arguments.items()}
        """Shapes of the inputs by name."""
        self.outputs = {name: shape_of(value) for name, value in records.outputs.items()}
        """Shapes of the outputs by name."""
        self._arguments = records.arguments
        self.watched = records.watched(record)
        source = make([name for name in self.watched if name not in self.outputs])
        rows = source.manifest
        self._types = {
            row["name"]: np.dtype(np.bool_ if element_type(self._arguments[row["name"]]) == i1 else row["dtype"])
            for row in rows["inputs"]
        }
        """The types of input rows in C; spikes are bytes, 0 or 1, like NumPy's bool."""
        assert [row["name"] for row in (*rows["outputs"], *rows["records"])] == list(
            self.watched
        )  # the same order for both
        self._library = load_library(source)
        self.findings = self._library.findings
        """Remarks about the compilation."""
        self._threads = threads or processor_count()
        self._is_measured = (threads or chosen_processors()) is None
        """Whether the number of threads of a tick is the faster one of two, as measured during the run."""

    # ---- running

    def run(
        self, signals: Mapping[str, Signal], *, ticks: int | None = None, progress: Progress | None = None
    ) -> dict[str, AnyArray]:
        """Returns every output and record by name, `[samples, ticks, *shape]`; row t is the result of the tick that reads input row t.

        Options: ticks beyond the signals use zero inputs, fewer ticks truncate them. progress is called with the completed
        ticks, over all samples, and with their total.
        Errors: SIM018 a missing or unknown signal; SIM019 a signal that does not fit; SIM020 results beyond the memory;
        SIM021 a value outside of the type of an input; SIM023 no number of ticks.
        """
        samples, ticks = extent(self.inputs, signals, ticks)
        workers = 1 if self.network.learns_on else max(1, min(self._threads, samples))
        others = {"the states of the network": workers * self._library.bytes}
        results = allocate_results(self.watched, samples, ticks, others)
        if samples and ticks:
            parts = max(1, self._threads // workers) if self._library.is_split else 1
            if parts > 1:
                self._library.cuts(parts)  # before the threads of several samples read it
            team = Team(parts, is_measured=self._is_measured)
            Job(self, signals, samples, ticks, results, team).run(workers, progress)
        return results

    def rows(self, name: str, signal: Signal, sample: int, ticks: slice) -> AnyArray:
        """Returns the rows of an input in their C type. Errors: SIM021."""
        window = signal.window(slice(sample, sample + 1), ticks)
        return np.ascontiguousarray(convert_window(name, window, self._arguments[name], ticks.start, self._types[name]))

    @property
    def row_bytes(self) -> int:
        """Returns the bytes of the input rows of one tick."""
        sizes = [int(np.prod(self.inputs[name], dtype=object)) * dtype.itemsize for name, dtype in self._types.items()]
        return max(1, sum(sizes))

    def instance(self) -> Instance:
        """Returns a new instance of the network, for direct use."""
        return self._library.instance()


class Team:
    """The number of threads that compute the ticks of a sample.

    If other processes need the processors, threads wait for each other, and one thread is faster. So unless the user sets a number, windows of
    ticks with one thread and with all are measured, and the others have the faster number. It changes no result, so the threads of several samples
    may overwrite each other's values. Options: is_measured: false always uses all threads.
    """

    def __init__(self, threads: int, *, is_measured: bool):
        self.threads, self.is_measured = threads, is_measured and threads > 1
        self.windows = 0
        self.seconds: dict[int, float] = {}
        """Duration of a tick in the last window, by number of threads."""

    def next(self) -> int:
        """Returns the number of threads of the next window."""
        if not self.is_measured:
            return self.threads
        self.windows += 1
        if len(self.seconds) < 2:
            return 1 if self.threads in self.seconds else self.threads
        fastest = min(self.seconds, key=self.seconds.__getitem__)
        return 1 + self.threads - fastest if self.windows % MEASURED_AGAIN == 0 else fastest

    def measure(self, threads: int, seconds: float) -> None:
        """Keeps the duration of a tick."""
        self.seconds[threads] = seconds


class Job:
    """One run: samples that threads process one after the other."""

    def __init__(
        self,
        model: CompiledModel,
        signals: Mapping[str, Signal],
        samples: int,
        ticks: int,
        results: Mapping[str, AnyArray],
        team: Team,
    ):
        self.team = team
        self.model, self.signals, self.results = model, signals, list(results.values())
        self.samples, self.ticks = samples, ticks
        self.intervals = [one.every for one in model.watched.values()]
        """The ticks from one row of a result to the next."""
        self.longest = max(1, min(ticks, WINDOW_BYTES // model.row_bytes))
        self.pace = min(FIRST_TICKS, self.longest)
        """Ticks of the next window. It changes no result, so threads may overwrite each other's value."""
        self.order = count()
        self.is_stopped = False
        self.refused: dict[int, Refused] = {}
        self.done = 0
        """Ticks of all samples."""
        self.counting = Lock()
        self.shown = perf_counter()

    def run(self, threads: int, progress: Progress | None) -> None:
        if threads == 1:
            self.work(progress)
        else:
            with ThreadPoolExecutor(threads) as pool:
                try:
                    self.watch({pool.submit(self.work, None) for _ in range(threads)}, progress)
                finally:
                    self.is_stopped = True
        if self.refused:
            raise self.refused[min(self.refused)]
        if progress is not None:
            progress(self.samples * self.ticks, self.samples * self.ticks)

    def watch(self, working: set[Future[None]], progress: Progress | None) -> None:
        """Waits for the threads, and reports progress."""
        while working:
            ended, working = wait(working, PACE_SECONDS, FIRST_EXCEPTION)
            for future in ended:
                future.result()
            if progress is not None and working:
                progress(self.done, self.samples * self.ticks)

    def work(self, progress: Progress | None) -> None:
        """Processes samples until none are left, or one is refused. Samples start in order, so the first refused
        sample is the same for any number of threads."""
        instance = self.model.instance()
        is_new = True
        while not self.is_stopped and not self.refused and (sample := next(self.order)) < self.samples:
            if not is_new:
                (instance.restart if self.model.network.learns_on else instance.reset)()
            if self.model.network.keeps_weights:
                instance.learn(False)
            is_new = False
            try:
                self.run_sample(instance, sample, progress)
            except Refused as refusal:
                self.refused[sample] = refusal

    def run_sample(self, instance: Instance, sample: int, progress: Progress | None) -> None:
        places = [
            (address(array) + sample * array.strides[0], array.strides[1], every)
            for array, every in zip(self.results, self.intervals, strict=True)
        ]
        start = 0
        while start < self.ticks and not self.is_stopped:
            stop = min(
                self.ticks,
                start + self.pace,
                *(end_before_record(start, every) for every in self.intervals if every > 1),
            )
            rows = [self.model.rows(name, self.signals[name], sample, slice(start, stop)) for name in self.model.inputs]
            threads = self.team.next()
            began = perf_counter()
            instance.run(
                stop - start, [address(x) for x in rows], [row_address(start, *place) for place in places], threads
            )
            seconds = max(1e-9, perf_counter() - began)
            self.team.measure(threads, seconds / (stop - start))
            self.pace = max(1, min(self.longest, int((stop - start) * PACE_SECONDS / seconds)))
            with self.counting:
                self.done += stop - start
            start = stop
            if progress is not None and began - self.shown > PACE_SECONDS:
                self.shown = began
                progress(self.done, self.samples * self.ticks)


def end_before_record(start: int, every: int) -> int:
    """Returns the latest end of a window that starts at a tick: a tick that is recorded in an interval is a window of its own."""
    return start + max(1, every - 1 - start % every)


def row_address(start: int, first: int, stride: int, every: int) -> int | None:
    """Returns the address of the row of a window; None if a result in an interval has none there."""
    if (start + 1) % every:
        return None
    return first + start // every * stride


def can_split(threads: int | None) -> bool:
    """Returns whether several threads can compute a tick, for a number of threads of a run."""
    found = find_compiler().compiler
    return (threads or processor_count()) > 1 and found is not None and found.has_threads


class NativeModel(CompiledModel):
    """The engine `native`: any network for which C computes the same results as the reference.

    Options: sum_order: always `index`: C adds in the order that the dialect defines, which `fast` permits. least_synapses: fewest synapses of a
    network whose ticks are split over threads.
    Errors: as a compiled model; as reasons to choose another engine: CSR017 a sum that can leave its type;
    CSR010 an op or type without a C equivalent; CSR002, CSR003, CSR018.
    """

    def __init__(
        self,
        network: NetworkOp,
        *,
        sum_order: Literal["index", "fast"] = "index",
        record: Sequence[str] = (),
        threads: int | None = None,
        least_synapses: int = LEAST,
    ):
        try:
            split = least_synapses if can_split(threads) else None
            super().__init__(network, lambda names: source_of(network, names, split), record, threads)
        except Refused as refusal:
            if {finding.code for finding in refusal.findings} <= FAILURES:
                raise Unsuitable(*refusal.findings) from refusal
            raise

    @staticmethod
    def differs(network: NetworkOp) -> str | None:
        """Returns the reason why results can differ from the reference in the last bits; None if they never differ."""
        return inexact(network, updates_of(network))


def source_of(network: NetworkOp, record: Sequence[str], split: int | None = None) -> CSource:
    """Returns the C of a network with records. Options: split: fewest synapses of a network whose ticks are split over threads.

    Errors: as reasons to choose another engine CSR017, and those of the conversion.
    """
    if found := list(violations(network)):
        raise Unsuitable(*found)
    preferences = {"profile": own_profile().name} | ({} if split is None else {"split": split})
    try:
        return generate(network, record=record, preferences=preferences, has_constants=not includes_constants())
    except Refused as refusal:
        raise Unsuitable(*refusal.findings) from refusal


class Model(CompiledModel):
    """Runs the exit dialect of a compiled directory, `exit`; `network` is the legalised `ntensor` network that it was lowered from.

    Records change the fusion of a program, so a program with other records than its probes is lowered again, with the same preferences.

    Errors: as a compiled model; CSR012 the exit dialect does not match the network.
    """

    learns: ClassVar[bool] = True
    """Whether the program changes weights by learning rules."""

    def __init__(
        self,
        exit: ModuleOp,
        network: NetworkOp,
        *,
        device: Device,
        record: Sequence[str] = (),
        threads: int | None = None,
    ):
        program = program_of(exit, network)
        own = () if program.preferences is None else program.preferences.data
        plain = {name: program.preference(name, "") for name in own}

        def make(names: Sequence[str]) -> CSource:
            made = program
            if list(names) != [row.row_name for row in program.of_kind(c.Kind.PROBE)]:
                made = lower(
                    network, record=names, preferences={**device.preferred, **plain, "prefix": program.prefix.data}
                )
            if can_split(threads):
                made = made.clone()
                split(made, LEAST)
            emitted = emit_program(made)
            return CSource(emitted.files, emitted.manifest, emitted.flags, is_split=emitted.source.is_split)

        try:
            super().__init__(network, make, record, threads)
        except Refused as refusal:  # a directory can be run without an engine
            found = (evolve(one, help="--model reference") if one.code in FAILURES else one for one in refusal.findings)
            raise Refused(*found) from refusal


def program_of(exit: ModuleOp, network: NetworkOp) -> c.ProgramOp:
    """Returns the program of a compiled directory. Its rows are memory that the process shares with it. Errors: CSR012."""
    programs = [op for op in exit.ops if isinstance(op, c.ProgramOp)]
    if len(programs) != 1:
        held = ", ".join(sorted({op.name for op in exit.ops})) or "an empty module"
        refuse_program("one c.program", f"{len(programs)} of them" if programs else held)
    (program,) = programs
    records = Records(network)
    watched = records.watched(probe_names(network))
    for kind, values, element in (
        (c.Kind.INPUT, {name: Watched.of(value) for name, value in records.arguments.items()}, storage_type),
        (c.Kind.OUTPUT, {name: x for name, x in watched.items() if name in records.outputs}, result_element),
        (c.Kind.PROBE, {name: x for name, x in watched.items() if name not in records.outputs}, result_element),
    ):
        wanted = [row(name, element(x.type), x.shape) for name, x in values.items()]
        found = [row(b.row_name, b.element, c.memory_shape(b.memory)) for b in program.of_kind(kind)]
        if found != wanted:
            refuse_program(*(f"{kind} rows: {', '.join(rows) or 'none'}" for rows in (wanted, found)))
    return program


def row(name: str, element: Attribute, shape: Sequence[int]) -> str:
    """Returns a row of a program as messages show it."""
    return f'"{name}" {"x".join(map(str, (*shape, element)))}'


def refuse_program(expected: str, found: str) -> NoReturn:
    """Refuses the program of a compiled directory. Errors: CSR012."""
    refuse(
        CSR012,
        "the program of the compiled directory is not that of its network",
        at="the last module of ir",
        expected=expected,
        found=found,
        help="--model reference",
    )
