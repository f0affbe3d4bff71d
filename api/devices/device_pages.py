"""Page of a device, as Markdown: the content of the device file, the facts of most interest first.

Each number is listed with its unit, source, confidence and note. Every text comes from the file or from the records of `core/device`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from ...core.device.core_kinds import cores_at_position
from ...core.device.cost.records import Barrier
from ...core.device.device import Device, Quantity
from ...core.device.fields import fields_of
from ...core.device.records import Recipe
from ...core.device.synapse_records import Format
from ...core.device.topology import topology_class, topology_of
from ...core.device.topology_records import Spot
from . import _device_parts as parts
from ._device_parts import cell, code, codes, facts_table, provenance, sentence, table

Section = Callable[[Device], Iterator[str]]
TIERS = {
    "exact": "The models of this device agree with it bit for bit",
    "windowed": "The models of this device count as many spikes as the device in each window",
    "nominal": "The models of this device compute the published equations within a tolerance",
}


def page_of(device: Device) -> str:
    """Returns the whole page."""
    blocks = [f"# {device.key}", sentence(cell(device.summary)), *identity(device)]
    for title, section in SECTIONS.items():
        if found := list(section(device)):
            blocks += [f"## {title}", *found]
    return "\n\n".join(blocks) + "\n"


def identity(device: Device) -> Iterator[str]:
    rows = [
        ("target", code(device.target)),
        ("device", code(device.name)),
        ("format of the file", code(device.schema)),
        ("SHA-256 of the description", code(device.digest)),
    ]
    yield table(("property", "value"), rows)
    if device.overridden:
        changes = codes([f"{path}={value}" for path, value in device.overridden.items()])
        yield f"Set by the user: {changes}."


def fidelity(device: Device) -> Iterator[str]:
    held = device.fidelity
    yield f"{code(held.tier)}: {TIERS[held.tier]}. Source: {code(held.source)}."
    if held.note:
        yield sentence(cell(held.note))
    yield from facts_table(parts.fact_rows(held, "fidelity"))


def limits(device: Device) -> Iterator[str]:
    """Yields the limits of time steps, chips, cores, synapses and spikes in one table."""

    def rows() -> Iterator[tuple[str, ...]]:
        for name in ("tick", "topology", "core", "synapse", "spike"):
            yield from parts.fact_rows(getattr(device, name), name)

    yield from facts_table(rows())
    if device.core is not None and device.core.shared:
        yield "### Shared parameters"
        yield "Neurons of one core share these parameters. The number of different sets of values on a core is limited."
        rows_shared = [
            (code(f"core.shared.{name}.classes"), codes(group.parameters), *sized(group.classes))
            for name, group in device.core.shared.items()
        ]
        yield table(("field", "parameters", "sets", "source", "confidence", "note"), rows_shared)


def machine(device: Device) -> Iterator[str]:
    """Yields the processor and the interface of a software target."""
    if (found := device.device) is not None:
        rows = [
            (code(f"device.{one.name}"), one.metadata["about"], value)
            for one in fields_of(found.__class__)
            if (value := getattr(found, one.name)) is not None and one.name != "note"
        ]
        yield table(("field", "content", "value"), rows)
        if found.note:
            yield sentence(cell(found.note))


def core_kinds(device: Device) -> Iterator[str]:
    """Yields the cores of each kind, and their limits that differ from `core`."""
    for name, kind in device.core_kinds.items():
        yield f"### {code(f'core_kinds.{name}')}"
        yield f"Cores of each chip: {', '.join(map(str, kind.cores))}. All other limits are those of `core`. {origin(kind)}"
        regions = (
            row for key, size in kind.memory.items() for row in parts.fact_rows(size, f"core_kinds.{name}.memory.{key}")
        )
        yield from facts_table(chain(parts.fact_rows(kind, f"core_kinds.{name}"), regions))


def sized(fact: Quantity | None) -> tuple[str, str, str, str]:
    """Returns value, source, confidence and note of a fact that may be absent."""
    return (parts.value_text(fact), *provenance(fact)) if fact is not None else ("unspecified", "", "", "")


def origin(record: Any) -> str:
    """Returns the source of a record, and its note."""
    note = f" {sentence(cell(record.note))}" if record.note else ""
    return f"Source: {code(record.source)}.{note}"


# ---- chips and cores


def topology(device: Device) -> Iterator[str]:
    held = device.topology
    if held is None:
        return
    kind = topology_class(device)
    yield from kind.sentences(device)
    if (held.faulty or held.reserved) and (cores := device.integer("topology.cores")) is not None:
        yield f"{int(topology_of(device).is_usable.sum())} of {cores} cores are usable."
    if (routers := held.routers) is not None:
        branches = "A spike may branch and uses each link once." if routers.is_multicast else "A spike does not branch."
        order = f" Spikes travel {routers.order or 'x-first'}." if "topology.routers.order" in kind.uses else ""
        owner = "Each core" if cores_at_position(device) == 1 else "Each position"
        yield f"{owner} has a router.{order} {branches} {origin(routers)}"
    if (bus := held.bus) is not None:
        readers = "Every core reads each event." if bus.is_multicast else "An event has one target core."
        yield f"{readers} {origin(bus)}"
    rows = [
        (use, str(spot.chip), str(spot.x), str(spot.y), slot_text(device, spot), spot.source, spot.note or "")
        for use, spots in (("defective", held.faulty), ("reserved", held.reserved))
        for spot in sorted(spots, key=lambda spot: (spot.chip, spot.y, spot.x, spot.slot or 0))
    ]
    if rows:
        yield "These cores hold no neurons of a network:"
        yield table(("core", "chip", "x", "y", "slot", "source", "note"), rows)


def slot_text(device: Device, spot: Spot) -> str:
    """Formats the slot of a core; empty if each position has only one core."""
    if cores_at_position(device) == 1:
        return ""
    return "all" if spot.slot is None else str(spot.slot)


def memory_map(device: Device) -> Iterator[str]:
    head = ("field", "bytes", "holds", "source", "confidence", "note")
    regions = device.core.memory if device.core is not None else {}
    if regions:
        yield "### Memory of one core"
        yield "The device file declares the sizes of the regions, and no addresses."
        yield table(
            head,
            [
                (code(f"core.memory.{name}.bytes"), *noted(sized(one.bytes), one.note, ", ".join(one.holds)))
                for name, one in regions.items()
            ],
        )
    yield from images(device)
    if device.memory:
        yield "### Memory outside of the cores"
        yield "The size is that of one chip or of the whole host."
        yield table(
            ("field", "place", *head[1:]),
            [
                (code(f"memory.{name}.bytes"), one.where, *noted(sized(one.bytes), one.note, ", ".join(one.holds)))
                for name, one in device.memory.items()
            ],
        )


def images(device: Device) -> Iterator[str]:
    """Yields the declared layouts of the memory images of a core."""
    for name, image in device.core.images.items() if device.core is not None else ():
        yield f"### Word of {code(f'core.images.{name}')}"
        yield f"{origin(image)}"
        yield parts.word_table(image.word) if image.word else "The word has no field."


def noted(facts: tuple[str, str, str, str], note: str | None, *between: str) -> tuple[str, ...]:
    """Returns the cells of a fact with other cells after its value, and with the note of its record."""
    value, source, confidence, own = facts
    notes = "; ".join(text for text in (own, note) if text)
    return (value, *between, source, confidence, notes)


# ---- computation


def rounding_of(format: Format) -> str:
    """Returns the rounding rule for the memory of a table; empty for tables without gaps."""
    unit = "" if format.unit_bytes is None else f"{parts.value_text(format.unit_bytes)} bytes"
    if format.rounding == "power-of-two":
        return f"a power of two times {unit}" if unit else "a power of two of bytes"
    return f"a multiple of {unit}" if unit else ""


def synapses(device: Device) -> Iterator[str]:
    held = device.synapse
    if held is None:
        return
    if held.dtypes:
        yield f"Types of weights: {codes(held.dtypes)}."
    if held.sign_modes:
        yield f"Signs of the weights of one table: {codes(held.sign_modes)}."
    if held.formats:
        yield "An entry is the memory of one synapse, including its index."
        rows = [
            (
                code(f"synapse.formats.{name}.entry_bits"),
                one.layout,
                code(one.dtype),
                *noted(
                    sized(one.entry_bits),
                    one.note,
                    rounding_of(one),
                    code(f"memory.{one.memory}" if one.memory else ""),
                ),
            )
            for name, one in held.formats.items()
        ]
        head = (
            "field",
            "layout",
            "type",
            "bits of an entry",
            "memory of a table",
            "stored in",
            "source",
            "confidence",
            "note",
        )
        yield table(head, rows)
        units = [
            one for name, format in held.formats.items() for one in parts.fact_rows(format, f"synapse.formats.{name}")
        ]
        yield from facts_table(row for row in units if not row[0].endswith(".entry_bits`"))
        if undeclared := [name for name, one in held.formats.items() if not one.word]:
            yield f"The file declares no layout of the entries of {codes(undeclared)}."
    for name, one in held.formats.items():
        if one.word:
            yield f"### Word of {code(f'synapse.formats.{name}')}"
            yield parts.word_table(one.word)


def neurons(device: Device) -> Iterator[str]:
    held = device.neuron
    if held is None:
        return
    if held.dtypes:
        yield f"Types of parameters: {codes(held.dtypes)}."
    if not held.updates:
        yield "The file declares no neuron: the device accepts every population."
    for name, update in held.updates.items():
        yield f"### {name}"
        families = (
            f"Serves {codes(update.families)}." if update.families else "Serves only populations that fallbacks add."
        )
        yield f"{families} {origin(update)}"
        if options := list(parts.option_rows(update, name)):
            yield table(("option", "values", "default", "this device"), options)
        yield "\n".join(f"    {line}".rstrip() for line in parts.neuron_lines(update, name))
    if device.alternatives:
        yield f"Devices of the same target with other neurons: {codes(device.alternatives)}."


def spikes(device: Device) -> Iterator[str]:
    held = device.spike
    if held is None:
        return
    if held.kinds:
        yield f"Kinds: {codes(held.kinds)}."
    if held.dtypes:
        yield f"Types of payloads: {codes(held.dtypes)}."


def plasticity(device: Device) -> Iterator[str]:
    if device.plasticity is None:
        return
    if not device.plasticity:
        yield "None: weights do not change while the device runs."
        return
    rows = [
        (
            code(f"plasticity.{name}.trace_bits"),
            rule.rule,
            rule.where,
            *noted(
                sized(rule.trace_bits),
                rule.note,
                codes(rule.traces),
                rule.rounding or "",
                codes(rule.constraints),
                rule.source,
            ),
        )
        for name, rule in device.plasticity.items()
    ]
    yield table(
        (
            "field",
            "rule",
            "computed on",
            "bits of a trace",
            "traces",
            "rounding",
            "contracts",
            "rule from",
            "source",
            "confidence",
            "note",
        ),
        rows,
    )
    others = (row for name, rule in device.plasticity.items() for row in parts.fact_rows(rule, f"plasticity.{name}"))
    yield from facts_table(row for row in others if not row[0].endswith("trace_bits`"))


def execution(device: Device) -> Iterator[str]:
    if (held := device.execution) is not None:
        yield f"The device is {held.mode}; the unit of scheduling is one {held.granularity}. {origin(held)}"
        texts = {"step": held.step, "barrier": held.barrier, "clocked": ", ".join(held.clocked) or None}
        meanings = {one.name: one.metadata["about"] for one in fields_of(type(held))}
        rows = [
            (code(f"execution.{name}"), code(value), cell(meanings[name])) for name, value in texts.items() if value
        ]
        if rows:
            yield table(("field", "value", "meaning"), rows)
        yield from facts_table(parts.fact_rows(held, "execution"))


def probes(device: Device) -> Iterator[str]:
    if (held := device.probes) is not None and held.kinds:
        yield f"The tools of the device record {codes(held.kinds)} of each population. {origin(held)}"


def quantization(device: Device) -> Iterator[str]:
    if (held := device.quantization) is not None:
        rounding = f"Weights are rounded by the method {code(held.method)}."
        yield f"The vendor recommends scales of kind {code(held.scale)}, one for each {held.per}. {rounding} {origin(held)}"
        yield from facts_table(parts.fact_rows(held, "quantization"))


def fallbacks(device: Device) -> Iterator[str]:
    if device.fallbacks:
        yield "Each pipeline removes a feature that the device does not support from a network."
        rows = [(code(name), code(one.passes), one.note or "") for name, one in device.fallbacks.items()]
        yield table(("feature", "passes", "note"), rows)


def recipes(device: Device) -> Iterator[str]:
    if device.recipes:
        yield "A compilation with sample input tries these changes of passes and of the quantisation, and takes the one with the least loss."
        rows = [(code(one.name), cell(one.reason), codes([*recipe_changes(one)]), one.effort) for one in device.recipes]
        yield table(("recipe", "reason", "changes", "effort"), rows)


def recipe_changes(recipe: Recipe) -> Iterator[str]:
    """Yields the changes of a recipe."""
    if recipe.passes is not None:
        yield recipe.passes
    for feature, fallback in recipe.fallbacks.items():
        yield f"{feature}: {fallback.passes}"
    for name, value in recipe.quantization.items():
        yield f"quantization.{name}={value}"


def named(section: str) -> Section:
    """Returns the section of quantities by name."""
    return lambda device: facts_table(parts.named_facts(getattr(device, section), section))


def cost(device: Device) -> Iterator[str]:
    if (declared := device.cost) is None:
        return
    yield from facts_table(parts.fact_rows(declared, "cost"))
    if declared.unknown:
        yield f"Not known: {declared.unknown}."
    barriers: dict[str, Barrier] = {} if declared.latency is None else declared.latency.barrier
    if barriers:
        rows = [(parts.code(name), str(one.routers)) for name, one in barriers.items()]
        yield parts.table(("barrier", "routers with a core in use, at least"), rows)
    times = (parts.fact_rows(one, f"cost.latency.barrier.{name}") for name, one in barriers.items())
    yield from facts_table(row for rows in times for row in rows)
    if declared.cycles:
        rows = [
            (name, parts.code(cell(one.expression)), one.source, one.note or "")
            for name, one in declared.cycles.items()
        ]
        yield table(("clock cycles of a tick", "number", "source", "note"), rows)
    for name, other in declared.others.items():
        yield f"By another source, `{name}`: {other.about}"
        yield from facts_table(parts.fact_rows(other.energy, f"cost.others.{name}.energy"))
    if declared.inferences:
        yield "Inferences of other networks that were measured on it:"
        yield table(("name", "network"), [(parts.code(name), one.network) for name, one in declared.inferences.items()])
        measured = (parts.fact_rows(one, f"cost.inferences.{name}") for name, one in declared.inferences.items())
        yield from facts_table(row for rows in measured for row in rows)


# ---- conditions


def constraints(device: Device) -> Iterator[str]:
    if device.constraints:
        yield "Contracts express limits that no field can express."
        rows = [(code(cell(one.expression)), one.source, one.note or "") for one in device.constraints]
        yield table(("contract", "source", "note"), rows)


def unchecked(device: Device) -> Iterator[str]:
    if rows := list(parts.unknown_fields(device)):
        yield "Nothing is checked against these fields, and costs omit unknown coefficients. `null` marks a value that is not published."
        yield table(("field", "meaning", "state", "note"), rows)


def sources(device: Device) -> Iterator[str]:
    yield table(("source", "document"), [(code(name), text) for name, text in device.sources.items()])


SECTIONS: dict[str, Section] = {
    "Fidelity": fidelity,
    "Machine": machine,
    "Limits": limits,
    "Limits of the machine": named("limits"),
    "Topology": topology,
    "Kinds of cores": core_kinds,
    "Memory map": memory_map,
    "Synapses": synapses,
    "Neurons": neurons,
    "Spikes": spikes,
    "Plasticity": plasticity,
    "Execution": execution,
    "Probes": probes,
    "Quantization": quantization,
    "Fallbacks": fallbacks,
    "Recipes": recipes,
    "Features": named("features"),
    "Preferences": named("preferences"),
    "Imperfections": named("imperfections"),
    "Cost": cost,
    "Constraints": constraints,
    "Unchecked": unchecked,
    "Sources": sources,
}
"""Sections of the page, in order; one without content is omitted."""
