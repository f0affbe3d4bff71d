"""Converts max pools of counts to layers of devices that pool potentials before an activation, by small windows, and before convolutions alone.

    %c = ntensor.conv2d "c" %x                                    %c = ntensor.conv2d "c" %x
    %z = ntensor.neuron "z" @activation_15(%c)                    %m = ntensor.max_pool2d "p.inputs" %c {kernel = [2, 2]}
    %m = ntensor.max_pool2d "p" %z {kernel = [4, 4]}      =>      %a = ntensor.neuron "p.relay" @activation_15(%m)
    %b = ntensor.linear "fc" %m                                   %d = ntensor.conv2d "p.relay.weights" %a {weight = 1}
                                                                  %e = ntensor.max_pool2d "p.relay.inputs" %d {kernel = [2, 2]}
                                                                  …
                                                                  %b = ntensor.linear "fc" %p

1. An activation grows with its input: the greatest count of a window is the count of the greatest input. So the pool is computed before the
   activation, which then has the name of the pool: its counts are those that the pool emitted. Within a window, neurons are equal.
2. A pool with windows side by side is divided into pools of at most `size`, with a layer that repeats counts after each: kernels of 1 x 1, weights of
   1, a threshold of 0 and a level of 1.
3. A pool whose counts are not read by convolutions alone gets such a layer after it.

Exactness: exact.

Errors: ANA031 a name in `nodes`; NTE009 a network in continuous time; LEG186 a pool that no layers compute; LEG187 `size` out of range.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from attrs import define
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, TensorType, i64
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.node_selection import check_names, choose_ops
from ....analysis.output_units import count_unit, set_count_unit
from ....core.arrays.arrays import ArrayAttr, uniform
from ....core.device.limits import OTHER_DEVICE
from ....core.diagnostics import Code, ExitCode, describe_op, refuse_op
from ....core.ir.graph_region import walk_downstream
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass
from ....dialects import ntensor
from ....dialects.ntensor.network import erase_unused_updates, networks
from ..rates._activations import activation_values, build_activation, is_activation, most_of
from ..rates._count_units import check_option
from ._pooled_activations import channel_values, pool_before, source_activation
from ._relays import NodeNames, insert

LEG186 = Code("LEG186", "max-pool-without-layers", "no layers compute a max pool of counts")
LEG187 = Code("LEG187", "pool-size-out-of-range", "the size of a pool is out of range", exit_code=ExitCode.MISUSED)
MOST_SIZE = 64
ONE_BITS = 2
"""Bits of the weights of a layer that repeats counts, which are 0 and 1."""
REPEATED = 0.0, 1.0
"""Threshold and level of such a layer."""
Size = tuple[int, ...]


def is_pool(op: Operation) -> bool:
    return isinstance(op, ntensor.MaxPool2dOp)


@dataclass(frozen=True)
class NtensorRelayMaxPoolsPass(NoptPass):
    """Converts the max pools of every `ntensor.network` of counts.

    Options:
        size: the greatest size of a window along an axis, 1 to 64; default 2.
        nodes: the max pools; default all.
    """

    name = "ntensor-relay-max-pools"
    size: int = 2
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_option(self, LEG187, "size", MOST_SIZE)
        check_names(op, self.nodes, is_pool, self.name)
        updates = ntensor.find_updates(op)
        for network in networks(op):
            relays = PoolLayers(NodeNames(network), updates, self.size)
            for pool in choose_ops(network, self.nodes, is_pool):
                assert isinstance(pool, ntensor.MaxPool2dOp)  # is_pool
                relays.convert(pool)
            network.update_signature()
        erase_unused_updates(op, updates.values())


@define(eq=False)
class PoolLayers:
    """The max pools of a network."""

    names: NodeNames
    updates: Mapping[str, ntensor.UpdateOp]
    size: int

    def convert(self, pool: ntensor.MaxPool2dOp) -> None:
        """Makes layers of a max pool. Errors: LEG186."""
        parts = self.parts(pool)
        activation = reader_activation(pool)
        if activation is None:
            source = source_activation(pool)
            if source is None:
                refuse(pool, "before or after a population of activations, which are equal within a channel")
            activation = pool_before(pool, source, self.updates, self.names)  # 1
            owner = activation.xs[0].owner
            assert isinstance(owner, ntensor.MaxPool2dOp)  # pool_before
            pool = owner
        readers = [use.operation for value in walk_downstream([activation.z], is_reshape) for use in value.uses]
        if not all(isinstance(op, ntensor.Conv2dOp | ntensor.ReshapeOp) for op in readers):  # 3
            parts.append(None)
        if len(parts) > 1:
            self.divide(pool, activation, parts)

    def parts(self, pool: ntensor.MaxPool2dOp) -> list[Size | None]:
        """Returns the sizes of the pools that a pool is divided into. Errors: LEG186."""
        rest: Size = tuple(pool.kernel.values.tolist())
        found = list[Size | None]()
        is_tiling = (pool.stride.values == pool.kernel.values).all() and not pool.padding.values.any()
        while max(rest) > self.size:
            factors = tuple(max(n for n in range(1, self.size + 1) if side % n == 0) for side in rest)
            if not is_tiling or max(factors) == 1:
                refuse(pool, f"windows side by side, whose sizes are products of numbers up to {self.size}")
            found.append(factors)
            rest = tuple(side // factor for side, factor in zip(rest, factors, strict=True))
        return [*found, rest]

    def divide(self, pool: ntensor.MaxPool2dOp, activation: ntensor.NeuronOp, parts: list[Size | None]) -> None:
        """Replaces a max pool and the activation after it by a layer for each part; a part without a pool repeats counts. Errors: LEG186."""
        most, unit = most_of(activation, self.updates), count_unit(activation)
        held = ntensor.interval_of(element_type(activation.z))
        assert held is not None  # a count
        node, value = activation.node.data, pool.x
        channels = [channel_values(one, shape_of(activation.z)) for one in activation_values(activation)]
        for k, part in enumerate(parts):
            name = node if k == len(parts) - 1 else self.names.take(f"{node}.relay")
            x = value if k == 0 else self.copied(value, name, activation)
            if part is not None:
                x = self.pooled(
                    pool, x, part, f"{name}.inputs", activation, is_whole=len(parts) == 2 and parts[1] is None
                )
            spread = [one if k == 0 else np.asarray(repeated) for one, repeated in zip(channels, REPEATED, strict=True)]
            if any(one is None for one in spread):
                refuse(pool, "a population whose neurons are equal within a channel")
            values = [uniform(np.broadcast_to(one, shape_of(x))) for one in spread if one is not None]
            made = build_activation(self.names, name, x, most, held.high.bit_length(), values[0], values[1])
            set_count_unit(made, unit)
            value = insert(made, InsertPoint.before(activation), activation)
        activation.z.replace_all_uses_with(value)
        Rewriter.erase_op(activation)
        Rewriter.erase_op(pool)

    def pooled(
        self, pool: ntensor.MaxPool2dOp, x: SSAValue, part: Size, node: str, at: Operation, *, is_whole: bool
    ) -> SSAValue:
        """Returns the values of a part of a max pool; `is_whole`: the pool itself."""
        size = ArrayAttr.of(np.array(part))
        own = {} if is_whole else {"kernel": size, "stride": size}
        channels, *sides = shape_of(x)
        shape = shape_of(pool.y) if is_whole else (channels, *(n // m for n, m in zip(sides, part, strict=True)))
        made = ntensor.MaxPool2dOp.create(
            operands=[x],
            result_types=[TensorType(element_type(x), shape)],
            properties={**pool.properties, **own, "node": StringAttr(self.names.take(node))},
        )
        return insert(made, InsertPoint.before(at), pool)

    def copied(self, counts: SSAValue, node: str, at: ntensor.NeuronOp) -> SSAValue:
        """Returns the counts of a map as reals, by kernels of 1 x 1."""
        real, shape = element_type(at.xs[0]), shape_of(counts)
        ones = np.eye(shape[0], dtype=np.int8)[:, :, np.newaxis, np.newaxis]
        pair = ArrayAttr.of(np.ones(2, np.int64))
        made = ntensor.Conv2dOp.create(
            operands=[counts],
            result_types=[TensorType(real, shape)],
            properties={
                "node": StringAttr(self.names.take(f"{node}.weights")),
                "weight": ArrayAttr.of(ones),
                "quantized": ntensor.QuantizedAttr.of(ONE_BITS, np.ones(())),
                "stride": pair,
                "padding": ArrayAttr.of(np.zeros((2, 2), np.int64)),
                "dilation": pair,
                "groups": IntegerAttr(1, i64),
            },
        )
        return insert(made, InsertPoint.before(at), at)


def refuse(op: ntensor.MaxPool2dOp, expected: str) -> NoReturn:
    """Refuses a max pool. Errors: LEG186."""
    size = " x ".join(map(str, op.kernel.values.tolist()))
    before = describe_op(op.x.owner)[0] if isinstance(op.x.owner, Operation) else "an input"
    found = (
        f"windows of {size}, stride {op.stride.values.tolist()}, padding {op.padding.values.tolist()}, after {before}"
    )
    refuse_op(op, LEG186, expected=expected, found=found, help=OTHER_DEVICE)


def reader_activation(pool: ntensor.MaxPool2dOp) -> ntensor.NeuronOp | None:
    """Returns the activation that alone reads a max pool; None for other readers."""
    readers = [use.operation for use in pool.y.uses]
    op = readers[0] if len(readers) == 1 else None
    return op if isinstance(op, ntensor.NeuronOp) and is_activation(op) else None


def is_reshape(op: Operation) -> bool:
    return isinstance(op, ntensor.ReshapeOp)
