"""Kinds of the input and output signals of a population whose update is replaced.

Errors: LGU002 another kind of signal.
"""

from __future__ import annotations

from typing import NoReturn

from xdsl.ir import Operation, SSAValue

from ...core.diagnostics import Code, describe_op, refuse
from ...core.ir.operation import element_type
from ...dialects import ntensor
from ._update_options import Choice, emits_another_kind

LGU002 = Code("LGU002", "an update cannot take the place of another")


def verify_kind(choice: Choice) -> None:
    """Refuses an update that sends or takes another kind of signal. Errors: LGU002."""
    op, old, update, element = choice.op, choice.old, choice.update, choice.element
    if emits_another_kind(old, update):  # 3
        help = f"a neuron with `emit {old.emits.data}`"
        message = f"@{update.sym_name.data} sends another kind of signal"
        refuse_kind(op, message, str(old.emits.data), str(update.emits.data), help)
    if not ntensor.is_event(element) and ntensor.interval_of(element) is not None:
        readers = [reader for reader in passed_on(op.z) if not isinstance(reader, ntensor.OutputOp)]
        if readers:
            help = "a neuron that emits reals or spikes"
            message = "values of integers have a unit that synapses do not know"
            refuse_kind(op, message, "outputs", describe_op(readers[0])[0], help)
    if len(op.xs) > 1 and not set(old.operand_names) <= set(update.operand_names):  # 4
        given, taken = ", ".join(old.operand_names), ", ".join(update.operand_names)
        refuse_kind(op, "the inputs of both updates have other names", given, taken, "give the inputs the same names")


def event_in_front(op: ntensor.NeuronOp) -> SSAValue | None:
    """Returns an event that reaches a population in its own tick, so that one more synapse closes no loop."""
    stack, seen = list(op.xs[::-1]), set[SSAValue]()
    while stack:
        x = stack.pop()
        if ntensor.is_event(element_type(x)):
            return x
        if x not in seen and isinstance(x.owner, Operation) and not ntensor.breaks_loops(x.owner):
            stack.extend(x.owner.operands[::-1])
        seen.add(x)
    return None


def refuse_kind(op: ntensor.NeuronOp, message: str, expected: str, found: str, help: str) -> NoReturn:
    at, node = describe_op(op)
    refuse(LGU002, message, at=at, node=node, expected=expected, found=found, help=help)


def passed_on(value: SSAValue) -> list[Operation]:
    """Returns the readers of a signal, through delays and reshapes."""
    found: list[Operation] = []
    stack, seen = [value], set[SSAValue]()
    while stack:
        if (x := stack.pop()) in seen:
            continue
        seen.add(x)
        for reader in (use.operation for use in x.uses):
            if isinstance(reader, ntensor.DelayOp | ntensor.ReshapeOp):
                stack.append(reader.results[0])
            else:
                found.append(reader)
    return found
