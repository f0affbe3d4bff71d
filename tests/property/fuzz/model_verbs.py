"""Commands on learning rules, neurons of nodes, and models of other tools: ONNX, NESTML and Brian 2."""

from __future__ import annotations

import re
import sys
from functools import cache

import file_mutations
import text_mutations
from draft import Draft
from inputs import Inputs
from options import ODD, ODD_TIMES
from places import ROOT

GOLDENS = ROOT / "lit-tests"
RULES = tuple(
    path.read_text(encoding="utf-8")
    for path in (
        *sorted((ROOT / "passes" / "discretize" / "synapses").glob("*.synapse")),
        *sorted(GOLDENS.rglob("inputs/*.synapse")),
    )
)
STDP = (ROOT / "passes" / "discretize" / "synapses" / "stdp.synapse").read_text(encoding="utf-8")
ENTRIES = {
    "a_plus": "0.01",
    "a_minus": "0.012",
    "tau_plus": "0.02",
    "tau_minus": "0.02",
    "w_min": "0.0",
    "w_max": "1.0",
}
LEARNING = (
    (GOLDENS / "tools" / "inputs" / "learning.mlir")
    .read_text(encoding="utf-8")
    .replace("%x: tensor<2xf32>", "%x: tensor<2xi1>")
    .replace(": tensor<2xf32> -> tensor<2xf32>", ": tensor<2xi1> -> tensor<2xf32>")
)
"""A plastic layer `fc` [2, 2], which reads spikes, and a population `if` of 2 neurons."""
SHIPPED = re.compile(r"#nir\.stdp<[^>]*>")
LEARNERS = ("c", "c/int8", "loihi2/loihi1", "spinnaker/spinn5", "asic/mesh")
FRONTENDS = GOLDENS / "frontends" / "inputs"
NODES, CELL = (FRONTENDS / name for name in ("refractory.json", "refractory.neuron"))
NESTML = tuple(path.read_text(encoding="utf-8") for path in sorted(FRONTENDS.glob("*.nestml")))


class ModelVerbs(Inputs):
    """Drafts of commands on files that define rules, neurons or networks of other tools."""

    def rule(self, made: Draft) -> None:
        """Adds a file in the synapse language alone, or as the rule of a network that runs or is compiled."""
        text = STDP if made.is_good else made.random.choice((STDP, *RULES))
        made.files["own.synapse"] = (
            text_mutations.damaged(made.random, text, list(RULES)) if made.damages(0.6) else text.encode()
        )
        if made.chance(0.2):
            made.arguments.append("own.synapse")
            return
        entries = dict(ENTRIES)
        if made.damages(0.3):
            entries[made.random.choice((*ENTRIES, "rate", "nothing"))] = made.random.choice(
                ("-1.0", "1e300", "0.0", "true", "[]", '"x"')
            )
        if made.damages(0.1):
            del entries[made.random.choice(list(ENTRIES))]
        shown = ", ".join(f"{name} = {value}" for name, value in entries.items())
        made.files["net.mlir"] = SHIPPED.sub(f'#nir.rule<"own.synapse", {{{shown}}}>', LEARNING).encode()
        choices = ["--dt", "1ms", "--like", "norse"]
        if made.chance(0.5):
            made.arguments += ["run", "net.mlir", *choices, "--input", "poisson:0.5,ticks=5"]
            self.learning_options(made)
            return
        verb = made.random.choice(("check", "compile"))
        made.arguments += [verb, "net.mlir", *choices, "--approximate", "all"]
        made.option("--target", made.some(LEARNERS, ("asic/edge", *ODD), 0.05))
        if verb == "compile":
            made.option("--probe", made.some(("fc:weight",), ("fc:nothing", "if:weight", *ODD), 0.3))
            made.arguments += ["-o", "out"]
            made.allowed.add("out")

    def learning_options(self, made: Draft) -> None:
        made.option("--engine", made.some(("numpy",), ODD, 0.02))
        made.maybe(0.5, "--learn", "sample", "continue", odd=("off", *ODD))
        if made.chance(0.4):
            made.option("--save-weights", made.some(("w.npz",), ("w", "w.npy", "", "..", "/dev/null", "a/w.npz"), 0.2))
            made.allowed.add("w.npz")
        made.unusual(0.2, "--record", "fc.weight", "fc.x", "if.v", *ODD)

    def node(self, made: Draft) -> None:
        """Runs a network with a node that a loaded neuron file defines."""
        text, neuron = (path.read_text(encoding="utf-8") for path in (NODES, CELL))
        made.files["own.neuron"] = neuron.encode()
        made.files["net.json"] = text.encode()
        if made.damages(0.7):
            changed, others = ("own.neuron", self.material.neurons) if made.chance(0.6) else ("net.json", (text,))
            made.files[changed] = text_mutations.damaged(made.random, made.files[changed].decode(), list(others))
        made.arguments += ["run", "net.json", "--dt", "1ms", "--like", "norse", "--engine", "numpy"]
        made.option("--input", made.some(("constant:1,ticks=5", "poisson:0.5,ticks=5"), ("constant:nan", *ODD), 0.1))
        made.option("--load-node", made.some(("own.neuron",), ("no.neuron", ".", "net.json", *ODD), 0.1))

    def onnx(self, made: Draft) -> None:
        """Imports a model of ONNX, or damaged bytes of one."""
        data = onnx_models()
        model = data[0] if made.is_good else made.random.choice(data)
        made.files["model.onnx"] = (
            file_mutations.damaged(made.random, model, list(data)) if made.damages(0.8) else model
        )
        made.arguments += ["import", "model.onnx"]
        made.unusual(0.1, "--spikes", "4", "0", "-1", *ODD)
        made.unusual(0.1, "--shape", "2", "3", "0", *ODD)
        self.imported(made, (".mlir",))

    def nestml(self, made: Draft) -> None:
        """Imports a neuron of NESTML."""
        text = made.random.choice(NESTML)
        is_damaged = made.damages(0.7)
        made.files["cell.nestml"] = (
            text_mutations.damaged(made.random, text, list(NESTML)) if is_damaged else text.encode()
        )
        made.arguments += ["import", "cell.nestml"]
        made.unusual(0.2, "--ports", "kick", "kick,kick", *ODD)
        made.unusual(0.2, "--fixed", "all", "C_m", *ODD)
        made.unusual(0.2, "--set", "C_m=500", "C_m=nan", "E_L=", *ODD)
        made.unusual(0.1, "--solver", "euler", "rk4", *ODD)
        made.unusual(0.1, "--substeps", "2", "0", "99999999999", *ODD)
        self.imported(made, (".neuron",))

    def imported(self, made: Draft, suffixes: tuple[str, ...]) -> None:
        if made.chance(0.5):
            out = f"out{made.some(suffixes, ('', '.c', '.npz'), 0.1)}"
            made.option("-o", out)
            made.allowed.add(out)

    def brian(self, made: Draft) -> None:
        """Writes a network as a program for Brian 2, which needs no Brian 2."""
        _, name = self.network(made, 0.3, ("nir",))
        made.arguments += ["export", name, "--brian2"]
        made.option("--dt", made.some(("1ms",), ODD_TIMES, 0.1))
        made.option("--like", "norse")
        made.unusual(0.1, "--target", *self.keys, *ODD)
        made.option("-o", made.some(("net.py",), ("net", ".", "net.npz"), 0.1))
        made.allowed |= {"net.py", "net.npz"}


@cache
def onnx_models() -> tuple[bytes, ...]:
    """Returns the models of the goldens."""
    sys.path.insert(0, str(FRONTENDS))
    import onnx_models as models

    return tuple(make().SerializeToString() for make in models.MODELS.values())
