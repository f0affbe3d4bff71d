"""Inputs of commands: networks at every level with matching inputs, device files, neuron files, compiled folders."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from array_mutations import events, npy, npz
from seeds import LARGEST, ROOT, generated

import nopt.api as nopt
from nopt.api.execution import only_network
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.core.ir.operation import shape_of

TICKS = 12
LEVELS = {
    "ntensor": "convert-nir-to-ntensor{dt-ns=1000000 like=norse}",
    "f32": "convert-nir-to-ntensor{dt-ns=1000000 like=snntorch reset=zero precision=f32}",
    "quantized": "convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=4}",
    "integers": "convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=8 per=tensor}",
    "c": "convert-nir-to-ntensor{dt-ns=1000000 like=norse},convert-ntensor-to-c",
}
"""Texts of a network after some passes."""


@dataclass(frozen=True)
class Network:
    """A network at one level."""

    level: str
    suffix: str
    data: bytes
    nodes: tuple[str, ...]
    inputs: tuple[tuple[str, tuple[int, ...]], ...]

    @property
    def text(self) -> str | None:
        """Returns the network as text, if it is text."""
        return None if self.suffix == ".nir" else self.data.decode()

    def arrays(self) -> dict[str, object]:
        """Returns one sample for each input."""
        made: dict[str, object] = {}
        for number, (name, shape) in enumerate(self.inputs):
            size = TICKS * int(np.prod(shape, dtype=np.int64))
            made[name] = (np.arange(size) % (3 + number) == 0).reshape(TICKS, *shape)
        return made

    def signals(self) -> dict[str, bytes]:
        """Returns the same sample in every form of an input, by the suffix of its file."""
        arrays = self.arrays()
        found = {".npz": npz(arrays)}
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
class Material:
    """Good files by kind."""

    networks: tuple[Network, ...]
    devices: tuple[str, ...]
    neurons: tuple[str, ...]
    builds: tuple[dict[str, bytes], ...]
    """Files of compiled folders, by their paths there."""


def material() -> Material:
    """Returns all material, in a fixed order."""
    paths = sorted((ROOT / "examples").rglob("*.nir"))
    files = [*generated(), *(data for path in paths if len(data := path.read_bytes()) <= LARGEST)]
    networks: list[Network] = []
    builds: list[dict[str, bytes]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number, data in enumerate(files):
            file = folder / "net.nir"
            file.write_bytes(data)
            networks += levels(file)
            if number < 2:
                builds += compiled(file, folder / str(number), "norse")
        bars = ROOT / "examples" / "bars" / "bars.nir"
        builds += compiled(bars, folder / "bars", "sinabs")
        networks += on_cores(bars, folder / "bars", networks)
    text = {
        suffix: sorted(
            p for room in ("targets", "passes", "examples", "lit-tests") for p in (ROOT / room).rglob(f"*.{suffix}")
        )
        for suffix in ("json", "neuron")
    }
    devices = [
        p.read_text(encoding="utf-8")
        for p in text["json"]
        if '"nopt.device/' in p.read_text(encoding="utf-8", errors="replace")
    ]
    neurons = [p.read_text(encoding="utf-8", errors="replace") for p in text["neuron"]]
    return Material(tuple(networks), tuple(devices), tuple(neurons), tuple(builds))


def levels(file: Path) -> list[Network]:
    """Returns a `.nir` file, and its network at each reachable level."""
    module = nopt.read(file, diagnostics=Diagnostics())
    found: list[Network] = []
    try:
        ticked = nopt.apply(module.clone(), LEVELS["ntensor"], diagnostics=Diagnostics())
    except Refused:
        return []
    network = only_network(ticked)
    nodes = tuple(str(op.properties["node"].data) for op in network.body.block.ops if "node" in op.properties)
    inputs = tuple(
        (name.data, shape_of(value)) for name, value in zip(network.input_names, network.body.block.args, strict=True)
    )

    def add(level: str, suffix: str, data: bytes) -> None:
        if len(data) <= LARGEST:
            found.append(Network(level, suffix, data, nodes, inputs))

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


def on_cores(file: Path, folder: Path, networks: Sequence[Network]) -> list[Network]:
    """Returns the network of a file as machine graphs, from the folders that `compiled` wrote."""
    data = file.read_bytes()
    like = next(network for network in networks if network.data == data)
    found: list[Network] = []
    for path in sorted(folder.rglob("*-machine*.mlir")):
        module = nopt.read(path, arrays=path.parent / "arrays", diagnostics=Diagnostics())
        found.append(replace(like, level="machine", suffix=".mlir", data=nopt.write(module).encode()))
    return found


def compiled(file: Path, folder: Path, like: str) -> list[dict[str, bytes]]:
    """Returns the files that `nopt compile` writes for a network, for each target that accepts it."""
    found: list[dict[str, bytes]] = []
    for target in ("c", "asic/mesh", "asic/edge"):
        out = folder / target.replace("/", "-")
        out.parent.mkdir(parents=True, exist_ok=True)
        try:
            until = {} if target == "c" else {"until": "machine"}
            nopt.compile(
                str(file), out=str(out), target=target, dt="1ms", like=like, diagnostics=Diagnostics(), **until
            )
        except Refused:
            continue
        found.append({str(p.relative_to(out)): p.read_bytes() for p in sorted(out.rglob("*")) if p.is_file()})
    return found
