"""What there is: codes and what they mean, passes with their options, targets."""

from __future__ import annotations

import inspect
import re
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from attrs import frozen

from ..core import registry
from ..core.diagnostics import Code, ExitCode, refuse
from ..core.pipeline import PAS001, options
from .modules import available_passes

COD001 = Code(
    "COD001",
    "there is no such code",
    cause="A code is three letters and three digits, as they stand in square brackets in a message.",
    remedy="`nopt explain --list` lists all of them.",
    exit_code=ExitCode.MISUSED,
)
TAR001 = Code(
    "TAR001",
    "there is no such target",
    cause="The name is none of a target in this installation.",
    remedy="`nopt targets` lists them.",
    exit_code=ExitCode.MISUSED,
)

DECLARATION = re.compile(r"^([A-Z]{3}\d{3}) = Code\(", re.MULTILINE)
ROOMS = ("core", "frontends", "dialects", "analysis", "passes", "simulation", "targets", "api", "tools")
GOLDENS, INPUTS = "lit-tests", "inputs"
LONGEST_EXAMPLE = 40  # lines


@frozen
class Explanation:
    """Everything about a code."""

    code: Code
    declared_in: str
    """Path of the file that raises it, inside of the package."""
    example: str | None
    """IR or a command that provokes it, with the message as its golden expects it; None in an installation without goldens."""
    example_in: str | None

    def as_json(self) -> dict[str, Any]:
        return {
            "code": self.code.name,
            "summary": self.code.summary,
            "cause": self.code.cause,
            "remedy": self.code.remedy,
            "exit_code": int(self.code.exit_code),
            "declared_in": self.declared_in,
            "example": self.example,
            "example_in": self.example_in,
        }


@cache
def declarations() -> dict[str, Path]:
    """The file that declares each code; nothing is imported."""
    found = {
        name: path
        for room in ROOMS
        for path in sorted(registry.ROOT.joinpath(room).rglob("*.py"))
        for name in DECLARATION.findall(path.read_text(encoding="utf-8"))
    }
    return dict(sorted(found.items()))


def codes() -> list[str]:
    """The names of all codes, sorted."""
    return list(declarations())


def declared(name: str) -> Code:
    """A code by its name; the module that declares it is imported."""
    place = declarations()[name].relative_to(registry.ROOT).with_suffix("")
    return registry.load(".".join(place.parts), name)


def explain(name: str) -> Explanation:
    """What a code means: its cause, what to do, and an example.

        print(nopt.explain("NIR002").code.remedy)

    Errors: COD001 there is no such code.
    """
    key = name.strip("[]").upper()
    if key not in declarations():
        near = get_close_matches(key, declarations(), 3)
        refuse(
            COD001,
            f"there is no code {name}",
            expected=f"for example {', '.join(near)}" if near else "three letters and three digits, as in NIR002",
            found=name,
            help=f"nopt explain {near[0]}" if near else "nopt explain --list",
        )
    place = declarations()[key].relative_to(registry.ROOT).as_posix()
    example_in, example = golden(key)
    return Explanation(declared(key), place, example, example_in)


def golden(name: str) -> tuple[str | None, str | None]:
    """The golden that provokes a code, and the shortest part of it that does."""
    folder = registry.ROOT / GOLDENS
    found: list[tuple[int, str, str]] = []
    for path in sorted([*folder.rglob("*.mlir"), *folder.rglob("*.test")]):
        if INPUTS in path.parts:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for part in re.split(r"^// -----.*\n", text, flags=re.MULTILINE):
            if f"[{name}]" in part and "\n" in part.strip():
                found.append((part.count("\n"), path.relative_to(registry.ROOT).as_posix(), part.strip()))
    if not found:
        return None, None
    lines, place, part = min(found, key=lambda item: item[:2])
    return place, part if lines <= LONGEST_EXAMPLE else None


# ---- passes


@frozen
class PassOption:
    """One option of a pass, as it is typed."""

    name: str
    kind: str
    default: str


@frozen
class PassEntry:
    """A pass with its options."""

    name: str
    summary: str
    text: str
    """The whole docstring of the pass, and what its file says."""
    options: tuple[PassOption, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "summary": self.summary,
            "options": [{"name": o.name, "kind": o.kind, "default": o.default} for o in self.options],
        }


def pass_entry(name: str) -> PassEntry:
    """One pass, ours or one of xDSL's.

    Errors: PAS001 there is no such pass.
    """
    if name not in available_passes():
        near = get_close_matches(name, available_passes(), 3)
        refuse(
            PAS001,
            f"there is no pass {name}",
            expected=f"for example {', '.join(near)}" if near else "a pass of `nopt passes`",
            found=name,
            help=f"nopt passes {near[0]}" if near else "nopt passes",
        )
    cls = available_passes()[name]()
    own = inspect.cleandoc(vars(cls).get("__doc__") or "")
    own = "" if own.startswith(f"{cls.__name__}(") else own  # what dataclass writes where there is no docstring
    module = (
        inspect.cleandoc(getattr(inspect.getmodule(cls), "__doc__", None) or "") if name in registry.passes() else ""
    )
    summary = (own or module).split("\n\n")[0].replace("\n", " ")
    text = "\n\n".join(filter(None, [own, module]))
    return PassEntry(name, summary, text, tuple(PassOption(*row) for row in options(cls)))


def passes(*, all: bool = False) -> list[PassEntry]:
    """Our passes with their options, sorted by name; with `all`, xDSL's too.

    [entry.name for entry in nopt.passes()]
    """
    return [pass_entry(name) for name in sorted(available_passes() if all else registry.passes())]


# ---- targets


@frozen
class TargetEntry:
    """A target that is installed."""

    slug: str
    summary: str
    source: str

    def as_json(self) -> dict[str, Any]:
        return {"slug": self.slug, "summary": self.summary, "source": self.source}


def targets() -> list[TargetEntry]:
    """The targets that are installed, sorted by slug.

    [target.slug for target in nopt.targets()]
    """
    loaded = [registry.targets()[slug]() for slug in sorted(registry.targets())]
    return [TargetEntry(target.slug, target.summary, target.source) for target in loaded]


def target(slug: str) -> TargetEntry:
    """One target.

    Errors: TAR001 there is no such target.
    """
    found = next((entry for entry in targets() if entry.slug == slug), None)
    if found is None:
        near = get_close_matches(slug, registry.targets(), 1)
        refuse(
            TAR001,
            f"there is no target {slug}",
            expected=f"one of {', '.join(sorted(registry.targets())) or 'none'}",
            found=slug,
            help=f"nopt targets {near[0]}" if near else "nopt targets",
        )
    return found
