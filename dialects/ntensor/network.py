"""Networks of the ntensor dialect, with their outputs and readouts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import (
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    base,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import HasParent
from xdsl.utils.exceptions import VerifyException

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Code, describe_op, invalid, refuse
from ...core.help_text import Option, Phrase
from ...core.ir.body_ops import body_ops
from ...core.ir.contents import has_verified, op_contents
from ...core.ir.graph_region import NetworkOperation, Signature, find_cycle, is_loop, names, schedule
from ...core.ir.operation import TerminatorOperation, element_type, shape_of
from ...core.names import shared_symbol, symbols_of
from ..nir.graph import GraphOp
from ._approximation import ApproximationAttr
from .neurons import (
    NeuronOp,
    UpdateOp,
)
from .signals import (
    NTE002,
    NTE006,
    verify_signal,
)
from .wiring import DelayOp, breaks_loops

NTE001 = Code("NTE001", "loop-without-delay", "a loop has no delay")
NTE004 = Code("NTE004", "tensor-name-repeated-or-missing", "a name is used twice, or is missing")
NTE009 = Code("NTE009", "no-network-in-ticks", "no network in ticks")

LEARNS_ON = "ntensor.learns_on"
"""Attribute of a network whose samples run one after another, each with the weights that the one before it has learnt."""
KEEPS_WEIGHTS = "ntensor.keeps_weights"
"""Attribute of a network whose learning is off, also on a chip whose artefact has learning rules."""
FRAME_TICKS = "ntensor.frame_ticks"
"""The attribute of a network of frames: how many ticks of the input are one frame."""
STACKED_TICKS = "ntensor.stacked_ticks"
"""The attribute of a network of frames whose inputs have the ticks of a frame as their first axis, instead of their sum."""
HOST = "machine.host"
"""The attribute of an op that the host computes."""
INPUT_PADDING = "ntensor.input_padding"
"""The attribute of a network with padded inputs: the zeros before and after each axis of the data, by input. Shapes: each [axes, 2]."""

PROBES = "ntensor.probes"
"""The attribute of a network with the names of the arrays that a run on a chip records in addition to the outputs."""


@irdl_op_definition
class OutputOp(TerminatorOperation):
    """Terminator of a network or a readout. Its operands are the outputs, in the order of the signature."""

    name = "ntensor.output"
    values = var_operand_def(base(TensorType))
    traits = lazy_traits_def(lambda: (HasParent(NetworkOp, ReadoutOp),))


@irdl_op_definition
class NetworkOp(NetworkOperation):
    """One tick of a network. Operands may be used before they are defined; every cycle contains a delay.

    The attribute `ntensor.frame_ticks` of a network of frames is the number of ticks of the input that one tick adds up. With the attribute
    `ntensor.stacked_ticks` they are not added: they are the first axis of each input. The attribute `ntensor.input_padding` holds the zeros
    around the data of each padded input. `ntensor.probes` holds the names of the arrays that a run on a chip records (`probes.py`).

    Units: `tick_ns` [ns], `ntensor.frame_ticks` [ticks].
    Errors: NTE001 a loop without a delay; NTE002 inputs or outputs that differ from the signature; NTE003 an input or output that is not
    a signal; NTE004 a name used twice, or a delay that is part of a node other than the one it reads; NTE005 a neuron that does not match
    its update; NTE006 `tick_ns` or `ntensor.frame_ticks` not positive, `ntensor.stacked_ticks`
    or `ntensor.input_padding` of other axes, `ntensor.probes` that are not names.
    """

    name = "ntensor.network"
    tick_ns = prop_def(IntegerAttr.constr(i64))
    approximations = opt_prop_def(base(ListAttr[ApproximationAttr]))

    ATTRIBUTES: ClassVar[tuple[str, ...]] = ("tick_ns", "approximations")

    def __init__(self, name: str, signature: Signature, tick_ns: int, body: Region):
        properties = self.properties_of(name, signature) | {"tick_ns": IntegerAttr(tick_ns, i64)}
        super().__init__(properties=properties, regions=[body])

    @property
    def dt(self) -> float:
        """The length of a tick [s]."""
        return self.tick_ns.value.data / 1e9

    @property
    def frame_ticks(self) -> int:
        """The number of input ticks that the network adds up in one of its ticks; 1 unless the network computes frames."""
        found = self.attributes.get(FRAME_TICKS)
        return found.value.data if isinstance(found, IntegerAttr) else 1

    @property
    def learns_on(self) -> bool:
        """Whether a sample starts with the weights that the sample before it has learnt."""
        return LEARNS_ON in self.attributes

    @property
    def keeps_weights(self) -> bool:
        """Whether learning is off."""
        return KEEPS_WEIGHTS in self.attributes

    @property
    def has_stacked_ticks(self) -> bool:
        """Whether the ticks of a frame are the first axis of each input, instead of their sum."""
        return STACKED_TICKS in self.attributes

    @property
    def input_padding(self) -> dict[str, NDArray[np.int64]]:
        """The zeros around the data of inputs, by name. Shapes: each [axes, 2]."""
        found = self.attributes.get(INPUT_PADDING)
        entries = found.data.items() if isinstance(found, DictionaryAttr) else ()
        return {name: array.values.astype(np.int64) for name, array in entries if isinstance(array, ArrayAttr)}

    populations = body_ops(NeuronOp)

    @property
    def has_host_ops(self) -> bool:
        return any(HOST in op.attributes for op in self.body.block.ops)

    @property
    def outputs(self) -> OutputOp:
        """The terminator, which every verified network has."""
        last = self.body.block.last_op
        assert isinstance(last, OutputOp)
        return last

    def update_signature(self) -> None:
        """Adopts the types of the arguments and outputs of the region."""
        inputs, outputs = ([value.type for value in values] for values in (self.body.block.args, self.outputs.values))
        self.function_type = FunctionType.from_lists(inputs, outputs)

    def replace_outputs(self, outputs: Mapping[str, SSAValue]) -> None:
        """Replaces the outputs by other values of the network, by name."""
        self.outputs.operands = list(outputs.values())
        self.output_names = names(outputs)
        self.update_signature()

    def record(self, approximation: ApproximationAttr) -> None:
        """Appends the record of a lossy pass."""
        self.approximations = ListAttr([*(self.approximations or ()), approximation])

    @classmethod
    def check_attributes(cls, parser: Parser, given: dict[str, Attribute]) -> None:
        if not isinstance(tick := given.get("tick_ns"), IntegerAttr):
            parser.raise_error("expected `attributes {tick_ns = N}`, the length of a tick in nanoseconds")
        given["tick_ns"] = IntegerAttr(tick.value.data, i64)

    def verify_(self) -> None:
        if self.tick_ns.value.data < 1:
            message = "the length of a tick is not positive"
            expected = "tick_ns of 1 or more"
            help = "tick_ns = 1000000 is one millisecond"
            invalid(self, NTE006, message, expected=expected, found=str(self.tick_ns.value.data), help=help)
        frame = self.attributes.get(FRAME_TICKS)
        if frame is not None and not (isinstance(frame, IntegerAttr) and self.frame_ticks >= 1):
            message, found = "the ticks of a frame are not a positive integer", f"{frame}"
            invalid(self, NTE006, message, expected="1 or more", found=found, help=f"{FRAME_TICKS} = 16 : i64")
        self.verify_signature(NTE002, "network", OutputOp)
        verify_stacked_ticks(self)
        verify_padding(self)
        verify_probes(self)
        for name, value in zip(self.input_names, self.body.block.args, strict=True):
            verify_signal(self, f"input {name}", element_type(value))
        for name, value in zip(self.output_names, self.outputs.values, strict=True):
            verify_signal(self, f"output {name}", element_type(value))
        verify_names(self)
        verify_loops(self)
        verify_neurons(self)


@irdl_op_definition
class ReadoutOp(NetworkOperation):
    """Ops of a network that the host computes in every tick, after the chip. Its inputs are the outputs of the chip.

    Units: `tick_ns` [ns].
    Errors: NTE001 a loop without a delay; NTE002 inputs or outputs that differ from the signature; NTE005 a neuron that does not match its update.
    """

    name = "ntensor.readout"
    tick_ns = prop_def(IntegerAttr.constr(i64))

    ATTRIBUTES: ClassVar[tuple[str, ...]] = ("tick_ns",)

    def __init__(self, name: str, signature: Signature, tick_ns: IntegerAttr, body: Region):
        super().__init__(properties=self.properties_of(name, signature) | {"tick_ns": tick_ns}, regions=[body])

    @property
    def outputs(self) -> OutputOp:
        """The terminator, which every verified readout has."""
        last = self.body.block.last_op
        assert isinstance(last, OutputOp)
        return last

    @property
    def computed(self) -> list[Operation]:
        """The ops that the host computes."""
        return [op for op in self.body.block.ops if op is not self.body.block.last_op]

    @classmethod
    def check_attributes(cls, parser: Parser, given: dict[str, Attribute]) -> None:
        if not isinstance(given.get("tick_ns"), IntegerAttr):
            parser.raise_error("expected `attributes {tick_ns = N}`, the length of a tick in nanoseconds")

    def verify_(self) -> None:
        self.verify_signature(NTE002, "readout", OutputOp)
        verify_loops(self)
        verify_neurons(self)

    def as_network(self) -> ModuleOp:
        """Returns a module with the readout as a network of its own, whose inputs are the outputs of the chip."""
        network = NetworkOp(self.sym_name.data, self.signature, self.tick_ns.value.data, self.body.clone())
        return ModuleOp([*(update.clone() for update in find_updates(self.parent_op()).values()), network])


def verify_neurons(op: NetworkOperation) -> None:
    """Refuses populations that do not match their updates. Errors: NTE005."""
    if isinstance(module := op.parent_op(), ModuleOp):
        updates = find_updates(module)
        sound = {name: is_sound(update) for name, update in updates.items()}
        for inner in op.body.block.ops:
            if isinstance(inner, NeuronOp) and sound.get(inner.update_name, True):
                inner.verify_against(updates.get(inner.update_name))


def verify_stacked_ticks(op: NetworkOp) -> None:
    """Refuses inputs without the ticks of a frame as their first axis. Errors: NTE006."""
    if not op.has_stacked_ticks:
        return
    for name, arg in zip(op.input_names, op.body.block.args, strict=True):
        if shape_of(arg)[:1] != (op.frame_ticks,):
            message = f"input {name.data} has not the ticks of a frame as its first axis"
            expected, help = f"a first axis of {op.frame_ticks}", f"remove {STACKED_TICKS}, or correct {FRAME_TICKS}"
            invalid(op, NTE006, message, expected=expected, found=str(list(shape_of(arg))), help=help)


def verify_padding(op: NetworkOp) -> None:
    """Refuses a padding of an input that is not there, or that leaves no data. Errors: NTE006."""
    given = op.attributes.get(INPUT_PADDING)
    if given is None:
        return
    shapes = dict(zip((name.data for name in op.input_names), map(shape_of, op.body.block.args), strict=True))
    padding = op.input_padding
    is_complete = isinstance(given, DictionaryAttr) and len(given.data) == len(padding) > 0

    def fits(name: str, rows: NDArray[np.int64]) -> bool:
        shape = shapes.get(name)
        if shape is None or rows.shape != (len(shape), 2):
            return False
        return bool((rows >= 0).all() and (np.array(shape) > rows.sum(1)).all())

    wrong = [name for name, rows in padding.items() if not fits(name, rows)]
    if wrong or not is_complete:
        message = "the padding of an input does not fit it"
        expected = "integers from 0, before and after each axis of an input, that leave some data"
        found = f"{wrong[0]}: {padding[wrong[0]].tolist()}" if wrong else f"{given}"
        help = f"remove {INPUT_PADDING}, or correct it"
        invalid(op, NTE006, message, expected=expected, found=found, help=help)


def verify_probes(op: NetworkOp) -> None:
    """Refuses probes that are not names. Errors: NTE006."""
    given = op.attributes.get(PROBES)
    names = cast("ListAttr[Attribute]", given) if isinstance(given, ListAttr) else ()
    if given is not None and not (names and all(isinstance(one, StringAttr) for one in names)):
        message, help = "the probes are not names of arrays", f'{PROBES} = ["lif1", "lif1.v"]'
        invalid(op, NTE006, message, expected="a list of texts", found=str(given), help=help)


def networks(module: ModuleOp) -> Iterator[NetworkOp]:
    """Yields the networks of a module. Errors: NTE009 the module has only one in continuous time."""
    found = [op for op in module.ops if isinstance(op, NetworkOp)]
    graph = next((op for op in module.ops if isinstance(op, GraphOp)), None)
    if not found and graph is not None:
        refuse(
            NTE009,
            "no network in ticks",
            at=describe_op(graph)[0],
            expected="ntensor.network",
            found=graph.name,
            help=Phrase(Option("convert-nir-to-ntensor{dt-ns=1000000 like=norse}", "--dt 1ms --like norse")),
        )
    return iter(found)


def find_updates(module: Operation | None) -> dict[str, UpdateOp]:
    """Returns the updates of a module by symbol, in linear time; empty for any other op."""
    return (
        {op.sym_name.data: op for op in module.ops if isinstance(op, UpdateOp)} if isinstance(module, ModuleOp) else {}
    )


def updates_of(network: NetworkOp) -> dict[str, UpdateOp]:
    """Returns the updates in the module of a network, by symbol."""
    return find_updates(network.parent_op())


def add_update(module: ModuleOp, made: UpdateOp, before: UpdateOp, stem: str, precision: str) -> str:
    """Adds an update before another update unless the module has an equal update. Returns its symbol, such as `STEM.f32` or `STEM.2.f32`."""
    known = find_updates(module)
    symbol, count = stem + precision, 1
    while symbol in known and not known[symbol].is_equal(made):
        count += 1
        symbol = f"{stem}.{count}{precision}"
    if symbol not in known:
        made.sym_name = StringAttr(symbol)
        module.body.block.insert_op_before(made, before)
    return symbol


def add_copy_of_update(update: UpdateOp, network: NetworkOp) -> str:
    """Adds a copy of an update to the network's module unless an equal update exists. Returns the name in the module."""
    module = network.parent_op()
    assert isinstance(module, ModuleOp)  # networks belong to modules
    known = symbols_of(module)
    if (name := shared_symbol(update, known)) in known:
        return name
    copy = update.clone()
    copy.sym_name = StringAttr(name)
    Rewriter.insert_op(copy, InsertPoint.before(network))
    return name


def erase_unused_updates(module: ModuleOp, updates: Iterable[UpdateOp]) -> None:
    """Erases each given update that no op refers to."""
    used = {
        symbol.root_reference.data
        for op in module.walk()
        for symbol in (*op.properties.values(), *op.attributes.values())
        if isinstance(symbol, SymbolRefAttr)
    }
    for update in updates:
        if update.sym_name.data not in used:
            Rewriter.erase_op(update)


def is_sound(update: UpdateOp) -> bool:
    """Returns whether an update verifies; its own verifier reports its errors."""
    if has_verified(op_contents(update)):
        return True
    try:
        update.verify(verify_nested_ops=False)
    except VerifyException:
        return False
    return True


def verify_names(op: NetworkOp) -> None:
    """Refuses a name that is used twice, and a `part_of` that is not the node that the delay reads."""
    seen: set[str] = set()

    def take(owner: Operation, name: StringAttr) -> None:
        if name.data in seen:
            expected = "each name once, inputs and outputs among them"
            help = "rename one of the two"
            invalid(owner, NTE004, "two nodes have the same name", expected=expected, found=f"{name} twice", help=help)
        seen.add(name.data)

    for name in (*op.input_names, *op.output_names):
        take(op, name)
    parts: set[str] = set()
    for inner in op.body.block.ops:
        if isinstance(name := inner.properties.get("node"), StringAttr):
            take(inner, name)
        if isinstance(inner, DelayOp) and (part := inner.part_of) is not None:
            source = inner.x.owner
            before = source.properties.get("node") if isinstance(source, Operation) else None
            if before != part or part.data in parts:
                message = "a delay is part of a node other than the one that it reads"
                expected = f"{before}" if before is not None else "no part_of: the delay does not read a node"
                found = f"{part}, {'which already has a delay' if before == part else 'another node'}"
                invalid(inner, NTE004, message, expected=expected, found=found, help="correct part_of, or remove it")
            parts.add(part.data)


def verify_loops(op: NetworkOperation) -> None:
    """Refuses loops without a delay. The message shows one cycle of each such loop."""
    cycles = [
        find_cycle(component, breaks_loops)
        for component in schedule(op.body.block, breaks_loops)
        if is_loop(component, breaks_loops)
    ]
    if cycles:
        first, *others = (" -> ".join(describe_op(step)[0] for step in [*cycle, cycle[0]]) for cycle in cycles)
        invalid(
            cycles[0][0],
            NTE001,
            expected="an ntensor.delay of at least one tick in every loop",
            found=first,
            help="put an ntensor.delay of one tick on an edge of the loop",
            notes=[f"another loop without a delay: {other}" for other in others],
        )
