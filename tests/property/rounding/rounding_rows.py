"""One network under one rounding of its weights: accuracy with its standard error, agreement and count error, computed from the arrays of runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod, sqrt
from typing import Any

import numpy as np
from attrs import frozen
from forked_commands import JSON, Command, Folder
from rounding_networks import Case

CALIBRATE = "ntensor-calibrate{data=calib.npy keep=128}"
METHODS: Mapping[str, str] = {
    "nearest": "ntensor-quantize-weights{bits=B balance=none}",
    "nearest, fit=error": "ntensor-quantize-weights{bits=B fit=error balance=none}",
    "gptq": f"{CALIBRATE},ntensor-quantize-weights{{bits=B method=gptq}}",
    "adaround": f"{CALIBRATE},ntensor-quantize-weights{{bits=B method=adaround}}",
}
"""Passes of each method. All weights of an op have one scale."""
DEVICE = "device"
"""The method of rows on a device, which is that of `compile --calib`."""
ROWS: Mapping[str, tuple[int, ...]] = {
    "digits_fc": (8, 4, 3, 2),
    "digits_conv": (4, 3, 2),
    "order": (8, 6, 4),
    "braille": (8, 4, 3),
    "cnn_sinabs": (4, 3),
    "keywords": (8, 4),
}
"""Bits of the weights of each network."""
DEVICES: Mapping[str, tuple[str, ...]] = {"keywords": ("c/int8", "c/int4")}
"""Devices on which networks run, too."""


@frozen
class Row:
    """A rounding: the bits with a method, or the device."""

    network: str
    bits: int | None
    method: str

    @property
    def passes(self) -> str:
        return METHODS[self.method].replace("bits=B", f"bits={self.bits}")

    @property
    def label(self) -> str:
        return self.method if self.bits is None else f"{self.bits} bits, {self.method}"


def rows_of(network: str, methods: Sequence[str]) -> list[Row]:
    """Returns the rows of a network, those on devices last."""
    rounded = [Row(network, bits, method) for bits in ROWS[network] for method in METHODS if method in methods]
    return rounded + [Row(network, None, device) for device in DEVICES.get(network, ()) if DEVICE in methods]


def checked(folder: Folder, command: Command) -> None:
    reply = folder.run((*command, *JSON))
    if reply.code:
        raise SystemExit(f"{folder.path}: nopt {' '.join(command)} ended with {reply.label}\n{reply.said}")


def counts(case: Case, name: str) -> np.ndarray:
    """Returns the events of each neuron of the output in each sample. Shapes: [samples, neurons]."""
    with np.load(case.folder / name) as outputs:
        (events,) = outputs.values()
    return events.reshape(*events.shape[:2], prod(events.shape[2:])).sum(1, dtype=np.int64)


def reference(case: Case, seconds: int) -> np.ndarray:
    """Returns the counts of the network of reals."""
    command = ("run", "net.nir", *case.options, "--input", "x.npy", "-o", "before.npz")
    checked(Folder(case.folder, seconds), command)
    return counts(case, "before.npz")


def measured(case: Case, row: Row, before: np.ndarray, seconds: int) -> dict[str, Any]:
    """Runs a network of which the weights are rounded and returns the figures."""
    folder = Folder(case.folder, seconds)
    if row.bits is None:
        build = f"build-{row.method.replace('/', '-')}"
        compilation = ("compile", "net.nir", *case.options, "--target", row.method, "--calib", "calib.npy")
        checked(folder, (*compilation, "--approximate", "all", "-o", build))
        checked(folder, ("run", build, "--input", "x.npy", "-o", "after.npz"))
    else:
        run = ("run", "net.nir", *case.options, "--input", "x.npy", "-p", row.passes, "-o", "after.npz")
        checked(folder, run)
    labels = np.load(case.folder / "y.npy") if case.has_labels else None
    return {"network": row.network, "bits": row.bits, "method": row.method} | figures(
        before, counts(case, "after.npz"), labels
    )


def figures(before: np.ndarray, after: np.ndarray, labels: np.ndarray | None) -> dict[str, Any]:
    """Returns the figures of counts. Shapes: [samples, neurons]; labels [samples]."""
    winners = [counts == counts.max(1, keepdims=True) for counts in (before, after)]
    return {
        "samples": len(before),
        "accuracy_before": share(before, labels),
        "accuracy": share(after, labels),
        "standard_error": standard_error(share(after, labels), len(after)),
        "agreement": round(float((winners[0] == winners[1]).all(1).mean()), 4),
        "count_error": round(float(abs(after - before).sum() / before.sum()), 4),
    }


def share(counts: np.ndarray, labels: np.ndarray | None) -> float | None:
    """Returns the share of samples whose class is the label."""
    return None if labels is None else round(float((counts.argmax(1) == labels).mean()), 4)


def standard_error(accuracy: float | None, samples: int) -> float | None:
    """Returns sqrt(p (1 - p) / n) of a share p of n samples."""
    return None if accuracy is None else round(sqrt(accuracy * (1 - accuracy) / samples), 4)


def line(row: Mapping[str, Any]) -> str:
    label = f"{row['bits']} bits, {row['method']}" if row["bits"] is not None else row["method"]
    known = "" if row["accuracy"] is None else f"accuracy {row['accuracy']:.2%} +- {row['standard_error']:.2%}, "
    return f"{row['network']}, {label}: {known}agreement {row['agreement']:.2%}, count error {row['count_error']:.4f}"
