"""Writes a working template to fill in, with its goldens.

target: a package with a target, its dialect and a device; the parts that its author writes refuse with COR028. dialect, pass: into the plug-in
package --at DIR, or in a package of its own. A pass works on the level that its name starts with: ntensor_, nir_ or machine_. device: a device file with every section, and the JSON Schema for editors. With --in-tree, the
files are at the paths of a checkout of nopt.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..api.templates.new import new_device, new_dialect, new_pass, new_target
from ..core.diagnostics import Diagnostics
from .command import refuse_misuse, show_result

PROG = "nopt new"
EXAMPLES = {
    "a device file": ["nopt new device my_chip"],
    "a target, a dialect and a pass, as packages": [
        "nopt new target my_target",
        "nopt new dialect my_dialect",
        "nopt new pass my_pass",
    ],
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kind", choices=("target", "dialect", "pass", "device"), help="kind of template")
    parser.add_argument("name", metavar="NAME", help="its name, lower case")
    parser.add_argument("--at", metavar="DIR", default=".", help="the output folder; default: the current one")
    parser.add_argument("--in-tree", action="store_true", help="target, dialect, pass: DIR is a checkout of nopt")
    parser.add_argument(
        "--step", metavar="FOLDER", help="pass, with --in-tree: the folder of passes/; default: normalize"
    )


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    kind, name = args.kind, args.name
    if args.step is not None and not (kind == "pass" and args.in_tree):
        expected, help = "--step with pass and --in-tree", f"nopt new pass {name} --in-tree --step {args.step}"
        refuse_misuse(PROG, f"--step does not apply to a {kind}", expected, f"--step {args.step}", help)
    if args.in_tree and kind == "device":
        expected, help = "a target, dialect or pass", f"nopt new device {name}"
        refuse_misuse(PROG, "--in-tree does not apply to a device", expected, "--in-tree", help)
    match kind:
        case "target":
            written = new_target(name, args.at, args.in_tree)
        case "dialect":
            written = new_dialect(name, args.at, args.in_tree)
        case "pass":
            written = new_pass(name, args.at, args.in_tree, args.step or "normalize")
        case _:
            written = new_device(name, args.at)
    paths = [str(path) for path in written]
    show_result(
        args.format,
        lambda: {"schema": "nopt.new/1", "written": paths},
        lambda: "\n".join([*paths, f"next: {next_command(kind, written, args.in_tree)}"]),
    )


def next_command(kind: str, written: list[Path], in_tree: bool) -> str:
    """Returns the command that demonstrates the template."""
    if kind == "device":
        return f"nopt device check {written[0]}"
    if in_tree:
        goldens = sorted(
            {str(path) for path in written if path.suffix in (".mlir", ".test") and path.parent.name != "inputs"}
        )
        return f"make docs, then lit {' '.join(goldens)}"
    project = next((path.parent for path in written if path.name == "pyproject.toml"), None)
    if project is None:
        return "lit lit-tests, in the folder of the package"
    return f"lit {project}/lit-tests"
