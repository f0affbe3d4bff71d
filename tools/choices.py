"""Options for networks in continuous time, such as `--dt` and `--like`, of every verb that needs ticks."""

from __future__ import annotations

import argparse

from ..api.discretisation import Choices
from ..passes.pipelines import DISCRETISE


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
