"""Writes device files into a folder: one that is right, and each defect that the loader names.

python devices.py DIR
"""

import json
import sys
from copy import deepcopy
from pathlib import Path

ROOT = Path(__file__).parents[3]
SMALL = {
    "schema": "nopt.device/1",
    "target": "c",
    "name": "mine",
    "summary": "a device file of one's own",
    "sources": {"manual": "a manual"},
    "fidelity": {"tier": "exact", "source": "manual"},
    "preferences": {"prefix": {"value": "net", "source": "manual"}, "unroll": {"value": 4, "source": "manual"}},
}
EDGE = json.loads((ROOT / "targets" / "asic" / "devices" / "edge.json").read_text())
TEXT = (ROOT / "targets" / "asic" / "devices" / "edge.neuron").read_text().splitlines()
EDGE["neuron"]["updates"]["edge_lif"] = {"families": ["if", "lif"], "source": "synthetic", "text": TEXT}


def number(value: object, **more: object) -> dict[str, object]:
    return {"value": value, "source": "synthetic", "confidence": "assumed", **more}


def changed(base: dict[str, object], *changes: tuple[str, object]) -> dict[str, object]:
    """A device with other values at some paths; ... takes one away."""
    made: dict[str, object] = deepcopy(base)
    for path, value in changes:
        *steps, last = path.split(".")
        place: dict[str, object] = made
        for step in steps:
            place = place[step]
        if value is ...:
            del place[last]
        else:
            place[last] = value
    return made


BUS = changed(
    EDGE,
    ("topology.mesh", ...),
    ("topology.routers", ...),
    ("topology.kind", "bus"),
    ("topology.bus", {"source": "synthetic", "events_per_tick": number(100, unit="events")}),
)
ALL = changed(EDGE, ("topology.mesh", ...), ("topology.routers.order", ...), ("topology.kind", "all-to-all"))
SPOT = {"x": 1, "y": 1, "source": "synthetic"}
FILES = {
    # what cannot be read
    "list": [1],
    "good": SMALL,
    "edge": EDGE,
    # imperfections
    "imperfect": changed(
        EDGE,
        (
            "imperfections",
            {"spread": number(-0.1), "noise": number("much"), "drift": number(None, confidence="unpublished")},
        ),
    ),
    # structure
    "unknown": changed(SMALL, ("preferense", {})),
    "missing": changed(SMALL, ("name", ...), ("fidelity.tier", ...)),
    "kind": changed(SMALL, ("sources", ["manual"])),
    "tier": changed(SMALL, ("fidelity.tier", "perfect")),
    "value": changed(SMALL, ("preferences.unroll.value", [4])),
    "kinds": changed(
        EDGE,
        ("core.neurons", number("many")),
        ("core.memory", ["synapses"]),
        ("core.shared", {"a b": {"parameters": ["vth"]}}),
        ("topology.routers.is_multicast", "yes"),
        ("topology.faulty", [{"x": 1.5, "y": 0, "source": "synthetic"}]),
        ("synapse.dtypes", ["i4", "u1", "int8"]),
        ("fallbacks", {"delays": {"passes": "ntensor-clamp-delays"}}),
        ("features.recurrence", True),
        ("name", "Edge chip"),
    ),
    # sources
    "bare": changed(SMALL, ("preferences.unroll", {"value": 4})),
    "null": changed(SMALL, ("preferences.unroll", {"value": None})),
    "elsewhere": changed(SMALL, ("fidelity.source", "hearsay")),
    "plain": changed(EDGE, ("core.neurons", 64), ("core.fan_in", {"value": 256, "source": "synthetic"})),
    # ranges and units
    "range": changed(
        EDGE, ("core.neurons", number(0)), ("core.fan_in", number(2.5)), ("topology.faulty", [{**SPOT, "x": -1}])
    ),
    "unit": changed(
        EDGE,
        ("core.memory_bytes", number(10)),
        ("tick.min", number(1, unit="KiB")),
        ("core.neurons", number(64, unit="synapses")),
        ("cost.energy.hop", number(1.2, unit="pJ")),
    ),
    # contradictions
    "sums": changed(EDGE, ("topology.cores", number(5)), ("core.memory_bytes", number(12, unit="KiB"))),
    "classes": changed(EDGE, ("quantization.classes", number(8))),
    "recipes": changed(
        EDGE,
        (
            "recipes",
            [
                {"name": "finer", "reason": "to test"},
                {"name": "finer", "reason": "to test", "passes": "ntensor-quantise"},
                {
                    "name": "default",
                    "reason": "to test",
                    "quantization": {"weight_bit": 3, "per": "core", "weight_bits": 9, "classes": 4},
                    "fallbacks": {"weight_bits": {"passes": "ntensor-quantize-weights{bit=4}"}},
                },
                {"name": "Coarse", "reason": "to test", "effort": "high", "passes": "ntensor-merge-sums"},
            ],
        ),
    ),
    "unadvised": changed(
        EDGE,
        ("quantization", ...),
        ("recipes", [{"name": "finer", "reason": "to test", "quantization": {"per": "neuron"}}]),
    ),
    "coefficients": changed(
        EDGE,
        ("cost.energy.fire", number(1, unit="pJ/spike")),
        ("cost.latency.hop_x", number(3, unit="ns/hop")),
        ("cost.latency.hop_y", number(3, unit="ns/hop")),
    ),
    "averages": changed(
        EDGE,
        ("cost.energy.synapse", {**number(26, unit="pJ/event"), "scope": "average", "supersedes": ["spike", "hop"]}),
        ("cost.energy.update", {**number(2, unit="pJ/update"), "band": [3, 1]}),
    ),
    "barriers": changed(
        EDGE,
        ("cost.latency.barrier", {name: {"routers": 2, "time": number(9, unit="ns/tick")} for name in ("few", "many")}),
    ),
    "execution": changed(
        EDGE,
        ("execution.mode", "continuous"),
        ("execution.clocked", ["leak"]),
        ("execution.granularity", "layer"),
    ),
    "asynchronous": changed(
        EDGE, ("execution.mode", "event-driven"), ("execution.step", "event"), ("execution.barrier", "none")
    ),
    "unsteady": changed(EDGE, ("execution.barrier", "none")),
    "unknown_step": changed(EDGE, ("execution.step", "burst")),
    "frames": changed(EDGE, ("execution.step", "frame")),
    "idle": changed(EDGE, ("execution.mode", "event-driven")),
    "order": changed(
        EDGE,
        ("tick.default", number(1, unit="us")),
        ("synapse.delay.max", number(0)),
        ("core.shared.thresholds.classes", number(65)),
        ("quantization.weight_bits", number(8, unit="bit")),
    ),
    "spots": changed(EDGE, ("topology.faulty", [SPOT, {**SPOT, "x": 2}]), ("topology.reserved", [SPOT])),
    "full": changed(EDGE, ("topology.faulty", [{**SPOT, "x": k % 2, "y": k // 2} for k in range(4)])),
    # cores that share a position
    "positions": changed(EDGE, ("topology.mesh.cores", number(4))),
    "slots": changed(
        EDGE,
        ("topology.mesh.cores", number(2)),
        ("topology.cores", number(8)),
        ("topology.faulty", [{**SPOT, "slot": 2}, {**SPOT, "x": 0, "slot": 0}, {**SPOT, "x": 0, "slot": 1}]),
        ("topology.reserved", [{**SPOT, "x": 0}]),
        ("core_kinds", {"small": {"cores": [7, 8], "source": "synthetic"}}),
    ),
    "no_slot": changed(EDGE, ("topology.faulty", [{**SPOT, "slot": 1}]), ("topology.reserved", [{**SPOT, "slot": -1}])),
    "full_slots": changed(
        EDGE,
        ("topology.mesh.cores", number(2)),
        ("topology.cores", number(8)),
        ("topology.faulty", [{**SPOT, "x": k % 2, "y": k // 2} for k in range(4)]),
    ),
    "slot_bus": changed(BUS, ("topology.faulty", [{**SPOT, "y": 0, "slot": 1}])),
    # topologies
    "bus": BUS,
    "all": ALL,
    "tree": changed(
        ALL, ("topology.kind", "hierarchy"), ("topology.hierarchy", {"source": "synthetic", "degree": number(3)})
    ),
    "no_degree": changed(
        ALL, ("topology.kind", "hierarchy"), ("topology.hierarchy", {"source": "synthetic", "degree": number(0)})
    ),
    "chips": changed(ALL, ("topology.chips", number(2)), ("cost.objective.crossing", number(5))),
    "empty_kind": changed(BUS, ("topology.kind", "")),
    "hexagon": changed(BUS, ("topology.kind", "hexagon")),
    "routed_bus": changed(
        BUS,
        ("topology.routers", {"source": "synthetic", "order": "x-first"}),
        ("topology.mesh", {"width": number(4), "height": number(1)}),
        ("cost.objective.crossing", number(2)),
    ),
    "ordered": changed(ALL, ("topology.routers.order", "y-first"), ("topology.bus", {"source": "synthetic"})),
    "mesh_bus": changed(EDGE, ("topology.bus", {"source": "synthetic"})),
    "row": changed(
        ALL,
        ("topology.chips", number(3)),
        ("topology.faulty", [{**SPOT, "y": 0}, {**SPOT, "x": 0}, {**SPOT, "chip": 3}]),
    ),
    "types": changed(
        EDGE,
        ("synapse.bits", number(8, unit="bit")),
        ("synapse.formats.dense.dtype", "i8"),
        ("synapse.formats.binary.entry_bits", number(0, unit="bit")),
        ("spike.payload_bits", number(8, unit="bit")),
        ("spike.most", number(3)),
    ),
    "core_kinds": changed(
        EDGE,
        (
            "core_kinds",
            {
                "a": {"cores": [0, 4], "source": "synthetic", "neurons": number(65)},
                "b": {
                    "cores": [0, 1, 1],
                    "source": "synthetic",
                    "memory": {"tables": {"bytes": number(1, unit="KiB")}},
                },
            },
        ),
    ),
    "stores": changed(
        EDGE,
        ("memory", {"rows": {"where": "host", "bytes": number(64, unit="KiB"), "holds": ["code"]}}),
        ("synapse.formats.dense.memory", "rows"),
    ),
    "exponents": changed(EDGE, ("synapse.weight_exponent", {"min": number(1), "max": number(-1)})),
    "windows": changed(EDGE, ("synapse.convolution", {"kernel": number(3), "stride": number(0)})),
    "tiers": changed(EDGE, ("fidelity.window", number(10)), ("tick", ...)),
    "nominal": changed(EDGE, ("fidelity.tier", "nominal")),
    "shared": changed(EDGE, ("core.shared.thresholds.parameters", ["threshold_register"])),
    "broken_rule": changed(EDGE, ("constraints", [{"expression": "core.neurons <= 32", "source": "synthetic"}])),
    # texts
    "families": changed(EDGE, ("neuron.updates.edge_lif.families", ["if", "cuba_lif"])),
    "neuron": changed(EDGE, ("neuron.updates", {"edge": EDGE["neuron"]["updates"]["edge_lif"]})),
    "no_text": changed(EDGE, ("neuron.updates.edge_lif.text", ...)),
    "no_file": changed(EDGE, ("neuron.updates.edge_lif.text", ...), ("neuron.updates.edge_lif.file", "none.neuron")),
    "both": changed(EDGE, ("neuron.updates.edge_lif.file", "edge.neuron")),
    "syntax": changed(EDGE, ("neuron.updates.edge_lif.text", ["neuron edge_lif for if", "v = = 1"])),
    "option": changed(EDGE, ("neuron.updates.edge_lif.options", {"reset": "none"})),
    "passes": changed(
        EDGE,
        (
            "fallbacks",
            {
                "delay": {"passes": "ntensor-clamp-delay{most=1}"},
                "fan_in": {"passes": "ntensor-split-fan-in{least=2}"},
            },
        ),
    ),
    "contract": changed(EDGE, ("constraints", [{"expression": "fan_inn <= 256", "source": "synthetic"}])),
    "stranger": changed(SMALL, ("target", "abacus")),
}
folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for name, data in FILES.items():
    (folder / f"{name}.json").write_text(json.dumps(data))
(folder / "broken.json").write_text('{"schema": }')
(folder / "twice.json").write_text('{"schema": "nopt.device/1", "schema": "nopt.device/1"}')
(folder / "infinite.json").write_text('{"schema": NaN}')
(folder / "deep.json").write_text("[" * 100000)
