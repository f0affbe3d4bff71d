"""Cost of large arrays in the IR: the three forms of `#nopt.array` compared with xDSL's own attributes, all in the same run.

python benchmarks/bench_arrays.py                      the table, and the ratios to `#nopt.array` as a resource
python benchmarks/bench_arrays.py --measure FORM SIZE  one form, as JSON

Each form is written by one process and read by another. `print` ends when the file is written, `parse` when the numbers are
available as a NumPy array; `compare` is equality with a newly created array. Memory is the peak of the process above its use
before the array was created, so it includes the array itself. Times are processor times, the best of `REPEATS` processes, to reduce
the effect of other load. Some of xDSL's forms are too slow for the full size, so ratios are per weight.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from ratios import keep_ratio

SIZE = 10**7
REPEATS = 2
FORMS = {
    "nopt, resource": ("#nopt.array, in the text's last section", SIZE),
    "nopt, --arrays": ("#nopt.array, one .npy in a folder", SIZE),
    "nopt, rule": ("#nopt.array<normal(…)>", 10 * SIZE),
    "xDSL, dense_resource": ("dense_resource<…>, its section written by xDSL", SIZE),
    "xDSL, dense hex": ('dense<"0x…">', SIZE // 10),
    "xDSL, dense decimal": ("dense<[…]>, which xDSL reads but does not print", SIZE // 100),
    "xDSL, array": ("array<f32: …>, DenseArrayBase", SIZE // 100),
}
STEPS = ("print", "parse", "verify", "compare")


@dataclass
class Figures:
    """Cost of one form: seconds by step, peak memory as multiples of the array, the size of the text."""

    seconds: dict[str, float | None] = field(default_factory=dict)
    peak: dict[str, float] = field(default_factory=dict)
    text_bytes: int = 0


def memory(what: str) -> int:
    """Returns `VmHWM`, the peak, or `VmRSS` of this process [bytes]."""
    found = re.search(rf"{what}:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    return int(found[1]) * 1024 if found else 0


def weights(size: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(0).standard_normal(size, dtype=np.float32).reshape(size // 1000, 1000)


def timed(step: Callable[[], Any]) -> tuple[float, Any]:
    start = process_time()
    found = step()
    return process_time() - start, found


# ---- forms: write(values, folder) prints; read(folder) returns the module and the numbers; same(module, values) compares


class Nopt:
    """A network with one synapse op, through nopt."""

    def __init__(self, form: str):
        self.form = form

    def path(self, folder: Path) -> Path:
        return folder / "net.mlir"

    def arrays(self, folder: Path) -> Path | None:
        return folder / "arrays" if self.form == "nopt, --arrays" else None

    def prepare(self, size: int) -> None:
        from nopt.core.arrays.arrays import ArrayAttr
        from nopt.dialects.nir import LinearOp

        self.size, self.attribute, self.op = size, ArrayAttr, LinearOp
        self.module = self.network()

    def network(self) -> Any:
        import nopt.api as nopt

        rows = self.size // 1000
        return nopt.parse(
            f'nir.graph @net("x" %x: tensor<1000xf32>) -> ("y": tensor<{rows}xf32>) {{\n'
            f'%y = nir.linear "l" %x {{weight = #nopt.array<constant(value = 0) : tensor<{rows}x1000xf32>>}}'
            f" : tensor<1000xf32> -> tensor<{rows}xf32>\nnir.output %y : tensor<{rows}xf32>\n}}"
        )

    def of(self, size: int) -> Any:
        if self.form == "nopt, rule":
            return self.attribute.by("normal", (size // 1000, 1000), mean=0, std=1, seed=0)
        return self.attribute.of(weights(size))

    def make(self, size: int) -> None:
        (op,) = (op for op in self.module.walk() if isinstance(op, self.op))
        op.weight = self.of(size)

    def write(self, folder: Path) -> None:
        import nopt.api as nopt

        nopt.write(self.module, self.path(folder), arrays=self.arrays(folder))

    def read(self, folder: Path) -> Any:
        from nopt.core.files import read_bytes
        from nopt.core.ir import source
        from nopt.core.ir.context import NoptContext

        text = source.decode_text(read_bytes(self.path(folder)), "net.mlir")
        self.module = source.parse_module(NoptContext(), text, arrays=self.arrays(folder))
        (self.found,) = (op.weight for op in self.module.walk() if isinstance(op, self.op))
        return None if self.form == "nopt, rule" else self.found.values

    def verify(self) -> None:
        import nopt.api as nopt

        nopt.verify(self.module)

    def same(self, other: Any) -> bool:
        return self.found == other


class Xdsl:
    """An op with one attribute, through xDSL alone."""

    def __init__(self, form: str):
        self.form = form

    def path(self, folder: Path) -> Path:
        return folder / "net.mlir"

    def prepare(self, size: int) -> None:
        from xdsl.context import Context
        from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
        from xdsl.dialects import builtin, test

        self.builtin, self.test, self.size = builtin, test, size
        self.type = builtin.TensorType(builtin.f32, [size // 1000, 1000])
        self.context = Context()
        self.context.load_dialect(builtin.Builtin)
        self.context.load_dialect(test.Test)
        self.blobs: Any = builtin.Builtin.get_interface(OpAsmDialectInterface)

    def of(self, size: int) -> Any:
        values = weights(size)
        if self.form == "xDSL, dense_resource":
            key = self.blobs.declare_resource("weight")
            self.blobs.parse_resource(key, "0x04000000" + values.tobytes().hex())
            return self.builtin.DenseResourceAttr.from_params(key, self.type)
        data = self.builtin.BytesAttr(values.tobytes())
        if self.form == "xDSL, array":
            return self.builtin.DenseArrayBase(self.builtin.f32, data)
        return self.builtin.DenseIntOrFPElementsAttr(self.type, data)

    def make(self, size: int) -> None:
        self.attribute = self.of(size)
        self.module = self.builtin.ModuleOp([self.test.TestOp(attributes={"a": self.attribute})])

    def write(self, folder: Path) -> None:
        from xdsl.printer import Printer

        with open(self.path(folder), "w", encoding="utf-8") as file:
            if self.form == "xDSL, dense decimal":
                rows = ",".join(f"[{','.join(map('{:.9e}'.format, row))}]" for row in weights(self.size).tolist())
                file.write(f'"test.op"() {{a = dense<[{rows}]> : {self.type}}} : () -> ()\n')
                return
            printer = Printer(file)
            printer.print_op(self.module)
            printer.print_metadata(self.context.loaded_dialects)

    def read(self, folder: Path) -> Any:
        from xdsl.parser import Parser

        self.module = Parser(self.context, self.path(folder).read_text(encoding="utf-8")).parse_module()
        self.found = self.module.body.block.first_op.attributes["a"]
        if self.form == "xDSL, dense_resource":
            blob = self.blobs.lookup(self.found.resource_handle.data)
            return np.frombuffer(bytes.fromhex(blob[2:])[4:], np.float32)
        return np.frombuffer(self.found.data.data, np.float32)

    def verify(self) -> None:
        self.module.verify()

    def same(self, other: Any) -> bool:
        if self.form == "xDSL, dense_resource":  # equality compares only the names of the blobs
            return self.blobs.lookup(self.found.resource_handle.data) == self.blobs.lookup(other.resource_handle.data)
        return self.found == other


# ---- measuring


def measure(form: str, size: int, folder: Path, step: str) -> dict[str, Any]:
    """Runs one process that writes, or reads, verifies and compares."""
    case: Any = (Nopt if form.startswith("nopt") else Xdsl)(form)
    case.prepare(size)
    before = memory("VmRSS")
    if step == "write":
        case.make(size)
        seconds, _ = timed(lambda: case.write(folder))
        found: dict[str, Any] = {"print": None if form == "xDSL, dense decimal" else seconds}
    else:
        seconds, values = timed(lambda: case.read(folder))
        assert values is None or np.array_equal(values.reshape(-1)[:9], weights(size).reshape(-1)[:9])
        found = {"parse": seconds, "verify": timed(case.verify)[0]}
    peak = (memory("VmHWM") - before) / (4 * size)
    if step == "read":
        other = case.of(size)
        found["compare"], is_same = timed(lambda: case.same(other))
        assert is_same
    return {"seconds": found, "peak": peak}


def figures(form: str, size: int) -> Figures:
    """Returns the best of several processes for each step."""
    best = Figures()
    for _ in range(REPEATS):
        with tempfile.TemporaryDirectory() as folder:
            for step in ("write", "read"):
                command = [sys.executable, __file__, "--measure", form, str(size), "--step", step, "--in", folder]
                done = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
                for name, seconds in done["seconds"].items():
                    known = best.seconds.get(name)
                    best.seconds[name] = seconds if known is None or seconds is None else min(known, seconds)
                best.peak[step] = min(best.peak.get(step, np.inf), done["peak"])
            best.text_bytes = (Path(folder) / "net.mlir").stat().st_size
    return best


def shown(seconds: float | None, size: int, least: float) -> str:
    """Formats the seconds for a number of weights, with the ratio per weight to the first form."""
    if seconds is None:
        return "-"
    ratio = seconds / size / least if least else 1.0
    return f"{seconds:.2g} s ({ratio:.0f}x)" if ratio >= 10 else f"{seconds:.2g} s ({ratio:.1g}x)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", nargs=2, metavar=("FORM", "SIZE"))
    parser.add_argument("--step", choices=("write", "read"))
    parser.add_argument("--in", dest="folder", type=Path)
    args = parser.parse_args()
    if args.measure and args.step:
        print(json.dumps(measure(args.measure[0], int(args.measure[1]), args.folder, args.step)))
        return
    if args.measure:
        print(json.dumps(figures(args.measure[0], int(args.measure[1])).__dict__))
        return
    print(
        "arrays of f32; in brackets: time per weight in multiples of the first row's; peak memory in multiples of the array\n"
    )
    print(f"{'form':22} {'weights':>9} {'text':>8}", *(f"{step:>16}" for step in STEPS), "print+", "parse+", sep="  ")
    first: dict[str, float] = {}
    for form, (_, size) in FORMS.items():
        found = figures(form, size)
        first = first or {step: (found.seconds[step] or 0) / size for step in STEPS}
        cells = [shown(found.seconds[step], size, first[step]) for step in STEPS]
        text = f"{found.text_bytes / 1e6:.1f} MB"
        peaks = [f"{found.peak[step]:5.2f}x" for step in ("write", "read")]
        for step in ("write", "read"):
            keep_ratio(f"arrays: peak memory of {step} / array, {form}", found.peak[step])
        print(f"{form:22} {size:9.0e} {text:>8}", *(f"{cell:>16}" for cell in cells), *peaks, sep="  ", flush=True)
    print()
    for form, (what, _) in FORMS.items():
        print(f"{form:22}  {what}")


if __name__ == "__main__":
    main()
