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
from xdsl.dialects.builtin import Float64Type, IntegerType, ModuleOp
from xdsl.ir import Attribute
from xdsl.printer import Printer

from ...core.device.device import Device
from ...core.diagnostics import Code, Diagnostics
from ...core.ir.operation import only_op
from ...core.target import Artefact
from ...dialects.functions import Entry, ProgramOp, Role
from ...dialects.functions.program import RUN, TICK
from .building.bodies import width_of

LNG002 = Code(
    "LNG002", "linalg-program-missing", "the module contains no program of functions, or not that of its network"
)

SCHEMA = "nopt.linalg/1"
FOLDER = Path(__file__).parent / "hosts"


def program_of(module: ModuleOp) -> ProgramOp:
    """Returns the only program of functions of a module. Errors: LNG002 none, or several."""
    return only_op(
        module,
        ProgramOp,
        LNG002,
        "programs of functions",
        "the module contains no program of functions",
        expected="one functions.program",
        help="-p convert-ntensor-to-functions",
    )


def text_of(program: ProgramOp) -> str:
    """Returns the functions as text without attributes of nopt, so that any compiler with these dialects takes it."""
    copies = [program.function(name).clone() for name in (TICK, RUN)]
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
    return text_of(program_of(module))


def dtype_of_element(element: Attribute) -> np.dtype[Any]:
    """Returns the NumPy type of the elements of a tensor."""
    bits: Any = element
    if isinstance(element, IntegerType):
        return np.dtype(f"i{width_of(bits) // 8}")
    return np.dtype(np.float64 if isinstance(element, Float64Type) else np.float32)


def entry_of(signal: Entry) -> dict[str, Any]:
    """Returns the entry of the manifest."""
    dtype = "b1" if signal.is_spikes else dtype_of_element(signal.element).str[1:]
    return {"name": signal.name, "role": str(signal.role), "dtype": dtype, "shape": list(signal.shape)}


def arrays_of(program: ProgramOp) -> dict[str, NDArray[Any]]:
    """Returns the constants, and the states before the first tick, by name."""
    return {
        signal.name: np.broadcast_to(signal.values.astype(dtype_of_element(signal.element)), signal.shape)
        for signal in program.given
        if signal.values is not None
    }


def npy(values: NDArray[Any]) -> bytes:
    with BytesIO() as file:
        np.save(file, np.array(values, order="C"))
        return file.getvalue()


def artefact(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files of a compiled network. Errors: LNG002."""
    del device, diagnostics
    program = program_of(module)
    arrays = arrays_of(program)
    arguments, results = ([entry_of(one) for one in side] for side in (program.given, program.returned))
    manifest = {
        "schema": SCHEMA,
        "program": program.sym_name.data,
        "file": "net.mlir",
        "function": RUN,
        "tick_ns": program.tick_ns.value.data,
        "samples": program.samples,
        "window": program.window,
        "arguments": arguments,
        "results": results,
    }
    files: dict[str, bytes] = {"net.mlir": text_of(program).encode()}
    files["manifest.json"] = (json.dumps(manifest, indent=2) + "\n").encode()
    files |= {f"{key}.npy": npy(values) for key, values in arrays.items()}
    files["run.py"] = (FOLDER / "run.py.in").read_bytes()
    sizes = {
        role: sum(arrays[one.name].nbytes for one in program.given if one.role is role)
        for role in (Role.CONSTANT, Role.STATE)
    }
    reals = {one["dtype"] for one in [*arguments, *results] if one["dtype"].startswith("f")}
    return Artefact(
        files=files,
        memory={"constants": sizes[Role.CONSTANT], "states": sizes[Role.STATE]},
        arithmetic=" and ".join(sorted(f"f{8 * int(dtype[1:])}" for dtype in reals)) or "integers",
        latency_ticks={one.name: 0 for one in program.returned if one.role is Role.OUTPUT},
        notes=("reals: a compiler may fuse a product and a sum, and may change the order of sums; integers are exact",),
        facts={"functions": [TICK, RUN]},
    )
