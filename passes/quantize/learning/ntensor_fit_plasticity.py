"""Fits learning rules to the sums of products of traces that a device computes.

    ntensor.linear "fc" {weight = w, plasticity = #ntensor.learning<@triplet, {a2_plus = 0.005, …}>}
      =>
    ntensor.linear "fc" {weight = w, plasticity = #ntensor.learning<@trace_products.f32, {post_x1 = 0.0049, post_x1_y2 = 0.0059, pre_y1 = -0.0069, tau_x1 = 0.0168, …}>}

1. The device declares its traces and numbers: `traces`, `trace_bits`, `mantissa_bits`, `exponent`, `impulse`, `register_bits` and `product_bits` of a rule `programmable` in
   `plasticity`. `analysis/learning/product_quantization.py` defines the grid of its constants.
2. A rule is known by its learning window: the changes at the last of two or three spikes, from five weights, at intervals up to four of its longest time constant
   (`simulation/learning/windows.py`). A rule that needs more than spikes has none: modulators, observed states, random numbers, an efficacy, changes in every tick, or
   dendritic delays.
3. The result is a rule of trace products (`dialects/equations/trace_products.py`). Its time constants, products and constants are those of `_window_fit.py`. The bounds stay; they
   have to lie within half a step of the ends of the register.
4. Recorded: the largest and the mean deviation of the windows, in units of the weights, and the deviations of pairs and triplets in relation to the window, as roots of their
   mean squares, for the rule that deviates most. The larger of both must not exceed the tolerance.

Rules that the device computes, and `#nir.stdp`, whose constants `ntensor-quantize-plasticity` rounds, stay. The deviation does not contain spikes of one tick, the rounding of traces and
weights by chance, and traces at the end of their range.

Errors: ANA031 a node that does not exist, or whose weights do not change; NTE009 a network in continuous time; DEV023 no device; QUA062, QUA063, QUA064, QUA065, QUA066 as
numbered; SIM031, SIM032, SIM033 a rule that cannot run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

import numpy as np
from attrs import frozen
from xdsl.context import Context
from xdsl.dialects.builtin import Float32Type, Float64Type, ModuleOp, StringAttr
from xdsl.ir import Operation

from ....analysis.learning.learning_terms import needs_more_than_spikes
from ....analysis.learning.product_quantization import ProductNumbers, product_numbers
from ....analysis.learning.stdp_quantization import step_of
from ....analysis.node_selection import check_names, choose_ops, is_plastic, name_of
from ....core.arrays.numeric import AnyArray
from ....core.device.device_pass import DevicePass
from ....core.device.records import Device
from ....core.diagnostics import Code, ExitCode, refuse, refuse_op
from ....core.help_text import PassesOption, Phrase
from ....core.ir.operation import element_type, texts_of
from ....core.ir.pipeline import option_text, pass_text
from ....core.names import shared_symbol, symbols_of
from ....dialects import ntensor
from ....dialects.chip_base.weights import sign_of
from ....dialects.equations.trace_products import BOUNDS, TraceRule, build_products, products_of
from ....dialects.ntensor.learning.places import learning_line, rule_line
from ....dialects.ntensor.network import networks
from ....simulation.learning.rules import Learning, learning_of
from ....simulation.learning.windows import (
    SpikeHistory,
    WindowChanges,
    reach_of,
    spike_histories,
    trace_taus,
    window_changes,
)
from ....simulation.update import derive
from ._window_fit import FittedRule, Window, fit_window

QUA062 = Code("QUA062", "learning-rule-without-window", "a learning rule has no window that is a function of spikes")
QUA063 = Code("QUA063", "learning-window-deviates", "the learning window of a device deviates beyond the tolerance")
QUA064 = Code(
    "QUA064", "fitted-bounds-not-register-ends", "the bounds of a learning rule are not the ends of a register"
)
QUA065 = Code("QUA065", "device-without-trace-products", "the device declares no sums of products of traces")
QUA066 = Code("QUA066", "window-tolerance-out-of-range", "a tolerance is out of range", exit_code=ExitCode.MISUSED)

TOLERANCE = 0.2
WEIGHT_PLACES = (0.1, 0.3, 0.5, 0.7, 0.9)
"""Places between the bounds of the weights from which a window starts."""
TAU_DIGITS = 6
"""Digits of time constants: those of rules in f32."""


@frozen(eq=False)
class Deviation:
    """The differences of two windows. `pairs` and `triplets` are relative, as roots of the mean squares."""

    largest: float
    mean: float
    pairs: float
    triplets: float

    @property
    def relative(self) -> float:
        return max(self.pairs, self.triplets)

    @property
    def text(self) -> str:
        return f"{self.pairs:.3g} of pairs and {self.triplets:.3g} of triplets"


@dataclass(frozen=True)
class NtensorFitPlasticityPass(DevicePass):
    """Fits the learning rules of every `ntensor.network` to a device.

    Options:
        device: TARGET/NAME, or the path of a device file; default the one that the network names.
        set: fields of the device that are overridden.
        nodes: the synapse ops; default all whose rule is not one of the device.
        tolerance: the largest relative deviation of a window [1]; default 0.2. A larger one accepts coarser rules.
    """

    name = "ntensor-fit-plasticity"
    APPROXIMATES = ("learning",)
    nodes: tuple[str, ...] = ()
    tolerance: float = TOLERANCE

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not 0 < self.tolerance < np.inf:
            expected, found = "a number above 0", f"{self.tolerance:g}"
            refuse(QUA066, at="tolerance", expected=expected, found=found, help=f"tolerance={TOLERANCE}")
        check_names(op, self.nodes, is_plastic, self.name)
        for network in networks(op):
            given = [
                one
                for one in choose_ops(network, self.nodes, is_plastic)
                if isinstance(one, ntensor.SynapseOpInterface)
            ]
            chosen = [
                one for one in given if isinstance(one.learning_rule, ntensor.LearningAttr) and products_of(one) is None
            ]
            if not chosen:
                continue
            device = self.device_for(network)
            numbers = numbers_of(device, chosen[0])
            fits = [self.fit(network, one, numbers, device) for one in chosen]
            worst = max(fits, key=lambda one: one.relative)
            what = f"learning windows fitted to sums of products of traces: relative deviation {worst.text}"
            largest, mean = max(one.largest for one in fits), float(np.mean([one.mean for one in fits]))
            nodes = [name_of(one) for one in chosen]
            network.record(ntensor.ApproximationAttr.of(pass_text(self), what, nodes, largest, mean))
            drop_unused_rules(op)

    def fit(
        self, network: ntensor.NetworkOp, op: ntensor.SynapseOpInterface, numbers: ProductNumbers, device: Device
    ) -> Deviation:
        """Fits the rule of an op, and returns the deviation of its window. Errors: QUA062 to QUA064."""
        learning = learning_of(op, ntensor.find_rules(network.parent_op()), network.dt)
        verify_window(op, learning)
        step = weight_step(op, learning, numbers)
        weights = [learning.low + place * (learning.high - learning.low) for place in WEIGHT_PLACES]
        taus = trace_taus(learning, weights[2])
        histories = spike_histories(reach_of(taus))
        wanted = window_changes(learning, histories, weights)
        found = fit_window(Window(histories, wanted), taus, numbers, step)
        values = in_seconds(found, network.dt) | dict(zip(BOUNDS, (learning.low, learning.high), strict=True))
        rule = self.rule_of(op, found.rule)
        fitted = fitted_learning(rule, values, network.dt)
        deviation = window_deviation(histories, wanted, window_changes(fitted, histories, weights))
        if not deviation.relative <= self.tolerance:
            self.refuse_window(op, deviation, device)
        symbol = known_symbol(network.parent_op(), rule)
        op.properties["plasticity"] = ntensor.LearningAttr.of(symbol, values, {})
        return deviation

    def rule_of(self, op: ntensor.SynapseOpInterface, rule: TraceRule) -> ntensor.RuleOp:
        element = element_type(op.y)
        assert isinstance(element, Float32Type | Float64Type)  # learning_of: the sums have the type of the weight
        return build_products(rule, element)

    def refuse_window(self, op: ntensor.SynapseOpInterface, deviation: Deviation, device: Device) -> NoReturn:  # 4
        """Errors: QUA063."""
        above = float(f"{deviation.relative * 1.1:.1g}")
        tolerance = above if above > deviation.relative else float(f"{deviation.relative * 1.5:.1g}")
        again = replace(self, tolerance=tolerance, device=self.device or device.naming.key, nodes=self.nodes)
        refuse_op(
            op,
            QUA063,
            expected=f"a relative deviation of at most {self.tolerance:g}",
            found=deviation.text,
            path="plasticity",
            help=Phrase(PassesOption(pass_text(again)), ", or ", freeze(op)),
            **learning_line(op),
        )


def freeze(op: Operation) -> PassesOption:
    return PassesOption(f"ntensor-freeze-plasticity{{nodes={option_text(name_of(op))}}}")


def numbers_of(device: Device, op: Operation) -> ProductNumbers:  # 1
    """Returns the numbers of a device. Errors: QUA065."""
    found = product_numbers(device)
    if found is None:
        refuse_op(
            op,
            QUA065,
            f"{device.key} declares no sums of products of traces",
            expected="plasticity.NAME with the rule programmable, traces, trace_bits, mantissa_bits, exponent, impulse and register_bits",
            found=", ".join(f"{key} ({one.rule})" for key, one in (device.plasticity or {}).items()) or "none",
            **device.limit_facts("plasticity"),
            help=Phrase(freeze(op)),
        )
    return found


def verify_window(op: ntensor.SynapseOpInterface, learning: Learning) -> None:  # 2
    """Errors: QUA062."""
    reason = needs_more_than_spikes(learning.rule)
    if reason is not None:
        name = learning.rule.sym_name.data.partition(".")[0]
        expected = "changes at spikes, by earlier spikes and the weight alone"
        refuse_op(
            op,
            QUA062,
            expected=expected,
            found=f"{name}, which has {reason}",
            path="plasticity",
            help=Phrase(freeze(op)),
            **rule_line(learning.rule),
        )


def weight_step(op: ntensor.SynapseOpInterface, learning: Learning, numbers: ProductNumbers) -> float:  # 3
    """Returns the step of the weights of an op on the device. Errors: QUA064."""
    given, sign = dict(zip(BOUNDS, (learning.low, learning.high), strict=True)), sign_of(op)
    low, high = numbers.grid.ends(sign)
    fitting = (learning.high - learning.low) / (high - low)
    step = step_of(op) if op.quantized_weights is not None else fitting
    if step is None or not np.isfinite(step) or not numbers.grid.has_ends(given, sign, step):
        is_finite = bool(np.isfinite(fitting)) and fitting > 0
        refuse_op(
            op,
            QUA064,
            expected=f"w_min and w_max at {low:g} and {high:g} steps of the weights, which are {sign}",
            found=f"{learning.low:g} and {learning.high:g}" + ("" if step is not None else ", without one step"),
            path="plasticity",
            help=Phrase(freeze(op)),
            notes=[f"with this distance the bounds are {low * fitting:.6g} and {high * fitting:.6g}"] * is_finite,
        )
    return step


def in_seconds(found: FittedRule, dt: float) -> dict[str, float]:
    """Returns the numbers of a rule with time constants in seconds. Units: dt [s]."""
    taus = {found.rule.tau(trace) for trace in found.rule.traces}
    return {
        name: float(f"{value * dt:.{TAU_DIGITS}g}") if name in taus else value for name, value in found.values.items()
    }


def fitted_learning(rule: ntensor.RuleOp, values: dict[str, float], dt: float) -> Learning:
    """Returns the learning of a rule with some numbers. Units: dt [s]."""
    numbers = derive(rule, dt, {name: np.asarray(value) for name, value in values.items()})
    low, high = (float(numbers[name.data]) for name in rule.canonical)
    return Learning(rule, {name: numbers[name] for name in texts_of(rule.params)}, low, high, {}, 0)


def window_deviation(histories: Sequence[SpikeHistory], wanted: WindowChanges, found: WindowChanges) -> Deviation:  # 4
    """Returns the differences of two windows, where no bound ends a change."""
    is_free = wanted.is_free & found.is_free
    is_pair = np.array([one.is_pair for one in histories])[wanted.history]
    difference = found.change - wanted.change

    def relative(at: AnyArray) -> float:
        error, size = (float((x[at & is_free] ** 2).sum()) for x in (difference, wanted.change))
        return (error / size) ** 0.5 if size else 0.0 if not error else float("inf")

    free = np.abs(difference[is_free])
    return Deviation(
        float(free.max(initial=0)), float(free.mean()) if free.size else 0.0, relative(is_pair), relative(~is_pair)
    )


def known_symbol(module: Operation | None, rule: ntensor.RuleOp) -> str:
    """Returns the symbol of an equal rule of a module, else adds the rule under an unused name."""
    assert isinstance(module, ModuleOp)  # networks are in modules
    known = symbols_of(module)
    if (name := shared_symbol(rule, known)) in known:
        return name
    added = rule.clone()
    added.sym_name = StringAttr(name)
    first = module.body.block.first_op
    assert first is not None  # a network
    module.body.block.insert_op_before(added, first)
    return name


def drop_unused_rules(module: ModuleOp) -> None:
    """Removes the rules of a module that no op names."""
    used = {
        given.symbol
        for op in module.walk()
        if isinstance(op, ntensor.SynapseOpInterface) and isinstance(given := op.learning_rule, ntensor.LearningAttr)
    }
    for name, rule in ntensor.find_rules(module).items():
        if name not in used:
            rule.detach()
            rule.erase()
