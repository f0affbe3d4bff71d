"""An imitation of cupy: its arrays are those of NumPy, and its compiler is g++, with a runtime that runs invocations one after the other.

A kernel without barriers has the results of a GPU. Each option of the compiler is kept, so that a test can ask for it.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

__version__ = "13.0"
HEAD = """
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>
using std::min; using std::max;
#define __global__
#define __launch_bounds__(n)
#define __restrict__
struct dim3 { unsigned x, y, z; };
static dim3 threadIdx, blockIdx, blockDim;
template <typename... T> static void invoke(void (*entry)(T...), void **a) {
    [&]<size_t... k>(std::index_sequence<k...>) { entry(*(T *)a[k]...); }(std::index_sequence_for<T...>{});
}
"""
LAUNCH = """
extern "C" void launch_NAME(unsigned columns, unsigned rows, unsigned size, void **a) {
    blockDim.x = size;
    for (blockIdx.y = 0; blockIdx.y < rows; ++blockIdx.y)
        for (blockIdx.x = 0; blockIdx.x < columns; ++blockIdx.x)
            for (threadIdx.x = 0; threadIdx.x < size; ++threadIdx.x)
                invoke(NAME, a);
}
"""
OPTIONS: list[Sequence[str]] = []


class CUDARuntimeError(RuntimeError):
    """An error of the runtime."""


class CompileException(Exception):
    """An error of the compiler."""


class Array:
    """Memory of the device."""

    def __init__(self, values: np.ndarray[Any, Any]):
        self.values = values

    def __getitem__(self, place: slice) -> Array:
        return Array(self.values[place])

    def set(self, values: np.ndarray[Any, Any]) -> None:
        assert values.dtype == self.values.dtype
        assert values.shape == self.values.shape
        self.values[...] = values

    def get(self) -> np.ndarray[Any, Any]:
        return self.values.copy()


def empty(size: int, dtype: Any) -> Array:
    return Array(np.full(size, 7, dtype))


def asarray(values: np.ndarray[Any, Any]) -> Array:
    return Array(values.copy())


class RawModule:
    """Kernels that g++ compiles."""

    def __init__(self, code: str, options: Sequence[str]):
        OPTIONS.append(options)
        names = re.findall(r"__global__ void (?:__launch_bounds__\(\d+\) )?(\w+)\(", code)
        text = HEAD + code + "".join(LAUNCH.replace("NAME", name) for name in names)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder)
            (path / "net.cpp").write_text(text, encoding="utf-8")
            flags = ("-std=c++20", "-O1", "-ffp-contract=off", "-shared", "-fPIC", "-w")
            command = ["g++", *flags, path / "net.cpp", "-o", path / "net.so"]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                raise CompileException(done.stderr)
            self.library = ctypes.CDLL(str(path / "net.so"))

    def get_function(self, name: str) -> Any:
        launch = getattr(self.library, f"launch_{name}")

        def call(grid: tuple[int, int], block: tuple[int, int], arguments: Sequence[Any]) -> None:
            held = [
                ctypes.c_void_p(one.values.ctypes.data) if isinstance(one, Array) else ctypes.c_uint32(int(one))
                for one in arguments
            ]
            assert block[1] == 1
            places = (ctypes.c_void_p * len(held))(*(ctypes.addressof(one) for one in held))
            launch(*grid, block[0], places)

        return call


cuda = SimpleNamespace(
    Device=lambda number: nullcontext(),
    get_current_stream=lambda: SimpleNamespace(synchronize=lambda: None),
    runtime=SimpleNamespace(
        CUDARuntimeError=CUDARuntimeError,
        is_hip=False,
        getDeviceCount=lambda: 1,
        driverGetVersion=lambda: 12040,
        getDeviceProperties=lambda number: {"name": b"GPU on g++", "integrated": 0},
        memGetInfo=lambda: (2**30, 2**31),
    ),
    driver=SimpleNamespace(CUDADriverError=CUDARuntimeError),
    compiler=SimpleNamespace(CompileException=CompileException),
    memory=SimpleNamespace(OutOfMemoryError=MemoryError),
    nvrtc=SimpleNamespace(getVersion=lambda: (12, 4)),
)
