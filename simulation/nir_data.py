"""Data files of the `nir` package: HDF5 with observables of nodes, as `nir.read_data` reads them.

    /                             __type__ = NIRGraphData
    /nodes/NODE                   __type__ = NIRNodeData, or NIRGraphData with nodes of its own
    /nodes/NODE/observables/NAME  __type__ = TimeGriddedData: data [samples, ticks, neurons], dt [s]
                                  __type__ = EventData: idx, time [s] [samples, events], n_neurons, t_max [s]
                                  __type__ = ValuedEventData: the same, and value [samples, events]

nopt writes gridded data. The attributes that nopt adds restore the arrays when it reads a file again: `axes` of the file, `name` and `shape` of each
observable. `nir.read_data` ignores them. The spikes, counts or values of a node are its observable `spikes`, `counts` or `values`; a state has
its own name. A name with dots is a node of nested graphs, unless another array is named after a part of it.

Source: nir 1.0.8, nir/data_ir/graph.py and nir/serialization.py.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from math import prod
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ..core.arrays.allowance import Allowance, Oversized
from ..core.child_process import is_late, name_exit, run_in_child
from ..core.diagnostics import MOST_NAMES, Code, first_of, near_names, quote_names, refuse
from .signals import DenseSignal

SIM011 = Code("SIM011", "nir-data-file-mismatch", "a data file of the nir package does not fit")

TYPE = "__type__"
GRAPH, NODE, GRIDDED, EVENTS, VALUED = (
    "NIRGraphData",
    "NIRNodeData",
    "TimeGriddedData",
    "EventData",
    "ValuedEventData",
)
OUTPUTS = {"b": "spikes", "u": "counts", "i": "counts", "f": "values"}
"""Observable of the output of a node, by the kind of its type."""
AXES = ("ticks", "samples,ticks")
"""Leading axes of the arrays of a file that nopt wrote."""
SECONDS, BYTES_PER_SECOND = 4, 10**7
"""Processor time for reading a data file: a constant in seconds, and the bytes that add one second."""
UNREADABLE = (OSError, RuntimeError, KeyError, TypeError, ValueError, AttributeError, OverflowError)
"""Exceptions of h5py and NumPy for unreadable files."""


@frozen
class Observable:
    """Data of a node."""

    node: str
    """Full name of the node: the names of its enclosing graphs and its own name, joined with dots."""
    name: str
    dt: float | None
    """Time step of gridded data [s]; None for events."""
    data: NDArray[Any] | None
    """Gridded data. Shapes: [samples, ticks, neurons], or [samples, ticks, *shape] in a file of nopt."""
    events: Mapping[str, NDArray[Any]]
    """`idx`, `time` and `value` of events. Shapes: [samples, events]."""
    neurons: int = 0
    end: float = 0.0
    """Length of a recording of events [s]."""
    array_name: str | None = None
    """Name of the array, in a file of nopt."""

    @property
    def title(self) -> str:
        """Returns the name of the array: `NODE` for the output of a node, `NODE.STATE` for a state."""
        own = self.node if self.name in OUTPUTS.values() else f"{self.node}.{self.name}"
        return own if self.array_name is None else self.array_name

    def event_parts(self, dt: float, shape: tuple[int, ...]) -> dict[str, Any]:
        """Returns events by the tick that contains their time; a time on a boundary belongs to the later tick. Units: dt [s]."""
        index, time = self.events["idx"], self.events["time"]
        sample, place = np.nonzero(index != -1)
        return {
            "tick": np.floor(np.round(time[sample, place] / dt, 6)).astype(np.int64),
            "index": index[sample, place].astype(np.int64),
            "shape": np.array(shape),
            "ticks": np.array(round(self.end / dt)),
            "sample": sample,
            "samples": np.array(len(index)),
            **({"value": self.events["value"][sample, place]} if "value" in self.events else {}),
        }


@frozen
class NirData:
    """Contents of a data file."""

    observables: tuple[Observable, ...]
    has_samples: bool | None
    """Whether the arrays have an axis of samples; None for a file that nopt did not write, whose arrays always have one."""


# ---- reading


def unfit(
    path: str | Path, message: str, at: str, expected: str, found: str, help: str = "numpy.save('x.npy', x)"
) -> NoReturn:
    refuse(SIM011, message, at=at, file=str(path), expected=expected, found=found, help=help)


def read_nir_data(path: str | Path) -> NirData:
    """Reads a data file in a child process, because the HDF5 library crashes or hangs on some damaged files.

    Links and data outside of the file are not followed. If no process can be forked, the file is read without that protection.

    Errors: SIM011 the file is damaged, or another HDF5 file; Oversized.
    """
    import_module("h5py")  # before the fork
    work = partial(send_nir_data, path)
    sent = run_in_child(work, SECONDS + os.path.getsize(path) // BYTES_PER_SECOND)
    if sent is None:
        with io.BytesIO() as out:
            work(out)
            sent = out.getvalue()
    if isinstance(sent, int):
        what = "does not finish reading the file" if is_late(sent) else "crashes on the file"
        found = f"the HDF5 library {what} ({name_exit(sent)})"
    else:
        message, arrays = received(sent)
        if "oversized" in message:
            raise Oversized(*message["oversized"], Allowance(path).limit)
        if "refused" not in message:
            observables = tuple(observable_from(entry, arrays) for entry in message["observables"])
            return NirData(observables, message["has_samples"])
        found = message["refused"]
    unfit(
        path,
        "the file is not a data file of the nir package",
        "",
        "a file written by nir.write_data or nopt run",
        found,
    )


def send_nir_data(path: str | Path, out: Any) -> None:
    """Writes the arrays of a data file, then a JSON text (its observables, or the reason of a failure), then the length of the text."""
    h5py: Any = import_module("h5py")

    try:
        with h5py.File(path, "r") as file:
            require_allowance(path, file)
            if attribute_text(file.attrs.get(TYPE)) != GRAPH:
                raise ValueError(f"the root is not {GRAPH}")
            axes = attribute_text(file.attrs.get("axes"))
            found = tuple(graph_observables(file, "", set()))
        entries: list[dict[str, Any]] = []
        count = 0
        for one in found:
            arrays = {**one.events, **({} if one.data is None else {"data": one.data})}
            for array in arrays.values():
                if array.dtype.hasobject:
                    raise ValueError(f"{one.title} has objects, not numbers")
                ordered = np.asarray(array, order="C")
                np.lib.format.write_array_header_1_0(out, np.lib.format.header_data_from_array_1_0(ordered))
                out.write(ordered.reshape(-1).view(np.uint8).data)
            fields = {name: getattr(one, name) for name in ("node", "name", "dt", "neurons", "end", "array_name")}
            entries.append({**fields, "arrays": dict(zip(arrays, range(count, count + len(arrays)), strict=True))})
            count += len(arrays)
        message: dict[str, Any] = {
            "observables": entries,
            "count": count,
            "has_samples": AXES.index(axes) == 1 if axes in AXES else None,
        }
    except Oversized as failure:
        message = {"oversized": failure.args[:3]}
    except UNREADABLE as failure:
        message = {"refused": str(failure).strip("'\"").split("\n")[0] or type(failure).__name__}
    text = json.dumps(message).encode()
    out.write(text + len(text).to_bytes(8, "little"))


def observable_from(entry: dict[str, Any], arrays: Sequence[NDArray[Any]]) -> Observable:
    """Returns an observable of a message. All its arrays except `data` are events."""
    places: dict[str, int] = entry.pop("arrays")
    held: dict[str, NDArray[Any]] = {key: arrays[number] for key, number in places.items()}
    return Observable(data=held.pop("data", None), events=held, **entry)


def received(sent: bytes | bytearray) -> tuple[dict[str, Any], list[NDArray[Any]]]:
    """Decodes the message and the arrays that `send_nir_data` wrote."""
    length = int.from_bytes(sent[-8:], "little")
    message: dict[str, Any] = json.loads(bytes(sent[-8 - length : -8]))
    with io.BytesIO(sent) as data:
        arrays = [np.lib.format.read_array(data, allow_pickle=False) for _ in range(message.get("count", 0))]
    return message, arrays


def require_allowance(path: str | Path, file: Any) -> None:
    """Compares the sizes of all data of a file with the limit. Raises Oversized."""
    h5py: Any = import_module("h5py")
    allowance = Allowance(path)

    def take(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset):
            allowance.take(int(item.nbytes), name)

    file.visititems(take)


def attribute_text(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def member(group: Any, name: str) -> Any:
    """Returns an entry of a group. Raises ValueError for a link and for data outside of the file."""
    h5py: Any = import_module("h5py")

    if not isinstance(group.get(name, getlink=True), h5py.HardLink):
        raise ValueError(f"{group.name}/{name} is missing, or a link")
    found = group[name]
    if isinstance(found, h5py.Dataset) and (found.external or found.is_virtual):
        raise ValueError(f"{group.name}/{name} is outside of the file")
    return found


def graph_observables(group: Any, prefix: str, open_groups: set[Any]) -> Iterator[Observable]:
    """Yields the observables of a graph, in the order of the names of its nodes."""
    if group.id in open_groups:
        raise ValueError(f"{group.name} contains itself")
    nodes = member(group, "nodes")
    for name in nodes:
        node, full = member(nodes, name), f"{prefix}{name}"
        match attribute_text(node.attrs[TYPE]):
            case kind if kind == GRAPH:
                yield from graph_observables(node, f"{full}.", open_groups | {group.id})
            case kind if kind == NODE:
                observables = member(node, "observables")
                yield from (read_observable(member(observables, key), full, key) for key in observables)
            case kind:
                raise ValueError(f"{node.name} has the unknown type {kind}")


def read_observable(group: Any, node: str, name: str) -> Observable:
    kind = attribute_text(group.attrs[TYPE])
    own = attribute_text(group.attrs["name"]) if "name" in group.attrs else None
    if kind == GRIDDED:
        data = np.asarray(member(group, "data")[()])
        if data.ndim != 3 or data.dtype.kind not in "biuf":
            raise ValueError(f"{group.name} has data of {data.dtype} and {data.ndim} axes, not numbers of 3")
        shape = tuple(int(n) for n in group.attrs["shape"]) if "shape" in group.attrs else data.shape[2:]
        return Observable(
            node, name, float(group.attrs["dt"]), data.reshape(*data.shape[:2], *shape), {}, array_name=own
        )
    if kind not in (EVENTS, VALUED):
        raise ValueError(f"{group.name} has the unknown type {kind}")
    keys = ("idx", "time", *(("value",) if kind == VALUED else ()))
    events = {key: np.asarray(member(group, key)[()]) for key in keys}
    index = events["idx"]
    if index.ndim != 2 or any(array.shape != index.shape for array in events.values()) or index.dtype.kind not in "iu":
        raise ValueError(f"{group.name} has events of different shapes")
    if not np.isfinite(events["time"][index != -1]).all():
        raise ValueError(f"{group.name} has events without a time")
    neurons, end = int(group.attrs["n_neurons"]), float(group.attrs["t_max"])
    return Observable(node, name, None, None, events, neurons, end, own)


def nir_arrays(path: str | Path) -> tuple[dict[str, NDArray[Any]], bool | None]:
    """Returns the arrays of a data file by name, and whether they have an axis of samples. Events are converted to arrays of ticks.

    Errors: SIM011 a file that does not fit; events without a time step, or outside of their recording.
    """
    data = read_nir_data(path)
    steps = {one.dt for one in data.observables if one.dt is not None}
    arrays: dict[str, NDArray[Any]] = {}
    for one in data.observables:
        if one.data is None and len(steps) != 1:
            expected = "a time step, from gridded data of the same file"
            unfit(path, "events need a time step", f'"{one.title}"', expected, "none" if not steps else "several")
        array = one.data if one.data is not None else gridded(path, one, next(iter(steps)))
        if one.title in arrays:
            unfit(path, "two observables have one name", f'"{one.title}"', "one of each name", "two")
        arrays[one.title] = array if data.has_samples is not False else array[0]
    return arrays, data.has_samples is not False


def gridded(path: str | Path, one: Observable, dt: float) -> NDArray[Any]:
    """Returns events as an array. Shapes: [samples, ticks, neurons]. Errors: SIM011 an event outside of the recording."""
    parts = one.event_parts(dt, (one.neurons,))
    samples, ticks = int(parts["samples"]), int(parts["ticks"])
    array = np.zeros((samples, ticks, one.neurons), parts["value"].dtype if "value" in parts else bool)
    tick, index = parts["tick"], parts["index"]
    if ((tick < 0) | (tick >= ticks) | (index < 0) | (index >= one.neurons)).any():
        expected = f"{ticks} ticks and {one.neurons} neurons"
        unfit(
            path,
            "an event is outside of its recording",
            f'"{one.title}"',
            expected,
            "an event at another tick or neuron",
        )
    array[parts["sample"], tick, index] = parts.get("value", True)
    return array


def nir_stimulus(path: str | Path, inputs: Mapping[str, tuple[int, ...]], tick_ns: int | None) -> dict[str, Any]:
    """Returns the inputs in a data file: gridded data unchanged, events by the tick that contains their time.

    Errors: SIM011 a file that does not fit the inputs.
    """
    data = read_nir_data(path)
    found: dict[str, Any] = {}
    known = quote_names(inputs)
    dt = None if tick_ns is None else tick_ns * 1e-9
    for one in data.observables:
        if one.node not in inputs or one.node in found:
            names = first_of([f'"{other.name}" of "{other.node}"' for other in data.observables], MOST_NAMES)
            near = near_names(one.node, [name for name in inputs if name not in found])
            help = f'call the node "{near[0]}"' if near else "numpy.save('x.npy', x)"
            expected = f"one observable for each of {known}"
            unfit(path, "the data do not fit the inputs", f'"{one.node}"', expected, names, help)
        shape, at = inputs[one.node], f'"{one.node}"'
        if one.data is None:
            if dt is None:
                unfit(path, "events need a time step", at, "a network with ticks", "none")
            found[one.node] = one.event_parts(dt, shape)
            continue
        if dt is not None and not np.isclose(one.dt or 0.0, dt, rtol=1e-9, atol=0):
            unfit(path, "the data have another time step", at, f"a time step of {dt} s", f"{one.dt} s")
        fits = prod(one.data.shape[2:]) == prod(shape)
        array = one.data.reshape(*one.data.shape[:2], *shape) if fits else one.data
        if data.has_samples is False:
            found[one.node] = array[0]
        else:
            found[one.node] = DenseSignal(array) if fits else array
    return found


# ---- writing


def node_paths(arrays: Mapping[str, NDArray[Any]], nodes: Collection[str]) -> dict[str, tuple[tuple[str, ...], str]]:
    """Returns the node path and the observable of each array. A name outside of `nodes` is a state.

    node_paths({"lif1.lif": spikes, "lif1.lif.v": v}, ["lif1.lif"]) has the paths ("lif1", "lif") for spikes and v
    """
    found: dict[str, tuple[tuple[str, ...], str]] = {}
    owners = {name: name if name in nodes else owner_of(name) for name in arrays}
    for name, node in owners.items():
        parts = tuple(node.split("."))
        prefixes = {".".join(parts[:k]) for k in range(1, len(parts))}
        path = parts if all(parts) and not prefixes & {*owners.values()} else (node,)
        output = OUTPUTS[arrays[name].dtype.kind]
        place = path, name.removeprefix(f"{node}.") if node != name else output
        found[name] = ((name,), output) if place in found.values() else place
    return found


def owner_of(name: str) -> str:
    """Returns the node of a state, or the name itself if it has no dot between two parts."""
    node, _, state = name.rpartition(".")
    return node if node and state else name


def write_nir_data(
    arrays: Mapping[str, NDArray[Any]], nodes: Collection[str], tick_ns: int, *, has_samples: bool
) -> bytes:
    """Returns the bytes of a data file; they depend on the arguments alone. Units: tick_ns [ns]."""
    h5py: Any = import_module("h5py")

    with io.BytesIO() as held:
        with h5py.File(held, "w") as file:
            file.attrs[TYPE], file.attrs["axes"] = GRAPH, AXES[has_samples]
            file.create_group("nodes")
            for name, (path, observable) in node_paths(arrays, nodes).items():
                array = arrays[name] if has_samples else arrays[name][None]
                group: Any = file
                for depth, part in enumerate(path, 1):
                    group = group.require_group("nodes").require_group(part)
                    group.attrs[TYPE] = NODE if depth == len(path) else GRAPH
                group = group.require_group("observables").create_group(observable)
                flat = array.reshape(*array.shape[:2], prod(array.shape[2:]))
                options = {"compression": "gzip"} if flat.size else {}
                group.create_dataset("data", data=flat, **options)
                group.attrs[TYPE], group.attrs["dt"] = GRIDDED, tick_ns * 1e-9
                group.attrs["name"], group.attrs["shape"] = name, np.array(array.shape[2:], np.int64)
        return held.getvalue()
