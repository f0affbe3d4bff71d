"""Files and options of commands: networks, signals, device files, neuron files, builds; good ones, or damaged ones."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import array_mutations
import file_mutations
import json_mutations
import text_mutations
from draft import Draft
from material import Build, DeviceFile, Material, Network
from options import ODD, ODD_TIMES, PRESETS, TARGETS, TIMES, Pipelines
from schema_mutations import Documents

from nopt.api.catalogue.listing import codes
from nopt.core.device.schema import schema

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
RUNNABLE = ("nir", "ntensor", "f32", "quantized", "integers")
"""Levels of networks that every verb takes."""
MEMORIES = ("64KiB", "1MiB", "1GiB", "2TB")
LIMITS = ("nodes=1000", "bytes=1000000", "seconds=60", "depth=10")
SMALL_LIMITS = ("nodes=2", "bytes=10", "entries=1", "depth=0", "seconds=0", "nothing=1", "nodes=-1", "nodes=1e9")
RESETS = ("value", "zero", "subtract")
SETTINGS = ("core.neurons=64", "topology.cores=2", "core.neurons=1e300", "summary=x\x1b[31m", "core.synapses=-1", "cores=3", "c.prefix=tiny")  # fmt: skip
NOT_QUANTITIES = ("sources", "layouts", "fallbacks")


class Inputs:
    """Good files and options over the same material."""

    def __init__(self, material: Material):
        self.material, self.pipelines = material, Pipelines()
        self.texts = [text for network in material.networks if (text := network.text) is not None]
        self.codes = codes()
        self.device_texts = [one.text for one in material.devices]
        good = [document for text in self.device_texts if (document := read_json(text)) is not None]
        self.documents = Documents(schema(), good)
        self.keys = sorted({build.device for build in material.builds})
        self.targets = sorted({key.partition("/")[0] for key in self.keys})
        self.installed = {one.key: one for one in material.devices if one.key}

    # ---- files

    def network(
        self, made: Draft, damage: float = 0.5, levels: tuple[str, ...] = (), like: Network | None = None
    ) -> tuple[Network, str]:
        """Adds a network as a file of the command; returns the network and the name of the file."""
        wanted = levels or (RUNNABLE if made.is_good else ())
        known = [one for one in self.material.networks if not wanted or one.level in wanted]
        network = like or made.random.choice(known)
        data = network.data
        if made.damages(damage):
            data = self.damaged(made.random, network)
        name = f"{made.random.choice(FILE_NAMES) if made.damages(0.2) else 'net'}{network.suffix}"
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
        """Adds a file with a sample for a network, or returns the words of a generated input."""
        if made.chance(0.1):
            return made.some(("poisson:0.1", "constant:1", "zeros", "poisson:0.5,ticks=5,samples=2"), ("poisson:", "poisson:9", "poisson:0.1,ticks=0", "constant:nan", "zeros,x=1", "poisson:0.1,seed=-1,samples=99999999"), 0.3)  # fmt: skip
        signals = network.signals()
        suffix = made.random.choice(sorted(signals))
        data = signals[suffix]
        if made.damages(damage):
            arrays = network.arrays()
            if suffix.endswith(".npy"):
                data = array_mutations.damage_npy(made.random, data)
            elif suffix == ".h5":
                data = file_mutations.damaged(made.random, data, [data])
            elif suffix == ".csv":
                data = text_mutations.damaged(made.random, data.decode(), [data.decode()])
            else:
                if suffix.startswith(".events"):
                    arrays = array_mutations.events(next(iter(arrays.values())))
                data = array_mutations.damage_npz(made.random, arrays)
        name = f"x{suffix}" if not made.damages(0.02) else f"x{made.random.choice(('.npy', '.csv', '.h5', '.txt', ''))}"
        made.files[name] = data
        return name

    def device_file(self, made: Draft, damage: float = 0.7, like: DeviceFile | None = None) -> str:
        """Adds a device file with the files that it names; damage follows the schema, or does not."""
        known = [*self.installed.values()] if made.is_good else self.material.devices
        chosen = like or made.random.choice(known)
        made.files["device.json"] = chosen.text.encode()
        made.files |= dict(chosen.others)
        if made.damages(damage):
            made.files["device.json"] = self.damaged_device(made.random, chosen.text)
        if chosen.others and made.damages(0.1):
            name, data = made.random.choice(chosen.others)
            texts = self.material.neurons if name.endswith(".neuron") else self.device_texts
            made.files[name] = text_mutations.damaged(made.random, data.decode(), texts)
        return "device.json"

    def damaged_device(self, random: Random, text: str) -> bytes:
        if random.random() < 0.15 or read_json(text) is None:
            return text_mutations.damaged(random, text, self.device_texts)
        damage = self.documents.damaged if random.random() < 0.6 else json_mutations.damaged
        return damage(random, text).encode(errors="surrogatepass")

    def neuron_data(self, made: Draft, damage: float) -> bytes:
        text = made.random.choice(self.material.neurons)
        return (
            text_mutations.damaged(made.random, text, self.material.neurons) if made.damages(damage) else text.encode()
        )

    def build(self, made: Draft, folder: str, damage: float, like: Build | None = None) -> Build:
        """Adds a folder that `nopt compile` wrote, with damage in one file."""
        build = like or made.random.choice(self.material.builds)
        files = dict(build.files)
        if made.damages(damage):
            records = [name for name in files if name.endswith(".json") and "/" not in name]
            name = made.random.choice(records if made.chance(0.7) else sorted(files))
            self.damage_member(made.random, files, name)
        made.files |= {f"{folder}/{name}": data for name, data in files.items()}
        return build

    def damage_member(self, random: Random, files: dict[str, bytes], name: str) -> None:
        """Damages a file of a folder by its kind, or removes it."""
        data = files[name]
        match random.randrange(8):
            case 0:
                del files[name]
            case 1 | 2 | 3 | 4 if name.endswith(".json"):
                files[name] = json_mutations.damaged(random, data.decode()).encode(errors="surrogatepass")
            case 1 | 2 | 3 | 4 | 5 if name.endswith((".json", ".mlir")):
                files[name] = text_mutations.damaged(random, data.decode(), self.texts)
            case 1 | 2 | 3 if name.endswith(".npy"):
                files[name] = array_mutations.damage_npy(random, data)
            case _:
                files[name] = random.choice(file_mutations.BYTES)(random, data) if data else b"x"

    # ---- options

    def ticks(self, made: Draft, network: Network) -> None:
        """Adds the choices that a network in continuous time leaves open."""
        is_open = network.level == "nir"
        if is_open or made.damages(0.05):
            if made.is_good or made.chance(0.95):
                made.option("--dt", made.some(("1ms",) if made.is_good else TIMES, (*ODD_TIMES, *ODD), 0.08))
            if made.is_good or made.chance(0.95):
                if made.damages(0.1):
                    made.files["own.neuron"] = self.neuron_data(made, 0.6)
                    made.option("--like", "own.neuron")
                else:
                    made.option("--like", made.some(("norse",) if made.is_good else PRESETS, ODD, 0.04))
            made.maybe(0.15, "--reset", "value") if made.is_good else made.maybe(0.15, "--reset", *RESETS)
            made.unusual(0.05, "--loop-delay", "spikes", "current", *ODD)
            made.unusual(0.05, "--loop-delay-at", "rec->lif", "lif->rec", *ODD)
            for name in ("--synapse-delay", "--neuron-delay", "--output-delay"):
                made.maybe(0.04, name, "0", "1", "3")
            made.maybe(0.1, "--precision", "f32", "f64")
            made.unusual(0.05, "--options", "reset=zero", "shift=floor", *ODD)
            made.unusual(0.05, "--rate-window", "4", *ODD)
            made.unusual(0.05, "--exported-by", "snntorch", "norse@1.1.0", "sinabs@9", "nothing", *ODD)
            if network.nodes and made.chance(0.08):
                node = made.random.choice(network.nodes)
                made.option("--options-at", made.some((f"{node}.reset=value",), (f"{node}.reset=zero", "lif.reset=half", "reset=zero", "a.b.c=1,d.e=", f"{node}.reset=zero,{node}.reset=subtract", *ODD), 0.5))  # fmt: skip
        made.maybe(0.05, "--limit", *LIMITS, odd=(*SMALL_LIMITS, *ODD))

    def passes(self, made: Draft, share: float, *levels: str) -> None:
        """Adds passes of some levels; those of a good draft have no options, so that most of them apply."""
        if not made.chance(share):
            return
        pipeline = self.pipelines.safe if made.is_good else self.pipelines.pipeline
        made.option("-p", pipeline(made.random, levels or ("ntensor-",)))
        if "x.npy" in made.arguments[-1]:
            made.files.setdefault("x.npy", self.material.networks[0].signals()[".npy"])

    def target(self, made: Draft, network: Network) -> None:
        """Adds a target or device file, mostly the one that the network was generated for."""
        key = network.device if network.device and (made.is_good or made.chance(0.7)) else None
        if made.chance(0.35):
            like = self.installed[key or "c/generic"] if made.is_good else self.installed.get(key or "")
            made.option("--device", self.device_file(made, 0.6, like))
        else:
            made.option("--target", made.some((key or "c/generic",) if made.is_good or key else [*self.keys, *TARGETS], ODD, 0.05))  # fmt: skip
        if made.damages(0.2):
            made.option("--set", self.setting(made, key) if made.chance(0.7) else made.some(SETTINGS, share=0.3))
        made.unusual(0.1, "--max-memory", *MEMORIES, *ODD)

    def setting(self, made: Draft, key: str | None) -> str:
        """Returns `FIELD=VALUE` for a field that the device has, with a value that its schema allows."""
        device = self.installed.get(key or "") or made.random.choice([*self.installed.values()])
        document = read_json(device.text)
        fields = sorted(fields_of(document), key=str)
        field, old = made.random.choice(fields) if fields else ("core.neurons", 4)
        value = made.random.choice((1, 2, 3, old, 64, 10**6)) if isinstance(old, int) else old
        return f"{field}={value}"


def fields_of(document: Any, path: str = "") -> list[tuple[str, Any]]:
    """Returns the quantities of a device file by the paths that `--set` takes."""
    if not isinstance(document, dict):
        return []
    if "value" in document and path:
        return [(path, document["value"])] if isinstance(document["value"], int | float | str) else []
    found: list[tuple[str, Any]] = []
    for name, inner in document.items():
        if path or name not in NOT_QUANTITIES:
            found += fields_of(inner, f"{path}.{name}" if path else name)
    return [(name, value) for name, value in found if not isinstance(value, bool)]


def read_json(text: str) -> Any:
    """Returns a document; None if the text is not JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return None
