"""Sets the learning rule of synapse ops.

    nir.linear "fc" %x {weight}  =>  nir.linear "fc" %x {weight, plasticity = #nir.rule<"stdp", {a_plus = 0.01, …}>}

1. A NIR file has no plasticity, so an imported network gets it from this pass. `nodes` are full names, `outer.inner` in a nested graph.
2. `rule` is a shipped rule or a file in the synapse language. The conversion to ticks checks its entries.
3. An entry is a parameter with a number, an option with its value, or a modulator with the input or node that is its signal.
4. A rule reads spikes, and a NIR file states no kind of an input. So an input that a node reads becomes spikes (`i1`), and a run refuses other data.

Errors: ANA041 an unknown rule; DIS010 a node that is not a synapse op of the network; DIS011 an entry without a value; those of the synapse language.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...analysis.learning.learning_rules import find_synapse
from ...core.diagnostics import Code, ExitCode, refuse
from ...core.ir.pipeline import NoptPass
from ...dialects import nir
from ._spike_inputs import set_spike_input
from ._synapse_nodes import find_synapses, refuse_node

DIS011 = Code(
    "DIS011", "learning-entry-invalid", "an entry of a learning rule has no value", exit_code=ExitCode.MISUSED
)


@dataclass(frozen=True)
class NirSetPlasticityPass(NoptPass):
    """Sets the plasticity of synapse ops of every `nir.graph`.

    Options:
        nodes: the synapse ops, required.
        rule: the name of a shipped rule, or a file in the synapse language, required.
        entries: parameters, options and modulators, `"NAME=VALUE,…"`; default none.
    """

    name = "nir-set-plasticity"
    defines_network = True
    nodes: tuple[str, ...]
    rule: str
    entries: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        find_synapse(self.rule, f"rule={self.rule}")  # 2
        rule = nir.RuleAttr.of(self.rule, dict(map(read_entry, filter(None, (self.entries or "").split(",")))))
        synapses = dict(find_synapses(op))
        for name in self.nodes:
            if name not in synapses:
                refuse_node(name, self.nodes, list(synapses), "set the plasticity")
        for name in self.nodes:
            synapses[name].plasticity = rule
            set_spike_input(synapses[name])  # 4


def read_entry(text: str) -> tuple[str, float | str]:  # 3
    """Returns an entry as a name and a number or a text. Errors: DIS011."""
    name, sign, value = (part.strip() for part in text.partition("="))
    if not (name and sign and value):
        refuse(DIS011, at="entries", expected="NAME=VALUE", found=text.strip(), help=f'"{name or "NAME"}=VALUE"')
    try:
        return name, float(value)
    except ValueError:
        return name, value
