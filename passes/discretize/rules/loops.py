"""Which edges of a loop wait for the next tick.

In continuous time a loop needs no delay; in ticks one of its edges must wait. Three rules, none of which looks at names or at the
order of the file:

1. An edge whose target dominates its source, seen from the inputs, closes a loop: it waits. Skip edges are never delayed.
2. `loop-delay=current` lets that edge itself wait, so what it brings starts at 0, its bias included. `loop-delay=spikes` lets the
   spikes wait that feed it, so the bias of a recurrent synapse acts in the first tick.
3. A loop with two entries has no such edge (every pair of an excitatory and an inhibitory population with input to both): there
   every spike edge inside the strongly connected component waits, with a remark that names them.

`loop-delay-at=SOURCE->TARGET,…` names edges instead; what they leave open falls to the rules.

Source: dominance: Cooper, Harvey and Kennedy, A simple, fast dominance algorithm (2001). The rules reproduce the recorded rasters
of Norse (current) and snnTorch (spikes).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ....core.diagnostics import Code, Diagnostics, ExitCode, refuse
from ....core.graph_region import components
from .flat import Flat, Node

LOO001 = Code(
    "LOO001",
    "a loop with two entries takes a tick on every spike edge",
    cause="No edge of this loop leads back to a point that everything enters by, so no edge is the recurrent one. "
    "Every spike edge inside the loop takes one tick.",
    remedy='Name the edges that shall wait: `loop-delay-at="SOURCE->TARGET"`.',
)
LOO002 = Code(
    "LOO002",
    "an edge that shall wait is not in the network",
    cause="`loop-delay-at` names an edge by its two nodes. There is no such edge.",
    remedy='Write the names of two connected nodes, for example `loop-delay-at="w_rec->lif"`.',
    exit_code=ExitCode.MISUSED,
)
LOO003 = Code(
    "LOO003",
    "the current of a loop waits instead of its spikes",
    cause="What feeds the recurrent edge also feeds other nodes, so its spikes cannot wait without delaying those, too. "
    "The recurrent edge itself waits; a bias on it does not act in the first tick.",
    remedy="Give the recurrent synapse a node of its own, or say `loop-delay=current`.",
)
LOO004 = Code(
    "LOO004",
    "a network with a loop needs a rule for its delay",
    cause="A loop must wait for one tick somewhere, and frameworks differ on where: on the spikes (snnTorch) or on the current (Norse). "
    "It changes when a recurrent bias first acts.",
    remedy="Say `like=NAME` (a preset decides) or `loop-delay=spikes` or `loop-delay=current`.",
)

Edge = tuple[Node, Node, int]
"""Source, target, and the number of the target's operand."""


def edge_name(edge: Edge) -> str:
    """An edge in the user's words; a sum of edges is called by the node that it leads to."""
    source, target, _ = edge
    while not target.name and target.readers:
        target = target.readers[0][0]
    while not source.name and source.reads:
        source = source.reads[0]
    return f"{source.name}->{target.name}"


def delayed_edges(
    flat: Flat, waits: Callable[[Node], bool], rule: str | None, at: Sequence[str], diagnostics: Diagnostics
) -> list[Edge]:
    """The edges that take one tick, so that no loop is left without a delay.

    `waits` says which nodes hold a tick already: their output does not depend on this tick's input.

    Errors: LOO002 an unknown edge in `at`; LOO004 a loop, and no rule. Remarks: LOO001, LOO003.
    """
    chosen = named_edges(flat, at)

    def open_reads(node: Node) -> list[tuple[Node, int]]:
        """What a node reads in the same tick, with the number of the operand."""
        if waits(node):
            return []
        return [(source, k) for k, source in enumerate(node.reads) if (source, node, k) not in chosen]

    def loops() -> list[list[Node]]:
        parts = components(list(flat.all()), lambda node: [source for source, _ in open_reads(node)])
        return [part for part in parts if len(part) > 1 or any(s is part[0] for s, _ in open_reads(part[0]))]

    if not loops():
        return sorted_edges(flat, chosen)
    if rule is None:
        nodes = ", ".join(node.name for node in loops()[0] if node.name)
        refuse(
            LOO004,
            "a network with a loop needs a rule for its delay",
            expected="like=NAME, or loop-delay=spikes or loop-delay=current",
            found=f"a loop through {nodes}",
            help="convert-nir-to-ntensor{dt-ns=100000 like=snntorch}, or …{dt-ns=100000 loop-delay=spikes reset=value}",
        )
    inside = {node: k for k, part in enumerate(loops()) for node in part}
    for edge in back_edges(flat, open_reads, inside):
        if rule == "current":
            chosen[edge] = None
            continue
        feeding = spike_edges_behind(edge, inside)
        if feeding is None:
            chosen[edge] = None
            diagnostics.remark(
                LOO003,
                "the current of a loop waits instead of its spikes",
                at=f"edge {edge_name(edge)}",
                node=edge[0].name or None,
                expected=f'"{edge[0].name}" feeding nothing but the loop',
                found="other nodes read it too",
                help="say loop-delay=current, or give the recurrent synapse a node of its own",
            )
        else:
            chosen.update(dict.fromkeys(feeding))
    for part in loops():
        members = set(part)
        edges = [(s, node, k) for node in part for s, k in open_reads(node) if s in members]
        waiting = [e for e in edges if e[0].spikes] or [e for e in edges if e[1].is_population] or edges
        chosen.update(dict.fromkeys(waiting))
        listed = ", ".join(sorted(edge_name(edge) for edge in waiting))
        diagnostics.remark(
            LOO001,
            "a loop with two entries takes a tick on every spike edge",
            at=f"loop through {', '.join(sorted(node.name for node in part if node.name))}",
            expected="one edge that everything enters by",
            found=f"one tick on each of {listed}",
            help=f'loop-delay-at="{sorted(edge_name(edge) for edge in waiting)[0]}" chooses edges yourself',
        )
    return sorted_edges(flat, chosen)


def named_edges(flat: Flat, at: Sequence[str]) -> dict[Edge, None]:
    """The edges that the user names, `SOURCE->TARGET`; a sum between the two nodes is looked through."""
    edges = {edge_name((s, node, k)): (s, node, k) for node in flat.nodes for k, s in enumerate(node.reads) if s.name}
    chosen: dict[Edge, None] = {}
    for text in at:
        edge = edges.get("->".join(part.strip() for part in text.split("->")))
        if edge is None:
            refuse(
                LOO002,
                f"there is no edge {text}",
                expected=f"one of {', '.join(sorted(edges)[:12])}{', …' if len(edges) > 12 else ''}",
                found=text,
                help=f'loop-delay-at="{next(iter(sorted(edges)), "a->b")}"',
            )
        chosen[edge] = None
    return chosen


def sorted_edges(flat: Flat, chosen: Iterable[Edge]) -> list[Edge]:
    """Edges in the order of the network's nodes."""
    position = {node: k for k, node in enumerate(flat.all())}
    return sorted(chosen, key=lambda edge: (position[edge[1]], edge[2]))


def back_edges(flat: Flat, open_reads: Callable[[Node], list[tuple[Node, int]]], inside: dict[Node, int]) -> list[Edge]:
    """The edges inside loops whose target dominates their source."""
    nodes = list(flat.all())
    readers: dict[Node, list[Node]] = {node: [] for node in nodes}
    for node in nodes:
        for source, _ in open_reads(node):
            readers[source].append(node)
    roots = [node for node in nodes if not open_reads(node)]
    order = reverse_postorder(roots, readers)
    rank = {node: k + 1 for k, node in enumerate(order)}  # 0 is the root of all roots
    parent: list[int | None] = [0] + [None] * len(order)
    is_root = set(roots)
    changed = True
    while changed:
        changed = False
        for k, node in enumerate(order, 1):
            known = [rank[s] for s, _ in open_reads(node) if s in rank and parent[rank[s]] is not None]
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
    """The nearest common dominator of two ranks."""
    while a != b:
        if a > b:
            a = parent[a] or 0
        else:
            b = parent[b] or 0
    return a


def reverse_postorder(roots: Sequence[Node], readers: dict[Node, list[Node]]) -> list[Node]:
    """Nodes that can be reached from `roots`, each before what it leads to wherever there is no loop."""
    seen: set[Node] = set()
    order: list[Node] = []
    for root in roots:
        if root in seen:
            continue
        seen.add(root)
        work = [(root, iter(readers[root]))]
        while work:
            node, rest = work[-1]
            for reader in rest:
                if reader not in seen:
                    seen.add(reader)
                    work.append((reader, iter(readers[reader])))
                    break
            else:
                order.append(node)
                work.pop()
    return order[::-1]


def spike_edges_behind(edge: Edge, inside: dict[Node, int]) -> list[Edge] | None:
    """The spike edges that feed a recurrent edge from inside its loop, or None where delaying them would delay others too.

    Walks back through synapses and sums; stops at spikes and at populations.
    """
    source, target, _ = edge
    if source.spikes or source.is_population or source.op is None:
        return [edge]
    found: list[Edge] = []
    work, seen = [source], {source}
    while work:
        node = work.pop()
        if node.is_output or any(reader not in seen and reader is not target for reader, _ in node.readers):
            return None
        for k, before in enumerate(node.reads):
            if inside.get(before) != inside[target]:
                continue
            if before.spikes or before.is_population:
                found.append((before, node, k))
            elif before not in seen:
                seen.add(before)
                work.append(before)
    return found
