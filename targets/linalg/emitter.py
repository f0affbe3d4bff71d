"""Writes the functions of a network for other compilers.

| file | content |
| --- | --- |
| `NAME.mlir` | the functions `tick` and `run` in upstream dialects, in generic form |
| `manifest.json` | arguments and results of `run` in their order (`nopt.linalg/1`) |
| `NAME.npy` | a constant, or a state before its first tick |
| `run.py` | a program that compiles the text with IREE, and runs it |
"""

from __future__ import annotations

import json
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import func
from xdsl.dialects.builtin import Float64Type, IntegerAttr, IntegerType, ModuleOp, StringAttr
from xdsl.ir import Attribute
from xdsl.printer import Printer

from ...core.arrays.arrays import ArrayAttr
from ...core.device.device import Device
from ...core.diagnostics import Code, Diagnostics, refuse
from ...core.ir.operation import element_type, shape_of
from ...core.target import Artefact
from .building.bodies import width_of
from .lowering import NAME, NETWORK, ROLE, RUN, SPIKES, TICK, TICK_NS, VALUES

LNG002 = Code("LNG002", "linalg-function-missing", "the module does not contain the functions of one network")

SCHEMA = "nopt.linalg/1"
FOLDER = Path(__file__).parent / "hosts"


def functions_of(module: ModuleOp) -> tuple[func.FuncOp, func.FuncOp]:
    """Returns `tick` and `run`. Errors: LNG002."""
    found = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    tick, run = found.get(TICK), found.get(RUN)
    if tick is None or run is None or NETWORK not in run.attributes:
        refuse(
            LNG002,
            "the module does not contain the functions of one network",
            at="the module",
            expected=f"@{TICK} and @{RUN}, as convert-ntensor-to-linalg makes them",
            found=", ".join(f"@{name}" for name in found) or "no function",
            help="-p convert-ntensor-to-linalg",
        )
    return tick, run


def text_of(module: ModuleOp) -> str:
    """Returns the functions as text without attributes of ours, so that any compiler with these dialects takes it. Errors: LNG002."""
    copies = [op.clone() for op in functions_of(module)]
    for op in copies:
        op.attributes.clear()
        for name in ("arg_attrs", "res_attrs"):
            op.properties.pop(name, None)
    out = StringIO()
    Printer(out, print_generic_format=True).print_op(ModuleOp(copies))
    return out.getvalue() + "\n"


def emit(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns the functions as text. Errors: LNG002."""
    del diagnostics
    return text_of(module)


def entry_values(entry: Any) -> NDArray[Any] | None:
    found = entry.data.get(VALUES)
    return found.values if isinstance(found, ArrayAttr) else None


def text(attribute: Attribute | None) -> str:
    assert isinstance(attribute, StringAttr)  # made by the lowering
    return attribute.data


def dtype_of_element(element: Attribute) -> np.dtype[Any]:
    """Returns the NumPy type of the elements of a tensor."""
    bits: Any = element
    if isinstance(element, IntegerType):
        return np.dtype(f"i{width_of(bits) // 8}")
    return np.dtype(np.float64 if isinstance(element, Float64Type) else np.float32)


def signal_entries(module: ModuleOp) -> tuple[list[dict[str, Any]], list[dict[str, Any]], dict[str, NDArray[Any]]]:
    """Returns the entries of arguments and of results of `run`, and the arrays of constants and first states by name."""
    _, run = functions_of(module)
    given: Any = run.arg_attrs
    shown: Any = run.res_attrs
    types = run.function_type
    arrays: dict[str, NDArray[Any]] = {}
    sides: list[list[dict[str, Any]]] = []
    for attributes, side in ((given.data[2:], types.inputs.data[2:]), (shown.data, types.outputs.data)):
        entries: list[dict[str, Any]] = []
        for one, type in zip(attributes, side, strict=True):
            name, role = text(one.data.get(NAME)), text(one.data.get(ROLE))
            dtype = dtype_of_element(element_type(type))
            shape = list(shape_of(type))
            if (values := entry_values(one)) is not None:
                arrays[name] = np.broadcast_to(values.astype(dtype), shape) if role == "state" else values.astype(dtype)
            kind = "b1" if SPIKES in one.data else dtype.str[1:]
            entries.append({"name": name, "role": role, "dtype": kind, "shape": shape})
        sides.append(entries)
    return sides[0], sides[1], arrays


def moving_axes(results: list[dict[str, Any]]) -> tuple[int, int]:
    """Returns the ticks and the samples of a call: the first axes of outputs."""
    first = next((one["shape"] for one in results if one["role"] != "state"), [1, 1])
    return first[0], first[1]


def npy(values: NDArray[Any]) -> bytes:
    with BytesIO() as file:
        np.save(file, np.array(values, order="C"))
        return file.getvalue()


def artefact(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files of a compiled network. Errors: LNG002."""
    del device, diagnostics
    _, run = functions_of(module)
    arguments, results, arrays = signal_entries(module)
    tick_ns = run.attributes[TICK_NS]
    assert isinstance(tick_ns, IntegerAttr)  # made by the lowering
    name = text(run.attributes[NETWORK])
    window, samples = moving_axes(results)
    manifest = {
        "schema": SCHEMA,
        "program": name,
        "file": "net.mlir",
        "function": RUN,
        "tick_ns": tick_ns.value.data,
        "samples": samples,
        "window": window,
        "arguments": arguments,
        "results": results,
    }
    files: dict[str, bytes] = {"net.mlir": text_of(module).encode()}
    files["manifest.json"] = (json.dumps(manifest, indent=2) + "\n").encode()
    files |= {f"{key}.npy": npy(values) for key, values in arrays.items()}
    files["run.py"] = (FOLDER / "run.py.in").read_text("utf-8").encode()
    sizes = {
        role: sum(arrays[one["name"]].nbytes for one in arguments if one["role"] == role)
        for role in ("constant", "state")
    }
    reals = {one["dtype"] for one in [*arguments, *results] if one["dtype"].startswith("f")}
    return Artefact(
        files=files,
        memory={"constants": sizes["constant"], "states": sizes["state"]},
        arithmetic=" and ".join(sorted(f"f{8 * int(dtype[1:])}" for dtype in reals)) or "integers",
        latency_ticks={one["name"]: 0 for one in results if one["role"] == "output"},
        notes=("reals: a compiler may fuse a product and a sum, and may change the order of sums; integers are exact",),
        facts={"functions": [TICK, RUN]},
    )
