"""Rows of networks on devices, from the rankings of `check`, and sums over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any

SCHEMA = "nopt.network-fits/1"
FIGURES = ("agreement", "count_error", "relative_error", "accuracy", "accuracy_before")
Row = Mapping[str, Any]


def row(network: str, ranked: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what is kept of an entry of a ranking: whether the device takes the network, how, at what loss, or why not."""
    loss = ranked["loss"] or {}
    kept = {"network": network, "device": ranked["device"], "fits": ranked["fits"]}
    if ranked["fits"] == "no":
        return kept | {"code": ranked["code"], "reason": ranked["reason"]}
    return kept | {"approximations": ranked["approximations"]} | {name: loss.get(name) for name in FIGURES}


def entry(document: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what a check of a single device has of an entry of a ranking."""
    (fit,) = document["targets"]
    errors = [finding for finding in document["findings"] if finding["severity"] == "error"]
    first = errors[0] if errors else {"code": None, "message": ""}
    return {**fit, "code": first["code"], "reason": first["message"]}


def merged(earlier: Iterable[Row], rows: Iterable[Row], networks: Sequence[str]) -> list[Row]:
    """Returns rows in the order of the networks. A row replaces the earlier one of its network and device, or follows those of its network."""
    table = {(one["network"], one["device"]): one for one in (*earlier, *rows) if one["network"] in networks}
    return sorted(table.values(), key=lambda one: networks.index(one["network"]))


def taken(rows: Iterable[Row]) -> list[Row]:
    """Returns the rows of devices that take their network."""
    return [one for one in rows if one["fits"] in ("exact", "approximate")]


def agreements(rows: Iterable[Row]) -> list[float]:
    return [one["agreement"] for one in taken(rows) if one["agreement"] is not None]


def summary(name: str, rows: Sequence[Row]) -> str:
    """Returns one line: the devices that take a network, the median agreement, and who loses or refuses it."""
    found, known = taken(rows), agreements(rows)
    middle = f"{median(known):.3f}" if known else "-"
    lost = sum(value < 0.95 for value in known)
    refused = [f"{one['device']} {one['code']}" for one in rows if one["fits"] == "no"]
    shown = "" if len({one["network"] for one in rows}) > 1 or not refused else f"; not {', '.join(refused)}"
    return f"{name}: {len(found)} of {len(rows)} fit, median agreement {middle}, {lost} below 0.95{shown}"
