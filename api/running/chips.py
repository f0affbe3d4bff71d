"""Modules of the levels after the network in ticks: machine graphs, and compiled networks in the exit dialect of a device.

A compiled network is emitted and run without changes, on the device that it names. If it names none, as a C program, the command
specifies the device.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from attrs import frozen
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...core import registry
from ...core.device.device_pass import on_device
from ...core.device.named_device import device_named
from ...core.device.records import Device
from ...core.diagnostics import Code, ExitCode, refuse
from ...core.help_text import Phrase, WholePipeline, WithoutOptions
from ...core.ir import pass_manager, pipeline
from ...dialects.machine import GraphOp
from ...dialects.ntensor import NetworkOp
from ...dialects.ntensor.interface import CompiledOperation, interface_module
from ...passes.pipelines import CONTINUOUS, LIFT
from ...simulation.host.hosted_model import chip_model
from ..compiling.target_pipelines import levels_of
from ..modules import available_passes

CMP013 = Code(
    "CMP013",
    "compiled-for-another-device",
    "the module was compiled for another device",
    exit_code=ExitCode.MISUSED,
)


@frozen
class Start:
    """A module that starts a compilation at a level after the network in ticks."""

    module: ModuleOp
    op: Operation
    """The machine graph, or the compiled network."""
    device: Device

    @property
    def level(self) -> str:
        return self.op.name.partition(".")[0]

    @property
    def is_compiled(self) -> bool:
        """Whether the level is the last of the device."""
        return not isinstance(self.op, GraphOp)


def find_start(module: ModuleOp, typed: Device | None = None, passes: str = "") -> Start | None:
    """Returns the machine graph or the compiled network of a module; None for other modules, for a graph of another device than `typed`, and
    for one that the user's passes convert to a network in ticks.

    Errors: CMP013 a network that is compiled for another device than `typed`; those of reading the device.
    """
    for op in module.ops:
        device = (None if isinstance(op, NetworkOp) else device_named(op)) or typed
        if device is None:
            continue
        start = Start(module, op, device)
        is_same = typed is None or typed.digest == device.digest
        if isinstance(op, GraphOp):
            return start if is_same and start.level in levels_of(device) and LIFT not in passes else None
        if start.level not in levels_of(device)[-1:] or isinstance(op, NetworkOp):
            continue
        if typed is not None and not is_same:
            refuse_other_device(typed, device)
        return start
    return None


def refuse_other_device(typed: Device, device: Device, state: str = "compiled") -> NoReturn:
    """Refuses a device other than the one that a module is for. Errors: CMP013."""
    changed = [f"{path}={value}" for path, value in typed.overridden.items()]
    refuse(
        CMP013,
        f"the module was {state} for another device",
        at=" --set ".join([f"--target {typed.key}", *changed]),
        expected=f"{device.key} as the module describes it",
        found=" with ".join([typed.key, *changed]),
        help=Phrase(WithoutOptions(("--target", "--device", "--set"))),
    )


def open_chip(module: ModuleOp) -> tuple[ModuleOp, Callable[..., Any] | None]:
    """Returns the interface of a compiled network, and the model of its target; any other module itself, without a model."""
    start = find_start(module)
    if start is None or not isinstance(start.op, CompiledOperation):
        return module, None
    model = registry.targets()[start.device.target]().model
    if model is None:
        return module, None
    return interface_module(start.op), chip_model(model(), module, start.device)


def late_passes(text: str, start: Start) -> list[ModulePass]:
    """Returns the passes of the user on a module of a later level than the network in ticks. Errors: COR012, COR013, COR014; COR017."""
    steps = pipeline.parse_pipeline(text, available_passes())
    levels = [CONTINUOUS, *levels_of(start.device)]
    wrong = [step for step in steps if pipeline.level_of(step) in levels[: levels.index(start.level)]]
    if wrong:
        left = ",".join(pipeline.typed_text(step) for step in steps if step not in wrong)
        lifted = f"{LIFT},{','.join(map(pipeline.typed_text, steps))}"
        help = WithoutOptions(("-p", "--passes")) if start.is_compiled and not left else WholePipeline(left)
        refuse(
            pass_manager.COR017,
            f"{wrong[0].name} works on an earlier level",
            at=f"-p {','.join(map(pipeline.typed_text, steps))}",
            expected=f"passes of the level {start.level}",
            found=f"{wrong[0].name} on a module of the level {start.level}",
            help=Phrase(help if start.is_compiled else WholePipeline(lifted)),
        )
    return on_device(steps, start.device)
