"""Selection of nodes: the ops that `nodes=NODE,…` names, by the user's own names, and the updates that no op uses any more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches

from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from ..core.diagnostics import Code, ExitCode, describe_op, near_notes, refuse
from ..core.ir.pipeline import option_text
from ..core.phrases import Option, Phrase
from ..dialects import machine, nir, ntensor

QNO001 = Code("QNO001", "a selected node does not exist", exit_code=ExitCode.MISUSED)
QNO002 = Code("QNO002", "no network in ticks")

LISTED = 12
"""Maximum number of names in a message."""


def networks(module: ModuleOp) -> Iterator[ntensor.NetworkOp]:
    """Yields the networks of a module. Errors: QNO002 the module has only one in continuous time."""
    found = [op for op in module.ops if isinstance(op, ntensor.NetworkOp)]
    graph = next((op for op in module.ops if isinstance(op, nir.GraphOp)), None)
    if not found and graph is not None:
        refuse(
            QNO002,
            "no network in ticks",
            at=describe_op(graph)[0],
            expected="ntensor.network",
            found=graph.name,
            help=Phrase(Option("convert-nir-to-ntensor{dt-ns=1000000 like=norse}", "--dt 1ms --like norse")),
        )
    return iter(found)


def routed_graphs(module: ModuleOp, unrouted: Code) -> list[machine.GraphOp]:
    """Returns the machine graphs of a module. Errors: `unrouted`, a graph that is not routed."""
    graphs = [op for op in module.ops if isinstance(op, machine.GraphOp)]
    for graph in graphs:
        if graph.stage.data is not machine.Stage.ROUTED:
            at, help = describe_op(graph)[0], "machine-place-vertices,machine-route-edges"
            refuse(unrouted, at=at, expected="stage routed", found=f"stage {graph.stage.data}", help=help)
    return graphs


def name_of(op: Operation) -> str:
    """Returns the user's name of a node."""
    return str(getattr(op.properties.get("node"), "data", ""))


def is_plastic(op: Operation) -> bool:
    """Returns whether the weights of an op change."""
    return isinstance(op, ntensor.SynapseOpInterface) and op.learning_rule is not None


def check_names(module: ModuleOp, names: Sequence[str], is_meant: Callable[[Operation], bool], step: str) -> None:
    """Refuses names that match no op of a supported kind. Errors: QNO001."""
    known = [name_of(op) for network in networks(module) for op in network.body.block.ops if is_meant(op)]
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, 1, 0)
            refuse(
                QNO001,
                f'{step} has no node "{name}" to work on',
                at="nodes",
                expected=f"one of {', '.join(known[:LISTED])}{', …' * (len(known) > LISTED)}" if known else "none",
                found=name,
                help=replaced_name("nodes", names, name, near[0]) if near else f"leave nodes out of {step}",
                notes=near_notes(name, known),
            )


def replaced_name(key: str, names: Sequence[str], wrong: str, right: str) -> str:
    """Returns an option that lists names, with a right one in the place of a wrong one.

    "nodes=fc1,fc2" == replaced_name("nodes", ["fc1", "fcc2"], "fcc2", "fc2")
    """
    return f"{key}={option_text(tuple(dict.fromkeys(right if name == wrong else name for name in names)))}"


def choose_ops(
    network: ntensor.NetworkOp, names: Sequence[str], is_meant: Callable[[Operation], bool]
) -> list[Operation]:
    """Returns the named ops, or all supported ops without names, in the order of the network."""
    return [op for op in network.body.block.ops if is_meant(op) and (not names or name_of(op) in names)]


def add_update(module: ModuleOp, made: ntensor.UpdateOp, before: ntensor.UpdateOp, stem: str, precision: str) -> str:
    """Adds an update before another one, unless the module has an equal one, and returns its symbol: `STEM.f32` or `STEM.2.f32`."""
    known = ntensor.find_updates(module)
    symbol, count = stem + precision, 1
    while symbol in known and not known[symbol].is_equal(made):
        count += 1
        symbol = f"{stem}.{count}{precision}"
    if symbol not in known:
        made.sym_name = StringAttr(symbol)
        module.body.block.insert_op_before(made, before)
    return symbol


def erase_unused_updates(module: ModuleOp, updates: Iterable[ntensor.UpdateOp]) -> None:
    """Erases those of some updates that no op refers to."""
    used = {
        symbol.root_reference.data
        for op in module.walk()
        for symbol in (*op.properties.values(), *op.attributes.values())
        if isinstance(symbol, SymbolRefAttr)
    }
    for update in updates:
        if update.sym_name.data not in used:
            Rewriter.erase_op(update)
