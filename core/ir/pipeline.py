"""Passes and pipelines: typed options, and a text form that round-trips. `pass_manager.py` runs them.

    nopt-pipeline ::= pass (`,` pass)* | `builtin.module(` pass (`,` pass)* `)`
    pass          ::= name (`{` option+ `}`)?        option ::= name (`=` value (`,` value)*)?

Numbers can be written as `1`, `1e-3` or `.5`; a bare name sets a flag. Paths and node names of letters, digits and `._-+~/` need no quotes; other
text is written in double quotes.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from itertools import takewhile
from typing import Any, ClassVar, Literal, NoReturn, Protocol, cast, get_args, get_origin, get_type_hints

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec
from xdsl.utils.arg_spec import parse_pipeline as parse_specs
from xdsl.utils.exceptions import ArgSpecParseError
from xdsl.utils.hints import isa

from ..diagnostics import Code, Diagnostics, ExitCode, Finding, refuse
from ..help_text import Passes, Phrase, WholePipeline
from ..renames import new_name

COR012 = Code("COR012", "unknown-pass", "unknown pass", exit_code=ExitCode.MISUSED)
COR013 = Code("COR013", "pass-options-invalid", "invalid options of a pass", exit_code=ExitCode.MISUSED)
COR014 = Code("COR014", "pipeline-unparsable", "the pipeline cannot be parsed", exit_code=ExitCode.MISUSED)


NUMBER = re.compile(r'"(?:[^"\\]|\\.)*"|(?<=[=,])([-+]?)(?:(\d+)([eE][-+]?\d+)|()(\.\d+(?:[eE][-+]?\d+)?))(?=[\s,}])')
PATH = re.compile(r'"(?:[^"\\]|\\.)*"|(?<=[=,])[\w.+~/-]+(?=[\s,}])')
IS_PATH = re.compile(r"(?![-+]?[\d.]+(?:[eE][-+]?\d+)?$).*[./~]")
WRAPPED = re.compile(r"\s*builtin\.module\s*\((.*)\)\s*", re.DOTALL)
BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
CONVERSION = re.compile(r"convert-\w+-to-(?P<result>\w+)")
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
NESTED = re.compile(r"[\w.-]*\(")
"""Start of a pipeline in a pipeline: `func.func(`."""
PARSER_PLACE = re.compile(r"^\s*pass-pipeline:1:(\d+)$", re.MULTILINE)
BODY = re.compile(r"([\w-]+)\{([^{}]*)\}")
OPTION = re.compile(r"([A-Za-z][\w-]*)\s*=")
ESCAPED = re.compile(r'["\\\n\t]')


def normalize_pipeline(pipeline: str) -> str:
    """Returns the pipeline in the form of xDSL's lexer: without `builtin.module(…)`, paths in quotes, `1e-3` and `.5` with all digits."""

    def quoted(m: re.Match[str]) -> str:
        return f'"{m[0]}"' if m[0][0] != '"' and IS_PATH.match(m[0]) else m[0]

    def respell(m: re.Match[str]) -> str:
        sign, digits, exponent, _, fraction = m.groups()
        return m[0] if m[0][0] == '"' else f"{sign}{digits}.0{exponent}" if digits else f"{sign}0{fraction}"

    return NUMBER.sub(respell, PATH.sub(quoted, unwrapped(pipeline)))


def unwrapped(pipeline: str) -> str:
    """Returns the pipeline without `builtin.module(…)` around it."""
    wrapped = WRAPPED.fullmatch(pipeline)
    return wrapped[1] if wrapped else pipeline


BITS = (*range(1, 17), 20, 24, 32)
"""Bit widths to try if fewer bits lose too much accuracy."""


class Examination(Protocol):
    """Examination of a network and its device, before and after a pass that makes the network fit."""

    @property
    def step(self) -> ModulePass:
        """The pass to run."""
        ...

    def conclude(self, is_done: bool) -> None:
        """Adds findings after the pass ran or was refused."""
        ...

    def missing(self) -> list[Finding]:
        """Returns an error for each unsupported feature that the pass did not repair."""
        ...


@cache
def hints_of(cls: type[Any]) -> Mapping[str, Any]:
    """Returns the types of the options of a pass."""
    return get_type_hints(cls)


@dataclasses.dataclass(frozen=True)
class NoptPass(ModulePass):
    """Base class of nopt's passes. Options accept an integer for a float, a bare name for a flag, and a number for a text."""

    only_checks: ClassVar[bool] = False
    """Whether the pass only reads a module."""
    APPROXIMATES: ClassVar[tuple[str, ...]] = ()
    """Names in `core/approximations.py` of what the pass approximates, whatever its options."""
    sees_host: ClassVar[bool] = False
    """Whether a pass of networks in ticks also works on the ops that the host computes; they are set aside for all other passes."""
    enables_runs: ClassVar[bool] = False
    """Whether the pass removes features that no engine simulates. Comparisons of levels start after leading passes of this kind."""

    observes: ClassVar[bool] = False
    """Whether the pass adds observations of a run, and changes no number."""
    defines_network: ClassVar[bool] = False
    """Whether its result is the network that the user means, so that comparisons start after it: it adds a part that the file lacks."""
    restores_rates: ClassVar[bool] = False
    """Whether the pass brings rates nearer to those that a network was trained for. Comparisons of levels start after leading passes of this kind."""

    @property
    def kept_samples(self) -> int:
        """Returns the number of samples that the calibration before the pass keeps for it."""
        return 0

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Any:
        hints = hints_of(cls)
        given = spec.normalize_parameter_names().parameters
        taken = {name: repaired(hints.get(name), values) for name, values in given.items()}
        wrong = [name for name, values in taken.items() if name in hints and not has_kind(hints[name], values)]
        try:
            made = super().from_spec(ArgSpec(spec.name, dict(taken)))
        except ValueError:
            refuse_options(cls, spec, wrong)
        if wrong:  # a boolean where xDSL accepts it as an integer
            refuse_options(cls, spec, wrong)
        return made

    @property
    def approximations(self) -> tuple[str, ...]:
        """Returns the names of what the pass approximates with its options."""
        return self.APPROXIMATES

    def fast_check_variant(self) -> ModulePass:
        """Returns a faster form of this pass that refuses the same modules, for a check that discards the result."""
        return self

    def examine(self, ctx: Context, module: ModuleOp, found: Diagnostics) -> Examination | None:
        """Examines a module before the pass runs. Returns None for a pass whose own refusals are complete."""
        del ctx, module, found
        return None

    def milder_variants(self) -> Iterator[ModulePass]:
        """Yields forms of this pass with a smaller loss of accuracy, the cheapest first, to be tried if a population loses too much.

        A pass with an option `bits` yields more bits, then, if `per` can be `row`, one scale per row; any other pass yields nothing.
        A form that the network does not support is refused when it is applied.
        """
        hints = hints_of(type(self))
        own = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        bits = own.get("bits")
        if isinstance(bits, int) and not isinstance(bits, bool):
            yield from (dataclasses.replace(self, bits=more) for more in BITS if more > bits)
        if "per" in own and "row" in get_args(hints["per"]) and own["per"] in ("tensor", "population"):
            yield dataclasses.replace(self, per="row")


def repaired(hint: Any, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Converts option values to the type of the option, if the type accepts them in another form."""
    kinds = {hint, *get_args(hint)}
    if bool in kinds and not values:
        return (True,)
    if float in kinds:
        return tuple(float(v) if type(v) is int else v for v in values)
    if int in kinds:
        return tuple(int(v) if isinstance(v, float) and v.is_integer() and abs(v) < 2**53 else v for v in values)
    if str in kinds:
        return tuple(str(v).lower() if isinstance(v, bool) else str(v) for v in values)
    return values


def has_kind(hint: Any, values: tuple[Any, ...]) -> bool:
    """Returns whether an option of a type can have these values. It differs from `isa`, which accepts a boolean as an integer."""
    if any(isinstance(v, bool) for v in values) and bool not in (hint, *get_args(hint)):
        return False
    return isa(values, hint) or (len(values) == 1 and isa(values[0], hint))


def written(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Returns option values for messages: those of another type than options have, by the name of their type."""
    return tuple(v if isinstance(v, str | int | float) else type(v).__name__ for v in values)


def refuse_options(cls: type[ModulePass], spec: ArgSpec, wrong: Sequence[str]) -> NoReturn:
    """Refuses an unknown option, a missing option, and an option with a value of the wrong type. Errors: COR013."""
    kinds = {name: kind for name, kind, _ in options(cls)}
    given = {name.replace("_", "-"): values for name, values in spec.parameters.items()}
    unknown = next((name for name in given if name not in kinds), None)
    missing = [name for name, _, default in options(cls) if default == "required" and name not in given]
    help = f"nopt passes {cls.name}"
    if unknown is not None:
        found = f"no option {unknown}"
        later = new_name("options", f"{cls.name}{{{unknown}}}")
        near, *_ = [later] if later else get_close_matches(unknown, set(kinds) - set(given), 1) or [None]
        hint = hints_of(cls)[near.replace("-", "_")] if near else None
        if near and has_kind(hint, repaired(hint, given[unknown])):
            help = str(ArgSpec(spec.name, {near if name == unknown else name: old for name, old in given.items()}))
    elif missing:
        found = f"no {', '.join(missing)}"
        kinds = {name: kinds[name] for name in missing}
    else:
        kinds = {name.replace("_", "-"): kinds[name.replace("_", "-")] for name in wrong} or kinds
        found = ", ".join(
            f"{name}={','.join(map(option_text, given[name]))}".rstrip("=") for name in kinds if name in given
        )
    chosen = {name: values for name, values in spec.parameters.items() if values != (None,)}
    refuse(
        COR013,
        f"invalid options for {cls.name}",
        at=str(ArgSpec(spec.name, {name: written(values) for name, values in chosen.items()})),
        expected=", ".join(f"{option} ({kind})" for option, kind in kinds.items()) or "no options",
        found=found,
        help=help,
    )


def options(cls: type[ModulePass]) -> list[tuple[str, str, str]]:
    """Returns name, type and default of each option of a pass, in the syntax of pipelines; the default of a required option is `required`."""
    if not dataclasses.is_dataclass(cls):  # pyrefly: ignore[partially-unknown-type]
        return []
    hints = hints_of(cls)
    rows: list[tuple[str, str, str]] = []
    for field in dataclasses.fields(cls):
        if field.name == "name":
            continue
        missing = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        default = "required" if missing else "none" if field.default is None else option_text(field.default)
        rows.append((field.name.replace("_", "-"), kind_text(hints[field.name]), default))
    return rows


def kind_text(hint: Any) -> str:
    """Formats the type of an option: `int`, `f32|f64`, `int,…`; whether it is optional follows from its default."""
    kinds = [kind for kind in get_args(hint) if kind is not type(None)]
    match get_origin(hint):
        case origin if origin is Literal:
            return "|".join(map(str, kinds))
        case origin if origin is tuple:
            return ",".join("…" if kind is ... else kind_text(kind) for kind in kinds)
        case None:
            return str(getattr(hint, "__name__", hint))
        case _:
            return "|".join(map(kind_text, kinds))


def escape(found: re.Match[str]) -> str:
    return {"\n": "\\n", "\t": "\\t"}.get(found[0], f"\\{found[0]}")


def option_text(value: Any) -> str:
    """Formats one value for a pipeline."""
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case float():
            return repr(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
        case tuple():
            return ",".join(map(option_text, cast("tuple[Any, ...]", value)))
        case _:
            text = str(value)
            return text if BARE.fullmatch(text) else f'"{ESCAPED.sub(escape, text)}"'


def pass_text(step: ModulePass, kept: Collection[str] = ()) -> str:
    """Formats a pass with the options that differ from their defaults, and the options in `kept`; the text parses to the same pass."""
    if not dataclasses.is_dataclass(step):  # pyrefly: ignore[partially-unknown-type]
        return step.name
    given: list[str] = []
    for field in dataclasses.fields(step):
        value = getattr(step, field.name)
        if field.name == "name" or value is None or (value == field.default and field.name not in kept):
            continue
        given.append(f"{field.name.replace('_', '-')}={option_text(value)}")
    return f"{step.name}{{{' '.join(given)}}}" if given else step.name


def typed_text(step: ModulePass) -> str:
    """Formats a pass with all typed options, including options with their default value."""
    return pass_text(step, getattr(step, TYPED, ()))


def suggest_pass(step: ModulePass) -> Phrase:
    """Formats a pass with all its options for a help line, so that it replaces the typed one, or a verb prints its own option instead."""
    bits = getattr(step, "bits", None)
    return Phrase(Passes(pass_text(step), bits if isinstance(bits, int) else None, is_whole=True))


def parse_pipeline(text: str, available: Mapping[str, Callable[[], type[ModulePass]]]) -> list[ModulePass]:
    """Parses a pipeline into passes with their options.

    Errors: COR012 an unknown pass; COR013 invalid options, or one of them twice; COR014 a syntax error.
    """
    refuse_nesting(text)
    given = normalize_pipeline(text)
    refuse_repeated(given)
    try:
        specs = specs_of(given)
    except (
        ArgSpecParseError,
        ValueError,
    ) as refusal:  # the first is a BaseException; ValueError: invalid UTF-8, long integers
        refuse(COR014, at=text, found=syntax_text(str(refusal), given), help="nopt passes")
    unknown = [spec.name for spec in specs if spec.name not in available]
    if unknown:
        later = new_name("passes", unknown[0])
        near = [later] if later is not None else near_passes(unknown[0], available)
        expected = f"for example {', '.join(near)}" if near else "a pass of `nopt passes`"
        help = Phrase(WholePipeline(renamed(text, unknown[0], near[0]))) if near else "nopt passes"
        refuse(COR012, f"unknown pass {unknown[0]}", at=text, expected=expected, found=", ".join(unknown), help=help)
    return list(make_steps(given, tuple(available[spec.name]() for spec in specs)))


def refuse_nesting(text: str) -> None:
    """Refuses parentheses that are not closed or opened, and pipelines in a pipeline. Errors: COR014."""
    bare = QUOTED.sub(lambda found: "_" * len(found[0]), text)
    opened: list[int] = []
    for place, character in enumerate(bare):
        if character == "(":
            opened.append(place)
        elif character == ")" and not opened:
            help = Phrase(WholePipeline(text[:place] + text[place + 1 :]))
            refuse(COR014, at=text, expected="a ( before each )", found=f"no ( for character {place + 1}", help=help)
        elif character == ")":
            opened.pop()
    if opened:
        expected, found = "a ) for each (", f"no ) for {text[: opened[-1] + 1]}"
        refuse(COR014, at=text, expected=expected, found=found, help=Phrase(WholePipeline(text + ")" * len(opened))))
    bare, plain = unwrapped(bare), unwrapped(text)
    inner = NESTED.search(bare)
    if inner is not None:
        removed = {place for found in NESTED.finditer(bare) for place in range(*found.span())}
        flat = "".join(plain[place] for place in range(len(plain)) if place not in removed and bare[place] != ")")
        refuse(
            COR014,
            "a pipeline cannot contain another one",
            at=text,
            expected="passes in a row: each rewrites the whole module, in which it finds its ops",
            found=f"{inner[0]}…)",
            help=Phrase(WholePipeline(flat)),
        )


def syntax_text(message: str, pipeline: str) -> str:
    """Returns the error of xDSL's parser with the text before it, in one line."""
    place = PARSER_PLACE.search(message)
    if place is None:
        return message.strip()
    column = int(place[1]) - 1
    reason = message.strip().split("\n")[-1].strip()
    if reason == "Unknown token":
        reason = f"unexpected {pipeline[column : column + 1] or 'end'}"
    return f"{reason}, after {pipeline[:column]}" if column else reason


def near_passes(name: str, available: Iterable[str]) -> list[str]:
    """Returns the passes with names similar to an unknown name. If the name starts with a level, only passes of that level are returned."""
    known = list(available)
    level = name.partition("-")[0]
    same = [one for one in known if one.partition("-")[0] == level]
    return get_close_matches(name, same or known, 3)


def refuse_repeated(text: str) -> None:
    """Refuses an option of a pass that occurs twice, of which xDSL's parser keeps the last. Errors: COR013."""
    for name, body in BODY.findall(QUOTED.sub('""', text)):
        repeated = [option for option, count in Counter(OPTION.findall(body.replace("_", "-"))).items() if count > 1]
        if repeated:
            refuse(
                COR013,
                f"invalid options for {name}",
                at=text,
                expected="each option once",
                found=f"{repeated[0]} twice",
                help=f"nopt passes {name}",
            )


@lru_cache(maxsize=256)
def specs_of(text: str) -> tuple[ArgSpec, ...]:
    """Returns the names and options of the passes of a pipeline, which are never changed. Raises the errors of xDSL's parser."""
    return tuple(parse_specs(text))


TYPED = "_typed_options"
"""Attribute of a parsed pass: the names of the options that were typed."""


@lru_cache(maxsize=256)
def make_steps(text: str, classes: tuple[type[ModulePass], ...]) -> tuple[ModulePass, ...]:
    """Returns the passes of a pipeline, which are never changed. Errors: COR013."""
    steps: list[ModulePass] = []
    for cls, spec in zip(classes, specs_of(text), strict=True):
        try:
            steps.append(step := cls.from_spec(spec))
            object.__setattr__(step, TYPED, frozenset(name.replace("-", "_") for name in spec.parameters))
        except ValueError as refusal:
            help = f"nopt passes {spec.name}"
            refuse(COR013, f"invalid options for {spec.name}", at=str(spec), found=str(refusal), help=help)
    return tuple(steps)


def renamed(pipeline: str, name: str, other: str) -> str:
    """Returns a pipeline with another name for a pass."""
    return re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", other, pipeline)


def level_of(step: ModulePass) -> str:
    """Returns the level of a pass, by its name: `nir` for `nir-fold-scale` and `convert-nir-to-ntensor`."""
    return step.name.removeprefix("convert-").partition("-")[0]


def levels_after(names: Iterable[str], level: str) -> list[str]:
    """Returns the level of the module after each pass, by the names of the passes: `convert-a-to-b` leads to `b`, any other pass keeps the level."""
    found: list[str] = []
    for name in names:
        conversion = CONVERSION.fullmatch(name)
        level = conversion["result"] if conversion else level
        found.append(level)
    return found


def defining_steps(steps: Sequence[ModulePass]) -> list[ModulePass]:
    """Returns the leading passes that add a part of the network, such as its learning rules."""
    return list(takewhile(lambda step: getattr(step, "defines_network", False), steps))


def split_enabling(steps: Sequence[ModulePass]) -> tuple[list[ModulePass], list[ModulePass]]:
    """Splits the steps into the leading passes that engines require to run the network, and all others."""
    count = next((k for k, step in enumerate(steps) if not getattr(step, "enables_runs", False)), len(steps))
    return list(steps[:count]), list(steps[count:])


def split_start(steps: Sequence[ModulePass]) -> tuple[list[ModulePass], list[ModulePass]]:
    """Splits the steps into the leading passes after which comparisons start, and all others.

    Comparisons start after the passes that engines require, and after those that restore rates, with observations between them.
    """
    count = 0
    for k, step in enumerate(steps, 1):
        if getattr(step, "enables_runs", False) or getattr(step, "restores_rates", False):
            count = k
        elif not getattr(step, "observes", False):
            break
    return list(steps[:count]), list(steps[count:])
