"""Lists: codes and their meaning, passes with their options, targets."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from attrs import field, frozen

from ...core import registry
from ...core.diagnostics import Code, ExitCode, Finding, Refused, refuse
from ...core.explanations import Explanation, explanations, find_explanation
from ...core.help_text import Option, Phrase
from ...core.ir.context import multiverse
from ...core.ir.pipeline import COR012, near_passes, options
from ...core.plugins import LEFT_OUT, leave_out
from ...core.renames import new_name
from ...core.target import HardwareTarget
from ..json_record import Record, key
from ..modules import available_passes
from .golden_examples import example_of

API009 = Code("API009", "unknown-code", "unknown code", exit_code=ExitCode.MISUSED)
API021 = Code("API021", "unknown-target", "unknown target", exit_code=ExitCode.MISUSED)

DECLARATION = re.compile(r'^([A-Z]{3}\d{3}) = Code\(\s*"\1",\s*"([a-z0-9-]+)"', re.MULTILINE)
"""The declaration of a code, with its identifier and its name."""
GOLDENS, INPUTS = "lit-tests", "inputs"


def refuse_unknown(
    code: Code, kind: str, name: str, near: Sequence[str], expected: str, command: str, otherwise: str = ""
) -> NoReturn:
    """Refuses an unknown name; `command` describes the nearest known one, or lists all with the argument `otherwise`."""
    help = " ".join(filter(None, [command, near[0] if near else otherwise]))
    refuse(code, f"unknown {kind} {name}", expected=expected, found=name, help=help)


@frozen
class CodeEntry:
    """A code with its explanation."""

    code: Code
    explanation: Explanation | None
    """None for a code of a plug-in that does not explain it."""
    declared_in: str
    """Path of the file that raises it, inside of the package."""
    example: str | None
    """A command that causes it, with the message as its golden expects it; None in an installation without goldens."""
    example_in: str | None

    def as_json(self) -> dict[str, Any]:
        return {
            "code": self.code.id,
            "name": self.code.name,
            "summary": self.code.summary,
            "cause": self.explanation and self.explanation.cause,
            "remedy": self.explanation and self.explanation.remedy,
            "exit_code": int(self.code.exit_code),
            "declared_in": self.declared_in,
            "example": self.example,
            "example_in": self.example_in,
        }


@cache
def declarations() -> dict[str, tuple[str, Path]]:
    """Returns the name of each code and the file that declares it, without an import."""
    found = {
        code: (name, path)
        for folder in registry.code_folders()
        for path in sorted(folder.rglob("*.py"))
        for code, name in DECLARATION.findall(path.read_text(encoding="utf-8"))
    }
    return dict(sorted(found.items()))


def module_name(path: Path) -> str:
    """The module of a source file of nopt or of a plug-in."""
    packages = [(registry.ROOT, registry.PACKAGE), *((folder, package) for _, folder, package in registry.rooms())]
    folder, package = next((folder, package) for folder, package in reversed(packages) if path.is_relative_to(folder))
    return ".".join([package, *path.relative_to(folder).with_suffix("").parts])


def codes() -> list[str]:
    """Returns the identifiers of all codes, sorted."""
    return list(declarations())


def find_code(code: str) -> Code:
    """Returns a code by its identifier; the module that declares it is imported."""
    return registry.import_object(module_name(declarations()[code][1]), code)


def explain(name: str) -> CodeEntry:
    """Returns the explanation of a code (cause, remedy and example), by its identifier, its name or an earlier identifier.

        print(nopt.explain("NIR002").explanation.remedy)

    Errors: API009 an unknown code.
    """
    wanted = name.strip("[]")
    names = {name: code for code, (name, _) in declarations().items()}
    key = names.get(wanted.lower(), wanted.upper())
    key = key if key in declarations() else new_name("codes", key) or key
    if key not in declarations():
        near = get_close_matches(key, declarations(), 3) or get_close_matches(wanted.lower(), names, 3)
        expected = (
            f"for example {', '.join(near)}" if near else "three letters and three digits, as in NIR002, or a name"
        )
        refuse_unknown(API009, "code", name, near, expected, "nopt explain", "--list")
    place = module_name(declarations()[key][1]).removeprefix(f"{registry.PACKAGE}.").replace(".", "/") + ".py"
    code = find_code(key)
    found = example_of(read_goldens(), registry.ROOT, code)
    shown = (None, None) if found is None else ("\n".join(found.lines), found.place)
    return CodeEntry(code, find_explanation(key), place, *shown)


@cache
def read_goldens() -> dict[Path, str]:
    """Returns the text of every golden, in the order of their paths."""
    folder = registry.ROOT / GOLDENS
    paths = sorted(path for suffix in ("mlir", "test") for path in folder.rglob(f"*.{suffix}"))
    return {path: path.read_text(encoding="utf-8", errors="replace") for path in paths if INPUTS not in path.parts}


# ---- passes


@frozen
class PassOption(Record):
    """One option of a pass, as the user types it."""

    name: str
    kind: str
    default: str


@frozen
class PassEntry(Record):
    """A pass with its options."""

    name: str
    summary: str
    text: str = field(metadata=key(None))
    """Docstrings of the pass and of its file."""
    options: tuple[PassOption, ...]


def pass_entry(name: str) -> PassEntry:
    """Returns the catalogue entry of a pass of nopt or xDSL.

    Errors: COR012 the pass is unknown.
    """
    if name not in available_passes():
        near = near_passes(name, available_passes())
        expected = f"for example {', '.join(near)}" if near else "a pass of `nopt passes`"
        refuse_unknown(COR012, "pass", name, near, expected, "nopt passes")
    cls = available_passes()[name]()
    own = inspect.cleandoc(vars(cls).get("__doc__") or "")
    own = "" if own.startswith(f"{cls.__name__}(") else own  # dataclass adds this docstring if there is none
    module = (
        inspect.cleandoc(getattr(inspect.getmodule(cls), "__doc__", None) or "") if name in registry.passes() else ""
    )
    summary = first_sentence(module or own)
    text = "\n\n".join(filter(None, [own, module]))
    return PassEntry(name, summary, text, tuple(PassOption(*row) for row in options(cls)))


def first_sentence(text: str) -> str:
    """Returns the first sentence of a docstring on one line, without the full stop. In a file of a pass, it describes the change that the pass makes."""
    paragraph = text.split("\n\n")[0].replace("\n", " ")
    return re.split(r"(?<=[^.])\.(?: |$)|:$", paragraph)[0]


def passes(*, all: bool = False) -> list[PassEntry]:
    """Returns the passes of nopt and of plug-ins with their options, sorted by name; with `all`, also the passes of xDSL.

    [entry.name for entry in nopt.passes()]

    A pass of a plug-in that cannot be imported is left out.
    """
    found: list[PassEntry] = []
    for name in sorted(available_passes() if all else registry.passes()):
        try:
            found.append(pass_entry(name))
        except Refused as refusal:
            leave_out(name, refusal)
    return found


# ---- targets


@frozen
class TargetEntry(Record):
    """An installed target."""

    slug: str
    summary: str
    source: str
    oracles: dict[str, str]
    """External tools that can check it, and the path of the tests with each."""


def targets() -> list[TargetEntry]:
    """Returns the installed targets, sorted by slug. A plug-in that cannot be loaded is left out (`left_out`).

    [target.slug for target in nopt.targets()]
    """
    loaded = sorted(registry.usable_targets().items())
    return [target_entry(slug, target) for slug, target in loaded]


def target_entry(slug: str, found: HardwareTarget) -> TargetEntry:
    return TargetEntry(slug, found.summary, found.source, dict(found.oracles))


def refuse_target(slug: str) -> NoReturn:
    """Refuses an unknown target, with the nearest target or the device of that name. Errors: API021."""
    named = [f"{target}/{slug}" for target, files in registry.devices().items() if slug in files]
    near = [*named, *get_close_matches(slug, registry.targets(), 1)]
    refuse(
        API021,
        f"unknown target {slug}",
        expected=f"one of {', '.join(sorted(registry.targets())) or 'none'}",
        found=slug,
        help=Phrase(Option(f"nopt targets {near[0]}", f"--target {near[0]}", is_of_device=True))
        if near
        else "nopt targets",
    )


def left_out() -> list[Finding]:
    """Returns the reasons why plug-ins were left out of lists so far, as warnings.

        for finding in nopt.left_out():
            print(finding.message)

    Warnings: COR019, COR020, COR022.
    """
    return list(LEFT_OUT.values())


def load_target(path: str | Path) -> str:
    """Loads the target of a Python file that is not installed, with the folders next to the file, and returns its slug.

        nopt.load_target("my_chip/target.py")

    Errors: COR008, COR019, COR020, COR021, COR022.
    """
    slug = registry.load_target(path)
    multiverse.cache_clear()
    declarations.cache_clear()
    explanations.cache_clear()
    return slug


def target(slug: str) -> TargetEntry:
    """Returns one target.

    Errors: API021 an unknown target; COR019, COR020, COR022 a plug-in that cannot be used.
    """
    if slug not in registry.targets():
        refuse_target(slug)
    return target_entry(slug, registry.targets()[slug]())
