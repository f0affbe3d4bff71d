"""The software devices on which kernels run, their environment, and the validators of the sources."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

PACKAGES = ("wgpu==0.32.0", "pyopencl", "numpy")
"""Packages of the environment."""
DRIVERS = ("/usr/share/vulkan/icd.d/lvp_icd.x86_64.json", "/usr/share/vulkan/icd.d/lvp_icd.aarch64.json")
MINUTES = 10
"""Time limit of one run, and of the installation."""
PROBES = {
    "opencl": "import pyopencl; assert any(p.get_devices() for p in pyopencl.get_platforms())",
    "wgpu": "import wgpu; assert any(a.info['backend_type'] == 'Vulkan' for a in wgpu.gpu.enumerate_adapters_sync())",
}
"""Programs that succeed where the device of a host program is."""


class AbsentError(Exception):
    """A tool or device that this machine does not have."""


@frozen
class Machine:
    """A device: the target that compiles for it, and the part of its name that `run.py` takes."""

    key: str
    probe: str
    name: str


MACHINES = (
    Machine("opencl/pocl", "opencl", ""),
    Machine("glsl/lavapipe", "wgpu", "llvmpipe"),
    Machine("wgsl/lavapipe", "wgpu", "llvmpipe"),
    Machine("glsl/generic", "wgpu", "llvmpipe"),
    Machine("wgsl/generic", "wgpu", "llvmpipe"),
)


def environment(folder: Path) -> Path:
    """Returns the interpreter of the environment in a folder, which is made if it is missing. Raises AbsentError."""
    python = folder / "bin" / "python"
    if not python.exists():
        try:
            subprocess.run([sys.executable, "-m", "venv", folder], check=True, capture_output=True)
            install = [python, "-m", "pip", "install", "--quiet", *PACKAGES]
            subprocess.run(install, check=True, capture_output=True, timeout=60 * MINUTES)
        except (OSError, subprocess.SubprocessError) as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise AbsentError(f"wgpu and pyopencl cannot be installed: {error}") from None
    return python


def variables() -> dict[str, str]:
    """Returns the environment variables of a run: the software driver of Vulkan."""
    driver = next((path for path in DRIVERS if Path(path).exists()), None)
    own = {} if driver is None else {"VK_ICD_FILENAMES": driver}
    return {**os.environ, **own}


def require(python: Path, machine: Machine) -> None:
    """Raises AbsentError where the device is missing."""
    found = subprocess.run(
        [python, "-c", PROBES[machine.probe]], env=variables(), capture_output=True, text=True, timeout=60 * MINUTES
    )
    if found.returncode:
        raise AbsentError(f"{machine.key}: no device: {(found.stderr.strip().splitlines() or ['?'])[-1]}")


def run(python: Path, artefact: Path, machine: Machine, inputs: Mapping[str, Any], *words: str) -> tuple[Any, Any]:
    """Returns the outputs by name, and the times that the host program prints."""
    folder = artefact.parent / "run"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "in").mkdir(parents=True)
    (folder / "out").mkdir()
    manifest = json.loads((artefact / "manifest.json").read_text(encoding="utf-8"))
    for name, values in inputs.items():
        np.save(folder / "in" / f"{name}.npy", values)
    places = [
        folder / side if len(rows) > 1 else folder / side / f"{rows[0]['name']}.npy"
        for side, rows in (("in", manifest["inputs"]), ("out", manifest["outputs"]))
    ]
    command = [python, artefact / "run.py", *places, "--time", "--device", machine.name, *words]
    done = subprocess.run(command, env=variables(), capture_output=True, text=True, timeout=60 * MINUTES)
    if done.returncode:
        raise RuntimeError(f"{machine.key}: run.py fails: {(done.stderr or done.stdout).strip()[-600:]}")
    outputs = {row["name"]: np.load(folder / "out" / f"{row['name']}.npy") for row in manifest["outputs"]}
    return outputs, json.loads(done.stdout.strip().splitlines()[-1])


# ---- validators


def validate(artefact: Path) -> list[str]:
    """Returns the validators that accepted the sources of an artefact. Raises RuntimeError where one does not, with its message."""
    accepted: list[str] = []
    for path in sorted(artefact.iterdir()):
        for name, command in validators(path):
            done = subprocess.run(command, capture_output=True, text=True, timeout=60 * MINUTES)
            if done.returncode:
                raise RuntimeError(f"{name} refuses {path.name}: {(done.stdout + done.stderr).strip()[:600]}")
            accepted.append(name)
    return list(dict.fromkeys(accepted))


HOST = "main.cu"
"""A host program, which needs the headers of CUDA."""
HEADERS = Path(__file__).parent / "headers"


def validators(path: Path) -> list[tuple[str, list[str]]]:
    """Returns the commands that check a source on this machine; those whose tool is missing are left out."""
    binary = path.with_suffix(".spv").as_posix()
    known: dict[str, list[tuple[str, list[str]]]] = {
        ".comp": [
            ("glslangValidator", ["glslangValidator", "-V", path.as_posix(), "-o", binary]),
            ("spirv-val", ["spirv-val", "--target-env", "vulkan1.1", binary]),
        ],
        ".cl": [
            (
                "clang",
                [
                    "clang",
                    "-x",
                    "cl",
                    "-cl-std=CL1.2",
                    "-Xclang",
                    "-finclude-default-header",
                    "-Werror",
                    "-Xclang",
                    "-cl-ext=+cl_khr_fp64",
                    "-fsyntax-only",
                    path.as_posix(),
                ],
            )
        ],
        ".cu": [
            ("nvcc", ["nvcc", "-fmad=false", "-ptx", "-o", "/dev/null", path.as_posix()]),
            (
                "clang",
                [
                    "clang",
                    *("-x", "cuda", "--cuda-device-only", "-nocudalib", "-nocudainc"),
                    *("-Werror", "-Wno-unknown-cuda-version"),
                    f"-I{HEADERS}",
                    *("-include", "cuda_device"),
                    "-fsyntax-only",
                    path.as_posix(),
                ],
            ),
        ],
        ".metal": [
            (
                "clang",
                [
                    "clang",
                    "-x",
                    "c++",
                    "-std=c++14",
                    "-Wno-unknown-pragmas",
                    "-Wno-unknown-attributes",
                    "-Wno-ignored-attributes",
                    "-Wno-c++17-attribute-extensions",
                    f"-I{HEADERS}",
                    "-include",
                    "metal_stdlib",
                    "-fsyntax-only",
                    path.as_posix(),
                ],
            )
        ],
    }
    commands = [(name, command) for name, command in known.get(path.suffix, []) if shutil.which(command[0])]
    return [(name, command) for name, command in commands if path.name != HOST or name == "nvcc"]
