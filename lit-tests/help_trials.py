"""Help lines as commands: what somebody types who follows the help of a refusal.

A help line is one or several alternatives between `, or `. The kinds of an alternative:

    command   nopt run x.nir --dt 1ms             typed as it is
    option    --dt 1ms; -p ntensor-fold-scale     added to the command that was typed, in place of the same option
    passes    ntensor-quantize-weights{bits=4}    in the pipeline that was typed: in place of the same pass, or as one more
    options   bits=4 per=row                      in the braces of a pass of the pipeline that was typed
    set       --set core.neurons=4                an option, repeatable
    form      nopt FILE -o OUT                    holds a place that only the user can fill; not tried
    words     --dt 1ms, if that is so             words after an option or command: cannot be typed, which is a failure
    prose     anything else                       not tried
"""

from __future__ import annotations

import re
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CHOICES = re.compile(r"(?P<text>.*), where (?P<name>[A-Z]+) is one of (?P<choices>.*)", re.DOTALL)
BRACES = r"(?:\{[^{}]*\})?"
PASS = r"(?:nir|ntensor|machine|c|convert|canonicalize|cse)(?:-[a-z0-9]+)+" + BRACES
PASSES = re.compile(rf"{PASS}(?:,{PASS})*")
OPTION_TEXT = re.compile(r'(?:[a-z][a-z-]*=(?:"[^"]*"|[^\s",{}]+))(?: [a-z][a-z-]*=(?:"[^"]*"|[^\s",{}]+))*')
ALTERNATIVE = re.compile(r",? or (?=nopt |-|[a-z][a-z-]*[={]|(?:nir|ntensor|machine)-)")
OF_CONVERSION = re.compile(
    r"(dt-ns|like|reset|loop-delay|loop-delay-at|rate-window|(synapse|neuron|output)-delay|precision|options-at|set)="
)
"""Options that a verb has as its own: where it was typed, this form is refused."""
FLAG = re.compile(r"-p|-t|-o|-j|--[a-z][a-z-]*")
VERBS = (
    "run",
    "compile",
    "check",
    "compare",
    "sweep",
    "explain",
    "passes",
    "engines",
    "presets",
    "targets",
    "device",
    "new",
)
WITH = re.compile(rf"{PASS} (with|of) ")
"""A pass whose options are told in words."""
PROSE = ("prints", "writes", "keeps", "which", "with", "lists")
"""Words after a command that tell what it does."""
FORM = re.compile(r"\b(?:FILE|DIR|TARGET/NAME|A,B|EDGE|NAME|TIME|N|X)\b|…")
"""Places that only the user can fill."""
REPEATABLE = ("--set", "--limit", "--vary")
PIPELINE = ("-p", "--passes", "--pass-pipeline")


@dataclass(frozen=True)
class Trial:
    """One command to try. A help is good if one trial solves its refusal, or each trial that is needed."""

    kind: str
    argv: list[str]
    files: dict[str, str] = field(default_factory=dict)
    is_needed: bool = False
    """The next trial runs also where this one succeeds: another choice of a list."""
    is_last: bool = False
    """No further trial runs where this one fails."""


def trials(argv: Sequence[str], finding: Any, chunk: tuple[str, int] | None) -> Iterator[Trial]:
    """The commands that the help of a finding stands for, after the command `argv` was refused."""
    typed, files = on_chunk(argv, chunk)
    is_list = CHOICES.fullmatch(finding.help) is not None
    texts = list(expanded(finding.help)) if is_list else ALTERNATIVE.split(finding.help)
    for text in texts:
        if WITH.match(text) or (FORM.search(text) and not FORM.search(" ".join(argv))):
            yield Trial("form", [])
            continue
        made = [(kind, tried) for kind, tried in one(typed, argv, text) if sorted(tried) != sorted(argv)]
        for place, (kind, changed) in enumerate(made):
            yield Trial(kind, changed, files, is_list, is_list and place == len(made) - 1)


def expanded(help: str) -> Iterator[str]:
    match = CHOICES.fullmatch(help)
    if match is None:
        yield help
        return
    for choice in re.split(r", | or ", match["choices"]):
        yield match["text"].replace(match["name"], choice)


def on_chunk(argv: Sequence[str], chunk: tuple[str, int] | None) -> tuple[list[str], dict[str, str]]:
    """The command on the chunk alone, with its line numbers."""
    left = [arg for arg in argv if arg not in ("--split-input-file", "--verify-diagnostics")]
    if chunk is None or left == list(argv):
        return list(argv), {}
    text, offset = chunk
    name = str(Path(tempfile.gettempdir()) / "nopt-help-chunk.mlir")
    for place, arg in enumerate(left):
        if arg.endswith((".mlir", ".test")) and Path(arg).is_file():
            return [*left[:place], name, *left[place + 1 :]], {name: "\n" * offset + text}
    return left, {}


def one(typed: Sequence[str], argv: Sequence[str], text: str) -> Iterator[tuple[str, list[str]]]:
    """The commands that one alternative stands for."""
    text = text.strip()
    if text.startswith("nopt "):
        try:
            words = shlex.split(text)[1:]
        except ValueError:
            return
        if any(word in PROSE for word in words):
            yield "words", []
            return
        if list(typed) != list(argv):
            files = {arg for arg in argv if arg.endswith((".mlir", ".test"))}
            mine = next(arg for arg in typed if arg.endswith("nopt-help-chunk.mlir"))
            words = [mine if word in files else word for word in words]
        yield "command", words
    elif match := FLAG.match(text):
        options = options_of(text)
        if options is None:
            yield "words", []
            return
        *first, last = options
        for option in first:
            *_, typed = with_options(typed, option)
        for changed in with_options(typed, last):
            yield "set" if match[0] == "--set" else "option", changed
    elif (match := PASSES.match(text)) and not re.match(r"[\w=]", text[match.end() :]):
        for changed in with_passes(typed, match[0]):
            yield "passes", changed
    elif match := OPTION_TEXT.match(text):
        for changed in with_pass_options(typed, match[0]):
            yield "options", changed


def options_of(text: str) -> list[list[str]] | None:
    """The options of a text, each with its value; None where other words are among them."""
    found: list[list[str]] = []
    for word in shlex.split(text):
        if FLAG.fullmatch(word.partition("=")[0]):
            found.append([word])
        elif not found or len(found[-1]) == 2:
            return None
        else:
            found[-1].append(word)
    return found


def with_options(typed: Sequence[str], words: Sequence[str]) -> Iterator[list[str]]:
    """The commands with an option: in place of the same option where it was typed, and as one more."""
    flag, value = words[0], list(words[1:])
    names = PIPELINE if flag in PIPELINE else (flag,)
    places = [place for place, arg in enumerate(typed) if arg.partition("=")[0] in names]
    for place in places:
        end = place + (1 if "=" in typed[place] or not value else 2)
        yield [*typed[:place], *typed[end:], flag, *value]
        if flag in PIPELINE and value:
            yield [*typed[:place], flag, f"{typed[end - 1]},{value[0]}", *typed[end:]]
            yield [*typed[:place], flag, f"{value[0]},{typed[end - 1]}", *typed[end:]]
    if not places or flag in REPEATABLE:
        yield [*typed, flag, *value]


def split_passes(pipeline: str) -> list[str]:
    return [m[0] for m in re.finditer(r'[\w-]+(?:\{(?:"[^"]*"|[^{}"])*\})?', pipeline)]


def merged(old: str, new: str) -> str:
    """A pass with the options of two of its texts; the new ones win."""
    name = new.partition("{")[0]
    options: dict[str, str] = {}
    for text in (old, new):
        inside = text.partition("{")[2].removesuffix("}")
        options.update(
            (m[1], m[0]) for m in re.finditer(r'([\w-]+)(?:=(?:"[^"]*"|[^\s,"]+)(?:,(?:"[^"]*"|[^\s,"]+))*)?', inside)
        )
    return f"{name}{{{' '.join(options.values())}}}" if options else name


def pipeline_of(typed: Sequence[str]) -> tuple[int, list[str]] | None:
    for name in PIPELINE:
        if name in typed:
            place = typed.index(name) + 1
            text = typed[place]
            wrapped = re.fullmatch(r"\s*builtin\.module\((.*)\)\s*", text, re.DOTALL)
            return place, split_passes(wrapped[1] if wrapped else text)
    return None


def with_passes(typed: Sequence[str], text: str) -> Iterator[list[str]]:
    """The command with passes put into its pipeline: in place of the same pass, before each other pass, at the end."""
    added = split_passes(text)
    found = pipeline_of(typed)
    if found is None:
        yield [*typed, "-p", text]
        return
    place, old = found

    def put(steps: Sequence[str]) -> list[str]:
        return [*typed[:place], ",".join(steps), *typed[place + 1 :]]

    name = added[0].partition("{")[0]
    for number, step in enumerate(old):
        if step.partition("{")[0] == name:
            yield put([*old[:number], merged(step, added[0]), *added[1:], *old[number + 1 :]])
            yield put([*old[:number], *added, *old[number + 1 :]])
    for number in range(len(old), -1, -1):
        yield put([*old[:number], *added, *old[number:]])


def with_pass_options(typed: Sequence[str], text: str) -> Iterator[list[str]]:
    """The command with options put into the braces of one of its passes."""
    found = pipeline_of(typed)
    if found is None:
        if OF_CONVERSION.match(text):
            yield [*typed, "-p", f"convert-nir-to-ntensor{{{text}}}"]
        return
    place, old = found
    for number, step in enumerate(old):
        name = step.partition("{")[0]
        steps = [*old[:number], merged(step, f"{name}{{{text}}}"), *old[number + 1 :]]
        yield [*typed[:place], ",".join(steps), *typed[place + 1 :]]
