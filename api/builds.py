"""Directories that `compile` writes and `run` reads: complete or not there, and known by their report.

build/  artefact/      what the loader of the target takes
        ir/NN-PASS.mlir    the module after every pass; ir/arrays/ holds the arrays that it names
        mapping.json   `nopt.mapping/1`, where the network was placed on cores
       report.json    `nopt.report/1`
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from ..core.diagnostics import Code, refuse
from .exits import compiled_targets
from .files import unwritable

BLD001 = Code(
    "BLD001",
    "the output directory holds something else",
    cause="`-o DIR` is replaced as a whole, so it must be absent, empty, or hold what an earlier `nopt compile` wrote (a `report.json` "
    "of the schema `nopt.report/1`).",
    remedy="Name another directory, or empty this one yourself.",
)
BLD002 = Code(
    "BLD002",
    "a directory is no build",
    cause="`nopt run DIR` runs what `nopt compile` wrote. The directory has no report, or its IR is not there.",
    remedy="Compile the network again: `nopt compile FILE --target T -o DIR`.",
)

REPORT = "report.json"
SCHEMA = "nopt.report/1"
ARTEFACT, STAGES, ARRAYS, DEVICE, MAPPING = "artefact", "ir", "arrays", "device.json", "mapping.json"


def report_of(folder: Path) -> dict[str, Any] | None:
    """The report in a directory, or None where there is none of ours."""
    try:
        found = json.loads((folder / REPORT).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):  # RecursionError: nested too deeply
        return None
    return found if isinstance(found, dict) and found.get("schema") == SCHEMA else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def require_free(folder: Path) -> None:
    """Refuses a directory that would lose something that is not ours. Errors: BLD001."""
    try:
        is_free = not folder.exists() or (
            folder.is_dir() and (not any(folder.iterdir()) or report_of(folder) is not None)
        )
    except OSError as failure:
        unwritable(folder, failure)
    if not is_free:
        refuse(
            BLD001,
            "the output directory holds something that nopt did not write",
            file=str(folder),
            expected="a directory that is absent, empty, or holds an earlier report",
            found="a file" if folder.is_file() else "other files",
            help=f"-o {folder}-build",
        )


@contextmanager
def whole_folder(folder: Path) -> Generator[Path]:
    """A directory to fill, which takes its name when all is there; one that stood there is replaced as a whole.

    Errors: BLD001 something else stands there; FIL002 it cannot be written.
    """
    require_free(folder)
    target = folder.resolve()
    beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    old = target.with_name(f".{target.name}.{os.getpid()}.old")
    try:
        beside.mkdir()
        yield beside
        if target.exists():
            os.replace(target, old)
        try:
            os.replace(beside, target)
        except OSError:
            if old.exists():
                os.replace(old, target)
            raise
    except OSError as failure:
        unwritable(folder, failure)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def stages(folder: Path) -> list[Path]:
    """The modules after each pass, in order. Errors: BLD002."""
    found = sorted((folder / STAGES).glob("*.mlir"))
    if not found:
        no_build(folder, "no IR")
    return found


def require_report(folder: Path) -> dict[str, Any]:
    """The report of a build. Errors: BLD002."""
    found = report_of(folder)
    if found is None:
        no_build(folder, f"no {REPORT} of the schema {SCHEMA}")
    return found


def no_build(folder: Path, found: str) -> NoReturn:
    refuse(
        BLD002,
        "the directory is no build",
        file=str(folder),
        expected=f"{REPORT} and {STAGES}/*.mlir, as nopt compile writes them",
        found=found,
        help=f"nopt compile FILE --target {compiled_targets()[0]} -o {folder}",
    )
