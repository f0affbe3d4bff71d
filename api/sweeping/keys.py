"""Keys of a sweep with their values: options of passes, and fields of devices.

| key | varies |
| --- | --- |
| `SHORT.OPTION` | an option of the pass `ntensor-quantize-SHORT` |
| `PASS.OPTION` | an option of a pass, by its whole name |
| `FIELD` | a field of the devices, by the path that `--set` takes |
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

import attrs
from attrs import evolve, frozen

from ...core.device.device import Device, fields_that_can_be_set, override_field, path_of_field
from ...core.device.numbers import numbers
from ...core.diagnostics import Code, ExitCode, Refused, choices_text, first_of, refuse
from ...core.help_text import Phrase, other_key
from ...core.ir import pipeline
from ...passes.pipelines import CONTINUOUS, QUANTIZE
from ..modules import available_passes

SWE001 = Code(
    "SWE001",
    "sweep-key-unknown",
    "a key names no option of a pass, and no field of a device",
    exit_code=ExitCode.MISUSED,
)
SWE005 = Code(
    "SWE005",
    "continuous-pass-not-variable",
    "a pass on networks in continuous time cannot be varied",
    exit_code=ExitCode.MISUSED,
)
SWE011 = Code(
    "SWE011",
    "sweep-key-ambiguous",
    "a key names an option of a pass and a field of a device",
    exit_code=ExitCode.MISUSED,
)
SWE012 = Code(
    "SWE012",
    "field-varied-without-device",
    "a field of a device cannot be varied without a device",
    exit_code=ExitCode.MISUSED,
)

NUMBER = re.compile(r"[-+]?(\d{1,300}(\.\d*)?|\.\d+)([eE][-+]?\d+)?")
SHOWN_FIELDS = 30
"""Maximum number of fields in a refusal."""
Value = int | float | str


@frozen
class Axis:
    """One key with its values."""

    key: str
    step: str
    """The name of the pass; empty for a field of a device."""
    option: str
    """The option of the pass, or the field as the user names it."""
    values: tuple[Value, ...]

    @property
    def is_field(self) -> bool:
        return not self.step


def parse_value(value: Any) -> Value:
    """Returns a value as a number if its text is a number."""
    text = str(value).strip()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    if NUMBER.fullmatch(text):
        return int(text) if text.lstrip("+-").isdecimal() else float(text)
    return str(value).lower() if isinstance(value, bool) else text


def varied_axes(
    vary: Mapping[str, Iterable[Any]] | Sequence[str], devices: Sequence[Device] | None = None
) -> list[Axis]:
    """Returns the keys with their values, from a mapping or from texts `KEY=A,B,C`. A sweep over devices needs no key.

    Errors: SWE001 no keys, a repeated key, one without values, or one that names nothing; SWE011, SWE012 another use of a field; DEV004, DEV019 a
    value that no device accepts.
    """
    pairs: list[tuple[str, Iterable[Any]]] = []
    if isinstance(vary, Mapping):
        pairs = list(vary.items())
    else:
        for text in vary:
            key, _, values = text.partition("=")
            pairs.append((key.strip(), [value for value in values.split(",") if value.strip()]))
    if not pairs and not devices:
        refuse(
            SWE001,
            "nothing is varied",
            at="--vary",
            expected="KEY=A,B,… at least once",
            found="none",
            help="--vary weights.bits=2,4,8",
        )
    found: list[Axis] = []
    for key, values in pairs:
        step, option = resolve_key(key, devices or ())
        given = tuple(dict.fromkeys(parse_value(value) for value in values))
        if not given or any(axis.key == key for axis in found):
            refuse(
                SWE001,
                f"{key} is repeated" if given else f"{key} has no values",
                at=f"--vary {key}",
                expected="each key once, with all of its values",
                found="two of them" if given else "none",
                help=f"--vary {key}=A,B",
            )
        axis = Axis(key, step, option, given)
        if axis.is_field:
            require_values(axis, devices or ())
        found.append(axis)
    return found


def require_ticks(axes: Sequence[Axis]) -> None:
    """Refuses passes on networks in continuous time: every point starts from the network in ticks. Errors: SWE005."""
    for axis in axes:
        if axis.step.removeprefix("convert-").startswith(f"{CONTINUOUS}-"):
            refuse(
                SWE005,
                f"{axis.step} works on another level",
                at=f"--vary {axis.key}",
                expected="a pass on the network in ticks",
                found=f"a pass of the level {CONTINUOUS}",
                help=f"leave --vary {axis.key} out, and run the pass with -p",
            )


def resolve_key(key: str, devices: Sequence[Device]) -> tuple[str, str]:
    """Resolves a key to a pass and its option; for a device field, the pass is empty and the option is the field. Errors: SWE001, SWE011, SWE012."""
    fielded = [one for one in devices if has_field(one, key)]
    if not fielded:
        if not devices and key.partition(".")[0] in attrs.fields_dict(Device):
            refuse(
                SWE012,
                at=f"--vary {key}",
                expected="--target T, or --device FILE.json",
                found="no device",
                help="--target all",
            )
        return option_of(key, devices)
    if (step := pass_of(key)) is not None:
        option = key.rpartition(".")[2]
        refuse(
            SWE011,
            f"{key} names an option of {step}, and a field of {first_of([one.key for one in fielded], 3)}",
            at=f"--vary {key}",
            expected=f"{step}.{option}, or {path_of_field(fielded[0], key)}",
            found=key,
            help=Phrase(other_key("--vary", key, f"{step}.{option}", "A,B")),
        )
    return "", key


def has_field(device: Device, key: str) -> bool:
    return path_of_field(device, key) in fields_that_can_be_set(device)


def pass_of(key: str) -> str | None:
    """Returns the pass in a key if it defines the key's option, else None."""
    known = available_passes()
    head, _, option = key.rpartition(".")
    step = step_of(head)
    return step if step is not None and option in option_names(known[step]()) else None


def step_of(head: str) -> str | None:
    """Returns the pass that a key names before its option."""
    known = available_passes()
    return next((name for name in (f"{QUANTIZE}{head}", head) if head and name in known), None)


def option_names(step: Any) -> list[str]:
    return [name for name, _, _ in pipeline.options(step)]


def require_values(axis: Axis, devices: Sequence[Device]) -> None:
    """Refuses a value if every device with the field refuses it. Errors: DEV004, DEV019."""
    fielded = [one for one in devices if has_field(one, axis.option)]
    for value in axis.values:
        refusals = list(refusals_of(fielded, f"{axis.option}={value}"))
        if len(refusals) < len(fielded):
            continue
        first = refusals[0].findings[0]
        text = ",".join(map(str, axis.values))
        device = fielded[0]
        held = dict(fields_with_values(device)).get(path_of_field(device, axis.option))
        help = f"nopt device doc {device.key}" if held is None else f"--vary {axis.key}={held}"
        raise Refused(evolve(first, at=f"--vary {axis.key}={text}", found=str(value), help=help))


def fields_with_values(device: Device) -> Iterator[tuple[str, Any]]:
    """Yields the fields of a device that have a value."""
    for path, fact, _ in numbers(device):
        if fact is not None and fact.value is not None:
            yield path, str(fact.value).lower() if isinstance(fact.value, bool) else fact.value


def refusals_of(devices: Sequence[Device], setting: str) -> Iterator[Refused]:
    """Yields the refusals of a setting by devices that have its field."""
    for device in devices:
        try:
            override_field(device, setting)
        except Refused as refusal:
            yield refusal


def option_of(key: str, devices: Sequence[Device]) -> tuple[str, str]:
    """Returns the pass and the option of a key. Errors: SWE001."""
    known = available_passes()
    head, _, option = key.rpartition(".")
    step = step_of(head)
    if step is None and devices:
        refuse_field(key, devices)
    if step is None:
        shorts = [name.removeprefix(QUANTIZE) for name in known if name.startswith(QUANTIZE)]
        near = get_close_matches(head or key, [*shorts, *known], 1)
        refuse(
            SWE001,
            f"{key} names no pass",
            at=f"--vary {key}",
            expected=f"{' or '.join(sorted(shorts)) or 'the name of a pass'}, or a pass of `nopt passes`, a dot, and an option",
            found=head or key,
            help=f"nopt passes {f'{QUANTIZE}{near[0]}' if near and near[0] in shorts else ''.join(near)}".strip(),
        )
    options = option_names(known[step]())
    if option not in options:
        near = get_close_matches(option, options, 1, 0)
        refuse(
            SWE001,
            f"{step} has no option {option or 'without a name'}",
            at=f"--vary {key}",
            expected=f"one of {', '.join(options)}" if options else "a pass with options",
            found=option or "none",
            help=Phrase(other_key("--vary", key, f"{head}.{near[0]}", "A,B")) if near else "nopt passes",
        )
    return step, option


def refuse_field(key: str, devices: Sequence[Device]) -> NoReturn:
    """Refuses a key that names no field of any device, and no pass. Errors: SWE001."""
    fields = list(dict.fromkeys(path for device in devices for path in fields_that_can_be_set(device)))
    shorts = [
        f"{name.removeprefix(QUANTIZE)}.{option}"
        for name, step in available_passes().items()
        if name.startswith(QUANTIZE)
        for option in option_names(step())
    ]
    last = key.rpartition(".")[2]
    same = [one for one in [*fields, *shorts] if one.rpartition(".")[2] == last]
    near = list(dict.fromkeys([*get_close_matches(key, same, 3, 0), *get_close_matches(key, [*fields, *shorts], 3)]))
    shown = f"{len(devices)} devices" if len(devices) > 1 else devices[0].key
    refuse(
        SWE001,
        f"{key} names no field of {shown}, and no pass",
        at=f"--vary {key}",
        expected=choices_text(near) if near else f"one of {first_of(fields, SHOWN_FIELDS)}, or an option of a pass",
        found=key,
        help=Phrase(other_key("--vary", key, near[0], "A,B")) if near else f"nopt device doc {devices[0].key}",
    )
