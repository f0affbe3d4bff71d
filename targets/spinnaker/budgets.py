"""Budgets of a `spinnaker.chip` for the report: the use of each limit by each kind of core, and the synaptic events.

    "budgets": [{"kind": "spinnaker_delta", "cores": 2, "binding": "neurons",
                 "uses": [{"quantity": "neurons", "used": 128, "limit": 256, "core": 0, "fields": ["core.neurons"]}, …],
                 "events": {"core": 0, "per_tick": 8158.0, "per_second": 8158000.0, "limit": 13000000, "fields": [...], "assumed": ["input"]}}]

Cores with the same neuron run the same program, so that they are of one kind. Of each kind, the core that uses most of a limit is listed. The binding
budget is the one of which a core uses the largest share.

| quantity | content |
| --- | --- |
| `neurons` | neurons of a core |
| `ring_buffer_entries` | entries of the ring buffers: neurons, receptors and slots of delays, each rounded up to a power of two |
| `row_synapses` | synapses of the longest row, or its words if it learns |
| `dtcm_bytes` | ring buffers, parameters and states of neurons, the master population table, and two buffers for the longest row; stack, heap and code of sPyNNaker are not counted |
| `sdram_bytes` | master population tables and rows of all cores of the chip |

    events per tick = sum over tables of rows of synapses * spikes of a source neuron in a tick

The spikes are those of a calibration, else one per tick: `assumed` lists these sources. The script of the artefact runs the ticks of the device
(`tick.default`), which decide the events per second.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...analysis.calibration_records import observed_rate
from ...core.device.device import Device
from ...core.device.topology import topology_of
from ...core.number_texts import counted_text
from ...dialects.spinnaker import ChipOp, CoreOp, NeuronsOp
from ...dialects.spinnaker.cores import WORD_BYTES, InputOp
from ...dialects.spinnaker.rows import HEADER_WORDS

ENTRY_BYTES = 2
"""Bytes of an entry of a ring buffer. Source: synapses.c, weight_t."""
ROW_BUFFERS = 2
"""Rows that a core holds while it reads them. Source: spike_processing.c, N_DMA_BUFFERS."""
NS_PER_S = 10**9
FIELDS = {
    "neurons": "core.neurons",
    "ring_buffer_entries": "features.ring_buffer_bits",
    "row_synapses": "features.row_synapses",
    "dtcm_bytes": "core.memory_bytes",
    "sdram_bytes": "memory.sdram.bytes",
}
EVENTS, PLASTIC_EVENTS = "features.events_per_second", "features.plastic_events_per_second"
"""Limits of cores with fixed weights, and with some that learn."""


def limit_of(device: Device, quantity: str) -> int | None:
    """Returns the limit of a quantity; None if the device specifies none."""
    limit = device.integer(FIELDS[quantity])
    return 1 << limit if limit is not None and quantity == "ring_buffer_entries" else limit


def budgets(chip: ChipOp, device: Device, regions: Mapping[int, Sequence[int]]) -> list[dict[str, Any]]:
    """Returns the budgets of each kind of core. `regions` has the sizes of the population table and the rows of each core [bytes]."""
    topology, stores = topology_of(device, len(chip.cores)), dict[int, int]()
    for place, sizes in regions.items():
        position = place // topology.slots
        stores[position] = stores.get(position, 0) + sum(sizes)
    kinds: dict[str, dict[int, CoreOp]] = {}
    for place, core in chip.cores.items():
        kinds.setdefault(core.groups[0].update_name.partition(".")[0], {})[place] = core
    rates = rates_of(chip)
    found: list[dict[str, Any]] = []
    for kind, cores in kinds.items():
        used = {
            place: {
                **uses_of(core.groups[0], device, regions[place][0]),
                "sdram_bytes": stores[place // topology.slots],
            }
            for place, core in cores.items()
        }
        uses = [use(device, quantity, {place: one[quantity] for place, one in used.items()}) for quantity in FIELDS]
        limited = [one for one in uses if one["limit"]]
        binding = max(limited, key=lambda one: one["used"] / one["limit"], default=None)
        found.append(
            {
                "kind": kind,
                "cores": len(cores),
                "binding": None if binding is None else binding["quantity"],
                "uses": uses,
                "events": events(cores, device, rates),
            }
        )
    return found


def use(device: Device, quantity: str, used: Mapping[int, int]) -> dict[str, Any]:
    """Returns the largest use of a quantity, and its core."""
    core = max(used, key=lambda place: used[place])
    limit = limit_of(device, quantity)
    fields: list[str] = [] if limit is None else [FIELDS[quantity]]
    return {"quantity": quantity, "used": used[core], "limit": limit, "core": core, "fields": fields}


def uses_of(group: NeuronsOp, device: Device, table_bytes: int) -> dict[str, int]:
    """Returns the use of each budget of a core."""
    entries, longest = 1 << group.format.ring_bits, max((rows.length for rows in group.rows), default=0)
    buffers = ROW_BUFFERS * WORD_BYTES * (HEADER_WORDS + longest)
    neurons = group.quantities(device)["neuron_bytes"]
    return {
        "neurons": group.size,
        "ring_buffer_entries": entries,
        "row_synapses": longest,
        "dtcm_bytes": ENTRY_BYTES * entries + neurons + table_bytes + buffers,
    }


def rates_of(chip: ChipOp) -> dict[int, tuple[str, float | None]]:
    """Returns the name and mean spikes per neuron and tick of each sender, by its key; the mean is None if no calibration observed it."""
    found: dict[int, tuple[str, float | None]] = {}
    for op in chip.keyed:
        name = op.source.data
        rate = observed_rate(chip, "inputs", name, "density") if isinstance(op, InputOp) else observed_rate(op, "rate")
        found[op.key.value.data] = name, rate
    return found


def events(
    cores: Mapping[int, CoreOp], device: Device, rates: Mapping[int, tuple[str, float | None]]
) -> dict[str, Any]:
    """Returns the synaptic events of the busiest core."""
    per_tick: dict[int, float] = {}
    assumed: dict[str, None] = {}
    for place, core in cores.items():
        (group,) = core.groups
        per_tick[place] = 0.0
        for rows in group.rows:
            name, rate = rates[rows.key.value.data]
            count = sum(len(one.source) for one in rows.blocks(group.format))
            per_tick[place] += count * (1.0 if rate is None else rate)
            if rate is None:
                assumed[name] = None
    core = max(per_tick, key=lambda place: per_tick[place])
    learns = any(rows.plasticity is not None for one in cores.values() for rows in one.groups[0].rows)
    field = PLASTIC_EVENTS if learns else EVENTS
    tick_ns, limit = device.integer("tick.default"), device.integer(field)
    return {
        "core": core,
        "per_tick": per_tick[core],
        "per_second": None if tick_ns is None else per_tick[core] * NS_PER_S / tick_ns,
        "limit": limit,
        "fields": [] if limit is None else [field],
        "assumed": [*assumed],
    }


def lines(found: list[dict[str, Any]]) -> Iterator[str]:
    """Yields a line of the summary for each kind of core."""
    for one in found:
        text = f"{one['kind']}: {counted_text(one['cores'], 'core')}"
        binding = next((each for each in one["uses"] if each["quantity"] == one["binding"]), None)
        if binding is not None:
            words = binding["quantity"].replace("_", " ").replace("dtcm", "DTCM").replace("sdram", "SDRAM")
            text += f", of which core {binding['core']} uses most of its limit of {words}: {binding['used']} of {binding['limit']}"
        seen = one["events"]
        if seen["per_second"] is not None:
            text += f"; at most {seen['per_second']:.3g} synaptic events per second"
            text += "" if seen["limit"] is None else f" of {seen['limit']:.3g}"
            text += f", if each neuron of {', '.join(seen['assumed'])} spikes in each tick" if seen["assumed"] else ""
        yield text
