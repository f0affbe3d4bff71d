"""Fits weights to the axon types of crossbar cores: each neuron has a few values, and the axons of its core choose between them.

    %y = ntensor.linear "fc" %x {weight = [[4, 9, 5]]}    =>  (types = 2)    %y = ntensor.linear "fc" %x {weight = [[4, 9, 4]], axon_types = #ntensor.axon_types<
                                                                             values = [[4, 9]], slices = [0], axons = [[0, 0, 0, 0], [0, 1, 1, 0], [0, 2, 0, 0]]>}

1. A weight becomes the value that its neuron has for the type of its axon, or zero, without a connection. The type belongs to the axon, so that
   all neurons of a slice (`machine.boxes`; without a plan all neurons) choose the types of their axons together. Axons of all ops that a population
   adds belong to the same slice. The mean absolute error is minimised (`_axon_fit.py`): exactly for 8 sources, else by heuristics. Slices with equal
   weights, as those of a convolution, are fitted once.
2. With `copies`, sources have several axons of different types, as long as a slice has no more than `axons`, and no source more than the plan has
   room for (`machine.copies`). A weight is then a sum of some of their values: four axons have 16 sums, and the values s, 2s, 4s and -8s all weights
   of 4 bits. A remark lists the axons that this takes, and the neurons with such weights. Only inputs are duplicated where the device limits the
   destinations of a neuron (`core.destinations`), unless `neurons` is set: each axon of a neuron takes one of them.
3. Integers stay integers, with the same scale; sums are widened where one no longer holds its weights. Other weights are reals of their type.
4. Chains with pools become one sparse op, so that each neuron before a pool has an axon of its own. Spikes that would merge are refused: an axon
   counts one spike in a tick. Convolutions become sparse where the same weight has different values in different places.
5. If the network keeps samples (`ntensor-calibrate{keep=…}`), values and connections are then improved by the inputs of the neurons: the error of one source
   compensates that of another (`_axon_feedback.py`). Samples that this fit does not see decide whether it stays (`_network_fit.py`).
6. Ops with two readers are copied: each reader has slices, and types, of its own. A population that has axon types already keeps them.

Exactness: weights that are sums of values already stay, and nothing is recorded; else the errors of all synapses of the ops that changed are recorded, and with
samples the errors of the outputs.

Errors: ANA031 a name in `nodes`; NTE009 a network in continuous time; LEG007 `types`, `axons`, `copies` or `bits` out of range; LEG008 spikes that
would merge; LEG009 a chain that is not a list of synapses; LEG010 more axons than a core has; LEG011 spikes without a weight among weights;
LEG013 a weight that is not finite; LEG014 more rows of duplicates than the plan has room for; LEG052 a sum that cannot be widened;
ANA038, ANA039, ANA040; those of reading a device. Warnings: ANA028, ANA029 weights that are lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ....analysis.node_selection import check_names
from ....analysis.slicing import needs_of_slices, planned_copies, planned_slicing
from ....analysis.wiring import wiring_of
from ....core.device.device_pass import DevicePass
from ....core.diagnostics import Code, ExitCode, refuse, refuse_op
from ....core.fixed_point import Interval
from ....core.ir.context import diagnostics_of
from ....core.ir.operation import element_type
from ....core.ir.pipeline import pass_text
from ....core.number_texts import counted_text
from ....dialects import ntensor
from ....dialects.chip_base.slicing import single_slice
from ....dialects.ntensor.axon_types import DUPLICATES
from ....dialects.ntensor.network import networks
from ...pipelines import MERGE_SUMS, PLAN
from ..numbers.ntensor_widen_sums import NtensorWidenSumsPass
from ..relays._relays import NodeNames
from ._axon_synapses import separate_readers
from ._network_fit import fit_network
from ._population_axons import Limits

LEG007 = Code(
    "LEG007",
    "axon-option-out-of-range",
    "an option of the fit of axon types is out of range",
    exit_code=ExitCode.MISUSED,
)
LEG012 = Code("LEG012", "axons-duplicated", "axons are duplicated")

LEG014 = Code("LEG014", "duplicated-axons-exceed-neurons", "duplicated axons take more neurons than a core has")

TYPES = 8
"""Maximum number of axon types, which have 2^8 sums."""
VALUE_BITS = 32
"""Maximum number of bits of an integer value."""


def is_population(op: Operation) -> bool:
    return isinstance(op, ntensor.NeuronOp)


def holds_weights(op: Operation) -> bool:
    """Returns whether the result of an op holds each of its integer weights."""
    held = ntensor.interval_of(element_type(op.results[0])) if op.results else None
    if held is None or not isinstance(op, ntensor.SynapseOpInterface) or op.weights is None or not op.weights.data.size:
        return True
    return held.holds(Interval(int(op.weights.data.least()), int(op.weights.data.greatest())))


@dataclass(frozen=True)
class NtensorFitAxonTypesPass(DevicePass):
    """Fits the weights of every `ntensor.network` to axon types.

    Options:
        device: TARGET/NAME, or the path of a device file; default the one that the network names, if it does.
        set: fields of the device that are overridden: `set="core.crossbar.axon_types=2"`.
        types: axon types of a core, 1 to 8; default those of the device.
        axons: axons of a core, duplicates included; default those of the device, else any number.
        copies: axons that one source may have in a slice, at most one of each type; more reduce the error, and take axons; default 1.
        neurons: also duplicate axons of neurons, each of which takes a destination more of its neuron; default false.
        bits: signed bits of an integer value, 2 to 32; default those of the device, else 32.
        nodes: the populations to work on; default all.
    """

    name = "ntensor-fit-axon-types"
    APPROXIMATES = ("precision",)
    types: int | None = None
    axons: int | None = None
    copies: int = 1
    neurons: bool = False
    bits: int | None = None
    nodes: tuple[str, ...] = ()

    def milder_variants(self) -> Iterator[ModulePass]:
        """Yields fits with more axons for each source."""
        yield from (replace(self, copies=n) for n in (2, 3, 4) if n > self.copies)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_names(op, self.nodes, is_population, self.name)
        for network in networks(op):
            limits = self.limits(network)
            separate_readers(network, NodeNames(network))
            fit = fit_network(network, limits, self.nodes)
            diagnostics_of(ctx).extend(fit.diagnostics.findings)
            self.widen_results(ctx, op, network)
            if self.neurons:
                self.verify_rows(network)
            values = counted_text(limits.types, "value")
            copied = f", with up to {self.copies} axons for each source" if self.copies > 1 else ""
            fit.errors.record(network, pass_text(self), f"weights fitted to {values} for each neuron{copied}{fit.text}")
            if fit.costs:
                at = f"ntensor.network @{network.sym_name.data}"
                diagnostics_of(ctx).remark(LEG012, at=at, notes=fit.costs)

    def widen_results(self, ctx: Context, module: ModuleOp, network: ntensor.NetworkOp) -> None:
        """Widens integer results that do not hold fitted weights: a value can come from another op that the neuron adds. Errors: LEG052."""
        if not all(map(holds_weights, network.body.block.ops)):
            NtensorWidenSumsPass().apply(ctx, module)

    def verify_rows(self, network: ntensor.NetworkOp) -> None:
        """Refuses slices that need more rows than a core has neurons; a neuron needs one row for each destination axon. A plan with copies has room. Errors: LEG014."""
        device, wiring = self.optional_device(network), wiring_of(network, MERGE_SUMS)
        planned = {name: planned_slicing(neuron) for name, neuron in wiring.neurons.items()}
        slices = {name: single_slice(shape) for name, shape in wiring.sources.items()}
        slices |= {name: slicing for name, slicing in planned.items() if slicing is not None}
        has_room = all(planned_copies(neuron) is not None for neuron in wiring.neurons.values())
        if has_room or device is None or None in planned.values() or (most := device.integer("core.neurons")) is None:
            return
        _, needs = needs_of_slices(wiring, slices, ntensor.updates_of(network), device)
        for name, own in needs.items():
            for k, one in enumerate(own):
                if one["neurons"] > most:
                    plan = f"{PLAN}{{copies={self.copies} neurons=true}}"
                    refuse_op(
                        wiring.neurons[name],
                        LEG014,
                        expected=f"at most {most} neurons of a slice, one for each axon that it sends to",
                        found=f"{one['neurons']} neurons of slice {k}",
                        **device.limit_facts("core.neurons", one["neurons"], most),
                        help=f"{plan},{pass_text(self)}",
                    )

    def limits(self, network: ntensor.NetworkOp) -> Limits:
        """Returns the limits from the options; a missing option has the value of the device. Errors: LEG007."""
        device = self.optional_device(network)
        given = {"types": self.types, "axons": self.axons, "bits": self.bits}
        for name, path in (
            ("types", "core.crossbar.axon_types"),
            ("axons", "core.input_axons"),
            ("bits", "synapse.bits"),
        ):
            if given[name] is None and device is not None:
                given[name] = device.integer(path)
        types, axons, bits = given.values()
        if types is None:
            help = pass_text(replace(self, types=4))
            expected = "types, or a device whose cores declare `core.crossbar.axon_types`"
            message = "the number of axon types is not specified"
            refuse(LEG007, message, at="types", expected=expected, found="none", help=help)
        self.verify("types", types, TYPES)
        self.verify("copies", self.copies, DUPLICATES)
        self.verify("axons", 1 if axons is None else axons, None)
        self.verify("bits", VALUE_BITS if bits is None else bits, VALUE_BITS, 2)
        is_free = device is None or device.integer("core.destinations") is None
        held = VALUE_BITS if bits is None else bits
        return Limits(types, axons, self.copies, self.neurons or is_free, held)

    def verify(self, name: str, value: int, most: int | None, least: int = 1) -> None:
        """Refuses an option out of range. Errors: LEG007."""
        if value < least or (most is not None and value > most):
            help = pass_text(replace(self, **{name: least if value < least else most}))
            expected = f"{least} or more" if most is None else f"{least} to {most}"
            refuse(
                LEG007, f"{name} is out of range", at=f"{name}={value}", expected=expected, found=str(value), help=help
            )
