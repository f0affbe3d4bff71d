"""Layer networks on Akida for the comparison with the vendor's tool: random ones, and those just inside and just outside of a limit."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
from attrs import frozen
from layer_stacks import Chain, Stack, draw
from layer_stacks2 import Chain2, draw2
from places import TESTS
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.api.running.run import execute
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.core.ir.source import check_module

TOOL = TESTS / "oracle" / "tools" / "akida_models.py"
VENDOR = {
    "akd1000": "AKD1000",
    "akd1500": "AKD1500",
    "two_nodes_v1": "TwoNodesIPv1",
    "two_nodes_v2": "TwoNodesIPv2",
    "four_nodes_v2": "FourNodesIPv2",
    "six_nodes_v2": "SixNodesIPv2",
    "twelve_nodes_v2": "TwelveNodesIPv2",
}
MINUTES = 10
Arrays = dict[str, np.ndarray]


@frozen
class Case:
    """A network that was compiled, or refused."""

    name: str
    device: str
    stack: Stack
    build: Path | None
    refusal: str = ""
    """Code and message of the refusal."""
    refused_node: str = ""

    @property
    def mapping(self) -> dict[str, Any]:
        assert self.build is not None
        return dict(json.loads((self.build / "artefact" / "mapping.json").read_text(encoding="utf-8")))

    def values(self) -> Arrays:
        """Returns the values of every layer, by its name in the artefact."""
        assert self.build is not None
        layers = self.mapping["layers"]
        record = [layer["source"] for layer in layers[:-1]]
        found = execute(self.build, self.stack.frames[:, None], record=record, diagnostics=Diagnostics()).arrays
        sources = [*record, "output"]
        return {layer["layer"]: found[source] for layer, source in zip(layers, sources, strict=True)}

    def processors(self) -> dict[str, int]:
        """Returns the number of processors of each layer."""
        return {layer["layer"]: len(layer["processors"]) for layer in self.mapping["layers"]}

    def idents(self) -> dict[str, list[list[Any]]]:
        """Returns pass, function, position, first filter and filters of each part; the tool names no filters of the input block."""
        return {
            layer["layer"]: [
                [
                    layer["pass"],
                    one["function"],
                    *one["ident"],
                    *(one["filters"] if one["function"] != "HRC" else (0, 0)),
                ]
                for one in layer["processors"]
            ]
            for layer in self.mapping["layers"]
        }


def compiled(name: str, stack: Stack, device: str, folder: Path) -> Case:
    """Compiles a network into `folder`/builds/`name`."""
    check_module(stack.module)
    builds = folder / "builds"
    builds.mkdir(exist_ok=True)
    module: ModuleOp = stack.module
    try:
        nopt.compile(module, out=builds / name, target=f"akida/{device}", diagnostics=Diagnostics())
    except Refused as refused:
        first = refused.findings[0]
        return Case(name, device, stack, None, f"{first.code}: {first.message}; {first.found}", first.node or "")
    return Case(name, device, stack, builds / name)


def hand_over(cases: list[Case], folder: Path) -> None:
    """Copies the artefacts for the tool, with the frames as `[frames, c, h, w]`."""
    for case in cases:
        if case.build is None:
            continue
        hand_over_build(case.name, case.build, case.device, case.stack.frames, folder)


def hand_over_build(name: str, build: Path, device: str, frames: np.ndarray, folder: Path) -> None:
    """Copies one artefact for the tool, with its frames: `[frames, c, h, w]`, or other axes, which become `c`."""
    copytree(build / "artefact", folder / name)
    (folder / name / "device").write_text(VENDOR[device], encoding="utf-8")
    np.save(folder / f"{name}.npy", frames if frames.ndim == 4 else frames.reshape(len(frames), -1, 1, 1))


def run_tool(python: Path, action: str, folder: Path) -> Arrays:
    """Runs the tool on the artefacts of a folder."""
    out = folder / f"{action}.npz"
    words = [python, TOOL, action, folder, out]
    done = subprocess.run(words, capture_output=True, text=True, timeout=MINUTES * 60, check=False)
    assert not done.returncode, done.stderr[-3000:]
    with np.load(out) as found:
        return {name: found[name] for name in found.files}


def differences(case: Case, theirs: dict[str, np.ndarray]) -> list[str]:
    """Returns the layers with other values, each with the first one."""
    found: list[str] = []
    for name, values in case.values().items():
        other = theirs[f"{case.name}.{name}"]
        mine, given = values.reshape(len(other), -1), other.reshape(len(other), -1)
        wrong = np.argwhere(mine != given) if mine.shape == given.shape else [[0, 0]]
        if len(wrong):
            frame, place = (int(n) for n in wrong[0])
            found.append(
                f"{case.name}.{name}, frame {frame}, {place}: {mine[frame, place]}, and {given[frame, place]} of the tool"
            )
    return found


def random_cases(count: int, folder: Path) -> Iterator[Case]:
    """Yields random networks for both chips. Every third one may have convolutions without padding, which chips refuse."""
    for seed in range(count):
        device = ("akd1000", "akd1500")[seed % 2]
        yield compiled(str(seed), draw(seed, f"akida/{device}"), device, folder)


def random_cases_v2(count: int, folder: Path) -> Iterator[Case]:
    """Yields random networks for Akida 2.0."""
    for seed in range(count):
        device = ("four_nodes_v2", "twelve_nodes_v2")[seed % 2]
        yield compiled(str(seed), draw2(seed, f"akida/{device}"), device, folder)


__all__ = [
    "VENDOR",
    "Case",
    "Chain",
    "Chain2",
    "compiled",
    "differences",
    "hand_over",
    "hand_over_build",
    "random_cases",
    "random_cases_v2",
    "run_tool",
]
