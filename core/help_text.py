"""Texts of findings that contain options, passes or commands, which each verb spells in its own syntax.

A `Phrase` is a text whose parts are records. No code parses a message: a verb replaces the parts for the command that was typed
(`tools/spelling.py`).

    Phrase(time_step(100_000), ", if the network was trained with it")
      in a pipeline:  dt-ns=100000, if the network was trained with it
      of a verb:      --dt 100us, if the network was trained with it
"""

from __future__ import annotations

import shlex
from collections.abc import Callable

from attrs import frozen

OR = ", or "
"""Text between alternatives."""


@frozen
class Option:
    """Text with one form in a pipeline and one as an option of a verb."""

    in_pipeline: str
    in_command: str
    is_of_device: bool = False
    """Whether only a verb with a device has the option."""

    def __str__(self) -> str:
        return self.in_pipeline


@frozen
class Flag(Option):
    """Option that is printed in the form of a verb if no command was typed."""

    def __str__(self) -> str:
        return self.in_command


@frozen
class OtherKey(Flag):
    """Option `FLAG KEY=VALUE` with another key than the typed one."""

    key: str = ""
    """The typed key, which is replaced."""


@frozen
class Preference(Flag):
    """Option of a pass that is also a preference of each target whose pipeline runs the pass. A verb names the typed target."""

    name: str = ""
    value: str = ""


@frozen
class Plan(Option):
    """Plan of a network for another device; passes on a machine graph run after it, not before it."""


@frozen
class Passes:
    """Passes that remove the finding."""

    text: str
    bits: int | None = None
    """Option `bits` of a single pass, for verbs with an option of the same meaning."""
    is_whole: bool = False
    """Whether a single pass has all its options, so that it replaces the typed one."""

    def __str__(self) -> str:
        return self.text


@frozen
class PassesOption(Passes):
    """Option of a verb with passes that remove the finding; they run on the network in ticks."""

    def __str__(self) -> str:
        return f"--passes '{self.text}'"


@frozen
class Permission(PassesOption):
    """Permission of approximations. A verb without the option has the passes instead."""

    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"--approximate {','.join(self.names)}"


@frozen
class WholePipeline:
    """Pipeline in place of the typed one."""

    text: str

    def __str__(self) -> str:
        return f"-p {shlex.quote(self.text)}"


@frozen
class WithoutPass:
    """The typed command without a pass."""

    name: str

    def __str__(self) -> str:
        return f"leave {self.name} out"


@frozen
class MissingOptions:
    """The typed command with further options; `text` is the command that runs the conversion alone."""

    text: str
    options: tuple[tuple[str, str], ...]
    """Options of a verb with their values, `("dt", "1ms")`."""
    choices: Option = Option("", "")
    """Choices for the placeholders among the values."""

    def __str__(self) -> str:
        return f"{self.text}{self.choices}"


@frozen
class WithoutOptions:
    """The typed command without some options."""

    flags: tuple[str, ...]
    value: str | None = None
    """The value to leave out, for an option that occurs several times."""
    in_pipeline: str | None = None
    """Text for a command without these options."""

    def __str__(self) -> str:
        if self.in_pipeline is not None:
            return self.in_pipeline
        return f"leave {', '.join(self.flags)}{f' {self.value}' if self.value is not None else ''} out"


@frozen
class OtherWord:
    """The typed command with another word in place of a typed one; `text` is a command without either."""

    typed: str
    other: str
    text: str

    def __str__(self) -> str:
        return self.text


@frozen
class OtherDevice:
    """Search for a device that fits the network."""

    def __str__(self) -> str:
        return "nopt check FILE --target auto"


@frozen
class OutputFormat:
    """Another output format than the one that a conversion refused."""

    name: str

    def __str__(self) -> str:
        return f"-t {self.name}"


Part = (
    Option
    | Passes
    | PassesOption
    | Permission
    | WholePipeline
    | WithoutPass
    | MissingOptions
    | WithoutOptions
    | OtherWord
    | OtherDevice
    | OutputFormat
)


class Phrase(str):
    """Text that is made of strings and records; as a string it has the default form of each record, and each alternative once."""

    parts: tuple[str | Part, ...]

    def __new__(cls, *parts: str | Part) -> Phrase:
        made = super().__new__(cls, OR.join(dict.fromkeys("".join(map(str, parts)).split(OR))))
        made.parts = tuple(inner for part in parts for inner in (part.parts if isinstance(part, Phrase) else (part,)))
        return made

    def __getnewargs__(self) -> tuple[str | Part, ...]:  # pyrefly: ignore[bad-override]
        return self.parts

    def spelled(self, spell: Callable[[Part], str]) -> str:
        """Returns the text with each record in the form that `spell` returns."""
        return "".join(part if isinstance(part, str) else spell(part) for part in self.parts)


def spell_records(text: str, spell: Callable[[Part], str]) -> str:
    """Returns a text with its records, if it has any, in the form that `spell` returns."""
    return text.spelled(spell) if isinstance(text, Phrase) else text


def in_command(text: str) -> str:
    """Returns a text with each option in the syntax of verbs."""
    return spell_records(text, lambda part: part.in_command if isinstance(part, Option) else str(part))


def option(name: str, value: str, text: str | None = None) -> Option:
    """Returns an option with the same name in pipelines and verbs; `text` is its value in a pipeline."""
    return Option(f"{name}={value if text is None else text}", f"--{name} {shlex.quote(value)}")


def time_step(ns: int) -> Option:
    """Returns the option for the length of a tick."""
    return Option(f"dt-ns={ns}", f"--dt {time_text(ns)}")


def setting(path: str, value: object) -> Option:
    """Returns the option that overrides a field of a device."""
    return Option(f'set="{path}={value}"', f"--set {shlex.quote(f'{path}={value}')}", is_of_device=True)


def preference(name: str, value: object) -> Phrase:
    """Returns the option of a pass that targets have as a preference of the same name."""
    text, field = str(value), name.replace("-", "_")
    setting = shlex.quote(f"preferences.{field}={text}")
    return Phrase(Preference(f"{name}={text}", f"--set {setting}", name=field, value=text))


def other_key(flag: str, key: str, other: str, value: str, in_pipeline: str | None = None) -> OtherKey:
    """Returns an option with a key in place of an unknown one. The typed value remains; `value` is for a text without a command."""
    in_command = f"{flag} {shlex.quote(f'{other}={value}')}"
    return OtherKey(in_command if in_pipeline is None else in_pipeline, in_command, key=key)


def exported_by(name: str) -> Option:
    """Returns the option that names the exporter of a file."""
    return Flag(f'by="{name}"', f"--exported-by {name}")


def time_text(ns: int) -> str:
    """Formats a time in the largest unit in which it is an integer."""
    for unit, size in (("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if ns % size == 0:
            return f"{ns // size}{unit}"
    return f"{ns}ns"
