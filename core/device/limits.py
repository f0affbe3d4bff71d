"""Comparison of resource needs with the limits of a device: one table for the verifiers, `nopt check` and the mapper.

Needs have the names that contracts use (`core/device/records.py`, QUANTITIES), and `classes.NAME` is the number of different values of
a group of shared parameters. An unknown need or an unpublished limit is never exceeded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from ..diagnostics import Code, Finding
from ..help_text import OtherDevice, Phrase
from .core_kinds import kinds_of, path_in_kind
from .features import LIMITS
from .numbers import declarations, values
from .outside_memory import CONTENTS, STORE, WHOLE_MEMORY, chip_memories, contents_of, core_memories, subsets
from .records import QUANTITIES, Device

if TYPE_CHECKING:
    from ..contract.contract import Contract

DEV016 = Code("DEV016", "limit-exceeded", "a limit of the device is exceeded")
DEV021 = Code("DEV021", "contract-violated", "a contract of the device does not hold")

ADDED = ("neurons", "synapses", "output_axons", "synapse_bytes", "neuron_bytes", "axon_bytes")
"""Needs that are added over the vertices of a core."""
JOINED = "input_axons"
"""The need that, like classes, is counted once per core: sources and values that several vertices share count once."""
OTHER_DEVICE = Phrase(OtherDevice())
"""Help line if no change of the network is known to help."""

CONSTRAINTS = "constraints"
"""Field of a device with its contracts."""


@frozen
class Excess:
    """A need beyond its limit."""

    need: str
    """Name of the need; for memory that shares regions, several names joined by a plus."""
    path: str
    """The device field with the limit."""
    limit: int
    found: int
    source: str
    """The declaration of the limit, as messages cite it."""

    @property
    def unit(self) -> str:
        if self.need.startswith(STORE):
            return "byte"
        return QUANTITIES[self.need.partition("+")[0]][0] if not self.need.startswith("classes.") else "classes"

    @property
    def expected(self) -> str:
        return f"at most {quantity_text(self.limit, self.unit)}"

    @property
    def value(self) -> str:
        return quantity_text(self.found, self.unit)


def limit_exceeded(excesses: Sequence[Excess], found: str = "", notes: Iterable[str] = (), **parts: Any) -> Finding:
    """Returns the finding about the most exceeded limit; all other exceeded limits are notes. Errors: DEV016."""
    worst, *others = excesses
    return Finding(
        DEV016,
        excess_text(worst.need, worst.found, worst.limit),
        expected=worst.expected,
        found=found or worst.value,
        source=worst.source,
        path=worst.path,
        limit=worst.limit,
        value=worst.found,
        notes=(*notes, *(f"{words_of(one.need)}: {one.expected} ({one.source}), found {one.value}" for one in others)),
        **parts,
    )


def excess_text(need: str, value: int, limit: int) -> str:
    """Returns the message about a need beyond its limit: `fan-in 62 exceeds the limit 4`."""
    words = words_of(need)
    return f"{words} {value} {'exceed' if words.endswith('s') or 'classes' in words else 'exceeds'} the limit {limit}"


def words_of(need: str) -> str:
    """Returns the name of a need or feature for messages."""
    return re.sub(r"\bfan ", "fan-", need.replace("+", " and ").replace("_", " ").replace("classes.", "classes of "))


def quantity_text(number: int, unit: str) -> str:
    """Returns a number with its unit, in the singular for 1."""
    words = {"bit": "bits", "byte": "bytes", "1": ""}.get(unit, unit)
    if number == 1:
        words = words[:-2] if words.endswith("sses") else words.removesuffix("s")
    return f"{number} {words}".rstrip()


def excesses(device: Device, needs: Mapping[str, int], kind: str | None = None) -> list[Excess]:
    """Returns every exceeded limit, the largest ratio first.

    With several core kinds and no `kind`, the result is empty if some kind meets all limits, and else lists the excesses of the kind with the smallest ratio.
    """
    kinds = kinds_of(device)
    given = kinds if kind is None else {kind: kinds.get(kind, device)}
    best: list[Excess] | None = None
    for name, one in given.items():
        found = excesses_of_core(one, needs)
        if name:
            paths = [path_in_kind(device, name, excess.path) for excess in found]
            found = [
                excess if path == excess.path else evolve(excess, path=path, source=device.cite(path))
                for path, excess in zip(paths, found, strict=True)
            ]
        if best is None or not found or (best and ratio_of(found) < ratio_of(best)):
            best = found
    return best or []


def ratio_of(found: Sequence[Excess]) -> float:
    """Returns the ratio of the first need to its limit."""
    return found[0].found / max(1, found[0].limit)


def excesses_of_core(device: Device, needs: Mapping[str, int]) -> list[Excess]:
    """Returns every limit of `core` that is exceeded, the largest ratio first."""
    found = [*field_excesses(device, needs), *class_excesses(device, needs), *memory_excesses(device, needs)]
    for store in device.memory:
        found += find_excess(device, f"{STORE}{store}", f"{STORE}{store}.bytes", needs.get(f"{STORE}{store}"))
    return sorted(found, key=lambda one: -one.found / max(1, one.limit))


def field_excesses(device: Device, needs: Mapping[str, int]) -> Iterator[Excess]:
    for need, path in LIMITS.items():
        yield from find_excess(device, need, path, needs.get(need))


def find_excess(device: Device, need: str, path: str, found: int | None) -> Iterator[Excess]:
    limit = device.integer(path)
    if found is not None and limit is not None and found > limit:
        yield Excess(need, path, limit, found, device.cite(path))


TABLE_FORMATS, PRE_TRACES = "formats", "pre_traces"
"""Names of two classes of a core: the formats of its tables, and the presynaptic traces of plastic synapses."""
CLASS_FIELDS = {TABLE_FORMATS: "core.synapse_formats", PRE_TRACES: "core.pre_traces"}


def class_limits(device: Device) -> dict[str, str]:
    """Returns the device field that limits each kind of classes of a core: groups of shared parameters, formats of tables, and traces."""
    if device.core is None:
        return {}
    found = {name: f"core.shared.{name}.classes" for name in device.core.shared}
    return found | {name: path for name, path in CLASS_FIELDS.items() if device.quantity(path) is not None}


def class_excesses(device: Device, needs: Mapping[str, int]) -> Iterator[Excess]:
    for name, path in class_limits(device).items():
        yield from find_excess(device, f"classes.{name}", path, needs.get(f"classes.{name}"))


def memory_excesses(device: Device, needs: Mapping[str, int]) -> Iterator[Excess]:
    """Yields excesses of the whole memory, then of contents that share regions."""
    known = {need: n for need in CONTENTS if (n := needs.get(need)) is not None}
    for paths, some, room in memory_limits(device):
        total = sum(known.get(need, 0) for need in some)
        if total > room and (paths == [WHOLE_MEMORY] or known.keys() >= {*some}):
            path, named = path_of_fields(paths), "+".join(need for need in some if need in known)
            source = device.cite(path) if len(paths) == 1 else f"{device.key}, {' and '.join(paths) or 'core.memory'}"
            yield Excess(named, path, room, total, source)


def memory_limits(device: Device) -> Iterator[tuple[list[str], tuple[str, ...], int]]:
    """Yields the memory that contents must share: the device fields, the contents, and the bytes.

    All contents together share the memory of a core, unless some can be stored outside of it. Each set of contents shares the regions and stores
    that can store one of them. An unknown size is not a limit. Stores that several cores use are a limit of their chip (`outside_memory.py`).
    """
    if device.core is None:
        return
    is_whole = not chip_memories(device, contents_of(CONTENTS))
    if is_whole and (room := device.integer(WHOLE_MEMORY)) is not None:
        yield [WHOLE_MEMORY], tuple(CONTENTS), room
    for some in subsets(tuple(CONTENTS)) if device.core.memory or not is_whole else ():
        fitting = core_memories(device, contents_of(some)) + chip_memories(device, contents_of(some))
        sizes = [device.integer(path) for path in fitting]
        if None not in sizes:
            yield fitting, some, sum(n for n in sizes if n is not None)


def path_of_fields(fields: Sequence[str]) -> str:
    """Returns the field that names a limit: the only field, or `core.memory` if the contents share several regions."""
    return fields[0] if len(fields) == 1 else "core.memory"


def is_joined(need: str) -> bool:
    """Returns whether all vertices of a core share one use of a resource, so that it is counted once."""
    return need == JOINED or need.startswith("classes.")


def add_needs(needs: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Returns the total needs of one core: additive needs are summed over its vertices."""
    total: dict[str, int] = {}
    for one in needs:
        for name, n in one.items():
            if name in ADDED or name.startswith(STORE):
                total[name] = total.get(name, 0) + n
    return total


# ---- contracts


@frozen
class Broken:
    """Violated contract."""

    text: str
    source: str
    reasons: tuple[str, ...]
    """A sentence for each comparison that fails."""
    lines: tuple[str, ...]
    """Each sub-expression with its value."""
    changes: tuple[str, ...]
    """Changes of a single need that satisfy the contract."""

    def finding(self, notes: Iterable[str] = (), **parts: Any) -> Finding:
        """Returns the finding about the contract. Errors: DEV021."""
        return Finding(
            DEV021,
            expected=self.text,
            found="\n".join(self.lines),
            source=self.source,
            path=CONSTRAINTS,
            help=" or ".join(self.changes) or None,
            notes=(*notes, *self.reasons),
            **parts,
        )


class Contracts:
    """Parsed contracts of a device."""

    def __init__(self, device: Device):
        self.device = device
        self.parsed = [(one, contract_at(device, k)) for k, one in enumerate(device.constraints)]
        self.values = values(device) if self.parsed else {}

    def broken(self, needs: Mapping[str, int]) -> Iterator[Broken]:
        """Yields the contracts that the needs violate; contracts on unknown numbers are skipped."""
        for one, contract in self.parsed:
            given = {**self.values, **needs}
            if contract.holds(given) is not False:
                continue
            changes = [contract.needed(name, given) for name in contract.names if name in needs]
            reason = contract.explain(given)
            source = f"{self.device.key}, {CONSTRAINTS}: {self.device.sources.get(one.source, one.source)}"
            shown = tuple(str(change) for change in changes if change is not None)
            yield Broken(str(contract), source, reason.reasons, reason.lines, shown)


def contract_at(device: Device, k: int) -> Contract:
    from ..contract.contract import parse_contract

    return parse_contract(device.constraints[k].expression, declarations(device), at=f"$.constraints[{k}].expression")
