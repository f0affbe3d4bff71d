"""Valid networks that the fuzz suite damages, as `.nir` files, as JSON graphs, and as text at the levels `nir` and `ntensor`."""

from __future__ import annotations

import io
import itertools
import re
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from places import EXAMPLES, GOLDENS

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics, Refused

TO_TICKS = "convert-nir-to-ntensor{dt-ns=100000 like=norse}"
LARGEST = 300_000
"""Maximal size of a seed in bytes; larger ones find no more defects and take longer."""


@dataclass(frozen=True)
class Seeds:
    """Valid files, by kind; their order determines the pairing of cases and files."""

    files: tuple[bytes, ...]
    texts: tuple[str, ...]


def seeds(shared: Path | None = None, has_goldens: bool = False) -> Seeds:
    """Returns examples and generated networks; with `shared` the samples there, with goldens the chunks of `lit-tests/`."""
    paths = sorted(EXAMPLES.rglob("*.nir"))
    paths += sorted((shared / "samples").rglob("*.nir")) if shared is not None else []
    read = [path.read_bytes() for path in paths]
    files = [*generated(), *(data for data in read if len(data) <= LARGEST)]
    found = list(itertools.chain.from_iterable(texts(data) for data in files))
    if has_goldens:
        for path in sorted(GOLDENS.rglob("*.mlir")):
            text = path.read_bytes().decode(errors="replace")
            found += [chunk for chunk in re.split(r"^// -----.*\n", text, flags=re.MULTILINE) if chunk.strip()]
    return Seeds(tuple(files), tuple(text for text in found if len(text) <= LARGEST))


def texts(data: bytes) -> Iterable[str]:
    """Yields a network as a JSON graph and as text, before and after its discretisation; nothing if it is refused."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "seed.nir"  # its name is the network's
        file.write_bytes(data)
        try:
            module = nopt.read(file, diagnostics=Diagnostics())
            for format in ("mlir", "json"):
                text = nopt.write(module, format=format, diagnostics=Diagnostics())
                assert isinstance(text, str)
                yield text
            nopt.apply(module, TO_TICKS, diagnostics=Diagnostics())
            yield nopt.write(module)
        except Refused:
            return


def generated() -> list[bytes]:
    """Returns networks that together contain every primitive, with cycles and nested graphs."""
    populations = {
        "input": terminal("Input", 3),
        "affine": {"type": "Affine", "weight": ramp(4, 3), "bias": ramp(4)},
        "lif": node("LIF", 4, tau=0.02, r=1.0, v_leak=0.0, v_threshold=0.5, v_reset=0.0),
        "rec": {"type": "Linear", "weight": ramp(4, 4)},
        "cuba": node(
            "CubaLIF", 4, tau_syn=0.005, tau_mem=0.02, r=1.0, v_leak=0.0, v_threshold=0.5, w_in=1.0, v_reset=0.0
        ),
        "delay": node("Delay", 4, delay=0.001),
        "scale": node("Scale", 4, scale=2.0),
        "li": node("LI", 4, tau=0.01, r=1.0, v_leak=0.0),
        "output": terminal("Output", 4),
    }
    edges = "input>affine affine>lif lif>rec rec>lif lif>cuba cuba>delay delay>scale scale>li li>output"
    one, none = np.int64(1), np.int64(0)
    image = {
        "input": terminal("Input", 1, 6, 6),
        "conv": {"type": "Conv2d", "weight": ramp(2, 1, 3, 3), "bias": ramp(2), "stride": one, "padding": none}
        | {"dilation": one, "groups": one, "input_shape": np.array([6, 6])},
        "if": node("IF", (2, 4, 4), r=1.0, v_threshold=1.0, v_reset=0.0),
        "pool": {
            "type": "SumPool2d",
            "kernel_size": np.array([2, 2]),
            "stride": np.array([2, 2]),
            "padding": np.array([0, 0]),
        },
        "flat": {"type": "Flatten", "start_dim": none, "end_dim": np.int64(-1), "input_type": np.array([2, 2, 2])},
        "threshold": node("Threshold", 8, threshold=0.5),
        "output": terminal("Output", 8),
    }
    image_edges = "input>conv conv>if if>pool pool>flat flat>threshold threshold>output"
    inner = graph(
        {"in": terminal("Input", 2), "if": node("IF", 2, r=1.0, v_threshold=1.0), "out": terminal("Output", 2)},
        "in>if if>out",
    )
    outer = {
        "a": terminal("Input", 2),
        "b": terminal("Input", 2),
        "block": inner,
        "back": {"type": "Linear", "weight": ramp(2, 2)},
    }
    outer |= {"x": terminal("Output", 2), "y": terminal("Output", 2)}
    nested = graph(outer, "a>block b>block block>back back>block block>x back>y") | {
        "metadata": {"by": "nobody", "epochs": one}
    }
    large = {
        "input": terminal("Input", 20),
        "fc": {"type": "Linear", "weight": ramp(7, 20)},
        "output": terminal("Output", 7),
    }
    return [
        file_of(graph(populations, edges)),
        file_of(graph(image, image_edges)),
        file_of(nested),
        file_of(graph(large, "input>fc fc>output")),
    ]


def ramp(*shape: int) -> Any:
    """Returns distinct values, some of them negative."""
    return np.linspace(-0.5, 1, int(np.prod(shape)), dtype=np.float32).reshape(shape)


def terminal(type: str, *shape: int) -> dict[str, Any]:
    return {"type": type, "shape": np.array(shape, np.int64)}


def node(type: str, shape: Any, **values: float) -> dict[str, Any]:
    return {"type": type} | {name: np.full(shape, value, np.float32) for name, value in values.items()}


def graph(nodes: Mapping[str, Any], edges: str) -> dict[str, Any]:
    return {"type": "NIRGraph", "nodes": dict(nodes), "edges": [edge.split(">") for edge in edges.split()]}


def file_of(root: Mapping[str, Any]) -> bytes:
    """Returns the bytes of a `.nir` file; the same network has the same bytes."""
    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        put(file, {"version": "1.0.8", "node": root})
    return stream.getvalue()


def put(group: Any, items: Mapping[str, Any]) -> None:
    """Writes dictionaries as groups, strings as text, everything else as arrays."""
    text = h5py.string_dtype()
    for name, value in items.items():
        if isinstance(value, Mapping):
            put(group.create_group(name), value)
        elif isinstance(value, str):
            group.create_dataset(name, data=value, dtype=text)
        elif name == "edges":
            group.create_dataset(name, data=np.array(value, object), dtype=text)
        else:
            group.create_dataset(name, data=value)
