"""Trace of a build: the network before and after each pass, from the IR that the build contains.

The passes that a legalisation ran are one file. They are run again, one by one, on the network before it, so that each has its own result.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from attrs import define, field, frozen
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from ...core.device import device as devices
from ...core.device.device import Device
from ...core.device.named_device import name_device
from ...core.diagnostics import Diagnostics, Refused
from ...core.ir import pass_manager, pipeline
from ...core.ir.context import NoptContext
from ...dialects import machine, ntensor
from ...passes.pipelines import DISCRETISE
from ..compiling.build_report import approximations
from ..compiling.builds import ARRAYS, DEVICE, STAGES, require_report, stages
from ..compiling.target_pipelines import DISCRETE
from ..modules import available_passes, read

LEGALIZED_STEPS = "machine.steps"
"""Attribute of a network: the passes that its legalisation ran, as they can be typed."""


@frozen
class TracedPass:
    """One pass of a build, with the networks in ticks, or the machine graphs, before and after it."""

    number: int
    text: str
    """The pass with its options."""
    run: ModulePass
    before: ModuleOp
    after: ModuleOp

    @property
    def records(self) -> list[dict[str, Any]]:
        """Returns the approximations that the pass recorded."""
        known = approximations(network_of(self.before))
        return [one for one in approximations(network_of(self.after)) if one not in known]


@define
class Trace:
    """A build, read as far as it is needed."""

    folder: Path
    report: dict[str, Any] = field()
    unfinished: list[str] = field(factory=list[str])
    """Why passes of a legalisation are shown as one pass."""

    @staticmethod
    def of(folder: Path) -> Trace:
        """Returns the trace of a build. Errors: CMP009 another directory; CMP011 a damaged report."""
        return Trace(folder, require_report(folder))

    @cached_property
    def device(self) -> Device:
        return devices.load_device(self.folder / DEVICE)

    @cached_property
    def files(self) -> list[tuple[str, Path]]:
        """Returns the passes with the file of the module after each. Errors: CMP009."""
        return [(path.stem.partition("-")[2], path) for path in stages(self.folder)]

    def read(self, path: Path) -> ModuleOp:
        return read(path, arrays=self.folder / STAGES / ARRAYS, diagnostics=Diagnostics())

    @cached_property
    def graph(self) -> ModuleOp | None:
        """Returns the last module with a machine graph; None without one."""
        names = [name for name, _ in self.files]
        levels = pipeline.levels_after(names, DISCRETE)
        last = [path for (_, path), level in zip(self.files, levels, strict=True) if level == machine.MACHINE.name][-1:]
        return self.read(last[0]) if last else None

    @cached_property
    def networks(self) -> list[tuple[str, ModuleOp]]:
        """Returns the passes whose result is a network in ticks, each with this network."""
        names = [name for name, _ in self.files]
        levels = pipeline.levels_after(names, DISCRETE)
        found = [
            (name, self.read(path)) for (name, path), level in zip(self.files, levels, strict=True) if level == DISCRETE
        ]
        return [(name, module) for name, module in found if any(isinstance(op, ntensor.NetworkOp) for op in module.ops)]

    @cached_property
    def steps(self) -> list[TracedPass]:
        """Returns the passes on networks in ticks, those of a legalisation one by one."""
        texts = {one.name: one for one in pipeline.parse_pipeline(self.report["pipeline"], available_passes())}
        found: list[TracedPass] = []
        for (_, before), (name, after) in pairwise(self.networks):
            whole = texts.get(name)
            if whole is None or name == DISCRETISE:
                continue
            for text, run, first, last in self.parts(whole, before, after):
                found.append(TracedPass(len(found) + 1, text, run, first, last))
        return found

    @cached_property
    def graph_passes(self) -> list[TracedPass]:
        """Returns the passes on the machine graph."""
        texts = {one.name: one for one in pipeline.parse_pipeline(self.report["pipeline"], available_passes())}
        levels = pipeline.levels_after([name for name, _ in self.files], DISCRETE)
        graphs = [one for one, level in zip(self.files, levels, strict=True) if level == machine.MACHINE.name]
        return [
            TracedPass(number, pipeline.pass_text(texts[name]), texts[name], self.read(before), self.read(after))
            for number, ((_, before), (name, after)) in enumerate(pairwise(graphs), 1)
            if name in texts
        ]

    def parts(
        self, whole: ModulePass, before: ModuleOp, after: ModuleOp
    ) -> Iterator[tuple[str, ModulePass, ModuleOp, ModuleOp]]:
        """Yields the passes that a pass ran, each with its networks; the pass itself if it ran none."""
        texts = legalized_steps(after)[len(legalized_steps(before)) :]
        if texts:
            module = before.clone()
            name_device(network_of(module), self.device)
            runs = pipeline.parse_pipeline(",".join(texts), available_passes())
            made: list[tuple[str, ModulePass, ModuleOp, ModuleOp]] = []
            try:
                for text, run in zip(texts, runs, strict=True):
                    first = module.clone()
                    apply(run, module)
                    made.append((text, run, first, module.clone()))
            except Refused as refusal:
                self.unfinished.append(f"the passes of {whole.name} cannot be run again: {refusal.findings[0].message}")
            else:
                yield from made
                return
        yield pipeline.pass_text(whole), whole, before, after


def network_of(module: ModuleOp) -> ntensor.NetworkOp:
    """Returns the network of a module of a trace, which has one."""
    return next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))


def legalized_steps(module: ModuleOp) -> list[str]:
    found = network_of(module).attributes.get(LEGALIZED_STEPS)
    listed = list(cast("ListAttr[Attribute]", found)) if isinstance(found, ListAttr) else []
    return [one.data for one in listed if isinstance(one, StringAttr)]


def apply(run: ModulePass, module: ModuleOp) -> None:
    """Runs a pass in place; its findings are discarded. Errors: those of the pass."""
    pass_manager.run_passes([run], NoptContext(diagnostics=Diagnostics()), module)
