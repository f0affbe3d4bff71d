"""The system's C compiler: its identity, its capabilities, and its use.

`CC` names it, as for make; otherwise it is the first usable one of `cc`, `gcc` and `clang` on the path. Each is tried
once per version: it compiles a short program with known results. The results and the accepted flags are stored in the cache.
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

from attrs import asdict, frozen

from ...core.cache.private_files import user_cache
from ...core.diagnostics import Code, refuse
from ...core.progress import doing

CSR002 = Code("CSR002", "c-compiler-missing", "no usable C compiler was found")
CSR003 = Code("CSR003", "c-compiler-fails", "the C compiler fails")

NAMES = ("cc", "gcc", "clang")
NEEDED = ("-std=c99", "-ffp-contract=off", "-fPIC", "-shared")
"""Required flags. Products are rounded before they are added: contraction would change results."""
PTHREAD = "-pthread"
WANTED = ("-O3", "-march=native", PTHREAD)
LAST_LINES = 6
NATIVE = "native"
"""The name of the cache of compiled programs."""
SECONDS = 60
"""Time limit of a trial. The compilation of a network has none: a large network takes minutes, and an interrupt ends it."""

TRIAL = r"""
#include <float.h>
#include <math.h>
#include <stdint.h>
#ifdef _REENTRANT
#include <pthread.h>
#include <sched.h>
#endif
#if !defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD != 0
#error "real numbers are computed in other bits than they are stored in"
#endif
/* What is wrong with this machine, a bit each; 0 for nothing. */
int nopt_trial(const float *x, const double *y, const int64_t *n) {
    const float small = x[2] * 0.5f;
    return (x[0] * x[0] + x[1] != 0.0f) | (y[0] * y[0] + y[1] != 0.0) << 1 | ((n[0] >> 1) != -3) << 2 | (small == 0.0f) << 3
        | (sqrt(y[2]) != 1.5) << 4 | ((int)n[0] != -5) << 5;
}
"""
WRONG = (
    "it adds float products before they are rounded",
    "it adds double products before they are rounded",
    "it does not round down when it shifts negative numbers to the right",
    "it flushes small numbers to zero",
    "its square root is not exact",
    "its integers are not two's complement",
)


@frozen
class Compiler:
    """A compiler that passed the trial."""

    command: tuple[str, ...]
    version: str
    """The first line of its version output."""
    flags: tuple[str, ...]
    """The optional flags that it accepts."""

    @property
    def has_threads(self) -> bool:
        """Returns whether programs can have several threads."""
        return PTHREAD in self.flags

    @property
    def key(self) -> str:
        """Identifies the compiler and the machine for the cache."""
        return json.dumps([self.command, self.version, self.flags, processor()])

    def compile(self, files: Mapping[str, str], sources: Sequence[str], into: Path, flags: Sequence[str] = ()) -> Path:
        """Compiles sources to a shared library in a folder and returns its path. Errors: CSR003."""
        for name, text in files.items():
            (into / name).write_text(text, encoding="utf-8")
        done = run_compiler([*self.command, *NEEDED, *self.flags, *flags, *sources, "-o", "library.so", "-lm"], into)
        made = into / "library.so"
        if done.returncode or not made.is_file():
            ended = f"exit code {done.returncode}" if done.returncode >= 0 else f"ended by signal {-done.returncode}"
            refuse_failure(self.command, ended, last_lines(done.stderr))
        return made


def refuse_failure(command: Sequence[str], found: str, notes: Sequence[str] = ()) -> NoReturn:
    """Refuses a failed compilation. Errors: CSR003."""
    refuse(
        CSR003,
        at=shlex.join(command),
        expected="a shared library",
        found=found,
        help="--engine numpy",
        notes=notes,
    )


@frozen
class Found:
    """The compiler of this system, or the reason why none is usable."""

    compiler: Compiler | None
    reason: str | None = None


@doing("C compiler")
def run_compiler(
    command: Sequence[str], folder: Path, seconds: float | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a compiler; its messages are English, so that they can be searched for.

    An exception, such as that of a time limit, also ends the processes that the compiler has started. Their temporary files are in the folder.
    """
    with subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "LC_ALL": "C", "TMPDIR": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        process_group=0,
    ) as running:
        try:
            out, error = running.communicate(timeout=seconds)
        finally:
            if running.poll() is None:
                end_group(running)
    return subprocess.CompletedProcess(command, running.returncode, out, error)


def end_group(running: subprocess.Popen[str]) -> None:
    """Ends a process; on systems with process groups, also the processes that it started."""
    if hasattr(os, "killpg"):
        os.killpg(running.pid, signal.SIGKILL)
    else:
        running.kill()


def last_lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip()][-LAST_LINES:]


@cache
def processor() -> str:
    """Returns an identifier of the kind of processor. Code for one kind may not run on another kind that shares the cache."""
    try:
        lines: list[str] = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    known = [line for line in lines if line.startswith(("model name", "flags", "Features", "CPU part", "isa"))]
    own = "\n".join([platform.machine(), platform.processor(), *sorted(set(known))])
    return blake2b(own.encode(), digest_size=16).hexdigest()


def compiler_candidates() -> Iterator[tuple[str, ...]]:
    """Yields the compilers to try, in order."""
    named = os.environ.get("CC", "").strip()
    if named:
        try:
            yield tuple(shlex.split(named))
        except ValueError:  # an unclosed quote
            yield (named,)
        return
    yield from ((name,) for name in NAMES)


def find_compiler() -> Found:
    """Returns the first usable compiler, or why none is usable."""
    reasons: list[str] = []
    for command in compiler_candidates():
        path = shutil.which(command[0])
        if path is None:
            if os.environ.get("CC", "").strip():
                reasons.append(f"CC names {command[0]}, which is not a command")
            continue
        status = os.stat(path)
        found = probe_compiler((path, *command[1:]), status.st_mtime_ns, status.st_size)
        if found.compiler is not None:
            return found
        reasons.append(f"{command[0]}: {found.reason}")
    return Found(None, "; ".join(dict.fromkeys(reasons)) or "no C compiler on the path (cc, gcc, clang)")


def require() -> Compiler:
    """Returns the compiler of this system. Errors: CSR002."""
    found = find_compiler()
    if found.compiler is None:
        refuse(
            CSR002,
            at=f"CC={os.environ['CC']}" if os.environ.get("CC", "").strip() else "the path",
            expected="a C compiler: cc, gcc, clang, or the compiler that CC names",
            found=found.reason,
            help="--engine numpy, or install a C compiler",
        )
    return found.compiler


@cache
def probe_compiler(command: tuple[str, ...], changed_ns: int, size: int) -> Found:
    """Returns the capabilities of a compiler. `changed_ns` and `size` describe the compiler's file; a changed file is tried again."""
    kept, own = user_cache(NATIVE), repr((command, changed_ns, size, processor(), TRIAL, NEEDED, WANTED))
    name = f"compiler-{blake2b(own.encode(), digest_size=16).hexdigest()}.json"
    try:
        known = json.loads(kept.read(name) or b"null")
        if known is not None:
            return Found(Compiler(tuple(known["command"]), known["version"], tuple(known["flags"])))
    except (ValueError, KeyError, TypeError):
        pass  # written by another version of nopt
    try:
        found = Found(trial(command))
    except Unusable as failure:
        return Found(None, str(failure))
    except subprocess.TimeoutExpired:
        return Found(None, f"it does not end within {SECONDS} s")
    except OSError as failure:
        return Found(None, f"it cannot be started: {failure}")
    assert found.compiler is not None  # or it was unusable
    kept.keep(name, json.dumps(asdict(found.compiler)).encode())
    return found


class Unusable(Exception):
    """The reason why a compiler is unusable."""


def trial(command: tuple[str, ...]) -> Compiler:
    """Tries a compiler with all optional flags that it accepts."""
    with TemporaryDirectory(prefix="nopt-") as name:
        folder = Path(name)
        (folder / "trial.c").write_text(TRIAL, encoding="utf-8")

        def made(flags: Sequence[str]) -> subprocess.CompletedProcess[str]:
            return run_compiler([*command, *NEEDED, *flags, "trial.c", "-o", "trial.so", "-lm"], folder, SECONDS)

        taken = list(WANTED)
        done = made(taken)
        while done.returncode and taken:
            taken.pop()
            done = made(taken)
        if done.returncode:
            said = last_lines(done.stderr)
            raise Unusable(said[-1] if said else f"it ends with exit code {done.returncode}")
        wrong = test_program(folder / "trial.so")
        if wrong:
            raise Unusable("; ".join(wrong))
        said = run_compiler([*command, "--version"], folder, SECONDS).stdout.splitlines()
    return Compiler(command, said[0].strip() if said else Path(command[0]).name, tuple(taken))


def test_program(library: Path) -> list[str]:
    """Returns the differences between the results of the compiled program and the required results."""
    try:
        run = ctypes.CDLL(str(library)).nopt_trial
    except (OSError, AttributeError) as failure:
        return [f"its library cannot be loaded: {failure}"]
    # (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24 rounds to 1 + 2^-11 in float; doubles likewise with 2^-27
    x = (ctypes.c_float * 3)(1 + 2**-12, -(1 + 2**-11), 2.0**-149 * 4)
    y = (ctypes.c_double * 3)(1 + 2**-27, -(1 + 2**-26), 2.25)
    found = run(x, y, (ctypes.c_int64 * 1)(-5))
    return [text for k, text in enumerate(WRONG) if found >> k & 1]
