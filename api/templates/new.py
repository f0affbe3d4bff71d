"""Templates of `nopt new`: a device file, a target, a dialect or a pass, each with its goldens.

The texts are data files in `skeletons/`. A target, dialect or pass is written as a plug-in package, into an existing one, or at the paths of a
checkout of nopt. Placeholders are `%NAME%`, `%CLASS%`, `%CODE%` and others of `Places.fill`.
"""

from __future__ import annotations

import json
import keyword
import os
import re
import tomllib
from collections.abc import Iterable, Iterator
from itertools import chain, combinations
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Literal, cast

from attrs import evolve, frozen

from ...core import registry
from ...core.diagnostics import Code, ExitCode, refuse
from ...core.files import read_bytes
from ...core.ir.context import NoptContext, multiverse
from ...core.plugins import GROUP
from ...core.renames import renamed
from ...core.target import API_VERSION
from ..atomic_files import unwritable, write_whole
from ..catalogue.listing import DECLARATION, declarations

API014 = Code("API014", "file-already-exists", "the file exists already")
API015 = Code("API015", "new-name-invalid", "the name cannot be used", exit_code=ExitCode.MISUSED)
API016 = Code("API016", "new-name-taken", "the name is in use")
API017 = Code("API017", "not-a-checkout-or-plugin", "the folder is not a checkout of nopt or a plug-in")

RoomKind = Literal["target", "dialect", "pass"]

SKELETONS = Path(__file__).parent / "skeletons"
SCHEMA_FILE = "device.schema.json"
LONGEST_NAME = 64
"""Most characters of a name, which is part of names of files."""
NEW_NAME = re.compile(rf"[a-z][a-z0-9_]{{0,{LONGEST_NAME - 1}}}")
PROJECT = "pyproject.toml"
DEVICE = "first"
"""The device of a new target."""
IMPORTS = re.compile(r"(?:^( *)from \..*\n)(?:\n?\1from \..*\n)*", re.MULTILINE)

Files = dict[str, str]
"""Texts by their paths below the output folder."""

ROOMS: dict[RoomKind, dict[str, tuple[str, str]]] = {
    "target": {
        "target/target.py": ("{package}/target.py", "targets/{name}/target.py"),
        "target/lowering.py": ("{package}/lowering.py", "targets/{name}/lowering.py"),
        "target/model.py": ("{package}/model.py", "targets/{name}/model.py"),
        "target/emitter.py": ("{package}/emitter.py", "targets/{name}/emitter.py"),
        "target/loader.py": ("{package}/loader.py", "targets/{name}/loader.py"),
        "target/target.test": ("lit-tests/target.test", "lit-tests/targets/{name}/target.test"),
        "target/unfilled.test": ("lit-tests/unfilled.test", "lit-tests/targets/{name}/unfilled.test"),
        "target/net.mlir": ("lit-tests/inputs/net.mlir", "lit-tests/targets/{name}/inputs/net.mlir"),
        "target/limits-errors.mlir": (
            "lit-tests/dialects/{name}-limits-errors.mlir",
            "lit-tests/dialects/{name}/limits-errors.mlir",
        ),
        "target/test.py": ("tests/test_{name}.py", "tests/target/{name}/test_{name}.py"),
    },
    "dialect": {
        "dialect/dialect.py": ("{package}/dialects/{name}.py", "dialects/{name}/__init__.py"),
        "dialect/codes.md": ("{package}/codes/{code}.md", "dialects/{name}/codes/{code}.md"),
        "dialect/dialect.mlir": ("lit-tests/dialects/{name}.mlir", "lit-tests/dialects/{name}/dialect.mlir"),
        "dialect/dialect-errors.mlir": (
            "lit-tests/dialects/{name}-errors.mlir",
            "lit-tests/dialects/{name}/dialect-errors.mlir",
        ),
    },
    "pass": {
        "pass/pass.py": ("{package}/passes/{name}.py", "passes/{step}/{name}.py"),
        "pass/codes.md": ("{package}/codes/{code}.md", "passes/codes/{code}.md"),
        "pass/pass.mlir": ("lit-tests/passes/{name}.mlir", "lit-tests/passes/{step}/{name}.mlir"),
        "pass/pass-errors.mlir": ("lit-tests/passes/{name}-errors.mlir", "lit-tests/passes/{step}/{name}-errors.mlir"),
    },
}
"""Files of each kind, with their paths in a package and in a checkout. A target also has the files of its dialect."""
PASS_LEVELS: dict[str, dict[str, str]] = json.loads(read_bytes(SKELETONS / "pass" / "levels.json"))
"""Pass levels with a template, each with its placeholders; the first is the default. A file `NAME.LEVEL.SUFFIX.in` replaces the file for all levels."""
SHARED = {
    "plugin/lit.cfg.py": "lit-tests/lit.cfg.py",
    "plugin/empty": "{package}/__init__.py",
    "plugin/empty/dialects": "{package}/dialects/__init__.py",
    "plugin/empty/passes": "{package}/passes/__init__.py",
}
"""Files that an existing package may already contain."""


@frozen
class Places:
    """The names of a template, and the places of its files."""

    name: str
    code: str
    package: str = ""
    """The folder of the package; empty in a checkout."""
    record: str = ""
    """The file with the record of the package."""
    step: str = ""
    level: str = next(iter(PASS_LEVELS))
    """The level of a pass."""

    @property
    def is_in_tree(self) -> bool:
        return not self.package

    def path(self, places: tuple[str, str]) -> str:
        text = places[1] if self.is_in_tree else places[0]
        return text.format(package=self.package, name=self.name, code=self.code, step=self.step)

    def fill(self, template: str, path: str) -> str:
        """Returns the text of a template at a path."""
        stem, _, suffix = template.partition(".")
        own = SKELETONS / f"{stem}.{self.level}.{suffix}.in"
        found = read_bytes(own if own.is_file() else SKELETONS / f"{template}.in").decode("utf-8")
        goldens = f"lit-tests/targets/{self.name}" if self.is_in_tree else "lit-tests"
        for key, value in {
            "NAME": self.name,
            "UPPER": self.name.upper(),
            "CLASS": class_name(self.name) if template.startswith("pass/") else self.name.capitalize(),
            "PASS": self.name.replace("_", "-"),
            "CODE": self.code,
            "PACKAGE": self.package,
            "RECORD": self.record,
            "API": str(API_VERSION),
            "DEPTH": str(path.count("/")),
            "GOLDENS": goldens,
            **PASS_LEVELS[self.level],
        }.items():
            found = found.replace(f"%{key}%", value)
        if not self.is_in_tree:
            return found
        return relative_imports(found, path) if path.endswith(".py") else found.replace(" %load", "")


def class_name(name: str) -> str:
    return "".join(map(str.title, name.split("_")))


def relative_imports(text: str, path: str) -> str:
    """Returns a module at a path of the tree, with relative imports between rooms in their order."""
    if path.split("/")[0] not in registry.ROOMS:
        return text
    up = "." * (path.count("/") + 1)
    found = re.sub(r"^( *)from nopt\.", rf"\1from {up}", text, flags=re.MULTILINE)
    found = re.sub(r"^( *)from \.dialects\.", rf"\1from {up}dialects.", found, flags=re.MULTILINE)

    def order(line: str) -> tuple[int, str]:
        module = line.split()[1]
        return -(len(module) - len(module.lstrip("."))), module

    return IMPORTS.sub(
        lambda m: "".join(f"{line}\n" for line in sorted(filter(None, m[0].split("\n")), key=order)), found
    )


# ---- names


def require_name(kind: str, name: str, uses: Iterable[tuple[str, Iterable[str], str]] = ()) -> None:
    """Refuses a name. `uses` lists kinds of names in use, these names, and the new one. Errors: API015, API016."""
    if not NEW_NAME.fullmatch(name) or keyword.iskeyword(name):
        help = re.sub(r"[^a-z0-9_]", "_", name.lower()).lstrip("_0123456789")[:LONGEST_NAME]
        help = f"{help}_2" if keyword.iskeyword(help) else help
        refuse(
            API015,
            at=f"nopt new {kind} {name}",
            expected=f"lower case letters, digits and underscores, a letter first, at most {LONGEST_NAME} characters, "
            "no keyword of Python",
            found=name,
            help=f"nopt new {kind} {help or f'my_{kind}'}",
        )
    for used, names, wanted in uses:
        if wanted in names:
            refuse(
                API016,
                f"a {used} is called {wanted} already",
                at=f"nopt new {kind} {name}",
                expected="an unused name",
                found=wanted,
                help=f"nopt new {kind} {name}_2",
            )


def unused_code(name: str, folders: Iterable[Path]) -> str:
    """Returns three letters for the codes of a name. No code of nopt, of its plug-ins or of the folders starts with them."""
    used = {code[:3] for code in (*declarations(), *renamed()["codes"])}
    for path in chain.from_iterable(sorted(folder.rglob("*.py")) for folder in folders):
        used.update(code[:3] for code, _ in DECLARATION.findall(path.read_text(encoding="utf-8", errors="replace")))
    letters = "".join(one for one in name.upper() if one in ascii_uppercase)
    first = map("".join, combinations(letters, 3))
    others = (f"{letters[0]}{a}{b}" for a in ascii_uppercase for b in ascii_uppercase)
    return next(code for code in chain(first, others) if code not in used)


# ---- writing


def write_new(files: Files, at: Path, kind: str, name: str) -> list[Path]:
    """Writes files below a folder, which are all new. Errors: API014 one exists; API012 one cannot be written."""
    for path in files:
        if os.path.lexists(at / path):
            refuse(
                API014,
                f"{Path(path).name} exists already",
                file=str(at / path),
                expected="an unused name",
                found="a file",
                help=f"nopt new {kind} {name}_2",
            )
    if not os.path.isdir(at):
        unwritable(at / next(iter(files)), FileNotFoundError(2, "No such file or directory"))
    for path, text in files.items():
        target = at / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as failure:
            unwritable(target, failure)
        write_whole(target, text.encode())
    return [at / path for path in files]


def device_text(name: str, target: str | None = None) -> str:
    """Returns the skeleton of a device file."""
    text = read_bytes(SKELETONS / "device.json").decode("utf-8").replace('"skeleton"', json.dumps(name))
    return text if target is None else re.sub(r'("target": )"\w+"', rf'\1"{target}"', text)


def schema_text() -> str:
    from ...core.device.schema import schema

    return json.dumps(schema(), indent=2) + "\n"


def is_schema(path: Path) -> bool:
    """Returns whether a file is the schema of device files, of this version of nopt or another one."""
    try:
        found: Any = json.loads(read_bytes(path))
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and cast("dict[str, Any]", found).get("title") == json.loads(schema_text())["title"]


def new_device(name: str, at: str | Path = ".") -> list[Path]:
    """Writes a skeleton of a device file, which is valid, and the JSON Schema for editors into the same folder.

        nopt.new_device("my_chip")

    Errors: API014 the file exists, or another file has the name of the schema; API015 the name; API012 the folder cannot be written.
    """
    require_name("device", name)
    place = Path(at) / SCHEMA_FILE
    if os.path.lexists(place) and not is_schema(place):
        refuse(
            API014,
            f"{SCHEMA_FILE} exists already",
            file=str(place),
            expected="an unused name, or the schema of nopt",
            found="another file",
            help=f"nopt new device {name} --at DIR",
        )
    written = write_new({f"{name}.json": device_text(name)}, Path(at), "device", name)
    write_whole(place, schema_text().encode())
    return [*written, Path(at) / SCHEMA_FILE]


def new_target(name: str, at: str | Path = ".", in_tree: bool = False) -> list[Path]:
    """Writes a target in a package of its own, with its dialect, a device and goldens; its author writes the parts that refuse with COR028.

        nopt.new_target("my_chip")

    With `in_tree`, `at` is a checkout of nopt, and the files are at the paths of the tree.
    Errors: API014 a file exists; API015, API016 the name; API017 no checkout; API012 the folder cannot be written.
    """
    require_name("target", name, [*uses("target", name), *uses("dialect", name)])
    folder = Path(at)
    places = tree_places(name, folder, "target") if in_tree else package_places(name)
    files = {**room_files("dialect", places), **room_files("target", places), **device_files(places)}
    if in_tree:
        files[f"targets/{name}/__init__.py"] = ""
        return write_new(files, folder, "target", name)
    for template, path in (
        ("plugin/pyproject.toml", PROJECT),
        ("plugin/conftest.py", "tests/conftest.py"),
        ("target/README.md", "README.md"),
    ):
        files[path] = places.fill(template, path)
    return write_package({**files, **shared_files(places)}, folder, "target", name)


def new_dialect(name: str, at: str | Path = ".", in_tree: bool = False) -> list[Path]:
    """Writes a dialect with its goldens: into the plug-in package `at`, or in a package of its own.

        nopt.new_dialect("my_level")

    `in_tree` and the errors are those of `new_target`.
    """
    return new_room("dialect", name, at, in_tree)


def new_pass(name: str, at: str | Path = ".", in_tree: bool = False, step: str = "normalize") -> list[Path]:
    """Writes a pass with its goldens: into the plug-in package `at`, or in a package of its own.

        nopt.new_pass("ntensor_merge_delays")

    With `in_tree`, `step` is the folder of `passes/`. The errors are those of `new_target`.
    """
    return new_room("pass", name, at, in_tree, step)


def new_room(kind: RoomKind, name: str, at: str | Path, in_tree: bool, step: str = "") -> list[Path]:
    require_name(kind, name, uses(kind, name))
    folder = Path(at)
    if in_tree:
        places = at_level(kind, tree_places(name, folder, kind, step), folder)
        return write_new(room_files(kind, places), folder, kind, name)
    if (existing := plugin_places(name, folder, kind)) is not None:
        existing = at_level(kind, existing, folder)
        shared = {path: text for path, text in shared_files(existing).items() if not os.path.exists(folder / path)}
        return write_new({**room_files(kind, existing), **shared}, folder, kind, name)
    require_name(kind, name, uses("target", name))
    places = at_level(kind, package_places(name), folder)
    record = {path: places.fill(template, path) for template, path in (("plugin/pyproject.toml", PROJECT),)}
    record[places.record] = places.fill("plugin/record.py", places.record)
    return write_package({**room_files(kind, places), **record, **shared_files(places)}, folder, kind, name)


def at_level(kind: RoomKind, places: Places, folder: Path) -> Places:
    """Returns the places of a pass with its level, which is the first part of its name. Errors: API015 a level without a template."""
    if kind != "pass":
        return places
    name = places.name
    level = name.partition("_")[0]
    own = folder / places.package / "dialects" / f"{level}.py"
    if level in PASS_LEVELS:
        return evolve(places, level=level)
    if level in NoptContext().registered_dialect_names or own.is_file():
        refuse(
            API015,
            f"a pass called {name.replace('_', '-')} works on the level {level}, of which no template exists",
            at=f"nopt new pass {name}",
            expected=f"a name that starts with {', '.join(f'{one}_' for one in PASS_LEVELS)}, or with no name of a dialect",
            found=f"the dialect {level}",
            help=f"nopt new pass {next(iter(PASS_LEVELS))}_{name}",
        )
    return places


def uses(kind: RoomKind, name: str) -> Iterator[tuple[str, Iterable[str], str]]:
    """Yields the used names of a kind, which a new name must not repeat."""
    if kind == "target":
        yield "target", registry.targets(), name
    elif kind == "dialect":
        yield "dialect", multiverse().all_dialects, name
    else:
        yield "pass", multiverse().all_passes, name.replace("_", "-")


def room_files(kind: RoomKind, places: Places) -> Files:
    paths = {template: places.path(where) for template, where in ROOMS[kind].items()}
    return {path: places.fill(template, path) for template, path in paths.items()}


def shared_files(places: Places) -> Files:
    """Returns the files that every package has."""
    paths = {template: path.format(package=places.package) for template, path in SHARED.items()}
    return {
        path: "" if template.startswith("plugin/empty") else places.fill(template, path)
        for template, path in paths.items()
    }


def device_files(places: Places) -> Files:
    """Returns the device of a new target, with its neuron in a file."""
    text = device_text(DEVICE, places.name)
    lines = re.search(r'"text": (\[.*?\n\s*\])', text, re.DOTALL)
    assert lines is not None, "the skeleton of a device contains the text of a neuron"
    neuron = [*json.loads(lines[1]), ""]
    text = text.replace(lines[0], f'"file": "{DEVICE}.neuron"')
    folder = places.path(("{package}/devices", "targets/{name}/devices"))
    schema = f'"$schema": "{SCHEMA_FILE}",'
    if places.is_in_tree:
        text = re.sub(rf"\n *{re.escape(schema)}", "", text)
    else:
        text = text.replace(SCHEMA_FILE, f"../../{SCHEMA_FILE}")
    return {
        f"{folder}/{DEVICE}.json": text,
        f"{folder}/{DEVICE}.neuron": "\n".join(neuron),
        **({} if places.is_in_tree else {SCHEMA_FILE: schema_text()}),
    }


def write_package(files: Files, folder: Path, kind: str, name: str) -> list[Path]:
    """Writes the files of a new package into the folder of its name."""
    return write_new({f"{name}/{path}": text for path, text in files.items()}, folder, kind, name)


# ---- places


def package_places(name: str) -> Places:
    package = f"nopt_{name}"
    return Places(name, unused_code(name, ()), package, f"{package}/target.py")


def project_of(folder: Path) -> dict[str, Any]:
    """Returns the project table of a folder, empty if it has none."""
    path = folder / PROJECT
    if not os.path.isfile(path):
        return {}
    try:
        found: dict[str, Any] = tomllib.loads(read_bytes(path).decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as failure:
        refuse(
            API017,
            f"{PROJECT} cannot be read",
            file=str(path),
            expected="TOML",
            found=str(failure),
            help=f"edit {path}",
        )
    project = found.get("project")
    return cast("dict[str, Any]", project) if isinstance(project, dict) else {}


def plugin_places(name: str, folder: Path, kind: str) -> Places | None:
    """Returns the places in the plug-in of a folder; None if the folder contains no plug-in. Errors: API017."""
    points = project_of(folder).get("entry-points", {}).get(GROUP, {})
    if not points:
        return None
    module = str(next(iter(points.values()))).partition(":")[0]
    record = f"{module.replace('.', '/')}.py"
    if not os.path.isfile(folder / record):
        refuse(
            API017,
            f"{PROJECT} names a module that is not in the folder",
            file=str(folder / PROJECT),
            expected=f"the file {record}",
            found="no such file",
            help=f"nopt new {kind} {name} --at DIR, where DIR contains {record}",
        )
    package = record.rpartition("/")[0]
    return Places(name, unused_code(name, [folder / package]), package, record)


def tree_places(name: str, folder: Path, kind: str, step: str = "") -> Places:
    """Returns the places in a checkout of nopt. Errors: API017."""
    if project_of(folder).get("name") != registry.OWN or not os.path.isdir(folder / "core"):
        refuse(
            API017,
            f"{folder} is not a checkout of nopt",
            at=f"--at {folder}",
            expected=f"the root of a checkout, with {PROJECT} and core/",
            found="another folder",
            help=f"nopt new {kind} {name}",
        )
    steps = sorted(path.parent.name for path in folder.glob("passes/*/__init__.py"))
    if step and step not in steps:
        refuse(
            API017,
            f"passes/ has no step {step}",
            at=f"--step {step}",
            expected=f"one of {', '.join(steps)}",
            found=step,
            help=f"nopt new {kind} {name} --at {folder} --in-tree --step {steps[0] if steps else 'normalize'}",
        )
    return Places(name, unused_code(name, [folder / room for room in registry.ROOMS]), step=step)
