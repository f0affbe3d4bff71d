"""Reduction of a module to the smallest one that is still interesting, by a table of reductions.

    found = reduce(module, lambda candidate: "CHI006" in codes_of(candidate))
    found.module, found.trials

Source: the tools `mlir-reduce` and `llvm-reduce` of LLVM, for reductions that are repeated until none succeeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import prod

from attrs import asdict, frozen
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute

from ...core.arrays.arrays import ArrayAttr
from ...core.budget import Partial
from ...core.ir.context import NoptContext
from ...core.ir.graph_region import NetworkOperation
from ...core.ir.operation import shape_of
from ...core.ir.pass_manager import run_passes
from ...core.number_texts import counted_text
from ...core.progress import Progress
from ...dialects import nir, ntensor
from ...passes.pipelines import FLATTEN
from ..modules import steps_of
from . import erasing, networks, parameters, sizes
from .search import Exhausted, ModuleChange, Search, least, minimize

SINGLE = 16
"""Maximum number of entries of an axis for attempts to remove them one by one."""


@frozen
class Size:
    """Size of a module, for messages."""

    networks: int
    nodes: int
    neurons: int
    ops: int

    @staticmethod
    def of(module: ModuleOp) -> Size:
        ops = list(module.walk())
        populations = [op for op in ops if isinstance(op, nir.PopulationOp | ntensor.NeuronOp)]
        neurons = sum(prod(shape_of(op.results[0])) for op in populations)
        nodes = sum(networks.own_name(op) is not None for op in ops)
        return Size(len(networks.networks_of(module)), nodes, neurons, len(ops) - 1)

    def as_json(self) -> dict[str, int]:
        return asdict(self)

    def __str__(self) -> str:
        if not self.networks:
            return counted_text(self.ops, "op")
        return f"{counted_text(self.nodes, 'node')}, {counted_text(self.neurons, 'neuron')}"


@frozen
class Reduction:
    """Result of a reduction."""

    module: ModuleOp
    trials: int
    is_complete: bool
    """Whether no further reduction succeeds. If false, the trials or the time are used up."""


def reduce(
    module: ModuleOp,
    is_interesting: Callable[[ModuleOp], bool],
    *,
    enter: Callable[[Attribute], Attribute] = lambda type: type,
    max_trials: int = 1000,
    progress: Progress | None = None,
) -> Reduction:
    """Returns the smallest module that the reductions find. The given module must be interesting, and is not changed.

    `enter` returns the type of a new network input for a signal of a type. The result depends on the arguments alone.
    """
    search = Search(module, is_interesting, max_trials, progress)
    is_complete = False
    with suppress(Exhausted), Partial():
        while not is_complete:
            before = search.module
            for reduction in REDUCTIONS.values():
                reduction(search, enter)
            is_complete = search.module is before
    return Reduction(search.module, search.trials, is_complete)


def on_network(number: int, change: Callable[[NetworkOperation], bool]) -> ModuleChange:
    """Returns a change of one of the networks of a module."""
    return lambda module: change(networks.networks_of(module)[number])


def each_network(search: Search) -> Iterator[tuple[int, NetworkOperation]]:
    """Yields the number of each network, and the network in its present state."""
    for number in range(len(networks.networks_of(search.module))):
        yield number, networks.networks_of(search.module)[number]


def flatten(search: Search, _: networks.Enter) -> None:
    """Replaces nested graphs by their nodes."""

    def change(module: ModuleOp) -> bool:
        if not any(isinstance(op, nir.SubgraphOp) for op in module.walk()):
            return False
        run_passes(steps_of(FLATTEN), NoptContext(), module)
        return True

    search.accepts(change)


def keep_nodes(search: Search, enter: networks.Enter) -> None:
    """Keeps as few nodes as possible: removes nodes at the start, in the middle and at the end of the network."""
    for number, network in each_network(search):
        base, ops = search.module, networks.ops_of(network)
        nodes = [k for k, op in enumerate(ops) if not isinstance(op, networks.SUMS)]

        def test(kept: Sequence[int], number: int = number, base: ModuleOp = base) -> bool:
            change = partial(networks.keep_ops, kept=frozenset(kept), enter=enter)
            return bool(kept) and search.accepts(on_network(number, change), base)

        minimize(nodes, test)


def keep_outputs(search: Search, _: networks.Enter) -> None:
    """Removes outputs, and nodes that only they use."""
    for number, network in each_network(search):
        base = search.module

        def test(kept: Sequence[int], number: int = number, base: ModuleOp = base) -> bool:
            return search.accepts(on_network(number, partial(networks.keep_outputs, kept=frozenset(kept))), base)

        if len(network.output_names) > 1:
            minimize(range(len(network.output_names)), test)


def drop_operands(search: Search, _: networks.Enter) -> None:
    """Removes operands of sums: branches and loops."""
    for number, network in each_network(search):
        sums = [
            (k, operand)
            for k, op in enumerate(networks.ops_of(network))
            if isinstance(op, networks.SUMS)
            for operand in range(len(op.operands))
        ]
        for k, operand in sums:
            if search.accepts(on_network(number, partial(networks.drop_operand, op=k, operand=operand))):
                return drop_operands(search, _)
    return None


def skip_nodes(search: Search, _: networks.Enter) -> None:
    """Connects the readers of a node to an upstream signal."""
    for number, network in each_network(search):
        for op, value in networks.shortcuts(network):
            if search.accepts(on_network(number, partial(networks.skip, op=op, value=value))):
                return skip_nodes(search, _)
    return None


def erase_ops(search: Search, _: networks.Enter) -> None:
    """Removes ops with all their dependents: whole networks, unused updates, ops of mapped networks."""
    base, numbers = search.module, erasing.removable(search.module)

    def test(kept: Sequence[int]) -> bool:
        removed = sorted(set(numbers) - set(kept))
        return search.accepts(partial(erasing.remove_ops, numbers=removed), base)

    minimize(numbers, test)


def shrink_sizes(search: Search, _: networks.Enter) -> None:
    """Keeps as few neurons, channels and positions as possible."""
    for number, network in each_network(search):
        for axis in reversed(range(len(sizes.class_sizes(network)))):
            shrink_axis(search, number, axis)


def shrink_axis(search: Search, number: int, axis: int) -> None:
    """Reduces the entries of a class of axes: finds the shortest prefix, drops entries from its start, then tries to remove single entries."""
    base = search.module
    found = sizes.class_sizes(networks.networks_of(base)[number])
    if axis >= len(found):
        return

    def test(kept: Sequence[int]) -> bool:
        change = partial(sizes.keep_entries, number=axis, entries=kept)
        return len(kept) > 0 and search.accepts(on_network(number, change), base)

    size = found[axis]
    high = least(1, size, lambda n: test(range(n)))
    low = -least(1 - high, 0, lambda n: test(range(-n, high)))
    if 1 < high - low <= SINGLE:
        minimize(range(low, high), test)


def shrink_kernels(search: Search, _: networks.Enter) -> None:
    """Makes kernels of convolutions smaller."""
    for number, network in each_network(search):
        for op in sizes.windows(network):
            weight = networks.ops_of(network)[op].properties["weight"]
            assert isinstance(weight, ArrayAttr)
            for size in range(1, max(weight.shape[2:])):
                if search.accepts(on_network(number, partial(sizes.shrink_kernel, number=op, size=size))):
                    break


def remove_parts(search: Search, _: networks.Enter) -> None:
    """Removes biases, delays, metadata, records and annotations."""
    for number in parameters.biased(search.module):
        search.accepts(partial(parameters.remove_bias, number=number))
    for number, name in parameters.optional_parts(search.module):
        search.accepts(partial(parameters.remove_part, number=number, name=name))


def simplify_arrays(search: Search, _: networks.Enter) -> None:
    """Replaces numbers by simpler ones."""
    for place in list(parameters.places(search.module)):
        for is_scalar in (False, True):
            number, name, key = place
            values = parameters.array_at(parameters.op_at(search.module, number), name, key).values
            for form in parameters.simpler(values):
                if (form.shape != values.shape) is is_scalar and search.accepts(
                    partial(parameters.replace_array, place=place, values=form)
                ):
                    break


REDUCTIONS: Mapping[str, Callable[[Search, networks.Enter], None]] = {
    "nested graphs": flatten,
    "nodes": keep_nodes,
    "outputs": keep_outputs,
    "operands": drop_operands,
    "shortcuts": skip_nodes,
    "ops": erase_ops,
    "sizes": shrink_sizes,
    "kernel sizes": shrink_kernels,
    "parts": remove_parts,
    "arrays": simplify_arrays,
}
"""The reductions in their order: structure before sizes before numbers."""
