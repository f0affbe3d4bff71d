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
| exporter | `passes/repair/exporters/<name>.toml` | the formulas of `passes/repair/rules/exporters.py` |
| device | `targets/<slug>/devices/<name>.json` | a device description (`core/device.py`) |

Targets of others come by the entry point `nopt.targets`; a clash of names is an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xdsl.ir import Dialect
    from xdsl.passes import ModulePass

    from .target import HardwareTarget, HostEngine

ROOT = Path(__file__).parent.parent
CONVERSION = re.compile(r"^class (Convert\w+)Pass\(", re.MULTILINE)
PACKAGE = __package__.rpartition(".")[0] if __package__ else "nopt"


def stems(*folders: str) -> Iterator[str]:
    """Stems of the modules in a folder, sorted; a leading underscore marks a helper, which is not registered."""
    for path in sorted(ROOT.joinpath(*folders).glob("*.py")):
        if not path.stem.startswith("_"):
            yield path.stem


def load(module: str, name: str) -> Any:
    """The object `name` of a module of ours, which is imported now."""
    return getattr(import_module(f"{PACKAGE}.{module}"), name)


def later(module: str, name: str) -> Callable[[], Any]:
    """A factory that loads the object when it is called; without parameters, as xDSL wants it."""

    def factory() -> Any:
        return load(module, name)

    return factory


@cache
def dialects() -> dict[str, Callable[[], Dialect]]:
    """Factories of our dialects by name."""
    return {stem: later(f"dialects.{stem}", stem.upper()) for stem in stems("dialects")}


@cache
def pass_modules() -> dict[str, tuple[str, str]]:
    """Module and class of each pass by its name."""
    found: dict[str, tuple[str, str]] = {}

    def take(name: str, module: str, cls: str) -> None:
        if name in found:
            raise ImportError(f"two passes are called {name}: {found[name][0]} and {module}")
        found[name] = module, cls

    steps = [path for path in ROOT.joinpath("passes").iterdir() if path.is_dir() and path.name != "__pycache__"]
    for folder in [*sorted(steps), *sorted(ROOT.joinpath("targets").glob("*/passes"))]:
        room = folder.relative_to(ROOT).parts
        for stem in stems(*room):
            cls = "".join(map(str.title, stem.split("_"))) + "Pass"
            take(stem.replace("_", "-"), ".".join([*room, stem]), cls)
    for path in sorted(ROOT.joinpath("targets").glob("*/lowering.py")):
        for cls in CONVERSION.findall(path.read_text(encoding="utf-8")):
            name = re.sub(r"(?<!^)(?=[A-Z])", "-", cls).lower()
            take(name, f"targets.{path.parent.name}.lowering", f"{cls}Pass")
    return found


@cache
def passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """Factories of our passes by name."""
    return {name: later(*place) for name, place in pass_modules().items()}


@cache
def targets() -> dict[str, Callable[[], HardwareTarget]]:
    """Factories of all targets by slug: those in the tree, then those of installed packages."""
    from importlib.metadata import entry_points

    found = {
        path.parent.name: later(f"targets.{path.parent.name}.target", "TARGET")
        for path in sorted(ROOT.joinpath("targets").glob("*/target.py"))
    }
    for point in sorted(entry_points(group="nopt.targets"), key=lambda point: point.name):
        if point.name in found:
            raise ImportError(f"the target {point.name} of {point.value} clashes with one that is already here")
        found[point.name] = point.load
    return found


@cache
def engines() -> tuple[HostEngine, ...]:
    """The engines of all targets, the fastest first and the reference last."""
    found = [engine for factory in targets().values() if (engine := factory().engine) is not None]
    return tuple(sorted(found, key=lambda engine: -engine.speed))


def reference() -> Any:
    """The class of the engine that runs every network."""
    return engines()[-1].load()


@cache
def frontends() -> dict[str, str]:
    """Module of each frontend by the format that it reads, which is also its file extension."""
    return {stem.removesuffix("_file"): f"frontends.{stem}" for stem in stems("frontends") if stem.endswith("_file")}


@cache
def presets() -> dict[str, Path]:
    """Files of the discretisation presets by name."""
    return {path.stem: path for path in sorted(ROOT.joinpath("passes", "discretize", "presets").glob("*.neuron"))}


@cache
def exporters() -> dict[str, Path]:
    """Files of the frameworks' exporters by name."""
    return {path.stem: path for path in sorted(ROOT.joinpath("passes", "repair", "exporters").glob("*.toml"))}


@cache
def devices() -> dict[str, dict[str, Path]]:
    """Device files by target and name."""
    found: dict[str, dict[str, Path]] = {}
    for path in sorted(ROOT.joinpath("targets").glob("*/devices/*.json")):
        found.setdefault(path.parent.parent.name, {})[path.stem] = path
    return found
