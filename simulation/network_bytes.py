"""Memory of a network in ticks that every engine needs: its arrays, and the values and states of one sample. Units: [bytes]."""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import DictionaryAttr
from xdsl.ir import Attribute

from ..core.arrays.arrays import ArrayAttr
from ..core.ir.operation import element_type, shape_of
from ..dialects import ntensor
from .elements import working_dtype


def least_bytes(network: ntensor.NetworkOp) -> int:
    """Returns the minimum memory of any engine: all arrays, and the values and states of one sample in one tick."""
    return constant_bytes(network) + states_bytes(network) + value_bytes(network)


def constant_bytes(network: ntensor.NetworkOp) -> int:
    """Returns the bytes of all arrays of a network."""
    return sum(array_bytes(one) for op in network.body.block.ops for one in op.properties.values())


def value_bytes(network: ntensor.NetworkOp) -> int:
    """Returns the bytes of all values of one sample in one tick."""
    block = network.body.block
    values = [*block.args, *(result for op in block.ops for result in op.results)]
    types = [working_dtype(element_type(one)) for one in values]
    return sum(prod(shape_of(one)) * type.itemsize for one, type in zip(values, types, strict=True) if type)


def states_bytes(network: ntensor.NetworkOp) -> int:
    """Returns the bytes of the states of one sample. A state has the type of its initial value."""
    return sum(
        prod(shape_of(one.z)) * sum(array.values.dtype.itemsize for _, array in one.arrays(one.initial))
        for one in network.populations
    )


def array_bytes(attribute: Attribute) -> int:
    """Returns the bytes of an array, or of all arrays in a dictionary."""
    if isinstance(attribute, DictionaryAttr):
        return sum(map(array_bytes, attribute.data.values()))
    return prod(attribute.shape) * attribute.data.dtype.itemsize if isinstance(attribute, ArrayAttr) else 0
