"""Common parts of all verbs: the parser of their options, and the output of findings.

A verb is a module with `PROG`, `EXAMPLES`, `configure(parser)` and `run(args, diagnostics) -> int | None`, the exit code if it is not 0; its docstring is its help text.
Results go to standard output, findings to standard error: remarks and warnings first, errors last, each once. A verb whose result
is its findings defines `REPORTS = True`; then standard error stays empty unless the command is misused. A verb that can run long defines
`IS_LONG = True`, and has the option `--max-time`. A verb with additional output formats defines `FORMATS`. The textual driver defines `HAS_PIPELINE_SYNTAX = True`.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import traceback
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stderr, redirect_stdout, suppress
from difflib import get_close_matches
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from attrs import evolve

from ..core.counts import count_of
from ..core.diagnostics import Code, Diagnostics, ExitCode, Finding, Refused, refuse
from ..core.files import reason_of
from ..core.help_text import Phrase, WithoutOptions
from ..core.output import json_text, printable, printable_line, shortened
from ..core.plugin_faults import PluginCalls
from ..core.plugins import LEFT_OUT
from ..core.sarif import sarif
from . import configured
from .printed_findings import report
from .verbs import VERBS, verb_module

if TYPE_CHECKING:
    from ..api.json_record import Record
    from .spelling import Typed

CLI001 = Code("CLI001", "command-unparsable", "the command cannot be parsed", exit_code=ExitCode.MISUSED)
CLI002 = Code("CLI002", "out-of-memory", "there is not enough memory")
CLI004 = Code("CLI004", "internal-error", "internal error of nopt", exit_code=ExitCode.BUG)

SIMILAR = 0.73
"""Minimum similarity of a misspelling: --lables is one of --labels, but --axes is not."""
MLIR = "mlir-"
UNKNOWN_OPTION = re.compile(r"unrecognized arguments: (-[^\s=]+)")
MAX_TIME: dict[str, Any] = {
    "metavar": "TIME",
    "help": "end with exit code 4 after this time: 30s, 2min, 1h, or none",
}
FORMATS = ("text", "json", "sarif")
SUBJECTS = ("file", "subject", "source", "a")
"""Arguments of the verbs that name a network, a device file, a Python file or a directory, each the first one of its verb."""
REPEATS = "repeats it"
"""End of the note with a command that repeats a defect."""
VERBOSE = ("-v", "--verbose")


class Verb(Protocol):
    """Interface of the modules of this folder that are verbs."""

    __doc__: str | None
    PROG: str
    EXAMPLES: Mapping[str, Sequence[str]]
    """Commands for each task of the verb; they work as they are, on files of these names."""

    def configure(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace, diagnostics: Diagnostics) -> int | None: ...


class StoreOnce(argparse.Action):
    """Stores the value of an option; refuses a second, different value. Errors: CLI001."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        stored: dict[str, Any] = vars(namespace).setdefault("stored", {})
        first = stored.setdefault(self.dest, values)
        if option_string is not None and first is not values and first != values:
            refuse(
                CLI001,
                f"{option_string} has two values",
                at=parser.prog,
                expected=f"one {option_string}",
                found=f"{first} and {values}",
                help=Phrase(WithoutOptions(tuple(self.option_strings), str(first))),
            )
        setattr(namespace, self.dest, values)


def whole_number(text: str) -> int:
    """Returns an integer that 64 bits hold. Raises ArgumentTypeError for another text."""
    number = count_of(text.strip().lstrip("+-"))
    if number is None:
        raise argparse.ArgumentTypeError(f"invalid int value: {shortened(text)!r}")
    return -number if text.strip().startswith("-") else number


class Parser(argparse.ArgumentParser):
    """An argument parser that reports errors as findings."""

    argv: Sequence[str] = ()
    """The arguments to parse, for help lines."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.register("action", None, StoreOnce)
        self.register("type", int, whole_number)

    @property
    def flags(self) -> Sequence[str]:
        """All options."""
        return list(self._option_string_actions)

    @property
    def switches(self) -> Sequence[str]:
        """The options that have no value."""
        return [flag for flag, action in self._option_string_actions.items() if action.nargs == 0]

    def error(self, message: str) -> NoReturn:
        unknown = UNKNOWN_OPTION.match(message)
        if unknown is None:
            refuse(CLI001, message, at=self.prog, help=f"{self.prog} {'- ' * (self.prog == 'nopt')}--help")
        others = verbs_with(unknown[1])
        near = None if others else self.near_words(unknown[1])
        if near is not None:
            unparsed = message.partition(": ")[2].split()
            respelled = self.respelled(unknown[1], near, unparsed)
            refuse(CLI001, message, at=self.prog, help=f"{self.prog} {shlex.join(respelled)}")
        refuse(
            CLI001,
            message,
            at=self.prog,
            expected=f"an option of {self.prog}; {unknown[1]} is one of {', '.join(others)}" if others else None,
            help=f"{others[0] if others else 'nopt -' if self.prog == 'nopt' else self.prog} --help",
        )

    def respelled(self, unknown: str, near: Sequence[str], unparsed: Sequence[str]) -> list[str]:
        """Returns the arguments with an option in place of an unknown one. The value of the latter is left out if the option takes none."""
        words: list[str] = []
        is_switch = near[-1] in self.switches
        for position, word in enumerate(self.argv):
            before = self.argv[position - 1] if position else ""
            if word.split("=")[0] == unknown:
                words += [*near[:-1], near[-1] + ("" if is_switch else word[len(unknown) :])]
            elif not (is_switch and before == unknown and word in unparsed):
                words.append(word)
        return words

    def near_words(self, unknown: str) -> list[str] | None:
        """Returns the option that an unknown one probably means: one with a similar name or a prefix of it, or `-p` if the name is a pass."""
        name = unknown.lstrip("-")
        if "--passes" in self.flags:
            from ..api.modules import available_passes

            if name in available_passes():
                return ["-p", name]
        prefix = MLIR if name.startswith(MLIR) else ""  # a common prefix would make all names of mlir-opt similar
        names = {flag.lstrip("-"): flag for flag in self.flags if flag.startswith("--")}
        names |= {str(one.metavar).lower(): one.option_strings[0] for one in self._actions if one.dest == "o"}
        rest = name.removeprefix(prefix)
        bare = {known.removeprefix(prefix): flag for known, flag in names.items() if known.startswith(prefix)}
        longer = [known for known in bare if len(known) > 3 and rest.startswith(known)]
        near = get_close_matches(rest, bare, 1, SIMILAR) or sorted(longer, key=len)[-1:]
        return [bare[near[0]]] if near else None


def verbs_with(flag: str) -> list[str]:
    """Returns the commands that accept an option."""
    verbs: list[Any] = [verb_module(name) for name in VERBS]
    return [verb.PROG for verb in verbs if flag in parser_of(verb).flags]


def example_lines(examples: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yields the lines of the examples of a verb; a shell ignores the tasks."""
    yield "examples:"
    for task, commands in examples.items():
        yield f"  # {task}"
        yield from (f"  {command}" for command in commands)


@cache
def parser_of(verb: Any) -> Parser:
    """Returns the parser of a verb, with the options that all verbs share; the same one each time."""
    parser = Parser(
        prog=verb.PROG,
        description=(verb.__doc__ or "").strip(),
        epilog="\n".join(example_lines(verb.EXAMPLES)),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    verb.configure(parser)
    formats = getattr(verb, "FORMATS", FORMATS)
    parser.add_argument(
        "--format", choices=formats, default="text", help="format of findings and tables; sarif: findings only"
    )
    parser.add_argument(
        "--quiet", action="store_true", help="print errors alone: no warning, remark, progress, summary or table"
    )
    parser.add_argument("--strict", action="store_true", help="treat warnings and remarks as errors")
    if getattr(verb, "HAS_DETAILS", False):
        parser.add_argument(*VERBOSE, action="store_true", help="print all details, and remarks in full")
    if getattr(verb, "IS_LONG", False):
        parser.add_argument("--max-time", **MAX_TIME)
    parser.add_argument(
        "--load-target",
        metavar="FILE",
        action="append",
        default=[],
        help="a Python file with a target that is not installed; may be repeated",
    )
    parser.add_argument(
        "--load-node",
        metavar="FILE",
        action="append",
        default=[],
        help="a file of neurons for types of nodes that NIR does not define; may be repeated",
    )
    configured.configure(parser)
    parser.add_argument("--traceback", action="store_true", help="print the Python traceback of an error or defect")
    return parser


def execute(verb: Any, argv: Sequence[str]) -> int:
    """Runs a verb, prints its findings, and returns the exit code."""
    diagnostics = Diagnostics(late=LEFT_OUT.values())
    format, args = format_of(argv), None
    code = ExitCode.DONE
    try:
        try:
            parser = parser_of(verb)
            parser.argv = argv
            if lost := next((text for text in argv if text.startswith("-") and text.endswith("=--")), None):
                parser.error(f"argument {lost[:-3]}: invalid value: '--'")  # argparse would store an empty list
            args = parser.parse_args(argv, argparse.Namespace(typed=list(argv)))
        except SystemExit:  # --help has printed
            return ExitCode.DONE
        diagnostics.is_strict = args.strict
        if args.load_target:
            from ..api.catalogue.listing import load_target

            for file in args.load_target:
                load_target(file)
        if args.load_node:
            from ..frontends.node_types.loaded_types import load_node_types

            for file in args.load_node:
                load_node_types(file)
        configured.apply_configuration(args)
        with (
            silenced(getattr(verb, "HAS_PIPELINE_SYNTAX", False)) if args.quiet else nullcontext(),
            time_budget(args, verb.PROG),
            array_limit(args),
            PluginCalls(),
        ):
            code = verb.run(args, diagnostics) or ExitCode.DONE
        diagnostics.extend(LEFT_OUT.values())
        if args.strict:
            diagnostics.promote_warnings()
    except Refused as refusal:
        if "--traceback" in argv:
            traceback.print_exc()
        words = [*verb.PROG.split(), *argv]
        diagnostics.extend(with_traceback(with_command(finding, words), words) for finding in refusal.findings)
    except MemoryError as failure:
        diagnostics.error(
            CLI002,
            at=verb.PROG,
            expected="memory for the network and its arrays",
            found=str(failure) or "a failed allocation",
            help="ulimit -v, which prints the limit of this shell in KiB",
        )
    if args is not None and getattr(args, "junit", None) is not None:
        from .junit import write_cases

        with diagnostics.collecting():
            write_cases(args, verb.PROG, diagnostics)
    if not getattr(verb, "REPORTS", False) or diagnostics.findings:
        from .spelling import spell

        typed = typed_command(verb, argv)
        found = diagnostics.errors if "--quiet" in argv else diagnostics.findings
        is_brief = not getattr(args, "verbose", True)
        report([spell(finding, typed) for finding in found], format, subject_file(args), is_brief=is_brief)
    is_shown = args is not None and format == "text" and not args.quiet and not diagnostics.errors
    if is_shown and (closing := getattr(verb, "closing", None)) is not None and (text := closing(args)):
        show(text)
    return max([code, *(finding.code.exit_code for finding in diagnostics.errors)])


def time_budget(args: argparse.Namespace, prog: str) -> AbstractContextManager[object]:
    """Returns the context of `--max-time`. Errors: API022; COR006 the time is used up."""
    if getattr(args, "max_time", None) is None:
        return nullcontext()
    from ..api.budgets import budget_of

    is_typed = "max_time" not in args.origins
    return budget_of(args.max_time, None if is_typed else f"{prog} {shlex.join([*args.typed, '--max-time', 'none'])}")


def typed_command(verb: Any, argv: Sequence[str]) -> Typed:
    """Returns a command of a verb, for help lines. They are the same with and without `-v`."""
    from .spelling import Typed

    is_driver = getattr(verb, "HAS_PIPELINE_SYNTAX", False)
    words = [word for word in argv if not getattr(verb, "HAS_DETAILS", False) or word not in VERBOSE]
    parser = parser_of(verb)

    def options_of_check() -> Sequence[str]:
        return parser_of(verb_module("check")).flags

    flags, switches = frozenset(parser.flags), frozenset(parser.switches)
    return Typed(verb.PROG, tuple(words), flags, switches, is_driver, options_of_check)


def array_limit(args: argparse.Namespace) -> AbstractContextManager[None]:
    """Returns a context that applies `--limit bytes=N` to inputs, too, for verbs with this option. Errors: NIF036."""
    given: list[str] | None = getattr(args, "limit", None)
    if given is None:
        return nullcontext()
    from ..core.arrays.allowance import limited_arrays
    from ..frontends.limits import limits_of

    is_set = any(text.startswith("bytes=") for text in given)
    return limited_arrays(limits_of(given).bytes if is_set else None, "--limit bytes=")


@contextmanager
def silenced(has_output: bool) -> Generator[None]:
    """Discards printed text, except the output of the textual driver."""
    with (
        open(os.devnull, "w", encoding="utf-8") as nowhere,
        redirect_stderr(nowhere),
        nullcontext() if has_output else redirect_stdout(nowhere),
    ):
        yield


def format_of(argv: Sequence[str]) -> str:
    """Returns the requested format. It does not parse the options, so that a misuse is reported in this format, too."""
    pairs = list(pairwise(argv))
    return next((name for name in FORMATS if f"--format={name}" in argv or ("--format", name) in pairs), "text")


def refuse_misuse(prog: str, message: str, expected: str, found: str, help: str) -> NoReturn:
    """Refuses inconsistent options."""
    refuse(CLI001, message, at=prog, expected=expected, found=found, help=help)


def no_effect(flags: Sequence[str]) -> str:
    """Returns the statement that options have no effect.

    "--dt and --like have no effect" == no_effect(["--dt", "--like"])
    """
    *others, last = flags
    return f"{', '.join(others)} and {last} have no effect" if others else f"{last} has no effect"


def subject_file(args: argparse.Namespace | None) -> str | None:
    """Returns the network, device file or directory of a command, for the locations of findings; None for a command without one."""
    typed = next((str(name) for name in (getattr(args, subject, None) for subject in SUBJECTS) if name), "")
    paths = (typed, typed.rpartition(":")[0])  # FILE.py:NAME
    return next((path for path in paths if path == "-" or os.path.exists(path)), None)


def show(text: str) -> None:
    """Prints text of a result to standard output, with control characters escaped."""
    print(printable(text))


def show_result(
    format: str,
    record: Callable[[], Mapping[str, Any]],
    text: Callable[[], str],
    findings: Sequence[Finding] | None = None,
    file: str | None = None,
) -> None:
    """Prints the result of a verb as one document in the requested format.

    SARIF contains only `findings`, which are the result of some verbs; without them, the log on standard error is complete. `file` is that of `sarif`.
    """
    if format == "json":
        print(json_text(record()))
    elif format != "sarif":
        show(text())
    elif findings is not None:
        print(json_text(sarif(findings, file)))


def show_list(format: str, kind: str, entries: Sequence[Record], text: Callable[[], str]) -> None:
    """Prints a list of entries; the record is `nopt.KIND/1`."""
    show_result(format, lambda: {"schema": f"nopt.{kind}/1", kind: [one.as_json() for one in entries]}, text)


def table(rows: Sequence[Sequence[str]]) -> str:
    """Formats rows in columns as wide as their widest entry."""
    entries = [list(map(printable_line, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*entries, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in entries)


def report_unwritten(failure: Exception, argv: Sequence[str]) -> int:
    """Reports that standard output, or a file without a name, cannot be written. Errors: API012."""
    from ..api.atomic_files import API012

    expected, found = "a device that takes the output", reason_of(failure)
    message = "standard output cannot be written"
    finding = Finding(API012, message, expected=expected, found=found, help="df -h .")
    with suppress(OSError):  # standard error may be on the same device
        report([finding], format_of(argv))
    return ExitCode.REFUSED


def with_command(finding: Finding, words: Sequence[str]) -> Finding:
    """Adds a note with the reproducing command to a finding about a defect, unless a note contains one."""
    if finding.code.exit_code is not ExitCode.BUG or any(REPEATS in note for note in finding.notes):
        return finding
    same = ", with the same standard input," if "-" in words else ""
    return evolve(finding, notes=[*finding.notes, f"{shlex.join(words)}{same} {REPEATS}"])


def with_traceback(finding: Finding, words: Sequence[str]) -> Finding:
    """Adds a help line, the command that prints the calls, to a finding about a defect that has none."""
    if finding.code.exit_code is not ExitCode.BUG or finding.help is not None:
        return finding
    return evolve(finding, help=f"{shlex.join(words)} --traceback")


def report_defect(defect: Exception, argv: Sequence[str]) -> int:
    """Reports an internal error and the command that repeats it; with `--traceback` also the traceback."""
    if "--traceback" in argv:
        traceback.print_exception(defect)
    words = str(defect).split("\n")[0][:200]
    finding = Finding(
        CLI004,
        f"internal error of nopt: {type(defect).__name__}{f': {words}' if words else ''}",
        help="run the command again with --traceback, and report its output with the input",
        notes=getattr(defect, "__notes__", ()),
    )
    report([with_command(finding, ["nopt", *argv])], format_of(argv))
    return ExitCode.BUG
