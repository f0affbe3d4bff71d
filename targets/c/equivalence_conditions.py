"""The limits of equality between C and the reference: sums that may overflow, and functions whose last bits differ.

C computes the same bits as the reference, with two exceptions. The reference checks every integer sum at run time, and refuses one
that leaves its type. C has no such check, so it accepts only networks whose sums fit for every input; the analysis of integer ranges
decides this. The last bits of `exp` and `log` depend on the library, so steps that call them may differ in their last bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects import math
from xdsl.ir import Operation, Region

from ...analysis.integer_ranges import IntegerRanges
from ...analysis.synapse_ranges import SAFE
from ...core.diagnostics import Code, Finding, finding_about
from ...core.fixed_point import Interval
from ...core.help_text import PassesOption, Phrase
from ...core.ir.operation import element_type
from ...core.number_texts import counted_text
from ...dialects.ntensor import (
    LearningAttr,
    NetworkOp,
    NeuronOp,
    SynapseOpInterface,
    TermsType,
    UpdateOp,
    find_rules,
    interval_of,
)

CSR017 = Code("CSR017", "native-engine-inexact", "the engine `native` cannot reproduce the results of the reference")

INEXACT = (math.ExpOp, math.LogOp)
ROOM = Interval(-SAFE, SAFE - 1)
"""Sums within this interval leave room for one more addition in 64 bits."""


def inexact(network: NetworkOp, updates: Mapping[str, UpdateOp]) -> str | None:
    """Returns the reason why results can differ in the last bits; None if they never differ."""
    rules = find_rules(network.parent_op())
    for op in network.body.block.ops:
        given = op.learning_rule if isinstance(op, SynapseOpInterface) else None
        rule = rules.get(given.symbol) if isinstance(given, LearningAttr) else None
        if rule is not None and (found := first_inexact([*rule.blocks, rule.efficacy])) is not None:
            return f"@{rule.sym_name.data} computes {found.name} at events, whose last bits depend on the C library"
        update = updates.get(op.update_name) if isinstance(op, NeuronOp) else None
        if update is not None and (found := first_inexact([update.step])) is not None:
            return (
                f"@{update.sym_name.data} computes {found.name} in every tick, whose last bits depend on the C library"
            )
    return None


def first_inexact(regions: Sequence[Region]) -> Operation | None:
    """Returns the first op of some regions whose last bits depend on the C library."""
    return next((op for region in regions for op in region.walk() if isinstance(op, INEXACT)), None)


def violations(network: NetworkOp, language: str = "C") -> Iterator[Finding]:
    """Yields the reasons why code without checks of sums would not compute the results of the reference. Errors: CSR017."""
    ranges = IntegerRanges(network)
    for op in network.body.block.ops:
        if isinstance(op, SynapseOpInterface) and op.learning_rule is not None and language != "C":
            yield finding_about(
                op,
                CSR017,
                f"plasticity is not supported in {language}",
                expected="weights that stay as they are",
                found=op.learning_rule.name,
                path="plasticity",
                help=Phrase(PassesOption("ntensor-freeze-plasticity")),
            )
        if not op.results or (sums := ranges.sums(op)) is None:
            continue
        element = element_type(op.results[0])
        held = interval_of(element)
        if held is None:
            continue  # sums of reals are rounded
        if not ROOM.holds(sums.partial):
            bits = sums.partial.signed_bits
            excess = bits - ROOM.signed_bits
            yield finding_about(
                op,
                CSR017,
                f"a sum is too wide for {language}",
                expected=f"{ROOM}: 63 bits",
                found=f"sums in {sums.partial}: {bits} bits",
                help=f"quantize the weights to {counted_text(excess, 'bit')} fewer, on the network of reals",
            )
        elif not isinstance(element, TermsType) and not held.holds(sums.result):
            yield finding_about(
                op,
                CSR017,
                f"a sum can leave {element}",
                expected=str(held),
                found=f"sums in {sums.result}: {sums.result.signed_bits} bits",
                help="-p ntensor-widen-sums",
            )
