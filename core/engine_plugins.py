"""Engines of packages of their own, with the entry point `nopt.engines`.

    [project.entry-points."nopt.engines"]
    my_engine = "my_package.engine:ENGINE"

An engine that fails to import, that is for another version of the record, or that defines something else, is left out of every list with a warning (COR019,
COR020, COR022).
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from attrs import evolve

from .diagnostics import refuse
from .engine import HostEngine
from .plugins import COR022, Importing, Plugin, of_point

GROUP = "nopt.engines"
KIND = "engine"


def installed_engines() -> tuple[Plugin, ...]:
    """Returns the engines of installed packages before their import, sorted by name."""
    points = (of_point(point, KIND) for point in entry_points(group=GROUP))
    return tuple(sorted(points, key=lambda plugin: (plugin.slug, plugin.origin)))


def load_engine(plugin: Plugin) -> HostEngine:
    """Imports the record of an engine. Errors: COR019, COR020, COR022."""
    with Importing(plugin):
        record: Any = import_module(plugin.module)
    for name in plugin.attribute.split("."):
        record = getattr(record, name, None)
    if not isinstance(record, HostEngine) or record.name != plugin.slug:
        found = f"the name {record.name}" if isinstance(record, HostEngine) else f"{plugin.attribute} is {record!r}"
        expected = f"a HostEngine with the name {plugin.slug}"
        message = f"{plugin.origin} does not define that engine"
        refuse(COR022, message, at=plugin.place, expected=expected, found=found, help=plugin.removal)
    plugin.require_version(record.name, record.api_version)
    return evolve(record, probe=plugin.guarded(record.probe))
