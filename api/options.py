"""Options that verbs share, each declared once: its name, type, default and help text.

The functions of `nopt.api` take the options of a group as keywords (`Unpack[BuildOptions]`), and `tools/choices.py` makes the arguments of the command line
from the same declarations. A type determines the form of an argument: an integer, a number, a choice of texts, or a flag.

| group | options of | verbs |
| --- | --- | --- |
| `Choices` | the conversion to ticks | all that need ticks |
| `FitOptions` | the network in ticks on a device | `check`, `sweep`, and those below |
| `DeviceOptions` | a device | `check`, and those below |
| `BuildOptions` | one build | `compile`, and those below |
| `TrainableOptions` | a module that is trained | `export`, `tune` |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from inspect import Parameter, signature
from pathlib import Path
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    ParamSpec,
    TypedDict,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from attrs import frozen

from ..passes.pipelines import SHORTHANDS
from ..simulation.stimuli import Given

Surrogate = Literal["atan", "fast_sigmoid"]
Repeats = Literal["", "append", "entries", "passes"]
"""Meaning of a repeated option: a refusal, a list of all values, a comma-separated list, or a pipeline."""
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


@frozen
class Option:
    """Declaration of an option. Its flag is `--NAME`, with hyphens, unless `flag` is another."""

    metavar: str | None
    help: str
    default: Any = None
    repeats: Repeats = ""
    flag: str = ""


@frozen
class Declared:
    """An option with its name and its type."""

    name: str
    type: Any
    option: Option

    @property
    def flag(self) -> str:
        return self.option.flag or f"--{self.name.replace('_', '-')}"

    @property
    def dest(self) -> str:
        """Returns the name of the value in parsed arguments."""
        return self.flag.removeprefix("--").replace("-", "_")

    @property
    def kinds(self) -> tuple[Any, ...]:
        """Returns the alternatives of the type."""
        is_union = isinstance(self.type, UnionType) or get_origin(self.type) is Union
        return get_args(self.type) if is_union else (self.type,)


class Choices(TypedDict, total=False):
    """Options of `convert-nir-to-ntensor`; a missing option is chosen by the preset, or refused."""

    dt: Annotated[str | None, Option("TIME", "length of a tick, with a unit: 0.1ms, 100us, 1e-4s")]
    like: Annotated[
        str | None, Option("NAME|FILE", "a preset (nopt presets lists them), or a file in the neuron language")
    ]
    exported_by: Annotated[
        str | None, Option("NAME[@VERSION]", "the framework that wrote the file, whose conventions are corrected")
    ]
    """The numbers of this framework are repaired first."""
    reset: Annotated[
        str | None, Option("RULE", "effect of a spike on v: value, zero, subtract, or another that nopt presets lists")
    ]
    loop_delay: Annotated[str | None, Option("WHAT", "signal that is delayed by a tick in a loop: spikes or current")]
    loop_delay_at: Annotated[str | None, Option("EDGES", "the edges to delay instead: 'SOURCE->TARGET,…'")]
    rate_window: Annotated[int | None, Option("TICKS", "window that counts the spikes of synapses that read rates")]
    synapse_delay: Annotated[int | None, Option("TICKS", "delay of synapses in ticks")]
    neuron_delay: Annotated[int | None, Option("TICKS", "delay of spiking neurons in ticks")]
    output_delay: Annotated[int | None, Option("TICKS", "delay of outputs of the network in ticks")]
    precision: Annotated[
        Literal["f32", "f64"] | None,
        Option(None, "the type of values; f64 by default, or that of the weights if the target follows them"),
    ]
    options: Annotated[
        str | None,
        Option("NAME=VALUE,…", "other options of the preset's neurons; may be repeated", repeats="entries"),
    ]
    options_at: Annotated[
        str | None,
        Option(
            "NODE.NAME=VALUE,…", "options of single populations: readout.reset=none; may be repeated", repeats="entries"
        ),
    ]


class FitOptions(Choices, total=False):
    """Options of a network in ticks on a device."""

    set: Annotated[
        Sequence[str],
        Option("FIELD=VALUE", "override a field of the device: core.neurons=64", (), "append"),
    ]
    passes: Annotated[
        str,
        Option("PIPELINE", "passes on the network in ticks, before those of the target; may be repeated", "", "passes"),
    ]
    approximate: Annotated[
        Sequence[str] | str | None,
        Option(
            "NAME,…|all",
            "approximations that a device may take, on record: reset,count, or all (docs/choosing.md lists them)",
            repeats="entries",
        ),
    ]
    axes: Annotated[
        str | None,
        Option(
            "A,B,…",
            "order of the leading axes of an input: samples,ticks,… (default) or ticks,samples,…; ticks,… is one sample",
        ),
    ]
    recipe: Annotated[
        str | None,
        Option(
            "NAME", "a recipe of the device for its numbers and passes (nopt device doc lists them), instead of trials"
        ),
    ]
    effort: Annotated[
        str | None,
        Option(
            "fast|normal|best",
            "search for recipes on the sample input (none, the short list of the device by default, or all) and, in a compilation, for places on cores",
        ),
    ]


class DeviceOptions(FitOptions, total=False):
    """Options that name a device."""

    target: Annotated[str | None, Option("T[/DEVICE]", "the target (nopt targets lists them)")]
    device: Annotated[str | Path | None, Option("FILE.json", "a device file of your own, instead of --target")]


def bits_help(name: str) -> str:
    """Returns the help text of an option that is short for a pass."""
    one = next(one for one in SHORTHANDS if one.name == name)
    own = f", or the bits of a device that quantizes {one.values} itself" if one.device_field else ""
    sampled = "".join(f", with --calib also {name}={value}" for name, value in one.sample_options)
    return f"{one.text('N')}{sampled}{own}"


class BuildOptions(DeviceOptions, total=False):
    """Options that determine the network that a device computes."""

    calib: Annotated[Given | None, Option("X", "a sample input, for calibration")]
    weight_bits: Annotated[int | None, Option("N", bits_help("weight_bits"))]
    state_bits: Annotated[int | None, Option("N", bits_help("state_bits"))]
    pin: Annotated[
        Sequence[str],
        Option(
            "NODE.PARAM=VALUE,…",
            "set integers of the device's neurons and synapses by hand: 1.dv=163,0.weight=10",
            (),
            "append",
        ),
    ]


class GradientOptions(TypedDict, total=False):
    """Options of the gradients of a module of PyTorch."""

    surrogate: Annotated[
        Surrogate,
        Option("NAME", "gradient of a comparison that decides about a spike: atan (default) or fast_sigmoid", "atan"),
    ]
    surrogate_width: Annotated[
        float,
        Option("W", "its width, relative to the distance of a resting neuron from its threshold; 0.5 by default", 0.5),
    ]
    surrogate_scale: Annotated[float, Option("S", "factor of this gradient; 1 by default", 1.0)]
    detach_reset: Annotated[bool, Option(None, "no gradient flows through the reset of a spike", False)]
    thresholds: Annotated[
        bool, Option(None, "thresholds of populations are trained, too", False, flag="--train-thresholds")
    ]


class TrainableOptions(BuildOptions, GradientOptions, total=False):
    """Options of a module of PyTorch that computes what a device computes."""


@cache
def declared(group: type[Any]) -> Mapping[str, Declared]:
    """Returns the options of a group with those that it extends, by name."""
    hints = get_type_hints(group, include_extras=True)
    return {name: Declared(name, *get_args(hint)[:2]) for name, hint in hints.items()}


def complete(group: type[Any], given: Any) -> dict[str, Any]:
    """Returns all options of a group; missing ones have their defaults. Unknown keywords are kept, and the conversion refuses them."""
    return {name: one.option.default for name, one in declared(group).items()} | given


def choices_in(options: Mapping[str, Any]) -> Choices:
    """Returns the choices among options, with unknown keywords."""
    others = declared(TrainableOptions).keys() - declared(Choices).keys()
    return cast("Choices", {name: value for name, value in options.items() if name not in others})


def with_options(group: type[Any]) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Decorator of a function whose keywords `**options` are a group: `help` and completion show each of them with its default."""

    def decorate(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        typed = signature(function)
        own = [one for one in typed.parameters.values() if one.kind is not Parameter.VAR_KEYWORD]
        names = sorted(declared(group), key=lambda name: name in declared(Choices))  # choices last
        keywords = [
            Parameter(name, Parameter.KEYWORD_ONLY, default=declared(group)[name].option.default) for name in names
        ]
        cast("Any", function).__signature__ = typed.replace(parameters=[*own, *keywords])
        return function

    return decorate
