"""Turns the numbers that an exporter wrote into what NIR means by them.

    nir.lif "lif" %x {tau = 20.0, r = 1.0, …}    =>    nir.lif "lif" %x {tau = 0.02, r = 0.975412, …}

1. `by` names the exporter, `NAME` or `NAME@VERSION`; `exporters/NAME.toml` holds its formulas and their source.
2. Each population whose family the exporter changes gets new parameters, in f64; a formula reads the numbers of the file.
3. Numbers that this exporter does not write are refused, before anything is changed.
4. The graph records the formulas and the populations (`repairs`); the conversion to `ntensor` keeps that record. A graph is repaired once.
5. Wiring that the exporter writes in its own way becomes that of the framework, and is recorded as well (`analysis/exported_wiring.py`).
6. A remark shows the formulas, and what the export lost with the option that chooses it.

Options:
    by: the exporter, required.
    dt-ns [ns]: length of a tick, which most formulas read.

Exactness: the parameters are those of the framework up to the rounding of the file.

Errors: ANA032 no such exporter; NRM011 numbers of another exporter; NRM012 no time step; NRM013 a second repair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import ModuleOp

from ...analysis.exporters import Exporter, Family, family_of, find_exporter, is_satisfied, values_of
from ...analysis.flat_graph import flatten
from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Code, Diagnostics, Finding, finding_about, first_of
from ...core.help_text import Phrase, WithoutOptions, WithoutPass, exported_by
from ...core.ir.context import diagnostics_of
from ...core.ir.pipeline import NoptPass, pass_text
from ...core.neuron import formulas
from ...dialects import nir

NRM011 = Code("NRM011", "numbers-not-from-exporter", "the numbers are not those of the exporter")
NRM012 = Code("NRM012", "export-time-step-missing", "the time step of the export is not given")
NRM013 = Code("NRM013", "network-already-repaired", "the network was repaired before")
NRM014 = Code("NRM014", "exporter-numbers-repaired", "the numbers of an exporter are repaired")
NRM015 = Code("NRM015", "repair-changes-nothing", "the repair changes nothing")
NRM016 = Code("NRM016", "exporter-version-not-compared", "the version of the exporter was not compared")
NRM017 = Code("NRM017", "exporter-wiring-repaired", "the wiring of an exporter is repaired")

SHOWN = 6
"""Nodes that a message names."""


@dataclass(frozen=True)
class NirRepairExportPass(NoptPass):
    """Repairs every `nir.graph` of the module, nested graphs included."""

    name = "nir-repair-export"
    by: str
    dt_ns: int | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        name, _, version = self.by.partition("@")
        exporter = find_exporter(name)  # 1
        diagnostics = diagnostics_of(ctx)
        graphs = [graph for graph in op.ops if isinstance(graph, nir.GraphOp)]
        found = [(graph, self.populations(graph, exporter)) for graph in graphs]
        Diagnostics(finding for one in found for finding in self.refusals(*one, exporter)).raise_errors()  # 3
        if version and version not in exporter.versions:
            self.remark_version(exporter, version, diagnostics)
        for graph, populations in found:
            records = [record for family in exporter.families for record in self.repair(family, populations, exporter)]
            records += self.rewire(graph, exporter, diagnostics)  # 5
            if records:
                graph.repairs = ListAttr(records)  # 4
            elif graph is found[0][0]:
                self.remark_idle(graph, exporter, diagnostics)
            self.remark_repairs(populations, exporter, diagnostics)  # 6

    @property
    def dt(self) -> float | None:
        return None if self.dt_ns is None else self.dt_ns / 1e9

    def populations(self, graph: nir.GraphOp, exporter: Exporter) -> dict[str, nir.PopulationOp]:
        """Returns the populations by full name whose family the exporter defines."""
        nodes = flatten(graph).nodes
        known = {node.name: node.op for node in nodes if isinstance(node.op, nir.PopulationOp)}
        return {name: op for name, op in known.items() if family_of(op) in exporter.families}

    def repair(self, family: str, populations: dict[str, nir.PopulationOp], exporter: Exporter) -> list[nir.RepairAttr]:
        """Changes the populations of one family, and returns one record for each formula."""
        rule = exporter.families[family]
        own = {name: op for name, op in populations.items() if family_of(op) == family}
        for op in own.values():
            op.properties.update(self.repaired(op, rule))
        texts = [f"{parameter} = {text}" for parameter, text in rule.texts.items()]
        return [nir.RepairAttr.of(pass_text(self), text, own) for text in texts if own]

    def repaired(self, op: nir.PopulationOp, rule: Family) -> dict[str, ArrayAttr]:
        """Returns the new parameters of a population. 2"""
        values = values_of(op, self.dt)
        made = {name: formulas.evaluate(formula, values) for name, formula in rule.set.items()}
        return {name: ArrayAttr.of(np.asarray(array, np.float64)) for name, array in made.items()}

    def rewire(self, graph: nir.GraphOp, exporter: Exporter, diagnostics: Diagnostics) -> list[nir.RepairAttr]:
        """Repairs the wiring of a graph, and returns one record for each kind of repair."""
        records: list[nir.RepairAttr] = []
        for wiring in exporter.wiring.values():
            ops = set(wiring.rewire(graph))
            names = [name for op, name in flatten(graph).names.items() if op in ops] if ops else []
            if names:
                records.append(nir.RepairAttr.of(pass_text(self), wiring.record, names))
                diagnostics.remark(
                    NRM017,
                    f"the wiring of {exporter.name} is repaired",
                    at=format_names(names),
                    node=names[0],
                    expected=wiring.record,
                    found=wiring.meaning,
                )
        return records

    # ---- findings

    def refusals(
        self, graph: nir.GraphOp, populations: dict[str, nir.PopulationOp], exporter: Exporter
    ) -> list[Finding]:
        """Returns findings about properties of a graph that the exporter cannot have written, or that prevent a repair."""
        if graph.repairs:
            return [
                finding_about(
                    graph,
                    NRM013,
                    expected="a graph without repairs",
                    found=next(iter(graph.repairs)).step.data,
                    help=Phrase(WithoutPass(self.name)),
                )
            ]
        for name, op in populations.items():
            if exporter.families[family_of(op)].needs_dt and (self.dt_ns is None or self.dt_ns < 1):
                return [
                    finding_about(
                        op,
                        NRM012,
                        at=f'{op.name} "{name}"',
                        node=name,
                        expected="dt-ns=N, in nanoseconds, of 1 or more",
                        found="none" if self.dt_ns is None else f"dt-ns={self.dt_ns}",
                        help=f"{self.name}{{by={self.by} dt-ns=1000000}}",
                    )
                ]
        return [
            finding_about(
                op,
                NRM011,
                f"{exporter.name} does not write such numbers",
                at=f'{op.name} "{name}"',
                node=name,
                expected=f"{exporter.families[family_of(op)].writes_text}, as {exporter.name} writes",
                found=format_first_values(values_of(op, self.dt)),
                help=Phrase(WithoutOptions(("--exported-by",), in_pipeline="leave nir-repair-export out")),
            )
            for name, op in populations.items()
            if not self.is_written(op, exporter.families[family_of(op)])
        ]

    def is_written(self, op: nir.PopulationOp, rule: Family) -> bool:
        """Returns whether the exporter writes these numbers, and their repair produces numbers."""
        if rule.writes is not None and not is_satisfied(rule.writes, values_of(op, self.dt)):
            return False
        return all(np.isfinite(array.values).all() for array in self.repaired(op, rule).values())

    def remark_repairs(
        self, populations: dict[str, nir.PopulationOp], exporter: Exporter, diagnostics: Diagnostics
    ) -> None:
        for family, rule in exporter.families.items():
            own = [name for name, op in populations.items() if family_of(op) == family]
            if not own or not (rule.set or rule.lost):
                continue
            made = ", ".join(f"{parameter} = {text}" for parameter, text in rule.texts.items())
            diagnostics.remark(
                NRM014,
                f"the numbers of {exporter.name} are repaired"
                if made
                else f"the file of {exporter.name} lacks choices",
                at=f"nir.{family} {format_names(own)}",
                node=own[0],
                expected=made or "the choices of the trained network",
                found=rule.meaning,
                help=None if not rule.lost else "choose what the notes list as the network had it",
                notes=[f"not in the file: {what}" for what in rule.lost],
            )

    def remark_idle(self, graph: nir.GraphOp, exporter: Exporter, diagnostics: Diagnostics) -> None:
        diagnostics.remark(
            NRM015,
            f"the repair of {exporter.name} changes nothing",
            at=f"nir.graph @{graph.sym_name.data}",
            expected=f"a population of {', '.join(key for key, rule in exporter.families.items() if rule.set)}",
            found="none",
            help=Phrase(WithoutOptions(("--exported-by",))),
        )

    def remark_version(self, exporter: Exporter, version: str, diagnostics: Diagnostics) -> None:
        diagnostics.warning(
            NRM016,
            f"{exporter.name} {version} was not compared",
            at=f"exported by {self.by}",
            expected=f"{exporter.name}@{' or '.join(exporter.versions)}",
            found=version,
            help=Phrase(exported_by(f"{exporter.name}@{exporter.versions[-1]}")),
            notes=[f"this is right if {exporter.name} {version} writes the same numbers"],
        )


def format_first_values(values: dict[str, Any]) -> str:
    """Returns the first number of each parameter."""
    return ", ".join(f"{name} = {np.ravel(value)[0]:g}" for name, value in values.items() if np.size(value))


def format_names(names: list[str]) -> str:
    return first_of([f'"{name}"' for name in names], SHOWN)
