"""Limits of a core on the layer that it computes: shapes, kernels, numbers and memory.

Errors: DYN003 maps and channels; DYN004 kernels, strides and padding; DYN005 numbers; DYN006 memory; DYN007 destinations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from ...core.device.core_kinds import kind_at, kinds_of, path_in_kind
from ...core.device.records import Device
from ...core.diagnostics import Code, invalid
from ...core.fixed_point import Interval
from .layers import DYN013, RECOMPILE, STATE_BYTES, CnnLayerOp, wide_range

DYN003 = Code("DYN003", "map-exceeds-core", "a map or its features exceed those of a core")
DYN004 = Code("DYN004", "kernel-unsupported-by-core", "a core does not compute a kernel")
DYN005 = Code("DYN005", "number-exceeds-core-bits", "a number exceeds its bits")
DYN006 = Code("DYN006", "layer-exceeds-core-memory", "a layer exceeds the memory of its core")
DYN007 = Code("DYN007", "core-destination-unsupported", "a core does not send to the destinations of a layer")

KERNEL, NEURON, BIAS = "core.memory.kernel.bytes", "core.memory.neuron.bytes", "features.bias_words"
FAN_OUT = "core.fan_out"
INPUT_SIZE, OUTPUT_SIZE, POOL = "features.input_size", "features.output_size", "features.pool"
THRESHOLD_BITS, WEIGHT_BITS = "features.threshold_bits", "synapse.bits"
KERNEL_SIZE, STRIDE, PADDING = "features.kernel", "features.stride", "features.padding"
READOUT_THRESHOLD = "readout_threshold"
"""The preference that turns the readout block on; 0 is off."""
READOUT_CLASSES = "features.readout_classes"
CHANNELS_IN, CHANNELS_OUT = "features.channels_in", "features.channels_out"
FEWER = "give the layer fewer filters, or its kernel fewer taps: the memory is rounded up to powers of two"
SMALLER = "pool the map before the layer, or use a stride of 2"
POWERS = "use a stride of 1, 2, 4 or 8, or a sum pool of 2 x 2 or 4 x 4"


def refuse_limit(
    op: CnnLayerOp, code: Code, message: str, facts: Mapping[str, Any], expected: str, found: str, advice: str = ""
) -> NoReturn:
    """Refuses a layer that exceeds a field of the device. `facts` describe this field. Errors: the code."""
    notes = (advice,) if advice else ()
    invalid(
        op, code, message, node=op.source.data, expected=expected, found=found, help=RECOMPILE, notes=notes, **facts
    )


def verify_most(
    op: CnnLayerOp, code: Code, message: str, device: Device, path: str, value: int, unit: str, advice: str = ""
) -> None:
    """Refuses a value above a field of the device. Errors: the code."""
    limit = device.integer(path)
    if limit is not None and value > limit:
        facts = device.limit_facts(path, value, limit)
        refuse_limit(op, code, message, facts, f"at most {limit} {unit}", f"{value} {unit}", advice)


def verify_limits(op: CnnLayerOp, device: Device) -> None:
    """Refuses a layer that no core computes, whatever its memory. Errors: DYN003 to DYN005, DYN007, DYN013."""
    verify_maps(op, device)
    verify_window(op, device)
    verify_numbers(op, device)
    verify_destinations(op, device)
    if op.readout is not None:
        verify_classes(op, device)


def verify_classes(op: CnnLayerOp, device: Device) -> None:
    """Refuses a layer that is not one of classes for the readout block. Errors: DYN013."""
    advice = f"turn the block off: --set preferences.{READOUT_THRESHOLD}=0"
    if device.integer(READOUT_CLASSES) is None:
        message, expected = "no readout block of the device is known", "a device with a readout block"
        refuse_limit(op, DYN013, message, {"path": READOUT_CLASSES}, expected, device.key, advice)
    classes, *positions = op.made
    if positions != [1, 1]:
        message, found = "the readout block reads maps of one position", f"{positions[0]} x {positions[1]} positions"
        refuse_limit(op, DYN013, message, {"path": READOUT_CLASSES}, "1 x 1 positions", found, advice)
    message = "the readout block has too few classes"
    verify_most(op, DYN013, message, device, READOUT_CLASSES, classes, "classes", advice)


def verify_maps(op: CnnLayerOp, device: Device) -> None:
    wide, many = "give the layer before fewer filters, or pool its map", "give the layer fewer filters"
    for message, path, value, unit, advice in (
        ("the input map is too large", INPUT_SIZE, max(op.given[1:]), "positions along an axis", SMALLER),
        ("the output map is too large", OUTPUT_SIZE, max(op.made[1:]), "positions along an axis", SMALLER),
        ("a layer reads too many features", CHANNELS_IN, op.given[0], "channels", wide),
        ("a layer has too many filters", CHANNELS_OUT, op.made[0], "channels", many),
    ):
        verify_most(op, DYN003, message, device, path, value, unit, advice)


def verify_window(op: CnnLayerOp, device: Device) -> None:
    x, y = op.kernel
    if x != y:
        message, expected = "the kernel is not square", "one kernel_size for both axes"
        facts, advice = device.limit_facts(KERNEL_SIZE), "fill the kernel with zeros to a square one"
        refuse_limit(op, DYN004, message, facts, expected, f"{x} x {y}", advice)
    split, powers = (
        "use several layers with smaller kernels, or pool the map before a dense layer",
        "use a stride of 1, 2, 4 or 8, or a sum pool",
    )
    for message, path, value, unit, advice in (
        ("the kernel is too large", KERNEL_SIZE, x, "taps", split),
        ("the padding is too large", PADDING, max(op.axis("padding")), "elements", "use a smaller padding"),
        ("the stride is too large", STRIDE, max(op.axis("stride")), "elements", powers),
    ):
        verify_most(op, DYN004, message, device, path, value, unit, advice)
    if device.integer(STRIDE) is not None:
        verify_power(op, DYN004, "the stride is not a power of two", device, STRIDE, op.axis("stride"))


def is_power(n: int) -> bool:
    return n > 0 and n & (n - 1) == 0


def verify_power(op: CnnLayerOp, code: Code, message: str, device: Device, path: str, sizes: tuple[int, ...]) -> None:
    if not all(map(is_power, sizes)):
        expected, found = f"a power of two up to {device.integer(path)}", " x ".join(map(str, sizes))
        refuse_limit(op, code, message, device.limit_facts(path), expected, found, POWERS)


def verify_numbers(op: CnnLayerOp, device: Device) -> None:
    biases = (0, 0) if op.biases is None else wide_range(op.biases.values)
    for what, path, (least, most) in (
        ("a weight", WEIGHT_BITS, wide_range(op.weights.values)),
        ("a bias", WEIGHT_BITS, biases),
        ("a threshold", THRESHOLD_BITS, op.thresholds),
    ):
        bits = device.integer(path)
        if bits is not None and not (register := Interval.signed(bits)).holds(Interval(least, most)):
            facts, expected = device.limit_facts(path, limit=bits), f"{register.low} to {register.high}: {bits} bits"
            refuse_limit(op, DYN005, f"{what} exceeds its bits", facts, expected, f"{least} to {most}")


def verify_destinations(op: CnnLayerOp, device: Device) -> None:
    verify_most(op, DYN007, "a layer has too many destinations", device, FAN_OUT, op.fan_out, "cores")
    for _, pooling, _ in op.sends:
        verify_most(op, DYN007, "the pool of a destination is too large", device, POOL, pooling, "elements")
        verify_power(op, DYN007, "the pool of a destination is not a power of two", device, POOL, (pooling,))


def memory_excess(words: Mapping[str, int], device: Device, core: int) -> tuple[str, str, int, int] | None:
    """Returns the first memory of a core that is too small: its name, the field, the need and the limit [bytes, words of biases]; None if all fits.

    `words`: the numbers of kernel, neuron and bias words.
    """
    kind = kind_at(device, core, device.integer("topology.cores") or core + 1)
    own = kinds_of(device).get(kind, device)
    for what, path, found in (
        ("kernel", KERNEL, words["kernel"]),
        ("neuron", NEURON, words["neuron"] * STATE_BYTES),
        ("bias", BIAS, words["bias"]),
    ):
        limit = own.integer(path)
        if limit is not None and found > limit:
            return what, path_in_kind(device, kind, path), found, limit
    return None


def verify_memory(op: CnnLayerOp, device: Device) -> None:
    """Refuses a layer that exceeds the memory of its core. Errors: DYN006."""
    excess = memory_excess(op.words(), device, op.number)
    if excess is not None:
        what, path, need, limit = excess
        unit = "words" if what == "bias" else "bytes"
        message = f"the {what} memory of core {op.number} is too small for a layer"
        facts = device.limit_facts(path, need, limit)
        refuse_limit(op, DYN006, message, facts, f"at most {limit} {unit}", f"{need} {unit}", FEWER)
