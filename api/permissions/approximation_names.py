"""Names of approximations that a user permits: `--approximate reset,count` or `--approximate all`."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from ...core.approximations import APPROXIMATIONS
from ...core.diagnostics import Code, ExitCode, refuse
from ...core.help_text import Phrase, WithoutOptions

CMP015 = Code("CMP015", "approximation-unknown", "unknown name of an approximation", exit_code=ExitCode.MISUSED)

CMP016 = Code("CMP016", "approximations-without-device", "approximations have no device", exit_code=ExitCode.MISUSED)

DEVICE_OPTIONS = "--target or --device, whose passes approximate"
EVERY = "all"
"""The permission of every approximation."""


def require_effect(permitted: Sequence[str], expected: str, *, has_effect: bool, missing: str = "device") -> None:
    """Refuses permissions that have no effect, without what is `expected`. Errors: CMP016."""
    if permitted and not has_effect:
        names = EVERY if len(permitted) == len(APPROXIMATIONS) else ",".join(permitted)
        help = Phrase(WithoutOptions(("--approximate",)))
        message, at = f"approximations have no {missing}", f"--approximate {names}"
        refuse(CMP016, message, at=at, expected=expected, found=f"no {missing}", help=help)


def permitted_names(given: Sequence[str] | str | None) -> tuple[str, ...]:
    """Returns the permitted approximations in alphabetical order: of `reset,count`, of a list of names, or of `all`.

        permitted_names("reset,count") == ("count", "reset")

    Errors: CMP015 an unknown name.
    """
    texts = [given] if isinstance(given, str) else given or ()
    names = [name.strip() for text in texts for name in text.split(",") if name.strip()]
    for name in names:
        if name not in APPROXIMATIONS and name != EVERY:
            near = get_close_matches(name, APPROXIMATIONS, 1)
            others = [
                *dict.fromkeys(near[0] if other == name and near else other for other in names if near or other != name)
            ]
            refuse(
                CMP015,
                f'unknown approximation "{name}"',
                at=f"--approximate {','.join(names)}",
                expected=f"{EVERY}, or names of: {', '.join(APPROXIMATIONS)}",
                found=name,
                help=f"--approximate {','.join(others) or EVERY}",
            )
    return tuple(sorted(APPROXIMATIONS if EVERY in names else set(names)))
