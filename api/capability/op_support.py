"""Ops of `nir` and `ntensor` that a device runs. They are tested with small networks, through the device's fallbacks and its target's pipeline.

| state | meaning |
| --- | --- |
| `exact` | the network fits as it is, in the number formats of the device |
| `approximate` | the network fits with approximations; the note has the option that permits them |
| `refused` | the network does not fit with any permission; the note has the code and the message |
| `planned` | the device file exists, but no pass leads to the device, or its target is a template |

The states are those of `nopt check --approximate all` for the same network. The population of the networks has the first family and reset rule that is exact on
the device; without one, the first approximated one; without these, the first refusal counts. An op with several networks has the best of their states. The
calibration input is random; only devices whose neurons need a calibration have one. The note also names the passes that round numbers of the op's node with
an error, exact passes that must be typed, and the host if it computes the op. Populations of values read a population of spikes, because readouts do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Literal, get_args

from attrs import define, field, frozen
from xdsl.dialects.builtin import FloatAttr, ModuleOp

from ...core.device.device import Device
from ...core.diagnostics import Diagnostics, Finding, Severity
from ...core.progress import Progress, doing, require_progress
from ...core.template_stub import COR028
from ...dialects import machine, ntensor
from ..budgets import MaxTime, with_max_time
from ..compiling.target_pipelines import steps_of
from ..conformance.networks import RESETS
from ..devices.device_files import device_columns
from ..json_record import Record
from ..modules import only_network
from .op_support_networks import (
    DTYPES,
    PROBES,
    Make,
    OpDrawing,
    OpProbe,
    family_flat,
    family_map,
    with_padding,
)
from .probe_networks import PROBED_FAMILIES, added_passes, families_of, in_ticks, rules_of, tick_of, try_network
from .tables import Link, Table, no_link

OpState = Literal["exact", "approximate", "refused", "planned"]
OP_STATES: tuple[OpState, ...] = get_args(OpState)
"""The states, the best first."""
TEMPLATE, NO_PASS = "the target is a template", "no pass leads to the device"
ON_HOST = "the host computes the readout"


@frozen
class OpCell(Record):
    """One op on one device, in one type of weights."""

    op: str
    device: str
    dtype: str
    state: OpState
    note: str = ""

    @property
    def target(self) -> str:
        """Returns the slug of the target."""
        return self.device.partition("/")[0]


@with_max_time
def op_support(
    target: str | None = None,
    *,
    op: str | None = None,
    state: str | None = None,
    progress: Progress | None = None,
    max_time: MaxTime = None,
) -> list[OpCell]:
    """Returns whether a device runs each op: of `TARGET/DEVICE`, or of the default device of a target or of all targets.

        [cell.op for cell in nopt.op_support("asic/edge", state="refused") if cell.dtype == "i4"]

    `op` and `state` select. Each device takes seconds, because its networks are compiled. Errors: API021, DEV005.
    """
    require_progress(progress)
    devices = op_devices(target)
    found = list[OpCell]()
    each = len(PROBES) * len(DTYPES) if op is None else len(DTYPES)
    for done, device in enumerate(devices):
        with doing(f"device {device.key}", done + 1, len(devices)):
            for number, one in enumerate(cells_of(device, op), 1):
                found += [one] if state in (None, one.state) else []
                if progress is not None:
                    progress(done * each + number, len(devices) * each)
    return found


def op_devices(target: str | None = None) -> list[Device]:
    """Returns the device `TARGET/DEVICE`, or one device for each target: the default device, else the first with a pipeline, else the first."""
    from ...core import registry

    if target is not None and "/" in target:
        return device_columns(target)
    groups: dict[str, list[Device]] = {}
    for device in device_columns(target):
        groups.setdefault(device.target, []).append(device)

    def rank(device: Device) -> tuple[bool, bool]:
        return device.name != registry.default_device(device.target), not steps_of(device)

    return [min(group, key=rank) for group in groups.values()]


def cells_of(device: Device, op: str | None = None) -> Iterator[OpCell]:
    """Yields the cells of a device, in the order of the ops, for each type of weights."""
    if not steps_of(device):
        yield from (
            OpCell(one.op, device.key, dtype, "planned", NO_PASS)
            for one in PROBES
            for dtype in DTYPES
            if op in (None, one.op)
        )
        return
    attempt = Attempt(device)
    by_op = {one.op: one for one in PROBES}
    for one in PROBES:
        for dtype in DTYPES if op in (None, one.op) else ():
            sources = [by_op[name] for name in one.like] or [one]
            yield OpCell(one.op, device.key, dtype, *best_outcome(attempt.result(source, dtype) for source in sources))


Outcome = tuple[OpState, str]


def best_outcome(outcomes: Iterable[Outcome]) -> Outcome:
    """Returns the first of the best outcomes. Iteration stops at an exact outcome."""
    found: Outcome | None = None
    for one in outcomes:
        if one[0] == "exact":
            return one
        if found is None or OP_STATES.index(one[0]) < OP_STATES.index(found[0]):
            found = one
    assert found is not None  # an op has a network
    return found


@define
class Attempt:
    """Networks on one device; each is compiled once."""

    device: Device
    known: dict[tuple[str, str], Outcome] = field(factory=dict[tuple[str, str], Outcome], init=False)

    @cached_property
    def carrier(self) -> tuple[str, str]:
        """Returns family and reset rule of the populations in networks that test ops other than neuron families."""
        families = [
            name for name in families_of(self.device) if name in PROBED_FAMILIES and PROBED_FAMILIES[name][0].SPIKES
        ]
        choices = [(family, rule) for family in families for rule in rules_of(family)]
        states = dict[OpState, tuple[str, str]]()
        for family, rule in choices:
            for make in (family_flat(family), *with_padding(family_map(family))):
                state, _ = self.outcome(make, None, DTYPES[-1], family, rule)
                states.setdefault(state, (family, rule))
                if state == "exact":
                    return family, rule
        return states.get("approximate") or next(iter(choices), ("lif", RESETS[0]))

    def result(self, probe: OpProbe, dtype: str) -> Outcome:
        """Returns the best outcome over the networks of an op; for a family of spiking neurons, also over the reset rules."""
        if (key := (probe.op, dtype)) not in self.known:
            family = probe.op.removeprefix("nir.")
            is_spiking = family in PROBED_FAMILIES and PROBED_FAMILIES[family][0].SPIKES
            pairs = [(family, rule) for rule in rules_of(family)] if is_spiking else [self.carrier]
            self.known[key] = self.best(probe, dtype, pairs)
        return self.known[key]

    def best(self, probe: OpProbe, dtype: str, pairs: Sequence[tuple[str, str]]) -> Outcome:
        return best_outcome(
            self.outcome(make, probe.replace, dtype, family, rule) for family, rule in pairs for make in probe.networks
        )

    def outcome(
        self, make: Make, replace: Callable[[ModuleOp], None] | None, dtype: str, family: str, rule: str
    ) -> Outcome:
        """Compiles one network, and returns its state with the reason."""
        net = OpDrawing(tick_of(self.device), family, dtype, self.device.integer("synapse.delay.min") or 0)
        network, found = net.finish(make(net)), Diagnostics()
        with found.collecting():
            module = in_ticks(self.device, network, rule, replace)
            return permitted_outcome(self.device, module, net.subject)
        return "refused", refusal_text(found.errors[0])


def permitted_outcome(device: Device, module: ModuleOp, subject: str | None) -> Outcome:
    """Returns the state of a network in ticks as `nopt check --approximate all` reports it, and the reason."""
    _, best = try_network(device, module)
    fitted = best.fit
    errors = [one for one in fitted.findings if one.severity is Severity.ERROR]
    if any(one.code is COR028 for one in errors):
        return "planned", TEMPLATE
    if not fitted.is_fitting:
        return "refused", refusal_text(errors[0])
    lowered = fitted.graph or fitted.network or best.network
    assert lowered is not None  # the pipeline ran
    (op,) = (op for op in lowered.ops if isinstance(op, ntensor.NetworkOp | machine.GraphOp))
    records = [*(op.approximations or ())][len(only_network(module).approximations or ()) :]
    steps = dict.fromkeys(one.step.data.partition("{")[0] for one in records if changes(one, subject))
    added = added_passes(device, fitted)
    names = f"--approximate {','.join(fitted.approximations)}" if fitted.approximations else ""
    given = f"with {', '.join(added)}" if added and not names else ""
    host = ON_HOST if fitted.last_with(ntensor.ReadoutOp) else ""
    state: OpState = "approximate" if fitted.fits == "approximate" else "exact"
    return state, "; ".join(filter(None, [names, ", ".join(steps), given, host]))


def refusal_text(finding: Finding) -> str:
    return f"{finding.code}: {finding.message}"


def changes(record: ntensor.ApproximationAttr, subject: str | None) -> bool:
    """Returns whether a record of an approximation applies to a node and has an error. A record without nodes applies to all."""
    touched = [name.data for name in record.touched]
    is_about = not touched or any(one.partition(".")[0] == subject for one in touched)
    return is_about and not (isinstance(record.largest, FloatAttr) and record.largest.value.data == 0)


# ---- tables


def op_tables(cells: Sequence[OpCell], link: Link = no_link) -> Iterator[Table]:
    """Yields a table for each dialect."""
    devices = list(dict.fromkeys(cell.device for cell in cells))
    for dialect in dict.fromkeys(cell.op.partition(".")[0] for cell in cells):
        own = [cell for cell in cells if cell.op.partition(".")[0] == dialect]
        if len(devices) == 1:
            yield device_op_table(dialect, own)
            continue
        rows = tuple(
            (op, *(states_text([one for one in own if (one.op, one.device) == (op, device)]) for device in devices))
            for op in dict.fromkeys(cell.op for cell in own)
        )
        names = [link(key, f"targets/{key.partition('/')[0]}.md") for key in devices]
        yield Table(dialect, ("op", *names), rows)


def states_text(cells: Sequence[OpCell]) -> str:
    """Returns the state of an op on a device; if it differs between weight types, each state with its types."""
    groups: dict[OpState, list[str]] = {}
    for cell in cells:
        groups.setdefault(cell.state, []).append(cell.dtype)
    if len(groups) == 1:
        return next(iter(groups))
    return "; ".join(f"{', '.join(dtypes)}: {state}" for state, dtypes in groups.items())


def device_op_table(dialect: str, cells: Sequence[OpCell]) -> Table:
    """Returns the table of one device, with the notes."""
    rows: list[tuple[str, ...]] = []
    for op in dict.fromkeys(cell.op for cell in cells):
        own = [cell for cell in cells if cell.op == op]
        notes = dict.fromkeys(part for cell in own if cell.note for part in cell.note.split("; "))
        rows.append((op, states_text(own), "; ".join(notes)))
    return Table(dialect, ("op", "state", "note"), tuple(rows))
