"""Inputs of commands: networks at every level with matching inputs, networks and builds of every device, device files, neuron files, outputs of runs."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from array_mutations import csv_of, events, npy, npz
from numpy.typing import NDArray
from places import ROOT
from seeds import LARGEST, generated

import nopt.api as nopt
from nopt.api.conformance.conform import devices_of
from nopt.api.conformance.subject import Subject
from nopt.api.modules import only_network
from nopt.core import registry
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.core.ir.operation import shape_of
from nopt.dialects import ntensor
from nopt.simulation.nir_data import write_nir_data
from nopt.tools.main import main

TICKS, TICK_NS = 12, 1_000_000
LEVELS = {
    "ntensor": "convert-nir-to-ntensor{dt-ns=1000000 like=norse}",
    "f32": "convert-nir-to-ntensor{dt-ns=1000000 like=snntorch reset=zero precision=f32}",
    "quantized": "convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=4}",
    "integers": "convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=8 per=tensor}",
    "c": "convert-nir-to-ntensor{dt-ns=1000000 like=norse},convert-ntensor-to-c",
}
"""Texts of a network after some passes."""
DRAWN = 3
"""Generated networks that are tried for a device."""
EXITS = "exit"
"""The level of the IR of a build at which its artefact is written; `machine` is the level before it."""


@dataclass(frozen=True)
class Network:
    """A network at one level."""

    level: str
    suffix: str
    data: bytes
    nodes: tuple[str, ...]
    inputs: tuple[tuple[str, tuple[int, ...]], ...]
    device: str = ""
    """A device that it fits on, if it was generated for one."""

    @property
    def text(self) -> str | None:
        """Returns the network as text, if it is text."""
        return None if self.suffix == ".nir" else self.data.decode()

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Returns one sample for each input."""
        made: dict[str, NDArray[Any]] = {}
        for number, (name, shape) in enumerate(self.inputs):
            size = TICKS * int(np.prod(shape, dtype=np.int64))
            made[name] = (np.arange(size) % (3 + number) == 0).reshape(TICKS, *shape)
        return made

    @cached_property
    def data_file(self) -> bytes:
        """Returns the same sample as a data file of the `nir` package."""
        arrays = self.arrays()
        return write_nir_data(arrays, [*arrays], TICK_NS, has_samples=False)

    def signals(self) -> dict[str, bytes]:
        """Returns the same sample in every form of an input, by the suffix of its file."""
        arrays = self.arrays()
        found = {".npz": npz(arrays), ".csv": csv_of(arrays), ".h5": self.data_file}
        if len(arrays) == 1:
            (array,) = arrays.values()
            found |= {
                ".npy": npy(array),
                ".events.npz": npz(events(array)),
                ".samples.npy": npy(np.stack([array, array])),
            }
        else:
            found[".events.npz"] = npz(
                {f"{name}/{key}": v for name, a in arrays.items() for key, v in events(a).items()}
            )
        return found


@dataclass(frozen=True)
class DeviceFile:
    """A device file with the files that it names."""

    text: str
    others: tuple[tuple[str, bytes], ...]
    key: str
    """`TARGET/DEVICE` of an installed device."""


@dataclass(frozen=True)
class Build:
    """A compiled folder with its network."""

    files: dict[str, bytes]
    """Contents by their paths in the folder."""
    network: Network
    device: str


@dataclass(frozen=True)
class Material:
    """Good files by kind."""

    networks: tuple[Network, ...]
    devices: tuple[DeviceFile, ...]
    neurons: tuple[str, ...]
    builds: tuple[Build, ...]
    outputs: tuple[tuple[str, bytes], ...]
    """Files that `nopt run` writes, with their suffixes."""


def material(targets: Collection[str] | None = None) -> Material:
    """Returns all material, in a fixed order; builds only for some targets if they are given."""
    paths = sorted((ROOT / "examples").rglob("*.nir"))
    files = [*generated(), *(data for path in paths if len(data := path.read_bytes()) <= LARGEST)]
    networks: list[Network] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "net.nir"
        for data in files:
            file.write_bytes(data)
            networks += levels(file)
        fitting = [*networks_of_devices(targets)]
        builds = [build for number, one in enumerate(fitting) for build in compiled(one, folder / str(number))]
        outputs = [*outputs_of_runs(folder)]
        networks += [one for number in range(len(fitting)) for one in at_exits(fitting[number], folder / str(number))]
    rooms = [ROOT / room for room in ("targets", "passes", "examples", "lit-tests")]
    devices = [device_file(path) for room in rooms for path in sorted(room.rglob("*.json")) if is_device(path)]
    neurons = [
        path.read_text(encoding="utf-8", errors="replace") for room in rooms for path in sorted(room.rglob("*.neuron"))
    ]
    return Material(tuple(networks + fitting), tuple(devices), tuple(neurons), tuple(builds), tuple(outputs))


def levels(file: Path) -> list[Network]:
    """Returns a `.nir` file, and its network at each reachable level."""
    module = nopt.read(file, diagnostics=Diagnostics())
    found: list[Network] = []
    try:
        ticked = nopt.apply(module.clone(), LEVELS["ntensor"], diagnostics=Diagnostics())
    except Refused:
        return []
    like = described(only_network(ticked))

    def add(level: str, suffix: str, data: bytes) -> None:
        if len(data) <= LARGEST:
            found.append(replace(like, level=level, suffix=suffix, data=data))

    add("nir", ".nir", file.read_bytes())
    for format in ("mlir", "json"):
        text = nopt.write(module, format=format, diagnostics=Diagnostics())
        add("nir", f".{format}", text if isinstance(text, bytes) else text.encode())
    for level, pipeline in LEVELS.items():
        try:
            made = nopt.apply(module.clone(), pipeline, diagnostics=Diagnostics())
        except Refused:
            continue
        add(level, ".mlir", nopt.write(made).encode())
    return found


def described(network: ntensor.NetworkOp) -> Network:
    """Returns the nodes and inputs of a network in ticks, without its text."""
    nodes = tuple(str(op.properties["node"].data) for op in network.body.block.ops if "node" in op.properties)
    inputs = tuple(
        (name.data, shape_of(value)) for name, value in zip(network.input_names, network.body.block.args, strict=True)
    )
    return Network("ntensor", ".mlir", b"", nodes, inputs)


def networks_of_devices(targets: Collection[str] | None) -> Iterator[Network]:
    """Yields the shortest of some generated networks that fit on each device; for the reference, none."""
    for slug in registry.targets() if targets is None else targets:
        try:
            devices = devices_of(slug, [])
        except Refused:  # a target without a pipeline
            continue
        for device in devices:
            fitting = Subject(device, DRAWN, 0).fitting
            texts = [(nopt.write(one.drawn.module), one.drawn.network) for one in fitting]
            if texts:
                text, network = min(texts, key=lambda one: len(one[0]))
                yield replace(described(network), data=text.encode(), device=device.key)


def compiled(network: Network, folder: Path) -> list[Build]:
    """Returns the folder that `nopt compile` writes for a network and its device."""
    folder.mkdir()
    file, sample, out = folder / "net.mlir", folder / "x.npz", folder / "out"
    file.write_bytes(network.data)
    sample.write_bytes(network.signals()[".npz"])
    for calib in (None, str(sample)):  # some devices need a calibration
        try:
            nopt.compile(str(file), out=str(out), target=network.device, calib=calib, diagnostics=Diagnostics())
        except Refused:
            continue
        files = {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}
        return [Build(files, network, network.device)]
    return []


def at_exits(network: Network, folder: Path) -> Iterator[Network]:
    """Yields the IR of a build in the machine graph and the exit dialect, if it is short."""
    texts = sorted((folder / "out" / "ir").glob("*.mlir"))
    machine = [path for path in texts if "machine" in path.name]
    for level, path in [("machine", path) for path in machine[:1]] + [(EXITS, path) for path in texts[-1:]]:
        module = nopt.read(path, arrays=path.parent / "arrays", diagnostics=Diagnostics())
        data = nopt.write(module).encode()
        if len(data) <= LARGEST:
            yield replace(network, level=level, data=data)


def outputs_of_runs(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yields the output of a run with a state in each format."""
    bars = ROOT / "examples" / "bars"
    words = ["--dt", "1ms", "--like", "sinabs", "--record", "voters.v", "--engine", "numpy", "--quiet", "--no-config"]
    for suffix in (".npz", ".h5", ".csv"):
        out = folder / f"run{suffix}"
        code = main(["run", str(bars / "bars.nir"), "--input", str(bars / "input.npy"), *words, "-o", str(out)])
        assert code == 0, suffix
        yield suffix, out.read_bytes()


def is_device(path: Path) -> bool:
    return '"nopt.device/' in path.read_text(encoding="utf-8", errors="replace")


def device_file(path: Path) -> DeviceFile:
    """Returns a device file with the neuron files of its folder and the device files that it extends."""
    text = path.read_text(encoding="utf-8")
    others = {other.name: other.read_bytes() for other in sorted(path.parent.glob("*.neuron"))}
    extended = extended_file(path)
    while extended is not None and extended.name not in others:
        others[extended.name] = extended.read_bytes()
        extended = extended_file(extended)
    is_installed = path.is_relative_to(ROOT / "targets")
    key = f"{path.parent.parent.name}/{path.stem}" if is_installed else ""
    return DeviceFile(text, tuple(others.items()), key)


def extended_file(path: Path) -> Path | None:
    try:
        name = json.loads(path.read_text(encoding="utf-8")).get("extends")
    except ValueError:
        return None
    other = path.parent / f"{name}.json"
    return other if isinstance(name, str) and other.is_file() else None
