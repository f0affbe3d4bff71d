"""Report of a conversion to another update, for the record of `ntensor-set-neuron-model`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from attrs import define, field

from ....analysis.approximation_errors import mean_of
from ....core.arrays.numeric import Reals
from ....core.ir.operation import shape_of
from ._update_options import Choice


@define
class Report:
    """The effects of the conversions of one network."""

    touched: list[str] = field(factory=list[str])
    rules: dict[str, None] = field(factory=dict[str, None])
    differences: dict[str, list[Reals]] = field(factory=dict[str, list[Reals]])
    """By canonical name."""
    properties: dict[str, str] = field(factory=dict[str, str])
    """Properties of the rule that differ, and how."""
    unit_error: float = 0.0
    """The largest error of what one integer adds, relative to it."""
    kept_apart: dict[str, None] = field(factory=dict[str, None])
    """Values that cannot be compared."""
    limits: dict[str, None] = field(factory=dict[str, None])
    """Fewer spikes in a tick than the population can emit, where no stimulus of the comparison reaches them."""

    def what(self) -> str:
        exact = [name for name, found in self.differences.items() if not any(part.any() for part in found)]
        parts = [f"{', '.join(exact)} exact"] if exact else []
        for name, found in self.differences.items():
            if name not in exact:
                errors = np.concatenate([np.ravel(part) for part in found])
                parts.append(f"{name} differs by at most {errors.max():.3g}, {mean_of(errors):.3g} on average")
        if self.unit_error:
            parts.append(f"the value of an integer differs by at most {self.unit_error:.3g} of it")
        parts += [f"{name} differs ({text})" for name, text in self.properties.items()] or ["the rule is the same"]
        parts += [] if "count" in self.properties else self.limits
        if self.kept_apart:
            parts.append(f"not compared: {', '.join(self.kept_apart)}")
        return f"{', '.join(self.rules)}: {'; '.join(parts)}"

    def errors(self) -> tuple[float | None, float | None]:
        every = [np.ravel(part) for found in self.differences.values() for part in found]
        if not every:
            return None, None
        joined = np.concatenate(every)
        return float(joined.max()), mean_of(joined)

    def add(self, choice: Choice, canonical: Mapping[str, Reals], *, has_unit: bool) -> None:
        """Adds the comparison of the old and the new update of a population; `canonical` are its values."""
        op = choice.op
        self.touched.append(op.node.data)
        self.rules.setdefault(f"@{choice.old.sym_name.data} becomes @{choice.update.sym_name.data}")
        for name, array in op.arrays(op.canonical) if op.canonical is not None else ():
            if has_unit and name in ("gain", "gain_i"):
                continue  # they are part of the unit
            if name in canonical:
                error = np.abs(np.asarray(canonical[name], np.float64) - array.values)
                self.differences.setdefault(name, []).append(np.broadcast_to(error, shape_of(op.z)))
            else:
                self.kept_apart.setdefault(name)
        if choice.old.emits != choice.update.emits:
            self.kept_apart.setdefault(f"{choice.old.emits.data} as {choice.update.emits.data}")
        for name in choice.old.operand_names[1:]:
            self.kept_apart.setdefault(f"input {name}")
        before, after = (getattr(one.emitted.type, "upper", 1) for one in (choice.old, choice.update))
        if after < before:
            self.limits.setdefault(f"at most {after} spikes in a tick instead of {before}")
        for name, text in choice.differences.items():
            self.properties.setdefault(name, text)
