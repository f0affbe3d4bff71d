"""The installed neurons: neurons of presets, of conversion targets of passes, and of device folders; plug-ins included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from attrs import frozen

from ...analysis.presets import read_neuron_file
from ...core import registry
from ...core.neuron.tree import Emit
from ..json_record import Record

Origin = Literal["preset", "file", "device"]


@frozen
class NeuronEntry(Record):
    """One neuron."""

    name: str
    origin: Origin
    """Whether `--like` takes its file, `ntensor-set-neuron-model` converts to its file, or a device file names its file."""
    file: str
    """The name of the preset or file, or `TARGET/FILE` in the folder of devices."""
    families: tuple[str, ...]
    """NIR families that the neuron implements."""
    emits: str
    """The kind of its output: spike, count, graded or value."""
    options: Mapping[str, tuple[str, ...]]
    """Values of each option; the first one is the default."""


def neurons() -> list[NeuronEntry]:
    """Returns all neurons, by origin and file.

    [(one.file, one.name) for one in nopt.neurons() if "lif" in one.families]
    """
    return [entry for origin, file, path in neuron_files() for entry in entries_of(origin, file, path)]


def neuron_files() -> Iterator[tuple[Origin, str, Path]]:
    """Yields the files of neurons with their names."""
    for name, path in registry.presets().items():
        yield "preset", name, path
    for name, path in registry.neurons().items():
        yield "file", name, path
    for slug, devices in sorted(registry.devices().items()):
        folders = dict.fromkeys(path.parent for path in devices.values())
        for path in (path for folder in folders for path in sorted(folder.glob("*.neuron"))):
            yield "device", f"{slug}/{path.stem}", path


def entries_of(origin: Origin, file: str, path: Path) -> Iterator[NeuronEntry]:
    """Yields the neurons of one file."""
    for neuron in read_neuron_file(path).neurons:
        families = tuple(family.removeprefix("nir.") for family in neuron.families)
        emits: str = ", ".join(dict.fromkeys(one.kind for one in neuron.of(Emit) if one.kind is not None))
        yield NeuronEntry(neuron.name, origin, file, families, emits, neuron.options)
