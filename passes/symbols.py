"""Removal of symbols that no op uses."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.rewriter import Rewriter

from ..dialects import ntensor


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
