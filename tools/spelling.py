"""Help lines in the syntax of the typed verb: each record of a `Phrase` becomes an option or a command that works as it is.

A verb prints an option of a pass as its own option. The textual driver prints it as an option of a pass.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Sequence

from attrs import evolve

from ..core import registry
from ..core.diagnostics import Finding
from ..core.ir.pipeline import unwrapped
from ..core.phrases import (
    MissingOptions,
    Option,
    OtherDevice,
    OutputFormat,
    Part,
    Passes,
    PassesOption,
    Plan,
    WithoutOptions,
)
from ..passes.pipelines import DISCRETISE, LIFT, PARTITION, PLAN, RAISE, SHORTHANDS

OF_DEVICE = ("--target", "--device", "--set", "--labels", "--weight-bits", "--state-bits", "--pin", "--until", "-o")
"""Options of commands for one device, which `check --target auto` does not have."""
PIPELINE = ("-p", "--passes", "--pass-pipeline")
OF_PIPELINE, OF_CHUNKS = (*PIPELINE, "-t"), ("--split-input-file", "--verify-diagnostics")
"""Options of a command with a pipeline that verbs do not have: those with a value, and those without."""
PASS = re.compile(r'[\w-]+(?:\{(?:"[^"]*"|[^{}"])*\})?')
"""A pass of a typed pipeline with its options."""


PINS = re.compile(r'(?<=[{ ])pin=(?:"[^"]*"|[^\s,{}]+)(?:,(?:"[^"]*"|[^\s,{}]+))* ?')
ALTERNATIVES = re.compile(r"(,? or )")


def spell_for_verb(finding: Finding, prog: str, argv: Sequence[str], has_passes: bool = True) -> Finding:
    """Returns a finding with help lines in the syntax of a verb, whose command is `prog` with the arguments `argv`.

    Passes alone become the option of a verb that has it, unless a pipeline was typed in which they can be put.
    """
    typed = {arg.partition("=")[0] for arg in argv}
    has_device = bool(typed & {"--target", "--device"})
    has_conversion = any(DISCRETISE in arg for arg in argv)

    def spell(part: Part) -> str:
        match part:
            case MissingOptions(_, options):
                added = [word for name, value in options if f"--{name}" not in typed for word in (f"--{name}", value)]
                return f"{prog} {shlex.join([*argv, *added])}"
            case WithoutOptions(flags, value) if (left := drop_options(argv, flags, value)) != list(argv):
                return shlex.join([*prog.split(), *left])
            case OtherDevice():
                return on_any_device(without_pass(argv, finding.step))
            case Passes(text, bits):
                flags = {f"--{name.replace('_', '-')}": pass_text for name, pass_text in SHORTHANDS.items()}
                own = [flag for flag, pass_text in flags.items() if flag in typed and pass_text.format(bits) == text]
                return f"{own[0]} {bits}" if own else text
            case Option() if not has_conversion and (has_device or not part.is_of_device):
                return part.in_command
            case _:
                return str(part)

    respelled = finding.respelled(spell)
    has_option = has_passes and typed.isdisjoint(PIPELINE) and respelled.help is not None
    return evolve(respelled, help=with_passes_option(respelled.help)) if has_option and respelled.help else respelled


def is_pipeline(text: str, known: Collection[str]) -> bool:
    """Returns whether a text consists of known passes."""
    steps: list[str] = PASS.findall(text)
    return bool(steps) and ",".join(steps) == text and all(step.partition("{")[0] in known for step in steps)


def with_passes_option(help: str) -> str:
    """Returns a help line of passes alone as an option of a verb; any other line as it is.

    "--passes 'a{x=1},b', or --passes c" == with_passes_option("a{x=1},b, or c")
    """
    known = registry.passes()
    parts = ALTERNATIVES.split(help)
    if not all(is_pipeline(text, known) for text in parts[::2]):
        return help
    return "".join(f"--passes {shlex.quote(text)}" if k % 2 == 0 else text for k, text in enumerate(parts))


def spell_for_pipeline(finding: Finding, prog: str, argv: Sequence[str]) -> Finding:
    """Returns a finding with help lines in the syntax of pipelines.

    Without the pass that refused it, a network can be written as text. A plan for another device starts from the network.
    """
    place, typed = pipeline_of(argv)
    passes = PASS.findall(typed)

    def spell(part: Part) -> str:
        match part:
            case WithoutOptions(flags, value) if (left := drop_options(argv, flags, value)) != list(argv):
                return shlex.join([*prog.split(), *left])
            case PassesOption() if place is None:
                return f"compile the network with {part}"
            case _:
                return str(part) if place is None else spell_in_pipeline(part, place)

    def spell_in_pipeline(part: Part, place: int) -> str:
        match part:
            case OtherDevice():
                return on_any_device([arg for arg in drop_options(argv, OF_PIPELINE) if arg not in OF_CHUNKS])
            case OutputFormat(name) if RAISE in passes:
                return with_pipeline(prog, argv, place, [step for step in passes if step != RAISE], "-t", name)
            case Plan(text) if not any(step.startswith(PLAN) for step in passes):
                return with_pipeline(prog, argv, place, [LIFT, text, PARTITION, *map(without_pins, passes)])
            case Option():
                return part.in_pipeline
            case _:
                return str(part)

    return finding.respelled(spell)


def without_pass(argv: Sequence[str], refused: str | None) -> list[str]:
    """Returns the arguments without a typed pass: the device that is searched may need another one."""
    place, typed = pipeline_of(argv)
    kept: list[str] = [
        step for step in PASS.findall(typed) if refused is None or step.partition("{")[0] != refused.partition("{")[0]
    ]
    if place is None or ",".join(kept) == typed:
        return list(argv)
    left = drop_options(argv, PIPELINE)
    left[place:place] = ["--passes", ",".join(kept)] if kept else []
    return left


def without_pins(step: str) -> str:
    """Returns a pass without its pins, which name the vertices of a plan; another plan has others."""
    return PINS.sub("", step).replace("{}", "")


def on_any_device(argv: Sequence[str]) -> str:
    """Returns the command that searches a device for the network of a command, with the same choices.

    "nopt check x.nir --dt 1ms --target auto" == on_any_device(["x.nir", "--dt", "1ms", "--target", "asic/edge", "--set", "core.neurons=4"])
    """
    return f"nopt check {shlex.join([*drop_options(argv, OF_DEVICE), '--target', 'auto'])}"


def drop_options(argv: Sequence[str], flags: Sequence[str], value: str | None = None) -> list[str]:
    """Returns the arguments without some options and their values; with `value`, only the options that have it."""
    kept: list[str] = []
    words = iter(argv)
    for word in words:
        flag, equals, given = word.partition("=")
        if flag not in flags:
            kept.append(word)
            continue
        given = given if equals else next(words, "")
        if value is not None and given != value:
            kept += [word] if equals else [word, given]
    return kept


def pipeline_of(argv: Sequence[str]) -> tuple[int | None, str]:
    """Returns the index of the first option with a typed pipeline, and the text of all of them."""
    first, texts = None, list[str]()
    for place, arg in enumerate(argv):
        name, equals, value = arg.partition("=")
        if name in PIPELINE and (equals or place + 1 < len(argv)):
            first = place if first is None else first
            texts.append(unwrapped(value if equals else argv[place + 1]))
    return first, ",".join(texts)


def with_pipeline(prog: str, argv: Sequence[str], place: int, passes: Sequence[str], *more: str) -> str:
    """Returns the typed command with another pipeline; further options replace the typed ones."""
    left = drop_options(argv, PIPELINE)
    left[place:place] = ["-p", ",".join(passes)] if passes else []
    for flag in more[::2]:
        left = [arg for k, arg in enumerate(left) if arg != flag and (k == 0 or left[k - 1] != flag)]
    return f"{prog} {shlex.join([*left, *more])}"
