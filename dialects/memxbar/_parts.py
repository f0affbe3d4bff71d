"""Refusals that the ops of the dialect share."""

from __future__ import annotations

from typing import NoReturn

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from ...core.diagnostics import Code, invalid

COMPILE_AGAIN = "nopt compile FILE --target memxbar -o DIR"


def user_name(op: Operation | None) -> str:
    """Returns the user's name of a layer."""
    found = None if op is None else op.properties.get("node")
    return found.data if isinstance(found, StringAttr) else ""


def refuse_array(
    op: Operation, code: Code, message: str, expected: str, found: str, node: str | None = None
) -> NoReturn:
    """Refuses an op of a network on arrays."""
    name = node or user_name(op) or user_name(op.parent_op())
    invalid(op, code, message, node=name or None, expected=expected, found=found, help=COMPILE_AGAIN)
