"""Questions about the limits of a device, memory included: each limit is tested just inside and just outside.

A limit is set to the amount that a network uses, then to one less. The device must accept the first. The second must be refused with
the limit, or the network must be compiled differently so that it uses less. The verifier of the exit dialect must refuse the module compiled for
the first. One compilation tests all limits that the network exhausts at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from ...core.device.device import Device
from ...core.device.limits import WHOLE_MEMORY
from ...core.diagnostics import Finding, Refused
from ...dialects import machine
from ...dialects.chip_base.user import ResourceUserOpInterface
from ..compiling.occupancy import core_uses, uses_of_needs
from .networks import Drawn
from .subject import Answer, Compiled, Subject

MEMORY = ("core.memory", "memory.")
REGION = "core.memory."
DELAY = "synapse.delay"
CORES = "topology.cores"
WINDOWS = "synapse.convolution."


def ask_limits(subject: Subject) -> Iterator[Answer]:
    """Limits are enforced just inside and just outside, by the compiler and by the verifier of the exit dialect."""
    for one in subject.asked(1):
        if subject.device.topology is not None:
            case, expected = "the resources of the exit dialect", "ops with ResourceUserOpInterface"
            yield Answer(case, expected, None if exit_uses(one) else "no op counts what a limit of the device is about")
        yield from ask_fields(subject, one, lambda path: not path.startswith((*MEMORY, DELAY, WINDOWS)))
    for one in subject.asked():
        if any(path.startswith(WINDOWS) for path in uses_of(one)):
            yield from ask_fields(subject, one, lambda path: path.startswith(WINDOWS))
            break


def ask_memory(subject: Subject) -> Iterator[Answer]:
    """Memory is counted, reported, and limited."""
    for one in subject.asked(1):
        yield from ask_fields(subject, one, lambda path: path.startswith(MEMORY))
        size, weights = sum(n or 0 for n in subject.artefact(one).memory.values()), weights_of(one)
        found = None if size > 0 else "no memory"
        yield Answer(f"the memory of a network with {weights} weights is reported", "more than 0 bytes", found)


def weights_of(compiled: Compiled) -> int:
    from ...dialects.ntensor import SynapseOpInterface

    ops = [op for op in compiled.drawn.network.body.block.ops if isinstance(op, SynapseOpInterface)]
    return sum(op.weights.data.size for op in ops if op.weights is not None)


def ask_fields(subject: Subject, one: Compiled, is_asked: Callable[[str], bool]) -> Iterator[Answer]:
    """Asks about each limit that a network uses and `is_asked` selects."""
    drawn, held = one.drawn, exit_uses(one)
    uses = {
        path: max(used, held.get(path, 0)) for path, used in uses_of(one).items()
    }  # a weight may take several synapses
    paths = sorted(filter(is_asked, uses))
    inside, outside = ({path: variant(subject, {path: uses[path] - less}) for path in paths} for less in (0, 1))
    asked = {path: uses[path] for path in paths if inside[path] is not None and outside[path] is not None}
    together = all_inside(subject, drawn, asked)
    for path, limit in asked.items():
        wrong = None
        if path not in together:
            found = subject.compile(drawn, inside[path])
            used = used_of(found, path)
            wrong = found.refusal if not found.fit.is_fitting else f"{used} used" if used > limit else None
        yield Answer(f"{path} = {limit}, all of it used", f"at most {limit} used", wrong)
        yield beyond(subject.follow(drawn, partial(is_about, path), outside[path]), path, limit - 1)
    for path, used in sorted(held.items()):
        if is_asked(path) and (lower := variant(subject, {path: used - 1})) is not None:
            missing = None if names_limit(subject.verify_on(one, lower), path) else "accepted"
            case = f"{path} = {used - 1}, in the exit dialect that uses {used}"
            yield Answer(case, f"refused by its verifier with the limit {path}", missing)


def all_inside(subject: Subject, drawn: Drawn, limits: Mapping[str, int]) -> set[str]:
    """Sets all limits of a device at once, and returns those that the network then exhausts. These need no separate compilation."""
    together = variant(subject, limits) if len(limits) > 1 else None
    if together is None or not (found := subject.compile(drawn, together)).fit.is_fitting:
        return set()
    return {path for path, limit in limits.items() if used_of(found, path) == limit}


def variant(subject: Subject, limits: Mapping[str, int]) -> Device | None:
    """Returns the device with changed limits; None if they contradict other fields of the device file.

    The memory of a core is the sum of its regions, so it changes with a region.
    """
    settings = dict(limits)
    whole = subject.device.integer(WHOLE_MEMORY)
    for path, limit in limits.items():
        region = subject.device.integer(path)
        if path.startswith(REGION) and whole is not None and region is not None:
            settings[WHOLE_MEMORY] = settings.get(WHOLE_MEMORY, whole) - region + limit
    try:
        return subject.settings(*(f"{path}={limit}" for path, limit in settings.items()))
    except Refused:
        return None


def exit_uses(compiled: Compiled) -> dict[str, int]:
    """Returns the largest use of each limit that an op of the exit dialect counts."""
    users = [op for op in compiled.module.walk() if isinstance(op, ResourceUserOpInterface)]
    device = compiled.device
    return largest_uses(use for op in users for use in uses_of_needs(device, op.quantities(device)))


def used_of(compiled: Compiled, path: str) -> int:
    """Returns the largest use of a limit, as the machine graph and the exit dialect count it."""
    return max(uses.get(path, 0) for uses in (uses_of(compiled), exit_uses(compiled)))


def uses_of(compiled: Compiled) -> dict[str, int]:
    """Returns the largest use of each limit by a core of the machine graph."""
    graphs = compiled.fit.graph.ops if compiled.fit.graph is not None and compiled.fit.is_fitting else ()
    cores = [core_uses(graph, compiled.device) for graph in graphs if isinstance(graph, machine.GraphOp)]
    return largest_uses(use for core in cores for uses in core.values() for use in uses)


def largest_uses(uses: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Returns the largest use of each field that is the only limit of a quantity."""
    most: dict[str, int] = {}
    for use in uses:
        if use["limit"] is not None and use["used"] and len(use["fields"]) == 1:
            (path,) = use["fields"]
            most[path] = max(most.get(path, 0), use["used"])
    return most


def beyond(found: Compiled, path: str, limit: int) -> Answer:
    """Returns the answer for a network that exceeds a limit by one: it must be refused with the limit, or compiled within it after other help was followed.

    Slices that keep a limit of a core may need more cores than the device has, which is refused too.
    """
    case = f"{path} = {limit}, one less than used"
    expected = f"at most {limit} used, or refused with {path} or {CORES} and a help"
    if found.fit.is_fitting:
        used = used_of(found, path)
        return Answer(case, expected, f"{used} used" if used > limit else None)
    named = (path, CORES) if path.startswith("core.") else (path,)
    is_helpful = any(names_limit(found.errors, one) for one in named) and all(one.help for one in found.errors)
    return Answer(case, expected, None if is_helpful else found.refusal)


def names_limit(findings: list[Finding], path: str) -> bool:
    """Returns whether a refusal names a field of the device."""
    return any(is_about(path, one) for one in findings)


def is_about(path: str, finding: Finding) -> bool:
    """Returns whether a finding names a field of the device; memory that shares regions is named in the declaration."""
    return path == finding.path or path in (finding.source or "")
