"""Directories that `compile` writes and `run` reads: written completely or not at all, and identified by their report.

build/  artefact/      the input of the target's loader
        ir/NN-PASS.mlir    the module after every pass; ir/arrays/ holds its arrays
        mapping.json   `nopt.mapping/1`, where the network was placed on cores
        report.json    `nopt.report/1`, with the hash of each other file

A second compilation replaces the files of the first, which are known by these hashes. All other files, links and empty folders are kept: notes, or what
`make` built in `artefact/`. A file that was changed, or that is in the place of a new one, is refused: either version may be the one to keep.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn, cast

from attrs import evolve
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...core.arrays.files import FOLDER
from ...core.arrays.values import Array
from ...core.diagnostics import Code, Diagnostics, Finding, Refused, first_of, refuse
from ...core.files import hash_of_file, read_bytes, real_path
from ...core.ir import pass_manager, source
from ...core.ir.context import NoptContext
from ...core.ir.source_printer import OpTexts
from ...core.ir.stamps import Stamps, are_same, stamps_of
from ...core.json_node import JsonNode
from ...core.json_schema import require_schema
from ...core.replacement import remove_left, replace_folder, temporary
from ...core.target import Artefact
from ..atomic_files import unwritable, write_whole, writing
from .target_pipelines import compiled_targets

CMP008 = Code("CMP008", "output-directory-occupied", "the output directory holds something else")
CMP009 = Code("CMP009", "not-a-build-directory", "a directory was not written by nopt compile")
CMP010 = Code("CMP010", "artefact-entry-not-file", "an artefact contains something other than files")
CMP011 = Code("CMP011", "build-file-damaged", "a file of a build is damaged")

REPORT = "report.json"
REPORT_SCHEMA = "nopt.report/1"
PAGES = "pages"
"""Key of the report with the pages of `nopt report` in the directory, and their hashes."""
FILES_SHOWN = 4
"""Maximum number of files that a refusal names."""
ARTEFACT, STAGES, ARRAYS, DEVICE, MAPPING = "artefact", "ir", FOLDER, "device.json", "mapping.json"


def report_of(folder: Path) -> dict[str, Any] | None:
    """Returns the report in a directory; None if it contains no report of nopt."""
    try:
        found = json.loads((folder / REPORT).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):  # RecursionError: nested too deeply
        return None
    given = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    return given if given.get("schema") == REPORT_SCHEMA else None


def require_free(folder: Path) -> list[str]:
    """Returns the files in a directory to keep. Errors: CMP008 a directory that nopt did not write, or with changed files."""
    report = report_of(folder)
    if report is None:
        if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
            refuse(
                CMP008,
                "the output directory holds something that nopt did not write",
                file=str(folder),
                expected="a directory that is absent, empty, or holds an earlier report",
                found="a file" if folder.is_file() else "other files",
                help=f"-o {shlex.quote(free_name(folder))}",
            )
        return []
    hashes = written_hashes(report)
    names = [name for name in paths_in(folder) if name != REPORT]
    changed = [name for name in names if name in hashes and not is_unchanged(folder / name, hashes[name])]
    if changed and report_of(folder) != report:  # another process has replaced the directory
        return require_free(folder)
    if changed:
        refuse_files(folder, changed, "the output directory holds changed files", "the files as nopt wrote them")
    return [name for name in names if name not in hashes]


def written_hashes(report: dict[str, Any]) -> dict[str, str]:
    """Returns the hash of each file that nopt wrote, by its path; empty for a report without them."""
    with suppress(KeyError, TypeError):
        return {str(one["name"]): str(one["sha256"]) for one in (*report["files"], *report.get(PAGES, ()))}
    return {}


def record_page(folder: Path, page: str | Path) -> None:
    """Adds a page in the directory of a build to its report, so that the next compilation removes the page. Errors: API012."""
    page, root = real_path(page), real_path(folder)
    report = report_of(folder)
    if report is None or not page.is_relative_to(root):
        return
    name = page.relative_to(root).as_posix()
    pages = {one["name"]: one for one in report.get(PAGES, ())} | {name: {"name": name, "sha256": hash_of_file(page)}}
    report[PAGES] = [pages[name] for name in sorted(pages)]
    write_whole(folder / REPORT, json_bytes(report))


def json_bytes(record: dict[str, Any]) -> bytes:
    """Returns the content of a file with a record."""
    return (json.dumps(record, indent=2) + "\n").encode()


def file_records(folder: Path) -> list[dict[str, str]]:
    """Returns path and hash of each file of a directory, so that a user can verify it. The paths are relative, in alphabetical order."""
    paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return [{"name": name, "sha256": hash_of_file(path)} for name, path in sorted(paths.items())]


def paths_in(folder: Path) -> list[str]:
    """Returns the paths of the files, links and empty folders of a directory, in order. Links are not followed."""
    found: list[str] = []
    for place, folders, files in os.walk(folder):
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        empty = [""] * (not folders and not files and Path(place) != folder)
        found += [Path(place, name).relative_to(folder).as_posix() for name in (*files, *links, *empty)]
    return sorted(found)


def is_unchanged(path: Path, digest: str) -> bool:
    """Returns whether a file has a hash; true for a file that another process has just removed."""
    if path.is_symlink() or not path.exists():
        return not path.is_symlink()
    return path.is_file() and hash_of_file(path) == digest


def keep_files(names: Iterable[str], folder: Path, new: Path) -> None:
    """Adds files of a directory to its replacement, as hard links or as copies. Errors: CMP008 a new file occupies the path of one of them."""
    occupied: list[str] = []
    for name in names:
        path, target = folder / name, new / name
        parents = [new / parent for parent in Path(name).parents]
        is_empty = path.is_dir() and not path.is_symlink()
        if (os.path.lexists(target) and not (is_empty and target.is_dir())) or any(
            os.path.lexists(parent) and not parent.is_dir() for parent in parents
        ):
            occupied.append(name)
        elif is_empty:
            target.mkdir(parents=True, exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(path, target, follow_symlinks=False)
            except (OSError, NotImplementedError):  # a file system without hard links
                shutil.copy2(path, target, follow_symlinks=False)
    if occupied:
        refuse_files(folder, occupied, "the output directory holds files in the place of new ones", "unused names")


def refuse_files(folder: Path, names: Sequence[str], message: str, expected: str) -> NoReturn:
    """Refuses files of an output directory. Errors: CMP008."""
    refuse(
        CMP008,
        message,
        file=str(folder),
        at=str(folder / names[0]),
        expected=expected,
        found=first_of(list(names), FILES_SHOWN),
        help=f"-o {shlex.quote(free_name(folder))}",
    )


@contextmanager
def whole_folder(folder: Path) -> Generator[Path]:
    """Yields a directory to fill, which gets its name when it is complete; an earlier one is replaced in one step.

    A process that is killed at any moment leaves the earlier directory or the complete new one. Files that nopt did not write are kept in both cases.

    Errors: CMP008 the directory holds other files, or changed ones; API012 it cannot be written.
    """
    with writing(folder):
        target = real_path(folder)
    partial = temporary(target, "tmp")
    try:
        remove_left(target)
        require_free(folder)
        partial.mkdir()
        yield partial
        keep_files(require_free(folder), folder, partial)
        replace_folder(partial, target)
    except OSError as failure:
        unwritable(folder, failure)
    except Refused as refusal:
        raise Refused(*(renamed(finding, partial, folder) for finding in refusal.findings)) from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def renamed(finding: Finding, partial: Path, folder: Path) -> Finding:
    """Returns a finding in which the temporary path of a directory is replaced by its final path."""

    def rename(text: str | None) -> str | None:
        """Replaces the path in a text; keeps the records of a `Phrase` and texts without the path."""
        return text.replace(str(partial), str(folder)) if text is not None and str(partial) in text else text

    return evolve(finding, file=rename(finding.file), help=rename(finding.help))


def stages(folder: Path) -> list[Path]:
    """Returns the files of the modules after each pass, in order. Errors: CMP009."""
    found = sorted((folder / STAGES).glob("*.mlir"))
    if not found:
        refuse_directory(folder, "no IR")
    return found


def artefact_files(folder: Path) -> dict[str, bytes]:
    """Returns the files of the artefact in a build by their paths. A link is not followed. Errors: CMP010."""
    found: dict[str, bytes] = {}
    root = folder / ARTEFACT
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            refuse(
                CMP010,
                f"{ARTEFACT}/{name} is not a file",
                file=str(folder),
                at=f"{ARTEFACT}/{name}",
                expected="files and folders",
                found="a link" if path.is_symlink() else "a special file",
                help=f"nopt compile FILE --target {compiled_targets()[0]} -o {shlex.quote(str(folder))}",
            )
        if path.is_file():
            found[name] = read_bytes(path)
    return found


def require_report(folder: Path) -> dict[str, Any]:
    """Returns the report of a build. Errors: CMP009; CMP011 it is damaged."""
    from ..report.report_schema import REPORT as SCHEMA

    if report_of(folder) is None:
        refuse_directory(folder, f"no {REPORT} of the schema {REPORT_SCHEMA}")
    return read_record(folder / REPORT, SCHEMA)


def require_mapping(build: Path) -> dict[str, Any]:
    """Returns the mapping of a build, or of a file. Errors: COR008; CMP011 it is damaged."""
    from .mappings.mapping_schema import mapping_schema

    return read_record(build / MAPPING if build.is_dir() else build, mapping_schema())


def read_record(path: Path, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the content of a file of a build. Errors: COR008 it cannot be read; CMP011 it does not have the schema."""
    try:
        text = read_bytes(path).decode()
    except UnicodeDecodeError:
        text = ""
    node = JsonNode.parse(str(path), text, CMP011)
    require_schema(node, schema)
    return cast("dict[str, Any]", node.value)


def free_name(folder: Path) -> str:
    """Returns a name for the output next to a folder of others."""
    return f"{folder}-build" if folder.name.strip(".") else "build"


def refuse_directory(folder: Path, found: str) -> NoReturn:
    refuse(
        CMP009,
        "the directory was not written by nopt compile",
        file=str(folder),
        expected=f"{REPORT} and {STAGES}/*.mlir, as nopt compile writes them",
        found=found,
        help=f"nopt compile FILE --target {compiled_targets()[0]} -o {shlex.quote(str(folder))}"
        if not folder.is_file()
        else f"nopt compile {shlex.quote(str(folder))} --target {compiled_targets()[0]} -o {shlex.quote(free_name(folder))}",
    )


class Stages:
    """Writes the module after every pass: a hook of the pipeline."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.arrays: dict[str, Array] = {}
        self.count = 0
        self.observed: Diagnostics | None = None
        """Collection of the remarks about passes of the user that change nothing."""
        self.text: str = ""
        self.stamps: Stamps | None = None
        """Stamps of the module at its last text."""
        self.texts: OpTexts = {}

    def __call__(self, done: ModulePass | None, module: ModuleOp, next: ModulePass | None) -> None:
        if done is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            if self.count:
                return  # the passes of the target follow those of the user
        stamps = stamps_of(module)
        if are_same(self.stamps, stamps):
            text = self.text
        else:
            text = source.format_module(NoptContext(), module, outside=self.arrays, texts=self.texts)
        self.stamps = stamps
        name = "input" if done is None else done.name
        if done is not None and self.observed is not None and text == self.text:
            pass_manager.remark_unchanged(done, self.observed)
        self.text = text
        write_whole(self.folder / f"{self.count:02}-{name}.mlir", text.encode())
        self.count += 1


def write_files(folder: Path, artefact: Artefact) -> Artefact:
    """Writes the files of an artefact, and returns it without them, since they can need as much memory as the network."""
    for path, data in artefact.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / path, data)
    return evolve(artefact, files={})


def write_record(path: Path, record: dict[str, Any]) -> None:
    write_whole(path, json_bytes(record))
