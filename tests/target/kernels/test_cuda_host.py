"""The CUDA program of an artefact, compiled for the CPU with a runtime that runs invocations one after the other: its outputs equal the model's."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import EXAMPLES

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not on the path")
DEVICE = """
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
using std::min; using std::max;
#define __global__
#define __launch_bounds__(n)
#define __restrict__
struct dim3 { unsigned x, y, z; dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {} };
static dim3 threadIdx, blockIdx, blockDim;
"""
RUNTIME = """
#include <cstdlib>
typedef int cudaError_t;
enum { cudaSuccess = 0, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
static const char *cudaGetErrorString(int) { return "none"; }
static int cudaMalloc(void **p, size_t n) { *p = std::malloc(n); return 0; }
static int cudaFree(void *p) { std::free(p); return 0; }
static int cudaMemcpy(void *to, const void *from, size_t n, int) { std::memcpy(to, from, n); return 0; }
static int cudaDeviceSynchronize() { return 0; }
static void call(const void *entry, void **a);
static int cudaLaunchKernel(const void *entry, dim3 grid, dim3 block, void **a, int, int) {
    blockDim = block;
    for (blockIdx.y = 0; blockIdx.y < grid.y; ++blockIdx.y)
        for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x)
            for (threadIdx.x = 0; threadIdx.x < block.x; ++threadIdx.x)
                call(entry, a);
    return 0;
}
template <typename... T> static void invoke(void (*entry)(T...), void **a) {
    [&]<size_t... k>(std::index_sequence<k...>) { entry(*(T *)a[k]...); }(std::index_sequence_for<T...>{});
}
"""


def program(folder: Path, manifest: Mapping[str, Any]) -> Path:
    """Returns the program of an artefact for the CPU."""
    calls = "".join(
        f"if (entry == (const void *){one['entry']}) invoke({one['entry']}, a);\n" for one in manifest["kernels"]
    )
    (folder / "device.h").write_text(DEVICE, encoding="utf-8")
    runtime = f"{RUNTIME}static void call(const void *entry, void **a) {{\n{calls}}}\n"
    (folder / "cuda_runtime.h").write_text(runtime, encoding="utf-8")
    flags = [
        "-std=c++20",
        "-O1",
        "-Wall",
        "-Werror",
        "-Wno-unused-function",
        "-Wno-unused-variable",
        "-ffp-contract=off",
        "-fsanitize=address,undefined",
    ]
    files = ["-include", folder / "device.h", f"-I{folder}", "-x", "c++", folder / "main.cu"]
    subprocess.run(["g++", *flags, *files, "-o", folder / "net"], check=True)
    return folder / "net"


@pytest.fixture(scope="module", params=["samples", "elements"])
def build(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a compiled directory with a program for the CPU. A grid has no barrier, which invocations one after the other cannot pass."""
    folder = tmp_path_factory.mktemp("cuda") / "build"
    settings = ["cuda.form=grid", f"cuda.layout={request.param}"]
    options: Any = {"dt": "1ms", "like": "sinabs", "set": settings, "diagnostics": Diagnostics()}
    nopt.compile(EXAMPLES / "bars" / "bars.nir", target="cuda", out=folder, **options)
    program(folder / "artefact", json.loads((folder / "artefact" / "manifest.json").read_text(encoding="utf-8")))
    return folder


def test_outputs_equal_the_model(build: Path, tmp_path: Path) -> None:
    x = np.random.default_rng(0).random((3, 20, 1, 12, 12)) < 0.9
    wanted = nopt.execute(build, x, diagnostics=Diagnostics()).arrays["output"]
    assert wanted.any()
    for kind, batch in (("b1", "2"), ("i8", "3"), ("f8", "1"), ("f4", "9"), ("u2", "3")):
        np.save(tmp_path / "x.npy", x.astype(kind))
        subprocess.run([build / "artefact" / "net", tmp_path / "x.npy", tmp_path / "y.npy", batch], check=True)
        found = np.load(tmp_path / "y.npy")
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)


def test_damaged_inputs_are_refused(build: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.full((2, 3, 1, 12, 12), np.nan))
    whole = (tmp_path / "x.npy").read_bytes()
    damaged = {
        "a value is not in the type of the input": whole,
        "another number of bytes than of its shape": whole[:-8],
        "a short .npy file": whole[:40],
        "no .npy file": b"nothing at all",
    }
    for message, data in damaged.items():
        (tmp_path / "bad.npy").write_bytes(data)
        command = [build / "artefact" / "net", tmp_path / "bad.npy", tmp_path / "y.npy"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 1
        assert message in done.stderr
    command = [build / "artefact" / "net", tmp_path / "missing.npy", tmp_path / "y.npy"]
    assert "cannot be read" in subprocess.run(command, capture_output=True, text=True).stderr
