"""Functions of upstream MLIR dialects (`func`, `linalg`, `tensor`, `arith`, `math`, `scf`) for other compilers, such as IREE."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ...core.device.records import Device
from ...core.target import API_VERSION, HardwareTarget

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to functions of upstream dialects."""
    from ...core.ir.pipeline import option_text
    from ...passes.pipelines import to_device_neurons

    given = " ".join(
        f"{name}={option_text(device.preferred[name])}" for name in ("samples", "window") if name in device.preferred
    )
    lowering = f"convert-ntensor-to-functions{{{given}}}" if given else "convert-ntensor-to-functions"
    return ",".join(filter(None, (to_device_neurons(device), lowering)))


def precision(module: ModuleOp, device: Device) -> Literal["f32", "f64"] | None:
    """Returns the default type of reals: that of the network's weights."""
    from ..c.arithmetic import precision_of

    return precision_of(module, device)


TARGET = HardwareTarget(
    slug="linalg",
    summary="functions in upstream MLIR dialects, for IREE and other compilers",
    source="MLIR documentation of the dialects func, linalg, tensor, arith, math and scf",
    api_version=API_VERSION,
    package=__package__,
    pipeline=pipeline,
    precision=precision,
)
