"""Pipelines without a single target: the user's choices before a target's own pipeline, and pipelines that targets share.

| pipeline | result | used by |
| --- | --- | --- |
| `repair`, `discretise` | a network in ticks | every verb that reads a network in continuous time |
| `calibrate`, `SHORTHANDS` | a network in ticks, quantised | `compile` |
| `with_pins` | the pipeline of a target, with integers that the user sets | `compile` |
| `map_to_cores` | a routed machine graph | targets whose devices have cores, before their own lowering |
| `LIFT`, `RAISE` | a network again | whatever reads a module of a lower level |
| `REPAIRS` | a network without an unsupported feature | `ntensor-legalize`, `convert-ntensor-to-machine` |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from attrs import frozen
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from ..analysis.calibration_records import needs_calibration
from ..core import registry
from ..core.approximations import approximations_of
from ..core.device.limits import OTHER_DEVICE
from ..core.device.records import Device, Feature
from ..core.diagnostics import Diagnostics
from ..core.help_text import OtherDevice, Passes, Phrase, Plan
from ..core.ir.pipeline import option_text, parse_pipeline, pass_text
from ..dialects.ntensor.probes import SET_PROBES

LEGALISE = "run ntensor-legalize for this device before convert-ntensor-to-machine"
"""The help of a lowering for a network that its device cannot run."""
SPIKE_INPUT = "declare the input as a tensor of i1, with several lines for larger values"
"""The help for an input whose events carry more than a device takes."""
LEGALIZE = "ntensor-legalize"
"""Rewrites a network until it fits its device."""
CALIBRATE = "ntensor-calibrate"
"""Records the states of a network for the data of the user."""
CONTINUOUS = "nir"
"""The level of networks in continuous time."""
DISCRETISE = "convert-nir-to-ntensor"
REPAIR = "nir-repair-export"
LIFT = "convert-machine-to-ntensor"
"""A machine graph becomes the network that it runs."""
FIT_LEARNING = "ntensor-fit-plasticity"
"""Fits the windows of learning rules to the sums of products of a device."""
FREEZE = "ntensor-freeze-plasticity"
QUANTIZE_RULES = "ntensor-quantize-rules"
"""Lowers learning rules to integers."""
FEW_VALUES = ("ntensor-cluster-weights", "ntensor-fit-weight-masks")
"""Passes that replace the weights of an op by a few values."""
RAISE = "convert-ntensor-to-nir"
"""A network in ticks becomes one in continuous time."""
KEPT_SAMPLES, ROUNDING_SAMPLES, KEPT_FRAMES = 32, 128, 256
"""Samples that a network keeps for fits of rates and their judgement, for weights that are rounded by data, and for the fit of layers, whose neurons are
fitted one by one."""
LAYERS = "activation"
"""The family of neurons that are layers of counts: they keep nothing of earlier ticks."""
FORM_LAYERS = "ntensor-form-layers"
"""Requantised integers become such layers."""
PLAN = "ntensor-plan-cores"
"""Names the device of a network and slices its populations."""
FLATTEN = "nir-flatten"
"""Replaces nested graphs by their nodes."""
PARTITION = "convert-ntensor-to-machine"
"""A planned network becomes a machine graph."""
STAGES = {"partitioned": PARTITION, "placed": "machine-place-vertices", "routed": "machine-route-edges"}
"""The pass that reaches each stage of a machine graph."""
PIN = "ntensor-pin-values"
"""Sets integers of neurons and synapses by hand."""
BALANCE = "ntensor-balance-thresholds"
"""Multiplies thresholds of networks that were converted from trained ones without spikes."""
LINEARIZE = "ntensor-linearize-leak"
"""Replaces exponential leaks by linear ones."""
REPLACE_LEAK = "ntensor-replace-leak"
"""Replaces exponential leaks by constant negative biases."""
LINEAR = "linear_lif"
"""The family that neurons with an exponential leak become with a linear one towards rest."""
FALLING = "falling_lif"
"""The family that they become with a leak that is a constant in each tick."""
ENCODE_RATES = "ntensor-encode-rates"
"""Makes layers of counts of a network of spikes."""
RATES = f"{ENCODE_RATES}{{{{window=15{{}}}}}}"
"""Replaces spikes of ticks by counts of frames, of 4 bits for a spike in each tick; the braces take further options."""
UNROLL = "ntensor-quantize-inputs{{kind=spike}},ntensor-unroll-ticks{{window={}}}"
"""Makes layers of the ticks of a frame, of a network with loops; the braces take the ticks."""
MERGE_SUMS = "ntensor-merge-sums{any-order=true}"
"""Merges the sums before a population, whose chains a machine graph needs separately."""
SPLIT_POOLS = "ntensor-split-pools"
"""Sends the sums of pools as spikes."""

MERGE_SYNAPSES = "ntensor-merge-synapses"
"""Makes one op of pools and synapses in a row."""
RELAY_MAX_POOLS = "ntensor-relay-max-pools"
"""Puts max pools of counts before activations, and layers that repeat counts after them."""
CHAIN_LAYERS = "ntensor-chain-layers"
"""Repeats counts in later layers, so that a layer reads only the layer before it."""
EXPAND_SYNAPSES = "ntensor-expand-synapses"
"""Makes matrices of synapse ops with windows, and of those in a row before them."""
MERGE_OR_OTHER = Phrase(Passes(MERGE_SYNAPSES), ", or ", OtherDevice())
"""The help for a projection that no table of the device holds."""

CLAMP = "ntensor-clamp-delays{{max-delay={}}}"
"""Shortens delays that relays cannot keep; the braces take the limit."""

REPAIRS: Mapping[Feature, str] = {
    "plasticity": "ntensor-freeze-plasticity",
    "activation_bits": "ntensor-quantize-inputs{{kind=spike}}",
    "max_pool": "ntensor-lower-max-pools",
    "weight_bits": "ntensor-quantize-weights{{bits={limit}}}",
    "sign_modes": "ntensor-split-signs",
    "delay": "ntensor-relay-delays{{max-delay={limit}}}",
    "fan_in": "ntensor-split-fan-in{{max-fan-in={limit}}}",
    "latency": "ntensor-retime{{op-ticks={limit}}}",
    "bias": "ntensor-replace-biases",
    "fan_out": "ntensor-replicate-fan-out{{max-fan-out={limit}}}",
    "axon_types": "ntensor-fit-axon-types",
    "readout": "ntensor-move-readout-to-host",
}
"""Passes that repair a feature of `core/device/features.py` where the device names none; the braces take the limit."""

QUANTIZE = "ntensor-quantize-"
"""A sweep names the passes that quantise without this prefix."""
QUANTIZE_ORDER = tuple(f"{QUANTIZE}{short}" for short in ("inputs", "weights", "bias", "decay", "threshold", "state"))
"""Passes of a sweep that run first, in this order: each reads what those before it left."""
SEARCHED = f"{QUANTIZE}weights"
"""The pass whose bits a search chooses for each layer."""
REAL_BIASES = "balance=sums"
"""Option of this pass where no pass rounds biases later."""

ORDER: Sequence[Sequence[str]] = (
    ("nir-",),
    (DISCRETISE, LIFT),
    ("ntensor-calibrate",),
    ("ntensor-move-readout-to-host",),
    ("ntensor-freeze-plasticity", "ntensor-send-spikes", "ntensor-fold-", "ntensor-merge-sums", "ntensor-remove-dead"),
    ("ntensor-hoist-delays", MERGE_SYNAPSES, EXPAND_SYNAPSES),
    (LINEARIZE, REPLACE_LEAK),
    ("ntensor-quantize-inputs",),
    ("ntensor-prune-weights",),
    ("ntensor-move-max-pools",),
    (
        "ntensor-lower-max-pools",
        "ntensor-split-pools",
        "ntensor-split-fan-in",
        "ntensor-clamp-delays",
        "ntensor-relay-delays",
        "ntensor-split-signs",
    ),
    ("ntensor-encode-rates", "ntensor-unroll-ticks", "ntensor-pad-inputs"),
    ("ntensor-lower-pools", RELAY_MAX_POOLS, CHAIN_LAYERS),
    (f"{QUANTIZE}weights", "ntensor-cluster-weights", "ntensor-fit-weight-masks"),
    (QUANTIZE_RULES,),
    (f"{QUANTIZE}bias",),
    (QUANTIZE, "ntensor-round-reals"),
    ("ntensor-replace-biases",),
    ("ntensor-",),
    ("ntensor-set-neuron-model", "ntensor-map-relays", PIN),
    ("ntensor-retime",),
    ("ntensor-widen-sums",),
    ("ntensor-legalize",),
    (PLAN, "ntensor-check-device"),
    ("ntensor-replicate-fan-out", "ntensor-split-fan-out", "ntensor-fit-axon-types"),
    ("convert-ntensor-",),
    ("machine-",),
    ("convert-machine-",),
)
"""Passes in the order in which a pipeline works, by name or by its start; the longest start decides, and unknown passes come last.

Sums are split before weights are integers, since a partial sum has a scale of its own. Pools become layers when there are counts. Populations become those of the device after all that
changes reals.
"""


@frozen
class Shorthand:
    """Option of `compile` that sets a number of bits: of a rounding pass, or in the field of a device that names its own rounding passes."""

    name: str
    """The argument of the function; the command has `--weight-bits`."""
    values: str
    """The values that the pass rounds, as `Artefact.storage` names them."""
    quantizer: str
    """The pass."""
    options: tuple[tuple[str, str], ...] = ()
    """Its options other than `bits`."""
    sample_options: tuple[tuple[str, str], ...] = ()
    """Further options after a calibration with samples of the user."""
    feature: Feature | None = None
    """The feature for which a device names passes of its own."""
    device_field: str = ""
    """The field with the bits of these passes, which the option overrides."""
    limit_field: str = ""
    """The field with the most bits of the device."""
    is_of_neurons: bool = False
    """Whether the neurons of a device determine the bits."""

    @property
    def option(self) -> str:
        return f"--{self.name.replace('_', '-')}"

    def text(self, bits: object, *, has_samples: bool = False) -> str:
        """Formats the pass: `ntensor-quantize-weights{bits=6 per=row}`."""
        chosen = (*self.options, *(self.sample_options if has_samples else ()))
        options = "".join(f" {name}={value}" for name, value in chosen)
        return f"{self.quantizer}{{bits={bits}{options}}}"

    def step(self, bits: int, *, has_samples: bool) -> ModulePass:
        """Returns the pass. Errors: COR013."""
        further = self.sample_options if has_samples else ()
        return made(self.quantizer, {"bits": bits, **dict(self.options), **dict(further)})

    def replaces_field_of(self, device: Device) -> bool:
        """Returns whether a device names its own rounding passes for these values, and has a field with their bits."""
        return self.feature in device.fallbacks and device.integer(self.device_field) is not None


SHORTHANDS = (
    Shorthand(
        "weight_bits",
        "weights",
        f"{QUANTIZE}weights",
        options=(("per", "row"), ("balance", "sums")),
        sample_options=(("method", "adaround"),),
        feature="weight_bits",
        device_field="quantization.weight_bits",
        limit_field="synapse.bits",
    ),
    Shorthand("state_bits", "states", f"{QUANTIZE}state", is_of_neurons=True),
)
"""Options of `compile` that are short for passes, in the order in which these run."""


def rank_of(name: str) -> int:
    """Returns the position of a pass in `ORDER`."""
    ranks = ((len(start), rank) for rank, starts in enumerate(ORDER) for start in starts if name.startswith(start))
    return max(ranks, default=(0, len(ORDER)))[1]


def discretise(options: Mapping[str, Any]) -> ModulePass:
    """Returns the pass that converts a network in continuous time, with the options that were chosen."""
    return made(DISCRETISE, options)


def repair(by: str, dt_ns: int) -> ModulePass:
    """Returns the pass that repairs the numbers of an exporter."""
    return made(REPAIR, {"by": by, "dt_ns": dt_ns})


def made(name: str, options: Mapping[str, Any]) -> ModulePass:
    spec = ArgSpec(name, {key: (value,) for key, value in options.items()})
    return registry.passes()[name]().from_spec(spec)


def with_pins(steps: Sequence[ModulePass], pins: Sequence[str]) -> list[ModulePass]:
    """Returns the passes of a target with integers that are set by hand: by the legalisation, or first where there is none."""
    if not pins:
        return list(steps)
    takes = [is_dataclass(step) and hasattr(step, "pin_values") for step in steps]
    if not any(takes):
        return [registry.passes()[PIN]().from_spec(ArgSpec(PIN, {"values": tuple(pins)})), *steps]
    chosen: Any = steps
    return [replace(step, pin_values=tuple(pins)) if has else step for step, has in zip(chosen, takes, strict=True)]


def set_probes(texts: Sequence[str]) -> list[ModulePass]:
    """Returns the pass that sets the probes of a network; none without probes."""
    return [registry.passes()[SET_PROBES]().from_spec(ArgSpec(SET_PROBES, {"probes": tuple(texts)}))] if texts else []


def calibrate(
    data: Any,
    axes: Sequence[str] | None,
    file: str,
    device: Device | None = None,
    later: Sequence[ModulePass] = (),
) -> ModulePass:
    """Returns the pass that records the ranges of every value for a sample input: a file, or arrays, which `file` holds for a replay.

    The network keeps samples if the device fits rates, or linear leaks, or rounds weights by data, or computes layers; without a device, it may become that of any. It also keeps those that
    `later` passes of the user need.
    """
    from .quantize.signals.ntensor_calibrate import NtensorCalibratePass, calibration_in_memory

    order = () if axes is None else tuple(axes)
    keep = KEPT_SAMPLES if device is None or fits_samples(device) else 0
    keep = ROUNDING_SAMPLES if device is not None and rounds_by_data(device) else keep
    keep = KEPT_FRAMES if device is not None and computes_layers(device) else keep
    keep = max([keep, *(getattr(step, "kept_samples", 0) for step in later)])
    if isinstance(data, str | Path):
        return NtensorCalibratePass(str(data), axes=order, keep=keep)
    return calibration_in_memory(data, file, order, keep)


def fits_samples(device: Device) -> bool:
    """Returns whether passes for a device run the network with samples: those that fit rates or resets, or the leaks of neurons with a linear one."""
    return not {"rates", "resets"}.isdisjoint(device.fallbacks) or any(
        {LINEAR, FALLING} & {*update.families} for update in device.updates.values()
    )


def rounds_by_data(device: Device) -> bool:
    """Returns whether a device or one of its recipes rounds weights by data."""
    advised = device.quantization is not None and device.quantization.method != "nearest"
    return advised or any(recipe.quantization.get("method", "nearest") != "nearest" for recipe in device.recipes)


def computes_layers(device: Device) -> bool:
    """Returns whether the neurons of a device are layers of counts."""
    return any(LAYERS in update.families for update in device.updates.values())


def observe(module: ModuleOp, device: Device, data: Any, diagnostics: Diagnostics) -> None:
    """Calibrates a network with sample input where the neurons of a device need the ranges. Warnings: QUA003, QUA004, QUA005."""
    from .quantize.signals.ntensor_calibrate import calibrate

    if needs_calibration(device):
        calibrate(module, data, diagnostics)


def observe_kept(module: ModuleOp, samples: Mapping[str, Any], diagnostics: Diagnostics) -> None:
    """Calibrates a network that a pass has changed with the samples that it keeps, which stay. Warnings: QUA003, QUA004, QUA005."""
    from .quantize.signals.ntensor_calibrate import calibrate_kept

    calibrate_kept(module, samples, diagnostics)


def to_device_neurons(device: Device) -> str:
    """Returns the pipeline from a network in ticks to one with the number formats and neurons of a device without cores."""
    return f"{legalise(device)},ntensor-widen-sums" if device.updates else ""


def legalise(device: Device) -> str:
    """Returns the pass that replaces features that the device lacks, and assigns neurons to cores if the device has cores."""
    key, settings = device.naming.key, device.naming.settings
    given = f" set={','.join(map(option_text, settings))}" if settings else ""
    return f"ntensor-legalize{{device={option_text(key)}{given}}}"


def plan_with(device: Device, changed: Mapping[str, object]) -> Phrase:
    """Returns the planning pass for the device with changed fields; if a field is not open to change, advice to search for another device."""
    if not all(map(device.is_open, changed)):
        return OTHER_DEVICE
    settings = [f"{path}={value}" for path, value in {**device.overridden, **changed}.items()]
    quoted = ",".join(f'"{one}"' for one in settings)
    text = f'{PLAN}{{device="{device.naming.key}" set={quoted}}}'
    return Phrase(Plan(text, " ".join(f"--set {one}" for one in settings), is_of_device=True))


def map_to_cores(device: Device, *lower: str) -> str:
    """Returns the pipeline from a network in ticks to a routed machine graph, and on through passes; empty for a device without cores."""
    if device.topology is None:
        return ""
    steps = (
        legalise(device),
        "convert-ntensor-to-machine",  # makes a vertex of each slice, and an edge of each connection; no number changes
        "machine-place-vertices",  # chooses the core of each vertex by the cost that the device states
        "machine-route-edges",  # chooses the links of each spike
        *lower,
    )
    return ",".join(steps)


def steps_after(steps: Sequence[ModulePass], stage: str) -> list[ModulePass]:
    """Returns the passes of a pipeline that follow a stage of the machine graph."""
    reached = max((k for k, step in enumerate(steps, 1) if step.name == STAGES[stage]), default=len(steps))
    return list(steps[reached:])


def default_repair(feature: Feature, limit: int | None, device: Device | None = None) -> str | None:
    """Returns the passes that repair a feature where the device names none; `limit` is the number of its field."""
    if feature == "fan_in" and device is not None and limit is not None:
        return fan_in_repair(device, limit)
    text = REPAIRS.get(feature)
    return None if text is None else text.format(limit=limit)


def fan_in_repair(device: Device, most: int) -> str:
    """Returns the passes that split fan-in: by payloads, or by spikes where the device sends no payload."""
    if device.integer("spike.payload_bits") != 0:
        return f"ntensor-split-fan-in{{max-fan-in={max(2, most)}}}"
    joined = " join=true" if device.core is not None and device.core.shared else ""  # a core has one population, or few
    return f"ntensor-split-fan-in{{max-fan-in={max(2, most)} code=spikes{joined}}}"


def fan_in_help(device: Device, repair: str, *, has_pool: bool) -> Phrase:
    """Returns the passes that repair fan-in as a help: those of pools first, where the input has pools and the device sends no payload."""
    pools = (Passes(SPLIT_POOLS), ", or ") if has_pool and device.integer("spike.payload_bits") == 0 else ()
    return Phrase(*pools, Passes(repair))


def named_repair(device: Device, feature: Feature, limit: int | None = None) -> str | None:
    """Returns the passes that the device names for a feature, the first with a limit."""
    named = device.fallbacks.get(feature)
    return None if named is None else with_limit(named.passes, feature, limit, device)


def rate_repair(device: Device) -> str | None:
    """Returns the legalisation with the permission for the fit of rates; None if the device does not fit them."""
    text = named_repair(device, "rates")
    if text is None:
        return None
    return f"{LEGALIZE}{{approximate={','.join(approximations_of(parse_pipeline(text, registry.passes())))}}}"


def planning(device: Device) -> str:
    """Returns the planning pass, with room for the duplicated axons that the device's repair of axon types may add."""
    steps: Any = parse_pipeline(named_repair(device, "axon_types") or "", registry.passes())
    given = {name: getattr(step, name) for step in steps for name in ("copies", "neurons") if hasattr(step, name)}
    return pass_text(made(PLAN, given)) if given.get("copies", 1) > 1 else PLAN


def with_limit(text: str, feature: Feature, limit: int | None, device: Device) -> str:
    """Returns passes as text, the first with options from a limit of the device instead of the device file's number."""
    if limit is None or not text:
        return text
    first, *others = parse_pipeline(text, registry.passes())
    if (step := limited_step(first, feature, limit, device)) == first:
        return text
    return ",".join(map(pass_text, (step, *others)))


def rounded_by_data(step: ModulePass, device: Device) -> ModulePass:
    """Returns the rounding of weights with the method that the device recommends for networks with samples; other passes as they are."""
    known: Any = step  # a dataclass, as all passes with options are
    if step.name != SEARCHED or device.quantization is None or known.method != "nearest" or known.grid == "asymmetric":
        return step
    return replace(known, method=device.quantization.method)


LIMITS_OF_PASSES = ("max_delay", "max_fan_in", "max_fan_out", "max_events", "max_classes", "op_ticks")
"""Options of passes that follow the limit of the feature that they repair."""


def limited_step(step: ModulePass, feature: Feature, limit: int | None, device: Device) -> ModulePass:
    """Returns a pass whose options for limits follow a limit of the device."""
    if limit is None or not is_dataclass(step):
        return step
    limits: dict[str, int | None] = dict.fromkeys(LIMITS_OF_PASSES, limit)
    if feature == "weight_bits":
        limits |= {"bits": limit, "classes": device.integer("quantization.classes")}
    known: Any = step  # a dataclass, as all passes with options are
    names = {one.name for one in fields(known)}
    return replace(known, **{name: n for name, n in limits.items() if n is not None and name in names})
