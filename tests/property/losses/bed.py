"""Builds of one network on devices, and the comparison of their loss records with figures that are computed from the arrays of runs.

A network comes from a seed: those of `chains` and the trained examples. It is compiled with every approximation permitted and a sample input, run before and
after, and each figure of `loss` in report.json is recomputed (`recomputed.py`).
"""

from __future__ import annotations

import json
import math
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import nir
import numpy as np
from attrs import field, frozen
from chain_networks import chain_network
from forked_commands import JSON, Folder
from recomputed import accuracy, aligned, figures, worst

SAMPLES, TICKS = 8, 40
RATES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
"""Probability of a spike of the input in a tick, of each sample."""
WARNING = "loss-beyond-threshold"
LIMITS = {"agreement": (1.0, 0.95), "count_error": (0.0, 0.1), "relative_error": (0.0, 0.1)}
"""Each figure without any loss, and its default threshold."""
POINT = 0.01
"""Default threshold of a fall in accuracy."""
EPSILON = 1e-9
WINDOW = re.compile(r"\bwindow=(\d+)")


@frozen
class Case:
    """A network on disk with a sample input and labels."""

    folder: Path
    options: tuple[str, ...]
    has_labels: bool


@frozen
class Outcome:
    """Result of one build: whether it fits, its findings about loss, and the figures that differ from the recomputed ones."""

    device: str
    fits: bool
    code: str = ""
    is_warned: bool = False
    loss: Mapping[str, Any] = field(factory=dict)
    faults: tuple[str, ...] = ()


def write_case(seed: int, folder: Path) -> Case:
    """Writes the network of a seed, spikes of several rates, and random labels where it has one output."""
    folder.mkdir(parents=True, exist_ok=True)
    network = chain_network(seed)
    rng = np.random.default_rng(seed)
    shape = network.x.shape[2:]
    rates = np.reshape(RATES, (SAMPLES, *(1,) * (1 + len(shape))))
    nir.write(folder / "net.nir", network.graph)
    np.save(folder / "x.npy", (rng.random((SAMPLES, TICKS, *shape)) < rates).astype(np.float32))
    outputs = [node for node in network.graph.nodes.values() if isinstance(node, nir.Output)]
    has_labels = len(outputs) == 1
    if has_labels:
        classes = math.prod(int(n) for n in outputs[0].output_type["output"])
        np.save(folder / "y.npy", rng.integers(0, classes, SAMPLES))
    return Case(folder, network.options, has_labels)


def compare(case: Case, device: str, seconds: int) -> Outcome:
    """Compiles a case for a device, and recomputes its loss record."""
    commands, build = Folder(case.folder, seconds), case.folder / "build"
    shutil.rmtree(build, ignore_errors=True)
    labels = ("--labels", "y.npy") if case.has_labels else ()
    permitted = ("--approximate", "all", "--calib", "x.npy", *labels)
    reply = commands.run(("compile", "net.nir", "--target", device, *case.options, *permitted, "-o", "build", *JSON))
    codes = [one["name"] for one in reply.findings]
    if reply.code:
        errors = [one["code"] for one in reply.findings if one["severity"] == "error"]
        return Outcome(device, False, errors[0] if errors else f"exit code {reply.code}")
    before = case.folder / "before.npz"
    if not before.exists():
        commands.run(("run", "net.nir", *case.options, "--input", "x.npy", "-o", before.name, *JSON))
    report = json.loads((build / "report.json").read_text())
    latency = max(report["latency_ticks"].values(), default=0)
    longer = ("--ticks", str(TICKS + latency)) if latency else ()
    commands.run(("run", "build", "--input", "x.npy", *longer, "-o", "after.npz", *JSON))
    with np.load(before) as reals, np.load(case.folder / "after.npz") as chip:
        loss = report["loss"]
        if loss is None:
            return Outcome(device, True, faults=("no loss record",))
        faults = (
            *differing(case, report, dict(reals), dict(chip)),
            *judgement_faults(loss, WARNING in codes),
        )
    return Outcome(device, True, is_warned=WARNING in codes, loss=loss, faults=faults)


def differing(
    case: Case, report: Mapping[str, Any], reals: Mapping[str, np.ndarray], chip: Mapping[str, np.ndarray]
) -> Iterator[str]:
    """Yields the figures of a report that differ from the recomputed ones."""
    loss, steps = report["loss"], (report["integers"] or {}).get("steps", {})
    per_output, compared = [], {}
    for name, after in chip.items():
        before = reals[name]
        latency = report["latency_ticks"].get(name, 0)
        frame_ticks = ticks_of_frames(report)
        is_event = before.dtype.kind in "biu"
        if not is_event and after.dtype.kind in "iu":
            after = after * np.asarray(steps.get(name, 1.0))
        pair = compared[name] = aligned(before, after, latency, frame_ticks)
        per_output.append(figures(*pair, is_event=is_event, is_frame=frame_ticks > 1))
        yield from unequal(f"{name}: ", loss["outputs"][name], per_output[-1])
    yield from unequal("", loss, worst(per_output))
    if case.has_labels:
        labels = np.load(case.folder / "y.npy")
        ((name, (_, after)),) = compared.items()
        known = {"accuracy": accuracy(after, labels), "accuracy_before": accuracy(reals[name], labels)}
        yield from unequal("", loss, known)


def ticks_of_frames(report: Mapping[str, Any]) -> int:
    """Returns the ticks of a frame by the recorded pass that makes frames of them; 1 if there is none."""
    windows = [int(found[1]) for one in report["approximations"] if (found := WINDOW.search(one["step"]))]
    return max(windows, default=1)


def unequal(where: str, stated: Mapping[str, Any], computed: Mapping[str, Any]) -> Iterator[str]:
    for name, value in computed.items():
        found = stated[name]
        if (found is None) != (value is None) or (value is not None and not math.isclose(found, value, rel_tol=1e-6)):
            yield f"{where}{name} is {found}, recomputed {value}"


def judgement_faults(loss: Mapping[str, Any], is_warned: bool) -> Iterator[str]:
    """Yields a fault if a loss beyond the thresholds has no warning, or if one within half of them has one."""
    known = {name: loss[name] for name in LIMITS if loss[name] is not None}
    excess = [(value - LIMITS[name][0]) / (LIMITS[name][1] - LIMITS[name][0]) for name, value in known.items()]
    if loss["accuracy"] is not None:
        excess.append((loss["accuracy_before"] - loss["accuracy"]) / POINT)
    largest = max(excess, default=0.0)
    if largest > 1 + EPSILON and not is_warned:
        yield f"no warning at {largest:.2f} of the thresholds"
    if largest <= 0.5 and is_warned:
        yield f"a warning at {largest:.2f} of the thresholds"
