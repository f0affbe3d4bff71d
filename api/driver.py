"""The textual driver, `nopt FILE -p PIPELINE`: runs passes on each chunk of a file, and prints the modules between them.

Every chunk of a file has its own context and findings; the refusals of all chunks are reported. The result of each pass is verified. An
invalid result, or an exception in a pass, is a defect of nopt. Then the module before the pass is written to a file that repeats it.
"""

from __future__ import annotations

import re
import shlex
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import dropwhile
from pathlib import Path
from time import perf_counter
from types import TracebackType

from attrs import evolve, frozen
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..core.arrays.files import folder_of
from ..core.arrays.values import Array
from ..core.diagnostics import Code, Diagnostics, ExitCode, Finding, Refused, refuse
from ..core.files import read_bytes, read_head
from ..core.ir import pass_manager, pipeline, source
from ..core.ir.context import NoptContext
from ..core.plugin_faults import load_options
from ..core.progress import Progress, part_progress
from ..frontends.limits import limits_of
from ..passes.pipelines import CONTINUOUS
from .atomic_files import write_whole
from .checking.expectations import unmet
from .modules import STDIN, available_passes, emitter, frontend_of

API010 = Code("API010", "outputs-not-joinable", "several outputs cannot be joined", exit_code=ExitCode.MISUSED)

MARKER = re.compile(r"^// -----.*\n?", re.MULTILINE)
JOINT = "// -----\n"


@frozen(kw_only=True)
class Request:
    """Options of the driver for one file."""

    passes: str = ""
    emit: str = "mlir"
    is_split: bool = False
    """Every part between lines `// -----` is a separate module."""
    verifies_diagnostics: bool = False
    is_unverified: bool = False
    allows_unregistered: bool = False
    is_strict: bool = False
    is_generic: bool = False
    has_places: bool = False
    prints_changes: bool = False
    prints_between: bool = False
    prints_after: bool = False
    prints_before: bool = False
    before: Sequence[str] = ()
    """Names of passes; the module is printed before each of them."""
    after: Sequence[str] = ()
    """Names of passes; the module is printed after each of them."""
    reproducer: Path | None = None
    """File for the module before a pass that refuses or fails."""
    tree: Path | None = None
    """Folder for the IR after each pass."""
    is_timed: bool = False
    counts_ops: bool = False
    limits: Sequence[str] = ()
    """Limits on a `.nir` file, as texts `NAME=N`."""
    arrays: Path | None = None
    """Folder of the arrays that the text refers to."""
    leaves_arrays: bool = False
    """Whether the output refers to its large arrays instead of containing them."""
    elided: int | None = None
    """Maximum number of elements of an array that is written in full; None writes all arrays."""


@frozen
class Chunk:
    """One module of a file: its text, the number of lines before it, and the function that parses it."""

    name: str
    make: Callable[[NoptContext], ModuleOp]
    text: str = ""
    offset: int = 0


@frozen
class Outcome:
    """Result of the driver: the joined outputs of the accepted chunks, all findings, and the arrays that the outputs refer to."""

    output: str | bytes
    diagnostics: Diagnostics
    arrays: dict[str, Array]


Watcher = Callable[[ModulePass | None, ModuleOp], None]
"""Called with the module before the first pass and after each."""


def split_chunks(text: str) -> Iterator[tuple[str, int]]:
    """Yields the parts between lines that start with `// -----`, each with the number of lines before it."""
    start = 0
    for marker in [*MARKER.finditer(text), None]:
        end = len(text) if marker is None else marker.start()
        yield text[start:end], text.count("\n", 0, start)
        start = end if marker is None else marker.end()


class Driver:
    """Run over one file. `log` is called with the output between the passes, `watch` with each module."""

    def __init__(
        self,
        request: Request,
        log: Callable[[str], None],
        watch: Callable[[], Watcher] | None = None,
        progress: Progress | None = None,
    ):
        self.request, self.log, self.watch, self.progress = request, log, watch, progress
        self.step: Progress | None = None
        """Progress of the chunk that is processed."""
        self.steps = pipeline.parse_pipeline(request.passes, available_passes())
        self.arrays: dict[str, Array] = {}
        outside = self.arrays if request.leaves_arrays else None
        self.emit = emitter(
            request.emit,
            is_generic=request.is_generic,
            has_places=request.has_places,
            outside=outside,
            elided=request.elided,
        )
        self.times: list[tuple[str, float]] = []

    def run(self, path: str) -> Outcome:
        """Processes every chunk of the file.

        Errors: COR008, COR026; API010; everything else is in the findings of the outcome.
        """
        total = Diagnostics()
        outputs: list[str | bytes] = []
        chunks = list(self.chunks(path))
        for number, chunk in enumerate(chunks, 1):
            diagnostics = Diagnostics()
            self.step = part_progress(self.progress, number - 1, len(chunks))
            output = self.chunk(chunk, number if len(chunks) > 1 else 0, diagnostics)
            if output is not None:
                outputs.append(output)
            found = diagnostics.findings
            if self.request.verifies_diagnostics:
                found = unmet(chunk.text, chunk.name, chunk.offset, found)
            total.extend(found)
        if self.request.is_timed:
            self.log_times()
        binary = [output for output in outputs if isinstance(output, bytes)]
        if binary and len(outputs) > 1:
            refuse(
                API010,
                f"{len(outputs)} outputs of the format {self.request.emit} cannot be joined",
                at="--split-input-file",
                expected="one module, or a textual format",
                found=f"{len(outputs)} modules",
                help="-t mlir",
            )
        texts = [output for output in outputs if isinstance(output, str)]
        return Outcome(binary[0] if binary else JOINT.join(texts), total, self.arrays)

    def chunks(self, path: str) -> Iterator[Chunk]:
        """Yields the modules of a file; its content determines the frontend."""
        frontend = None if path == "-" else frontend_of(read_head(path))
        if frontend is not None:
            yield Chunk(path, lambda ctx: frontend.read(Path(path), ctx.diagnostics, limits_of(self.request.limits)))
            return
        name, arrays = (STDIN, self.request.arrays) if path == "-" else (path, folder_of(path, self.request.arrays))
        text = source.decode_text(read_bytes(path), name)
        for part, offset in split_chunks(text) if self.request.is_split else [(text, 0)]:

            def make(ctx: NoptContext, part: str = part, offset: int = offset) -> ModuleOp:
                return source.parse_module(ctx, part, name, offset, arrays)

            yield Chunk(name, make, part, offset)

    def chunk(self, chunk: Chunk, number: int, diagnostics: Diagnostics) -> str | bytes | None:
        """Returns the output of one chunk, or None after a refusal."""
        ctx = NoptContext(self.request.allows_unregistered, diagnostics, progress=self.step)
        with diagnostics.collecting():
            with self.timed(f"read {chunk.name}"):
                module = chunk.make(ctx)
            if not self.request.is_unverified:
                with self.timed("verify"):
                    diagnostics.extend(source.verify(module))
                    diagnostics.raise_errors()
            with Look(self, chunk, number) as look:
                pass_manager.run_passes(self.steps, ctx, module, look, not self.request.is_unverified)
            if self.request.is_strict:
                diagnostics.promote_warnings()
            diagnostics.raise_errors()
            with self.timed(f"write {self.request.emit}"):
                return self.emit(module, diagnostics)
        return None

    @contextmanager
    def timed(self, what: str) -> Generator[None]:
        """Measures a step that is not refused."""
        start = perf_counter()
        yield
        self.times.append((what, perf_counter() - start))

    def log_times(self) -> None:
        whole = sum(seconds for _, seconds in self.times)
        rows = [*self.times, ("total", whole)]
        self.log("\n".join(f"{seconds:10.4f} s  {seconds / (whole or 1):6.1%}  {what}" for what, seconds in rows))


class Look:
    """Hook around every pass of one chunk: prints, counts and times, and writes the reproducer of a defect."""

    def __init__(self, driver: Driver, chunk: Chunk, number: int):
        self.driver, self.chunk, self.number = driver, chunk, number
        self.request = driver.request
        self.done = 0
        self.text = ""
        self.counts: Counter[str] = Counter()
        self.folder = self.request.tree and (self.request.tree / f"chunk-{number}" if number else self.request.tree)
        self.watch = driver.watch() if driver.watch else None
        self.is_watching = False
        self.started = 0.0

    def __enter__(self) -> Look:
        return self

    def __call__(self, done: ModulePass | None, module: ModuleOp, next: ModulePass | None) -> None:
        if done is not None:
            self.driver.times.append((pipeline.pass_text(done), perf_counter() - self.started))
            self.done += 1
        request, log = self.request, self.driver.log
        if request.prints_changes or self.folder is not None or self.dumps(done, next, True):
            text = self.format(module, None)
            if heads := self.dumps(done, next, text != self.text):
                shown = text if request.elided is None else self.format(module, request.elided)
                for head in heads:
                    log(f"// -----// IR Dump {head} //----- //\n{shown}")
            if self.folder is not None and done is not None:
                write_stage(self.folder, self.done, done, text)
            self.text = text
        if request.counts_ops:
            counts = Counter(op.name for op in module.walk())
            if done is not None:
                log(statistics(done, self.counts, counts))
            self.counts = counts
        if self.watch is not None and (self.is_watching or not self.is_enabled_later()):
            self.watch(done if self.is_watching else None, module)
            self.is_watching = True
        self.started = perf_counter()

    def dumps(self, done: ModulePass | None, next: ModulePass | None, is_changed: bool) -> list[str]:
        """Returns the headings for printing the module between two passes."""
        request = self.request
        is_printed = request.prints_after or (request.prints_changes and is_changed)
        heads: list[str] = []
        if done is None and request.prints_between:
            heads.append("After input")
        if done is not None and (request.prints_between or is_printed or done.name in request.after):
            heads.append(f"After {pipeline.pass_text(done)}")
        if next is not None and (request.prints_before or next.name in request.before):
            heads.append(f"Before {pipeline.pass_text(next)}")
        return heads

    def format(self, module: ModuleOp, elided: int | None) -> str:
        request = self.request
        return source.format_module(NoptContext(), module, request.is_generic, request.has_places, elided=elided)

    def is_enabled_later(self) -> bool:
        """Whether engines cannot run the module yet, but can after a later pass (at the latest after the conversion)."""
        left = dropwhile(lambda step: pipeline.level_of(step) == CONTINUOUS, self.driver.steps[self.done :])
        return bool(pipeline.split_enabling(list(left))[0])

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not isinstance(error, Exception) or self.done >= len(self.driver.steps):
            return
        if isinstance(error, MemoryError):  # not a defect, and a reproducer needs memory, too
            return
        if isinstance(error, Refused) and error.exit_code is not ExitCode.BUG and self.request.reproducer is None:
            return
        step = self.driver.steps[self.done]
        if not isinstance(error, Refused) and self.request.is_unverified:
            self.refuse_invalid(step, error)
        note = f"while {pipeline.pass_text(step)} ran"
        unwritten: tuple[Finding, ...] = ()
        try:
            path = self.write_reproducer(self.driver.steps[: self.done], step)
            note = f"{repeating_command(path, step)} repeats it"
        except Refused as failure:
            unwritten = failure.findings
        except OSError:  # the folder for temporary files is missing or full
            pass
        if isinstance(error, Refused):
            noted = [evolve(finding, notes=[*finding.notes, note]) for finding in error.findings]
            error.findings = (*noted, *unwritten)
        else:
            error.add_note("\n".join([note, *map(str, unwritten)]))

    def refuse_invalid(self, step: ModulePass, error: Exception) -> None:
        """Refuses an unverified module that is invalid: the defect is in the module, not in the failed pass."""
        note = f"{step.name} ran without verification, and failed: {type(error).__name__}"
        if found := list(source.verify(self.module_after(self.driver.steps[: self.done]))):
            raise Refused(*(evolve(finding, notes=[*finding.notes, note]) for finding in found)) from error

    def module_after(self, steps: Sequence[ModulePass]) -> ModuleOp:
        """Parses the module again and runs some passes."""
        ctx = NoptContext(self.request.allows_unregistered)
        module = self.chunk.make(ctx)
        pass_manager.run_passes(steps, ctx, module, is_verified=False)
        return module

    def write_reproducer(self, before: Sequence[ModulePass], step: ModulePass) -> Path:
        """Writes the module before `step`: passes are deterministic. Errors: API012 the file of the option cannot be written."""
        path = self.request.reproducer
        if path is None:
            with tempfile.NamedTemporaryFile(prefix="nopt-", suffix=".mlir", delete=False) as file:
                path = Path(file.name)
        elif self.number:
            path = path.with_stem(f"{path.stem}-{self.number}")
        command = f"// {repeating_command(path, step)}\n"
        write_whole(path, f"{command}{source.format_module(NoptContext(), self.module_after(before))}\n".encode())
        return path


def repeating_command(path: Path, step: ModulePass) -> str:
    """Returns the command that runs a pass on a file, with the targets of files."""
    return f"nopt {shlex.quote(str(path))} -p {shlex.quote(pipeline.pass_text(step))}{load_options()}"


def write_stage(folder: Path, number: int, step: ModulePass, text: str) -> None:
    """Writes `NN-<pass>.mlir` into a folder, which is created if it is missing."""
    with suppress(OSError):  # write_whole reports the error of the folder
        folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / f"{number:02}-{step.name}.mlir", text.encode())


def statistics(step: ModulePass, before: Counter[str], after: Counter[str]) -> str:
    """Formats the number of ops of each kind before and after a pass."""
    rows = [
        f"  {name:40} {before[name]:8} -> {after[name]:8}"
        for name in sorted({*before, *after})
        if before[name] != after[name]
    ]
    head = f"{pipeline.pass_text(step)}: {before.total()} -> {after.total()} ops"
    return "\n".join([head, *rows])
