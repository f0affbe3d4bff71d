"""Commands of every verb: valid or damaged files, valid or unusual options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import array_mutations
import file_mutations
import json_mutations
import text_mutations
from material import Material, Network
from options import ODD, ODD_TIMES, PRESETS, TARGETS, TIMES, Pipelines, some

from nopt.api.catalogue import codes

FILE_NAMES = (
    "net",
    "a.b",
    "x\x1b[31mred",
    "\u202ethgir",
    "né",
    "a b",
    "-x",
    "int",
    "9net",
    "n" * 200,
    "tab\tname",
    "main",
    "new\nline",
)


@dataclass
class Draft:
    """A command under construction."""

    random: Random
    files: dict[str, bytes] = field(default_factory=dict)
    arguments: list[str] = field(default_factory=list)
    allowed: set[str] = field(default_factory=set)
    """Files that may exist in the folder after success."""
    always: set[str] = field(default_factory=set)
    """Files that may exist there after a refusal, too."""
    format: str = "text"
    standard_input: bytes = b""

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def option(self, name: str, value: str) -> None:
        """Adds an option in one of its spellings."""
        self.arguments += [f"{name}={value}"] if name.startswith("--") and self.chance(0.5) else [name, value]

    def maybe(self, share: float, name: str, *good: str, odd: tuple[str, ...] = ODD) -> None:
        if self.chance(share):
            self.option(name, some(self.random, good, odd))


class Verbs:
    """Drafts of commands over the same material."""

    def __init__(self, material: Material):
        self.material, self.pipelines = material, Pipelines()
        self.texts = [text for network in material.networks if (text := network.text) is not None]
        self.codes = codes()
        self.makers: tuple[Callable[[Draft], None], ...] = (
            self.drive, self.drive, self.drive, self.check, self.check, self.run, self.run, self.run, self.levels, self.compile,
            self.compile, self.sweep, self.compare, self.compare, self.device, self.device, self.neuron, self.build, self.small,
        )  # fmt: skip

    def draft(self, random: Random) -> tuple[Draft, str]:
        made = Draft(random)
        maker = random.choice(self.makers)
        maker(made)
        if made.chance(0.02):
            made.arguments.insert(random.randint(1, len(made.arguments)), random.choice(ODD))
        if made.chance(0.35):
            made.format = random.choice(("json", "json", "sarif"))
            made.arguments += ["--format", made.format]
        if made.chance(0.06):
            made.arguments.append("--strict")
        return made, maker.__name__

    # ---- files

    def network(self, made: Draft, damage: float = 0.5, levels: tuple[str, ...] = ()) -> tuple[Network, str]:
        """Adds a network as a file of the command; returns the network and the name of the file."""
        known = [one for one in self.material.networks if not levels or one.level in levels]
        network = made.random.choice(known)
        data = network.data
        if made.chance(damage):
            data = self.damaged(made.random, network)
        name = f"{made.random.choice(FILE_NAMES) if made.chance(0.2) else 'net'}{network.suffix}"
        if network.suffix == ".mlir" and made.chance(0.05):
            made.standard_input = data
            return network, "-"
        made.files[name] = data
        return network, f"./{name}" if name.startswith("-") else name

    def damaged(self, random: Random, network: Network) -> bytes:
        if network.suffix == ".nir":
            good = [one.data for one in self.material.networks if one.suffix == ".nir"]
            return file_mutations.damaged(random, network.data, good)
        text = network.data.decode()
        if network.suffix == ".json" and random.random() < 0.6:
            return json_mutations.damaged(random, text).encode(errors="surrogatepass")
        return text_mutations.damaged(random, text, self.texts)

    def signal(self, made: Draft, network: Network, damage: float = 0.15) -> str:
        """Adds a file with a sample for a network."""
        signals = network.signals()
        suffix = made.random.choice(sorted(signals))
        data = signals[suffix]
        if made.chance(damage):
            if suffix.endswith(".npy"):
                data = array_mutations.damage_npy(made.random, data)
            else:
                arrays = network.arrays()
                if suffix.startswith(".events"):
                    arrays = array_mutations.events(next(iter(arrays.values())))
                data = array_mutations.damage_npz(made.random, arrays)
        made.files[f"x{suffix}"] = data
        return f"x{suffix}"

    def device_file(self, made: Draft, damage: float = 0.7) -> str:
        text = made.random.choice(self.material.devices)
        if made.chance(damage):
            damaged = json_mutations.damaged(made.random, text) if made.chance(0.8) else None
            data = (
                text_mutations.damaged(made.random, text, self.material.devices)
                if damaged is None
                else damaged.encode(errors="surrogatepass")
            )
        else:
            data = text.encode()
        made.files["device.json"] = data
        for name in ("mesh", "edge"):
            if made.chance(0.5):
                made.files[f"{name}.neuron"] = self.neuron_data(made, 0.2)
        return "device.json"

    def neuron_data(self, made: Draft, damage: float) -> bytes:
        text = made.random.choice(self.material.neurons)
        return (
            text_mutations.damaged(made.random, text, self.material.neurons) if made.chance(damage) else text.encode()
        )

    # ---- options

    def ticks(self, made: Draft, network: Network) -> None:
        """Adds the choices that a network in continuous time leaves open."""
        if network.level == "nir" or made.chance(0.05):
            if made.chance(0.95):
                made.option("--dt", some(made.random, TIMES, (*ODD_TIMES, *ODD), 0.08))
            if made.chance(0.95):
                if made.chance(0.1):
                    made.files["own.neuron"] = self.neuron_data(made, 0.6)
                    made.option("--like", "own.neuron")
                else:
                    made.option("--like", some(made.random, PRESETS, ODD, 0.04))
            made.maybe(0.15, "--reset", "zero", "subtract", "value")
            made.maybe(0.05, "--loop-delay", "spikes", "current")
            made.maybe(0.05, "--loop-delay-at", "rec->lif", "lif->rec")
            for name in ("--synapse-delay", "--neuron-delay", "--output-delay"):
                made.maybe(0.04, name, "0", "1", "3")
            made.maybe(0.1, "--precision", "f32", "f64")
            made.maybe(0.05, "--options", "reset=zero", "shift=floor")
            made.maybe(0.05, "--options-at", "lif.reset=zero", "lif.reset=half", "reset=zero")
        made.maybe(0.05, "--limit", "nodes=10", "bytes=1000000", "seconds=2", "depth=3")

    def passes(self, made: Draft, share: float, *levels: str) -> None:
        if made.chance(share):
            made.option("-p", self.pipelines.pipeline(made.random, levels or ("ntensor-",)))
            if "x.npy" in made.arguments[-1]:
                made.files.setdefault("x.npy", self.material.networks[0].signals()[".npy"])

    def target(self, made: Draft) -> None:
        if made.chance(0.35):
            made.option("--device", self.device_file(made, 0.5))
        else:
            made.option("--target", some(made.random, TARGETS, ODD, 0.05))
        made.maybe(
            0.15,
            "--set",
            "core.neurons=64",
            "cores=3",
            "topology.cores=2",
            "c.prefix=tiny",
            "c.prefix=int",
            "neuron.bits=1e300",
            "name=x",
        )

    # ---- verbs

    def drive(self, made: Draft) -> None:
        network, name = self.network(made, 0.4)
        made.arguments.append(name)
        like = {"nir": ("nir-", "convert-nir"), "c": ("c-",), "machine": ("machine-", "convert-machine")}.get(
            network.level, ("ntensor-", "convert-ntensor")
        )
        self.passes(made, 0.7, *like)
        if made.chance(0.2):
            made.option("--verify-equivalence", self.signal(made, network))
            self.ticks(made, network)
        for flag in (
            "print-op-generic",
            "print-debuginfo",
            "print-ir-after-change",
            "print-between-passes",
            "timing",
            "statistics",
        ):
            if made.chance(0.06):
                made.arguments.append(f"--{flag}")
        for flag in ("split-input-file", "verify-diagnostics", "allow-unregistered-dialect", "disable-verify"):
            if made.chance(0.03):
                made.arguments.append(f"--{flag}")
        made.maybe(0.35, "-t", "mlir", "json", "nir", "c", "neuron", "reference", "asic")
        if made.chance(0.5):
            made.option("-o", "out")
            made.allowed.add("out")

    def check(self, made: Draft) -> None:
        network, name = self.network(made, 0.4)
        made.arguments += ["check", name]
        self.ticks(made, network)
        if made.chance(0.5):
            self.target(made)
        if made.chance(0.3):
            made.option("--input", self.signal(made, network))
        self.passes(made, 0.1)

    def run(self, made: Draft) -> None:
        network, name = self.network(made, 0.25)
        made.arguments += ["run", name]
        if made.chance(0.95):
            made.option("--input", self.signal(made, network))
        self.run_options(made, network)
        made.maybe(0.3, "--record", *(network.nodes or ("x",)), *(f"{node}.v" for node in network.nodes))
        made.maybe(0.05, "--sum-order", "index", "fast")
        self.passes(made, 0.1)
        if made.chance(0.4):
            made.option("-o", "out.npz")
            made.allowed.add("out.npz")

    def run_options(self, made: Draft, network: Network) -> None:
        self.ticks(made, network)
        made.option("--engine", some(made.random, ("numpy", "numpy", "numpy", "auto", "native"), ODD, 0.02))
        made.maybe(0.15, "--ticks", "0", "3", "20", "1000", "-1", "999999999999")

    def levels(self, made: Draft) -> None:
        network, name = self.network(made, 0.15)
        made.arguments += ["run", name, "--levels"]
        made.option("--input", self.signal(made, network))
        self.run_options(made, network)
        self.passes(made, 0.8)
        if made.chance(0.2):
            made.files["y.npy"] = array_mutations.damage_npy(made.random, array_mutations.npy([0]))
            made.option("--labels", "y.npy")

    def compile(self, made: Draft) -> None:
        network, name = self.network(made, 0.25)
        made.arguments += ["compile", name]
        self.target(made)
        self.ticks(made, network)
        self.passes(made, 0.3)
        if made.chance(0.3):
            made.option("--calib", self.signal(made, network))
        made.maybe(0.1, "--weight-bits", "1", "8", "64")
        made.maybe(0.1, "--state-bits", "8", "16", "64")
        made.maybe(0.1, "--pin", "1.vth=25", "fc.weight=3,lif.k=1", "lif.k=x", "0.weight=9999")
        made.maybe(0.4, "--until", "ntensor", "machine")
        made.option("-o", "out")
        made.allowed.add("out")

    def sweep(self, made: Draft) -> None:
        network, name = self.network(made, 0.15)
        made.arguments += ["sweep", name, "-j", some(made.random, ("1",), ODD, 0.03), "--engine", "numpy"]
        made.option("--input", self.signal(made, network))
        self.ticks(made, network)
        for _ in range(made.random.choice((1, 1, 2))):
            keys = (
                "weights.bits=4,8",
                "weights.per=tensor,row",
                "state.bits=16",
                "decay.bits=8",
                "ntensor-fold-scale.nothing=1",
                "threshold.bits=1,64",
                "core.neurons=1,64",
                "core.fan_in=0,x,64KiB",
                "topology.faulty=0,9/9",
                "fan_in=1",
            )
            made.maybe(0.95, "--vary", *keys)
        made.maybe(0.3, "--target", "asic/edge", "c", "asic/edge,c", "all,none", ",")
        made.maybe(0.1, "--pareto", "cores", "energy_pj,core.neurons", "accuracy,,x")
        made.maybe(0.05, "--scheduler", "dask=127.0.0.1", "ray", *ODD)
        self.passes(made, 0.2)
        if made.chance(0.3):
            made.option("-o", "points")
            made.always.add("points")

    def compare(self, made: Draft) -> None:
        network = made.random.choice(self.material.networks)
        names: list[str] = []
        for side in "ab":
            name = self.signal(made, network, 0.5)
            names.append(f"{side}{name[1:]}")
            made.files[names[-1]] = made.files.pop(name)
        made.arguments += ["compare", *names]
        made.maybe(0.2, "--tolerance", "0", "1e-6", "1")
        made.maybe(0.3, "--shift", "0", "auto", "2", "-3", "100000")
        made.maybe(0.2, "--samples", "yes", "no")

    def device(self, made: Draft) -> None:
        made.arguments += ["device", made.random.choice(("check", "check", "doc"))]
        made.arguments.append(self.device_file(made, 0.9) if made.chance(0.9) else some(made.random, TARGETS))
        made.maybe(
            0.15,
            "--set",
            "core.neurons=64",
            "topology.cores=2",
            "core.neurons=1e300",
            "summary=x\x1b[31m",
            "core.synapses=-1",
        )
        if made.arguments[1] == "doc" and made.chance(0.3):
            made.option("-o", "out.md")
            made.allowed.add("out.md")

    def neuron(self, made: Draft) -> None:
        """Adds a neuron file alone, or as the rule of a network."""
        if made.chance(0.5):
            made.files["own.neuron"] = self.neuron_data(made, 0.8)
            made.arguments.append("own.neuron")
            made.maybe(0.7, "-t", "neuron", "mlir", "json", "c")
            self.passes(made, 0.1)
            return
        network, name = self.network(made, 0.0, ("nir", "ntensor"))
        made.files["net.neuron"] = self.neuron_data(made, 0.7)
        if network.level == "nir":
            made.arguments += ["run", name, "--dt", "1ms", "--like", "net.neuron", "--engine", "numpy"]
            made.option("--input", self.signal(made, network, 0.0))
        else:
            made.arguments += [name, "-p", 'ntensor-convert-updates{to="./net.neuron"}']

    def build(self, made: Draft) -> None:
        """Adds a folder that `nopt compile` wrote, damaged in one file."""
        files = dict(made.random.choice(self.material.builds))
        name = made.random.choice(sorted(files))
        data = files[name]
        match made.random.randrange(4):
            case 0:
                del files[name]
            case 1 if name.endswith(".json"):
                files[name] = json_mutations.damaged(made.random, data.decode()).encode(errors="surrogatepass")
            case 1 | 2 if name.endswith((".json", ".mlir")):
                files[name] = text_mutations.damaged(made.random, data.decode(), self.texts)
            case _:
                files[name] = made.random.choice(file_mutations.BYTES)(made.random, data) if data else b"x"
        made.files |= {f"made/{name}": data for name, data in files.items()}
        made.arguments += ["run", "made", "--input", self.signal(made, self.material.networks[0], 0.1)]
        made.maybe(0.3, "--model", "chip", "reference")

    def small(self, made: Draft) -> None:
        """Adds verbs without input files."""
        match made.random.randrange(6):
            case 0:
                made.arguments += ["explain", some(made.random, self.codes, (*ODD, "NIR9", "nir002"), 0.5)]
            case 1:
                made.arguments += [
                    "targets",
                    some(made.random, TARGETS, ODD, 0.5),
                    *(["--matrix"] if made.chance(0.3) else []),
                ]
            case 2:
                made.arguments += ["passes", some(made.random, list(self.pipelines.passes), ODD, 0.5)]
            case 3:
                made.arguments += ["new", "device", some(made.random, ("chip",), ODD, 0.7), "--at", "made"]
                made.allowed.add("made")
            case 4:
                made.arguments += [
                    made.random.choice(("engines", "passes", "targets")),
                    *([made.random.choice(ODD)] if made.chance(0.2) else []),
                ]
            case _:
                made.arguments += [
                    made.random.choice(("", "run", "check", "compare", "sweep", "device", "nothing", *ODD)),
                    made.random.choice(ODD),
                ]
