"""Configuration files `nopt.toml`: choices of a project and of a user, so that commands need not repeat them.

    [project]
    dt = "1ms"
    like = "norse"
    calib = "x.npy"
    target = "asic"

    [backend_asic]
    device = "edge"
    set = ["core.neurons=32"]

A project's file is in the current folder or the nearest folder above it; the user's file is `~/.config/nopt/nopt.toml`. Both are read: the
project's value has precedence if both define one. Files are named relative to the folder of the configuration.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, NoReturn, cast

from attrs import frozen

from ..core import registry
from ..core.diagnostics import Code, Diagnostics, Finding, refuse
from ..core.files import reason_of
from ..core.json_schema import DIALECT
from ..core.toml_positions import Position, key_positions
from ..passes.pipelines import SHORTHANDS

API001 = Code("API001", "config-file-unreadable", "a configuration file cannot be read")
API002 = Code("API002", "config-key-unknown", "a configuration file has an unknown key")
API003 = Code("API003", "config-value-type-mismatch", "a value of a configuration file has another type")
API004 = Code("API004", "config-names-missing-file", "a configuration file names a missing file")
API005 = Code(
    "API005", "config-output-outside-folder", "the output directory of a configuration file is outside of its folder"
)

CONFIGURATION_FILE = "nopt.toml"
PROJECT, BACKEND = "project", "backend_"
PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
ValueKind = Literal["text", "file", "sample", "preset", "device", "texts", "number", "folder"]


@frozen
class Key:
    """One key of a table."""

    kind: ValueKind
    about: str
    default: str = "none"
    """Text for a key without a value."""


PROJECT_KEYS: Mapping[str, Key] = {
    "dt": Key("text", "length of a tick, with a unit: 0.1ms"),
    "like": Key("preset", "a preset, or a file in the neuron language"),
    "exported_by": Key("text", "the framework that wrote the file, NAME or NAME@VERSION"),
    "reset": Key("text", "effect of a spike on v: value, zero or subtract", "that of the preset"),
    "loop_delay": Key("text", "signal that is delayed by a tick in a loop: spikes or current", "that of the preset"),
    "calib": Key(
        "sample", "a sample input, for calibration: a file of arrays, or a generated input such as poisson:0.1"
    ),
    "labels": Key("file", "a .npy file with the class of each sample"),
    "target": Key("text", "the target, or TARGET/DEVICE"),
    "approximate": Key("text", "approximations that a device may take: names with commas, or all"),
    "out": Key("folder", "the directory that nopt compile writes"),
    "max_time": Key("text", "time budget of a command: 30s, 2min, 1h, or none"),
}
BACKEND_KEYS: Mapping[str, Key] = {
    "device": Key("device", "a device of the target, or a device file", "that of the target"),
    "set": Key("texts", "fields of the device to override, each FIELD=VALUE"),
    "passes": Key("text", "passes on the network in ticks, before those of the target"),
    **{one.name: Key("number", f"bits of {one.values}", "those of the device") for one in SHORTHANDS},
}
SYNONYMS = {"input": "calib", "preset": "like", "tick": "dt", "output": "out", "framework": "exported_by"}
"""Names in other tools and verbs, with the equivalent key."""
SIMILAR = 0.6
VALUE_TYPES: Mapping[ValueKind, tuple[str, dict[str, Any]]] = {
    "text": ("a text", {"type": "string"}),
    "file": ("the name of a file", {"type": "string"}),
    "sample": ("the name of a file or a generated input", {"type": "string"}),
    "preset": ("the name of a preset or a file", {"type": "string"}),
    "device": ("the name of a device or a file", {"type": "string"}),
    "folder": ("the name of a directory", {"type": "string"}),
    "texts": ("a list of texts FIELD=VALUE", {"type": "array", "items": {"type": "string", "pattern": "="}}),
    "number": ("an integer, at least 1", {"type": "integer", "minimum": 1}),
}


@frozen
class Setting:
    """A value with its place."""

    value: Any
    place: str
    """`FILE:LINE:COLUMN`."""


@frozen
class Configuration:
    """Values of all configuration files, by table and key."""

    files: tuple[Path, ...] = ()
    project: Mapping[str, Setting] = {}
    backends: Mapping[str, Mapping[str, Setting]] = {}
    """The tables `backend_SLUG`, by slug."""


def find_configurations(folder: Path) -> list[Path]:
    """Returns the configuration files that apply in a folder: the user's file, then the project's file."""
    user = Path(os.environ.get("XDG_CONFIG_HOME") or "~/.config").expanduser() / "nopt" / CONFIGURATION_FILE
    own = next((path for one in (folder, *folder.parents) if (path := one / CONFIGURATION_FILE).is_file()), None)
    return [path for path in (user, own) if path is not None and path.is_file()]


def configuration(file: str | Path | None = None) -> Configuration:
    """Returns the values of a configuration file; without `file`, the values that apply in the current folder.

        nopt.configuration("nopt.toml").project["dt"].value

    Errors: API001, API002, API003, API004, API005, all those of a file together.
    """
    found = Configuration()
    for path in find_configurations(Path.cwd()) if file is None else [Path(file)]:
        one = read_configuration(path)
        backends = {
            slug: {**found.backends.get(slug, {}), **one.backends.get(slug, {})}
            for slug in [*found.backends, *one.backends]
        }
        found = Configuration((*found.files, path), {**found.project, **one.project}, backends)
    return found


def read_configuration(path: Path) -> Configuration:
    """Reads and checks one file. Errors: API001, API002, API003, API004, API005."""
    text = ""
    try:
        text = path.read_bytes().decode().replace("\r\n", "\n")
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as failure:
        refuse_syntax(path, text, failure)
    except RecursionError:
        refuse(API001, file=str(path), at=str(path), expected="TOML 1.0", found="values that are nested too deeply")
    except (OSError, ValueError) as failure:
        refuse(API001, file=str(path), at=str(path), expected="a TOML file", found=reason_of(failure))
    reader = ConfigurationReader(path, key_positions(text))
    found = reader.read(data)
    reader.found.raise_errors()
    return found


def refuse_syntax(path: Path, text: str, failure: tomllib.TOMLDecodeError) -> NoReturn:
    message = str(failure)
    match = PLACE.search(message)
    at_end = (text.count("\n") + 1, len(text) - text.rfind("\n"))
    line, column = (int(match[1]), int(match[2])) if match is not None and match[1] else at_end
    place = f"{path}:{line}:{column}"
    refuse(API001, file=str(path), place=place, expected="TOML 1.0", found=PLACE.sub("", message))


class ConfigurationReader:
    """Checks the tables of one file, and collects all mistakes."""

    def __init__(self, path: Path, positions: Mapping[tuple[str, ...], Position]) -> None:
        self.path, self.positions = path, positions
        self.found = Diagnostics()

    def place(self, *keys: str) -> str:
        line, column = self.positions.get(keys) or self.positions.get(keys[:1]) or (1, 1)
        return f"{self.path}:{line}:{column}"

    def read(self, data: Mapping[str, Any]) -> Configuration:
        """Returns the values of the file."""
        slugs = sorted(registry.targets())
        tables = [PROJECT, *(f"{BACKEND}{slug}" for slug in slugs)]
        project: dict[str, Setting] = {}
        backends: dict[str, dict[str, Setting]] = {}
        for name, table in data.items():
            if name not in tables:
                self.unknown(name, tables, name)
            elif not isinstance(table, dict):
                self.wrong(f"a table [{name}]", table, name)
            elif name == PROJECT:
                project = self.table(name, cast("dict[str, Any]", table), PROJECT_KEYS)
            else:
                slug = name.removeprefix(BACKEND)
                backends[slug] = self.table(name, cast("dict[str, Any]", table), BACKEND_KEYS)
        return Configuration((self.path,), project, backends)

    def table(self, name: str, table: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, Setting]:
        found: dict[str, Setting] = {}
        for key, value in table.items():
            if key not in keys:
                self.unknown(key, keys, name, key)
            elif not FITS[keys[key].kind](value):
                self.wrong(VALUE_TYPES[keys[key].kind][0], value, name, key)
            else:
                found[key] = Setting(self.resolved(keys[key].kind, value, name, key), self.place(name, key))
        return found

    def resolved(self, kind: ValueKind, value: Any, *keys: str) -> Any:
        """Returns a value with a file relative to the folder of the configuration. Errors: API004, API005."""
        if kind == "sample":
            from ..simulation.generated_inputs import is_generated

            kind = "text" if is_generated(value) else "file"
        if kind == "folder":
            given = Path(value).expanduser()
            folder = self.path.parent / given
            is_inside = Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(self.path.parent))
            if not is_inside and not given.is_absolute():
                expected, help = f"a directory in {self.path.parent}, or an absolute path", f'out = "{folder.name}"'
                self.add(API005, f"{'.'.join(keys)} is outside of its folder", expected, value, help, *keys)
            return str(folder)
        is_file = kind == "file" or (kind in ("preset", "device") and ("/" in value or "." in value))
        if not is_file:
            return value
        file = self.path.parent / Path(value).expanduser()
        if not os.path.isfile(file):  # False for a name that the system does not take
            expected = f"a file, relative to {self.path.parent}"
            self.add(API004, f"{'.'.join(keys)} names a missing file", expected, str(value), None, *keys)
        return str(file)

    def unknown(self, name: str, known: Sequence[str] | Mapping[str, Key], *keys: str) -> None:
        kind = "key" if len(keys) > 1 else "table"
        help = key_help(name, known) if kind == "key" else table_help(name, known)
        self.add(API002, f"unknown {kind} {'.'.join(keys)}", f"one of {', '.join(known)}", name, help, *keys)

    def wrong(self, expected: str, value: Any, *keys: str) -> None:
        self.add(API003, f"{'.'.join(keys)} has another type", expected, repr(value), None, *keys)

    def add(self, code: Code, message: str, expected: str, found: str, help: str | None, *keys: str) -> None:
        place, at = self.place(*keys), ".".join(keys)
        one = Finding(code, message, at=at, file=str(self.path), place=place, expected=expected, found=found, help=help)
        self.found.extend([one])


def key_help(name: str, known: Iterable[str]) -> str | None:
    """Returns the line for the probably intended key: a synonym, a key of the other kind of table, or a key with a similar name."""
    meant = SYNONYMS.get(name, name)
    if meant in known:
        return f"{meant} = …"
    if meant in BACKEND_KEYS:
        return f"{meant} = … in [{BACKEND}SLUG], the table of a target"
    if meant in PROJECT_KEYS:
        return f"{meant} = … in [{PROJECT}]"
    near = get_close_matches(name, list(known), 1, SIMILAR)
    return f"{near[0]} = …" if near else None


def table_help(name: str, known: Iterable[str]) -> str | None:
    """Returns the heading of a table with a similar name. The prefix of target tables is ignored, because all share it."""
    prefix = BACKEND if name.startswith(BACKEND) else ""
    slugs = [one.removeprefix(prefix) for one in known if one.startswith(prefix)]
    near = get_close_matches(name.removeprefix(prefix), slugs, 1, SIMILAR)
    return f"[{prefix}{near[0]}]" if near else None


def is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


FITS: Mapping[ValueKind, Callable[[Any], bool]] = {
    **dict.fromkeys(cast("tuple[ValueKind, ...]", ("text", "file", "folder", "sample", "preset", "device")), is_text),
    "texts": lambda value: (
        isinstance(value, list) and all(is_text(one) and "=" in one for one in cast("list[Any]", value))
    ),
    "number": lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 1,
}


def configuration_schema() -> dict[str, Any]:
    """Returns the JSON Schema of configuration files.

    nopt.configuration_schema()["properties"]["project"]
    """

    def table(keys: Mapping[str, Key]) -> dict[str, Any]:
        properties = {name: {"description": key.about, **VALUE_TYPES[key.kind][1]} for name, key in keys.items()}
        return {"type": "object", "properties": properties, "additionalProperties": False}

    return {
        "$schema": DIALECT,
        "title": CONFIGURATION_FILE,
        "type": "object",
        "properties": {PROJECT: table(PROJECT_KEYS)},
        "patternProperties": {f"^{BACKEND}[a-z][a-z0-9_]*$": table(BACKEND_KEYS)},
        "additionalProperties": False,
    }
