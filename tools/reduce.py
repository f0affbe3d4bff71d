"""Shrinks a network to the smallest that still has a finding, for a report or a test.

The finding is that of `nopt FILE -p …`, or with a target or choices that of `nopt check FILE …`, else that of `nopt compile FILE …`. Nodes,
neurons, numbers, passes and options that the finding does not need are removed, as mlir-reduce and llvm-reduce do. At the end the printed command
runs on the written file again, and reports the finding.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from attrs import define, evolve, field, frozen
from xdsl.dialects.builtin import TensorType, f32, i1

from ..api.atomic_files import write_whole, writing
from ..api.modules import available_passes, format_of, network_formats, read, write
from ..api.reducing.reduce import Reduction, Size, reduce
from ..api.reducing.search import Exhausted, minimize
from ..core.budget import Partial, expired
from ..core.diagnostics import Code, Diagnostics, Refused, refuse
from ..core.ir.operation import element_type, shape_of
from ..core.ir.pipeline import parse_pipeline, pass_text, typed_text
from ..core.output import printable_line
from ..core.plugin_faults import COR023
from ..passes.pipelines import SHORTHANDS
from . import choices, configured
from .command import CLI004, refuse_misuse, show_result
from .progress import Bar
from .repeated import Command, Findings, findings_of
from .spelling import drop_options

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute
    from xdsl.passes import ModulePass

    from ..core.progress import Progress

CLI006 = Code("CLI006", "finding-not-reported", "the command does not report the finding")
CLI007 = Code("CLI007", "finding-lost-on-writing", "the finding is lost when the network is written")

PROG = "nopt reduce"
IS_LONG = True
EXAMPLES = {
    "the smallest network that a pass refuses": [
        "nopt reduce net.nir -p 'convert-nir-to-ntensor{dt-ns=100000}' --code ANA020 -o small.mlir"
    ],
    "the smallest network with a finding about a device": [
        "nopt reduce net.nir --target asic/edge --dt 1ms --like norse --code LEG015 -o small.nir"
    ],
}

OPTIONS = ("passes", "emit", "target", "device", "set", "calib", "axes", "max_memory", "load_target")
OF_COMPILE = (*(one.name for one in SHORTHANDS), "pin")
"""Options of a compilation alone."""


@frozen
class Sought:
    """The finding that is kept."""

    code: str
    node: str | None = None
    match: str | None = None
    start: str = ""
    """Start of its message."""

    def is_in(self, findings: Findings) -> bool:
        return any(map(self.is_this, findings))

    def is_this(self, finding: Mapping[str, Any]) -> bool:
        return (
            finding["code"] == self.code
            and self.node in (None, finding["node"])
            and (self.match is None or self.match in json.dumps(finding, ensure_ascii=False))
            and finding["message"].startswith(self.start)
        )

    def with_exception(self, findings: Findings) -> Sought:
        """Adds the exception of an internal error to its finding, because different exceptions are different defects."""
        first = next(one for one in findings if self.is_this(one))
        is_defect = self.code in (CLI004.id, COR023.id)
        message: str = first["message"]
        return evolve(self, start=":".join(message.split(":")[:2])) if is_defect else self


@define
class Trials:
    """Trials: runs of a command on networks, in a temporary folder."""

    sought: Sought
    folder: Path
    stem: str
    format: str
    most: int
    progress: Progress | None = None
    count: int = 0
    known: dict[tuple[bytes, str], bool] = field(factory=dict[tuple[bytes, str], bool])

    @property
    def file(self) -> Path:
        return self.folder / f"{self.stem}.{self.format}"

    def findings(self, module: ModuleOp, command: Command) -> Findings:
        """Runs a command on a module and returns its findings. Errors: those of writing the module."""
        self.count += 1
        if self.progress is not None:
            self.progress(self.count, self.most)
        with writing(self.file.name):
            self.file.write_bytes(network_bytes(module, self.format))
        return findings_of(self.words(command, self.file), self.folder)

    def words(self, command: Command, file: Path) -> list[str]:
        """Returns the arguments of a command, with all outputs in the temporary folder."""
        words = command.words(str(file), str(self.folder / "build"))
        words += [] if command.verb else ["-o", str(self.folder / "out")]
        return words if command.reads_no_files else [*words, "--no-config"]

    def has_finding(self, module: ModuleOp, command: Command) -> bool:
        """Returns whether a command reports the finding about a module; it does not if the module cannot be written."""
        if expired("trials") is not None:  # a trial kept its finished parts
            raise Exhausted
        try:
            data = network_bytes(module, self.format)
        except Refused:
            return False
        key = sha256(data).digest(), command.text("")
        if key not in self.known:
            self.known[key] = self.sought.is_in(self.findings(module, command))
        return self.known[key]


def network_bytes(module: ModuleOp, format: str) -> bytes:
    """Returns a network as the content of a file; findings about the conversion are discarded. Errors: those of the format."""
    data = write(module, format=format, diagnostics=Diagnostics())
    return data.encode() if isinstance(data, str) else data


def configure(parser: argparse.ArgumentParser) -> None:
    choices.add_options(parser, "file")
    parser.add_argument("--code", metavar="ABC001", required=True, help="the code of the finding")
    parser.add_argument("--node", metavar="NAME", help="the node that the finding names")
    parser.add_argument("--match", metavar="TEXT", help="text that the finding contains")
    parser.add_argument(
        "--max-steps",
        metavar="N",
        type=int,
        default=1000,
        help="trials at most, by default 1000; the smallest so far is the result",
    )
    parser.add_argument(
        "-o",
        metavar="OUT",
        default="-",
        help="the smaller network: .mlir, .nir or .json; by default textual IR is printed",
    )
    choices.add_option(
        parser, "--passes", help="passes: those of nopt FILE -p, or with a device or choices those of check"
    )
    parser.add_argument("-t", "--emit", metavar="FORMAT", help="the output format of nopt FILE -t")
    choices.add_option(parser, "--target", metavar="T[/DEVICE]|all|auto")
    choices.add_options(parser, "--device", "--set", "--calib", "--axes", "--max-memory", "--arrays", "--limit")
    for name in OF_COMPILE:
        more: dict[str, Any] = {"action": "append", "default": []} if name == "pin" else {"type": int}
        parser.add_argument(f"--{name.replace('_', '-')}", metavar="N", help="as in nopt compile", **more)
    choices.configure(parser)


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    format = format_of(args.o)
    if format not in network_formats():
        refuse_misuse(
            PROG,
            f"{format} is not a format of networks",
            ", ".join(f".{name}" for name in network_formats()),
            args.o,
            "-o small.mlir",
        )
    if args.max_steps < 1:
        refuse_misuse(PROG, "no trial is left", "--max-steps 1 or more", str(args.max_steps), "--max-steps 1000")
    with Bar("trials") as bar, tempfile.TemporaryDirectory(prefix="nopt-") as folder:
        stem = "network" if args.file == args.o == "-" else Path(args.file if args.o == "-" else args.o).stem
        sought = Sought(args.code, args.node, args.match)
        trials = Trials(sought, Path(folder), stem, format, args.max_steps, bar.progress)
        module = read_network(args)
        command = first_command(args, module, trials)
        found, command = smallest(module, command, trials)
        line = command.text(f"{stem}.mlir" if args.o == "-" else args.o)
        data = network_bytes(found.module, format)
        data = f"// {printable_line(line)}\n".encode() + data if format == "mlir" else data
        if args.o != "-":
            write_whole(args.o, data)
        check_again(trials, command, Path(args.o), data)
    before, after = Size.of(module), Size.of(found.module)
    record = {
        "schema": "nopt.reduction/1",
        "command": line,
        "from": before.as_json(),
        "to": after.as_json(),
        "trials": trials.count,
        "is_complete": found.is_complete,
        "written": None if args.o == "-" else args.o,
        "text": data.decode() if args.o == "-" else None,
    }
    summary = f"from {before} to {after}, {trials.count} trials"
    if (over := expired("trials")) is not None:
        diagnostics.add(over)
    elif not found.is_complete:
        summary += "; no trial is left, --max-steps allows more"
    if args.o == "-" and args.format == "text":
        sys.stdout.write(data.decode())
        print(f"{summary}\n{printable_line(line)}", file=sys.stderr)
    else:
        show_result(args.format, lambda: record, lambda: f"{summary}\n{line}")


def smallest(module: ModuleOp, command: Command, trials: Trials) -> tuple[Reduction, Command]:
    """Returns the smallest network and the shortest command. When the time budget ends, the smallest ones found so far are returned."""
    with Partial():
        command = smaller_command(module, command, trials)
    enter = spikes_as_values if trials.format != "mlir" else lambda type: type
    left = max(1, trials.most - trials.count)
    found = reduce(module, lambda one: trials.has_finding(one, command), enter=enter, max_trials=left)
    return found, smaller_command(found.module, command, trials)


def read_network(args: argparse.Namespace) -> ModuleOp:
    """Returns the network of the command. Errors: CLI007 it cannot be read; COR008."""
    try:
        return read(args.file, arrays=args.arrays, limits=args.limit, diagnostics=Diagnostics())
    except Refused as refusal:
        if args.code not in {finding.code.id for finding in refusal.findings}:
            raise
        refuse(
            CLI007,
            "the file cannot be read, and only networks are reduced",
            file=args.file,
            expected="a finding about a network that is read",
            found=refusal.findings[0].message,
            help=f"nopt explain {args.code}",
        )


def spikes_as_values(type: Attribute) -> Attribute:
    """Returns the type of a new input: spikes become f32 values, because inputs of NIR are values."""
    return TensorType(f32, shape_of(type)) if element_type(type) == i1 else type


def commands(args: argparse.Namespace) -> Iterator[Command]:
    """Yields the commands that may report the finding, in the order in which they are tried."""
    names = (*OPTIONS, *choices.choices_of(args), *OF_COMPILE)
    options = {name: value for name in names if (value := getattr(args, name)) not in (None, "", [])}
    reads_no_files = args.no_config or args.config is not None or configured.is_any_file()
    made = {name for name in options if name not in ("passes", "emit", "load_target")}
    if args.emit is not None or (args.passes and not made):
        yield Command("", options, reads_no_files)
        return
    if not made & set(OF_COMPILE):
        yield Command("check", options, reads_no_files)
    if args.device is not None or args.target not in (None, "all", "auto"):
        yield Command("compile", options, reads_no_files)


def first_command(args: argparse.Namespace, module: ModuleOp, trials: Trials) -> Command:
    """Returns the first command that reports the finding about the whole network.

    Errors: COR007; CLI006 no command reports it; CLI007 it is lost in the format of the output.
    """
    others: list[Findings] = []
    for command in commands(args):
        others.append(trials.findings(module, command))
        if trials.sought.is_in(others[-1]):
            trials.sought = trials.sought.with_exception(others[-1])
            return command
        if (over := expired("the first trial")) is not None:
            raise Refused(over)
        if args.file != "-" and trials.sought.is_in(findings_of(trials.words(command, Path(args.file)), trials.folder)):
            refuse_lost(args, module, trials, command, codes_text(others[-1]))
    about = f' about "{args.node}"' if args.node else ""
    errors = [one["code"] for found in others for one in found if one["severity"] == "error"]
    codes = [*errors, *(one["code"] for found in others for one in found)]
    refuse(
        CLI006,
        f"{args.code} is not among the findings{about}",
        at=next(commands(args)).text(args.file),
        expected=f"a finding {args.code}{about}" + (f" that contains {args.match!r}" if args.match else ""),
        found="; ".join(dict.fromkeys(map(codes_text, others))),
        help=typed_with(args, "--code", codes[0], without=("--node", "--match"))
        if codes
        else f"nopt explain {args.code}",
    )


def refuse_lost(args: argparse.Namespace, module: ModuleOp, trials: Trials, command: Command, found: str) -> NoReturn:
    """Refuses a network whose finding is lost in the format of the output. Errors: CLI007."""
    formats = [name for name in network_formats() if evolve(trials, format=name).has_finding(module, command)]
    refuse(
        CLI007,
        f"the network in the format {trials.format} does not have {args.code}",
        at=command.text(args.file),
        expected=f"{args.code} about the network that is written",
        found=found,
        help=typed_with(args, "-o", f"small.{formats[0]}") if formats else f"nopt explain {args.code}",
    )


def typed_with(args: argparse.Namespace, flag: str, value: str, without: Sequence[str] = ()) -> str:
    """Returns the typed command with another value of an option."""
    left = drop_options(args.typed, (flag, *without))
    return f"{PROG} {shlex.join([*left, flag, value])}"


def codes_text(findings: Findings) -> str:
    """Lists the codes of findings, each once."""
    return ", ".join(dict.fromkeys(one["code"] for one in findings)) or "no finding"


def smaller_command(module: ModuleOp, command: Command, trials: Trials) -> Command:
    """Removes passes, pass options and options that are not necessary for the finding, and returns the command."""

    def accepts(candidate: Command) -> bool:
        return trials.count < trials.most and expired("trials") is None and trials.has_finding(module, candidate)

    def with_steps(texts: Sequence[str]) -> Command:
        options = {name: value for name, value in command.options.items() if name != "passes"}
        return evolve(command, options={"passes": ",".join(texts), **options} if texts else options)

    if "passes" in command.options:
        steps = parse_pipeline(command.options["passes"], available_passes())
        texts = minimize([typed_text(step) for step in steps], lambda left: accepts(with_steps(left)))
        command = with_steps(texts)
        for k, text in enumerate(texts):
            step = parse_pipeline(text, available_passes())[0]
            for shorter in without_options(step):
                candidate = [*texts[:k], pass_text(shorter), *texts[k + 1 :]]
                if accepts(with_steps(candidate)):
                    return smaller_command(module, with_steps(candidate), trials)
    for shorter in command.without():
        if accepts(shorter):
            return smaller_command(module, shorter, trials)
    return command


def without_options(step: ModulePass) -> Iterator[ModulePass]:
    """Yields variants of a pass, each without one option."""
    if not dataclasses.is_dataclass(step):  # pyrefly: ignore[partially-unknown-type]
        return
    for option in dataclasses.fields(step):
        if option.name == "name" or option.default is dataclasses.MISSING:
            continue
        if getattr(step, option.name) != option.default:
            yield dataclasses.replace(step, **{option.name: option.default})


def check_again(trials: Trials, command: Command, file: Path, data: bytes) -> None:
    """Runs the printed command on the written file. If it does not report the finding, removes the file and raises a RuntimeError."""
    if str(file) == "-":
        trials.file.write_bytes(data)
    written = trials.file if str(file) == "-" else file
    if not trials.sought.is_in(findings_of(command.words(str(written), str(trials.folder / "build")), trials.folder)):
        written.unlink()
        raise RuntimeError(f"{command.text(str(file))} does not report {trials.sought.code} again")
