"""Help lines as whole commands: the typed command with the change that a finding proposes.

Each alternative of a help is one line. An option replaces the typed one, and a pass is put where it works (`../passes/pipeline_edits.py`). A help that is neither
an option, nor passes, nor a command stays as it is.

    typed: nopt compile net.nir --target loihi2 --dt 1ms -p 'ntensor-legalize{device=loihi2}'
    help:  ntensor-split-fan-in{max-fan-in=64}
    =>     nopt compile net.nir --target loihi2 --dt 1ms -p 'ntensor-split-fan-in{max-fan-in=64},ntensor-legalize{device=loihi2}'
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Iterator, Sequence

from attrs import evolve, frozen

from ..core.diagnostics import ExitCode, Finding, Severity
from ..core.help_text import (
    MissingOptions,
    Option,
    OtherDevice,
    OtherKey,
    OtherWord,
    OutputFormat,
    Part,
    Passes,
    Permission,
    Plan,
    Preference,
    WholePipeline,
    WithoutOptions,
    WithoutPass,
    time_text,
)
from ..core.ir.pipeline import unwrapped
from ..core.template_stub import COR028
from ..dialects.machine.kept_mapping import KEEP_OPTION, MOVE_OPTION
from ..passes.pipeline_edits import (
    OPTIONS,
    insert_options,
    insert_passes,
    is_pipeline,
    names_device,
    parsed_steps,
    pass_name,
    replace_pass,
    split_passes,
    typed_options,
    with_device,
)
from ..passes.pipelines import CALIBRATE, DISCRETISE, LEGALIZE, LIFT, PARTITION, PLAN, RAISE, SHORTHANDS

SHORT = {one.option: one for one in SHORTHANDS}
OF_DEVICE = (
    "--target",
    "--device",
    "--set",
    "--labels",
    *SHORT,
    "--pin",
    "--probe",
    KEEP_OPTION,
    MOVE_OPTION,
    "--until",
    "-o",
)
"""Options of commands for one device, which `check --target auto` does not accept."""
PIPELINE = ("-p", "--passes", "--pass-pipeline")
OF_PIPELINE, OF_CHUNKS = (*PIPELINE, "-t"), ("--split-input-file", "--verify-diagnostics")
"""Options that only the textual driver has: first the options with a value, then the flags."""
REPEATABLE = ("--set", "--limit", "--vary", "--map", "--load-target", "--load-node")
"""Options that may be repeated; two entries for one key are one setting. A help with `--options-at` has all entries."""

APPROXIMATE = "--approximate"

LOWERINGS = ("convert-ntensor-to-", "convert-machine-to-", "machine-")
OF_REALS = re.compile(r"ntensor-(?:quantize|fit)-(?!inputs)")
"""Passes that round reals; they must run before legalisation."""

ALL_DEVICES = (["all"], ["auto"])
"""Values of `--target` that name no device."""

PINS = re.compile(r'(?<=[{ ])pin=(?:"[^"]*"|[^\s,{}]+)(?:,(?:"[^"]*"|[^\s,{}]+))* ?')
CHOICES = re.compile(r"(?P<text>.*)(?P<choices>, where [A-Z/,]+ is one of .*)", re.DOTALL)
ALTERNATIVES = re.compile(r",? or (?=nopt |--?[a-z]|[a-z][a-z-]*[={]|(?:nir|ntensor|machine|convert)-)|\n")
COMMAND = re.compile(r"^nopt (?!explain )", re.MULTILINE)
FLAG = re.compile(r"-[a-z]|--[a-z][a-z-]*")


@frozen
class Typed:
    """A command as the user typed it."""

    prog: str
    argv: tuple[str, ...]
    flags: frozenset[str] = frozenset()
    """Options of the verb."""
    switches: frozenset[str] = frozenset()
    """Options of the verb that have no value."""
    has_pipeline_syntax: bool = False
    """Whether the verb is the textual driver, where pass options are typed in pipeline syntax."""
    options_of_check: Callable[[], Collection[str]] = tuple
    """Returns the options of `nopt check`; none if they are unknown."""

    @property
    def pipeline(self) -> tuple[int | None, str]:
        return pipeline_of(self.argv)

    @property
    def steps(self) -> list[str] | None:
        """Returns the typed passes; None for a pipeline that cannot be parsed."""
        _, text = self.pipeline
        return parsed_steps(text)

    @property
    def has_passes(self) -> bool:
        return not self.flags.isdisjoint(PIPELINE)

    @property
    def has_network(self) -> bool:
        """Whether the verb compiles a network for a device."""
        return self.has_pipeline_syntax or "--target" in self.flags

    def without(self, flags: Sequence[str], value: str | None = None) -> list[str]:
        """Returns the arguments without some options."""
        return drop_options(self.argv, flags, value, self.switches)

    def command(self, argv: Sequence[str]) -> str:
        return shlex.join([*self.prog.split(), *argv])

    def with_pipeline(self, steps: Sequence[str], *more: str) -> str:
        """Returns the command with another pipeline; further options replace the typed ones."""
        place, _ = self.pipeline
        left = drop_options(self.argv, PIPELINE)
        place = len(left) if place is None else min(place, len(left))
        flag = next((word.partition("=")[0] for word in self.argv if word.partition("=")[0] in PIPELINE), "-p")
        left[place:place] = [flag, ",".join(steps)] if steps else []
        for flag in more[::2]:
            left = drop_options(left, (flag,))
        return self.command([*left, *more])


def spell(finding: Finding, typed: Typed) -> Finding:
    """Returns a finding with records in the syntax of the verb, and with whole commands as its help."""
    if finding.device is not None:
        typed = for_device(typed, finding.device)
    spelled = finding.respelled(lambda part: spell_part(part, typed, finding.step))
    if finding.help is None:
        return spelled
    help = whole_commands(spelled.help or "", typed, finding.step)
    is_refused = finding.severity is Severity.ERROR and finding.code is not COR028 and is_of_device(finding, typed)
    if is_refused and typed.has_network and not COMMAND.search(help):
        other = spell_part(OtherDevice(), typed, finding.step)  # no change of the network is known
        help = "\n".join(line for line in (help, other) if line and not is_typed(other, typed))
    return evolve(spelled, help=help or f"nopt explain {finding.code}")


def is_of_device(finding: Finding, typed: Typed) -> bool:
    """Returns whether the device of a command causes a finding: the finding names the device, or a pass of the target's pipeline refused the network.

    A calibration reads the data of the user.
    """
    if finding.device is not None or finding.step is None:
        return finding.device is not None
    own = {CALIBRATE, *(pass_name(step) for step in typed.steps or () if not names_device(step))}
    has_device = any(word.partition("=")[0] in ("--target", "--device") for word in typed.argv)
    return has_device and finding.code.exit_code is ExitCode.REFUSED and pass_name(finding.step) not in own


def for_device(typed: Typed, device: str) -> Typed:
    """Restricts a command for several devices to the device of its finding, and returns it."""
    words = list(typed.argv)
    targets = [words[k + 1] for k, word in enumerate(words[:-1]) if word == "--target"]
    targets += [word.partition("=")[2] for word in words if word.startswith("--target=")]
    return evolve(typed, argv=tuple(put_option(words, "--target", device))) if targets[-1:] in ALL_DEVICES else typed


def spell_part(part: Part, typed: Typed, refused: str | None) -> str:
    """Returns a record of a text in the syntax of the typed verb."""
    place, text = typed.pipeline
    steps = split_passes(text)
    has_device = any(word.partition("=")[0] in ("--target", "--device") for word in typed.argv)
    has_conversion = any(pass_name(step) == DISCRETISE for step in steps)
    match part:
        case MissingOptions(_, options, choices) if not typed.has_pipeline_syntax:
            given = {word.partition("=")[0] for word in typed.argv}
            added = [word for name, value in options if f"--{name}" not in given for word in (f"--{name}", value)]
            return f"{typed.command([*typed.argv, *added])}{choices.in_command}"
        case WithoutOptions(flags, value) if (left := typed.without(flags, value)) != list(typed.argv):
            return typed.command(left)
        case OtherKey() if (words := with_other_key(typed.argv, part)) != list(typed.argv):
            return typed.command(words)
        case OtherWord(word, other) if word in typed.argv:
            return typed.command([other if one == word else one for one in typed.argv])
        case WholePipeline(pipeline) if typed.has_passes:
            return typed.with_pipeline([pipeline])
        case WithoutPass(name) if (left := [step for step in steps if pass_name(step) != name]) != steps:
            return typed.with_pipeline(left)
        case Permission(names=names) if APPROXIMATE in typed.flags:
            return f"{APPROXIMATE} {','.join(sorted({*names, *permitted(typed)}))}"
        case OtherDevice() if typed.has_pipeline_syntax and place is None:
            return str(part)
        case OtherDevice() if typed.has_pipeline_syntax:
            left = drop_options(typed.argv, OF_PIPELINE)
            return on_any_device([word for word in left if word not in OF_CHUNKS], typed)
        case OtherDevice():
            return on_any_device(without_pass(typed, refused), typed)
        case Passes(text=passes) if typed.has_pipeline_syntax and (level := later_level(passes, steps)) is not None:
            return f"run {passes} before {level}"
        case Passes(text=passes, is_whole=True) if (
            refused in (None, pass_name(passes)) and (changed := replace_pass(typed.steps or (), passes)) is not None
        ):
            return typed.with_pipeline(changed)
        case Passes() if not typed.has_pipeline_syntax:
            return shorthand(typed, part) or str(part)
        case OutputFormat(name) if typed.has_pipeline_syntax and any(pass_name(step) == RAISE for step in steps):
            return typed.with_pipeline([step for step in steps if pass_name(step) != RAISE], "-t", name)
        case Plan(plan) if typed.has_pipeline_syntax and not any(pass_name(step) == PLAN for step in steps):
            return typed.with_pipeline([LIFT, plan, PARTITION, *map(without_pins, steps)])
        case Option() if typed.has_pipeline_syntax:
            return part.in_pipeline
        case Preference(name=name, value=value):
            return f"--set {shlex.quote(f'{key_of_preference(typed, name)}={value}')}"
        case Option() if not has_conversion and (has_device or not part.is_of_device):
            return part.in_command
        case _:
            return str(part)


def key_of_preference(typed: Typed, name: str) -> str:
    """Returns the key of a preference as the user typed it, or with the typed target; `preferences.NAME` without either."""
    keys = [value.partition("=")[0] for value in typed_values(typed, "--set")]
    typed_key = next((key for key in keys if key.partition(".")[2] == name), None)
    target = next((value.partition("/")[0] for value in typed_values(typed, "--target")), "preferences")
    return typed_key or f"{target}.{name}"


def typed_values(typed: Typed, option: str) -> Iterator[str]:
    """Yields the values of an option in a command."""
    for place, word in enumerate(typed.argv):
        flag, equals, value = word.partition("=")
        if flag == option:
            yield value if equals else "".join(typed.argv[place + 1 : place + 2])


def permitted(typed: Typed) -> Iterator[str]:
    """Yields the approximations that a command permits."""
    for value in typed_values(typed, APPROXIMATE):
        yield from value.split(",")


def later_level(passes: str, steps: Sequence[str]) -> str | None:
    """Returns the pass that ran before a typed pipeline although the passes of a help must precede it; None if they can be inserted."""
    names = list(map(pass_name, steps))
    if not names or not all(name.startswith(LOWERINGS) and name != RAISE for name in names):
        return None
    if names[0].startswith(("machine-", "convert-machine-to-")):
        return PARTITION if passes.startswith("ntensor-") else None
    return None if LEGALIZE in passes or not OF_REALS.search(passes) else LEGALIZE


def shorthand(typed: Typed, part: Passes) -> str | None:
    """Returns the typed shorthand option of a pass with changed bits, or the command in which the pass replaces that option."""
    given = {word.partition("=")[0] for word in typed.argv}
    for flag, short in SHORT.items():
        texts = [short.text(part.bits, has_samples=has_samples) for has_samples in (False, True)]
        if flag in given and part.text in texts:
            return f"{flag} {part.bits}"
        if flag in given and part.is_whole and short.quantizer == pass_name(part.text):
            left = evolve(typed, argv=tuple(drop_options(typed.argv, (flag,))))
            return left.with_pipeline(insert_passes(left.steps or (), part.text))
    return None


def whole_commands(help: str, typed: Typed, refused: str | None = None) -> str:
    """Returns the alternatives of a help, one in each line, without the typed command itself.

    "nopt run x.nir --dt 1ms\nnopt run x.nir --dt 2ms" == whole_commands("--dt 1ms, or --dt 2ms", Typed("nopt run", ("x.nir",), …))
    """
    choices = CHOICES.fullmatch(help)
    alternatives = [help] if choices else ALTERNATIVES.split(help)
    lines: list[str] = []
    for text in alternatives:
        match = CHOICES.fullmatch(text)
        text, tail = (match["text"], match["choices"]) if match else (text, "")
        command, prose = whole_command(text.strip(), typed, refused), ""
        if command is None and ", or " in text:
            first, _, prose = text.partition(", or ")
            command = whole_command(first.strip(), typed, refused)
        if command is None and len(alternatives) > 1 and is_of_other_verb(text, typed):
            continue
        if command is None:
            lines.append(text + tail)
        elif not is_typed(command, typed):
            lines.append(command + tail)
        if command is not None and prose:
            lines.append(prose)
    is_prose = not any(line.startswith("nopt ") for line in lines) and len(lines) == len(alternatives)
    return help if is_prose else "\n".join(dict.fromkeys(lines))


def is_of_other_verb(text: str, typed: Typed) -> bool:
    """Returns whether a text is an option that the typed verb does not accept."""
    flag = text.partition(" ")[0].partition("=")[0]
    return FLAG.fullmatch(flag) is not None and flag not in typed.flags


def is_typed(command: str, typed: Typed) -> bool:
    return command == typed.command(typed.argv)


def whole_command(text: str, typed: Typed, refused: str | None) -> str | None:
    """Returns the command for one alternative; None for a text other than an option, a pipeline or a command."""
    if text.startswith("nopt "):
        return text
    if FLAG.match(text):
        return with_flags(text, typed, refused)
    if not typed.has_passes:
        return None
    if (steps := typed.steps) is None:
        return None
    if is_pipeline(text):
        added = split_passes(text)
        chosen = [step for step in added if pass_name(step) == DISCRETISE]
        if (
            chosen
            and not typed.has_pipeline_syntax
            and "--dt" in typed.flags
            and not any(pass_name(step) == DISCRETISE for step in steps)
        ):
            typed = evolve(typed, argv=tuple(with_choices(typed.argv, chosen[0])))
            added = [step for step in added if step not in chosen]
        return (
            typed.with_pipeline(insert_passes(steps, ",".join(added), refused)) if added else typed.command(typed.argv)
        )
    if OPTIONS.fullmatch(text) and (changed := insert_options(steps, text, refused)) is not None:
        return typed.with_pipeline(changed)
    return None


def with_choices(argv: Sequence[str], conversion: str) -> list[str]:
    """Converts the options of a conversion to options of a verb, and returns the arguments."""
    words = list(argv)
    for name, values in typed_options(conversion).items():
        flag, value = ("--dt", time_text(values[0])) if name == "dt-ns" else (f"--{name}", ",".join(map(str, values)))
        words = put_option(words, flag, value)
    return words


def with_flags(text: str, typed: Typed, refused: str | None) -> str | None:
    """Returns the typed command with the options in a text; None if the text contains other words, or options that the verb does not accept."""
    try:
        words = shlex.split(text)
    except ValueError:
        return None
    options: list[list[str]] = []
    for word in words:
        flag, equals, value = word.partition("=")
        if FLAG.fullmatch(flag):
            options.append([flag, value] if equals else [flag])
        elif not options or len(options[-1]) == 2:
            return None
        else:
            options[-1].append(word)
    argv = list(typed.argv)
    for flag, *values in options:
        if flag not in typed.flags:
            return None
        if flag in PIPELINE:
            command = evolve(typed, argv=tuple(argv))
            if not values or command.steps is None or not is_pipeline(values[0]):
                return None
            argv = shlex.split(command.with_pipeline(insert_passes(command.steps, values[0], refused)))
            argv = argv[len(typed.prog.split()) :]
            continue
        command = evolve(typed, argv=tuple(argv))
        if flag == "--target" and (steps := command.steps):
            argv = shlex.split(command.with_pipeline([with_device(step, values[0]) for step in steps]))
            argv = argv[len(typed.prog.split()) :]
        argv = put_option(argv, flag, *values)
    return typed.command(argv)


def put_option(argv: Sequence[str], flag: str, *values: str) -> list[str]:
    """Replaces an option in the arguments, or appends it. A repeatable option replaces only entries with its key, and entries without a key."""
    words, left, place = list(argv), list[str](), None
    key = values[0].partition("=")[0] if values and flag in REPEATABLE else None
    while words:
        word = words.pop(0)
        name, equals, given = word.partition("=")
        if name != flag:
            left.append(word)
            continue
        if not equals and values and words:
            given = words.pop(0)
        if key is not None and given.partition("=")[0] != key and ("=" in given or "=" not in values[0]):
            left += [flag, given]
        else:
            place = len(left) if place is None else place
    place = len(left) if place is None else place
    return [*left[:place], flag, *values, *left[place:]]


def with_other_key(argv: Sequence[str], part: OtherKey) -> list[str]:
    """Replaces the typed key by another key in the entries of a repeatable option, and returns the arguments."""
    flag, entry = shlex.split(part.in_command)
    words, typed, other = list(argv), f"{part.key}=", f"{entry.partition('=')[0]}="
    for place, word in enumerate(words):
        start = f"{flag}={typed}"
        if word.startswith(start):
            words[place] = f"{flag}={other}{word.removeprefix(start)}"
        elif place and words[place - 1] == flag and word.startswith(typed):
            words[place] = other + word.removeprefix(typed)
    return words


def without_pass(typed: Typed, refused: str | None) -> list[str]:
    """Removes the pass that refused, and passes for one device, from the arguments: the device to be found requires other passes."""
    place, text = typed.pipeline
    dropped = None if refused is None else pass_name(refused)
    kept = [step for step in split_passes(text) if pass_name(step) != dropped and not names_device(step)]
    if place is None or ",".join(kept) == text:
        return list(typed.argv)
    left = drop_options(typed.argv, PIPELINE)
    left[place:place] = ["--passes", ",".join(kept)] if kept else []
    return left


def without_pins(step: str) -> str:
    """Returns a pass without its pins. Pins name the vertices of one plan, and other plans have other vertices."""
    return PINS.sub("", step).replace("{}", "")


def on_any_device(argv: Sequence[str], typed: Typed) -> str:
    """Returns the command that searches a device for the network of a command, with the same choices.

    "nopt check x.nir --dt 1ms --target auto" == on_any_device(["x.nir", "--dt", "1ms", "--target", "asic/edge", "--set", "core.neurons=4"], typed)
    """
    of_check = frozenset(typed.options_of_check())
    others = typed.flags - of_check - {*OF_DEVICE} if of_check else ()
    left = drop_options(drop_options(argv, OF_DEVICE), sorted(others), switches=typed.switches)
    return f"nopt check {shlex.join([*left, '--target', 'auto'])}"


def drop_options(
    argv: Sequence[str], flags: Sequence[str], value: str | None = None, switches: Collection[str] = ()
) -> list[str]:
    """Removes options and their values from the arguments; with `value`, only occurrences with that value. `switches` are options without a value."""
    kept: list[str] = []
    words = iter(argv)
    for word in words:
        flag, equals, given = word.partition("=")
        if flag not in flags:
            kept.append(word)
            continue
        if flag in switches:
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
