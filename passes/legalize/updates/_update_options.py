"""Choice of the update of a population: the neuron of a file with the option values that follow the population's own rule.

1. Each combination of values is compared with the rule of the population (`_update_comparison.py`), in the order of declaration, those with the greatest
   count of the population before others. The first one that does not differ is taken.
2. Without one, the combination that differs in the fewest properties is taken if all of these are allowed: `approximate` names them.
3. Values from the user or the device are fixed. A difference that only another value of a user's option avoids is the user's choice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import product
from typing import Any

from attrs import evolve, field, frozen
from xdsl.dialects.builtin import Float32Type, f32, f64
from xdsl.ir import Attribute

from ....core.diagnostics import Code, ExitCode, Finding, Refused, finding_about, refuse
from ....core.help_text import Part, Passes, Phrase
from ....core.ir.pipeline import suggest_pass
from ....core.neuron.tree import Neuron
from ....dialects import fixed, ntensor
from . import _canonical_parameters as parameters
from ._update_comparison import PROPERTIES, Differences, differences, sample

LEG020 = Code("LEG020", "neuron-rule-mismatch", "a neuron follows another rule than the population")
LEG021 = Code("LEG021", "rule-property-unknown", "unknown property of a rule", exit_code=ExitCode.MISUSED)

MOST_COMBINATIONS = 64
"""Maximum number of combinations of option values."""


class OtherRule(Refused):
    """The refusal LEG020 or LEG048, with the properties that differ, and passes after which they do not."""

    def __init__(
        self,
        properties: Sequence[str],
        *findings: Finding,
        remedy: str | None = None,
        before: Sequence[str | Part] = (),
    ):
        super().__init__(*findings)
        self.properties, self.remedy, self.before = tuple(properties), remedy, tuple(before)

    def helped_by(self, step: Any, *before: str | Part) -> OtherRule:
        """Returns the refusal with the help to permit the properties in the option `approximate` of a pass, after another remedy."""
        own = () if self.remedy is None else (Passes(self.remedy), ", or ")
        help = Phrase(*before, *own, suggest_pass(replace(step, approximate=self.properties)))
        findings = (evolve(one, help=help) for one in self.findings)
        return OtherRule(self.properties, *findings, remedy=self.remedy, before=before)

    def joined(self, later: OtherRule) -> OtherRule:
        """Returns the refusal with the properties and findings of another one; both have a help."""
        properties = dict.fromkeys([*self.properties, *later.properties])
        findings = dict.fromkeys([*self.findings, *later.findings])
        return OtherRule([*properties], *findings, remedy=self.remedy, before=self.before)


@frozen
class Choice:
    """A population and its new update."""

    op: ntensor.NeuronOp
    old: ntensor.UpdateOp
    rule: Neuron
    update: ntensor.UpdateOp
    element: Attribute
    """The element type of its new output."""
    differences: Differences = field(factory=Differences)
    """The differences between the rules of the update and of the population."""

    @property
    def takes_integers(self) -> bool:
        return bool(self.update.accumulators) or any(isinstance(t, fixed.IntType) for t in self.update.input_types)


@dataclass(frozen=True)
class Wish:
    """The requirements on the choice."""

    options: Mapping[str, str]
    """Of the user's choice."""
    fixed: Mapping[str, str]
    """Of the device's."""
    approximate: tuple[str, ...]
    dt: float


def verify_properties(names: tuple[str, ...], step: Any, allowed: Collection[str] = PROPERTIES) -> None:
    """Checks the names of properties in the option `approximate` of a pass. Errors: LEG021."""
    for name in names:
        if name not in allowed:
            near = [get_close_matches(each, allowed, 1) for each in names]
            known = [[each] if each in allowed else found for each, found in zip(names, near, strict=True)]
            others = tuple(dict.fromkeys(word for words in known for word in words))
            refuse(
                LEG021,
                f'unknown property "{name}" of a rule',
                at="approximate",
                expected=", ".join(allowed),
                found=name,
                help=suggest_pass(replace(step, approximate=others)),
            )


def chosen_updates(
    rule: Neuron, old: ntensor.UpdateOp, ops: Sequence[ntensor.NeuronOp], wish: Wish
) -> list[tuple[ntensor.UpdateOp, Differences]]:
    """Returns the new update of each population, and how its rule differs; now all have the update `old`.

    Errors: NEU005 an option that the neuron does not have; LEG033; LEG020 rules that differ.
    """
    found = compared(rule, old, ops, {**wish.fixed, **wish.options}, wish.dt)
    has_choice = wish.options and any(differing for _, differing in found)
    free = compared(rule, old, ops, wish.fixed, wish.dt) if has_choice else found
    refusals: list[Finding] = []
    refused: dict[str, None] = {}
    for op, (update, differing), (_, unavoidable) in zip(ops, found, free, strict=True):
        if left := [name for name in differing if name not in wish.approximate and name in unavoidable]:  # 3
            refused |= dict.fromkeys(left)
            refusals.append(refusal(op, old, update, differing))
    if refusals:
        raise OtherRule([*wish.approximate, *refused], *refusals)
    return found


def candidate_options(rule: Neuron, given: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yields the options with every combination of the values that are not given, the defaults first."""
    from ....core.neuron.neuron import choose_options

    choose_options(rule, given)  # refuses what the neuron does not have
    open = {name: values for name, values in rule.options.items() if name not in given}
    for k, values in enumerate(product(*open.values())):
        if k < MOST_COMBINATIONS:
            yield choose_options(rule, {**given, **dict(zip(open, values, strict=True))})


def compared(
    rule: Neuron, old: ntensor.UpdateOp, ops: Sequence[ntensor.NeuronOp], given: Mapping[str, str], dt: float
) -> list[tuple[ntensor.UpdateOp, Differences]]:
    """Returns an update for each population: the first that follows its rule, else the update that differs in the fewest properties."""  # 1, 2
    from ....dialects.equations.build import shared_update

    reals = [type for type in (*old.input_types, *old.state_types.values()) if isinstance(type, Float32Type)]
    best: dict[int, tuple[ntensor.UpdateOp, Differences]] = {}
    unknown: Refused | None = None
    precision = f32 if reals else f64
    updates = (shared_update(rule, options=values, precision=precision) for values in candidate_options(rule, given))
    for update in sorted(updates, key=lambda one: has_other_limit(old, one)) if emits_counts(old) else updates:  # 1
        open = [k for k in range(len(ops)) if k not in best or best[k][1]]
        if not open:
            break
        try:
            found = rules_differ([ops[k] for k in open], old, update, rule, dt)
        except Refused as refusal:  # other values may do without the parameter
            if any(finding.code is not parameters.LEG033 for finding in refusal.findings):
                raise
            unknown = unknown or refusal
            continue
        for k, differing in zip(open, found, strict=True):
            if k not in best or (len(differing), differing.distance) < (len(best[k][1]), best[k][1].distance):
                best[k] = update, differing
    if unknown is not None and len(best) < len(ops):
        raise unknown
    return [best[k] for k in range(len(ops))]


def emits_counts(update: ntensor.UpdateOp) -> bool:
    """Returns whether an update emits numbers of spikes."""
    return update.emits.data is ntensor.Emits.COUNT


def has_other_limit(old: ntensor.UpdateOp, new: ntensor.UpdateOp) -> bool:
    """Returns whether the greatest counts of two updates differ."""
    limits = [getattr(one.emitted.type, "upper", None) for one in (old, new) if emits_counts(one)]
    return len(limits) == 2 and limits[0] != limits[1]


def rules_differ(
    ops: Sequence[ntensor.NeuronOp], old: ntensor.UpdateOp, new: ntensor.UpdateOp, rule: Neuron, dt: float
) -> list[Differences]:
    """Returns the differences between the rule of the new update and the rule of each population."""
    if old.is_equal(new) or emits_another_kind(old, new):  # the latter is refused elsewhere
        return [Differences() for _ in ops]
    if old.takes_integers:
        known = [("gain" in parameters.canonical_of(op)) for op in ops]
        return [Differences({"dynamics": "integers come from another neuron"} if one else {}) for one in known]
    first = old.operand_names[0], old.operand_names[0] if len(old.operand_names) > 1 else rule.inputs[0].name
    unit: Any = 1.0 if new.takes_integers else None
    return differences(old, new, first, [sample(op, old, new, unit, dt) for op in ops], dt)


def emits_another_kind(old: ntensor.UpdateOp, new: ntensor.UpdateOp) -> bool:
    counted = {ntensor.Emits.SPIKE, ntensor.Emits.COUNT}
    return old.emits.data != new.emits.data and not {old.emits.data, new.emits.data} <= counted


def refusal(op: ntensor.NeuronOp, old: ntensor.UpdateOp, new: ntensor.UpdateOp, differing: Differences) -> Finding:
    return finding_about(
        op,
        LEG020,
        f"@{new.sym_name.data} follows another rule than the population: {', '.join(differing)}",
        expected=f"the rule of @{old.sym_name.data}",
        found="; ".join(f"{name}: {text}" for name, text in differing.items()),
    )
