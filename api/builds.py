"""Directories that `compile` writes and `run` reads: written completely or not at all, and identified by their report.

build/  artefact/      the input of the target's loader
        ir/NN-PASS.mlir    the module after every pass; ir/arrays/ holds its arrays
        mapping.json   `nopt.mapping/1`, where the network was placed on cores
       report.json    `nopt.report/1`
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, cast

from ..core.diagnostics import Code, refuse
from ..core.files import read_bytes
from ..core.replacement import remove_left, replace_folder, temporary
from .exits import compiled_targets
from .files import unwritable

BLD001 = Code("BLD001", "the output directory holds something else")
BLD002 = Code("BLD002", "a directory was not written by nopt compile")
BLD003 = Code("BLD003", "an artefact contains something other than files")

REPORT = "report.json"
REPORT_SCHEMA = "nopt.report/1"
ARTEFACT, STAGES, ARRAYS, DEVICE, MAPPING = "artefact", "ir", "arrays", "device.json", "mapping.json"


def report_of(folder: Path) -> dict[str, Any] | None:
    """Returns the report in a directory; None if nopt wrote none."""
    try:
        found = json.loads((folder / REPORT).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):  # RecursionError: nested too deeply
        return None
    given = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    return given if given.get("schema") == REPORT_SCHEMA else None


def require_free(folder: Path) -> None:
    """Refuses a directory with files that nopt did not write. Errors: BLD001."""
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
    """Yields a directory to fill, which gets its name when it is complete; an earlier one is replaced in one step.

    A process that is killed at any moment leaves the earlier directory or the complete new one.

    Errors: BLD001 the directory holds other files; FIL002 it cannot be written.
    """
    target = folder.resolve()
    partial = temporary(target, "tmp")
    try:
        remove_left(target)
        require_free(folder)
        partial.mkdir()
        yield partial
        replace_folder(partial, target)
    except OSError as failure:
        unwritable(folder, failure)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def stages(folder: Path) -> list[Path]:
    """Returns the files of the modules after each pass, in order. Errors: BLD002."""
    found = sorted((folder / STAGES).glob("*.mlir"))
    if not found:
        refuse_directory(folder, "no IR")
    return found


def artefact_files(folder: Path) -> dict[str, bytes]:
    """Returns the files of the artefact in a build by their paths. A link is not followed. Errors: BLD003."""
    found: dict[str, bytes] = {}
    root = folder / ARTEFACT
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            refuse(
                BLD003,
                f"{ARTEFACT}/{name} is not a file",
                file=str(folder),
                at=f"{ARTEFACT}/{name}",
                expected="files and folders",
                found="a link" if path.is_symlink() else "a special file",
                help=f"nopt compile FILE --target {compiled_targets()[0]} -o {folder}",
            )
        if path.is_file():
            found[name] = read_bytes(path)
    return found


def require_report(folder: Path) -> dict[str, Any]:
    """Returns the report of a build. Errors: BLD002."""
    found = report_of(folder)
    if found is None:
        refuse_directory(folder, f"no {REPORT} of the schema {REPORT_SCHEMA}")
    return found


def refuse_directory(folder: Path, found: str) -> NoReturn:
    refuse(
        BLD002,
        "the directory was not written by nopt compile",
        file=str(folder),
        expected=f"{REPORT} and {STAGES}/*.mlir, as nopt compile writes them",
        found=found,
        help=f"nopt compile FILE --target {compiled_targets()[0]} -o {folder}",
    )
