"""Extras of the package: optional dependencies with their installed versions, and the command that installs them.

Packages that a target needs are the extra `backend_<slug>` of nopt, or of the plug-in that brings the target. Most targets need none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, entry_points, metadata, requires, version

from attrs import frozen

from ...core.plugins import GROUP
from ..json_record import Record

OWN = "nopt"
BACKEND = "backend_"
UNDERSCORED = ("backend", "engine")
"""First words of the extras whose names have underscores."""
REQUIREMENT = re.compile(r"([A-Za-z0-9][\w.-]*)[^;]*(?:;.*\bextra\s*==\s*['\"]([^'\"]+)['\"])?.*")


@frozen
class Extra(Record):
    """One extra of a distribution."""

    name: str
    packages: Mapping[str, str | None]
    """The installed version of each package; None if it is not installed."""
    is_installed: bool
    command: str
    """The command that installs it."""


def extras() -> list[Extra]:
    """Returns the extras of nopt, sorted by name.

    [extra.command for extra in nopt.extras() if not extra.is_installed]
    """
    return sorted(extras_of(OWN), key=lambda one: one.name)


def backend_extra(slug: str) -> Extra | None:
    """Returns the extra with a target's packages; None if no distribution declares it."""
    points = entry_points(group=GROUP, name=slug)
    distributions = dict.fromkeys([OWN, *(point.dist.name for point in points if point.dist is not None)])
    return next((extra for name in distributions for extra in extras_of(name, f"{BACKEND}{slug}")), None)


def extras_of(distribution: str, wanted: str | None = None) -> Iterator[Extra]:
    """Yields the extras of a distribution, or only the requested one; none if the distribution is not installed."""
    try:
        names, texts = extra_names(distribution), requires(distribution) or []
    except PackageNotFoundError:
        return
    parsed = [match for text in texts if (match := REQUIREMENT.fullmatch(text)) is not None]
    for name in names:
        shown = name.replace("-", "_") if name.startswith(UNDERSCORED) else name  # metadata has dashes, pip takes both
        if wanted not in (None, shown):
            continue
        packages = {match[1]: installed_version(match[1]) for match in parsed if match[2] == name}
        is_installed = None not in packages.values()
        yield Extra(shown, packages, is_installed, f"pip install '{distribution}[{shown}]'")


def extra_names(distribution: str) -> list[str]:
    """Returns the names of the extras of an installed distribution."""
    return metadata(distribution).get_all("Provides-Extra") or []


def installed_version(package: str) -> str | None:
    """Returns the version of a package; None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
