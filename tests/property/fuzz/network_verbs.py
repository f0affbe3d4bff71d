"""Commands on a network: the textual driver, check, run, compile, sweep, report; and on device and neuron files."""

from __future__ import annotations

import array_mutations
from draft import Draft
from inputs import MEMORIES, RESETS, SETTINGS, Inputs
from material import EXITS, Network
from options import ODD

LIKELY_PASSES = {"nir": ("nir-", "convert-nir"), "c": ("c-",), "machine": ("machine-", "convert-machine")}
"""Prefixes of the passes of a level; those of other levels are on networks in ticks, or on the exit dialect of a target."""
AXES = ("samples,ticks,y", "ticks,samples,…", "ticks,…", "samples,ticks,…", "ticks,ticks", "…", "…,ticks", "ticks")
VARIED = (
    "weights.bits=4,8",
    "weights.bits=2,4",
    "weights.per=tensor,row",
    "state.bits=16",
    "decay.bits=8",
    "bias.bits=8,16",
    "ntensor-quantize-weights.scale=float,power-of-two",
)
"""Keys of passes that apply to most networks."""
UNUSUAL_KEYS = (
    "ntensor-fold-scale.nothing=1",
    "threshold.bits=1,64",
    "weights.bits=0,-1,65,x,1e300",
    "weights.bits=4,4",
    "core.neurons=1,64",
    "core.fan_in=0,x,64KiB",
    "topology.faulty=0,9/9",
    "neuron.bits=8",
    "synapse.bits=1,2,3",
    "core=1",
    "name=a,b",
    "nir-flatten.x=1",
    "convert-nir-to-ntensor.like=norse,sinabs",
    "fan_in=1",
)


class NetworkVerbs(Inputs):
    """Drafts of commands on networks."""

    def drive(self, made: Draft) -> None:
        network, name = self.network(made, 0.4, like=made.random.choice(self.material.networks))
        made.arguments.append(name)
        others = (
            (f"{network.device.partition('/')[0]}-",) if network.level == EXITS else ("ntensor-", "convert-ntensor")
        )
        self.passes(made, 0.7, *LIKELY_PASSES.get(network.level, others))
        if made.damages(0.2):
            made.option("--verify-equivalence", self.signal(made, network))
            self.ticks(made, network)
        flags = ("print-op-generic", "print-debuginfo", "print-ir-after-change", "print-between-passes", "timing", "statistics")  # fmt: skip
        made.arguments += [f"--{flag}" for flag in flags if made.chance(0.06)]
        unusual = ("split-input-file", "verify-diagnostics", "allow-unregistered-dialect", "disable-verify")
        made.arguments += [f"--{flag}" for flag in unusual if made.damages(0.03)]
        if made.damages(0.35):
            made.maybe(1, "-t", "mlir", "json", "nir", "c", "neuron", "reference", *self.targets)
        if made.chance(0.5):
            made.option("-o", "out")
            made.allowed.add("out")

    def check(self, made: Draft) -> None:
        network, name = self.network(made, 0.4)
        made.arguments += ["check", name]
        self.ticks(made, network)
        if made.chance(0.5) and (not made.is_good or network.device):
            self.target(made, network)
        if made.chance(0.3):
            made.option("--input", self.signal(made, network))
        made.unusual(0.05, "--axes", *AXES, *ODD)
        self.passes(made, 0 if made.is_good else 0.1)

    def run(self, made: Draft) -> None:
        network, name = self.network(made, 0.25)
        made.arguments += ["run", name]
        if made.is_good or made.chance(0.95):
            made.option("--input", self.signal(made, network))
        self.run_options(made, network)
        self.records(made, network)
        made.maybe(0.05, "--sum-order", "index", "fast")
        made.unusual(0.05, "--axes", *AXES, *ODD)
        made.unusual(0.05, "--samples", "0", "3", "-1", "99999999999", *ODD)
        made.unusual(0.03, "--model", "chip", "reference", *ODD)
        made.unusual(0.03, "--chips", "0", "3", *ODD)
        self.passes(made, 0.1)
        if made.damages(0.05):
            made.option("--report", "page.html")
            made.allowed.add("page.html")
        if made.chance(0.4):
            out = f"out{made.some(('.npz', '.csv', '.h5'), ('', '.npy', '.txt', '.NPZ'), 0.2)}"
            made.option("-o", out)
            made.allowed.add(out)

    def run_options(self, made: Draft, network: Network) -> None:
        self.ticks(made, network)
        made.option("--engine", made.some(("numpy", "numpy", "numpy", "auto", "native"), ODD, 0.02))
        made.maybe(0.15, "--ticks", "20", "1000", odd=("0", "3", "-1", "999999999999", *ODD))
        made.unusual(0.1, "--max-memory", *MEMORIES, *ODD)

    def records(self, made: Draft, network: Network) -> None:
        if made.is_good:
            return
        made.maybe(0.3, "--record", *(network.nodes or ("x",)), *(f"{node}.v" for node in network.nodes))

    def levels(self, made: Draft) -> None:
        network, name = self.network(made, 0.15)
        made.arguments += ["run", name, "--levels"]
        made.option("--input", self.signal(made, network))
        self.run_options(made, network)
        self.passes(made, 0.4 if made.is_good else 0.8)
        if made.damages(0.2):
            made.files["y.npy"] = array_mutations.damage_npy(made.random, array_mutations.npy([0]))
            made.option("--labels", "y.npy")

    def compile(self, made: Draft) -> None:
        """Compiles a network, often one that was generated for a device, sometimes into a folder with a build."""
        builds = self.material.builds
        like = made.random.choice(builds).network if made.is_good or made.chance(0.6) else None
        network, name = self.network(made, 0.25, like=like)
        made.arguments += ["compile", name]
        self.target(made, network)
        self.ticks(made, network)
        if not made.is_good:
            self.passes(made, 0.3)
        if made.is_good or made.chance(0.5):
            made.option("--calib", self.signal(made, network))
        made.unusual(0.1, "--weight-bits", "1", "8", "64", *ODD)
        made.unusual(0.1, "--state-bits", "8", "16", "64", *ODD)
        made.unusual(0.1, "--pin", "1.vth=25", "fc.weight=3,lif.k=1", "lif.k=x", "0.weight=9999", *ODD)
        made.unusual(0.3, "--until", "ntensor", "machine", *self.targets, *ODD)
        made.unusual(0.03, "--chips", "2", *ODD)
        made.unusual(0.03, "--prefer", "loss=1", "cores=1,energy=2", "loss=nan", "x=1", *ODD)
        made.unusual(0.05, "--max-loss", "agreement=0.98", "accuracy=1pt,count_error=0.02", "accuracy=1", "x=1", *ODD)
        made.unusual(0.03, "--axes", *AXES, *ODD)
        if made.damages(0.1):
            made.arguments.append("--report")
        if made.chance(0.15):
            self.build(made, "out", 0.3)
        out = made.some(("out",), ("net", "/dev/null", "..", ".", "", "out\x1b", "a/b/c"), 0.03)
        made.option("-o", out)
        made.allowed.add(out)

    def report_file(self, made: Draft) -> None:
        """Writes a page about a network."""
        network, name = self.network(made, 0.4)
        made.arguments += ["report", name]
        if made.is_good or made.chance(0.6):
            made.option("--input", self.signal(made, network))
        self.ticks(made, network)
        out = made.some(("page.html",), ("page", "page.svg", "..", "", "/dev/null", "a/b.html"), 0.06)
        made.option("-o", out)
        made.allowed.add(out)

    def reduce(self, made: Draft) -> None:
        """Reduces a network with a finding that most networks have."""
        network, name = self.network(made, 0.2, ("nir",))
        made.arguments += ["reduce", name]
        if made.is_good or made.chance(0.5):
            made.option("-p", "convert-nir-to-ntensor{dt-ns=1000000}")
            made.option("--code", made.some(("ANA020",), ("ANA036", "ABC", "COR014", *ODD), 0.2))
        else:
            self.target(made, network)
            self.ticks(made, network)
            made.option("--code", made.random.choice(self.codes) if made.chance(0.3) else made.some(("LEG020", "LEG028", "LEG015", "LEG003", "ANA020")))  # fmt: skip
        made.option("--max-steps", made.some(("3", "10"), ("0", "-1", "x", *ODD), 0.1))
        made.unusual(0.1, "--node", *network.nodes, *ODD)
        made.unusual(0.1, "--match", "no", *ODD)
        if made.chance(0.5):
            out = f"out{made.some(('.nir', '.mlir', '.json'), ('', '.c'), 0.1)}"
            made.option("-o", out)
            made.allowed.add(out)

    def sweep(self, made: Draft) -> None:
        fitting = made.chance(0.5)
        like = made.random.choice(self.material.builds).network if fitting else None
        network, name = self.network(made, 0.15, ("nir", "ntensor"), like)
        made.arguments += ["sweep", name, "-j", made.some(("1",), ODD, 0.03), "--engine", "numpy"]
        made.option("--input", self.signal(made, network))
        self.ticks(made, network)
        keys = VARIED if made.is_good else (*VARIED, *UNUSUAL_KEYS)
        for key in made.random.sample(keys, made.random.choice((1, 1, 2))):
            made.option("--vary", made.some((key,), ODD, 0.05))
        if network.device and made.chance(0.3):
            if made.damages(0.5):
                made.option("--vary", f"{self.setting(made, network.device)},2")
            made.option("--target", made.some((network.device,), ("asic/edge,c", "all,none", ",", "auto", *ODD), 0.2))
        made.maybe(0.1, "--pareto", "count_error,weight_bytes", odd=("cores", "energy_pj,core.neurons", "accuracy,,x", *ODD))  # fmt: skip
        made.unusual(
            0.1, "--goal", "agreement-0.9", "accuracy-1pt", "agreement-2", "accuracy--1pt", "count_error-nan", *ODD
        )
        made.unusual(0.1, "--minimize", "bytes", *ODD)
        made.unusual(0.05, "--scheduler", "dask=127.0.0.1", "ray", *ODD)
        made.unusual(0.05, "--labels", "x.npy", "y.npy", *ODD)
        made.unusual(0.05, "--calib", "x.npy", "poisson:0.1", *ODD)
        if not made.is_good:
            self.passes(made, 0.2)
        if made.chance(0.3):
            out = made.some(("points", "points.csv"), ("points.parquet", "points.txt", "", "/dev/null"), 0.2)
            made.option("-o", out)
            made.always |= {out, f"{out}.points.jsonl"}

    # ---- devices and neurons

    def device(self, made: Draft) -> None:
        made.arguments += ["device", made.random.choice(("check", "check", "doc"))]
        is_file = made.chance(0.8)
        made.arguments.append(self.device_file(made, 0.8) if is_file else made.some(self.keys))
        if made.damages(0.2):
            made.option("--set", self.setting(made, None) if made.chance(0.5) else made.some(SETTINGS, share=0.3))
        if made.arguments[1] == "check" and made.chance(0.6):
            made.arguments.append("--no-features")
        if made.arguments[1] == "doc" and made.chance(0.3):
            made.option("-o", "out.md")
            made.allowed.add("out.md")

    def conform(self, made: Draft) -> None:
        """Asks a device file or an installed device; few networks and questions, because most cases take seconds."""
        made.arguments.append("conform")
        is_file = made.chance(0.7)
        made.arguments.append(self.device_file(made, 0.7) if is_file else made.some(self.keys))
        questions = ("limits", "dtypes", "delays", "plasticity", "memory", "weights", "artefact")
        made.option(
            "--only", made.some(questions, ("weights,limits", "determinism", "equivalence", ",", "Limits", *ODD))
        )
        made.option("--networks", made.some(("1", "2"), ("0", "-1", "10001", "1.5", *ODD), 0.1))
        made.maybe(0.2, "--seed", "0", "7", odd=("-1", "99999999999999999999", *ODD))
        if made.damages(0.15):
            made.option("--set", self.setting(made, None) if made.chance(0.5) else made.some(SETTINGS, share=0.3))

    def neuron(self, made: Draft) -> None:
        """Adds a neuron file alone, or as the rule of a network that it rarely serves."""
        if made.is_good or made.chance(0.5):
            made.files["own.neuron"] = self.neuron_data(made, 0.8)
            made.arguments.append("own.neuron")
            made.maybe(0.3 if made.is_good else 0.7, "-t", "neuron", odd=("mlir", "json", "c"))
            self.passes(made, 0 if made.is_good else 0.1)
            return
        network, name = self.network(made, 0.0, ("nir", "ntensor"))
        made.files["net.neuron"] = self.neuron_data(made, 0.7)
        if network.level == "nir":
            made.arguments += ["run", name, "--dt", "1ms", "--like", "net.neuron", "--engine", "numpy"]
            made.option("--input", self.signal(made, network, 0.0))
            made.unusual(0.3, "--reset", *RESETS)
        else:
            made.arguments += [name, "-p", 'ntensor-set-neuron-model{to="./net.neuron"}']
