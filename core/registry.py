r"""Finds dialects, passes, targets, frontends and presets by where their files stand, and imports each only when it is asked for.

| what | where | what it must hold |
| --- | --- | --- |
| dialect | `dialects/<stem>.py` | a `Dialect` called `<STEM>` |
| pass | `passes/<step>/<stem>.py` | a `NoptPass` called `<Stem>Pass`, whose name is the stem with dashes; `_<stem>.py` is a private helper |
| pass of a target | `targets/<slug>/passes/<stem>.py` | the same |
| conversion of a target | `targets/<slug>/lowering.py` | a `NoptPass` called `Convert…Pass`, whose name spells the class with dashes |
| target | `targets/<slug>/target.py` | a `HardwareTarget` called `TARGET` |
| frontend | `frontends/<format>_file.py` | `recognises(head: bytes) -> bool` and `read(path, diagnostics) -> ModuleOp`; may hold `emit(module, diagnostics) -> str \| bytes` (with `IS_CONTINUOUS`, of networks in continuous time), and `read_within(path, diagnostics, limits)` if limits of the user's bind it |
| preset | `passes/discretize/presets/<name>.neuron` | a preset block and its neurons |
| exporter | `passes/repair/exporters/<name>.toml` | the formulas of `analysis/exporters.py` |
| device | `targets/<slug>/devices/<name>.json` | a device description (`core/device/device.py`) |

The same rooms stand in the folder of a plug-in (`core/plugins.py`), beside the module with its record: `dialects/`, `passes/`, `lowering.py`,
`devices/` and `presets/`. A clash of names is an error (PLG003).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import plugins
from .diagnostics import Refused
from .plugins import Importing, Plugin

if TYPE_CHECKING:
    from xdsl.ir import Dialect
    from xdsl.passes import ModulePass

    from .target import HardwareTarget, HostEngine

ROOT = Path(__file__).parent.parent
CONVERSION = re.compile(r"^class (Convert\w+)Pass\(", re.MULTILINE)
PACKAGE = __package__.rpartition(".")[0] if __package__ else "nopt"
OWN = "nopt"


def stems(folder: Path) -> Iterator[str]:
    """Stems of the modules in a folder, sorted; a leading underscore marks a helper, which is not registered."""
    for path in sorted(folder.glob("*.py")):
        if not path.stem.startswith("_"):
            yield path.stem


def load(module: str, name: str) -> Any:
    """The object `name` of a module, which is imported now."""
    return getattr(import_module(module), name)


def later(module: str, name: str, plugin: Plugin | None = None) -> Callable[[], Any]:
    """A factory that loads the object when it is called; without parameters, as xDSL wants it."""

    def factory() -> Any:
        if plugin is None:
            return load(module, name)
        with Importing(plugin):
            return load(module, name)

    return factory


class Names:
    """The definitions of one kind by name, each with who defines it. Errors: PLG003 a name that is defined twice."""

    def __init__(self, kind: str):
        self.kind = kind
        self.origins: dict[str, str] = {}

    def take(self, name: str, plugin: Plugin | None = None) -> None:
        if (first := self.origins.get(name)) is not None:
            assert plugin is not None, f"nopt has two of the {self.kind} {name}"
            plugins.refuse_clash(self.kind, name, first, plugin)
        self.origins[name] = OWN if plugin is None else plugin.origin


def rooms(*names: str) -> Iterator[tuple[Plugin, Path, str]]:
    """A folder of every plug-in that has it, with the name of its package."""
    for plugin in plugins.all():
        if plugin.folder is not None and plugin.package and plugin.folder.joinpath(*names).is_dir():
            yield plugin, plugin.folder.joinpath(*names), ".".join([plugin.package, *names])


Modules = dict[str, tuple[str, str, Plugin | None]]
"""Module, object and plug-in of each definition by its name."""


@cache
def dialect_modules() -> Modules:
    """Where each dialect is defined. Errors: PLG003."""
    found, names = Modules(), Names("dialect")
    for stem in stems(ROOT / "dialects"):
        names.take(stem)
        found[stem] = f"{PACKAGE}.dialects.{stem}", stem.upper(), None
    for plugin, folder, package in rooms("dialects"):
        for stem in stems(folder):
            names.take(stem, plugin)
            found[stem] = f"{package}.{stem}", stem.upper(), plugin
    return found


def dialects() -> dict[str, Callable[[], Dialect]]:
    """Factories of our dialects and those of plug-ins by name. Errors: PLG003."""
    return {name: later(*place) for name, place in dialect_modules().items()}


def own(modules: Modules) -> dict[str, Callable[[], Any]]:
    """Factories of the definitions that are part of nopt."""
    return {name: later(*place) for name, place in modules.items() if place[2] is None}


@cache
def pass_modules() -> Modules:
    """Where each pass is defined. Errors: PLG003."""
    found, names = Modules(), Names("pass")

    def take_folder(folder: Path, package: str, plugin: Plugin | None = None) -> None:
        for stem in stems(folder):
            name = stem.replace("_", "-")
            names.take(name, plugin)
            found[name] = f"{package}.{stem}", "".join(map(str.title, stem.split("_"))) + "Pass", plugin

    def take_lowering(folder: Path, package: str, plugin: Plugin | None = None) -> None:
        path = folder / "lowering.py"
        for cls in CONVERSION.findall(path.read_text(encoding="utf-8")) if path.is_file() else ():
            name = re.sub(r"(?<!^)(?=[A-Z])", "-", cls).lower()
            names.take(name, plugin)
            found[name] = f"{package}.lowering", f"{cls}Pass", plugin

    steps = sorted(path for path in ROOT.joinpath("passes").iterdir() if path.is_dir() and path.name != "__pycache__")
    for folder in [*steps, *sorted(ROOT.joinpath("targets").glob("*/passes"))]:
        take_folder(folder, ".".join([PACKAGE, *folder.relative_to(ROOT).parts]))
    for path in sorted(ROOT.joinpath("targets").glob("*/lowering.py")):
        take_lowering(path.parent, f"{PACKAGE}.targets.{path.parent.name}")
    for plugin, folder, package in rooms("passes"):
        take_folder(folder, package, plugin)
    for plugin, folder, package in rooms():
        take_lowering(folder, package, plugin)
    return found


@cache
def passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """Factories of our passes and those of plug-ins by name. Errors: PLG003."""
    return {name: later(*place) for name, place in pass_modules().items()}


@cache
def targets() -> dict[str, Callable[[], HardwareTarget]]:
    """Factories of all targets by slug: those in the tree, then those of plug-ins.

    Errors: PLG003; of the factory of a plug-in PLG001, PLG002, PLG004.
    """
    found, names = dict[str, Callable[[], "HardwareTarget"]](), Names("target")
    for path in sorted(ROOT.joinpath("targets").glob("*/target.py")):
        names.take(path.parent.name)
        found[path.parent.name] = later(f"{PACKAGE}.targets.{path.parent.name}.target", "TARGET")
    for plugin in plugins.all():
        names.take(plugin.slug, plugin)
        found[plugin.slug] = plugin.load
    return found


def usable_targets() -> dict[str, HardwareTarget]:
    """All targets by slug. A plug-in that cannot be loaded is left out; `left_out` names it."""
    found: dict[str, HardwareTarget] = {}
    for slug, factory in targets().items():
        try:
            found[slug] = factory()
        except Refused as refusal:
            plugins.leave_out(slug, refusal)
    return found


@cache
def engines() -> tuple[HostEngine, ...]:
    """The engines of all targets, the fastest first and the reference last."""
    found = [target.engine for target in usable_targets().values() if target.engine is not None]
    return tuple(sorted(found, key=lambda engine: -engine.speed))


def reference() -> Any:
    """The class of the engine that runs every network."""
    return engines()[-1].load()


@cache
def frontends() -> dict[str, str]:
    """Module of each frontend by the format that it reads, which is also its file extension."""
    return {
        stem.removesuffix("_file"): f"frontends.{stem}" for stem in stems(ROOT / "frontends") if stem.endswith("_file")
    }


@cache
def presets() -> dict[str, Path]:
    """Files of the discretisation presets by name, those of plug-ins included. Errors: PLG003."""
    found, names = dict[str, Path](), Names("preset")
    for path in sorted(ROOT.joinpath("passes", "discretize", "presets").glob("*.neuron")):
        names.take(path.stem)
        found[path.stem] = path
    for plugin, folder, _ in rooms("presets"):
        for path in sorted(folder.glob("*.neuron")):
            names.take(path.stem, plugin)
            found[path.stem] = path
    return dict(sorted(found.items()))


@cache
def exporters() -> dict[str, Path]:
    """Files of the frameworks' exporters by name."""
    return {path.stem: path for path in sorted(ROOT.joinpath("passes", "repair", "exporters").glob("*.toml"))}


@cache
def devices() -> dict[str, dict[str, Path]]:
    """Device files by target and name, those of plug-ins included."""
    found: dict[str, dict[str, Path]] = {}
    for path in sorted(ROOT.joinpath("targets").glob("*/devices/*.json")):
        found.setdefault(path.parent.parent.name, {})[path.stem] = path
    for plugin in plugins.all():
        for path in sorted(plugin.folder.glob("devices/*.json")) if plugin.folder is not None else ():
            found.setdefault(plugin.slug, {})[path.stem] = path
    return found


CACHED = (dialect_modules, pass_modules, passes, targets, engines, presets, devices)


def load_target(path: str | Path) -> str:
    """Adds the target of a file and returns its slug. Errors: FIL001, PLG001 to PLG004."""
    plugin = plugins.of_file(path)
    plugins.FILES[Path(path).resolve()] = plugin
    for made in CACHED:
        made.cache_clear()
    targets()  # refuses a clash
    return plugin.slug
