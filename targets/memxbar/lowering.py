"""Converts a network in ticks to a `memxbar.network`: synapses become layers on arrays, and everything else stays in the digital periphery.

    %a = ntensor.linear "fc1" %x {weight = …}   =>   %a = memxbar.dense "fc1" %x attributes {weight = …, encoding = "differential", …}
    %z = ntensor.neuron "n1" @lif(%a) {…}            %z = ntensor.neuron "n1" @lif(%a) {…}

1. `linear` and `sparse_linear` become a matrix of rows and outputs. A sparse map, or one with leading axes, has a row for each source and delay
   that it reads. A convolution keeps its kernel.
2. Bias and exponent are digital.
3. Delays, neurons, sums, reshapes, scales, and pools of sums and maxima stay as they are.
4. `memxbar-choose-positions` and `memxbar-allocate-tiles` assign the weights to arrays later.

Exactness: exact.

Errors: MXB012 an op that neither an array nor the periphery computes; MXB013 sums of reals, or sums that a neuron adds one by one;
MXB014 a weight that its cells cannot hold; MXB004 parameters of the device; DEV023 no device is specified.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.rewriter import Rewriter

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.device_attr import DEVICE
from ...core.device.limits import OTHER_DEVICE
from ...core.device.named_device import device_of
from ...core.device.records import Device
from ...core.diagnostics import Code, refuse_op
from ...core.ir.operation import element_type, shape_of
from ...core.ir.pipeline import NoptPass
from ...dialects import memxbar, ntensor
from ...dialects.ntensor.interface import frame_attributes
from ...dialects.ntensor.network import networks
from ...dialects.ntensor.probes import require_probes

MXB012 = Code("MXB012", "op-unsupported-by-arrays", "neither an array nor the digital periphery computes an op")
MXB013 = Code("MXB013", "array-needs-integer-sums", "an array produces sums of integers alone")
MXB014 = Code("MXB014", "weight-exceeds-cells", "a weight exceeds the cells that hold it")


@dataclass(frozen=True)
class ConvertNtensorToMemxbarPass(NoptPass):
    """Converts every `ntensor.network`."""

    name = "convert-ntensor-to-memxbar"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for network in list(networks(op)):
            device = device_of(network)
            require_probes(network, device)
            convert_network(network, device, memxbar.Crossbar.of(device))


def convert_network(network: ntensor.NetworkOp, device: Device, crossbar: memxbar.Crossbar) -> None:
    """Replaces an `ntensor` network by a network on crossbar arrays. Errors: MXB012, MXB013, MXB014."""
    converter = Converter(device, crossbar)
    made: list[tuple[Operation, Operation]] = []
    for op in network.body.block.ops:
        if isinstance(op, ntensor.OutputOp):
            made.append((op, memxbar.OutputOp(*op.values)))
        elif not isinstance(op, memxbar.DIGITAL_OPS):
            made.append((op, converter.layer(op)))
    for old, new in made:
        new.location = old.location
        Rewriter.replace_op(old, new)
    properties: dict[str, Attribute] = {
        **memxbar.NetworkOp.properties_of(network.sym_name.data, network.signature),
        "tick_ns": network.tick_ns,
    }
    if network.approximations is not None:
        properties["approximations"] = network.approximations
    result = memxbar.NetworkOp(properties=properties, regions=[network.detach_region(network.body)])
    result.attributes[DEVICE] = network.attributes[DEVICE]
    result.attributes.update(frame_attributes(network))
    result.location = network.location
    Rewriter.replace_op(network, result)


Listed = ntensor.LinearOp | ntensor.SparseLinearOp | ntensor.ConvTranspose2dOp
"""Ops that become a matrix."""


def spread(op: ntensor.ConvTranspose2dOp, array: ArrayAttr | None) -> ArrayAttr | None:
    """Returns a bias or an exponent with an entry for each result."""
    if array is None or not array.shape:
        return array
    return ArrayAttr.of(np.ascontiguousarray(op.spread_outputs(array.values)))


class Converter:
    """The conversion of single ops."""

    def __init__(self, device: Device, crossbar: memxbar.Crossbar):
        self.device, self.crossbar = device, crossbar

    def layer(self, op: Operation) -> memxbar.LayerBase:
        """Returns the layer of a synapse op. Errors: MXB012, MXB013, MXB014."""
        if not isinstance(op, Listed | ntensor.ConvolutionOp):
            refuse_op(
                op,
                MXB012,
                expected="linear maps, convolutions, neurons, delays, sums, scales, reshapes, upsampling, and pools of sums or maxima",
                found=op.name,
                help=OTHER_DEVICE,
            )
        held = ntensor.interval_of(element_type(op.y))
        if held is None or isinstance(element_type(op.y), ntensor.TermsType):
            refuse_op(op, MXB013, expected="a result of integers", found=str(element_type(op.y)), help=OTHER_DEVICE)
        if isinstance(op, ntensor.ConvolutionOp):
            return self.convolution(op)
        return self.dense(op)

    def shared(self, op: ntensor.SynapseOpInterface, weight: Ints) -> dict[str, Attribute]:
        """Returns the properties of all layers. Errors: MXB014."""
        largest = self.crossbar.largest
        found = int(np.abs(weight).max(initial=0))
        if found > largest:
            refuse_op(
                op,
                MXB014,
                expected=f"at most {largest} in {self.crossbar.slices} x {self.crossbar.cell_bits} bits",
                found=str(found),
                **self.device.limit_facts("features.cell_bits", found.bit_length() + 1, self.crossbar.weight_bits),
                help=OTHER_DEVICE,
                notes=(f"quantise the weights to {self.crossbar.weight_bits} bits before they become integers",),
            )
        optional = {name: op.optional_array(name) for name in ("bias", "exponent")}
        if isinstance(op, ntensor.ConvTranspose2dOp):
            optional = {name: spread(op, array) for name, array in optional.items()}
        return {
            "node": op.node,
            "weight": ArrayAttr.of(np.ascontiguousarray(weight.astype(np.int8 if largest < 128 else np.int32))),
            "encoding": StringAttr(self.crossbar.encoding),
            "slices": IntegerAttr(self.crossbar.slices, i64),
            "cell_bits": IntegerAttr(self.crossbar.cell_bits, i64),
            **{name: array for name, array in optional.items() if array is not None},
            **({"plasticity": op.learning_rule} if op.learning_rule is not None else {}),
        }

    def dense(self, op: Listed) -> memxbar.DenseOp:
        """Returns the matrix of a linear map. A transposed convolution is one, with its bias for each result."""  # 1
        steps = op.weight_steps().values.astype(np.int64)
        more: dict[str, AnyArray] = {}
        if isinstance(op, ntensor.LinearOp) and steps.ndim == 2:
            matrix = steps.T
        else:
            source, target, place = op.used_pairs()
            given = None if op.delays is None else op.delays.values
            delay = np.zeros(len(source), np.int64)
            if given is not None:
                delay = np.broadcast_to(given, steps.shape).reshape(-1)[place].astype(np.int64)
            rows, row = np.unique(np.stack([source, delay]), axis=1, return_inverse=True)
            matrix = np.zeros((rows.shape[1], int(np.prod(shape_of(op.y)))), np.int64)
            np.add.at(matrix, (row.reshape(-1), target), steps.reshape(-1)[place])
            more["sources"] = rows[0]
            if rows[1].any():
                more["delay"] = rows[1]
        arrays = {name: ArrayAttr.of(values.astype(np.int32)) for name, values in more.items()}
        return memxbar.DenseOp.create(
            operands=[op.x],
            result_types=[op.y.type],
            properties={**self.shared(op, matrix), **arrays},
            regions=[Region(Block())],
        )

    def convolution(self, op: ntensor.ConvolutionOp) -> memxbar.ConvolutionOp:
        """Returns a crossbar convolution. The kernel of a convolution over one axis gets a single row."""
        weight = op.weight_steps().values.astype(np.int64)
        arrays = {name: getattr(op, name).values.astype(np.int64) for name in ("stride", "padding", "dilation")}
        if op.RANK == 1:
            weight = weight[:, :, np.newaxis]
            arrays = {
                "stride": np.append(1, arrays["stride"]),
                "padding": np.concatenate([np.zeros((1, 2), np.int64), arrays["padding"]]),
                "dilation": np.append(1, arrays["dilation"]),
            }
        arrays["kernel"] = np.array(weight.shape[2:])
        return memxbar.ConvolutionOp.create(
            operands=[op.x],
            result_types=[op.y.type],
            properties={
                **self.shared(op, weight),
                **{name: ArrayAttr.of(values.astype(np.int32)) for name, values in arrays.items()},
                "groups": op.groups,
                "positions": IntegerAttr(1, i64),
            },
            regions=[Region(Block())],
        )
