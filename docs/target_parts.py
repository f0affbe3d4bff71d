"""Generated parts of the page of a target: its devices, limits, passes, ops and codes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from tables import device_files, table
from xdsl.irdl import IRDLOperation

from nopt.api.devices._device_parts import value_text
from nopt.core import registry
from nopt.core.device.device import Device, load_device, numbers
from nopt.core.device.features import FEATURES, LIMITS
from nopt.core.diagnostics import Code
from nopt.core.ir.pipeline import parse_pipeline

PASSES = "../reference/passes.md"
ALSO_SHOWN = ("topology.chips", "topology.cores", "core.crossbar.axon_types", "core.destinations", "synapse.delay.min")
"""Fields of the table of limits that are no needs of networks."""


def first_sentence(doc: str | None) -> str:
    """Returns the first sentence of a docstring, with a capital and without the period."""
    text = " ".join(inspect.cleandoc(doc or "").split("\n\n")[0].split())
    head = text.partition(". ")[0].rstrip(".")
    return head[:1].upper() + head[1:]


def devices_of(slug: str) -> list[Device]:
    """Returns the devices of a target, the default first."""
    found = [device for path in device_files() if (device := load_device(path)).target == slug]
    default = registry.default_device(slug)
    return sorted(found, key=lambda device: device.name != default)


def devices_table(slug: str) -> str:
    rows = [(f"`{one.key}`", one.summary + "; the default" * (k == 0)) for k, one in enumerate(devices_of(slug))]
    return table(("device", "summary"), rows)


def limits_table(slug: str) -> str:
    """Returns the limits with one column for each device."""
    devices = devices_of(slug)
    known = [{path: held for path, held, _ in numbers(device)} for device in devices]
    rows: list[tuple[str, ...]] = []
    for path in (*ALSO_SHOWN[:2], *dict.fromkeys(LIMITS.values()), *ALSO_SHOWN[2:]):
        held = [one.get(path) for one in known]
        if any(one is not None for one in held):
            cells = ["" if one is None else value_text(one) for one in held]
            rows.append((f"`{path}`", *cells))
    return table(("limit", *(f"`{one.key}`" for one in devices)), rows)


def link_of(name: str) -> str:
    return f"[`{name}`]({PASSES}#{name})"


def passes_table(slug: str) -> str:
    """Returns the pipeline of the default device, pass by pass."""
    device = devices_of(slug)[0]
    rows: list[tuple[str, str]] = []
    for step in parse_pipeline(registry.targets()[slug]().pipeline(device), registry.passes()):
        rows.append((link_of(step.name), first_sentence(inspect.getdoc(inspect.getmodule(step)))))
    return table(("pass", "what it does"), rows)


def repairs_table(slug: str) -> str:
    """Returns what the pipeline does with features that the default device does not support."""
    device = devices_of(slug)[0]
    rows: list[tuple[str, str, str, str]] = []
    for name, one in device.fallbacks.items():
        steps = ", ".join(link_of(step.name) for step in parse_pipeline(one.passes, registry.passes()))
        rows.append((name.replace("_", " "), f"`{FEATURES[name].field}`", steps, one.note or ""))
    return table(("feature", "field of the device", "passes", "note"), rows)


def ops_table(slug: str) -> str:
    """Returns the ops of the exit dialect."""
    operations = [op for op in registry.dialects()[slug]().operations if issubclass(op, IRDLOperation)]
    up = f"../reference/dialects/{slug}.md"
    rows = [
        (f"[`{op.name}`]({up}#{op.name.replace('.', '')})", first_sentence(inspect.getdoc(op))) for op in operations
    ]
    return table(("op", "what it is"), rows)


def codes_table(slug: str, codes: Iterable[tuple[Code, Path]]) -> str:
    """Returns the codes that the rooms of a target declare."""
    rows = [(f"[{code}](../codes.md#{code.id.lower()})", code.summary) for code, path in codes if slug in path.parts]
    return table(("code", "what is wrong"), rows)


def log_part(slug: str) -> str:
    """Returns how the log of a run on a machine reaches the project; only the device differs between the targets."""
    device = devices_of(slug)[0].key
    rows = [
        ("`build/report.json`, `build/device.json`", f"`nopt compile NET.nir --target {device} … -o build`"),
        ("`build/artefact/`, without what you may not share", "the same command"),
        ("the input of the run: `IN.npz`", "your program"),
        ("`model.npz`", "`nopt run build --input IN.npz --record POPULATION -o model.npz`"),
        ("the output of the machine: `OUT.npz` or another file", "the command of the table above"),
        ("`machine.log`", "the same command with `2>&1 | tee machine.log`, and the log of the vendor's tool"),
        ("`comparison.txt`", "`nopt compare model.npz OUT.npz > comparison.txt`, if the output is an `.npz`"),
        (
            "`power.csv`",
            "a power meter, if there is one: [a power log](../measuring.md#a-power-log-next-to-the-estimate)",
        ),
        ("`versions.txt`", "`nopt --version`, `python -m pip freeze`, and revision and firmware of the board"),
    ]
    return "\n\n".join(
        (
            "A log is useful whether or not it agrees with the model. Open an issue in the issue tracker of the project, with the form "
            '"Run on a machine", and attach:',
            table(("file", "made by"), rows),
        )
    )


TARGET_PARTS: Mapping[str, Callable[[str], str]] = {
    "target-devices": devices_table,
    "target-limits": limits_table,
    "target-passes": passes_table,
    "target-repairs": repairs_table,
    "target-ops": ops_table,
    "target-log": log_part,
}
"""Parts of pages `targets/SLUG.md` by their marks; `codes_table` also takes the codes of the tree."""
