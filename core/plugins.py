"""Plug-in targets: packages with the entry point `nopt.targets`, and files of `--load-target`.

    [project.entry-points."nopt.targets"]
    my_chip = "my_chip.target:TARGET"

The rooms of such a target are folders next to the module with its record, as in `targets/<slug>/`; its dialects are in `dialects/`. They are found
by their paths, so that no room is imported before it is used.

1. A target that fails to import is left out of every list with a warning, and refused if the user names it (COR019).
2. The same applies to a record for another version of `HardwareTarget`, also to one that fails to import (COR020).
3. A name with two definitions is an error, since it is ambiguous (COR021).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any, NoReturn

from attrs import evolve, field, frozen

from .diagnostics import Code, Finding, Refused, Severity, refuse
from .engine import API_VERSION
from .files import read_head
from .help_text import Phrase, WithoutOptions
from .target import HardwareTarget

COR019 = Code("COR019", "plugin-not-importable", "a plug-in cannot be imported")
COR020 = Code("COR020", "plugin-version-mismatch", "a plug-in requires another version of the target record")
COR021 = Code("COR021", "plugin-name-repeated", "a name is defined twice")
COR022 = Code("COR022", "no-target-defined", "a file or an entry point does not define a target")

GROUP = "nopt.targets"
DECLARED = re.compile(r"\bapi_version\s*=\s*(\d{1,9})\b")


@frozen
class Plugin:
    """Target that is not part of nopt, before its import."""

    slug: str
    module: str
    attribute: str = "TARGET"
    origin: str = ""
    """Its origin, as messages name it."""
    help: str = ""
    """Command that shows why it fails."""
    removal: str = ""
    """Command that removes it."""
    folder: Path | None = field(default=None, eq=False)
    """Folder of its rooms; None if its package cannot be found."""
    kind: str = "target"
    """The kind of its definition, as messages name it."""

    @property
    def package(self) -> str:
        return self.module.rpartition(".")[0]

    @property
    def file(self) -> Path | None:
        """Returns the file with the record; None if its package cannot be found."""
        return None if self.folder is None else self.folder / f"{self.module.rpartition('.')[2]}.py"

    def load(self) -> HardwareTarget:
        """Imports the record. Errors: COR019, COR020, COR022."""
        with Importing(self):
            record: Any = import_module(self.module)
        for name in self.attribute.split("."):
            record = getattr(record, name, None)
        if not isinstance(record, HardwareTarget) or self.slug not in ("", record.slug):
            found = (
                f"the slug {record.slug}" if isinstance(record, HardwareTarget) else f"{self.attribute} is {record!r}"
            )
            expected = f"a HardwareTarget with the slug {self.slug}" if self.slug else "a HardwareTarget called TARGET"
            message = f"{self.origin} does not define that target"
            refuse(COR022, message, at=self.place, expected=expected, found=found, help=self.removal)
        self.require_version(record.slug, record.api_version)
        engine = record.engine
        return evolve(
            record,
            engine=engine and evolve(engine, probe=self.guarded(engine.probe)),
            emit=record.emit and self.guarded(record.emit),
            artefact=record.artefact and self.guarded(record.artefact),
            vectors=record.vectors and self.guarded(record.vectors),
            load=record.load and self.guarded(record.load),
            model=record.model and self.guarded(record.model),
        )

    def declared_version(self) -> int:
        """Returns the version in the text of the record; the version of this nopt if the text declares none."""
        text = self.file.read_text(encoding="utf-8", errors="replace") if self.file and self.file.is_file() else ""
        return int(match[1]) if (match := DECLARED.search(text)) else API_VERSION

    def require_version(self, slug: str, found: int) -> None:
        """Refuses a record for another version. Errors: COR020."""
        if found != API_VERSION:
            refuse(
                COR020,
                f"the {self.kind} {slug} requires another version of nopt",
                at=self.origin,
                expected=f"api_version {API_VERSION}",
                found=f"api_version {found}",
                help=self.removal,
            )

    def guarded(self, room: Callable[[], Any]) -> Callable[[], Any]:
        """Returns a factory whose failing imports are refused, too. Errors: COR019."""

        def factory() -> Any:
            with Importing(self):
                return room()

        return factory

    @property
    def place(self) -> str:
        return f"{self.module}:{self.attribute}"


class Importing(AbstractContextManager[Any, None]):
    """Context that turns an exception during the import of a plug-in into a refusal.

    Errors: COR019 the import fails; COR020 it is of another version.
    """

    def __init__(self, plugin: Plugin):
        self.plugin = plugin

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if not isinstance(error, Exception | SystemExit) or isinstance(error, Refused | MemoryError):
            return
        self.plugin.require_version(self.plugin.slug or self.plugin.module, self.plugin.declared_version())
        first = str(error).partition("\n")[0]
        raise Refused(
            Finding(
                COR019,
                f"the {self.plugin.kind} {self.plugin.slug or self.plugin.module} cannot be imported",
                at=self.plugin.origin,
                expected=f"{self.plugin.module}, a module that can be imported",
                found=f"{type(error).__name__}: {first}" if first else type(error).__name__,
                help=self.plugin.help,
            )
        ) from error


# ---- discovery

FILES: dict[Path, Plugin] = {}
"""Targets loaded from files in this process."""
LEFT_OUT: dict[str, Finding] = {}
"""Warnings about plug-ins that were left out in this process, by slug."""


def all() -> list[Plugin]:
    """Returns the plug-ins of installed packages, sorted by slug, then the plug-ins of files. An installed plug-in that a file replaces is left out."""
    replaced = {plugin.module for plugin in FILES.values()}
    return [*(plugin for plugin in installed_plugins() if plugin.module not in replaced), *FILES.values()]


@cache
def installed_plugins() -> tuple[Plugin, ...]:
    return tuple(
        sorted(map(of_entry_point, entry_points(group=GROUP)), key=lambda plugin: (plugin.slug, plugin.origin))
    )


def of_point(point: EntryPoint, kind: str = "target") -> Plugin:
    """Returns the plug-in of an entry point without the folder of its rooms."""
    package = f"the package {point.dist.name} {point.dist.version}" if point.dist is not None else "an entry point"
    return Plugin(
        point.name,
        point.module,
        point.attr,
        f"{package} ({point.value})",
        f"python -c 'import {point.module}', which shows where it fails",
        f"pip uninstall {point.dist.name if point.dist is not None else point.module.partition('.')[0]}",
        kind=kind,
    )


def of_entry_point(point: EntryPoint) -> Plugin:
    """Returns the plug-in of an entry point. For a nested package, this imports the parent package."""
    plugin = of_point(point)
    try:
        with Importing(plugin):
            spec = find_spec(plugin.package) if plugin.package else None
    except Refused:
        return plugin  # `load` refuses it again
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    return evolve(plugin, folder=Path(folders[0]) if folders else None)


def of_file(path: str | Path) -> Plugin:
    """Imports a file and returns its plug-in; if an installed package contains the file, the plug-in of the package.

    The file replaces an installed package with the same module. If that is imported already, it is the plug-in if its files are the same.
    Errors: COR008 missing file; COR019 the import fails; COR020 another version; COR022 no target, or a loaded module has the same name.
    """
    read_head(path)
    file = Path(path).resolve()
    if file in FILES:
        return FILES[file]
    for plugin in installed_plugins():
        if plugin.file is not None and plugin.file.resolve() == file:
            plugin.load()
            return plugin
    parts, folder = [file.stem], file.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    plugin = Plugin(
        "",
        ".".join(parts),
        origin=f"the file {path}",
        help="run the command again with --traceback, which shows where it fails",
        removal=Phrase(WithoutOptions(("--load-target",), str(path))),
        folder=file.parent,
    )
    installed = next((one for one in installed_plugins() if one.module == plugin.module), None)
    with Importing(plugin):
        if installed is not None and parts[0] not in sys.modules:
            import_from(parts[0], folder)
        module = import_module(plugin.module)
    if Path(module.__file__ or "").resolve() != file:
        if (
            installed is not None
            and installed.folder is not None
            and files_of(installed.folder) == files_of(file.parent)
        ):
            return installed
        removal = installed.removal if installed is not None else None
        refuse_file(plugin, path, f"the module {plugin.module} of {module.__file__ or 'Python'}", removal)
    return evolve(plugin, slug=plugin.load().slug)


def import_from(name: str, folder: Path) -> None:
    """Imports a package or module of a folder; it has precedence over modules of the same name elsewhere."""
    spec = PathFinder.find_spec(name, [str(folder)])
    if spec is None or spec.loader is None:
        return
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise


def files_of(folder: Path) -> dict[str, bytes]:
    """Returns the contents of all files in a folder, without compiled ones, by their relative paths."""
    paths = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def refuse_file(plugin: Plugin, path: str | Path, found: str, removal: str | None) -> NoReturn:
    message = "another module of this name is imported already"
    expected = f"a file or a package whose name is not that of an installed module: {plugin.module}"
    help = removal or f"rename {Path(path).parent if '.' in plugin.module else path}"
    refuse(COR022, message, file=str(path), expected=expected, found=found, help=help)


# ---- definitions


def leave_out(slug: str, refusal: Refused) -> None:
    """Records the warning that a plug-in is left out. Errors: COR021, which concerns all of nopt, and refusals of other origin."""
    first = refusal.findings[0]
    if first.code not in (COR019, COR020, COR022):
        raise refusal
    LEFT_OUT[slug] = evolve(first, severity=Severity.WARNING, notes=(*first.notes, f"{slug} is left out"))


def refuse_clash(kind: str, name: str, first: str, second: Plugin) -> NoReturn:
    """Refuses two definitions of one name. Errors: COR021."""
    message = f"the {kind} {name} is defined twice"
    found = f"{first} and {second.origin}"
    refuse(COR021, message, at=second.origin, expected=f"one {kind} called {name}", found=found, help=second.removal)
