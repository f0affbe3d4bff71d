"""Options for networks in continuous time, such as `--dt` and `--like`, of every verb that needs ticks."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Sequence

from attrs import evolve

from ..api.discretisation import OPEN, Choices
from ..core.device.limits import OTHER_DEVICE
from ..core.diagnostics import Finding
from ..core.ir.pipeline import unquote
from ..passes.pipelines import DISCRETISE, PLAN, SHORTHANDS

OPTION = re.compile(
    r"\{[^{}]*\}|(?<![\w.-])(?P<name>dt-ns|dt|like|reset|loop-delay-at|loop-delay|synapse-delay|neuron-delay|output-delay|precision|options|set)="
    r'(?P<value>"(?:[^"\\]|\\.)*"|[^\s,"{}]+)'
)
"""An option of the conversion, or a field of a device, in pass syntax; text in braces belongs to a pass."""
OF_DEVICE = ("--target", "--device", "--set", "--labels", "--weight-bits", "--state-bits", "--until", "-o")
"""Options of commands for one device, which `check --target auto` does not have."""
SETTINGS = re.compile(PLAN + r'\{device="[^"]*" set=(?P<fields>"[^"]*"(?:,"[^"]*")*)\}')
"""The planning pass for a device with changed fields."""
CONVERTED = re.compile(DISCRETISE + r"\{(?P<options>[^{}]*?)(?: …)?\}(?!,)")


def configure_limits(parser: argparse.ArgumentParser) -> None:
    """Adds the option for the limits on `.nir` files, for every verb that reads one."""
    parser.add_argument(
        "--limit",
        metavar="NAME=N",
        action="append",
        default=[],
        help="limit on a .nir file: bytes, nodes, entries, depth, seconds; repeatable",
    )


def configure_axes(parser: argparse.ArgumentParser) -> None:
    """Adds the option for the order of the axes of an input, for every verb that reads one."""
    parser.add_argument(
        "--axes",
        metavar="A,B,…",
        help="order of the leading axes of an input: samples,ticks,… (default) or ticks,samples,…; ticks,… is one sample",
    )


def configure(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(f"choices that a .nir file does not determine (nopt passes {DISCRETISE})")
    group.add_argument("--dt", metavar="TIME", help="length of a tick, with a unit: 0.1ms, 100us, 1e-4s")
    group.add_argument("--like", metavar="NAME|FILE", help="a preset, or a file in the neuron language")
    group.add_argument(
        "--exported-by",
        metavar="NAME[@VERSION]",
        help="the framework that wrote the file, whose conventions are corrected",
    )
    group.add_argument("--reset", metavar="RULE", help="effect of a spike on v: value, zero or subtract")
    group.add_argument(
        "--loop-delay", metavar="WHAT", help="signal that is delayed by a tick in a loop: spikes or current"
    )
    group.add_argument("--loop-delay-at", metavar="EDGES", help="the edges to delay instead: 'SOURCE->TARGET,…'")
    for name, what in (("synapse", "synapses"), ("neuron", "spiking neurons"), ("output", "outputs of the network")):
        group.add_argument(f"--{name}-delay", metavar="TICKS", type=int, help=f"delay of {what} in ticks")
    group.add_argument("--precision", choices=("f32", "f64"), help="the type of values, f64 by default")
    group.add_argument("--options", metavar="NAME=VALUE,…", help="other options of the preset's neurons")


def chosen(args: argparse.Namespace) -> Choices:
    """Returns the choices of the command line."""
    return {
        "dt": args.dt,
        "like": args.like,
        "exported_by": args.exported_by,
        "reset": args.reset,
        "loop_delay": args.loop_delay,
        "loop_delay_at": args.loop_delay_at,
        "synapse_delay": args.synapse_delay,
        "neuron_delay": args.neuron_delay,
        "output_delay": args.output_delay,
        "precision": args.precision,
        "options": args.options,
    }


def retyped(prog: str, finding: Finding, argv: Sequence[str]) -> Finding:
    """Returns a finding about missing choices with a help line that is the typed command plus the missing options."""
    if finding.help == OTHER_DEVICE:
        return evolve(finding, help=on_any_device(argv))
    if (option := shortened(finding.help, argv)) is not None:
        return evolve(finding, help=option)
    if finding.code.name not in OPEN or not finding.help or f"{DISCRETISE}{{" not in finding.help:
        if any(DISCRETISE in arg for arg in argv):
            return finding
        has_device = any(arg.partition("=")[0] in ("--target", "--device") for arg in argv)
        at, expected, help = (
            in_options(text, has_device) if text else text for text in (finding.at, finding.expected, finding.help)
        )
        return evolve(finding, at=at or "", expected=expected, help=help)
    command, where, names = finding.help.partition(", where ")
    given = {name.lstrip("-") for name in (arg.partition("=")[0] for arg in argv) if name.startswith("--")}
    found = dict(re.findall(r"([\w-]+)=([^\s}']+)", command[command.index(DISCRETISE) :]))
    added: list[str] = []
    if "dt" not in given and "dt-ns" in found:
        added += ["--dt", time_text(int(found["dt-ns"]))]
    if "like" not in given and "like" in found:
        added += ["--like", found["like"]]
    if "loop-delay" not in given and "loop-delay" in found:
        added += ["--loop-delay", found["loop-delay"]]
    return evolve(finding, expected=OPEN[finding.code.name], help=f"{prog} {shlex.join([*argv, *added])}{where}{names}")


def shortened(help: str | None, argv: Sequence[str]) -> str | None:
    """Returns the option that was typed instead of a pass, with the value that the help line has for the pass; None without one.

    "--weight-bits 1" == shortened("ntensor-quantize-weights{bits=1 per=row}", ["x.nir", "--weight-bits", "0"])
    """
    for name, text in SHORTHANDS.items():
        option = f"--{name.replace('_', '-')}"
        before, _, after = text.format("\0").partition("\0")
        if any(arg.partition("=")[0] == option for arg in argv) and (
            found := re.fullmatch(rf"{re.escape(before)}(\d+){re.escape(after)}", help or "")
        ):
            return f"{option} {found[1]}"
    return None


def on_any_device(argv: Sequence[str]) -> str:
    """Returns the command that searches a device for the network of a command, with the same choices.

    "nopt check x.nir --dt 1ms --target auto" == on_any_device(["x.nir", "--dt", "1ms", "--target", "asic/edge", "--set", "core.neurons=4"])
    """
    kept: list[str] = []
    words = iter(argv)
    for word in words:
        if word not in OF_DEVICE:
            kept += [] if word.partition("=")[0] in OF_DEVICE else [word]
        else:
            next(words, None)
    return f"nopt check {shlex.join([*kept, '--target', 'auto'])}"


def in_options(text: str, has_device: bool) -> str:
    """Rewrites options of passes in a text to options of the verb, including `set` of a device if the verb has a device.

    "--dt 2us, if that is so" == in_options("dt-ns=2000, if that is so", False)
    """
    if text.startswith("nopt "):
        return text
    if has_device and (plan := SETTINGS.fullmatch(text)):
        return " ".join(f"--set {field}" for field in re.findall(r'"([^"]*)"', plan["fields"]))

    def replaced(match: re.Match[str]) -> str:
        name, value = match["name"], match["value"]
        if name is None or (name == "set" and not has_device):
            return match[0]
        if value.startswith('"'):
            value = unquote(value)
        if name == "dt-ns":
            return f"--dt {time_text(int(value))}" if value.isdecimal() else match[0]
        return f"--{name} {shlex.quote(value)}"

    return OPTION.sub(replaced, CONVERTED.sub(r"\g<options>", text))


def time_text(ns: int) -> str:
    """Formats a time in the largest unit in which it is an integer."""
    for unit, size in (("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if ns % size == 0:
            return f"{ns // size}{unit}"
    return f"{ns}ns"
