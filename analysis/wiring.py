"""Wiring of a network: for each operand of a population the chains that are added in it, each from one source.

    %s = ntensor.sum %a, %b      operand x of "lif1": ["fc1" from "input", "rec" from "lif1"]

1. Sums are read from left to right. A sum of sums is one sum where the order of addition stays: where the inner one is the left operand and
   of the same type, or where integers or terms are added. A delay or reshape of a sum is one of each operand.
2. Before a sum, and before a population without one, lies a chain (`machine.projection`): each op reads the one before it.
   What one neuron adds twice are two projections.
3. A network output comes from a population or an input, through delays and reshapes only.

Errors: ANA038 signals that meet before a synapse; ANA039 an output without a population; ANA040 a loop without a population.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from attrs import field, frozen
from xdsl.ir import Operation, OpResult, SSAValue

from ..core.diagnostics import Code, describe_op, refuse
from ..core.ir.graph_region import find_cycle, is_loop, schedule
from ..core.ir.operation import element_type, shape_of
from ..core.names import Names
from ..dialects import ntensor
from ..dialects.chip_base.chains import Chain
from ..dialects.machine import chain_of

ANA038 = Code("ANA038", "signals-meet-before-synapse", "signals meet before a synapse")
ANA039 = Code("ANA039", "output-source-not-population", "the source of this output is not a population")

ANA040 = Code("ANA040", "loop-without-population", "a loop passes through no population")


@frozen(eq=False, slots=False)
class Connection:
    """The part of an operand that comes from one source."""

    name: str
    value: SSAValue
    """The inputs of a population."""
    source: str
    chain: tuple[Operation, ...]
    """The ops in between, from the source on."""
    tail: int = 0
    """The number of its last ops that follow a sum of which this is one operand."""

    @cached_property
    def path(self) -> tuple[str, Chain]:
        """Returns the source and the chain, as they are counted."""
        return self.source, Chain(self.chain)


@frozen(eq=False)
class Wiring:
    """A network by the names of its parts."""

    inputs: dict[str, SSAValue]
    neurons: dict[str, ntensor.NeuronOp]
    adds: dict[str, list[list[Connection]]]
    """For each operand of each population what is added, in order."""
    outputs: list[tuple[str, str, tuple[Operation, ...]]]
    """Name, source and the delays and reshapes in between."""
    unread: tuple[Operation, ...] = field(default=())
    """Ops that lead to no population and no output."""

    @property
    def connections(self) -> dict[str, Connection]:
        """All of them, by name."""
        return {one.name: one for listed in self.adds.values() for operand in listed for one in operand}

    @property
    def sources(self) -> dict[str, tuple[int, ...]]:
        """Shapes of spike sources by name: inputs, then populations."""
        values = {**self.inputs, **{name: neuron.z for name, neuron in self.neurons.items()}}
        return {name: shape_of(value) for name, value in values.items()}

    def into(self, name: str) -> list[Connection]:
        """The connections into a population."""
        return [one for operand in self.adds[name] for one in operand]


def node_of(op: Operation) -> str:
    return describe_op(op)[1] or op.name


def wiring_of(network: ntensor.NetworkOp, merging: str) -> Wiring:
    """Returns the connections of a network; `merging` is the pass that merges sums, for the help of a refusal.

    Errors: ANA038, ANA039, ANA040.
    """
    block = network.body.block
    refuse_loops(network)
    neurons = {op.node.data: op for op in block.ops if isinstance(op, ntensor.NeuronOp)}
    inputs: dict[str, SSAValue] = {name.data: arg for name, arg in zip(network.input_names, block.args, strict=True)}
    names: dict[SSAValue, str] = {value: name for name, value in inputs.items()}
    names |= {neuron.z: name for name, neuron in neurons.items()}
    made: dict[tuple[Term, int], Connection] = {}
    used: set[Operation] = set()
    taken = Names(start=2, separator=".")

    def connection(term: Term, time: int) -> Connection:
        value, tail = term
        if (term, time) not in made:
            chain = tuple(chain_of(value))
            first = chain[0].operands[0] if chain else value
            if first not in names:
                refuse_sum(first, value, merging)
            used.update(chain)
            name = taken.take(chain_name(chain, names[first]))
            made[term, time] = Connection(name, value, names[first], (*chain, *tail), len(tail))
        return made[term, time]

    def operands(neuron: ntensor.NeuronOp) -> list[list[Connection]]:
        times = Counter[Term]()
        found: list[list[Connection]] = []
        for x in neuron.xs:
            found.append([])
            for term in terms(x, used, merging):
                found[-1].append(connection(term, times[term]))
                times[term] += 1
        return found

    adds = {name: operands(neuron) for name, neuron in neurons.items()}
    outputs: list[tuple[str, str, tuple[Operation, ...]]] = []
    last = block.last_op
    assert last is not None  # the network verifies
    for name, value in zip(network.output_names, last.operands, strict=True):
        chain = tuple(chain_of(value))
        first = chain[0].operands[0] if chain else value
        if first not in names or any(not isinstance(op, ntensor.DelayOp | ntensor.ReshapeOp) for op in chain):
            owner = value.owner
            refuse(
                ANA039,
                f'output "{name.data}" is given by no population',
                at=describe_op(owner)[0] if isinstance(owner, Operation) else f'"{name.data}"',
                node=describe_op(owner)[1] if isinstance(owner, Operation) else name.data,
                expected="the output of a population, or an input, through delays and reshapes only",
                found=owner.name if isinstance(owner, Operation) else "an input through synapses",
                help=f'let "{name.data}" read one of {", ".join(neurons) or "the populations"}',
            )
        used.update(chain)
        outputs.append((name.data, names[first], chain))
    unread = (op for op in block.ops if op not in used and not isinstance(op, ntensor.NeuronOp) and op is not last)
    return Wiring(inputs, neurons, adds, outputs, tuple(unread))


def is_neuron(op: Operation) -> bool:
    return isinstance(op, ntensor.NeuronOp)


def refuse_loops(network: ntensor.NetworkOp) -> None:
    """Errors: ANA040."""
    for component in schedule(network.body.block, is_neuron):
        if is_loop(component, is_neuron):
            cycle = find_cycle(component, is_neuron)
            refuse(
                ANA040,
                at=describe_op(cycle[0])[0],
                node=describe_op(cycle[0])[1],
                expected="a population on every loop",
                found=" -> ".join(describe_op(op)[0] for op in [*cycle, cycle[0]]),
                help="put a population on the loop that emits its input as a value",
            )


Term = tuple[SSAValue, tuple[Operation, ...]]
"""The operands of a sum, and the delays and reshapes after it."""


def terms(x: SSAValue, used: set[Operation], merging: str, tail: tuple[Operation, ...] = ()) -> Iterator[Term]:
    """Returns the operands of a sum, from left to right. Errors: ANA038."""
    if not is_sum(x) or not isinstance(x, OpResult):
        yield x, tail
        return
    used.add(x.op)
    if not isinstance(x.op, ntensor.SumOp):
        yield from terms(x.op.operands[0], used, merging, (x.op, *tail))
        return
    is_exact = ntensor.interval_of(element_type(x)) is not None
    for k, inner in enumerate(x.op.xs):
        if is_sum(inner) and not is_exact and (k or element_type(inner) != element_type(x)):
            refuse_sum(inner, x, merging)
        yield from terms(inner, used, merging, tail)


def is_sum(value: SSAValue) -> bool:
    """Returns whether a value is a sum, possibly followed by delays and reshapes."""
    while isinstance(value, OpResult) and isinstance(value.op, ntensor.DelayOp | ntensor.ReshapeOp):
        value = value.op.operands[0]
    return isinstance(value, OpResult) and isinstance(value.op, ntensor.SumOp)


def refuse_sum(first: SSAValue, value: SSAValue, merging: str) -> None:
    """Errors: ANA038."""
    owner, reader = first.owner, value.owner
    assert isinstance(owner, Operation)
    shown = [describe_op(x.owner)[0] for x in owner.operands if isinstance(x.owner, Operation)]
    refuse(
        ANA038,
        at=describe_op(reader)[0] if isinstance(reader, Operation) else "",
        node=describe_op(reader)[1] if isinstance(reader, Operation) else None,
        expected="a population or an input at the other end of each chain of synapses",
        found=f"{owner.name} of {', '.join(shown)}" if shown else owner.name,
        help=merging if isinstance(reader, ntensor.SumOp) else "give each signal a synapse of its own",
    )


def chain_name(chain: tuple[Operation, ...], source: str) -> str:
    """Returns a name for a chain: that of the last op with weights, else of the last op, else of the source."""
    weighted = [op for op in chain if not isinstance(op, ntensor.DelayOp | ntensor.ReshapeOp)]
    return node_of((weighted or list(chain))[-1]) if chain else source
