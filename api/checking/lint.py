"""Checks of a network in continuous time, without a run: nodes without effect, weights, thresholds and units.

The findings are warnings, because such a network is valid and may be intended. A warning contains the computed value and its limit. A network
that was trained and exported correctly causes no warning.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...analysis.flat_graph import Flat, Node
from ...analysis.time_constants import SLOW, TRAINED, Names, seconds, shortest, suggestions
from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Code, Diagnostics
from ...dialects import nir, ntensor
from .membrane_bounds import LARGEST, Bounds

CHK001 = Code("CHK001", "node-reaches-no-output", "a node leads to no output")
CHK002 = Code("CHK002", "node-without-input-path", "a node has no path from an input")
CHK003 = Code("CHK003", "node-weights-all-zero", "all weights of a node are zero")
CHK004 = Code("CHK004", "weight-outliers", "a few weights are far larger than all others")
CHK005 = Code("CHK005", "node-too-large-to-check", "a node has too many weights to check")
CHK006 = Code("CHK006", "threshold-not-above-rest", "a threshold is not above the potential at rest")
CHK007 = Code("CHK007", "reset-not-below-threshold", "a reset is not below the threshold")
CHK008 = Code("CHK008", "population-can-never-fire", "a population can never fire")
CHK009 = Code("CHK009", "delay-in-milliseconds", "a delay looks like milliseconds")
CHK010 = Code("CHK010", "parameters-suggest-other-step", "the parameters suggest another time step")

COARSE = 0.25
"""Maximum ratio of a suggested time step to the shortest time constant. A longer suggestion is a coincidence."""
FEW = 1000
"""At most one weight of this number is an outlier."""
FAR = 8.0
"""Minimal ratio of an outlier to the largest of the other weights: three bits of a shared scale."""
ENOUGH = 8
"""Minimal number of weights for such a warning."""


def suspicions(flat: Flat, neurons: Mapping[str, ntensor.NeuronOp], diagnostics: Diagnostics) -> None:
    """Warns about suspicious parts of a network; `neurons` are its populations under the chosen rule, if any.

    Warnings: CHK001 to CHK004, CHK006 to CHK009. Remarks: CHK005.
    """
    check_effect(flat, diagnostics)
    for node in flat.nodes:
        match node.op:
            case nir.WeightedOp() | nir.ConvolutionOp():
                check_weights(node, "weight", node.op.weight, diagnostics)
            case nir.ScaleOp():
                check_weights(node, "scale", node.op.scale, diagnostics)
            case nir.DelayOp():
                check_delay(node, node.op, diagnostics)
            case nir.PopulationOp():
                check_threshold(node, node.op, diagnostics)
            case _:
                pass
    check_drive(flat, Bounds(flat, neurons), diagnostics)


def parts_of(node: Node) -> dict[str, Any]:
    """Returns the fields of a finding that locate a node."""
    if node.op is None:
        return {"at": f'input "{node.name}"', "node": node.name}
    return {"at": f'{node.op.name} "{node.name}"', "node": node.name, "op": node.op}


# ---- edges


def reachable(roots: Iterable[Node], next: Mapping[Node, list[Node]]) -> set[Node]:
    """Returns all nodes that are reachable from `roots`."""
    seen = set(roots)
    work = list(seen)
    while work:
        for node in next[work.pop()]:
            if node not in seen:
                seen.add(node)
                work.append(node)
    return seen


def check_effect(flat: Flat, diagnostics: Diagnostics) -> None:
    """Warns about nodes that have no effect on any output, and about nodes that no input affects."""
    sources = reachable(flat.outputs, {node: node.reads for node in flat.all()})
    fed = reachable(flat.inputs, {node: [reader for reader, _ in node.readers] for node in flat.all()})
    for node in flat.all():
        if not node.name:
            continue  # an edge sum does not come from the user
        what = "input" if node.op is None else "node"
        for code, message, path, has_path in (
            (CHK001, "leads to no output", "to an output", node in sources),
            (CHK002, "has no path from an input", "from an input", node in fed or not flat.inputs),
        ):
            if not has_path:
                parts = {**parts_of(node), "expected": f"a path of edges {path}", "found": "none"}
                diagnostics.warning(code, f"the {what} {message}", **parts, help=f"connect the {what}, or leave it out")


# ---- numbers


def check_weights(node: Node, name: str, array: ArrayAttr, diagnostics: Diagnostics) -> None:
    """Warns about layers with only zero weights, and about a few weights that are far larger than all others."""
    size = prod(array.shape)
    if size > LARGEST:
        diagnostics.remark(
            CHK005,
            f"{name} has too many elements to check",
            **parts_of(node),
            expected=f"at most {LARGEST} elements",
            found=f"{size} elements",
        )
        return
    sizes = np.abs(array.values).reshape(-1)
    present = sizes[sizes > 0]
    if size and not present.size:
        diagnostics.warning(
            CHK003,
            f"{name} is zero everywhere",
            **parts_of(node),
            expected="an element other than 0",
            found="only zeros" if size > 1 else "0",
            help="export the network after its training, or leave the node out",
        )
    if present.size < ENOUGH:
        return
    few = max(1, present.size // FEW)
    rest, most = float(np.partition(present, -few - 1)[-few - 1]), float(present.max())
    if most <= FAR * rest:
        return
    where = list(map(int, np.unravel_index(int(sizes.argmax()), array.shape)))
    count = int((sizes > FAR * rest).sum())
    diagnostics.warning(
        CHK004,
        f"{count} weights are far larger than all others" if count > 1 else "a weight is far larger than all others",
        **parts_of(node),
        expected=f"at most {FAR:g} times the largest of the rest, {rest:g}",
        found=f"{name}{where} = {array.values[*where]:g}, {most / rest:.3g} times as large",
        help="check this weight; clip it in the training if it is unintended",
    )


def check_delay(node: Node, op: nir.DelayOp, diagnostics: Diagnostics) -> None:
    """Warns about a delay that is probably not in seconds."""
    values = op.delay.values
    if values.size and (longest := float(values.max())) >= SLOW:
        diagnostics.warning(
            CHK009,
            **parts_of(node),
            expected=f"a delay in seconds, usually below {SLOW:g} s",
            found=f"{longest:g} s",
            help="check the unit that the exporter wrote; NIR counts in seconds",
        )


def parameters_of(op: nir.PopulationOp) -> dict[str, NDArray[np.float64]]:
    return {name: array.values.astype(np.float64) for name, array in op.parameters()}


def check_threshold(node: Node, op: nir.PopulationOp, diagnostics: Diagnostics) -> None:
    """Warns about thresholds below the potential at rest or the reset potential."""
    values = parameters_of(op)
    if "threshold" in values and (text := format_outliers(values["threshold"] < 0, threshold=values["threshold"])):
        diagnostics.warning(
            CHK006,
            "the threshold is below 0, so that no input exceeds it",
            **parts_of(node),
            expected="a threshold of 0 or more",
            found=text,
            help="check the threshold where the network was exported",
        )
    if "v_threshold" not in values:
        return
    threshold, leak = values["v_threshold"], values.get("v_leak")
    wrong = threshold <= (0 if leak is None else leak)
    if text := format_outliers(wrong, v_threshold=threshold, **({} if leak is None else {"v_leak": leak})):
        diagnostics.warning(
            CHK006,
            "the threshold is not above the potential at rest",
            **parts_of(node),
            expected=f"v_threshold above {'0, where v starts' if leak is None else 'v_leak'}",
            found=text,
            help=f"check v_threshold{'' if leak is None else ' and v_leak'} where the network was exported",
        )
    if "v_reset" not in values:
        return
    if text := format_outliers(values["v_reset"] >= threshold, v_reset=values["v_reset"], v_threshold=threshold):
        diagnostics.warning(
            CHK007,
            "the reset is not below the threshold",
            **parts_of(node),
            expected="v_reset below v_threshold",
            found=text,
            help="check both where the network was exported; a reset by subtraction does not use v_reset",
        )


def format_outliers(wrong: NDArray[np.bool_], **values: NDArray[np.float64]) -> str:
    """Formats the number of wrong neurons and the values of the first; empty if there are none."""
    if not wrong.any():
        return ""
    where = np.unravel_index(int(wrong.argmax()), wrong.shape)
    first = ", ".join(f"{name} = {np.broadcast_to(array, wrong.shape)[where]:g}" for name, array in values.items())
    if wrong.ndim == 0:
        return first
    return f"{first} at index {list(map(int, where))}, {int(wrong.sum())} of {wrong.size} neurons"


# ---- drive


def check_drive(flat: Flat, bounds: Bounds, diagnostics: Diagnostics) -> None:
    """Warns about populations that cannot reach their threshold, for any activity of the neurons before them."""
    for node in flat.nodes:
        if not isinstance(node.op, nir.PopulationOp) or not node.op.is_spiking:
            continue
        values = parameters_of(node.op)
        threshold = values["threshold" if isinstance(node.op, nir.ThresholdOp) else "v_threshold"]
        most, limit = np.broadcast_arrays(bounds.maximum(node), threshold)
        if not most.size or (most >= limit).any():
            continue
        best = np.unravel_index(int((most - limit).argmax()), most.shape)
        gains = [f"{name} = {values[name].max():g}" for name in ("r", "w_in") if name in values]
        diagnostics.warning(
            CHK008,
            "the population can never fire",
            **parts_of(node),
            expected=f"more than its threshold, {limit[best]:g}, in some neuron when all neurons before it fire",
            found=f"at most {most[best]:g}" + (f", with {' and '.join(gains)} at most" if gains else ""),
            help="check the gain, the weights and the threshold where the network was exported",
        )


# ---- time


def check_time_step(populations: list[nir.PopulationOp], names: Names, tick_ns: int, diagnostics: Diagnostics) -> None:
    """Warns if the parameters of the network suggest another time step than the given one. Warnings: CHK010."""
    found = suggestions(populations, names)
    least = min((time for op in populations if (time := shortest(op)) is not None), default=0.0)
    if not found or tick_ns in [ns for ns, _ in found]:
        return
    ns, why = found[0]
    if ns > COARSE * least * 1e9:
        return
    diagnostics.warning(
        CHK010,
        expected=f"{seconds(ns)}, from {why}",
        found=seconds(tick_ns),
        help=f"--dt {seconds(ns).replace(' ', '')}",
        notes=[TRAINED],
    )
