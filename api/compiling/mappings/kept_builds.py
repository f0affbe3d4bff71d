"""Mapping of an earlier build that a compilation keeps: the pass for it, and the record of the layers that kept their cores."""

from __future__ import annotations

from collections.abc import Container, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from ....core import registry
from ....core.device.device import Device
from ....core.diagnostics import Code, ExitCode, refuse
from ....core.help_text import Phrase, WithoutOptions
from ....dialects.machine.kept_mapping import KEEP_MAPPING, KEEP_OPTION, MOVE_OPTION
from ....passes.pipelines import STAGES
from ..builds import MAPPING, REPORT, require_mapping, require_report
from ..target_pipelines import steps_of

CMP019 = Code(
    "CMP019", "kept-mapping-without-effect", "a compilation has no mapping to keep", exit_code=ExitCode.MISUSED
)


def moved_layers(move: Sequence[str] | str) -> tuple[str, ...]:
    """Returns the names of a list, or of texts with commas."""
    texts = (move,) if isinstance(move, str) else tuple(move)
    return tuple(dict.fromkeys(name for text in texts for name in text.split(",") if name))


def mapping_file(build: str | Path) -> Path:
    """Returns the `mapping.json` of a build, or the path itself if it names a file."""
    path = Path(build)
    return path / MAPPING if path.is_dir() else path


def require_kept(
    build: str | Path | None, move: tuple[str, ...], device: Device, until: str | None
) -> dict[str, Any] | None:
    """Returns the earlier mapping; None if none is kept. Errors: CMP019 it has no effect; CMP009 no build; COR008, CMP011 it cannot be read."""
    names = ",".join(move)
    if build is None:
        if move:
            refuse(
                CMP019,
                "layers move only where the others keep an earlier mapping",
                at=f"{MOVE_OPTION} {names}",
                expected=f"{KEEP_OPTION} DIR",
                found="none",
                help=Phrase(WithoutOptions((MOVE_OPTION,))),
            )
        return None
    if not any(step.name == STAGES["placed"] for step in steps_of(device, until)):
        refuse(
            CMP019,
            "the compilation places no neurons on cores",
            at=f"{KEEP_OPTION} {build}",
            expected="a device with cores, and a level at which they are placed",
            found=device.key if until is None else f"{device.key}, --until {until}",
            help=Phrase(WithoutOptions((KEEP_OPTION, MOVE_OPTION))),
        )
    path = Path(build)
    if path.is_dir() and require_report(path)["mapping"] is None:
        refuse(
            CMP019,
            f"{build} has no {MAPPING}",
            at=f"{KEEP_OPTION} {build}",
            expected="a build of a device with cores",
            found=f"a build for {require_report(path)['device']['name']} ({REPORT})",
            help=Phrase(WithoutOptions((KEEP_OPTION, MOVE_OPTION))),
        )
    return require_mapping(mapping_file(path))


def keep_passes(build: str | Path | None, move: Sequence[str]) -> list[ModulePass]:
    """Returns the pass that keeps the mapping of a build; none without a build."""
    if build is None:
        return []
    options: dict[str, Any] = {"mapping": (str(mapping_file(build)),)}
    if move:
        options["move"] = (*move,)
    return [registry.passes()[KEEP_MAPPING]().from_spec(ArgSpec(KEEP_MAPPING, options))]


def kept_record(
    build: str | Path | None, move: Container[str], earlier: Mapping[str, Any] | None, new: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Returns the record of a kept mapping: the vertices of each layer that kept their neurons and their core, and why others have not; None without an earlier one."""
    if build is None or earlier is None:
        return None
    shapes = {one["node"]: one["shape"] for one in earlier["populations"]}
    before, after = place_of_slices(earlier), place_of_slices(new)
    rows: list[dict[str, Any]] = []
    for one in new["populations"]:
        node = one["node"]
        own = after[node]
        kept = sum(before.get(node, {}).get(key) == place for key, place in own.items())
        if kept == len(own):
            reason = None
        elif node not in shapes:
            reason = "new"
        elif node in move:
            reason = MOVE_OPTION
        else:
            reason = "another shape" if shapes[node] != one["shape"] else "other slices"
        if not one["is_input"]:
            rows.append({"node": node, "kept": kept, "moved": len(own) - kept, "reason": reason})
    names = {row["node"] for row in new["populations"]}
    return {
        "file": str(mapping_file(build)),
        "kept": sum(row["kept"] for row in rows),
        "moved": sum(row["moved"] for row in rows),
        "layers": rows,
        "removed": [name for name in shapes if name not in names],
    }


def place_of_slices(mapped: Mapping[str, Any]) -> dict[str, dict[Hashable, Hashable]]:
    """Returns the places of the slices of each layer, by their neurons: a box, or a list of indices."""
    places = {(one["chip"], one["id"]): (one["x"], one["y"], one.get("slot", 0)) for one in mapped["cores"]}
    orders = {one["node"]: one["order"] for one in mapped["populations"]}
    found: dict[str, dict[Hashable, Hashable]] = {one["node"]: {} for one in mapped["populations"]}
    for one in mapped["vertices"]:
        order, box = orders[one["node"]], one["slice"]
        key = tuple(map(tuple, box)) if order is None else tuple(order[box[0][0] : box[0][1]])
        found[one["node"]][key] = (one["chip"], *places[one["chip"], one["core"]])
    return found
