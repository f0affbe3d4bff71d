"""Replaces the exponential leak of populations by a linear one, for devices whose neurons leak a constant in each tick.

    v = decay v + gain x          =>          v = v + gain x, then leak_step towards rest, at most to it

1. A population of the family `lif` or `cuba_lif` is chosen if its canonical decay is below 1.
2. leak_step = (1 - decay) |threshold - leak| / 2, the mean of the steps of the exponential leak between rest and threshold.
3. The synaptic current of a `cuba_lif` reaches the membrane at once: x is multiplied by gain gain_i / (1 - decay_i), so that its charge stays.
4. The reset follows the rule of the population: two strong inputs, after which v is the same or not. The family is `linear_lif` then.
5. The new population emits one spike in a tick. Delays, reshapes and outputs adopt its type.

Exactness: recorded. The errors are those of one leak, for v from rest to threshold: at most leak_step, and leak_step / 2 on average. That of a
removed current is not included. The record states fewer spikes in a tick.

Errors: ANA031 a name in `nodes`; NTE009 a network in continuous time; LEG053 a population without the canonical values of a leak; LEG054 integers;
LEG033 a parameter of the linear leak that is not known.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.approximation_errors import Errors
from ....analysis.calibration_records import OBSERVED
from ....analysis.node_selection import check_names, choose_ops
from ....core.fixed_point import Interval
from ....core.ir.graph_region import walk_downstream
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import ntensor
from ....dialects.ntensor.network import erase_unused_updates, networks
from ..numbers._integer_synapses import retype
from ..relays._relays import NodeNames
from . import _canonical_parameters as parameters
from ._leaks import canonical_values, find_reset, is_leaky, leak_steps
from ._population_builder import build_population, read_neuron
from ._signal_kinds import is_rearranging
from ._update_options import compared

LINEAR_LEAK = Path(__file__).with_name("linear_leak.neuron")


@dataclass(frozen=True)
class NtensorLinearizeLeakPass(NoptPass):
    """Linearises the leak of populations in every `ntensor.network`.

    Options:
        nodes: the populations to change; default all of the families `lif` and `cuba_lif`.
    """

    name = "ntensor-linearize-leak"
    APPROXIMATES = ("leak",)
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_names(op, self.nodes, is_leaky, self.name)
        updates, rule = ntensor.find_updates(op), read_neuron(LINEAR_LEAK)
        for network in networks(op):
            errors, names, limits = Errors(), NodeNames(network), dict[str, None]()
            for inner in choose_ops(network, self.nodes, is_leaky):
                assert isinstance(inner, ntensor.NeuronOp)  # is_leaky
                old = updates[inner.update_name]
                canonical = canonical_values(inner, old, self.name)
                if (canonical["decay"] == 1).all():  # 1
                    continue
                reset = find_reset(inner, old, canonical)
                given = {} if reset is None else {"reset": reset}
                ((update, _),) = compared(rule, old, [inner], given, network.dt)  # 4
                raw = parameters.raw_values(inner, update, {}, network.dt)
                made = build_population(names, inner.node.data, update, inner.xs[0], raw, rule)
                made.attributes.update({k: v for k, v in inner.attributes.items() if k != OBSERVED})
                made.node = StringAttr(inner.node.data)
                Rewriter.insert_op(made, InsertPoint.before(inner))
                for value in list(walk_downstream([inner.z], is_rearranging))[1:]:  # 5
                    retype(value, TensorType(element_type(made.z), shape_of(value)))
                inner.z.replace_all_uses_with(made.z)
                limits.update(fewer_spikes(*(ntensor.interval_of(element_type(one.z)) for one in (inner, made))))
                Rewriter.erase_op(inner)
                step = leak_steps(canonical, shape_of(made.z))
                errors.add_sum(made.node.data, float(step.max(initial=0)), float(step.sum()) / 2, step.size)
            network.update_signature()
            what = f"exponential leaks replaced by linear ones, errors of one leak{''.join(limits)}"
            errors.record(network, pass_text(self), what)
        erase_unused_updates(op, updates.values())


def fewer_spikes(before: Interval | None, after: Interval | None) -> dict[str, None]:
    """Returns the statement that a population emits fewer spikes in a tick, for the record."""
    if before is None or after is None or after.high >= before.high:
        return {}
    return {f"; at most {after.high} spike{'s' * (after.high != 1)} in a tick instead of {before.high}": None}
