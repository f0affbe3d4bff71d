"""`--verify-equivalence`: runs the network before the first pass and after each, and reports changes of its outputs.

Outputs are compared with those before the first pass, and rates of populations with those before the pass. A population that becomes silent,
fires in nearly every tick, or has a state that stays at an end of its range is a finding. Then milder variants of the pass
(`NoptPass.milder_variants`) run on the module before it, in order, and the first that preserves the population is suggested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import ldexp
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp
from xdsl.passes import ModulePass

from ...core.diagnostics import Code, Diagnostics, Refused
from ...core.ir import pass_manager
from ...core.ir.context import NoptContext
from ...core.ir.operation import element_type
from ...core.ir.pipeline import NoptPass, pass_text
from ...dialects import ntensor
from ...dialects.fixed import IntType
from ...simulation.frames import add_array
from ...simulation.stimuli import Given
from ..checking.activity import OFTEN, TICKS
from ..discretisation import is_discretised
from ..driver import Watcher
from ..judging.loss import Loss
from ..judging.loss_texts import TITLES, known_figures, loss_text
from ..modules import parent_module
from ..options import Choices
from .comparison import Comparison, compare
from .level_comparison import compare_results
from .level_records import Stage
from .run import Result, discretise, execute

RUN018 = Code("RUN018", "population-silent-after-pass", "a population is silent after a pass")
RUN019 = Code("RUN019", "population-saturates-after-pass", "a population saturates after a pass")

MAX_PINNED = 0.1
"""A state counts as saturated if it is at an end of its range in a larger fraction of ticks."""
MAX_RATE_CHANGE = 0.2
"""Maximum relative change of a population's rate under the suggested form of a pass."""
MAX_FORMS = 24
"""Maximal number of forms of a pass that are tried."""


@frozen
class Population:
    """Activity of a population."""

    name: str
    rate: float | None
    """Events per neuron and tick; None for values."""
    often: float
    """Ratio of neurons and ticks with an event."""
    pinned: tuple[tuple[str, float], ...]
    """States, and counts of spikes, that were at an end of their range too often, with the ratio of ticks."""


@frozen
class Activity:
    """Results of a module."""

    module: ModuleOp
    result: Result
    outputs: dict[str, NDArray[Any]]
    ticks: int
    populations: dict[str, Population]
    frame_ticks: int = 1
    """Ticks of the input in a tick of the network."""

    def in_frames(self, frame_ticks: int) -> dict[str, NDArray[Any]]:
        """Returns the outputs, added up over the frames of another network. Units: frame_ticks [ticks]."""
        ticks = max(1, frame_ticks // self.frame_ticks)
        if self.result.has_samples:
            return {name: add_array(array, ticks) for name, array in self.outputs.items()}
        return {name: add_array(array[None], ticks)[0] for name, array in self.outputs.items()}


def look(module: ModuleOp, given: Given, choices: Choices) -> Activity:
    """Runs a module of any level, without the remarks of the conversion."""
    network = discretise(module, {} if is_discretised(module) else choices, Diagnostics())
    home = parent_module(network)
    updates = {op.sym_name.data: op for op in home.ops if isinstance(op, ntensor.UpdateOp)}
    neurons = {op.node.data: op for op in network.body.block.ops if isinstance(op, ntensor.NeuronOp)}
    ends = {name: ends_of(op, updates.get(op.update.root_reference.data)) for name, op in neurons.items()}
    names = [name.data for name in network.output_names]
    states = [f"{name}.{state}" for name in neurons for state in ends[name]]
    result = execute(home, given, record=[*neurons, *states], diagnostics=Diagnostics(), is_internal=True)
    found = {name: population(name, op, ends[name], result.arrays) for name, op in neurons.items()}
    outputs = {name: result.arrays[name] for name in names}
    ticks = next((array.shape[result.has_samples] for array in result.arrays.values()), 0)
    return Activity(home.clone(), result, outputs, ticks, found, network.frame_ticks)  # later passes change the module


def ends_of(op: ntensor.NeuronOp, update: ntensor.UpdateOp | None) -> dict[str, tuple[float, ...]]:
    """Returns the ends of the range of each state with a finite range. An end that equals the initial value is left out."""
    if update is None:
        return {}
    found: dict[str, tuple[float, float]] = {}
    widths = update.attributes.get("ntensor.widths")
    for name, type in update.state_types.items():
        width = widths.data.get(name) if isinstance(widths, DictionaryAttr) else None
        if isinstance(type, IntType):
            found[name] = float(type.lower), float(type.upper)
        elif isinstance(width, DictionaryAttr):
            bits, fraction = (width.data.get(key) for key in ("bits", "fraction"))
            if isinstance(bits, IntegerAttr) and isinstance(fraction, IntegerAttr):
                half = 1 << (bits.value.data - 1)
                found[name] = ldexp(-half, -fraction.value.data), ldexp(half - 1, -fraction.value.data)
    starts = dict(op.arrays(op.initial))
    telling = {name: [end for end in ends if not (starts[name].values == end).any()] for name, ends in found.items()}
    return {name: tuple(ends) for name, ends in telling.items() if ends}


def population(
    name: str, op: ntensor.NeuronOp, ends: Mapping[str, tuple[float, ...]], arrays: Mapping[str, NDArray[Any]]
) -> Population:
    array, kind = arrays[name], element_type(op.z)
    shares = (
        (state, float(np.isin(arrays[f"{name}.{state}"], values).mean()))
        for state, values in ends.items()
        if array.size
    )
    pinned = tuple((state, share) for state, share in shares if share > MAX_PINNED)
    if not ntensor.is_event(kind) or not array.size:
        return Population(name, None, 0.0, pinned)
    often = int(np.count_nonzero(array)) / array.size
    if not isinstance(kind, ntensor.CountType):
        return Population(name, often, often, pinned)
    most = 2**kind.bits.data - 1
    if (share := float((array == most).mean())) > MAX_PINNED:
        pinned += (("the count", share),)
    return Population(name, int(array.sum(dtype=np.int64)) / array.size, often, pinned)


# ---- watching


def watcher(
    given: Given, choices: Choices, log: Callable[[str], None], diagnostics: Diagnostics | None = None
) -> Callable[[], Watcher]:
    """Returns the factory of the watchers of a driver; each compares modules with the one before the first pass.

    A network that is still `nir` is discretised by `choices`, in a copy. Warnings, in `diagnostics`: RUN018, RUN019. Errors: those of a run.
    """

    def fresh() -> Watcher:
        first: list[Activity] = []
        last: list[tuple[ModuleOp, Activity]] = []

        def watch(done: ModulePass | None, module: ModuleOp) -> None:
            now = look(module, given, choices)
            if done is None:
                first.append(now)
            else:
                start = first[0]
                found = compare(start.in_frames(now.frame_ticks), now.outputs, samples=now.result.has_samples)
                level = compare_results(Stage("quantized", None, now.module), start.module, now.result, start.result)
                before, was = last.pop()
                lines = [*verdicts(found, level.loss), *rate_changes(was, now)]
                log("\n".join(f"{pass_text(done)}: {line}" for line in lines))
                if (worse := list(damaged_populations(was, now))) and diagnostics is not None:
                    advice = Advice(
                        done, before, lambda module: look(module, given, choices), was, [p.name for p in worse]
                    )
                    for one in worse:
                        warn(done, was, one, advice, diagnostics)
            last.append((module.clone(), now))

        return watch

    return fresh


def verdicts(found: Comparison, loss: Loss) -> list[str]:
    """Returns a line for each output that differs, with its loss, or a single line if all are equal."""
    if found.equal:
        return ["equal"]
    lines: list[str] = []
    for name, one in found.arrays.items():
        if one.first is not None:
            output = loss.outputs[name]
            figures = [f"{TITLES[what]} {loss_text(what, getattr(output, what))}" for what in known_figures([output])]
            place = f"first at {one.first.place}: {one.first.a:.9g} became {one.first.b:.9g}"
            lines.append(f'"{name}" differs: {", ".join([*figures, place])}')
        elif not one.equal:
            lines.append(f'"{name}" has another shape: {list(one.shape_a)} became {list(one.shape_b)}')
    lines += [f'"{name}" is gone' for name in found.only_in_a]
    lines += [f'"{name}" is new' for name in found.only_in_b]
    return lines


def rate_changes(was: Activity, now: Activity) -> Iterator[str]:
    """Yields a line for each population whose rate changed; none if the pass changed the length of a tick."""
    if was.frame_ticks != now.frame_ticks:
        return
    for name, after in now.populations.items():
        before = was.populations.get(name)
        if before is not None and before.rate is not None and after.rate is not None and before.rate != after.rate:
            yield f'"{name}" fires at another rate: {before.rate:.6f} became {after.rate:.6f}'


# ---- populations that a pass damaged


def damaged_populations(was: Activity, now: Activity) -> Iterator[Population]:
    """Yields the populations that are silent or saturate only after the pass."""
    for name, after in now.populations.items():
        before = was.populations.get(name)
        is_same_tick = was.frame_ticks == now.frame_ticks
        if before is not None and (
            is_silenced(before, after) or (is_same_tick and is_saturated(before, after, now.ticks))
        ):
            yield after


def is_silenced(before: Population, after: Population) -> bool:
    return bool(before.rate) and after.rate == 0


def newly_pinned(before: Population, after: Population) -> list[tuple[str, float]]:
    """Returns the states that reach an end of their range only after the pass, with the ratio of ticks."""
    known = {state for state, _ in before.pinned}
    return [(state, share) for state, share in after.pinned if state not in known]


def is_saturated(before: Population, after: Population, ticks: int) -> bool:
    return bool(newly_pinned(before, after)) or (ticks >= TICKS and after.often > OFTEN >= before.often)


class Advice:
    """The first tried form of a pass that preserves the populations."""

    def __init__(
        self,
        done: ModulePass,
        before: ModuleOp,
        run: Callable[[ModuleOp], Activity],
        was: Activity,
        names: Sequence[str],
    ):
        self.form: ModulePass | None = None
        self.rates: dict[str, float | None] = {}
        self.tried = 0
        for form in milder_variants(done):
            if self.tried == MAX_FORMS:
                break
            module = before.clone()
            try:
                pass_manager.apply(form, NoptContext(diagnostics=Diagnostics()), module)
                now = run(module)
            except Refused:
                continue  # the network does not support this form
            self.tried += 1
            if all(is_kept(was, now, name) for name in names):
                self.form = form
                self.rates = {name: now.populations[name].rate for name in names}
                break


def milder_variants(step: ModulePass) -> Iterable[ModulePass]:
    return step.milder_variants() if isinstance(step, NoptPass) else ()


def is_kept(was: Activity, now: Activity, name: str) -> bool:
    """Whether a population has nearly the same activity as before."""
    before, after = was.populations[name], now.populations.get(name)
    if after is None or is_saturated(before, after, now.ticks):
        return False
    if before.rate is None or after.rate is None:
        return before.rate is after.rate
    return abs(after.rate - before.rate) <= MAX_RATE_CHANGE * before.rate


def warn(done: ModulePass, was: Activity, after: Population, advice: Advice, diagnostics: Diagnostics) -> None:
    """Warns about one population, with the form of the pass that preserves it."""
    before = was.populations[after.name]
    was_text, now_text = (f"a rate of {p.rate:.6f}" if p.rate is not None else "values" for p in (before, after))
    pinned = (
        f"{name} at an end of its range in {share:.1%} of all ticks" for name, share in newly_pinned(before, after)
    )
    code = RUN018 if is_silenced(before, after) else RUN019
    help, notes = f"nopt explain {code}", [f"{advice.tried} milder variants of the pass were tried"]
    if advice.form is None:
        notes = notes if advice.tried else []
    else:
        help, rate = pass_text(advice.form), advice.rates[after.name]
        notes = ["this was tried" + ("" if rate is None else f": the rate is then {rate:.6f}")]
    diagnostics.warning(
        code,
        "the population is silent" if code is RUN018 else "the population saturates",
        at=f'ntensor.neuron "{after.name}", after {pass_text(done)}',
        node=after.name,
        expected=f"about the same as before the pass: {was_text}",
        found=", ".join([now_text, *pinned]),
        help=help,
        notes=notes,
    )
