"""The card at the top of the page of a build: the verdict and its main figures.

| verdict | where |
| --- | --- |
| fits | no pass recorded an approximation beyond the conversion to ticks |
| fits with approximations | passes approximate, and no figure of the loss is beyond its threshold |
| loss beyond threshold | a figure is (`api/judging/thresholds.py`) |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ....core.number_texts import counted_text, number_text, percent_text, range_text, scaled_text
from ...costing.estimates import TOTALS
from ...judging.fullness import ORDER, Fullness, capacities
from ...judging.loss import Loss, OutputLoss
from ...judging.thresholds import Thresholds
from ..sections import Fact, Section


def card_section(report: Mapping[str, Any]) -> Section:
    """Returns the card of a build."""
    facts = [verdict(report), *loss_facts(report), device_fact(report), *host_facts(report)]
    facts += [*fullness_facts(report), *cost_facts(report)]
    facts.append(Fact("Built by", report["command"], is_code=True))
    return Section("Summary", facts=tuple(facts))


def verdict(report: Mapping[str, Any]) -> Fact:
    """Returns the verdict, with the figures beyond their thresholds or the approximations that the fit needs."""
    loss = report["loss"]
    first = report["levels"][0]["loss"] if report["levels"] else None
    beyond = [*beyond_thresholds(loss, first)]
    if beyond:
        is_sample = loss["measured_on"] == "sample input"
        note = f"On {loss['measured_on']}: {'; '.join(beyond)}."
        return Fact("Verdict", "✗ Loss beyond threshold", note, "bad" if is_sample else "fair")
    measured = "" if loss is not None else "Loss not measured: give --calib."
    names = report["fit"]["approximations"]
    if names:
        return Fact("Verdict", "≈ Fits with approximations", f"{', '.join(names)}. {measured}".strip(), "fair")
    return Fact("Verdict", "✓ Fits", measured or "As trained, in the number formats of the device.", "good")


def beyond_thresholds(loss: Mapping[str, Any] | None, first: Mapping[str, Any] | None) -> Iterator[str]:
    """Yields the figures of a loss that are beyond their default thresholds."""
    if loss is not None:
        last = loss_of(loss)
        for one in Thresholds().excesses(last, None if first is None else loss_of(first)):
            yield f"{one.figure.text(last)} (threshold: {one.figure.threshold_text(one.threshold)})"


def loss_of(record: Mapping[str, Any]) -> Loss:
    """Returns the loss of a record, without its parts."""
    parts: dict[str, Any] = {**record, "outputs": dict[str, OutputLoss](), "populations": ()}
    return Loss(**parts)


def loss_facts(report: Mapping[str, Any]) -> Iterator[Fact]:
    """Yields the accuracy before and after, the share of equal decisions, and the errors of the outputs."""
    loss = report["loss"]
    if loss is None:
        return
    samples = counted_text(loss["samples"], "sample")
    if loss["accuracy"] is not None:
        changed = f"{samples}: {counted_text(len(loss['gained']), 'sample')} became right, {len(loss['lost'])} wrong"
        yield Fact("Accuracy", f"{percent_text(loss['accuracy_before'])} → {percent_text(loss['accuracy'])}", changed)
    if loss["agreement"] is not None:
        yield Fact("Same decision", percent_text(loss["agreement"]), f"as the network of reals, {samples}")
    if loss["count_error"] is not None:
        yield Fact(
            "Error of spike counts",
            percent_text(loss["count_error"]),
            "mean, relative to the mean count of an output neuron",
        )
    if loss["spike_agreement"] is not None:
        yield Fact("Same spikes", percent_text(loss["spike_agreement"]), "of the outputs, at most one tick apart")
    if loss["relative_error"] is not None:
        largest = f"largest {number_text(loss['largest_error'])} of {number_text(loss['largest_output'])}"
        yield Fact("Error of values", percent_text(loss["relative_error"]), largest)
    for one in loss["populations"]:
        yield Fact(
            f"Changed: {one['population']}",
            one["state"],
            f"{number_text(one['before'])} → {number_text(one['after'])} events per neuron and tick",
        )


def device_fact(report: Mapping[str, Any]) -> Fact:
    """Returns the device, with the size of the network."""
    size, device = report["network"], report["device"]
    counts = [
        counted_text(size[f"{one}s"], one) for one in ("population", "neuron", "weight") if size[f"{one}s"] is not None
    ]
    changed = (
        f"; {', '.join(f'{path}={value}' for path, value in device['overridden'].items())}"
        if device["overridden"]
        else ""
    )
    return Fact(
        "Device",
        device["name"],
        f"{', '.join(counts) or 'a compiled network'}, {step_text(size)}{changed}",
    )


def step_text(size: Mapping[str, Any]) -> str:
    """Returns the length of the ticks of a network, or of its frames with their ticks of the input."""
    length = scaled_text(size["tick_ns"], "ns")
    if size["frame_ticks"] == 1:
        return f"ticks of {length}"
    return f"frames of {length}, each of {counted_text(size['frame_ticks'], 'tick')} of the input"


def host_facts(report: Mapping[str, Any]) -> Iterator[Fact]:
    """Yields the layers that the host computes, if there are any."""
    if (host := report["host"]) is not None:
        names = ", ".join(str(one["node"]) for one in host["layers"])
        yield Fact(
            "On the host", names, f"readout.py computes {', '.join(host['outputs'])} from {', '.join(host['inputs'])}"
        )


def fullness_facts(report: Mapping[str, Any]) -> Iterator[Fact]:
    """Yields the cores in use and their fullness by capacity, and the memory in total."""
    mapping = report["mapping"]
    if mapping is not None:
        shares = fullness(mapping["occupancy"])
        most = max(shares, key=lambda one: one.share, default=None)
        others = [f"{one.name} {percent_text(one.share, 0)}" for one in shares if one is not most]
        if most is not None:
            note = f"{use_text(most)}{'; ' if others else ''}{', '.join(others)}"
            yield Fact("Fullest core", f"{most.name} {percent_text(most.share, 0)}", note)
        vertices = counted_text(mapping["vertices"], "vertex")
        yield Fact(
            "Cores in use", number_text(mapping["cores"]), f"{vertices}, {counted_text(mapping['routes'], 'route')}"
        )
    memory = [(name, n) for name, n in (report["memory"] or {}).items() if n is not None]
    if memory:
        total = sum(n for name, n in memory if name not in TOTALS)
        largest = max((pair for pair in memory if pair[0] not in TOTALS), key=lambda pair: pair[1])
        yield Fact("Memory", scaled_text(total, "byte"), f"most of it {largest[0]}: {scaled_text(largest[1], 'byte')}")


def use_text(one: Fullness) -> str:
    """Returns how much of a capacity is in use."""
    if not one.quantity.endswith("bytes"):
        return f"{number_text(one.used)} of {number_text(one.limit)} {one.name}"
    return f"{scaled_text(one.used, 'byte')} of {scaled_text(one.limit, 'byte')}"


def fullness(occupancy: Sequence[Mapping[str, Any]]) -> list[Fullness]:
    """Returns the fullest core of each kind of capacity: neurons, axons, synapses and memory."""
    every = [one for row in occupancy for one in capacities(row["uses"])]
    kinds = ([one for one in every if one.name == name] for name in ORDER)
    return [max(some, key=lambda one: one.share) for some in kinds if some]


def cost_facts(report: Mapping[str, Any]) -> Iterator[Fact]:
    """Yields the latency of outputs, the time of a tick or frame, and the energy."""
    latencies = set((report["latency_ticks"] or {}).values())
    if latencies:
        ticks, tick_ns = max(latencies), report["network"]["tick_ns"]
        frame = report["network"]["frame_ticks"]
        later = (
            f"outputs follow at the end of each frame of {frame} ticks, {scaled_text(tick_ns, 'ns')}"
            if frame > 1
            else "outputs are as early as in the network of reals"
            if not ticks
            else f"{scaled_text(ticks * tick_ns, 'ns')} later than in the network of reals"
        )
        yield Fact("Latency", counted_text(ticks if frame == 1 else (ticks + 1) * frame, "tick"), later)
    cost: dict[str, Any] = report["cost"]
    time, energy, sample = cost["latency"], cost["energy"], cost["sample"]
    if time is not None:
        bound = "at least " if time["unknown"] else ""
        value = f"{bound}{range_text(time['low'], time['high'], time['unit'])}"
        yield Fact(f"Time of a {cost['per']}", value, estimate_text(time))
    if energy is None:
        yield Fact("Energy", "not known", cost["reasons"]["energy"])
        return
    whole = ""
    if sample is not None:
        one = sample["real_time"]["energy"]
        whole = f"{range_text(one['low'], one['high'], one['unit'])} in {counted_text(sample['ticks'], cost['per'])}; "
    bound = "at least " if energy["unknown"] else ""
    value = f"{bound}{range_text(energy['low'], energy['high'], energy['unit'])}"
    yield Fact("Energy", f"{value} per {cost['per']}", f"{whole}{estimate_text(energy)}")


def estimate_text(entry: Mapping[str, Any]) -> str:
    """Returns how certain an estimate is."""
    kinds = sorted({one["confidence"] for one in entry["terms"] if one["confidence"]})
    missing = f", without {', '.join(entry['unknown'])}" if entry["unknown"] else ""
    return f"estimate; coefficients: {', '.join(kinds) or 'none'}{missing}"
