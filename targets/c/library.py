"""A C program in this process: compiled once, cached, loaded, and called."""

from __future__ import annotations

import _ctypes
import ctypes
import shlex
import sys
from collections.abc import Mapping, MutableMapping, Sequence
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from weakref import WeakValueDictionary, finalize

import numpy as np
from numpy.typing import NDArray

from ...core.cache.private_files import Cache, file_digest, user_cache
from ...core.diagnostics import Code, Finding, Severity, refuse
from ...core.memory import available_bytes
from ...simulation.memory_budget import format_bytes
from . import compiler
from .compiler import NATIVE, PTHREAD
from .source import CSource

CSR018 = Code("CSR018", "network-too-large-for-c", "a network is too large to run in C here")
CSR019 = Code("CSR019", "compiled-cache-unused", "the cache of compiled programs is not used")

HASHED_AT_ONCE = 2**20
"""Characters of a source that are encoded at once: large networks have sources of many megabytes."""
RUNS = ("-DNET_RUN",)
"""Adds the function that runs many ticks to a program."""
BYTES_PER_CHARACTER = 8
"""Memory that gcc needs per character of source, measured with constants of 10^7 and more elements."""
THREADS = (PTHREAD, "-D_POSIX_C_SOURCE=200809L")
"""Adds the function that runs many ticks by several threads."""
LARGE_BYTES = 2**22
"""Smallest size of a program that is unloaded after its last use, to free memory."""
ALIGNMENT = 64
"""Alignment of an instance in bytes: the width of the widest vectors of current processors."""


class Library:
    """A compiled program. Instances are independent of each other; each is used by one thread at a time."""

    def __init__(self, loaded: ctypes.CDLL, prefix: str, findings: tuple[Finding, ...] = ()):
        self.findings = findings
        """Remarks about the compilation."""

        def function(name: str, result: Any, *arguments: Any) -> Any:
            found = getattr(loaded, f"{prefix}_{name}")
            found.restype, found.argtypes = result, arguments
            return found

        pointer, rows = ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)
        self.initialise = function("init", None, pointer)
        self.reset = function("reset", None, pointer)
        self.run = function("run", None, pointer, ctypes.c_int64, rows, rows)
        self.save = function("save", ctypes.c_size_t, pointer, pointer)
        self.load = function("load", ctypes.c_int, pointer, pointer, ctypes.c_size_t)
        self.learn: Any = function("learn", None, pointer, ctypes.c_int) if hasattr(loaded, f"{prefix}_learn") else None
        """Turns learning on or off; None if no weights learn."""
        self.restart: Any = function("restart", None, pointer) if self.learn is not None else self.reset
        """Restores the state before the first tick, except for weights that are learnt."""
        self.bytes = int(function("size", ctypes.c_size_t)())
        """Bytes of one instance."""
        self.is_split = hasattr(loaded, f"{prefix}_run_parts")
        """Whether several threads can compute a tick."""
        self.run_parts: Any = None
        self.cut: Any = None
        self.cut_bytes: Any = None
        if self.is_split:
            self.run_parts = function("run_parts", None, pointer, ctypes.c_int64, rows, rows, pointer, ctypes.c_size_t)
            self.cut = function("cut", None, pointer, ctypes.c_size_t)
            self.cut_bytes = function("cut_bytes", ctypes.c_size_t, ctypes.c_size_t)
        self._cuts: dict[int, NDArray[np.uint64]] = {}

    def cuts(self, parts: int) -> int:
        """Returns the address of the boundaries between the synapses of parts, which all instances share. Errors: CSR018."""
        if parts not in self._cuts:
            size = int(self.cut_bytes(parts))
            check_memory(size, f"the synapses of {parts} threads")
            table = np.empty(size // 8 + 1, np.uint64)
            self.cut(address(table), parts)
            self._cuts[parts] = table
        return address(self._cuts[parts])

    def instance(self) -> Instance:
        """Returns a new network at its first tick."""
        return Instance(self)


class Instance:
    """One network: its state, and the calls that change it."""

    def __init__(self, library: Library):
        self.library = library
        self._room = np.empty(library.bytes + ALIGNMENT, np.uint8)
        start = self._room.ctypes.data
        self._at = start + -start % ALIGNMENT
        library.initialise(self._at)

    def reset(self) -> None:
        """Restores the state before the first tick."""
        self.library.reset(self._at)

    def restart(self) -> None:
        """Restores the state before the first tick, except for weights that are learnt, and the tick of random numbers."""
        self.library.restart(self._at)

    def run(self, ticks: int, inputs: Sequence[int], outputs: Sequence[int | None], threads: int = 1) -> None:
        """Runs some ticks. Inputs and outputs are addresses of rows, in the order of the manifest; a record in an interval of ticks can have none. Several threads need a library that is split."""
        given = self._at, ticks, addresses(inputs), addresses(outputs)
        if threads == 1:
            self.library.run(*given)
        else:
            self.library.run_parts(*given, self.library.cuts(threads), threads)

    def learn(self, on: bool) -> None:
        """Turns the rules of plastic synapses on or off, if there are some."""
        if self.library.learn is not None:
            self.library.learn(self._at, int(on))

    def save(self) -> bytes:
        """Returns the complete state of the network."""
        saved = ctypes.create_string_buffer(max(1, self.library.save(self._at, None)))
        size = self.library.save(self._at, saved)
        return saved.raw[:size]

    def load(self, saved: bytes) -> None:
        """Restores the state of this or another instance. Errors: ValueError it is not a saved state of this network."""
        if code := self.library.load(self._at, ctypes.create_string_buffer(saved, max(1, len(saved))), len(saved)):
            raise ValueError(f"the saved state cannot be loaded: code {code}")


def addresses(of: Sequence[int | None]) -> Any:
    return (ctypes.c_void_p * max(1, len(of)))(*of)


def address(rows: NDArray[Any]) -> int:
    """Returns the address of a contiguous array."""
    return rows.ctypes.data


def includes_constants() -> bool:
    """Returns whether compilers of this system can include the bytes of a file as a constant: their object files are in the format ELF."""
    return sys.platform == "linux" and sys.byteorder == "little"


def included(name: str) -> str:
    """Returns C source that defines a constant with the bytes of the file NAME.bin. Compilers need much memory for constants in C."""
    lines = (
        ".section .rodata",
        f".balign {ALIGNMENT}",
        f".globl {name}",
        f".hidden {name}",
        f"{name}:",
        f'.incbin \\"{name}.bin\\"',
        ".previous",
    )
    return "\n".join(['__asm__("', *lines]).replace("\n", "\\n") + '");'


_OPENED: MutableMapping[bytes, ctypes.CDLL] = {}
"""Programs that this process has loaded, by the digest of their bytes; they are never unloaded."""
_LARGE: MutableMapping[bytes, ctypes.CDLL] = WeakValueDictionary()
"""Large ones, each of which is unloaded after its last use."""


def load_library(source: CSource, *, cache: Cache | None = None) -> Library:
    """Returns the library of a program, compiled if it is not in the cache.

    Errors: CSR002 no compiler; CSR003 it fails; CSR018 too large for the memory. Remarks: CSR019 the cache is not used.
    """
    chosen, kept = compiler.require(), user_cache(NATIVE) if cache is None else cache
    sizes: Mapping[str, int] = source.manifest["bytes"]
    check_memory(sizes["state"] + sizes["scratch"], "the states of one sample")
    prefix = str(source.manifest["prefix"])
    files = {name: text for name, text in source.files.items() if name in (f"{prefix}.c", f"{prefix}.h")}
    if source.constants:
        files["constants.c"] = "\n".join(map(included, source.constants))
    own = blake2b(digest_size=20)
    flags = (*RUNS, *THREADS) if source.is_split else RUNS
    for part in (chosen.key, *flags, *(part for item in sorted(files.items()) for part in item)):
        own.update(f"{len(part)}:".encode())
        for first in range(0, len(part), HASHED_AT_ONCE):
            own.update(part[first : first + HASHED_AT_ONCE].encode())
    for values in source.constants.values():
        content: Any = np.ascontiguousarray(values).reshape(-1).view(np.uint8)
        own.update(content)
    name = f"{own.hexdigest()}.so"
    try:
        with TemporaryDirectory(prefix="nopt-", ignore_cleanup_errors=True) as folder:
            path = Path(folder) / "kept.so"  # a private copy, so that it cannot change between the check and the call
            if (digest := kept.copy(name, path)) is not None:
                try:
                    return Library(open_library(path, digest), prefix)
                except (OSError, AttributeError):
                    kept.remove(name)  # built for another system that shares the folder
            reason = kept.unsafe_reason(name)
            remarks = () if reason is None else (remark_distrust(kept, reason),)
            check_memory(BYTES_PER_CHARACTER * sum(map(len, files.values())), "compiling")
            for constant, values in source.constants.items():
                values.tofile(Path(folder) / f"{constant}.bin")
            sources = [name for name in files if name.endswith(".c")]
            made = chosen.compile(files, sources, Path(folder), flags)
            kept.keep(name, made)
            return Library(open_library(made, file_digest(made)), prefix, remarks)
    except OSError as failure:
        compiler.refuse_failure(chosen.command, str(failure.strerror or failure).lower())


def open_library(path: Path, digest: bytes) -> ctypes.CDLL:
    """Loads a program from a private file; a program of the same bytes that is loaded already is used again."""
    unload: Any = getattr(_ctypes, "dlclose", None)
    is_kept = unload is None or path.stat().st_size < LARGE_BYTES
    opened = _OPENED if is_kept else _LARGE
    library = opened.get(digest)
    if library is None:
        opened[digest] = library = ctypes.CDLL(str(path))
        if not is_kept:
            finalize(library, unload, library._handle).atexit = False  # noqa: SLF001 (a documented attribute)
    return library


def remark_distrust(cache: Cache, reason: str) -> Finding:
    """Returns the remark about a cache that another user could have changed."""
    folder = shlex.quote(str(cache.folder))
    return Finding(
        CSR019,
        "the cache of compiled programs is not used",
        Severity.REMARK,
        at=str(cache.folder),
        expected="a folder and files that only this user can write to",
        found=reason,
        help=f"chmod -R go-w {folder}" if "mode" in reason else f"mv {folder} {folder}.old",
    )


def check_memory(needed: int, what: str) -> None:
    """Refuses a network that does not fit into memory, before allocation. Errors: CSR018. Units: needed [bytes]."""
    available = available_bytes()
    if available is not None and needed > available:
        refuse(
            CSR018,
            "the network is too large to run in C here",
            expected=f"at most {format_bytes(available)}, which is available now",
            found=f"{format_bytes(needed)} for {what}",
            help="--engine numpy",
        )
