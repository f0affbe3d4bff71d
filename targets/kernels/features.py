"""Features of a device in the options of passes."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.diagnostics import Code, refuse
from ...core.ir.pipeline import NoptPass, pass_text
from ...dialects.kernels.program import FEATURES

KNL003 = Code("KNL003", "kernel-device-option-unknown", "a limit or feature of kernels is unknown")


def known_features(one: NoptPass, given: Sequence[str]) -> list[str] | None:
    """Returns the features in an option; None for all. Errors: KNL003."""
    names = [name for name in given if name != "none"]
    for name in names:
        if name not in FEATURES:
            known, help = ", ".join(FEATURES), f"leave out {name}"
            refuse(KNL003, f'unknown feature "{name}"', at=pass_text(one), expected=known, found=name, help=help)
    return names if given else None
