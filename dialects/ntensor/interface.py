"""Interface of a compiled network: a network in ticks that has its inputs, outputs and populations, and no synapses.

A model of a chip reads names, shapes and types from a network in ticks. An op of an exit dialect that is run without this network has the
interface in its place.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from attrs import field, frozen
from xdsl.dialects.builtin import (
    DictionaryAttr,
    FunctionType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    UnrealizedConversionCastOp,
)
from xdsl.ir import Attribute, Block, Operation, Region

from ...core.ir.graph_region import Signature, names
from .network import FRAME_TICKS, INPUT_PADDING, PROBES, STACKED_TICKS, NetworkOp, OutputOp, find_updates
from .neurons import NeuronOp
from .probes import ProbedOperation


@frozen
class Interface:
    """Types of a compiled network, by the user's names."""

    inputs: Mapping[str, Attribute]
    outputs: Mapping[str, Attribute]
    populations: Mapping[str, tuple[Attribute, str]] = field(factory=dict[str, tuple[Attribute, str]])
    """Type of the events, and the symbol of the update; an update that the module does not define has no recordable states."""


class CompiledOperation(ProbedOperation):
    """Base of the ops of exit dialects that are a whole network."""

    @abstractmethod
    def interface(self) -> Interface:
        """Returns the types of the network that the op was compiled from."""
        ...


def interface_module(op: CompiledOperation) -> ModuleOp:
    """Returns a module with the interface of a compiled network. It can be read, but no engine runs it."""
    compiled: Any = op
    interface, empty = op.interface(), DictionaryAttr({})
    populations: list[Operation] = [
        NeuronOp.create(
            properties={
                "node": StringAttr(node),
                "update": SymbolRefAttr(update),
                "params": empty,
                "initial": empty,
            },
            result_types=[type],
        )
        for node, (type, update) in interface.populations.items()
    ]
    results = UnrealizedConversionCastOp.create(result_types=[*interface.outputs.values()])
    block = Block([*populations, results, OutputOp(*results.results)], arg_types=[*interface.inputs.values()])
    types = FunctionType.from_lists([*interface.inputs.values()], [*interface.outputs.values()])
    signature = Signature(names(interface.inputs), names(interface.outputs), types)
    network = NetworkOp(compiled.sym_name.data, signature, compiled.tick_ns.value.data, Region(block))
    network.attributes.update(frame_attributes(op))
    return ModuleOp([*(update.clone() for update in find_updates(op.parent_op()).values()), network])


def frame_attributes(op: Operation) -> dict[str, Attribute]:
    """Returns the attributes of a network that a run needs: how its inputs follow from the data of the user, and its probes."""
    known = (FRAME_TICKS, STACKED_TICKS, INPUT_PADDING, PROBES)
    return {name: value for name, value in op.attributes.items() if name in known}
