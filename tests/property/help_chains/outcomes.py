"""Counts of the outcomes of chains, and the chains that lead nowhere."""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chains import Outcome

SHARE = 0.05
"""Maximal share of the pairs that may end without a remedy."""
WITHOUT_REMEDY = (Outcome.LATE, Outcome.NO_REMEDY, Outcome.UNTYPEABLE)
FAULTS = (Outcome.CIRCLE, Outcome.FAILS)

Record = Mapping[str, Any]


def exit_code(records: Sequence[Record]) -> int:
    """Returns 1 if a help repeats or fails, or if too many pairs have no remedy."""
    outcomes = Counter(record["outcome"] for record in records)
    refused = sum(outcomes[outcome] for outcome in WITHOUT_REMEDY)
    return int(any(outcomes[outcome] for outcome in FAULTS) or refused > SHARE * len(records))


def report(records: Sequence[Record]) -> str:
    """Returns the counts by target and outcome, the reasons of refusals, and one chain of each kind that leads nowhere."""
    return "\n\n".join(["\n".join(table(records)), "\n".join(reasons(records)), *chains(records)])


def kind_of(record: Record) -> str:
    if record["outcome"] == Outcome.FITS:
        helps = record["helps"]
        return f"fits after {helps} help{'s' * (helps != 1)}" if helps else "fits as typed"
    return str(record["outcome"])


def table(records: Sequence[Record]) -> Iterable[str]:
    """Yields the rows of a table: a column for each target."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for record in records:
        for column in (record["device"].partition("/")[0], "total"):
            counts[column][kind_of(record)] += 1
    fits = sorted({kind_of(record) for record in records if record["outcome"] == Outcome.FITS and record["helps"]})
    kinds = ["fits as typed", *fits, *(str(outcome) for outcome in Outcome if outcome != Outcome.FITS)]
    columns = [*sorted(counts.keys() - {"total"}), "total"]
    width = max(map(len, kinds))
    yield " " * width + "".join(f"  {column:>10}" for column in columns)
    for kind in kinds:
        yield f"{kind:{width}}" + "".join(f"  {counts[column][kind]:>10}" for column in columns)


def reasons(records: Sequence[Record]) -> Iterable[str]:
    """Yields how often each code is the last of a chain that does not fit."""
    counts = Counter(
        (str(record["outcome"]), record["reason"]) for record in records if record["outcome"] != Outcome.FITS
    )
    for (outcome, reason), count in sorted(counts.items(), key=lambda item: (item[0][0], -item[1])):
        yield f"{outcome}: {reason}: {count}"


def chains(records: Sequence[Record]) -> Iterable[str]:
    """Yields the chains that lead nowhere: one of each outcome, target and code as a whole, with the pairs that end alike."""
    groups: defaultdict[tuple[int, str, str], list[Record]] = defaultdict(list)
    for record in records:
        if not Outcome(record["outcome"]).leads:
            place = -list(Outcome).index(record["outcome"])
            groups[place, record["reason"], record["device"].partition("/")[0]].append(record)
    for _, alike in sorted(groups.items()):
        first, *others = sorted(alike, key=lambda record: len(record["chain"]))
        lines = [f"{first['outcome']}: {first['reason']}: network {first['seed']} on {first['device']}"]
        for command, label in first["chain"]:
            lines += [f"  nopt {shlex.join(command)}", f"    {label}"]
        lines.append(f"  {first['detail']}")
        if others:
            pairs = (f"{record['seed']} on {record['device']}" for record in others)
            lines.append(f"  also {', '.join(pairs)}")
        yield "\n".join(lines)
