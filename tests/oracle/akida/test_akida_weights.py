"""BrainChip's akida takes weights with the bits that the report has, and refuses those of more bits than a layer holds."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from shutil import copytree

import numpy as np
from akida_stacks import VENDOR, Case, Chain, compiled, differences, hand_over, run_tool
from layer_stacks import Stack

from nopt.core.arrays.arrays import ArrayAttr
from nopt.dialects import ntensor
from nopt.targets.akida.emitter import variable_json

BITS = (1, 2, 4, 8)
RANGES = ((0, 1), (-1, 0), (-1, 1), (-2, 1), (0, 2), (-7, 7), (-8, 7), (0, 8), (-127, 127), (-128, 127))
"""Least and greatest weight of a network: those of each number of bits, and one more at either end."""
LAYERS = ("input convolution", "convolution", "separable", "dense", "dense, last")


def network(kind: str, device: str, ends: tuple[int, int]) -> Stack:
    """Returns a network with one layer that has the weights of both ends of a range, and no other."""
    rng = np.random.default_rng(0)
    shape, bits = ((1, 8, 8), 8) if kind == "input convolution" else ((4, 8, 8), 4)
    chain = Chain(f"akida/{device}", shape, bits, rng, rng.integers(0, 2**bits, (1, *shape)))
    match kind:
        case "separable":
            chain.separable(3, 3, 1)
        case "dense" | "dense, last":
            chain.dense(6, 1)
        case _:
            chain.convolution(3, 3, 1)
    for op in chain.block.ops:
        if isinstance(op, ntensor.SynapseOpInterface):
            assert op.weights is not None
            op.replace_weights(ArrayAttr.of(chosen(op.weights.values, ends)), None)
    if kind != "dense, last":
        chain.add_neuron(4, 0, 16 * 64 * max(map(abs, ends)))
    return chain.module()


def chosen(weights: np.ndarray, ends: tuple[int, int]) -> np.ndarray:
    """Replaces weights of 0 and 1 by the ends of a range."""
    return np.where(weights == 0, *ends).astype(np.int8)


def hand_over_bits(case: Case, ends: tuple[int, int], first: int, folder: Path) -> None:
    """Writes the artefact of a network of the weights 0 and 1 with those of a range, once for each number of bits."""
    assert case.build is not None
    model = json.loads((case.build / "artefact" / "model.json").read_text(encoding="utf-8"))
    (layer,) = (one for one in model["layers"] if one["parameters"]["layer_type"] != "InputData")
    before = {
        name: layer["variables"][name]["data"] for name in ("weights", "weights_pw") if name in layer["variables"]
    }
    for number, bits in enumerate(BITS, first):
        layer["parameters"]["weights_bits"] = bits
        for name, data in before.items():
            layer["variables"][name] = variable_json(chosen(np.array(data), ends))
        target = copytree(case.build / "artefact", folder / str(number))
        (target / "model.json").write_text(json.dumps(model), encoding="utf-8")
        (target / "device").write_text(VENDOR[case.device], encoding="utf-8")


def test_weights_have_the_bits_of_the_tool(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    """The fewest bits that the tool accepts for each range of weights, or a refusal where it accepts none; and equal values."""
    python, folder, runs = python_of("akida"), tmp_path / "tool", tmp_path / "runs"
    folder.mkdir()
    runs.mkdir()
    every = list(product(("akd1000", "akd1500"), LAYERS, RANGES))
    cases = list[Case]()
    for k, (device, kind, ends) in enumerate(every):
        base = compiled(f"{k}-base", network(kind, device, (0, 1)), device, tmp_path)
        hand_over_bits(base, ends, len(BITS) * k, folder)
        cases.append(compiled(str(k), network(kind, device, ends), device, tmp_path))
    verdicts = run_tool(python, "map", folder)
    for k, (choice, case) in enumerate(zip(every, cases, strict=True)):
        given = [json.loads(verdicts[str(len(BITS) * k + n)].tobytes()) for n in range(len(BITS))]
        accepted = [bits for bits, answer in zip(BITS, given, strict=True) if "refused" not in answer]
        if accepted:
            assert case.build is not None, (choice, case.refusal)
            assert bits_of(case.build) == accepted[0], choice
        else:
            assert case.refusal.startswith("CHI016"), choice
    hand_over(cases, runs)
    theirs = run_tool(python, "run", runs)
    assert not [line for case in cases if case.build is not None for line in differences(case, theirs)]


def bits_of(build: Path) -> int:
    """Returns the bits of the weights of the only layer of a report."""
    (layer,) = json.loads((build / "report.json").read_text(encoding="utf-8"))["processors"]["layers"]
    return int(layer["weights_bits"])
