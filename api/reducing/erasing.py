"""Removal of ops at any level, each with the ops that use its results or refer to its symbol."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.traits import IsTerminator


def removable(module: ModuleOp) -> list[int]:
    """Returns the numbers of the ops that can be removed without a terminator, the ops with most inner ops first."""
    ops = list(module.walk())
    dependents = dependents_of(ops)
    found = [
        number
        for number, op in enumerate(ops)
        if number and not any(one.has_trait(IsTerminator) for one in closure(op, dependents))
    ]
    return sorted(found, key=lambda number: -sum(1 for _ in ops[number].walk()))


def remove_ops(module: ModuleOp, numbers: Collection[int]) -> bool:
    """Removes ops and all their transitive dependents."""
    ops = list(module.walk())
    dependents = dependents_of(ops)
    removed = {one for number in numbers for one in closure(ops[number], dependents)}
    outermost = [op for op in ops if op in removed and op.parent_op() not in removed]
    for op in outermost:
        op.detach()
    for op in outermost:
        op.drop_all_references()
    return bool(outermost)


def closure(op: Operation, dependents: dict[Operation, list[Operation]]) -> dict[Operation, None]:
    """Returns an op and all its transitive dependents."""
    found, work = dict[Operation, None](), [op]
    while work:
        if (one := work.pop()) not in found:
            found[one] = None
            work += dependents[one]
    return found


def dependents_of(ops: list[Operation]) -> dict[Operation, list[Operation]]:
    """Returns the dependents of each op: ops that use its results or refer to its symbol."""
    symbols: dict[str, list[Operation]] = {}
    found: dict[Operation, list[Operation]] = {}
    for op in ops:
        found[op] = [use.operation for result in op.results for use in result.uses]
        if isinstance(name := op.properties.get("sym_name"), StringAttr):
            symbols.setdefault(name.data, []).append(op)
    for op in ops:
        for text in dict.fromkeys(symbols_in([*op.properties.values(), *op.attributes.values()])):
            for owner in symbols.get(text, ()):
                if owner is not op and not owner.is_ancestor(op):
                    found[owner].append(op)
    return found


def symbols_in(attributes: Collection[Attribute]) -> Iterator[str]:
    """Yields the symbols that attributes refer to."""
    for attribute in attributes:
        match attribute:
            case SymbolRefAttr():
                yield attribute.root_reference.data
                yield from (one.data for one in attribute.nested_references)
            case ListAttr():
                entries: ListAttr[Attribute] = attribute
                yield from symbols_in(list(entries))
            case DictionaryAttr():
                yield from symbols_in(list(attribute.data.values()))
            case ParametrizedAttribute():
                yield from symbols_in(attribute.parameters)
            case _:
                pass
