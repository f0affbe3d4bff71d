"""Values of configuration files as defaults of a verb's options; an option on the command line wins."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..api.configuration_files import Configuration, Setting

CHOICES = ("dt", "like", "exported_by", "reset", "loop_delay")
"""Keys of a project that apply only to a network in continuous time."""
GROUPS = ("all", "auto")
HDF5 = b"\x89HDF\r\n\x1a\n"
CONTINUOUS_GRAPH = b"nir.graph"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config", metavar="FILE", help="a configuration file, in place of the nopt.toml files that are found"
    )
    parser.add_argument("--no-config", action="store_true", help="read no configuration file")


def is_continuous(file: str) -> bool:
    """Returns whether a file contains a network in continuous time. Standard input is not read."""
    if file == "-" or not os.path.isfile(file):
        return False
    content = Path(file).read_bytes()
    return content.startswith(HDF5) or CONTINUOUS_GRAPH in content


def apply_configuration(args: argparse.Namespace) -> None:
    """Sets the options that the command line leaves open, and stores the place of each value in `args.origins`.

    Errors: API001, API002, API003, API004, API005.
    """
    args.origins = {}
    if args.no_config:
        return
    if args.config is None and not is_any_file():
        return
    from ..api.configuration_files import configuration

    found = configuration(args.config)
    for dest, setting in project_values(args, found.project):
        if getattr(args, dest, ...) is None:
            set_option(args, dest, setting)
    if getattr(args, "target", None) and hasattr(args, "set"):
        apply_backend(args, found)


def is_any_file() -> bool:
    from ..api.configuration_files import find_configurations

    return bool(find_configurations(Path.cwd()))


def set_option(args: argparse.Namespace, dest: str, setting: Setting, value: Any = None) -> None:
    setattr(args, dest, setting.value if value is None else value)
    args.origins[dest] = setting.place


def project_values(args: argparse.Namespace, project: Mapping[str, Setting]) -> Iterator[tuple[str, Setting]]:
    """Yields the values of a project that have an effect, each with its option of the verb."""
    file = getattr(args, "file", None)
    has_choices = file is None or is_continuous(file)
    options = [one.partition("=")[0].strip() for one in (getattr(args, "options", None) or "").split(",")]
    for name, setting in project.items():
        if name in CHOICES and (not has_choices or name in options):
            continue
        if name == "target" and getattr(args, "device", None) is not None:
            continue
        if name == "approximate" and not has_device(args, project):
            continue
        if name == "calib":
            yield "calib", setting
        elif name != "labels" or has_labels(args, project):
            yield name, setting


def has_device(args: argparse.Namespace, project: Mapping[str, Setting]) -> bool:
    """Returns whether a verb has a device: a chosen one, or that of the project. A search of bits has none."""
    chosen = [getattr(args, name, None) for name in ("target", "device")]
    return any(chosen) or ("target" in project and hasattr(args, "target") and getattr(args, "goal", None) is None)


def has_labels(args: argparse.Namespace, project: Mapping[str, Setting]) -> bool:
    """Returns whether labels have an effect: with a sample input, and in a run that measures accuracies."""
    if hasattr(args, "levels"):
        return args.levels or args.chips is not None
    return getattr(args, "calib", None) is not None or "calib" in project


def apply_backend(args: argparse.Namespace, found: Configuration) -> None:
    """Sets the options of the table of the target, without the fields that the command line sets."""
    slug, slash, _ = args.target.partition("/")
    if args.target in GROUPS or "," in args.target or args.device is not None:
        return
    own = found.backends.get(slug, {})
    if (device := own.get("device")) is not None and not slash:
        if device.value.endswith(".json"):
            args.origins["device"] = device.place
            args.target, args.device = None, device.value
        else:
            args.origins["target"] = device.place
            args.target = f"{slug}/{device.value}"
    if (fields := own.get("set")) is not None:
        given = args.set
        paths = {one.partition("=")[0] for one in given}
        kept = [one for one in fields.value if one.partition("=")[0] not in paths]
        set_option(args, "set", fields, [*kept, *given])
        args.origins["set"] += ", command line" if given else ""
    for name, setting in own.items():
        if name not in ("device", "set") and not getattr(args, name, ...):
            set_option(args, name, setting)
