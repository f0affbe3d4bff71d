"""Passes that make layers of counts of a network of spikes, for devices whose neurons are activations."""

from __future__ import annotations

from collections.abc import Collection
from math import ceil

from xdsl.ir import Operation

from ....analysis.calibration_records import find_observation, kept_samples, observed_number
from ....core.arrays.arrays import ArrayAttr
from ....core.device.records import Device
from ....core.ir.graph_region import walk_downstream
from ....core.ir.operation import shape_of, texts_of
from ....dialects import ntensor
from ...pipelines import LAYERS, RATES, UNROLL
from ..delays._retiming import greatest_ticks
from ..fan._replication import first_loop

EXPONENTIAL = ("lif", "cuba_lif")
"""Families with an exponential leak."""
INTEGRATING, COUNTED = ("if", *EXPONENTIAL), LAYERS
"""Families of spiking neurons, and the family of layers of counts that they become."""
RATES_NOTE = "its layers compute counts of spikes in a window of ticks, whose length is a choice"
UNROLLED_NOTE = "a layer keeps nothing of earlier ticks: the ticks of a frame, whose number is a choice, become layers"
LOOP_NOTE = (
    "a layer keeps nothing of earlier frames, so a loop has no layers; "
    "ntensor-unroll-ticks{window=T} makes layers of the ticks of a sample of few ticks"
)
MOST_FRAME = 8
"""Ticks of a frame that is proposed for a network with loops: each needs a layer, and each layer repeats the spikes that later ones read."""
COUNT_BITS = 4
"""Bits of counts of a device that states none."""
IMAGE_CHANNELS = (1, 3)
"""Channels of an image."""
IMAGE_BITS = 8
"""Bits of the counts of an image, which one block of some devices reads."""


def layers_remedy(network: ntensor.NetworkOp, device: Device | None) -> tuple[str, str] | None:
    """Returns passes that convert a network into layers, with the reason; None for loops, unless a frame holds a whole sample.

    With samples of a calibration, the responses are fitted to them.
    """
    ticks = max((greatest_ticks(op) for op in network.body.block.ops if op.results), default=0)
    length = observed_number(network, "ticks")
    if first_loop(network) is not None:
        return (UNROLL.format(length), UNROLLED_NOTE) if length is not None and length <= MOST_FRAME else None
    bits = None if device is None else device.integer("quantization.activation_bits")
    if device is not None and length is not None and kept_samples(network):
        return fitted_rates(network, device, bits or COUNT_BITS, length), RATES_NOTE
    families = [op.family.data for op in network.populations if op.family is not None]
    width = "" if bits is None else f" bits={bits}"
    needed = (("leak", any(family in EXPONENTIAL for family in families)), ("delay", ticks > 0))
    approximate = ",".join(name for name, is_needed in needed if is_needed)
    return RATES.format(width + (f" approximate={approximate}" if approximate else "")), RATES_NOTE


def loop_note(network: ntensor.NetworkOp, families: Collection[str]) -> str:
    """Returns the reason that a network with loops does not become layers; empty if it has none, or the device has no layers of counts."""
    return LOOP_NOTE if COUNTED in families and first_loop(network) is not None else ""


def fitted_rates(network: ntensor.NetworkOp, device: Device, bits: int, length: int) -> str:
    """Returns the pass that fits layers to a calibration. A frame is a sample, or the longest part of it whose inputs a count holds, or less."""
    is_image = reads_image(network, device)
    limit = max(1, (2**bits - 1) // greatest_input(network))
    frames = max(1, round(length / limit)) if is_image else ceil(length / limit)
    weight_bits = device.integer("quantization.weight_bits")
    input_bits = IMAGE_BITS if is_image or bits > COUNT_BITS else bits
    options = [
        f"window={ceil(length / frames)}",
        "shorter=true",
        f"bits={bits}",
        "fit=data",
        f"input-bits={input_bits}",
    ]
    options += [f"weight-bits={weight_bits}"] if weight_bits is not None else []
    return f"ntensor-encode-rates{{{' '.join(options)}}}"


def greatest_input(network: ntensor.NetworkOp) -> int:
    """Returns the greatest observed input of a tick, at least 1."""
    ranges = [find_observation(network, "inputs", name, "range") for name in texts_of(network.input_names)]
    return max([1, *(ceil(one.values[1]) for one in ranges if isinstance(one, ArrayAttr))])


def reads_image(network: ntensor.NetworkOp, device: Device) -> bool:
    """Returns whether a device has a block for the first convolution of a network, by its channels and its kernel."""

    def is_reshape(op: Operation) -> bool:
        return isinstance(op, ntensor.ReshapeOp)

    for value in walk_downstream(list(network.body.block.args), is_reshape):
        for use in value.uses:
            op = use.operation
            if isinstance(op, ntensor.Conv2dOp):
                channels, side = shape_of(op.x)[0], op.weight.shape[-1]
                names = f"hrc_filters_{channels}_{side}", "hrc_filters"
                return channels in IMAGE_CHANNELS and any(name in device.features for name in names)
    return False


def becomes_layers(network: ntensor.NetworkOp) -> bool:
    """Returns whether a network has spiking populations that can be layers."""
    return any(op.family is not None and op.family.data in INTEGRATING for op in network.populations)
