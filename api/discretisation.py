"""The choices that a network in continuous time leaves open, as `run` takes them: they become options of `convert-nir-to-ntensor`."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from ..core.diagnostics import Code, refuse
from .modules import available_passes
from .values import time_ns

CHO001 = Code(
    "CHO001",
    "the network is discretised already",
    cause="A time step, a preset and their like are chosen where a network goes from `nir` to `ntensor`. "
    "This network is `ntensor`, so the choice was made and stands in it.",
    remedy="Leave the options out, or start from the `.nir` file.",
)

CONVERSION = "convert-nir-to-ntensor"


class Choices(TypedDict, total=False):
    """What `convert-nir-to-ntensor` is told; what is left out is chosen by the preset, or refused."""

    dt: str | None
    """Length of a tick, with a unit: `0.1ms`."""
    like: str | None
    """A preset, or a file in the neuron language."""
    reset: str | None
    loop_delay: str | None
    loop_delay_at: str | None
    synapse_delay: int | None
    neuron_delay: int | None
    output_delay: int | None
    precision: Literal["f32", "f64"] | None
    options: str | None
    """Other options of the preset's neurons, `NAME=VALUE,…`."""


def given(choices: Choices) -> dict[str, Any]:
    """The choices that were made, as options of the pass.

    Errors: VAL001 a time that cannot be read.
    """
    made: dict[str, Any] = {}
    for name, value in choices.items():
        if value is not None:
            made |= {"dt_ns": time_ns(str(value))} if name == "dt" else {name: value}
    return made


def conversion(choices: Choices) -> ModulePass:
    """The pass that makes these choices.

        conversion({"dt": "0.1ms", "like": "norse"})

    Errors: VAL001 a time that cannot be read; PAS002 an option that the pass does not take.
    """
    spec = ArgSpec(CONVERSION, {name: (value,) for name, value in given(choices).items()})
    return available_passes()[CONVERSION]().from_spec(spec)


def is_discretised(module: ModuleOp) -> bool:
    """Whether no network of the module is still in continuous time."""
    return all(op.name != "nir.graph" for op in module.ops)


def refuse_choices(choices: Choices) -> None:
    """Refuses choices for a network where they were made before.

    Errors: CHO001.
    """
    if made := given(choices):
        flags = ", ".join("--dt" if name == "dt_ns" else f"--{name.replace('_', '-')}" for name in made)
        refuse(
            CHO001,
            "the network is discretised already",
            at=flags,
            expected="no choices of a time step, preset or reset",
            found=f"{flags} for an ntensor network",
            help=f"leave {flags} out, or start from the .nir file",
        )
