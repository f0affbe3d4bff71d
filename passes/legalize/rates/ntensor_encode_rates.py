"""Converts a network of spikes to one of layers, which computes counts of spikes: one tick is a frame of several ticks.

    ntensor.network @net("in" %x: tensor<2xi1>) -> … attributes {tick_ns = 1000000} {
      %a = ntensor.linear "fc" %x {weight, bias = b} : tensor<2xi1> -> tensor<1xf32>
      %z = ntensor.neuron "if" @norse_if.subtract(%a) {v_threshold = v} : (tensor<1xf32>) -> tensor<1xi1>
    =>
    ntensor.network @net("in" %x: tensor<2x!ntensor.count<5>>) -> … attributes {tick_ns = 16000000, ntensor.frame_ticks = 16} {
      %a = ntensor.linear "fc" %x {weight} : tensor<2x!ntensor.count<5>> -> tensor<1xf32>
      %z = ntensor.neuron "if" @activation_16(%a) {threshold = v - 16 b, level = v} : (tensor<1xf32>) -> tensor<1x!ntensor.count<5>>

1. A frame is a window of T ticks. Inputs are added up over it, so an input of spikes becomes one of counts. Every frame starts afresh.
2. A population becomes an activation, `n = clip(ceil((x - threshold) / level), 0, most)`, where x is the input of the whole frame. Its threshold
   and level follow from its response to constant inputs (`_rate_curves.py`). `most` is the greatest number of spikes in T ticks, or of `bits` bits.
3. The response of integrate-and-fire neurons that subtract their threshold is that of an activation. Others are approximated on request: a
   `leak`, and a `response` that is not linear, as of a reset to a value.
4. A bias is an input in every tick: T times the bias is subtracted from the threshold. Before an output it stays, times T.
5. Layers keep no state, so no loop becomes one. A delay would need the counts of other frames; `approximate=delay` drops it.
6. A window of rates of T ticks, `transmission = rate`, is what a frame is. Its latency of one window is dropped.
7. A population that emits values, such as a leaky integrator, may only be an output. With `approximate=leak`, the output is its input
   times the sum of its response over a frame; where that is the same for all its neurons, the factor is dropped. One of the host keeps its states
   from frame to frame: each tick gets its part of the input of the frame, and the output is the sum of the ticks.
8. Sum pools and average pools stay: they add counts. Weights stay, in reals.
9. With `fit=data`, the responses of all spiking populations are fitted to the counts of the data (`_fitted_responses.py`), in place of 2 and 3: leaks,
   resets, delays and the potential left by the frame before are in the fit. A count has `bits` bits, in units of the spikes of the data. With
   `input-bits` and `weight-bits`, the integers of the inputs and weights are part of the fit. A frame that is shorter than a sample may be chosen (`shorter`).

Exactness: recorded. The counts of a population that 3 does not approximate are exact in the first frame, if its input is the same in every tick.
Else a spike depends on the order of its inputs, and the potential left by one frame is missing in the next. `data` measures the difference of all counts.

Errors: NTE009 a network in continuous time; LEG082 a response that is not known; LEG083 `window` or bits; LEG084 `approximate`; LEG085 a loop;
LEG086 a delay; LEG087 weights that learn; LEG088 a population of integers, with several inputs, or before synapses; LEG089 a leak; LEG090 another
response; LEG091 a network of frames; LEG092 a bias of an output and a population; LEG140 a fit without data; those of reading `data`.
Source: the equivalence of integrate-and-fire neurons and rectified linear units, B. Rueckauer et al., Frontiers in Neuroscience 11:682 (2017).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Literal

import numpy as np
from attrs import define, evolve, field
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp, StringAttr, i1, i64
from xdsl.ir import Attribute
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.calibration_records import OBSERVED, kept_samples
from ....analysis.rate_windows import rate_windows
from ....core.arrays.arrays import ArrayAttr, dtype_of, uniform
from ....core.arrays.numeric import Reals
from ....core.diagnostics import Code, Diagnostics, ExitCode, Finding, Refused, describe_op, finding_about, refuse
from ....core.help_text import Option, Phrase
from ....core.ir.context import NoptContext, diagnostics_of
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, pass_text, suggest_pass
from ....dialects import ntensor
from ....dialects.ntensor.network import erase_unused_updates, networks
from ....dialects.ntensor.readout import host_mark, is_on_host
from .._layer_obstacles import LEG086, LEG089, is_leaky, loops, unfit, upstream
from ..readouts._frame_populations import frame_population
from ..relays._relays import NodeNames
from ..updates._canonical_parameters import canonical_of
from ._activations import MOST_COUNT_BITS, build_activation, change_events, replace_population
from ._count_units import check_option
from ._fitted_responses import MOST_FITTED_BITS, FrameData, FrameFit, best_window, twin_of
from ._frame_errors import Data, FrameErrors, measure_frames
from ._linear_paths import ConstantInputs
from ._rate_curves import SPIKES, Response, distinct_neurons, measure_response, run_window

LEG083 = Code(
    "LEG083", "rate-ticks-out-of-range", "the ticks or bits of rates are out of range", exit_code=ExitCode.MISUSED
)
LEG084 = Code("LEG084", "rate-approximation-unknown", "unknown approximation of rates", exit_code=ExitCode.MISUSED)
LEG090 = Code("LEG090", "response-not-layer-like", "the response of a population is not that of a layer")
LEG091 = Code("LEG091", "network-already-layers", "the network computes frames already")
LEG140 = Code("LEG140", "rate-fit-without-data", "responses are fitted to no data", exit_code=ExitCode.MISUSED)

MOST_TICKS = 2**16 - 1
"""Maximum length of a frame."""
NEEDED = {"leak": LEG089, "response": LEG090, "delay": LEG086}
"""The refusal that each approximation prevents."""
APPROXIMATIONS = tuple(NEEDED)


@dataclass(frozen=True)
class NtensorEncodeRatesPass(NoptPass):
    """Converts every `ntensor.network` of spikes to layers of counts.

    Options:
        window [ticks]: the length of a frame, 1 to 65535, required. Longer windows have finer rates, and later results.
        bits: width of the count of a population, 1 to 16; default the fewest that hold a spike in each tick, or up to 255 for
            neurons that spike several times in a tick. Greater counts saturate.
        approximate: properties that may be approximated, on record: `leak`, `response`, `delay`; default none. `fit=data` approximates all of them.
        fit: the input of a population to which its response is fitted: `constant`, or `data`; default constant.
        weight-bits: bits of the weights with `fit=data`, 2 to 16, one scale for each neuron; default none, they stay reals.
        input-bits: bits of the counts of real inputs with `fit=data`, 1 to 16; default none, they stay reals.
        shorter: use the window or its half, quarter or eighth with `fit=data`: a shorter one if its counts of samples have clearly less error;
            default false.
        data: a file as `nopt run --input` takes it, to measure the difference of the counts, and for `fit=data`; default the samples that a
            calibration keeps (`ntensor-calibrate{keep=…}`), and without them, nothing is measured.
        samples: number of samples of the data, from the first; default all.
        axes: the order of the axes of the data before those of the input, `samples,ticks` or `ticks,samples`; default the first.
    """

    name = "ntensor-encode-rates"
    sees_host = True
    window: int
    bits: int | None = None
    approximate: tuple[str, ...] = ()
    fit: Literal["constant", "data"] = "constant"
    weight_bits: int | None = None
    input_bits: int | None = None
    shorter: bool = False
    data: str | None = None
    samples: int | None = None
    axes: tuple[str, ...] = ()

    @property
    def approximations(self) -> tuple[str, ...]:
        return ("rates", *self.approximate)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.check_options()
        updates = ntensor.find_updates(op)
        for network in networks(op):
            data = self.data_for(network)
            whole = None if data is None else op.clone()
            found, given = Diagnostics(), None
            if whole is not None and data is not None and (self.is_fitted or self.shorter):
                given = FrameData.of(twin_of(network, whole), data, found)
            step = self if given is None or data is None or not self.shorter else self.with_best_window(op, given, data)
            rates = Rates(network, updates, step)
            rates.convert()
            largest, mean, errors = rates.largest, rates.mean, None
            if whole is not None and data is not None:
                before = twin_of(network, whole)
                if given is not None and self.is_fitted:  # 9
                    diagnostics_of(ctx).extend(found.findings)
                    fit = FrameFit(op, network, step.fitted_bits, self.weight_bits, self.input_bits)
                    rates.pools = fit.fit(given, ctx)
                errors = measure_frames(before, network, data, diagnostics_of(ctx))
                largest, mean = errors.largest, errors.mean
            text = rates.text(errors)
            network.record(ntensor.ApproximationAttr.of(pass_text(self), text, rates.touched, largest, mean))
        erase_unused_updates(op, updates.values())

    def data_for(self, network: ntensor.NetworkOp) -> Data | None:
        """Returns the data of the pass: a file, or the samples of a calibration. Errors: LEG140."""
        if self.data is not None:
            return self.data, self.axes or None, self.samples
        if not self.is_fitted:
            return None
        if samples := kept_samples(network):
            return samples, None, self.samples
        help = Phrase(Option(suggest_pass(replace(self, data="x.npy")), "--calib x.npy", is_of_device=True))
        expected = "data=FILE, or the samples of a calibration"
        refuse(LEG140, at=pass_text(self), expected=expected, found="no data", help=help)

    def with_best_window(self, module: ModuleOp, given: FrameData, data: Data) -> NtensorEncodeRatesPass:
        """Returns the pass with its window, or a shorter one whose counts have clearly less error."""

        def encode(window: int, copy: ModuleOp, after: ntensor.NetworkOp) -> None:
            step, ctx = replace(self, window=window), NoptContext(diagnostics=Diagnostics())
            Rates(after, ntensor.find_updates(copy), step).convert()
            FrameFit(copy, after, step.fitted_bits, self.weight_bits, self.input_bits).fit(given, ctx)

        return replace(self, window=best_window(self.window, encode, module, given.network, data))

    @property
    def permitted(self) -> tuple[str, ...]:
        """Returns the properties that are approximated."""
        return APPROXIMATIONS if self.is_fitted else self.approximate

    @property
    def is_fitted(self) -> bool:
        """Whether responses are those of the data."""
        return self.fit == "data"

    @property
    def fitted_bits(self) -> int:
        """Returns the bits of a count of a fitted response."""
        return self.bits or min(self.window.bit_length(), MOST_FITTED_BITS)

    def check_options(self) -> None:
        check_option(self, LEG083, "window", MOST_TICKS)
        for name in ("bits", "weight_bits", "input_bits"):
            check_option(self, LEG083, name)
        for name in self.approximate:
            if name not in APPROXIMATIONS:
                near = get_close_matches(name, APPROXIMATIONS, 1, 0)[0]
                others = tuple(near if other == name else other for other in self.approximate)
                help = suggest_pass(replace(self, approximate=others))
                refuse(LEG084, at="approximate", expected=", ".join(APPROXIMATIONS), found=name, help=help)

    def with_approximations(self, names: Iterable[str]) -> str:
        """Formats the pass with more approximations."""
        known = {*self.approximate, *names}
        return suggest_pass(replace(self, approximate=tuple(name for name in APPROXIMATIONS if name in known)))


@define(eq=False)
class Rates:
    """The conversion of one network: everything is checked before anything changes."""

    network: ntensor.NetworkOp
    updates: Mapping[str, ntensor.UpdateOp]
    step: NtensorEncodeRatesPass
    responses: dict[ntensor.NeuronOp, Response] = field(factory=dict["ntensor.NeuronOp", Response])
    sums: dict[ntensor.NeuronOp, Reals] = field(factory=dict["ntensor.NeuronOp", Reals])
    """The sum of the response to a constant input of 1 over a frame, of populations that emit values."""
    lasting: list[str] = field(factory=list[str])
    """The populations of the host, which keep their states."""
    pools: list[str] = field(factory=list[str])
    """The max pools that a fit moves before activations."""
    touched: list[str] = field(factory=list[str])

    @property
    def ticks(self) -> int:
        return self.step.window

    def longer(self) -> str:
        """Formats the pass with a longer window."""
        return suggest_pass(replace(self.step, window=min(4 * self.ticks, MOST_TICKS)))

    def bits(self, op: ntensor.NeuronOp) -> int:
        """Returns the width of the counts of a population."""
        if self.step.is_fitted:
            return self.step.fitted_bits
        spikes = min(int(getattr(self.updates[op.update_name].emitted.type, "upper", 1)), SPIKES)
        return self.step.bits or min((spikes * self.ticks).bit_length(), MOST_COUNT_BITS)

    @property
    def approximated(self) -> list[ntensor.NeuronOp]:
        return [op for op, one in self.responses.items() if not one.is_exact]

    @property
    def largest(self) -> float | None:
        found = [one.largest for one in self.responses.values() if not one.is_exact]
        return max(found) if found else None

    @property
    def mean(self) -> float | None:
        found = [one.mean for one in self.responses.values() if not one.is_exact]
        return float(np.mean(found)) if found else None

    def text(self, errors: FrameErrors | None) -> str:
        """Describes the approximation."""
        parts = [f"spikes of {self.ticks} ticks become counts of a frame"]
        names = [op.node.data for op in self.approximated]
        how = "fitted to the data" if self.step.is_fitted else "approximated"
        parts += [f"responses {how}: {', '.join(names)}"] if names else []
        stateless = [op.node.data for op in self.sums if op.node.data not in self.lasting]
        parts += [f"outputs of the input, not of the state: {', '.join(stateless)}"] if stateless else []
        parts += [f"inputs spread evenly over the ticks of a frame: {', '.join(self.lasting)}"] if self.lasting else []
        parts += ["delays dropped"] if self.has_delays else []
        parts += [f"max pools of potentials: {', '.join(self.pools)}"] if self.pools else []
        what = "errors of the responses to constant inputs" if names else ""
        what = what if errors is None else errors.text()
        return "; ".join(parts) + (f"; {what}" if what else "")

    has_delays: bool = False

    def convert(self) -> None:
        """Checks the network, and makes layers of it."""
        if self.network.frame_ticks != 1:
            found = f"{self.network.frame_ticks} ticks"
            help = "convert once, with the window of the whole frame"
            at = describe_op(self.network)[0]
            refuse(LEG091, at=at, expected="a network in ticks", found=found, help=help)
        self.remove_windows()  # 6
        findings = [*loops(self.network, self.step.name)] or [
            *unfit(self.network, self.updates, self.step.permitted)
        ]  # 5
        if not findings and not self.step.is_fitted:
            findings = [finding for op in self.network.populations for finding in self.examine(op)]
        needed = [name for name, code in NEEDED.items() if any(finding.code is code for finding in findings)]
        help = self.step.with_approximations(needed)
        if findings:
            raise Refused(*(one if one.help is not None else evolve(one, help=help) for one in findings))
        if self.step.is_fitted:
            self.prepare_fit()
        constants = ConstantInputs()
        totals = {op: None if self.step.is_fitted else constants.value(op.xs[0]) for op in self.network.populations}
        self.change_biases()  # 4
        names = NodeNames(self.network)
        for op in self.network.populations:
            self.replace(op, totals[op], names)
        for delay in [op for op in self.network.body.block.ops if isinstance(op, ntensor.DelayOp)]:
            self.has_delays = True
            Rewriter.replace_op(delay, [], [delay.x])
        for arg in self.network.body.block.args:  # 1
            if (element := self.frame_element(element_type(arg))) != element_type(arg):
                change_events(arg, element)
        for op in (self.network, *self.network.body.block.ops):
            op.attributes.pop(OBSERVED, None)
        tick_ns = self.network.tick_ns.value.data * self.ticks
        self.network.tick_ns = IntegerAttr(tick_ns, i64)
        self.network.attributes[ntensor.FRAME_TICKS] = IntegerAttr(self.ticks, i64)
        self.network.update_signature()

    def prepare_fit(self) -> None:
        """Chooses responses that a fit replaces, and the sums of populations that emit values."""
        most, one = 2**self.step.fitted_bits - 1, np.ones(())
        for op in self.network.populations:
            if (update := self.updates[op.update_name]).emits.data is ntensor.Emits.VALUE:
                self.sums[op] = self.sum_of_values(op, update)
            else:
                self.responses[op] = Response(one, one, most, False, 0.0, 0.0)

    # ---- checks

    def remove_windows(self) -> None:
        """Removes windows of rates that are as long as a frame."""
        for window in rate_windows(self.network):
            if window.ticks == self.ticks:
                source = window.count.xs[0]
                scale = ntensor.ScaleOp.create(
                    operands=[source], result_types=[window.mean.y.type], properties=dict(window.mean.properties)
                )
                scale.properties["scale"] = ArrayAttr.of(np.ones_like(window.mean.scale.values))
                Rewriter.replace_op(window.mean, scale)
                for op in (window.delay, window.count):
                    if not any(True for _ in op.results[0].uses):
                        Rewriter.erase_op(op)

    def examine(self, op: ntensor.NeuronOp) -> Iterator[Finding]:
        """Measures the response of a population, and yields an error if it may not be approximated. Errors: LEG082."""
        update = self.updates[op.update_name]
        if update.emits.data is ntensor.Emits.VALUE:  # 7
            self.sums[op] = self.sum_of_values(op, update)
            return
        response = self.responses[op] = measure_response(op, update, self.ticks, self.bits(op), self.longer())
        if not response.is_exact and not is_leaky(op) and "response" not in self.step.approximate:  # 3
            yield finding_about(
                op,
                LEG090,
                expected="one more spike for each further threshold of input: a reset that subtracts the threshold",
                found=f"counts of constant inputs that differ by up to {response.largest:g} from a line, in @{op.update_name}",
            )

    def sum_of_values(self, op: ntensor.NeuronOp, update: ntensor.UpdateOp) -> Reals:
        """Returns the mean output per tick that a constant input of 1 adds in a frame. Shapes: () or that of the population."""
        rows, inverse = distinct_neurons(op, canonical_of(op))
        found = run_window(op, update, rows, np.array([[0.0], [1.0]]) * np.ones(len(rows)), self.ticks)
        sums = (found[1] - found[0])[inverse].reshape(shape_of(op.z))
        return uniform(sums / self.ticks)

    # ---- changes

    def change_biases(self) -> None:
        """Removes biases upstream of populations, since thresholds include them, and multiplies the biases of outputs by the ticks of a frame."""
        direct, _ = upstream(self.network, self.updates)
        for op in self.network.body.block.ops:
            if not isinstance(op, ntensor.SynapseOpInterface) or (bias := op.optional_array("bias")) is None:
                continue
            if op in direct:
                dtype = dtype_of(element_type(op.y)) or bias.values.dtype
                op.properties["bias"] = ArrayAttr.of((bias.values * np.float64(self.ticks)).astype(dtype))
            else:
                del op.properties["bias"]

    def replace(self, op: ntensor.NeuronOp, constant: Reals | None, names: NodeNames) -> None:
        """Makes a layer of a population."""
        self.touched.append(op.node.data)
        if op in self.sums:
            if is_on_host(op) and (made := frame_population(names, op, self.updates[op.update_name], self.ticks)):
                self.lasting.append(op.node.data)
                made.attributes |= host_mark(op)
                Rewriter.replace_op(op, made)
                return
            factor = self.sums[op]
            if not factor.ndim:
                Rewriter.replace_op(op, [], [op.xs[0]])
                return
            scale = ntensor.ScaleOp.create(
                operands=[op.xs[0]],
                result_types=[op.z.type],
                properties={"node": StringAttr(op.node.data), "scale": ArrayAttr.of(factor.astype(np.float32))},
            )
            scale.attributes |= host_mark(op)
            Rewriter.insert_op(scale, InsertPoint.before(op))
            Rewriter.replace_op(op, [], [scale.results[0]])
            return
        response = self.responses[op]
        with np.errstate(over="ignore", invalid="ignore"):  # reals beyond the largest are refused with the layer
            threshold = response.threshold if constant is None else response.threshold - self.ticks * constant
        made = build_activation(
            names, op.node.data, op.xs[0], response.most, self.bits(op), uniform(np.asarray(threshold)), response.level
        )
        replace_population(op, made)

    def frame_element(self, element: Attribute) -> Attribute:
        """Returns the element type of an input that is added up over a frame."""
        held = ntensor.interval_of(element)
        if held is None:
            return element
        if element == i1 or isinstance(element, ntensor.CountType):
            return ntensor.CountType((held.high * self.ticks).bit_length())
        bits = 1 + max((held.high * self.ticks).bit_length(), (~(held.low * self.ticks)).bit_length())
        return ntensor.GradedType(bits) if isinstance(element, ntensor.GradedType) else IntegerType(bits)
