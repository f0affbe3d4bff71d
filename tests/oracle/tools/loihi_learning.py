"""Weights that Lava's learning engine computes, tick by tick.

python loihi_learning.py IN.npz OUT.npz

IN holds `cases`, a JSON list; an entry has `rule` (arguments of Loihi2FLearningRule), `sign` and `rounding` (shared or nearest), and optionally `weight_seed`. The
arrays are N.weight [post, pre], N.pre [ticks, pre], and either N.post [ticks, post] or the entry `lif` (du, dv, vth, weight_exp), a layer of neurons whose spikes
change the weights. OUT gets N.w, N.d and N.t [ticks, post, pre], and with neurons N.post.

The model class of Lava computes the weights. With neurons its processes run, one tick at a time.
"""

from __future__ import annotations

import dataclasses
import json
import logging
import sys
from types import SimpleNamespace

import numpy as np

process = dataclasses._process_class


def hashable(kind, *args, **kwargs):
    """Makes instances of Lava's data classes hashable, as the fields of Python 3.11 demand."""
    made = process(kind, *args, **kwargs)
    if made.__module__.startswith("lava.") and made.__hash__ is None:
        made.__hash__ = object.__hash__
    return made


dataclasses._process_class = hashable
logging.disable(logging.WARNING)


class Nearest:
    """Numbers that round to the nearest."""

    random_trace_decay, random_impulse_addition, random_stochastic_round = 0.5, 64, 0.5

    def advance(self):
        pass


def model_of(case, weight):
    """Returns Lava's model of the connection with its registers before the first tick."""
    from lava.magma.core.learning.constants import GradedSpikeCfg
    from lava.magma.core.learning.learning_rule import Loihi2FLearningRule
    from lava.magma.core.learning.random import ConnVarRandom
    from lava.magma.core.model.py.connection import LearningConnectionModelBitApproximate
    from lava.utils.weightutils import SignMode

    post, pre = weight.shape
    rule = Loihi2FLearningRule(**case["rule"])
    kind = LearningConnectionModelBitApproximate
    made = object.__new__(type("Model", (kind,), {"__abstractmethods__": frozenset()}))
    made._learning_rule, made._shape, made.sign_mode = rule, weight.shape, SignMode[case["sign"].upper()]
    made._graded_spike_cfg = GradedSpikeCfg.USE_REGULAR_IMPULSE
    made._store_shapes()
    made._store_impulses_and_taus()
    made._build_active_traces_per_dependency()
    made._build_active_traces()
    made._build_learning_rule_appliers()
    made._init_randoms()
    if case["rounding"] == "nearest":
        made._x_random = made._y_random = made._conn_var_random = Nearest()
    elif case.get("weight_seed") is not None:
        made._conn_var_random = ConnVarRandom(case["weight_seed"])
    for name, size in {
        **dict.fromkeys(("x0", "tx", "x1", "x2"), pre),
        **dict.fromkeys(("y0", "ty", "y1", "y2", "y3"), post),
    }.items():
        setattr(made, name, np.zeros(size, bool if name in ("x0", "y0") else int))
    made.weights, made.tag_2, made.tag_1 = weight.copy(), np.zeros(weight.shape, int), np.zeros(weight.shape, int)
    return made


def run_model(case, weight, pre, post):
    """Returns w, d and t after each tick."""
    made, found = model_of(case, weight), {name: [] for name in "wdt"}
    for t, (x, y) in enumerate(zip(pre.astype(int), post.astype(bool), strict=True), 1):
        made.time_step = t
        made.s_in_bap = SimpleNamespace(recv=lambda y=y: y)
        made.recv_traces(x)
        if made.lrn_guard():
            made.run_lrn()
        for name, values in zip("wdt", (made.weights, made.tag_2, made.tag_1), strict=True):
            found[name].append(np.array(values))
    return {name: np.stack(rows) for name, rows in found.items()}


def run_processes(case, weight, pre):
    """Returns the weights after each tick, and the spikes of the neurons."""
    from lava.magma.core.learning.learning_rule import Loihi2FLearningRule
    from lava.magma.core.run_conditions import RunSteps
    from lava.magma.core.run_configs import Loihi2SimCfg
    from lava.proc.dense.process import LearningDense
    from lava.proc.io.sink import RingBuffer as Sink
    from lava.proc.io.source import RingBuffer as Source
    from lava.proc.lif.process import LIF
    from lava.utils.weightutils import SignMode

    given = case["lif"]
    source = Source(data=pre.T.astype(np.int32))
    dense = LearningDense(
        weights=weight,
        learning_rule=Loihi2FLearningRule(**case["rule"]),
        sign_mode=SignMode[case["sign"].upper()],
        num_weight_bits=8,
        weight_exp=given["weight_exp"],
    )
    lif = LIF(shape=(len(weight),), du=given["du"], dv=given["dv"], vth=given["vth"])
    sink = Sink(shape=(len(weight),), buffer=len(pre))
    source.s_out.connect(dense.s_in)
    dense.a_out.connect(lif.a_in)
    lif.s_out.connect(dense.s_in_bap)
    lif.s_out.connect(sink.a_in)
    rows = []
    for _ in pre:
        dense.run(condition=RunSteps(num_steps=1), run_cfg=Loihi2SimCfg(select_tag="fixed_pt"))
        rows.append(np.array(dense.weights.get()))
    found = {"w": np.stack(rows), "post": np.array(sink.data.get()).T}
    dense.stop()
    return found


def main(given, out):
    with np.load(given) as arrays:
        held = {name: arrays[name] for name in arrays.files}
    found = {}
    for n, case in enumerate(json.loads(str(held["cases"]))):
        weight, pre = held[f"{n}.weight"].astype(int), held[f"{n}.pre"]
        done = run_processes(case, weight, pre) if "lif" in case else run_model(case, weight, pre, held[f"{n}.post"])
        found |= {f"{n}.{name}": values for name, values in done.items()}
    np.savez(out, **found)


if __name__ == "__main__":
    main(*sys.argv[1:])
