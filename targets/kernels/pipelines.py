"""The pipeline from a network in ticks to kernels, with the limits, features and preferences of a device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from xdsl.dialects.builtin import ModuleOp

from ...core.device.records import Device
from ...core.diagnostics import Diagnostics
from ...core.ir.pipeline import option_text
from ...dialects.kernels.program import FEATURES, LIMITS
from ...passes.pipelines import to_device_neurons
from ..c.arithmetic import precision_of as weights_precision
from .features import KNL003

WORKGROUPS = tuple(name for name in LIMITS if name.startswith("workgroup"))
OTHERS = tuple(name for name in LIMITS if name not in WORKGROUPS)
"""Limits of workgroups, which are chosen within them, and those of the finished program."""


def passes_to_kernels(device: Device, *, record: Sequence[str] = (), names: str | None = None) -> str:
    """Returns the passes from `ntensor` to a `kernels.program` for a device."""
    given: Mapping[str, Any] = device.preferred
    lowering = f"prefix={option_text(given.get('prefix', 'net'))} names={names or given.get('names', 'refuse')}"
    if record:
        lowering += f" record={','.join(option_text(name) for name in record)}"
    check_names(device)
    features = ",".join(name for name in FEATURES if has_feature(device, name)) or "none"
    groups = chosen(given, "workgroup", "form", "dispatch", "ticks", "layout", "parameters")
    steps = [
        ("convert-ntensor-to-c", lowering),
        ("c-clip-integers", ""),
        ("convert-c-to-kernels", chosen(given, "delivery")),
        ("kernels-fuse-stages", chosen(given, "fusion", "largest")),
        ("kernels-narrow-integers", ""),
        ("kernels-split-integers", f"features={features}"),
        ("kernels-choose-storage", f"{chosen(given, 'storage')} features={features}".strip()),
        ("kernels-plan-buffers", chosen(given, "planning", "alignment")),
        ("kernels-choose-workgroups", f"{groups} {limits(device, WORKGROUPS)}".strip()),
        ("kernels-use-shared-memory", f"{chosen(given, 'shared')} {limits(device, OTHERS)}".strip()),
    ]
    return ",".join(f"{name}{{{text}}}" if text else name for name, text in steps)


def limits(device: Device, names: Sequence[str]) -> str:
    """Returns the known ones of some limits as an option of their pass."""
    texts = [option_text(f"{name}:{value}") for name in names if (value := limit_of(device, name)) is not None]
    return f"limits={','.join(texts)}" if texts else ""


def chosen(given: Mapping[str, Any], *names: str) -> str:
    """Returns preferences as the options of their pass."""
    return " ".join(f"{name}={option_text(given[name])}" for name in names if name in given)


def pipeline(device: Device) -> str:
    """Returns the pipeline of a target of kernels."""
    return ",".join(filter(None, (to_device_neurons(device), passes_to_kernels(device))))


def check_names(device: Device) -> None:
    """Refuses limits and features that no kernel has. Errors: KNL003."""
    found = Diagnostics()
    for section, known in (("limits", LIMITS), ("features", FEATURES)):
        for name in getattr(device, section):
            if name not in known:
                found.error(
                    KNL003,
                    f'unknown name "{name}" in {section}',
                    at=f"{device.key}, {section}.{name}",
                    path=f"{section}.{name}",
                    expected=", ".join(known),
                    found=name,
                    help=f"remove {section}.{name} from the device file",
                )
    found.raise_errors()


def limit_of(device: Device, name: str) -> int | None:
    """Returns a limit of a device; None if it is unknown."""
    found = device.limits.get(name)
    return found.value if found is not None and isinstance(found.value, int) else None


def has_feature(device: Device, name: str) -> bool:
    found = device.features.get(name)
    return found is not None and found.value is True


def precision_of(module: ModuleOp, device: Device) -> Literal["f32", "f64"] | None:
    """Returns the default type of reals for a device: f32 if it has no reals of 64 bits."""
    return weights_precision(module, device) if has_feature(device, "fp64") else "f32"
