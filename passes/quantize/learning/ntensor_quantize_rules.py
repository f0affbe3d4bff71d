"""Lowers learning rules of reals to rules of integers, for devices that compute in integers.

    ntensor.linear "fc" %x {weight = n, quantized = <8, s>, plasticity = #ntensor.learning<@stdp.…, {a_plus = 0.01, …}>} : i1 -> f64
      =>
    ntensor.linear "fc" %x {weight = n, quantized = <8, s>, plasticity = #ntensor.learning<@"stdp.….fc", {seed = …}>} : i1 -> f64

1. The weights are integers times one scale; the sums are integers, or reals to which the scale of a transmitted integer belongs. A rule of integers stays.
2. Each number of the rule is an integer with a unit (`_fixed_rules.py`): traces of `trace_bits` bits, weights as the op stores them. Parameters become constants.
3. The bounds of the weight move to the nearest integers within them.
4. With the rounding `stochastic`, a weight rounds up with the probability of its fraction, by random numbers of the seed, the tick, the event and the synapse.

Recorded: the largest and the mean difference of the windows: the change of a weight by a pair of spikes, in numbers of the network.

Errors: ANA031 a node that does not exist, or whose weights do not change; NTE009 a network in continuous time; DEV023 no device; ANA050, QUA070 a rule without an integer form;
QUA071 a device without rules of integers; QUA072 as numbered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from zlib import crc32

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import Float32Type, Float64Type, ModuleOp
from xdsl.ir import SSAValue

from ....analysis.approximation_errors import Errors
from ....analysis.node_selection import check_names, choose_ops, is_plastic, name_of
from ....core.device.device_pass import DevicePass
from ....core.device.records import Device
from ....core.diagnostics import Code, refuse_op
from ....core.fixed_point import Interval
from ....core.help_text import Passes, PassesOption, Phrase
from ....core.ir.operation import element_type
from ....core.ir.pipeline import option_text, pass_text
from ....core.names import primed, symbols_of
from ....dialects import ntensor
from ....dialects.chip_base.needs import INTEGERS
from ....dialects.fixed import IntType
from ....dialects.ntensor.learning.attributes import SEED
from ....dialects.ntensor.learning.places import reading_line
from ....dialects.ntensor.learning.rules import find_rules
from ....dialects.ntensor.network import networks
from ....simulation.learning.plastic_ops import named_values
from ....simulation.learning.rules import Learning, numbers_of_rule
from ._fixed_rules import FixedRule, Format, Settings, formats_text, weight_interval
from ._rule_windows import window_errors

QUA071 = Code("QUA071", "device-without-integer-rules", "the device has no learning rules of integers")
QUA072 = Code("QUA072", "learning-weights-not-integers", "a synapse that learns has no integers with one scale")

TRACE_BITS = 16


@dataclass(frozen=True)
class NtensorQuantizeRulesPass(DevicePass):
    """Lowers the learning rules of every `ntensor.network` to integers.

    Options:
        device: TARGET/NAME, or the path of a device file; default the one that the network names.
        set: fields of the device that are overridden: `set="plasticity.rules.trace_bits=24"`.
        nodes: the synapse ops; default all whose weights change.
        rounding: of weights, `nearest` or `stochastic`; default that of the device.
    """

    name = "ntensor-quantize-rules"
    APPROXIMATES = ("precision",)
    nodes: tuple[str, ...] = ()
    rounding: Literal["nearest", "stochastic"] | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_names(op, self.nodes, is_plastic, self.name)
        for network in networks(op):
            for one in choose_ops(network, self.nodes, is_plastic):
                assert isinstance(one, ntensor.SynapseOpInterface)  # is_plastic
                device = self.device_for(network)
                lowering = RuleLowering(op, network, device, one, self.rounding)
                if not lowering.is_integer:
                    lowering.apply(pass_text(self))
        remove_unused(op)


def remove_unused(module: ModuleOp) -> None:
    """Removes the rules that no synapse op names."""
    ops = [op for op in module.walk() if isinstance(op, ntensor.SynapseOpInterface)]
    used = {given.symbol for op in ops if isinstance(given := op.learning_rule, ntensor.LearningAttr)}
    for name, rule in find_rules(module).items():
        if name not in used:
            rule.detach()
            rule.erase()


class RuleLowering:
    """Lowering of the rule of one op."""

    def __init__(
        self,
        module: ModuleOp,
        network: ntensor.NetworkOp,
        device: Device,
        op: ntensor.SynapseOpInterface,
        rounding: str | None,
    ):
        self.rounding = rounding
        self.module, self.network, self.device, self.op = module, network, device, op
        self.learning = numbers_of_rule(op, find_rules(module), network.dt)

    @property
    def is_integer(self) -> bool:
        return isinstance(self.learning.rule.weight_type, IntType)

    def refuse(self, expected: str, found: str, help: Phrase | str, **line: Any) -> None:
        refuse_op(self.op, QUA072, expected=expected, found=found, help=help, **line)

    def weight_format(self) -> Format:  # 1, 3
        """Returns the integers of the weights, with their scale. Errors: QUA072."""
        op = self.op
        quantized, is_real = op.quantized_weights, isinstance(element_type(op.y), Float32Type | Float64Type)
        if quantized is None and is_real:
            step = "ntensor-quantize-weights{bits=8 per=population}"
            self.refuse("weights that are integers times a scale", str(element_type(op.y)), Phrase(PassesOption(step)))
        scales = np.ones(1) if quantized is None else np.unique(quantized.scale.values)
        if len(scales) != 1:
            bits = 8 if quantized is None else quantized.bits.data
            step = f"ntensor-quantize-weights{{bits={bits} per=population}}"
            self.refuse("weights with one scale", f"{len(scales)} scales", Phrase(PassesOption(step)))
        weights = op.weights
        assert weights is not None  # a plastic op has weights
        bits = 8 * weights.values.dtype.itemsize if quantized is None else quantized.bits.data
        unit = float(scales[0])
        return Format(weight_interval(self.learning, unit, bits), unit)

    def signals(self) -> dict[str, Interval]:
        """Returns the integers of each modulator. Errors: QUA072."""
        known: Mapping[str, SSAValue] = named_values(self.network)
        found: dict[str, Interval] = {}
        for name, signal in self.learning.modulators.items():
            held = ntensor.interval_of(element_type(known[signal])) if signal in known else None
            if held is None:
                given = str(known[signal].type) if signal in known else "nothing"
                help = Phrase(Passes("ntensor-quantize-inputs{kind=spike}"))
                line = reading_line(self.learning.rule, name)
                self.refuse(f'a modulator of events or integers, "{signal}"', given, help, **line)
            assert held is not None  # refused
            found[name] = held
        return found

    def apply(self, step: str) -> None:
        op, learning = self.op, self.learning
        weight, settings = self.weight_format(), self.settings()
        fixed = FixedRule(op, learning, weight, self.signals(), settings)
        rule = fixed.lower(self.symbol())
        self.module.body.block.insert_op_before(rule, self.network)
        values = {} if not len(rule.randoms) else {SEED: float(self.seed())}
        op.properties["plasticity"] = ntensor.LearningAttr.of(rule.sym_name.data, values, learning.modulators)
        whole = Learning(rule, {}, float(weight.interval.low), float(weight.interval.high), learning.modulators, 0)
        changes, largest = window_errors(learning, whole, weight.unit)
        errors = Errors()
        errors.add(name_of(op), changes)
        share = (
            f"window within {float(changes.max()) / largest:.2%} of its largest change"
            if largest
            else "no change by pairs"
        )
        traces = formats_text(fixed.formats, rule.states)
        rounding = "weights round stochastically" if settings.is_stochastic else "weights round to the nearest"
        parts = (f"learning rule in integers: {share}", traces, rounding)
        errors.record(self.network, step, ", ".join(filter(None, parts)))

    def symbol(self) -> str:
        """Returns a symbol that is not used."""
        return primed(f"{self.learning.rule.sym_name.data}.{name_of(self.op)}", symbols_of(self.module))

    # ---- the device

    def settings(self) -> Settings:
        """Errors: QUA071."""
        key = self.key()
        bits = self.device.integer(f"plasticity.{key}.trace_bits")
        rounding = self.rounding or (self.device.plasticity or {})[key].rounding
        return Settings(TRACE_BITS if bits is None else bits, rounding not in (None, "nearest"))

    def seed(self) -> int:
        given = self.device.integer(f"plasticity.{self.key()}.seed") or 0
        return self.learning.seed + given + crc32(name_of(self.op).encode())  # ops draw different numbers

    def key(self) -> str:
        """Returns the first rule of integers of the device. Errors: QUA071."""
        found = next((key for key, one in (self.device.plasticity or {}).items() if one.rule == INTEGERS), None)
        if found is None:
            refuse_op(
                self.op,
                QUA071,
                f"{self.device.key} has no learning rules of integers",
                expected=f"plasticity.NAME with the rule {INTEGERS}",
                found=", ".join(f"{key} ({one.rule})" for key, one in (self.device.plasticity or {}).items()) or "none",
                help=Phrase(PassesOption(f"ntensor-freeze-plasticity{{nodes={option_text(name_of(self.op))}}}")),
            )
        return found
