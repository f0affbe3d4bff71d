"""Limits of a core on the layer that it computes: shapes, kernels, numbers and memory.

Errors: DYN003 maps and channels; DYN004 kernels, strides and padding; DYN005 numbers; DYN006 memory; DYN007 destinations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from ...core.device.core_kinds import kind_at, kinds_of, path_in_kind
from ...core.device.records import Device
from ...core.diagnostics import Code, invalid
from ...core.fixed_point import Interval
from .layers import RECOMPILE, STATE_BYTES, CnnLayerOp, wide_range

DYN003 = Code("DYN003", "map-exceeds-core", "a map or its features exceed those of a core")
DYN004 = Code("DYN004", "kernel-unsupported-by-core", "a core does not compute a kernel")
DYN005 = Code("DYN005", "number-exceeds-core-bits", "a number exceeds its bits")
DYN006 = Code("DYN006", "layer-exceeds-core-memory", "a layer exceeds the memory of its core")
DYN007 = Code("DYN007", "core-destination-unsupported", "a core does not send to the destinations of a layer")

KERNEL, NEURON, BIAS = "core.memory.kernel.bytes", "core.memory.neuron.bytes", "features.bias_words"
FAN_OUT = "core.fan_out"
INPUT_SIZE, OUTPUT_SIZE, POOL = "features.input_size", "features.output_size", "features.pool"
THRESHOLD_BITS, WEIGHT_BITS = "features.threshold_bits", "synapse.bits"
WINDOW = "features"
STRIDE = f"{WINDOW}.stride"
FEWER = "give the layer fewer filters, or its kernel fewer taps: the memory is rounded up to powers of two"
SMALLER = "pool the map before the layer, or use a stride of 2"


def refuse_limit(
    op: CnnLayerOp,
    code: Code,
    message: str,
    device: Device,
    path: str,
    found: int,
    unit: str,
    advice: str = "",
) -> NoReturn:
    limit = device.whole(path)
    invalid(
        op,
        code,
        message,
        node=op.source.data,
        expected=f"at most {limit} {unit}",
        found=f"{found} {unit}",
        **device.limit_facts(path, found, limit),
        help=RECOMPILE,
        notes=(advice,) if advice else (),
    )


def verify_limits(op: CnnLayerOp, device: Device) -> None:
    """Refuses a layer that no core computes, whatever its memory. Errors: DYN003 to DYN005, DYN007."""
    verify_maps(op, device)
    verify_window(op, device)
    verify_numbers(op, device)
    verify_destinations(op, device)


def is_beyond(device: Device, path: str, found: int) -> bool:
    limit = device.whole(path)
    return limit is not None and found > limit


def verify_maps(op: CnnLayerOp, device: Device) -> None:
    for message, path, found, unit, advice in (
        ("the input map is too large", INPUT_SIZE, max(op.given[1:]), "positions along an axis", SMALLER),
        ("the output map is too large", OUTPUT_SIZE, max(op.made[1:]), "positions along an axis", SMALLER),
        (
            "a layer reads too many features",
            f"{WINDOW}.channels_in",
            op.given[0],
            "channels",
            "give the layer before fewer filters, or pool its map",
        ),
        (
            "a layer has too many filters",
            f"{WINDOW}.channels_out",
            op.made[0],
            "channels",
            "give the layer fewer filters",
        ),
    ):
        if is_beyond(device, path, found):
            refuse_limit(op, DYN003, message, device, path, found, unit, advice)


def verify_window(op: CnnLayerOp, device: Device) -> None:
    x, y = op.kernel
    if x != y:
        invalid(
            op,
            DYN004,
            "the kernel is not square",
            node=op.source.data,
            expected="one kernel_size for both axes",
            found=f"{x} x {y}",
            **device.limit_facts(f"{WINDOW}.kernel"),
            help=RECOMPILE,
            notes=("fill the kernel with zeros to a square one",),
        )
    for message, path, found, unit, advice in (
        (
            "the kernel is too large",
            f"{WINDOW}.kernel",
            x,
            "taps",
            "use several layers with smaller kernels, or pool the map before a dense layer",
        ),
        ("the padding is too large", f"{WINDOW}.padding", max(op.axis("padding")), "elements", "use a smaller padding"),
        (
            "the stride is too large",
            STRIDE,
            max(op.axis("stride")),
            "elements",
            "use a stride of 1, 2, 4 or 8, or a sum pool",
        ),
    ):
        if is_beyond(device, path, found):
            refuse_limit(op, DYN004, message, device, path, found, unit, advice)
    if device.whole(STRIDE) is not None and not all(map(is_power, op.axis("stride"))):
        refuse_power(op, DYN004, "the stride is not a power of two", device, STRIDE, op.axis("stride"))


def is_power(n: int) -> bool:
    return n > 0 and n & (n - 1) == 0


def refuse_power(
    op: CnnLayerOp,
    code: Code,
    message: str,
    device: Device,
    path: str,
    found: tuple[int, ...],
) -> NoReturn:
    invalid(
        op,
        code,
        message,
        node=op.source.data,
        expected=f"a power of two up to {device.whole(path)}",
        found=" x ".join(map(str, found)),
        **device.limit_facts(path),
        help=RECOMPILE,
        notes=("use a stride of 1, 2, 4 or 8, or a sum pool of 2 x 2 or 4 x 4",),
    )


def verify_numbers(op: CnnLayerOp, device: Device) -> None:
    low, high = op.thresholds
    biases = (0, 0) if op.biases is None else wide_range(op.biases.values)
    for what, path, (least, most) in (
        ("a weight", WEIGHT_BITS, wide_range(op.weights.values)),
        ("a bias", WEIGHT_BITS, biases),
        ("a threshold", THRESHOLD_BITS, (low, high)),
    ):
        bits = device.whole(path)
        if bits is not None and not Interval.signed(bits).holds(Interval(least, most)):
            held = Interval.signed(bits)
            invalid(
                op,
                DYN005,
                f"{what} exceeds its bits",
                node=op.source.data,
                expected=f"{held.low} to {held.high}: {bits} bits",
                found=f"{least} to {most}",
                **device.limit_facts(path, limit=bits),
                help=RECOMPILE,
            )


def verify_destinations(op: CnnLayerOp, device: Device) -> None:
    if is_beyond(device, FAN_OUT, len(op.sends)):
        message = "a layer has too many destinations"
        refuse_limit(op, DYN007, message, device, FAN_OUT, len(op.sends), "cores")
    for _, pooling in op.sends:
        if is_beyond(device, POOL, pooling):
            message = "the pool of a destination is too large"
            refuse_limit(op, DYN007, message, device, POOL, pooling, "elements")
        if not is_power(pooling):
            message = "the pool of a destination is not a power of two"
            refuse_power(op, DYN007, message, device, POOL, (pooling,))


def memory_excess(words: Mapping[str, int], device: Device, core: int) -> tuple[str, str, int, int] | None:
    """Returns what exceeds the memory of a core: its name, the field, the need and the limit [bytes, words of biases]; None if all fits.

    `words`: those of kernels, neurons and biases.
    """
    kind = kind_at(device, core, device.whole("topology.cores") or core + 1)
    own = kinds_of(device).get(kind, device)
    for what, path, found in (
        ("kernel", KERNEL, words["kernel"]),
        ("neuron", NEURON, words["neuron"] * STATE_BYTES),
        ("bias", BIAS, words["bias"]),
    ):
        limit = own.whole(path)
        if limit is not None and found > limit:
            return what, path_in_kind(device, kind, path), found, limit
    return None


def verify_memory(op: CnnLayerOp, device: Device) -> None:
    """Refuses a layer that exceeds the memory of its core. Errors: DYN006."""
    found = memory_excess(op.words(), device, op.number)
    if found is not None:
        what, path, need, limit = found
        unit = "words" if what == "bias" else "bytes"
        invalid(
            op,
            DYN006,
            f"the {what} memory of core {op.number} is too small for a layer",
            node=op.source.data,
            expected=f"at most {limit} {unit}",
            found=f"{need} {unit}",
            **device.limit_facts(path, need, limit),
            help=RECOMPILE,
            notes=(FEWER,),
        )
