"""Kinds of the input and output signals of a population whose update is replaced.

Errors: LEG047 another kind of signal.
"""

from __future__ import annotations

from typing import NoReturn

from xdsl.ir import Operation, SSAValue

from ....core.diagnostics import Code, describe_op, refuse_op
from ....core.ir.graph_region import walk_downstream, walk_upstream
from ....core.ir.operation import element_type
from ....dialects import ntensor
from ._update_options import Choice, emits_another_kind

LEG047 = Code("LEG047", "update-not-replaceable", "an update cannot take the place of another")


def verify_kind(choice: Choice) -> None:
    """Refuses an update that sends or takes another kind of signal. Errors: LEG047."""
    op, old, update, element = choice.op, choice.old, choice.update, choice.element
    if emits_another_kind(old, update):  # 3
        help = f"a neuron with `emit {old.emits.data}`"
        message = f"@{update.sym_name.data} sends another kind of signal"
        refuse_kind(op, message, str(old.emits.data), str(update.emits.data), help)
    if not ntensor.is_event(element) and ntensor.interval_of(element) is not None:
        uses = (use.operation for value in walk_downstream([op.z], is_rearranging) for use in value.uses)
        readers = [reader for reader in uses if not is_rearranging(reader) and not isinstance(reader, ntensor.OutputOp)]
        if readers:
            help = "a neuron that emits reals or spikes"
            message = "values of integers have a unit that synapses do not know"
            refuse_kind(op, message, "outputs", describe_op(readers[0])[0], help)
    if len(op.xs) > 1 and not set(old.operand_names) <= set(update.operand_names):  # 4
        given, taken = ", ".join(old.operand_names), ", ".join(update.operand_names)
        refuse_kind(op, "the inputs of both updates have other names", given, taken, "give the inputs the same names")


def event_in_front(op: ntensor.NeuronOp) -> SSAValue | None:
    """Returns an event signal that is available in a population's tick, else an event input; a synapse from it creates no cycle. None without one."""
    found = [*walk_upstream(op.xs, lambda op: not ntensor.breaks_loops(op)), *inputs_of(op)]
    return next((x for x in found if ntensor.is_event(element_type(x))), None)


def inputs_of(op: ntensor.NeuronOp) -> list[SSAValue]:
    """Returns the inputs of the network of a population."""
    block = op.parent_block()
    return [] if block is None else list(block.args)


def refuse_kind(op: ntensor.NeuronOp, message: str, expected: str, found: str, help: str) -> NoReturn:
    refuse_op(op, LEG047, message, expected=expected, found=found, help=help)


def is_rearranging(op: Operation) -> bool:
    """Returns whether an op only delays, reshapes or max-pools a signal."""
    return isinstance(op, ntensor.DelayOp | ntensor.ReshapeOp | ntensor.MaxPool2dOp)
