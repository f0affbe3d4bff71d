"""The command of a compilation, for its report: the words that make the same build when a user types them.

Files have their names without folders. Inputs without a file are placeholders: NETWORK, X and Y. The output directory is not a part: equal compilations
write equal reports.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..core.approximations import APPROXIMATIONS
from ..dialects.machine.kept_mapping import KEEP_OPTION, MOVE_OPTION
from ..simulation.axes import OrderedInput
from ..simulation.generated_inputs import is_generated
from .compiling.request import CompileRequest
from .permissions.approximation_names import EVERY


def command_of(request: CompileRequest) -> str:
    """Returns the command of a compilation as one line."""
    return shlex.join(["nopt", "compile", file_text(request.network, "NETWORK"), *command_options(request)])


def command_options(request: CompileRequest) -> Iterator[str]:
    """Yields the options that differ from their defaults, with their values."""
    device = request.device
    if device.named_as is not None and device.named_as.key != device.key:
        yield from ("--device", Path(device.named_as.key).name)
    else:
        yield from ("--target", device.key)
    for path, value in device.overridden.items():
        yield from ("--set", f"{path}={value}")
    for name, value in request.choices.items():
        if value is not None:
            text = Path(value).name if name == "like" and isinstance(value, str) else str(value)
            yield from (f"--{name.replace('_', '-')}", text)
    if request.typed_passes:
        yield from ("-p", request.typed_passes)
    if request.permitted:
        is_every = len(request.permitted) == len(APPROXIMATIONS)
        yield from ("--approximate", EVERY if is_every else ",".join(request.permitted))
    for one, bits in request.bits.items():
        yield from (one.option, str(bits))
    if request.calib is not None:
        yield from ("--calib", file_text(request.calib, "X"))
    if request.axes is not None:
        yield from ("--axes", request.axes)
    if request.labels is not None:
        yield from ("--labels", file_text(request.labels, "Y"))
    for probe in request.probes:
        yield from ("--probe", probe)
    if request.objective is not None:
        yield from ("--objective", request.objective)
    if request.keep_mapping is not None:
        yield from (KEEP_OPTION, Path(request.keep_mapping).name)
    if request.move:
        yield from (MOVE_OPTION, ",".join(request.move))
    if request.choice is not None and (request.recipe is not None or not request.choice.is_default):
        yield from ("--recipe", request.choice.name)
        if request.effort != "normal":
            yield from ("--effort", request.effort)
    elif request.effort != "normal":
        yield from ("--effort", request.effort)
    for pin in request.pins:
        yield from ("--pin", pin)
    if request.until is not None:
        yield from ("--until", request.until)
    if request.draw is not None:
        yield from ("--chips", str(request.draw.chips), "--seed", str(request.draw.seed))
        if request.draw.ages:
            yield from ("--at", ",".join(request.draw.ages))


def file_text(given: Any, placeholder: str) -> str:
    """Returns the name of a file, or a generated input as it is typed; a placeholder for an object of Python."""
    given = given.given if isinstance(given, OrderedInput) else given
    if isinstance(given, str | Path):
        return str(given) if is_generated(given) else Path(given).name
    return placeholder
