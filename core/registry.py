r"""Registry of dialects, passes, targets, topologies, frontends and presets: finds them by the paths of their files, and imports each at its first use.

| kind | file | required content |
| --- | --- | --- |
| dialect | `dialects/<name>/__init__.py`, or `dialects/<name>.py` of a plug-in | a `Dialect` called `<NAME>`; a folder with an empty `__init__.py` is none |
| pass | `passes/<step>/<stem>.py`, or in a folder of the step | a `NoptPass` called `<Stem>Pass`, whose name is the stem with dashes; `_<stem>.py` is a private helper |
| pass of a target | `targets/<slug>/passes/<stem>.py` | the same |
| conversion of a target | `targets/<slug>/lowering.py` | a `NoptPass` called `Convert…Pass`, whose name spells the class with dashes |
| target | `targets/<slug>/target.py` | a `HardwareTarget` called `TARGET` |
| engine | `targets/<slug>/engine.py` | a `HostEngine` (`core/engine.py`) called `ENGINE` |
| topology | `core/topology/<stem>.py` | a `Topology` (`core/device/topology.py`) called `<Stem>Topology`; its kind is the stem with dashes |
| frontend | `frontends/<format>_file.py` | `recognises(head: bytes) -> bool` and `read(path, diagnostics, limits) -> ModuleOp`; may hold `emit(module, diagnostics) -> str \| bytes` (with `IS_CONTINUOUS`, of networks in continuous time) |
| preset | `passes/discretize/presets/<name>.neuron` | a preset block and its neurons |
| neurons | `passes/legalize/neurons/<name>.neuron` | neurons that `to=NAME` and the device files name |
| learning rule | `passes/discretize/synapses/<name>.synapse` | a synapse of the name of its file |
| exporter | `passes/repair/exporters/<name>.toml` | the formulas of `analysis/exporters.py` |
| explanation of codes | `<room>/codes/<ABC>.md` | a section for each code that starts with those letters (`core/explanations.py`) |
| device | `targets/<slug>/devices/<name>.json` | a device description (`core/device/device.py`) |

The folder of a plug-in's record (`core/plugins.py`) has the same rooms: `codes/`, `dialects/`, `passes/`,
`lowering.py`, `devices/`, `topology/`, `presets/`, `neurons/` and `synapses/`. A clash of names is an error (COR021).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import plugins
from .diagnostics import Refused
from .engine_plugins import installed_engines, load_engine
from .plugins import Importing, Plugin

if TYPE_CHECKING:
    from xdsl.ir import Dialect
    from xdsl.passes import ModulePass

    from .engine import HostEngine, Start
    from .target import HardwareTarget

ROOT = Path(__file__).resolve().parent.parent
CONVERSION = re.compile(r"^class (Convert\w+)Pass\(", re.MULTILINE)
PACKAGE = __package__.rpartition(".")[0] if __package__ else "nopt"
OWN = "nopt"
ROOMS = ("core", "frontends", "dialects", "analysis", "passes", "simulation", "targets", "api", "tools")


def stems(folder: Path) -> Iterator[str]:
    """Yields the stems of the modules in a folder, sorted. A leading underscore marks a helper, which is not registered."""
    for path in sorted(folder.glob("*.py")):
        if not path.stem.startswith("_"):
            yield path.stem


def packages(folder: Path) -> Iterator[str]:
    """Yields the names of the packages in a folder. An empty `__init__.py` marks a package of parts, which is not registered."""
    for path in folder.glob("*/__init__.py"):
        if path.stat().st_size:
            yield path.parent.name


def import_object(module: str, name: str) -> Any:
    """Imports a module and returns its object `name`."""
    return getattr(import_module(module), name)


def later(module: str, name: str, plugin: Plugin | None = None) -> Callable[[], Any]:
    """Returns a factory that loads the object; it has no parameters, as xDSL requires."""

    def factory() -> Any:
        with nullcontext() if plugin is None else Importing(plugin):
            return import_object(module, name)

    return factory


class Names:
    """Definitions of one kind by name, each with its origin. Errors: COR021 a name with two definitions."""

    def __init__(self, kind: str):
        self.kind = kind
        self.origins: dict[str, str] = {}

    def take(self, name: str, plugin: Plugin | None = None) -> None:
        if (first := self.origins.get(name)) is not None:
            assert plugin is not None, f"nopt has two of the {self.kind} {name}"
            plugins.refuse_clash(self.kind, name, first, plugin)
        self.origins[name] = OWN if plugin is None else plugin.origin


def rooms(*names: str) -> Iterator[tuple[Plugin, Path, str]]:
    """Yields the folders of that name in plug-ins, each with its package."""
    for plugin in plugins.all():
        if plugin.folder is not None and plugin.package and plugin.folder.joinpath(*names).is_dir():
            yield plugin, plugin.folder.joinpath(*names), ".".join([plugin.package, *names])


def folders(own: Iterable[Path], *names: str) -> Iterator[tuple[Plugin | None, Path, str]]:
    """Yields folders of nopt, then folders of plug-ins as `rooms` does, each with its package."""
    for folder in own:
        yield None, folder, ".".join([PACKAGE, *folder.relative_to(ROOT).parts])
    yield from rooms(*names)


def code_folders() -> list[Path]:
    """Returns the folders that declare and explain codes: all rooms and plug-ins."""
    return [*(ROOT / room for room in ROOMS), *(folder for _, folder, _ in rooms())]


Modules = dict[str, tuple[str, str, Plugin | None]]
"""Module, object and plug-in of each definition by its name."""


@cache
def dialect_modules() -> Modules:
    """Returns the module of each dialect. Errors: COR021."""
    found, names = Modules(), Names("dialect")
    for plugin, folder, package in folders([ROOT / "dialects"], "dialects"):
        for stem in sorted({*stems(folder), *packages(folder)}):
            names.take(stem, plugin)
            found[stem] = f"{package}.{stem}", stem.upper(), plugin
    return found


def dialects() -> dict[str, Callable[[], Dialect]]:
    """Returns factories of all dialects by name, including plug-ins. Errors: COR021."""
    return {name: later(*place) for name, place in dialect_modules().items()}


def own(modules: Modules) -> dict[str, Callable[[], Any]]:
    """Returns factories of the definitions that are part of nopt."""
    return {name: later(*place) for name, place in modules.items() if place[2] is None}


@cache
def pass_modules() -> Modules:
    """Returns the module of each pass. Errors: COR021."""
    found, names = Modules(), Names("pass")

    rooms_of_passes = ROOT.joinpath("passes").glob("**/")
    steps = sorted(path for path in rooms_of_passes if path != ROOT / "passes" and path.name != "__pycache__")
    steps += sorted(ROOT.joinpath("targets").glob("*/passes"))
    for plugin, folder, package in folders(steps, "passes"):
        for stem in stems(folder):
            name = stem.replace("_", "-")
            names.take(name, plugin)
            found[name] = f"{package}.{stem}", "".join(map(str.title, stem.split("_"))) + "Pass", plugin
    for plugin, folder, package in folders(sorted(ROOT.joinpath("targets").iterdir())):
        path = folder / "lowering.py"
        for cls in CONVERSION.findall(path.read_text(encoding="utf-8")) if path.is_file() else ():
            name = re.sub(r"(?<!^)(?=[A-Z])", "-", cls).lower()
            names.take(name, plugin)
            found[name] = f"{package}.lowering", f"{cls}Pass", plugin
    return found


@cache
def passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """Returns factories of all passes by name, including plug-ins. Errors: COR021."""
    return {name: later(*place) for name, place in pass_modules().items()}


@cache
def targets() -> dict[str, Callable[[], HardwareTarget]]:
    """Returns factories of all targets by slug: first the targets in the tree, then the targets of plug-ins.

    Errors: COR021; from the factory of a plug-in COR019, COR020, COR022.
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
    """Returns all targets by slug. A plug-in that cannot be loaded is left out, and recorded in `plugins.LEFT_OUT`."""
    found: dict[str, HardwareTarget] = {}
    for slug, factory in targets().items():
        try:
            found[slug] = factory()
        except Refused as refusal:
            plugins.leave_out(slug, refusal)
    return found


@cache
def engines() -> tuple[HostEngine, ...]:
    """Returns all engines, the reference last: of the tree, of plug-in targets, and of packages of their own. Errors: COR021.

    One that cannot be loaded is left out, and recorded in `plugins.LEFT_OUT`.
    """
    found: list[HostEngine] = []
    names = Names("engine")
    for path in sorted(ROOT.joinpath("targets").glob("*/engine.py")):
        found.append(import_object(f"{PACKAGE}.targets.{path.parent.name}.engine", "ENGINE"))
        names.take(found[-1].name)
    usable = usable_targets()
    for plugin in plugins.all():
        record = usable.get(plugin.slug)
        if record is not None and record.engine is not None:
            names.take(record.engine.name, plugin)
            found.append(record.engine)
    for plugin in installed_engines():
        try:
            engine = load_engine(plugin)
        except Refused as refusal:
            plugins.leave_out(plugin.slug, refusal)
            continue
        names.take(engine.name, plugin)
        found.append(engine)
    return tuple(sorted(found, key=lambda engine: -engine.speed))


def reference() -> Start:
    """Returns the function that starts the reference engine, which runs every network."""
    return engines()[-1].start


def pass_scope() -> Callable[[Any, Any], AbstractContextManager[None]]:
    """Returns the function that sets the ops of the host aside while a pass runs on a network in ticks."""
    return import_object(f"{PACKAGE}.passes.legalize.readouts._chip_scope", "chip_scope")


@cache
def frontends() -> dict[str, str]:
    """Returns the module of each frontend by its format, which is also the file extension."""
    return {
        stem.removesuffix("_file"): f"frontends.{stem}" for stem in stems(ROOT / "frontends") if stem.endswith("_file")
    }


@cache
def presets() -> dict[str, Path]:
    """Returns the files of the discretisation presets by name, including plug-ins. Errors: COR021."""
    return neuron_files("preset", "discretize", "presets")


@cache
def neurons() -> dict[str, Path]:
    """Returns the files of neurons for chips and integers by name, including plug-ins. Errors: COR021."""
    return neuron_files("file of neurons", "legalize", "neurons")


@cache
def synapses() -> dict[str, Path]:
    """Returns the files of learning rules by name, including plug-ins. Errors: COR021."""
    return neuron_files("learning rule", "discretize", "synapses", "*.synapse")


def neuron_files(kind: str, step: str, room: str, pattern: str = "*.neuron") -> dict[str, Path]:
    """Returns the files of a pattern in a room of `passes/<step>/` and of plug-ins, by name. Errors: COR021."""
    found, names = dict[str, Path](), Names(kind)
    for plugin, folder, _ in folders([ROOT.joinpath("passes", step, room)], room):
        for path in sorted(folder.glob(pattern)):
            names.take(path.stem, plugin)
            found[path.stem] = path
    return dict(sorted(found.items()))


@cache
def exporters() -> dict[str, Path]:
    """Returns the files of the frameworks' exporters by name."""
    return {path.stem: path for path in sorted(ROOT.joinpath("passes", "repair", "exporters").glob("*.toml"))}


@cache
def devices() -> dict[str, dict[str, Path]]:
    """Returns the device files by target and name, including plug-ins."""
    found: dict[str, dict[str, Path]] = {}
    for path in sorted(ROOT.joinpath("targets").glob("*/devices/*.json")):
        found.setdefault(path.parent.parent.name, {})[path.stem] = path
    for plugin in plugins.all():
        for path in sorted(plugin.folder.glob("devices/*.json")) if plugin.folder is not None else ():
            found.setdefault(plugin.slug, {})[path.stem] = path
    return found


def default_device(target: str) -> str | None:
    """Returns the default device of a target: the declared default, else its only device; None if it has several and declares no default.

    Errors: from the factory of a plug-in COR019, COR020, COR022.
    """
    known = devices().get(target, {})
    if len(known) == 1 or target not in targets():
        return next(iter(known), None) if len(known) == 1 else None
    declared = targets()[target]().device
    return declared if declared in known else None


CACHED: list[Any] = [dialect_modules, pass_modules, passes, targets, engines, presets, neurons, synapses, devices]
"""Cached functions whose results depend on the plug-ins; `core/ir/context.py` and `core/device/named_device.py` append further ones."""


def load_target(path: str | Path) -> str:
    """Registers the target of a file and returns its slug; a refused file is not registered. Errors: COR008, COR019, COR020, COR021, COR022."""
    plugin, file = plugins.of_file(path), Path(path).resolve()
    if plugin in plugins.installed_plugins():
        return plugin.slug
    plugins.FILES[file] = plugin
    try:
        forget_names()
        targets()  # refuses a clash
    except Refused:
        del plugins.FILES[file]
        forget_names()
        raise
    return plugin.slug


def forget_names() -> None:
    """Clears the functions in `CACHED`, whose results change with the plug-ins."""
    for made in CACHED:
        made.cache_clear()
