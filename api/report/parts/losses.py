"""Sections of loss: figures of each level, the confusion matrix, approximations, and a table of the layers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.device.cost.records import MEANINGS
from ....core.number_texts import number_text, percent_text, scaled_text
from ...judging.loss_texts import SIMILARITIES, TITLES
from ..figures.charts import histogram_chart, level_chart
from ..measurements import InputWeights, Pair, Records
from ..sections import BEFORE_AFTER, Block, BlockGroup, Cell, Figure, Section, TableBlock

LAYERS = 8
"""Largest number of histograms in a section."""
CLASSES = 20
"""Largest number of classes of a table; of more, the most frequent confusions are listed."""
CONFUSIONS = 20
"""Largest number of listed confusions."""
SHADE = 0.45
"""Share of the colour in the darkest cell of a table, so that its text stays readable."""
NO_SAMPLE = "The compilation had no sample input: nopt compile … --calib X measures the loss."
LOSS_COLUMNS = ("agreement", "count_error", "spike_agreement", "relative_error")
"""Figures of a level that have a column."""

ROUTING = ("hop", "hop_x", "hop_y", "crossing")
"""Events of links, which belong to no layer."""


def levels_section(report: Mapping[str, Any]) -> Section:
    """Returns accuracy and loss of each level, as a chart and a table, and the confusion matrix."""
    levels: list[dict[str, Any]] = report["levels"] or []
    if not levels:
        return Section("Accuracy and loss by level", text=NO_SAMPLE)
    blocks: list[Block] = [*level_figure(levels), level_table(levels), *confusion_blocks(report["confusion"])]
    firsts = tuple((level_name(one), *first_texts(one["first"])) for one in levels if one["first"] is not None)
    if firsts:
        head = ("level", "output", "sample", "tick", "index", "before", "after")
        blocks.append(
            BlockGroup(
                "First difference of each level", (TableBlock(head, firsts, numbers=(2, 3, 5, 6)),), is_folded=True
            )
        )
    loss = levels[-1]["loss"]
    text = f"{number_text(loss['samples'])} samples ({loss['measured_on']}). Every level is compared with the first, the network of reals."
    return Section("Accuracy and loss by level", text=text, blocks=tuple(blocks))


def level_name(level: Mapping[str, Any]) -> str:
    """Returns the name of a level: its pass without options, or what it is."""
    names = {"float": "network of reals", "discretized": "network in ticks", "target": "chip"}
    step = level["step"]
    return names.get(level["level"], level["level"]) if step is None else step.partition("{")[0]


def level_figure(levels: Sequence[Mapping[str, Any]]) -> Iterator[Figure]:
    """Yields the chart of the shares of right and of equal decisions."""
    rows = [(level_name(one), {"accuracy": one["accuracy"], "agreement": one["loss"]["agreement"]}) for one in levels]
    used = [name for name in ("accuracy", "agreement") if any(shares[name] is not None for _, shares in rows)]
    if not used:
        spikes = [
            (name, {"agreement": one["loss"]["spike_agreement"]}) for (name, _), one in zip(rows, levels, strict=True)
        ]
        if any(shares["agreement"] is not None for _, shares in spikes):
            yield Figure(
                "Share of spikes that match one of the network of reals.",
                level_chart(spikes, "loss by level"),
                (("agreement", TITLES["spike_agreement"]),),
            )
        return
    texts = {"accuracy": "accuracy", "agreement": "agreement with the network of reals"}
    yield Figure(
        "Shares of the samples, by level.",
        level_chart(rows, "accuracy by level"),
        tuple((name, texts[name]) for name in used),
    )


def level_table(levels: Sequence[Mapping[str, Any]]) -> TableBlock:
    """Returns the figures of each level; columns without any figure are left out."""
    columns = [(name, TITLES[name]) for name in LOSS_COLUMNS if any(one["loss"][name] is not None for one in levels)]
    has_accuracy = any(one["accuracy"] is not None for one in levels)
    head = ("level", *(["accuracy"] if has_accuracy else []), *(title for _, title in columns))
    rows = tuple(
        (
            level_name(one),
            *([percent_text(one["accuracy"])] if has_accuracy else []),
            *((percent_text if name in SIMILARITIES else number_text)(one["loss"][name]) for name, _ in columns),
        )
        for one in levels
    )
    return TableBlock(head, rows, numbers=tuple(range(1, len(head))), is_beside=True)


def first_texts(first: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        first["output"],
        *(number_text(first[key]) if first[key] is not None else "-" for key in ("sample", "tick")),
        str(first["index"]),
        number_text(first["a"]),
        number_text(first["b"]),
    )


# ---- confusion


def confusion_blocks(confusion: Mapping[str, Any] | None) -> Iterator[TableBlock]:
    """Yields the decisions at the last level by class; confusions alone if there are many classes."""
    if confusion is None:
        return
    counts, before = (dict_of(confusion[key]) for key in ("after", "before"))
    wrong = sorted(((n, pair) for pair, n in counts.items() if pair[0] != pair[1]), key=lambda one: (-one[0], one[1]))
    right = sum(n for (label, decision), n in counts.items() if label == decision)
    title = f"Confusion matrix of the last level: {right:,} of {sum(counts.values()):,} right."
    if confusion["classes"] <= CLASSES:
        yield confusion_table(confusion["classes"], counts, title)
    elif wrong:
        rows = tuple(
            (str(label), str(decision), number_text(n), number_text(before.get((label, decision), 0)))
            for n, (label, decision) in wrong[:CONFUSIONS]
        )
        caption = f"{title} The {len(rows)} most frequent of {len(wrong)} confusions."
        head = ("label", "decision", "samples", "samples before")
        yield TableBlock(head, rows, caption, (2, 3), is_beside=True)


def dict_of(entries: Sequence[Sequence[int]]) -> dict[tuple[int, int], int]:
    return {(label, decision): samples for label, decision, samples in entries}


def confusion_table(classes: int, counts: Mapping[tuple[int, int], int], title: str) -> TableBlock:
    """Returns a row for each label, a column for each decision."""
    most = max(counts.values(), default=1)

    def cell(label: int, decision: int) -> Cell:
        n, is_right = counts.get((label, decision), 0), label == decision
        return Cell(str(n) if n else "", SHADE * (n / most if is_right else bool(n)), "after" if is_right else "before")

    rows = tuple((str(label), *(cell(label, decision) for decision in range(classes))) for label in range(classes))
    caption = f"{title} Rows: labels, columns: decisions. Blue is right, orange is wrong."
    return TableBlock(("label", *map(str, range(classes))), rows, caption, tuple(range(1, classes + 1)), is_beside=True)


# ---- approximations and layers


def approximations_section(
    report: Mapping[str, Any], before: Mapping[str, NDArray[np.float64]], after: Mapping[str, NDArray[np.float64]]
) -> Section:
    """Returns the records of lossy passes, and the weights before and after all passes."""
    rows = tuple(
        (one["step"].partition("{")[0], one["what"], error_text(one["largest"], one["unit"]))
        for one in report["approximations"]
    )
    if not rows:
        return Section("Approximations", text="No pass recorded an approximation.")
    charts = tuple(
        Figure(
            f"{name}: {before[name].size:,} weights",
            histogram_chart({"before": before[name], "after": after[name]}, f"weights of {name}", "weight"),
            BEFORE_AFTER,
        )
        for name in list(after)[:LAYERS]
        if name in before and not np.array_equal(before[name], after[name])
    )
    group = (BlockGroup("Weights before and after", charts),) if charts else ()
    return Section(
        "Approximations", blocks=(TableBlock(("pass", "change", "largest error"), rows, numbers=(2,)), *group)
    )


def error_text(largest: float | None, unit: str) -> str:
    if largest is None:
        return "-"
    return "exact" if largest == 0 else f"{number_text(float(largest))}{'' if unit in ('1', 'none') else f' {unit}'}"


def layers_section(
    report: Mapping[str, Any],
    pairs: Sequence[Pair],
    weights: Mapping[str, InputWeights],
    energies: Mapping[str, float] | None,
) -> Section | None:
    """Returns the table of the layers; None without a sample input. Units: energies [pJ]."""
    levels: list[dict[str, Any]] = report["levels"] or []
    rates: dict[str, dict[str, Any]] = levels[-1]["populations"] if levels else {}
    added = report["added_populations"] or {}
    known = {pair.name: pair.records for pair in pairs}
    names = [name for name in (rates or known) if name not in added]
    if not names:
        return None
    head = ("layer", "rate before", "rate after", "saturated", "membrane bits", "weight bits", "weight error")
    text = "Rates are events per neuron and tick. Saturated: share of the membranes at an end of their type. Weight error: root mean square, relative to the weights."
    rows = [(name, *layer_texts(rates.get(name, {}), known.get(name), weights.get(name))) for name in names]
    if energies is not None:
        head, text = (*head, "energy"), f"{text} {energy_note(report['cost'])}"
        rows = [(*row, scaled_text(energies.get(row[0]), "pJ")) for row in rows]
    return Section("Layers", text=text, blocks=(TableBlock(head, tuple(rows), numbers=tuple(range(1, len(head)))),))


def energy_note(cost: Mapping[str, Any]) -> str:
    """Returns which events are in the energies of the layers."""
    terms: list[dict[str, Any]] = (cost["energy"] or {}).get("terms", [])
    names = [str(term["name"]) for term in terms if term["name"] in MEANINGS and term["name"] not in ROUTING]
    return f"Energy of a {cost['per']}: {', '.join(names)}; routing and power that is always on are not in it."


def layer_texts(rates: Mapping[str, Any], records: Records | None, weights: InputWeights | None) -> Iterator[str]:
    """Yields the figures of a layer; `-` for unknown ones."""
    yield number_text(rates.get("rate_before"))
    yield number_text(rates.get("rate"))
    yield percent_text(None if records is None else records.saturated)
    yield "-" if records is None or records.bits is None else f"{records.bits[0]} of {records.bits[1]}"
    yield "-" if weights is None or not weights.bits else ", ".join(map(str, weights.bits))
    yield percent_text(None if weights is None else weights.error)
