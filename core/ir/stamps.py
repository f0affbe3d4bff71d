"""Stamps of ops: an op has the stamp of an earlier moment if nothing has changed that its text and the definition of its kind depend on.

A stamp is a tuple of objects, which are compared by identity: attributes are never changed in place, and a stamp keeps its objects, so that no new object
has the identity of one of them. Stamps of equal but different attributes differ, which only costs time.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import is_

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.irdl import OpDef
from xdsl.traits import OpTrait

from .operation import KnownAttributes, NamedNodes

Stamp = tuple[object, ...]
Stamps = dict[int, Stamp]
"""The stamps of the ops of a module by their identities, in the order of a walk."""

LOCAL = (KnownAttributes, NamedNodes)
"""Traits that read the attributes and properties of their op alone."""
UNCHANGED: set[int] = set()
"""Identities of the ops whose definition has verified: their operands, results, properties, attributes and regions are those of that moment."""
VERIFIED = "_verified_stamps"
"""Attribute of a module: the stamps at its last verification, if it found nothing."""


def stamp_of(op: Operation) -> Stamp:
    """Returns the stamp of an op. That of an inner op is not part of it."""
    operands, results = op.operands, op.results
    found: list[object] = [op, op.parent, len(operands), len(results)]
    for value in operands:
        found += (value, value.type)
    for value in results:
        found += (value, value.type, value.name_hint)
    for entry in op.properties.items():
        found += entry
    found.append(None)  # properties and attributes may exchange entries
    for entry in op.attributes.items():
        found += entry
    found += op.successors
    for region in op.regions:
        found.append(region)
        for block in region.blocks:
            found.append(block)
            for value in block.args:
                found += (value, value.type, value.name_hint)
    return tuple(found)


def is_same(one: Stamp | None, other: Stamp) -> bool:
    """Returns whether two stamps are of the same moment or of equal ones."""
    return one is not None and len(one) == len(other) and all(map(is_, one, other))


def stamps_of(module: ModuleOp) -> Stamps:
    """Returns the stamps of a module and of all ops in it."""
    found: Stamps = {}
    stack: list[Operation] = [module]
    while stack:
        op = stack.pop()
        found[id(op)] = stamp_of(op)
        if op.regions:
            for region in op.regions:
                for block in region.blocks:
                    last = block.last_op
                    while last is not None:
                        stack.append(last)
                        last = last.prev_op
    return found


def are_same(earlier: Stamps | None, now: Stamps) -> bool:
    """Returns whether nothing has changed in a module, except for locations."""
    return (
        earlier is not None
        and len(earlier) == len(now)
        and all(key == other for key, other in zip(earlier, now, strict=True))
        and all(is_same(earlier[key], stamp) for key, stamp in now.items())
    )


def verified_stamps(module: ModuleOp) -> Stamps | None:
    """Returns the stamps of a module when its last verification found nothing."""
    return getattr(module, VERIFIED, None)


def keep_stamps(module: ModuleOp, stamps: Stamps | None) -> None:
    """Stores the stamps of a verification that found nothing, or removes those of an earlier one."""
    setattr(module, VERIFIED, stamps)


def unchanged_ops(earlier: Stamps | None, now: Stamps) -> Iterator[int]:
    """Yields the identities of the ops that had their stamps at an earlier moment."""
    if earlier:
        for key, stamp in now.items():
            if is_same(earlier.get(key), stamp):
                yield key


verify_definition = OpDef.verify
REMOTE: dict[int, tuple[OpDef, tuple[OpTrait, ...]]] = {}
"""The traits of a definition that may read other ops, by the identity of the definition."""


def remote_traits(definition: OpDef) -> tuple[OpTrait, ...]:
    """Returns the traits of a definition whose verifiers may read other ops than their own."""
    found = REMOTE.get(id(definition))
    if found is None:
        traits = [one for one in definition.traits if type(one).verify is not OpTrait.verify]
        found = definition, tuple(one for one in traits if not isinstance(one, LOCAL))
        REMOTE[id(definition)] = found
    return found[1]


def verify_changes(self: OpDef, op: Operation) -> None:
    """Verifies the definition of an op, which xDSL calls before the verifier of its class; of an unchanged op, only what other ops may have changed."""
    if id(op) in UNCHANGED:
        for trait in remote_traits(self):
            trait.verify(op)
    else:
        verify_definition(self, op)


setattr(OpDef, "verify", verify_changes)  # noqa: B010 (the type checker refuses an assignment of methods)
