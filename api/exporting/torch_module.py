"""Text of a module of PyTorch: the template, with the lines of a network."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from importlib.metadata import version
from pprint import pformat
from typing import Any, get_args

from attrs import frozen

from ...core.arrays.numeric import AnyArray
from ...core.ir.operation import shape_of, texts_of
from ...dialects import ntensor
from ...simulation.frames import data_shapes
from ...simulation.host.readout_program import archive
from ..options import Surrogate
from ..unit_values import refuse_option
from .network_program import NetworkProgram, plain
from .scalar_expressions import TEMPLATE
from .weight_masters import Masters

NUMBER_PREFIX = "on_chip:"
"""Prefix of the numbers of the chip in the state dictionary of a module."""
DIGEST_NAME = f"{NUMBER_PREFIX}arrays"
"""Entry with the digest of the arrays of the module."""
SURROGATES: tuple[str, ...] = get_args(Surrogate)


@frozen
class SurrogateGradient:
    """The gradient of the comparisons that decide about spikes.

    `scale` is its factor, `width` the distance from the threshold at which it is a fraction, relative to that of a population at rest.
    """

    shape: Surrogate = "atan"
    width: float = 0.5
    scale: float = 1.0
    detach_reset: bool = False

    def __attrs_post_init__(self) -> None:
        if self.shape not in SURROGATES:
            refuse_option("--surrogate", self.shape, " or ".join(SURROGATES), "atan")
        for name, value in (("width", self.width), ("scale", self.scale)):
            if not 0 < value < float("inf"):
                refuse_option(f"--surrogate-{name}", value, "a number above 0", "1")


def torch_files(
    network: ntensor.NetworkOp,
    masters: Masters,
    stem: str,
    surrogate: SurrogateGradient,
    *,
    drawn: Mapping[str, Mapping[str, AnyArray]] | None = None,
    device: str = "the reference",
    source: str = "a network in ticks",
) -> dict[str, bytes]:
    """Returns the file of a network in ticks, then its arrays. `masters` receives the parameters. `drawn` are the parameters of manufactured chips.

    Errors: PYT001, PYT002, PYT003.
    """
    program = NetworkProgram(network, masters, surrogate.detach_reset)
    program.settle()
    parameters = {f"{node}.{name}": values for node, found in masters.nodes.items() for name, values in found.items()}
    chips = drawn or {}
    varied = {f"{node}.{name}": values for node, found in chips.items() for name, values in found.items()}
    # the number of the chip may have the name of the parameter that it follows from, which takes its place
    arrays = {**parameters, **masters.arrays, **program.arrays} | parameters
    arrays |= {f"{key}.chips": values.astype(arrays[key].dtype) for key, values in varied.items()}
    inputs = dict(zip(texts_of(network.input_names), network.body.block.args, strict=True))
    shapes = {name: shape_of(value) for name, value in inputs.items()}
    outputs = dict(zip(texts_of(network.output_names), network.outputs.values, strict=True))
    stored = archive(arrays)
    texts = {
        "TITLE": f"{network.sym_name.data} as {device} computes it, as a module of PyTorch.",
        "STEM": stem,
        "ARRAYS": f"{stem}.npz",
        "DIGEST": arrays_digest(stored),
        "NUMBERS": NUMBER_PREFIX,
        "DIGEST_NAME": DIGEST_NAME,
        "TICK_NS": str(network.tick_ns.value.data),
        "VERSION": version("nopt"),
        "SOURCE": source,
        "DEVICE": device,
        "INPUT_LIST": ", ".join(f"{name} {list(shape_of(value))}" for name, value in inputs.items()),
        "OUTPUT_LIST": ", ".join(f"{name} {list(shape_of(value))}" for name, value in outputs.items()),
        "INPUTS": literal(dict(data_shapes(network, shapes).items())),
        "OUTPUTS": literal({name: shape_of(value) for name, value in outputs.items()}),
        "NODES": literal(
            {node: {name: array.shape for name, array in found.items()} for node, found in masters.nodes.items()}
        ),
        "SYNAPSES": re.sub(r"'(torch\.\w+)'", r"\1", literal(masters.formats)),
        "FRAMES": literal(
            (
                network.frame_ticks,
                network.has_stacked_ticks,
                {name: plain(rows.tolist()) for name, rows in network.input_padding.items()},
            )
        ),
        "VARIED": literal([*varied]),
        "CHIPS": str(max((len(values) for values in varied.values()), default=0)),
        "SURROGATE": literal((surrogate.shape, surrogate.width, surrogate.scale, surrogate.detach_reset)),
        "UPDATES": "\n".join([*(f"{name} = {text}" for name, text in program.constants.items()), *program.definitions]),
        "START": indented(program.start),
        "STEP": indented(program.lines()),
    }
    text = re.sub(r"@([A-Z_]+)@", lambda match: texts[match[1]], TEMPLATE.read_text())
    return {f"{stem}.py": text.encode(), f"{stem}.npz": stored}


def arrays_digest(arrays: bytes) -> str:
    """Returns the digest of the arrays of a module."""
    return sha256(arrays).hexdigest()


def literal(value: Any) -> str:
    return pformat(value, width=120, sort_dicts=False)


def indented(lines: Iterable[str]) -> str:
    return "\n".join(f"        {line}" for line in lines)
