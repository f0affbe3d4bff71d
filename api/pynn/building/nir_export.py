"""A network of PyNN as a graph of NIR, for tools that read `.nir` files.

    IF_curr_exp   =>  CubaLIF        Projection  =>  Delay, Linear
    IF_curr_delta =>  LIF            SpikeSourceArray, SpikeSourcePoisson  =>  Input

1. Time constants are those with which forward Euler has the decays of the exact solution in ticks of the script: dt / (1 - exp(-dt / tau)). So `--like norse
   --reset value` and this `--dt` compute the same recurrences, up to rounding; gains follow likewise.
2. A projection has one delay for all synapses. Delays are those of the network in ticks (`network.py`).
3. NIR has no refractory period and no initial potential. They are left out where `approximate` names `refractory` or `initial`.

Errors: PYN007.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NoReturn

import nir
import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ....core.arrays.numeric import Reals
from ....core.diagnostics import Code, refuse
from ...modules import from_nir
from .network import Builder, neuron_name
from .records import Cells, Matrix, Net, Synapses

PYN007 = Code("PYN007", "pynn-network-without-nir", "NIR cannot represent the network of a script")


def refuse_nir(
    label: str, expected: str, found: str, help: str = 'export("net.mlir"), which has the equations'
) -> NoReturn:
    """Refuses a feature of a network that NIR lacks. Errors: PYN007."""
    refuse(PYN007, at=f'"{label}"', node=label, expected=expected, found=found, help=help)


def nir_module(net: Net, approximate: Collection[str] = ()) -> ModuleOp:
    """Returns the network in the nir dialect. Errors: PYN007."""
    nodes: dict[str, Any] = {}
    edges: list[tuple[str, str]] = []
    for source in net.sources:
        if source.has_counts:
            refuse_nir(source.label, "at most one spike of a source in a tick", "several", "use a lower rate")
        nodes[source.label] = nir.Input({"input": np.array([source.size])})
    for cells in net.cells:
        if cells.has_current:
            refuse_nir(cells.label, "a population without sources of currents", "a source of a current")
        nodes[cells.label] = nir_population(net, cells, approximate)
    sizes = {one.label: one.size for one in (*net.cells, *net.sources)}
    builder = Builder(net)
    builder.names.taken |= {*nodes, *net.output_names.values()}
    for one in net.projections:
        name = builder.names.take(one.label)
        before, ticks = one.source, common_ticks(net, builder, one)
        if ticks:
            before = builder.names.take(f"{name}.delay".replace(".", " "))
            nodes[before] = nir.Delay(np.full(sizes[one.source], ticks * net.tick_ms / 1000))
            edges.append((one.source, before))
        nodes[name] = nir.Linear(matrix(one, sizes[one.target], sizes[one.source]))
        edges += [(before, name), (name, one.target)]
    for label, name in net.output_names.items():
        nodes[name] = nir.Output({"output": np.array([sizes[label]])})
        edges.append((label, name))
    return from_nir(nir.NIRGraph(nodes, edges, type_check=False), name=net.name)


def common_ticks(net: Net, builder: Builder, one: Synapses | Matrix) -> int:
    """Returns the delay of all synapses of a projection [ticks]. Errors: PYN007."""
    if isinstance(one, Synapses) and one.rule is not None:
        refuse_nir(one.label, "StaticSynapse", "a synapse with a rule")
    ticks = np.unique(net.ticks_of(np.asarray(one.delay)) + builder.later(one.source, one.target))
    if len(ticks) > 1:
        refuse_nir(one.label, "one delay for all synapses", f"{len(ticks)} delays")
    return int(ticks[0]) if len(ticks) else 0


def matrix(one: Synapses | Matrix, targets: int, sources: int) -> Reals:
    """Returns the weights of a projection; synapses of one pair are added. Shapes: [targets, sources]."""
    if isinstance(one, Matrix):
        return one.weight.values.astype(np.float64)
    found = np.zeros((targets, sources))
    np.add.at(found, (one.post, one.pre), one.weight)
    return found


def nir_population(net: Net, cells: Cells, approximate: Collection[str]) -> Any:
    """Returns the neurons of a population. Errors: PYN007."""
    given, h = cells.parameters, net.tick_ms
    if neuron_name(cells) not in ("if_curr_exp", "if_curr_delta"):
        found = f"{cells.model} with two inputs"
        refuse_nir(cells.label, "IF_curr_delta, or IF_curr_exp with one time constant for both receptors", found)
    rest = given["v_rest"]
    leak = given["tau_m"] / given["cm"] * given["i_offset"]
    for name, differs in (
        ("refractory", (np.rint(given["tau_refrac"] / h) > 0).any()),
        ("initial", (cells.initial["v"] - rest != leak).any()),
    ):
        if differs and name not in approximate:
            what = (
                "no refractory period"
                if name == "refractory"
                else "v_rest + i_offset tau_m / cm as the initial potential"
            )
            found = f"tau_refrac of {given['tau_refrac'].max():g} ms" if name == "refractory" else "other potentials"
            refuse_nir(cells.label, what, found, f'export("net.nir", approximate=["{name}"])')
    decay = np.exp(-h / given["tau_m"])
    common = {
        "v_leak": leak,
        "v_threshold": given["v_thresh"] - rest,
        "v_reset": given["v_reset"] - rest,
    }
    tau = h / 1000 / (1 - decay)
    if cells.model == "IF_curr_delta":
        return nir.LIF(tau=tau, r=1 / (1 - decay), **common)
    kept, d = np.exp(-h / given["tau_syn_E"]), h / given["tau_m"] - h / given["tau_syn_E"]
    mean = np.where(np.abs(d) > 1e-9, np.expm1(d) / np.where(d == 0, 1.0, d), 1.0)
    gain = h / given["cm"] * decay * mean
    tau_syn = h / 1000 / (1 - kept)
    return nir.CubaLIF(tau_syn=tau_syn, tau_mem=tau, r=gain / (1 - decay), w_in=1 / (1 - kept), **common)
