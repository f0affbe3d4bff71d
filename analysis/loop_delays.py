"""Delayed edges of a loop: the edges whose signal is used in the next tick.

In continuous time a loop needs no delay; in ticks one of its edges must wait. Three rules, none of which looks at names or at the
order of the file:

1. An edge whose target dominates its source, seen from the inputs, closes a loop: it waits. Skip edges are never delayed.
2. `loop-delay=current` lets that edge itself wait, so what it brings starts at 0, its bias included. `loop-delay=spikes` lets the
   spikes wait that feed it, so the bias of a recurrent synapse acts in the first tick.
3. A loop with several entries has no such edge (every pair of an excitatory and an inhibitory population with input to both): there
   every spike edge inside the strongly connected component waits, with a remark that names them. So do those of a loop that
   nothing enters, and where a loop has no spikes every edge that leads to a population, or every edge.

`loop-delay-at=SOURCE->TARGET,…` names edges instead; the rules decide the remaining loops.

Source: dominance: Cooper, Harvey and Kennedy, A simple, fast dominance algorithm (2001). The rules reproduce the recorded rasters
of Norse (current) and snnTorch (spikes).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches

from ..core.diagnostics import Code, Diagnostics, ExitCode, choose, first_of, refuse
from ..core.help_text import Option, Phrase, option
from ..core.ir.graph_region import components, reverse_postorder
from ..core.ir.pipeline import option_text
from .flat_graph import Flat, Node
from .presets import Rules

ANA013 = Code("ANA013", "loop-delays-every-edge", "a loop with several entries takes a tick on every spike edge")
ANA014 = Code(
    "ANA014", "delayed-edge-missing", "an edge that shall wait is not in the network", exit_code=ExitCode.MISUSED
)
ANA015 = Code("ANA015", "loop-delays-current", "the current of a loop waits instead of its spikes")
ANA016 = Code("ANA016", "loop-delay-rule-missing", "a network with a loop needs a rule for its delay")

Edge = tuple[Node, Node, int]
"""Source, target, and the number of the target's operand."""


def edge_name(edge: Edge) -> str:
    """Returns an edge in the user's words; a sum of edges is called by the node that it leads to."""
    source, target, _ = edge
    seen = {source}
    while not source.name and source.reads and source.reads[0] not in seen:  # a circle may hold nothing but sums
        source = source.reads[0]
        seen.add(source)
    return f"{source.label}->{target.label}"


def delayed_edges(
    flat: Flat, waits: Callable[[Node], bool], rules: Rules, at: Sequence[str], diagnostics: Diagnostics, help: Phrase
) -> list[Edge]:
    """Returns the edges that get a delay of one tick, so that every loop has a delay.

    `waits` returns whether a node has a delay already: its output does not depend on this tick's input. `at` names edges that get a delay in
    any case, if they are here; `help` is the command that a refusal suggests.

    Errors: ANA016 a loop, and no rule. Remarks: ANA013, ANA015.
    """
    named = edges_of(flat) if at else {}
    chosen = dict.fromkeys(edge for name in at for edge in named.get(name, ()))

    def open_reads(node: Node) -> list[tuple[Node, int]]:
        """Yields the operands that a node reads in the same tick, with their numbers."""
        if waits(node):
            return []
        return [(source, k) for k, source in enumerate(node.reads) if (source, node, k) not in chosen]

    def open_loops() -> list[list[Node]]:
        parts = components(list(flat.all()), lambda node: [source for source, _ in open_reads(node)])
        return [part for part in parts if len(part) > 1 or any(s is part[0] for s, _ in open_reads(part[0]))]

    found = open_loops()
    if not found:
        return sorted_edges(flat, chosen)
    rule = rules.switches.get("loop_delay")
    if rule is None:
        first = next((node for node in found[0] if node.is_population), found[0][0])
        refuse(
            ANA016,
            at=f"loop through {format_nodes(found[0])}",
            node=first.label,
            expected=Phrase(
                option("like", "NAME"),
                ", or ",
                Option("loop-delay=spikes or loop-delay=current", "--loop-delay spikes or current"),
            ),
            found="none" if not rules.name else f"none in {rules.name}",
            help=help,
        )
    inside = {node: k for k, part in enumerate(found) for node in part}
    for edge in back_edges(flat, open_reads, inside):
        feeding = [edge] if rule == "current" else spike_edges_behind(edge, inside)
        if feeding is None:
            feeding = [edge]
            remark_current(edge, diagnostics)
        chosen.update(dict.fromkeys(feeding))
    while found := open_loops():
        for part in found:
            members = set(part)
            edges = [(s, node, k) for node in part for s, k in open_reads(node) if s in members]
            waiting = [e for e in edges if e[0].spikes] or [e for e in edges if e[1].is_population] or edges
            is_entered = any(source not in members for node in part for source in node.reads)
            remark_all(part, waiting, is_entered, diagnostics)
            chosen.update(dict.fromkeys(waiting))
    return sorted_edges(flat, chosen)


def format_nodes(nodes: Iterable[Node]) -> str:
    """Returns the names of the nodes of a loop, populations alone where there are some."""
    named = [node for node in nodes if node.name]
    shown = sorted(node.name for node in ([node for node in named if node.is_population] or named))
    return first_of([f'"{name}"' for name in shown], 6)


def remark_current(edge: Edge, diagnostics: Diagnostics) -> None:
    """Reports that the source of a recurrent edge feeds other nodes too, so the edge itself waits."""
    diagnostics.remark(
        ANA015,
        at=f"edge {edge_name(edge)}",
        node=edge[0].label,
        expected=f'"{edge[0].label}" feeding nothing but the loop',
        found="other nodes or an output read it too",
        help=Phrase("set ", option("loop-delay", "current"), ", or give the recurrent synapse a node of its own"),
    )


def remark_all(part: Sequence[Node], waiting: Sequence[Edge], is_entered: bool, diagnostics: Diagnostics) -> None:
    """Reports the waiting edges of a loop without a recurrent edge."""
    edges = sorted({edge_name(edge) for edge in waiting})
    what = "takes a tick on every spike edge" if waiting[0][0].spikes else "takes a tick on every edge"
    diagnostics.remark(
        ANA013,
        f"a loop with {'several entries' if is_entered else 'no entry'} {what}",
        at=f"loop through {format_nodes(part)}",
        node=next((node for node in part if node.is_population), part[0]).label,
        expected="one edge that leads back to where everything enters",
        found=f"one tick on each of {', '.join(edges)}",
        help=Phrase(option("loop-delay-at", edges[0], option_text(edges[0]))),
        notes=["other edges of the loop can wait instead"],
    )


def edges_of(flat: Flat) -> dict[str, list[Edge]]:
    """Returns all edges by name, `SOURCE->TARGET`; a sum between two nodes is looked through."""
    edges: dict[str, list[Edge]] = {}
    for node in flat.nodes:
        for k, source in enumerate(node.reads):
            if source.name:  # the edge from a sum to its reader is not an edge of the user's
                edges.setdefault(spaced(f"{source.name}->{node.label}"), []).append((source, node, k))
    return edges


def named_edges(flats: Iterable[Flat], at: str | None) -> list[str]:
    """Returns the edge names in the list `SOURCE->TARGET,…`. Each edge exists in at least one network.

    Names of nodes may hold commas and arrows: an entry is as long as the edge that it names. Errors: ANA014 no such edge.
    """
    known = sorted({name for flat in flats for name in edges_of(flat)})
    found: list[str] = []
    entries = (at or "").split(",")
    start = 0
    while start < len(entries):
        texts = ((end, spaced(",".join(entries[start:end]))) for end in range(start + 1, len(entries) + 1))
        match = next(((end, text) for end, text in texts if text in known), None)
        if match is not None:
            start = match[0]
            found.append(match[1])
            continue
        if text := entries[start].strip():
            near = get_close_matches(text, known, 1)
            refuse(
                ANA014,
                f"no edge {text}",
                at="loop-delay-at",
                expected=f"one of {', '.join(known[:12])}{', …' if len(known) > 12 else ''}",
                found=text,
                help=Phrase(option("loop-delay-at", near[0], option_text(near[0])))
                if near
                else choose(option("loop-delay-at", "EDGE"), map(option_text, known), "EDGE"),
            )
        start += 1
    return found


def spaced(text: str) -> str:
    """Returns an edge without blanks around its arrow and ends."""
    return "->".join(part.strip() for part in text.split("->"))


def sorted_edges(flat: Flat, chosen: Iterable[Edge]) -> list[Edge]:
    """Edges in the order of the network's nodes."""
    position = {node: k for k, node in enumerate(flat.all())}
    return sorted(chosen, key=lambda edge: (position[edge[1]], edge[2]))


def back_edges(flat: Flat, open_reads: Callable[[Node], list[tuple[Node, int]]], inside: dict[Node, int]) -> list[Edge]:
    """Returns each edge inside a loop whose target dominates its source. Dominance also counts edges that have a delay."""
    nodes = list(flat.all())
    readers: dict[Node, list[Node]] = {node: [] for node in nodes}
    for node in nodes:
        for source in node.reads:
            readers[source].append(node)
    roots = [node for node in nodes if not node.reads]
    order = reverse_postorder(roots, readers.__getitem__)
    rank = {node: k + 1 for k, node in enumerate(order)}  # 0 is the root of all roots
    parent: list[int | None] = [0] + [None] * len(order)
    is_root = set(roots)
    changed = True
    while changed:
        changed = False
        for k, node in enumerate(order, 1):
            known = [rank[s] for s in node.reads if s in rank and parent[rank[s]] is not None]
            best: int | None = 0 if node in is_root else None
            for other in known:
                best = other if best is None else meet(parent, best, other)
            if best is not None and parent[k] != best:
                parent[k] = best
                changed = True

    def dominates(a: Node, b: Node) -> bool:
        if a not in rank or b not in rank:
            return False
        at: int | None = rank[b]
        while at is not None and at > rank[a]:
            at = parent[at]
        return at == rank[a]

    return [
        (source, node, k)
        for node in nodes
        for source, k in open_reads(node)
        if node in inside and inside.get(source) == inside[node] and dominates(node, source)
    ]


def meet(parent: Sequence[int | None], a: int, b: int) -> int:
    """Returns the nearest common dominator of two ranks."""
    while a != b:
        if a > b:
            a = parent[a] or 0
        else:
            b = parent[b] or 0
    return a


def spike_edges_behind(edge: Edge, inside: dict[Node, int]) -> list[Edge] | None:
    """Returns the spike edges that feed a recurrent edge from inside its loop; None if a delay on them would also delay other paths.

    Walks back through synapses and sums; stops at spikes and at populations.
    """
    source, target, _ = edge
    if source.spikes or source.is_population or source.op is None:
        return [edge]
    found: list[Edge] = []
    between = [source]
    for node in between:  # grows while it is walked
        for k, before in enumerate(node.reads):
            if inside.get(before) != inside[target]:
                continue
            if before.spikes or before.is_population:
                found.append((before, node, k))
            elif before not in between:
                between.append(before)
    others = (
        reader for node in between for reader, _ in node.readers if reader not in between and reader is not target
    )
    return None if any(node.is_output for node in between) or any(others) else found
