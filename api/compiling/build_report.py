"""Parts of the record `nopt.report/1` of a build: its network, approximations, changes of rates, and the main numbers of its mapping."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from math import prod
from typing import Any

from attrs import frozen
from xdsl.dialects.builtin import FloatAttr, ModuleOp
from xdsl.ir import Operation

from ...core.device.device import Device
from ...core.device.topology import topology_of
from ...core.diagnostics import describe_op
from ...core.ir.operation import shape_of, texts_of
from ...dialects import machine, ntensor
from ...dialects.ntensor.probes import ProbedOperation, probes_of
from ...dialects.ntensor.readout import readout_of
from ..costing.chip_costs import chip_cost
from ..judging.fullness import fullest, usable_cores
from ..modules import only_network
from .builds import MAPPING
from .device_fit import neurons_of
from .occupancy import link_loads, occupancy, projection_rows, store_rows


@frozen
class Measurement:
    """Comparison of the levels of a compilation on the sample input. Without one, only the loss can be known: on generated input."""

    loss: dict[str, Any] | None = None
    unmeasured: str | None = None
    """Why the model of the target cannot run here."""
    levels: list[dict[str, Any]] | None = None
    rate_changes: list[dict[str, Any]] | None = None
    calibration: dict[str, int] | None = None
    ticks: int | None = None
    chips: dict[str, Any] | None = None
    confusion: dict[str, Any] | None = None
    """Decisions of the samples by label."""
    agreement: dict[str, Any] | None = None
    saturation: list[dict[str, Any]] | None = None


def only_graph(module: ModuleOp) -> machine.GraphOp:
    """Returns the machine graph of a module that fits."""
    return next(op for op in module.ops if isinstance(op, machine.GraphOp))


def mapping_summary(
    mapped: dict[str, Any], module: ModuleOp, device: Device, kept: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Returns the main numbers of a mapping, what it kept of an earlier one, and the use of its cores and links."""
    inputs = {one["id"] for one in mapped["vertices"]} - {one["target"] for one in mapped["edges"]}
    placed = {(one["chip"], one["core"]) for one in mapped["vertices"] if one["id"] not in inputs}
    counts = {part: len(mapped[part]) for part in ("vertices", "edges", "routes")}
    rows = occupancy(only_graph(module), device)
    fullness = fullest(use for row in rows for use in row["uses"])
    return {
        "file": MAPPING,
        **counts,
        "cores": len(placed),
        "usable_cores": usable_cores(device),
        "fullest": None if fullness is None else fullness.as_json(),
        "cost": mapped["cost"],
        "placement": mapped["placement"],
        "kept": kept,
        "occupancy": rows,
        "links": link_loads(mapped["routes"], topology_of(device, len(mapped["vertices"]))),
        "stores": store_rows(only_graph(module), device),
        "projections": projection_rows(only_graph(module), device),
    }


def approximations(network: Operation) -> list[dict[str, Any]]:
    """Returns the records of lossy passes for the report."""
    records: Iterable[ntensor.ApproximationAttr] = getattr(network, "approximations", None) or ()
    return [
        {
            "step": one.step.data,
            "what": one.what.data,
            "touched": [name.data for name in one.touched],
            "largest": one.largest.value.data if isinstance(one.largest, FloatAttr) else None,
            "mean": one.mean.value.data if isinstance(one.mean, FloatAttr) else None,
            "unit": one.unit.data,
        }
        for one in records
    ]


def described_network(network: Any) -> dict[str, Any]:
    """Returns name, tick and size of a network; the size of a compiled network is not known."""
    named = {
        "name": network.sym_name.data,
        "tick_ns": network.tick_ns.value.data,
        "frame_ticks": getattr(network, "frame_ticks", 1),
    }
    if not isinstance(network, ntensor.NetworkOp):
        return named | dict.fromkeys(("populations", "neurons", "weights"))
    ops = list(network.body.block.ops)
    kinds = (ntensor.LinearOp, ntensor.SparseLinearOp, ntensor.ConvolutionOp)
    return named | {
        "populations": sum(isinstance(op, ntensor.NeuronOp) for op in ops),
        "neurons": neurons_of(network),
        "weights": sum(op.weight.data.size for op in ops if isinstance(op, kinds)),
    }


def host_record(module: ModuleOp) -> dict[str, Any] | None:
    """Returns the readout that the host computes: the signals that leave the chip, the outputs, and its layers; None if the chip computes everything."""
    if (readout := readout_of(module)) is None:
        return None
    named = [(describe_op(op)[1], op) for op in readout.computed]
    rows = [(node, op.name, list(shape_of(op.results[0]))) for node, op in named if node is not None]
    return {
        "inputs": texts_of(readout.input_names),
        "outputs": texts_of(readout.output_names),
        "layers": [{"node": node, "op": op, "shape": shape} for node, op, shape in rows],
    }


def added_populations(given: Set[str], lowered: ModuleOp) -> dict[str, int]:
    """Returns the neurons of populations added by the target's pipeline: relays, splitters, partial sums, copies."""
    populations = only_network(lowered).populations
    return {op.node.data: prod(shape_of(op.z.type)) for op in populations if op.node.data not in given}


def probe_records(network: ModuleOp, module: ModuleOp) -> dict[str, Any]:
    """Returns the entry `probes`: each with its array in a run, and the places of its population in the compiled `module`. Empty without probes."""
    compiled = [op for op in module.ops if isinstance(op, ProbedOperation)]
    rows = [
        {
            "array": probe.array,
            "node": probe.node,
            "kind": probe.kind,
            "places": [place for op in compiled for place in op.places(probe)],
        }
        for op in network.ops
        if isinstance(op, ntensor.NetworkOp)
        for probe in probes_of(op, [one.node.data for one in op.populations])
    ]
    return {"probes": rows} if rows else {}


def build_cost(
    module: ModuleOp,
    device: Device,
    mapping: Mapping[str, Any] | None,
    network: Mapping[str, Any],
    measured: Measurement,
) -> dict[str, Any]:
    """Returns the cost of a build whose report describes the `network`; a sample of a network of frames has one tick for each frame."""
    ticks = None if measured.ticks is None else -(-measured.ticks // network["frame_ticks"])
    accuracy = None if measured.loss is None else measured.loss["accuracy"]
    return chip_cost(module, device, mapping, network["tick_ns"], ticks, accuracy, network["frame_ticks"])
