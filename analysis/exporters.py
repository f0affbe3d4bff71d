"""Exporters: the numbers that each writes into a file, and the formulas that convert them to the definitions of NIR.

One file `exporters/NAME.toml` for each. `wiring` lists repairs of `wiring.py`, and `omits` layers that the exporter leaves out of the file, as
if the network had none. A table is named after a family of NIR:

| key | meaning |
| --- | --- |
| `writes` | a condition that holds for every number of this exporter; else the file has another one |
| `suspect` | conditions of which one is enough to suspect this exporter |
| `meaning` | what the numbers stand for, for messages |
| `set` | formulas of parameters; each reads the numbers of the file |
| `lost` | what the exporter drops, with the option that chooses it |

Conditions and formulas are expressions of the neuron language over the parameters of a node and `dt` [s].
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any

import numpy as np
from attrs import frozen

from ..core.diagnostics import Code, ExitCode, refuse
from ..core.expressions.tree import Expr
from ..core.help_text import Phrase, WithoutOptions, exported_by
from ..core.neuron import formulas
from ..core.registry import exporters
from ..dialects import nir
from .exported_wiring import WIRINGS, Wiring

ANA032 = Code("ANA032", "unknown-exporter", "unknown exporter", exit_code=ExitCode.MISUSED)


@frozen
class Family:
    """The properties of an exporter for the nodes of one family. Formulas are parsed when they are read."""

    file: str
    """The name of the file in messages."""
    writes_text: str
    suspect_texts: tuple[str, ...]
    meaning: str
    texts: Mapping[str, str]
    """The formulas of `set` as they are written."""
    lost: tuple[str, ...]

    @property
    def writes(self) -> Expr | None:
        return formulas.read_formula(self.writes_text, self.file) if self.writes_text else None

    @property
    def suspect(self) -> tuple[Expr, ...]:
        return tuple(formulas.read_formula(text, self.file) for text in self.suspect_texts)

    @property
    def set(self) -> Mapping[str, Expr]:
        return {parameter: formulas.read_formula(text, self.file) for parameter, text in self.texts.items()}

    @property
    def needs_dt(self) -> bool:
        read = [*self.set.values(), *([self.writes] if self.writes is not None else [])]
        return any("dt" in formulas.names_in_formula(formula) for formula in read)


@frozen
class Exporter:
    """A framework's exporter."""

    name: str
    versions: tuple[str, ...]
    """The versions whose source was read."""
    source: str
    families: Mapping[str, Family]
    wiring: Mapping[str, Wiring]
    omits: tuple[str, ...]
    """Layers that the file lacks."""


@cache
def load_exporter(name: str) -> Exporter:
    """Returns the exporter of this name. The name is a key of `registry.exporters()`."""
    path = exporters()[name]
    given = tomllib.loads(path.read_text(encoding="utf-8"))
    versions, source = tuple(given.pop("versions")), str(given.pop("source"))
    wiring = {key: WIRINGS[key] for key in given.pop("wiring", ())}
    omits = tuple(given.pop("omits", ()))

    def family(table: dict[str, Any]) -> Family:
        suspect, lost = tuple(table.get("suspect", ())), tuple(table.get("lost", ()))
        return Family(path.name, table.get("writes", ""), suspect, table["meaning"], table.get("set", {}), lost)

    return Exporter(name, versions, source, {key: family(table) for key, table in given.items()}, wiring, omits)


def find_exporter(name: str) -> Exporter:
    """Returns the exporter of that name. Errors: ANA032."""
    if name in exporters():
        return load_exporter(name)
    near = get_close_matches(name, exporters(), 1)
    message = f"unknown exporter {name}" if name else "the exporter has no name"
    expected = f"one of {', '.join(exporters())}"
    help = Phrase(exported_by(near[0])) if near else Phrase(WithoutOptions(("--exported-by",)))
    refuse(ANA032, message, at=f"exported by {name}", expected=expected, found=name or "none", help=help)


def family_of(op: nir.PopulationOp) -> str:
    return op.name.partition(".")[2]


def values_of(op: nir.PopulationOp, dt: float | None) -> dict[str, Any]:
    """Returns the parameters of a node, and the time step [s] where it is known."""
    values: dict[str, Any] = {name: array.values for name, array in op.parameters()}
    return values if dt is None else values | {"dt": dt}


def is_satisfied(condition: Expr, values: Mapping[str, Any]) -> bool:
    """Returns whether a condition is true for every entry. A condition that reads an unknown number is false."""
    return formulas.names_in_formula(condition) <= values.keys() and bool(np.all(formulas.evaluate(condition, values)))


def can_write(exporter: Exporter, op: nir.PopulationOp, dt: float | None) -> bool:
    """Returns whether an exporter may have written the numbers of a node; an unknown time step excludes none."""
    family, values = exporter.families.get(family_of(op)), values_of(op, dt)
    if family is None or family.writes is None or not formulas.names_in_formula(family.writes) <= values.keys():
        return True
    return is_satisfied(family.writes, values)


def suspected(op: nir.PopulationOp, dt: float | None) -> list[Exporter]:
    """Returns the exporters that can have written the parameters of a population; exporters whose suspicion applies come first.

    If no suspicion applies, the list is empty, since most parameters have the meaning that NIR defines.
    """
    family, values = family_of(op), values_of(op, dt)
    if any(np.size(value) == 0 for value in values.values()):
        return []
    known = [(one, one.families[family]) for one in map(load_exporter, exporters()) if family in one.families]
    typical = [one for one, rule in known if any(is_satisfied(condition, values) for condition in rule.suspect)]
    others = [one for one, rule in known if not rule.suspect_texts and rule.texts and can_write(one, op, dt)]
    return typical + others if typical else []
