"""Replaces the exponential leak of populations by a linear one, for devices whose neurons leak a constant in each tick.

    v = decay v + gain x          =>          v = v + gain x, then leak_step towards rest, at most to it

1. A population of the family `lif` or `cuba_lif` is chosen if its canonical decay is below 1.
2. leak_step = share (1 - decay) |threshold - leak|, the step of the exponential leak at a share of the way from rest to threshold. The share is one half, the
   mean. If the network keeps samples (`ntensor-calibrate{keep=…}`, which `--calib` sets for devices with a linear leak), each neuron has the share with
   which it has the most similar spike counts in every second one (`_leak_fit.py`), unless the other samples have a larger loss with these (`_held_out_loss.py`).
3. The synaptic current of a `cuba_lif` reaches the membrane at once: x is multiplied by gain gain_i / (1 - decay_i), so that its charge stays.
4. The reset follows the rule of the population: two strong inputs, after which v is the same or not. The family is `linear_lif` then. With `direction=down`
   it is `falling_lif`: the leak is the same below rest. There, a population that is reset to a value returns to rest; one that subtracts its threshold rises by
   two steps where it is more than two steps below.
5. The new population emits one spike in a tick. Delays, reshapes and outputs adopt its type.

Exactness: recorded. The errors are those of one leak, for v evenly from rest to threshold. That of a removed current is not included. The record states
fewer spikes in a tick, and the range of shares that were fitted.

Errors: ANA031 a name in `nodes`; NTE009 a network in continuous time; LEG053 a population without the canonical values of a leak; LEG054 integers;
LEG033 a parameter of the linear leak that is not known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, StringAttr, TensorType
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.approximation_errors import Errors
from ....analysis.calibration_records import OBSERVED, find_observation, kept_samples
from ....analysis.node_selection import check_names, choose_ops
from ....core.arrays.arrays import uniform
from ....core.arrays.numeric import Reals
from ....core.fixed_point import Interval
from ....core.ir.graph_region import walk_downstream
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, pass_text
from ....core.neuron.neuron import parse_neurons
from ....core.neuron.tree import Neuron
from ....dialects import ntensor
from ....dialects.ntensor.network import erase_unused_updates, networks
from ...pipelines import FALLING, LINEAR
from .._held_out_loss import HeldOutLoss, choose
from ..numbers._integer_synapses import retype
from ..relays._relays import NodeNames
from . import _canonical_parameters as parameters
from ._leak_fit import HALF, LeakFit, set_leak_step
from ._leaks import canonical_values, find_reset, is_leaky, leak_steps
from ._population_builder import build_population
from ._signal_kinds import is_rearranging
from ._update_options import compared

LINEAR_LEAK = Path(__file__).with_name("linear_leak.neuron")
LEAK_FAMILIES = {"rest": LINEAR, "down": FALLING}
"""The family of populations with a leak in each direction."""


def rule_of(direction: Literal["rest", "down"]) -> Neuron:
    """Returns the neuron with a linear leak in a direction."""
    rules = parse_neurons(LINEAR_LEAK.read_text(encoding="utf-8"), LINEAR_LEAK.name).neurons
    return next(one for one in rules if one.serves(LEAK_FAMILIES[direction]))


@dataclass(frozen=True)
class NtensorLinearizeLeakPass(NoptPass):
    """Linearises the leak of populations in every `ntensor.network`.

    Options:
        nodes: the populations to change; default all of the families `lif` and `cuba_lif`.
        direction: of the leak: towards `rest`, or `down`, a constant in each tick, for devices whose leak does not have the sign of v; default rest.
    """

    name = "ntensor-linearize-leak"
    APPROXIMATES = ("leak",)
    nodes: tuple[str, ...] = ()
    direction: Literal["rest", "down"] = "rest"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_names(op, self.nodes, is_leaky, self.name)
        updates, rule = ntensor.find_updates(op), rule_of(self.direction)
        for network in networks(op):
            errors, names, limits = Errors(), NodeNames(network), dict[str, None]()
            before, loss = (op.clone(), HeldOutLoss.of(network)) if kept_samples(network) else (None, None)
            slopes = dict[str, Reals]()
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
                if (rate := find_observation(inner, "rate")) is not None:  # the fit keeps it
                    made.attributes[OBSERVED] = DictionaryAttr({"rate": rate})
                made.node = StringAttr(inner.node.data)
                Rewriter.insert_op(made, InsertPoint.before(inner))
                for value in list(walk_downstream([inner.z], is_rearranging))[1:]:  # 5
                    retype(value, TensorType(element_type(made.z), shape_of(value)))
                inner.z.replace_all_uses_with(made.z)
                limits.update(fewer_spikes(*(ntensor.interval_of(element_type(one.z)) for one in (inner, made))))
                Rewriter.erase_op(inner)
                slopes[made.node.data] = leak_steps(canonical, shape_of(made.z)) / HALF
            network.update_signature()
            shares = {name: np.full(slope.size, HALF) for name, slope in slopes.items()}
            fitted = ""
            if before is not None and slopes:
                found = LeakFit.of(before, network, tuple(slopes)).shares(op.clone())
                shares = choose(loss, (shares, found), partial(with_shares, network, slopes))
                with_shares(network, slopes, shares)
                if shares is found:
                    ends = [
                        end for share in found.values() for end in (share.min(initial=HALF), share.max(initial=HALF))
                    ]
                    fitted = (
                        f"; shares of the way to threshold fitted to spike counts, {min(ends):.2g} to {max(ends):.2g}"
                    )
            for name, slope in slopes.items():
                add_errors(errors, name, slope.reshape(-1), shares[name])
            what = f"exponential leaks replaced by linear ones, errors of one leak{''.join(limits)}{fitted}"
            errors.record(network, pass_text(self), what)
        erase_unused_updates(op, updates.values())


def fewer_spikes(before: Interval | None, after: Interval | None) -> dict[str, None]:
    """Returns the statement that a population emits fewer spikes in a tick, for the record."""
    if before is None or after is None or after.high >= before.high:
        return {}
    return {f"; at most {after.high} spike{'s' * (after.high != 1)} in a tick instead of {before.high}": None}


def with_shares(
    network: ntensor.NetworkOp, slopes: Mapping[str, Reals], shares: Mapping[str, Reals]
) -> ntensor.NetworkOp:
    """Sets the leak steps of populations, also in their canonical values, and returns the network."""
    for op in network.populations:
        if (share := shares.get(op.node.data)) is not None:
            set_leak_step(op, share * slopes[op.node.data].reshape(-1))
            step = dict(op.arrays(op.params))["leak_step"]
            assert op.canonical is not None  # of the linear leak
            canonical = {name: array.values for name, array in op.arrays(op.canonical)} | {"leak_step": step.values}
            op.canonical = ntensor.array_dictionary({name: uniform(array) for name, array in canonical.items()})
    return network


def add_errors(errors: Errors, name: str, slope: Reals, share: Reals) -> None:
    """Adds the largest and the mean error of a leak, for v evenly from rest to threshold: |x - share| for x from 0 to 1."""
    largest = slope * np.maximum(share, 1 - share)
    mean = slope * np.where(share < 1, (share**2 + (1 - share) ** 2) / 2, share - 0.5)
    errors.add_sum(name, float(largest.max(initial=0)), float(mean.sum()), slope.size)
