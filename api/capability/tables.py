"""Tables of the capability matrix, as text, Markdown and HTML: one for each target, with a row for each capability.

A cell is its value, followed by its state unless that is `full`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape

from attrs import frozen

from .matrix import CONFORMANCE, GOLDEN, STATES, TESTS, Cell, Readiness, State, rows_of

Link = Callable[[str, str], str]
"""Returns a name as a link to its place, a path relative to the documentation folder."""
STYLE = (
    "body{font-family:sans-serif}table{border-collapse:collapse}td,th{border:1px solid #999;padding:.2em .5em;text-align:left}"
    ".full{background:#dfd}.partial{background:#ffd}.planned{background:#def}.unsupported{background:#fdd}.unpublished{background:#eee}"
)


@frozen
class Table:
    """One table, with a title."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    states: tuple[tuple[State | None, ...], ...] = ()
    """The state of each entry, which determines its colour; empty for a table without states."""


def no_link(name: str, place: str) -> str:
    return name


def markdown_link(name: str, place: str) -> str:
    return f"[{name}]({place})"


def entry_of(cell: Cell) -> str:
    return cell.value if cell.state == "full" else f"{cell.value} ({cell.state})"


def proof_text(cell: Cell | None, link: Link) -> str:
    """Returns the proof of a cell with a link to its description."""
    proof = cell.proof if cell is not None else None
    if proof is None:
        return ""
    kind, name = next((one, proof.removeprefix(one)) for one in (CONFORMANCE, GOLDEN, TESTS) if proof.startswith(one))
    path, _, code = name.partition("#")
    place = "verification.md#questions" if kind == CONFORMANCE else f"../{path}"
    return f"{kind} {link(code or path, place)}"


def capability_tables(cells: Sequence[Cell], link: Link = no_link) -> Iterator[Table]:
    """Yields a table for each target, with devices as columns. The table of a single device contains its notes instead."""
    devices = list(dict.fromkeys(cell.device for cell in cells))
    if len(devices) == 1:
        yield device_table(cells, link)
        return
    for target in dict.fromkeys(cell.target for cell in cells):
        own = [key for key in devices if key.partition("/")[0] == target]
        rows, states = list[tuple[str, ...]](), list[tuple[State | None, ...]]()
        for name, row in rows_of([cell for cell in cells if cell.target == target]):
            held = {cell.device: cell for cell in row}
            proven = next((cell for cell in row if cell.proof is not None), None)
            found = [held.get(key) for key in own]
            entries = ["" if cell is None else entry_of(cell) for cell in found]
            rows.append((name, *entries, row[0].field, proof_text(proven, link)))
            states.append((None, *(None if cell is None else cell.state for cell in found), None, None))
        names = [link(key, f"targets/{key.partition('/')[0]}.md") for key in own]
        yield Table(target, ("capability", *names, "field", "proof"), tuple(rows), tuple(states))


def device_table(cells: Sequence[Cell], link: Link) -> Table:
    """Returns the table of one device."""
    rows = tuple((c.capability, c.value, c.state, c.field, proof_text(c, link), c.note) for c in cells)
    states: list[tuple[State | None, ...]] = [(None, cell.state, cell.state, None, None, None) for cell in cells]
    head = ("capability", "value", "state", "field", "proof", "note")
    return Table(cells[0].device, head, rows, tuple(states))


def totals_table(totals: dict[str, dict[State, int]]) -> Table:
    """Returns the table of the numbers of cells in each state."""
    return Table(
        "totals", ("", *STATES), tuple((name, *(str(one[state]) for state in STATES)) for name, one in totals.items())
    )


def ranking_table(ranking: Sequence[Readiness]) -> Table:
    """Returns the table of devices by readiness."""
    rows = tuple((one.device, f"{one.score:.1%}", *(str(one.states[state]) for state in STATES)) for one in ranking)
    return Table("readiness", ("device", "score", *STATES), rows)


def markdown(tables: Sequence[Table]) -> str:
    """Returns tables as Markdown; several have their titles as headings."""
    parts: list[str] = []
    for one in tables:
        parts += [f"### {one.title}"] * (len(tables) > 1)
        lines = [one.head, ["---"] * len(one.head), *one.rows]
        escaped = [[cell.replace("|", r"\|") for cell in line] for line in lines]
        parts.append("\n".join(f"| {' | '.join(line)} |" for line in escaped))
    return "\n\n".join(parts)


def html(tables: Sequence[Table]) -> str:
    """Returns tables as one HTML page without external files, with a colour for each state."""
    parts = [
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Capabilities</title><style>{STYLE}</style>'
    ]
    for one in tables:
        parts.append(f"<h2>{escape(one.title)}</h2>\n<table>")
        parts.append(f"<tr>{''.join(f'<th>{escape(name)}</th>' for name in one.head)}</tr>")
        for k, row in enumerate(one.rows):
            states = one.states[k] if one.states else (None,) * len(row)
            cells = (
                f'<td class="{state}">{escape(text)}</td>' if state else f"<td>{escape(text)}</td>"
                for text, state in zip(row, states, strict=True)
            )
            parts.append(f"<tr>{''.join(cells)}</tr>")
        parts.append("</table>")
    return "\n".join([*parts, "</html>"])
