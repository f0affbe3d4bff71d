"""Edits of a typed pipeline, for help lines: a pass of the help is inserted where it works, or replaces the typed pass of the same name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from xdsl.passes import ModulePass
from xdsl.utils.exceptions import ArgSpecParseError

from ..core import registry
from ..core.diagnostics import Refused
from ..core.ir.pipeline import normalize_pipeline, option_text, parse_pipeline, pass_text, specs_of
from .pipelines import rank_of

PASS = re.compile(r'[\w-]+(?:\{(?:"(?:[^"\\]|\\.)*"|[^{}"])*\})?')
"""A pass of a pipeline with its options."""
VALUE = r'(?:"[^"]*"|[^\s",{}]+)'
OPTIONS = re.compile(rf"[a-z][a-z-]*={VALUE}(?:,{VALUE})*(?: [a-z][a-z-]*={VALUE}(?:,{VALUE})*)*")
"""Options of a pass without the pass."""
SELECTION = "nodes"
"""Option that restricts a pass to some nodes; passes with different selections are separate steps."""
DEVICES = ("device", "to")
"""Options that name a device."""
UNITED = ("approximate", "keep")
"""Options that permit something; permissions of several edits accumulate."""


def split_passes(text: str) -> list[str]:
    """Returns the passes of a pipeline with their options, as they were typed."""
    return PASS.findall(text)


def parsed_steps(text: str) -> list[str] | None:
    """Returns the passes of a pipeline as they were typed, or None if it cannot be parsed."""
    steps = split_passes(text)
    try:
        specs_of(normalize_pipeline(text))
    except (ArgSpecParseError, ValueError):  # the first is a BaseException
        return None
    return steps if ",".join(steps) == text.replace(" ,", ",").replace(", ", ",").strip() else None


def pass_name(step: str) -> str:
    return step.partition("{")[0]


def is_pipeline(text: str) -> bool:
    """Returns whether a text is a valid pipeline of known passes."""
    steps = split_passes(text)
    if not steps or ",".join(steps) != text or any(pass_name(step) not in registry.passes() for step in steps):
        return False
    try:
        parse_pipeline(text, registry.passes())
    except Refused:
        return False
    return True


def typed_options(step: str) -> Mapping[str, tuple[Any, ...]]:
    """Returns the typed options of a pass, each a tuple of values; none if it cannot be parsed."""
    (spec,) = specs_of(normalize_pipeline(step))
    return {name.replace("_", "-"): tuple(values) for name, values in spec.parameters.items()}


def names_device(step: str) -> bool:
    """Returns whether a pass is for a device of nopt: by its option `device` or `to`."""
    options = typed_options(step) if "{" in step else {}
    named = (str(value).partition("/") for key in DEVICES for value in options.get(key, ()))
    return any(name in registry.devices().get(target, {}) for target, _, name in named)


def with_device(step: str, device: str) -> str:
    """Replaces the device of a pass by another one, and returns the pass.

    'ntensor-legalize{device="c/int8"}' == with_device('ntensor-legalize{device="c/int4"}', "c/int8")
    """
    if not names_device(step):
        return step
    options = {key: (device,) if key in DEVICES else values for key, values in typed_options(step).items()}
    return step_text(pass_name(step), options)


def step_text(name: str, options: Mapping[str, tuple[Any, ...]]) -> str:
    """Formats a pass with its options. An option without a value is a flag."""
    words = [f"{key}={option_text(values)}" if values else key for key, values in options.items()]
    return f"{name}{{{' '.join(words)}}}" if words else name


def merge_steps(old: str, new: str) -> str:
    """Merges the options of a help into a typed pass. Permissions of both are united, and options that the pass does not define are left out.

    "a{bits=4 per=row}" == merge_steps("a{bits=8 per=row}", "a{bits=4}")
    """
    merged = {key: values for key, values in typed_options(old).items() if takes_options(old, [key])}
    for key, values in typed_options(new).items():
        is_united = key in UNITED and takes_list(old, key)
        merged[key] = tuple(dict.fromkeys([*merged.get(key, ()), *values])) if is_united else values
    return step_text(pass_name(old), merged)


def takes_list(step: str, option: str) -> bool:
    """Returns whether an option of a pass has several values."""
    known: Any = registry.passes()[pass_name(step)]()
    return any(field.name == option.replace("-", "_") and "tuple" in str(field.type) for field in fields(known))


def takes_options(step: str, keys: Sequence[str]) -> bool:
    """Returns whether a pass defines all options in `keys`."""
    made = registry.passes().get(pass_name(step))
    if made is None or not is_dataclass(cls := made()):
        return False
    known: Any = cls
    return {key.replace("-", "_") for key in keys} <= {field.name for field in fields(known)}


def with_repairs(steps: Sequence[ModulePass], repairs: Sequence[str]) -> list[ModulePass]:
    """Returns the passes of a target, the first of each name with the options of the repair of this name."""
    changed = list(steps)
    for repair in repairs:
        place = next((k for k, step in enumerate(changed) if step.name == pass_name(repair)), None)
        if place is not None:
            (changed[place],) = parse_pipeline(merge_steps(pass_text(changed[place]), repair), registry.passes())
    return changed


def insert_passes(typed: Sequence[str], added: str, refused: str | None = None) -> list[str]:
    """Inserts the passes of a help into a pipeline, each at a position where it works, and returns the pipeline.

    The help of the pass that refused the network is complete and replaces that pass; another typed pass keeps its further options. Passes for
    other nodes are other passes. A new pass, or one that was typed too late, precedes the one that refused the network, and all that
    `rank_of` orders after it.
    """
    steps = list(typed)
    position: int | None = None
    for new in split_passes(added):
        place = next(
            (k for k, old in enumerate(steps) if pass_name(old) == pass_name(new) and are_one_step(old, new)), None
        )
        if place is not None and place < (position or 0):  # two passes of the help
            place = None
        if place is not None:
            old = steps.pop(place)
            is_same = typed_options(old) == typed_options(new)
            new = old if is_same else new if pass_name(new) == refused else merge_steps(old, new)
            if not is_same and refused not in [pass_name(step) for step in steps[:place]]:
                steps.insert(place, new)
                position = place + 1
                continue
        end = next(
            (k for k, step in enumerate(steps) if refused is not None and pass_name(step) == refused), len(steps)
        )
        later = next((k for k, step in enumerate(steps) if rank_of(pass_name(step)) > rank_of(pass_name(new))), end)
        if pass_name(new) in map(pass_name, steps):  # for the chosen nodes, before the same pass for all
            later = min(later, next(k for k, step in enumerate(steps) if pass_name(step) == pass_name(new)))
        place = max(min(later, end), position or 0)
        steps.insert(place, new)
        position = place + 1
    return steps


def replace_pass(typed: Sequence[str], new: str) -> list[str] | None:
    """Replaces the typed pass with the same name and the most options in common, and returns the pipeline; None if no typed pass has the name.

    ["a{bits=8}", "a{bits=3 nodes=x}"] == replace_pass(["a{bits=8}", "a{bits=2 nodes=x}"], "a{bits=3 nodes=x}")
    """
    options = typed_options(new).items()
    known = {
        k: len(options & typed_options(step).items())
        for k, step in enumerate(typed)
        if pass_name(step) == pass_name(new)
    }
    if not known:
        return None
    place = max(known, key=lambda k: known[k])
    return [*typed[:place], new, *typed[place + 1 :]]


def are_one_step(old: str, new: str) -> bool:
    """Returns whether a pass of a help replaces a typed one: both for the same nodes."""
    return typed_options(old).get(SELECTION) == typed_options(new).get(SELECTION)


def insert_options(typed: Sequence[str], text: str, refused: str | None = None) -> list[str] | None:
    """Adds options to the pass that refused the network, else to the last pass that defines them, and returns the pipeline; None if no pass defines them."""
    keys = re.findall(r"(?:^| )([a-z][a-z-]*)=", text)
    owners = [k for k, step in enumerate(typed) if takes_options(step, keys)]
    if not owners:
        return None
    place = next((k for k in owners if pass_name(typed[k]) == refused), owners[-1])
    return [*typed[:place], merge_steps(typed[place], f"{pass_name(typed[place])}{{{text}}}"), *typed[place + 1 :]]
