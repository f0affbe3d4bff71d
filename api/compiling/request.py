"""Request of a compilation: the arguments of `compile`, its device, and refusals of arguments that contradict each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Self, get_args

from attrs import evolve, field, frozen
from attrs.converters import optional
from xdsl.passes import ModulePass

from ...core import registry
from ...core.device import device as devices
from ...core.device.device import Device
from ...core.device.recipes import Effort
from ...core.device.records import Naming
from ...core.diagnostics import Code, Diagnostics, ExitCode, choices_text, refuse
from ...core.help_text import Phrase, WithoutOptions
from ...core.progress import Progress, part_progress
from ...core.target import HardwareTarget
from ...dialects.machine.kept_mapping import KEEP_OPTION, MOVE_OPTION
from ...passes.pipelines import SHORTHANDS, Shorthand, set_probes
from ...simulation.axes import order_axes, refuse_axes
from ...simulation.stimuli import Given
from ..catalogue.listing import target as entry_of
from ..discretisation import choice_flags
from ..judging.baseline import Gate, read_gate
from ..judging.thresholds import Thresholds, parse_thresholds
from ..modules import Network
from ..options import Choices, choices_in
from ..permissions.approximation_names import permitted_names
from ..recipes.records import RecipeChoice
from ..running.chips import Start
from ..running.labels import Labels
from ..running.variability import Draw, require_imperfect
from ..unit_values import memory_bytes, refuse_option
from .mappings.kept_builds import keep_passes
from .mappings.objectives import OBJECTIVE_OPTION, objective_passes
from .target_pipelines import DISCRETE, compiled_targets, effort_passes, levels_of

CMP001 = Code("CMP001", "target-not-compilable", "the target cannot be compiled for", exit_code=ExitCode.MISUSED)
CMP002 = Code("CMP002", "target-not-named", "no target was named", exit_code=ExitCode.MISUSED)
CMP003 = Code("CMP003", "two-devices-named", "two devices are named", exit_code=ExitCode.MISUSED)
CMP005 = Code(
    "CMP005",
    "state-bits-fixed-by-device",
    "the states of a device have the widths of its neurons",
    exit_code=ExitCode.MISUSED,
)
CMP004 = Code("CMP004", "labels-without-input", "labels have no sample input", exit_code=ExitCode.MISUSED)
CMP006 = Code(
    "CMP006", "weight-bits-above-device", "the weights of a device have fewer bits", exit_code=ExitCode.MISUSED
)
CMP014 = Code(
    "CMP014",
    "options-without-network",
    "options of a network have no effect on a later level",
    exit_code=ExitCode.MISUSED,
)
CMP017 = Code(
    "CMP017", "recipe-option-without-effect", "an option of recipes has no effect", exit_code=ExitCode.MISUSED
)
CMP018 = Code("CMP018", "effort-unknown", "an effort is unknown", exit_code=ExitCode.MISUSED)
CMP007 = Code(
    "CMP007", "manufactured-chips-without-input", "manufactured chips have nothing to run", exit_code=ExitCode.MISUSED
)


@frozen(kw_only=True)
class CompileRequest:
    """Arguments of a compilation."""

    network: Network
    out: Path = field(converter=Path)
    device: Device
    passes: str
    calib: Given | None
    axes: str | None
    labels: Labels | None = None
    permitted: Sequence[str]
    """Names of permitted approximations."""
    bits: Mapping[Shorthand, int]
    """Values of the options that are short for passes."""
    typed_bits: Mapping[str, int | None]
    """Values of all options of bits, by name; some of them override a field of the device."""
    pins: Sequence[str]
    until: str | None = None
    draw: Draw | None = None
    max_bytes: int | None = field(default=None, converter=optional(memory_bytes))
    strict: bool
    thresholds: Thresholds = field(factory=lambda: parse_thresholds(""))
    gate: Gate = field(factory=lambda: read_gate(None, None, None))
    progress: Progress | None
    diagnostics: Diagnostics
    choices: Choices
    typed_passes: str
    """The passes of the user, without those that permissions add."""
    repairs: Sequence[str] = ()
    """Passes whose options the passes of the target take, by permission."""
    needed: Sequence[str] = ()
    """Names of the approximations of passes that permissions add."""
    probes: Sequence[str] = ()
    """Populations and states that a run on the device records, as the user types them."""
    keep_mapping: str | Path | None = None
    """The earlier build, or its mapping, whose cores are kept."""
    move: tuple[str, ...] = ()
    """Layers that move all the same."""
    earlier: Mapping[str, Any] | None = None
    """The earlier mapping, as it was before the compilation."""
    objective: str | None = None
    """The quantity that a placement on cores lowers; None for that of the device."""
    recipe: str | None
    """The recipe that the user names."""
    effort: Effort
    choice: RecipeChoice | None = None
    """The choice of the recipe; None for a device with its default alone, and without a sample input."""

    @classmethod
    def of(
        cls,
        network: Network,
        out: str | Path,
        device: Device,
        options: Mapping[str, Any],
        *,
        effort: Effort,
        **others: Any,
    ) -> Self:
        """Returns the request of complete options; `others` are fields. Errors: CMP005, CMP006, CMP015; DEV020 other bits are set."""
        typed_bits = {one.name: options[one.name] for one in SHORTHANDS}
        device, bits = take_bits(device, typed_bits)
        return cls(
            network=network,
            out=out,
            device=device,
            passes=options["passes"],
            typed_passes=options["passes"],
            calib=options["calib"],
            axes=options["axes"],
            permitted=permitted_names(options["approximate"]),
            bits=bits,
            typed_bits=typed_bits,
            pins=options["pin"],
            choices=choices_in(options),
            recipe=options["recipe"],
            effort=effort,
            **others,
        )

    @property
    def exit(self) -> HardwareTarget:
        return registry.targets()[self.device.target]()

    @property
    def is_whole(self) -> bool:
        """Whether the compilation ends with an artefact."""
        return self.until is None and self.exit.artefact is not None

    @property
    def searches(self) -> list[str]:
        """Returns the passes of the target that search, with the effort and the objective of the request; none if they are those by default."""
        efforts = [] if self.effort == "normal" else effort_passes(self.device, self.effort, self.until)
        return [*efforts, *objective_passes(self.device, self.objective, self.until)]

    @property
    def sample(self) -> Given | None:
        """Returns the sample input with the order of its axes."""
        return None if self.calib is None else order_axes(self.calib, self.axes)

    @property
    def short(self) -> list[ModulePass]:
        """Returns the passes of the options that are short for passes."""
        has_samples = self.calib is not None
        steps = [one.step(bits, has_samples=has_samples) for one, bits in self.bits.items()]
        return [*steps, *set_probes(self.probes), *keep_passes(self.keep_mapping, self.move)]

    @property
    def parts(self) -> int:
        """Number of equal parts of the progress: user passes, target passes, runs with the sample input, and chips."""
        return 2 + (self.calib is not None) + (self.draw is not None)

    def settle(self) -> None:
        """Stops the compilation at findings that are errors, or that `strict` makes errors."""
        if self.strict:
            self.diagnostics.promote_warnings()
        self.diagnostics.raise_errors()

    def part(self, number: int) -> Progress | None:
        return part_progress(self.progress, number, self.parts)


def device_of(
    target: str | None, file: str | Path | None, settings: Sequence[str], stored: Device | None = None
) -> Device:
    """Returns the device to compile for, with its overrides. It is `T`, `T/DEVICE`, a device file, or the device that the module names.

    Errors: CMP002 neither is named; CMP003 both are; API021, DEV001 to DEV005; DEV011 a target of several devices.
    """
    if file is not None and target is not None:
        refuse(
            CMP003,
            at=f"--device {file} --target {target}",
            expected="--target or --device, which names its target",
            found=f"{target} and {file}",
            help=Phrase(WithoutOptions(("--target",), target)),
        )
    if file is not None:
        found = evolve(devices.load_device(Path(file)), named_as=Naming(str(file)))
        entry_of(found.target)
    elif target is not None:
        slug, _, name = target.partition("/")
        entry_of(slug)
        found = devices.find_device(slug, name or None)
    elif stored is not None:
        entry_of(stored.target)
        found = stored
    else:
        refuse(
            CMP002,
            at="--target",
            expected="--target T, or --device FILE.json",
            found="neither",
            help=f"--target {compiled_targets()[0]}",
        )
    return devices.override_fields(found, settings)


def take_bits(device: Device, bits: Mapping[str, int | None]) -> tuple[Device, dict[Shorthand, int]]:
    """Returns the device with overridden bits, and the values of the remaining shorthand options, which are replaced by passes.

    Errors: API022 fewer bits than one; CMP005, CMP006; DEV020 other bits are set.
    """
    left = {one: value for one in SHORTHANDS if (value := bits[one.name]) is not None}
    for one, value in left.items():
        if value < 1:
            most = device.integer(one.limit_field) if one.limit_field else None
            refuse_option(one.option, value, "1 bit or more", str(most or 8))
        if one.is_of_neurons and device.updates:
            refuse(
                CMP005,
                at=f"{one.option} {value}",
                expected=f"no width for {device.key}, whose neurons are {', '.join(device.updates)}",
                found=str(value),
                help=Phrase(WithoutOptions((one.option,))),
            )
    for one in [one for one in left if one.replaces_field_of(device)]:
        device = with_bits(device, one, left.pop(one))
    return device, left


def with_bits(device: Device, shorthand: Shorthand, bits: int) -> Device:
    """Overrides the device field of a shorthand option with the bits of the option. Errors: CMP006; DEV020 the field is set to other bits."""
    path, limit = shorthand.device_field, shorthand.limit_field
    chosen = device.overridden.get(path, bits)
    if chosen != bits:
        devices.refuse_two_values(device, path, chosen, bits)
    most = device.integer(limit)
    if most is not None and bits > most:
        refuse(
            CMP006,
            at=f"{shorthand.option} {bits}",
            expected=f"at most {most} bits ({device.cite(limit)})",
            found=str(bits),
            help=f"{shorthand.option} {most}",
        )
    return devices.override_fields(device, [f"{path}={bits}"])


def effort_of(
    effort: str | None, recipe: str | None, *, has_sample: bool, flag: str = "--calib", device: Device | None = None
) -> Effort:
    """Returns the effort of the choice of a recipe, and of the searches of the passes for `device`; `flag` is the option of the sample input. Errors: CMP017, CMP018."""
    if effort is None:
        return "normal"
    known: tuple[Effort, ...] = get_args(Effort)
    found = next((one for one in known if one == effort), None)
    if found is None:
        near, *_ = get_close_matches(effort, known, 1, 0)
        expected = choices_text(known)
        refuse(CMP018, at=f"--effort {effort}", expected=expected, found=effort, help=f"--effort {near}")
    has_search = device is not None and bool(effort_passes(device, found))
    if not has_search and (recipe is not None or not has_sample):
        refuse(
            CMP017,
            at=f"--effort {effort}",
            expected=f"{flag} FILE.npy, on which recipes are tried" if recipe is None else "recipes to choose from",
            found=f"no sample input ({flag})" if recipe is None else f"--recipe {recipe}",
            help=Phrase(WithoutOptions(("--effort",))),
        )
    return found


def require_recipe_effect(recipe: str | None, effort: str | None, *, has_device: bool) -> None:
    """Refuses options of recipes where no device is named. Errors: CMP017."""
    given = {"--recipe": recipe, "--effort": effort}
    named = [f"{flag} {value}" for flag, value in given.items() if value is not None]
    if named and not has_device:
        expected, help = "--target or --device, whose recipes are meant", Phrase(WithoutOptions((*given,)))
        refuse(CMP017, at=" ".join(named), expected=expected, found="no device", help=help)


def refuse_without_sample(calib: Given | None, axes: str | None, labels: Labels | None) -> None:
    """Refuses options that require a sample input if it is missing. Errors: CMP004, SIM012."""
    if calib is None and axes is not None:
        refuse_axes(axes, "no sample input (--calib)")
    if calib is None and labels is not None:
        refuse_labels(labels)


def require_chips(device: Device, draw: Draw, *, has_sample: bool, until: str | None) -> None:
    """Refuses manufactured chips without a sample input, and for a target whose chips are identical. Errors: CMP007, RUN011, RUN012."""
    if not has_sample or until is not None:
        refuse(
            CMP007,
            at="--chips" if not has_sample else f"--until {until}",
            expected="--calib FILE.npy, which the chips run" if not has_sample else "a compilation up to the chip",
            found="no sample input (--calib)" if not has_sample else f"--until {until}",
            help=Phrase(WithoutOptions(("--chips", "--seed", "--at"))),
        )
    exit = registry.targets()[device.target]()
    require_imperfect(None if exit.model is None else exit.model(), device, draw)


def refuse_network_options(request: CompileRequest, start: Start) -> None:
    """Refuses options that change or run the network in ticks if the module is of a later level. Errors: CMP014."""
    is_late = request.until is not None and (start.is_compiled or request.until == DISCRETE)
    given: dict[str, object] = {"--calib": request.calib, "--axes": request.axes, "--labels": request.labels}
    given |= number_options(request)
    given |= {
        "--probe": request.probes or None,
        "--until": request.until if is_late else None,
        "--chips": request.draw,
        KEEP_OPTION: request.keep_mapping,
        OBJECTIVE_OPTION: request.objective,
    }
    found = f"{start.op.name}, of the level {start.level}"
    refuse_given(given, request.choices, "a network in ticks, or in continuous time", found)


def refuse_number_options(request: CompileRequest) -> None:
    """Refuses options that choose numbers of a network that is legalised, and has them. Errors: CMP014."""
    given = {"-p": request.typed_passes or None, **number_options(request)}
    expected, found = "the network that it was made from", "a legalised network, whose numbers are final"
    message = "options that choose numbers have no effect on a legalised network"
    refuse_given(given, request.choices, expected, found, message)


def number_options(request: CompileRequest) -> dict[str, object]:
    """Returns the options that choose numbers of a network, with their values."""
    given: dict[str, object] = {"--approximate": request.permitted or None, "--recipe": request.recipe}
    return given | {one.option: request.typed_bits[one.name] for one in SHORTHANDS} | {"--pin": request.pins or None}


def refuse_given(given: Mapping[str, object], choices: Choices, expected: str, found: str, message: str = "") -> None:
    """Refuses options that have a value. Errors: CMP014."""
    named = (*(flag for flag, value in given.items() if value is not None), *choice_flags(choices))
    if named:
        partners = {"--chips": ("--seed", "--at"), "-p": ("--passes",), KEEP_OPTION: (MOVE_OPTION,)}
        more = [other for flag in named for other in partners.get(flag, ())]
        help = Phrase(WithoutOptions((*named, *more)))
        refuse(CMP014, message, at=", ".join(named), expected=expected, found=found, help=help)


def refuse_labels(labels: Labels, flag: str = "--calib") -> None:
    """Refuses labels without a sample input; `flag` is its option. Errors: CMP004."""
    file = str(labels) if isinstance(labels, str | Path) else None
    refuse(
        CMP004,
        "--labels has no effect without a sample input",
        at="--labels" if file is None else f"--labels {file}",
        expected=f"{flag} FILE.npy, whose samples the labels classify",
        found=f"no sample input ({flag})",
        help=Phrase(WithoutOptions(("--labels",))),
    )


def refuse_level(chosen: Device, until: str | None) -> None:
    """Refuses a level that the pipeline of a device does not contain. Errors: CMP001."""
    levels, has_artefact = levels_of(chosen), registry.targets()[chosen.target]().artefact is not None
    if until in levels or (until is None and levels and has_artefact):
        return
    others = compiled_targets()
    if until is not None and levels:
        expected, help = " or ".join(f"--until {level}" for level in levels), f"--until {levels[-1]}"
    elif levels:
        expected, help = f"--until {levels[-1]}, or {', '.join(others)}", f"--until {levels[-1]}"
    else:
        expected, help = ", ".join(others), f"--target {others[0]}" if others else None
    refuse(
        CMP001,
        f"{chosen.target} has no level {until}"
        if until and levels
        else f"{chosen.target} has no artefact for its loader"
        if levels
        else f"{chosen.target} cannot be compiled for",
        at=f"--until {until}" if until else f"--target {chosen.key}",
        expected=expected,
        found=until or chosen.target,
        help=help,
    )
