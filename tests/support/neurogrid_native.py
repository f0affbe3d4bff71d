"""Networks of the chip's own neuron, with all four synapse populations, as text."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from places import ROOT
from xdsl.dialects.builtin import ModuleOp, f64

from nopt.core.ir.context import NoptContext
from nopt.core.ir.source import format_module
from nopt.core.neuron.neuron import parse_neurons
from nopt.dialects.equations.build import shared_update
from nopt.simulation.update import derive

DEVICES = ROOT / "targets" / "neurogrid" / "devices"
INPUTS = ("excitatory", "inhibitory", "excitatory_2", "inhibitory_2")
SYNAPSES = ("exc", "inh", "exc_2", "inh_2")
PARAMETERS = {
    "tau_s": 0.02, "tau_k": 0.05, "tau_d": 0.004, "i_in": 0.3, "g_inf": 0.8, "g_res": 3.0, "v_reset": -0.5, "t_res": 0.003,
    "tau_exc": 0.005, "e_exc": 8.0, "sat_exc": 2.5, "rise_exc": 0.0008,
    "tau_inh": 0.01, "e_inh": -3.0, "sat_inh": 0.5, "rise_inh": 0.0012,
    "tau_exc_2": 0.03, "e_exc_2": 6.0, "sat_exc_2": 1.0, "rise_exc_2": 0.002,
    "tau_inh_2": 0.002, "e_inh_2": -1.0, "sat_inh_2": 0.9, "rise_inh_2": 0.0004,
}  # fmt: skip
"""Parameters of the direct neuron; times in seconds."""


def native_network(dt_ns: int, neurons: int = 1, given: Mapping[str, float] = PARAMETERS) -> str:
    """Returns a network whose neurons have four inputs, one for each synapse population: entry 4 n + k is population k of neuron n.

    An event of the input arrives in the next tick.
    """
    text = (DEVICES / "neurogrid.neuron").read_text(encoding="utf-8")
    rule = next(one for one in parse_neurons(text, "neurogrid.neuron").neurons if one.name == "neurogrid_soma")
    update = shared_update(rule, options={}, precision=f64).clone()
    raw = {name: np.asarray(value) for name, value in given.items()}
    derived = derive(update, dt_ns / 1e9, raw)

    def number(name: str, value: float) -> str:
        is_whole = name in ("lasts", "wait")
        return f"{name} = #nopt.array<{int(value)} : tensor<i64>>" if is_whole else f"{name} = {real(value)}"

    params = ", ".join(number(name, float(derived[name])) for name in update.param_types)
    states = ", ".join(number(name, 0.0) for name in update.state_types)
    kind, result = f"tensor<{4 * neurons}xi1>", f"tensor<{neurons}xi8>"
    lines = [f'  %late = ntensor.delay "late" %x {{ticks = #nopt.array<1 : tensor<i64>>}} : {kind}']
    for k, name in enumerate(INPUTS):
        arrays = {"source": 4 * np.arange(neurons) + k, "target": np.arange(neurons)}
        places = ", ".join(f"{key} = {whole(one)}" for key, one in arrays.items())
        weight = f"#nopt.array<{[1] * neurons} : tensor<{neurons}xi8>>"
        lines.append(
            f'  %{name} = ntensor.sparse_linear "{name}" %late {{weight = {weight}, {places}}} : {kind} -> {result}'
        )
    operands = ", ".join(f"%{name}" for name in INPUTS)
    types = ", ".join([result] * 4)
    lines.append(
        f'  %z = ntensor.neuron "soma" @{update.sym_name.data}({operands}) {{params = {{{params}}}, initial = {{{states}}}}} '
        f": ({types}) -> tensor<{neurons}xi1>"
    )
    lines.append(f"  ntensor.output %z : tensor<{neurons}xi1>")
    head = f'ntensor.network @native("x" %x: {kind}) -> ("y": tensor<{neurons}xi1>) attributes {{tick_ns = {dt_ns}}} {{'
    module = format_module(NoptContext(), ModuleOp([update]))
    return "\n".join([inner(module), head, *lines, "}"])


def inner(text: str) -> str:
    """Returns the ops of a module."""
    return text[text.index("{") + 1 : text.rindex("}")] if text.startswith("builtin.module") else text


def real(value: float) -> str:
    return f'#nopt.array<"0x{np.float64(value).tobytes().hex()}" : tensor<f64>>'


def whole(values: np.ndarray) -> str:
    return f"#nopt.array<{values.tolist()} : tensor<{len(values)}xi32>>"
