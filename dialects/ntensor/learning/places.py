"""Places of learning rules in their files: the line of the synapse language that an op was built from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from ....core.expressions.places import Place, line_with_caret
from ....core.ir.location_parts import line_of
from ....core.registry import synapses
from .attributes import LearningAttr
from .bounds import rule_of
from .rules import RuleOp

if TYPE_CHECKING:
    from .. import SynapseOpInterface

SYNAPSE_SUFFIX = ".synapse"


def rule_line(op: Operation) -> dict[str, Any]:
    """Returns the place of an op of a rule, and the line with a caret as a note, as parts of a finding; none for an op without a line of that language."""
    found = line_of(op.location)
    if found is None or not found.line.data or not found.filename.data.endswith(SYNAPSE_SUFFIX):
        return {}
    name, place = found.filename.data, Place(found.line.data, found.column.data)
    path = synapses().get(Path(name).stem, Path(name)) if Path(name).name == name else Path(name)
    parts: dict[str, Any] = {"place": f"{name}:{place.line}:{place.column}"}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return parts  # the file was changed or removed since it was read
    return parts | {"notes": (line_with_caret(lines, place),)}


def learning_line(op: SynapseOpInterface) -> dict[str, Any]:
    """Returns the place of the rule of a synapse op, as `rule_line` does; none without a rule of a file."""
    given = op.learning_rule
    rule = rule_of(op, given) if isinstance(given, LearningAttr) else None
    return {} if rule is None else rule_line(rule)


def reading_line(rule: RuleOp, name: str) -> dict[str, Any]:
    """Returns the place of the first op of a rule that reads a name, as `rule_line` does; that of the rule if no op has one."""
    blocks = [*(block for _, block in rule.steps), *([] if rule.transmitted is None else [rule.transmitted])]
    ops = (use.operation for block in blocks for use in block.args[rule.arguments.index(name)].uses)
    return next((line for op in ops if (line := rule_line(op))), rule_line(rule))
