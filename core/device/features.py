"""Features of networks that a device limits: one table for limits, legalisation and remedies.

| column | meaning | used by |
| --- | --- | --- |
| order of the rows | number formats, neuron models, delays, then what depends on slices | `ntensor-legalize` |
| name | a key of `fallbacks` in a device file | device files, `ntensor-legalize`, `nopt check` |
| field | the device field that limits the feature | findings, verifiers, the mapper |
| quantity | the need that the field limits, a name of QUANTITIES; None: the field is a list or a truth value | contracts, verifiers |

The passes that repair a feature are in `passes/pipelines.py` (REPAIRS): this room names no pass.
"""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from .records import Device, Feature


@frozen
class FeatureLimit:
    """Row of the table."""

    name: Feature
    field: str
    quantity: str | None = None


FEATURES: dict[Feature, FeatureLimit] = {
    row.name: row
    for row in (
        FeatureLimit("readout", "features.host_readout"),
        FeatureLimit("plasticity", "plasticity"),
        FeatureLimit("activation_bits", "spike.kinds"),
        FeatureLimit("max_pool", "features.max_pools"),
        FeatureLimit("synapse_chain", "synapse"),
        FeatureLimit("resets", "neuron.updates"),
        FeatureLimit("weight_bits", "synapse.bits", "weight_bits"),
        FeatureLimit("weight_exponent", "synapse.weight_exponent.max", "weight_exponent"),
        FeatureLimit("parameters", "core.shared"),
        FeatureLimit("update", "neuron.updates"),
        FeatureLimit("sign_modes", "synapse.sign_modes"),
        FeatureLimit("graded", "spike.payload_bits", "payload_bits"),
        FeatureLimit("recurrence", "features.recurrence"),
        FeatureLimit("delay", "synapse.delay.max", "delay"),
        FeatureLimit("fan_in", "core.fan_in", "fan_in"),
        FeatureLimit("latency", "synapse.delay.min"),
        FeatureLimit("bias", "synapse.has_bias"),
        FeatureLimit("rates", "neuron.updates"),
        FeatureLimit("fan_out", "core.fan_out", "fan_out"),
        FeatureLimit("axon_types", "core.crossbar.axon_types"),
    )
}
RESOURCES = {"neurons": "core.neurons", "input_axons": "core.input_axons", "output_axons": "core.output_axons"}
"""Device fields of needs that only smaller slices reduce, and no pass."""
WINDOWS = {
    "convolution_kernel": "synapse.convolution.kernel",
    "convolution_stride": "synapse.convolution.stride",
    "convolution_padding": "synapse.convolution.padding",
    "convolution_dilation": "synapse.convolution.dilation",
    "convolution_channels_in": "synapse.convolution.channels_in",
    "convolution_channels_out": "synapse.convolution.channels_out",
    "convolution_groups": "synapse.convolution.groups",
}
"""Device fields of needs that are specific to tables in the convolution layout; another layout can store the same synapses."""
LIMITS = {**RESOURCES, **WINDOWS, **{row.quantity: row.field for row in FEATURES.values() if row.quantity is not None}}
"""The device field that limits each need."""


def feature_of(quantity: str) -> Feature | None:
    """Returns the feature of a need; None for a resource of a core."""
    return next((row.name for row in FEATURES.values() if row.quantity == quantity), None)


def widest_reals(device: Device) -> Literal["f32", "f64"]:
    """Returns the widest reals of a device: f32 where it declares that it has no f64."""
    double = device.features.get("fp64")
    return "f32" if double is not None and double.value is False else "f64"
