"""The networks of `make kernels`: examples, published networks, and generated ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from integer_networks import integer_network
from neurobench_graphs import write_gestures, write_keywords
from numpy.typing import NDArray
from places import EXAMPLES

from nopt.api.conformance.networks import FAMILIES, generate

SEED = 0
WIDE_EVERY = 4
"""The networks of integers of these multiples are drawn again with wide states."""
DENSITY = 0.3
"""Share of active inputs."""


@frozen(eq=False)
class Case:
    """A network, its options of `compile`, and its inputs; None: random spikes of the shapes in the manifest."""

    name: str
    network: Any
    options: Mapping[str, str] = {}
    inputs: Mapping[str, NDArray[Any]] | None = None
    ticks: int = 16


RULE = {"dt": "1ms", "like": "norse", "reset": "subtract"}


def examples() -> Iterator[Case]:
    for path in sorted(EXAMPLES.glob("*/*.nir")):
        yield Case(f"{path.parent.name}/{path.stem}", path, RULE)


def published(shared: Path) -> Iterator[Case]:
    """Yields the published networks, if the folder of samples is there."""
    folder = shared / "samples" / "nir_paper"
    for path in sorted(
        [*folder.glob("cnn/*.nir"), *folder.glob("braille/*zero.nir"), *folder.glob("braille/*subtract.nir")]
    ):
        like = "sinabs" if "cnn" in path.stem else "snntorch"
        yield Case(path.stem, path, {"dt": "1ms" if like == "sinabs" else "0.1ms", "like": like}, ticks=8)


def benchmarks(shared: Path, folder: Path) -> Iterator[Case]:
    """Yields the networks of NeuroBench that are in the folder of samples; they are written into `folder`."""
    rule = {"dt": "0.1ms", "like": "snntorch", "reset": "subtract_next"}
    for name, write in (("s2s_gsc_snntorch", write_keywords), ("dvs_gesture_snn", write_gestures)):
        state = shared / "samples" / "neurobench" / f"{name}.npz"
        if state.is_file():
            yield Case(name, write(folder, state), rule, ticks=8)


def generated(count: int) -> Iterator[Case]:
    """Yields networks of integers and of reals, half of each, and some of integers that need two words."""
    for seed in range(SEED, SEED + count // 2):
        made = integer_network(seed)
        yield Case(f"integers {seed}", made.module, inputs=made.inputs)
        if seed % WIDE_EVERY == 0:
            made = integer_network(seed, wide=True)
            yield Case(f"wide integers {seed}", made.module, inputs=made.inputs)
    for seed in range(SEED, SEED + count - count // 2):
        drawn = generate(seed, FAMILIES, precision="f32")
        if drawn is not None:
            name = drawn.network.input_names.data[0].data
            yield Case(f"reals {seed}", drawn.module, inputs={name: drawn.x})


def inputs_of(case: Case, manifest: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """Returns the inputs of a case, [samples, ticks, *shape]."""
    if case.inputs is not None:
        return dict(case.inputs)
    rng = np.random.default_rng(SEED)
    return {row["name"]: rng.random((2, case.ticks, *row["shape"])) < DENSITY for row in manifest["inputs"]}
