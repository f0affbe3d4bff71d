"""Populations of a pass: their selection, the parameters that carry canonical values, and the effects of a parameter change.

An update describes a neuron twice: `step` computes with parameters, `canonical` names their meaning. A parameter carries a canonical
value if both derive from the same raw parameters and dt, and if it equals that value, or 1 minus it, neuron by neuron.
Norse's `k = dt / tau` is 1 minus its `decay`; Nengo's `a = exp(-dt / tau)` is its decay, and its `b` is 1 minus it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import DictionaryAttr, Float32Type, Float64Type, ModuleOp
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from ....analysis.calibration_records import OBSERVED, find_observation
from ....analysis.node_selection import check_names, choose_ops, name_of
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import AnyArray, Reals
from ....core.diagnostics import Code, ExitCode, refuse, refuse_op
from ....core.help_text import Option, Phrase
from ....core.ir.operation import texts_of
from ....core.ir.pipeline import option_text
from ....dialects import fixed, ntensor
from ....dialects.ntensor.network import networks
from ._parameter_grid import in_type

QUA028 = Code("QUA028", "value-range-unknown", "the range of a value is not known")
QUA029 = Code("QUA029", "range-options-conflict", "the options of a range do not fit", exit_code=ExitCode.MISUSED)


LARGEST_RANGE = 2.0**100
"""Limit of ranges, so that steps and their products are normal numbers of f32."""


# ---- populations


def is_population(op: Operation) -> bool:
    return isinstance(op, ntensor.NeuronOp)


Populations = list[tuple[ntensor.NeuronOp, ntensor.UpdateOp]]
"""Populations with their updates."""


def populations(module: ModuleOp, nodes: Sequence[str], step: str) -> Iterator[tuple[ntensor.NetworkOp, Populations]]:
    """Yields every network with its populations, or only with populations that `nodes` names. Errors: ANA031."""
    check_names(module, nodes, is_population, step)
    updates = ntensor.find_updates(module)  # a verified network has its updates
    for network in networks(module):
        ops = choose_ops(network, nodes, is_population)
        yield network, [(op, updates[op.update_name]) for op in ops if isinstance(op, ntensor.NeuronOp)]


# ---- thresholds


def input_gain(op: ntensor.NeuronOp) -> Reals | None:
    """Returns the effect of an input of 1 on the potential; None if it is not known. Shapes: () or that of the population."""
    canonical = op.canonical
    if canonical is None or "gain" not in canonical.data:
        return None
    gain = entry_values(canonical, "gain").astype(np.float64)
    if "gain_i" in canonical.data:
        gain = gain * entry_values(canonical, "gain_i").astype(np.float64)
    return np.asarray(gain)


def threshold_inputs(op: ntensor.NeuronOp) -> Reals | None:
    """Returns the thresholds of a population as multiples of the effect of an input of 1; they can be infinite or NaN. None if they are unknown.

    Shapes: () or that of the population.
    """
    canonical, gain = op.canonical, input_gain(op)
    if canonical is None or gain is None or "threshold" not in canonical.data:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.abs(entry_values(canonical, "threshold").astype(np.float64) / gain))


# ---- observations


def observed(op: Operation, name: str) -> tuple[float, float] | None:
    """Returns the lowest and highest value of a state or input that a calibration observed at a node; None without an observation."""
    entry = find_observation(op, name)
    if not isinstance(entry, ArrayAttr) or entry.shape != (2,) or not np.isfinite(entry.values).all():
        return None
    lowest, highest = map(float, entry.values)
    return lowest, highest


def range_of(op: Operation, name: str, given: tuple[float | None, float | None], help: str) -> tuple[float, float]:
    """Returns the given ends, else the observed range of a state or input. Errors: QUA028 neither."""
    low, high = given
    found = observed(op, name) if low is None or high is None else (low, high)
    if found is None:
        refuse_op(
            op,
            QUA028,
            f"the range of {name} is not known",
            expected=f"the lowest and the highest {name} of a run with sample input",
            found=str(op.attributes.get(OBSERVED, "no calibration")),
            help=Phrase(Option(help, "--calib x.npy", is_of_device=True)),
        )
    return found


def check_range(at: str, is_given: bool, low: float | None, high: float | None) -> None:
    """Refuses an incomplete range, exchanged ends, and ends together with `range=observed`. Errors: QUA029."""
    ends = [end for end in (low, high) if end is not None]
    if (not is_given and ends) or (
        is_given and (len(ends) != 2 or not -LARGEST_RANGE < ends[0] <= ends[1] < LARGEST_RANGE)
    ):
        refuse(
            QUA029,
            at=at,
            expected="low and high, the lower one first" if is_given else "no low and high, or range=given",
            found=f"low={low}, high={high}",
            help="range=given low=-1 high=1",
        )


# ---- parameters and what they mean


def origin(value: SSAValue) -> SSAValue:
    """Returns the value that a chain of copies starts from."""
    while isinstance(value, OpResult) and isinstance(value.op, ntensor.LetOp):
        value = value.op.x
    return value


def ends(update: ntensor.UpdateOp) -> tuple[dict[str, SSAValue], dict[str, SSAValue]]:
    """Returns the results of the `derive` region by name: the parameters of the step, and the canonical values."""
    last = update.derive.block.last_op
    assert last is not None  # verified: the region ends in ntensor.derived
    params, values = texts_of(update.params), list(last.operands)
    return (
        dict(zip(params, values, strict=False)),
        dict(zip(texts_of(update.canonical), values[len(params) :], strict=True)),
    )


def sources(update: ntensor.UpdateOp) -> dict[SSAValue, frozenset[SSAValue]]:
    """Returns the raw parameters, and dt, that each value of `derive` is computed from."""
    block = update.derive.block
    found: dict[SSAValue, frozenset[SSAValue]] = {arg: frozenset([arg]) for arg in block.args}
    for op in block.ops:
        for result in op.results:
            found[result] = frozenset[SSAValue]().union(*(found[x] for x in op.operands))
    return found


@frozen(eq=False)
class Carrier:
    """A parameter of the step that carries a canonical value: that value itself, or 1 minus it."""

    name: str
    is_complement: bool


@frozen(eq=False)
class Carriers:
    """The parameters that store one canonical value, and whether any of them are integers, which have a separate grid."""

    found: list[Carrier]
    is_constant: bool
    """Whether the value is a number of the rule, which no parameter changes."""
    has_integers: bool


def carriers(op: ntensor.NeuronOp, update: ntensor.UpdateOp, canonical: str) -> Carriers:
    """Returns the parameters that carry a canonical value of a population."""
    params, meanings = ends(update)
    behind = sources(update)
    wanted = behind[meanings[canonical]]
    alike = [name for name, value in params.items() if wanted and behind[value] == wanted]
    types = update.param_types
    found: list[Carrier] = []
    for name in alike:
        if isinstance(types[name], Float32Type | Float64Type):
            given = in_type(entry_values(op.params, name), types[name])
            value = entry_values(op.canonical, canonical).astype(np.float64)
            tolerance = 2.0**-22 if given.dtype == np.float32 else 2.0**-50
            for is_complement, meant in ((False, value), (True, 1 - value)):
                if np.allclose(given, meant, rtol=tolerance, atol=tolerance * is_complement, equal_nan=True):
                    found.append(Carrier(name, is_complement))
                    break
    return Carriers(found, not wanted, any(isinstance(types[name], fixed.IntType) for name in alike))


def refuse_uncarried(code: Code, name: str, op: ntensor.NeuronOp, expected: str) -> NoReturn:
    """Refuses a canonical value that no parameter of the step carries."""
    refuse_op(
        op,
        code,
        f"{name} is not a parameter of the step",
        expected=f"a parameter of {op.update} that {expected}",
        found=", ".join(op.params.data) or "no parameters",
        help=f'ntensor-set-neuron-model{{to="FILE.neuron" nodes={option_text(name_of(op))}}}',
    )


def param_of(op: ntensor.NeuronOp, update: ntensor.UpdateOp, name: str) -> AnyArray:
    """Returns a parameter of reals as the step computes with it."""
    return in_type(entry_values(op.params, name), update.param_types[name])


def entry_values(entries: DictionaryAttr | None, name: str) -> AnyArray:
    entry = entries.data[name] if entries is not None else None
    assert isinstance(entry, ArrayAttr)  # verified
    return entry.values


def replaced(entries: DictionaryAttr | None, new: Mapping[str, AnyArray]) -> DictionaryAttr:
    """Returns the entries with new values for some of them."""
    held: dict[str, Attribute] = dict(entries.data) if entries is not None else {}
    return DictionaryAttr({**held, **{name: ArrayAttr.of(array) for name, array in new.items()}})


def follow(
    op: ntensor.NeuronOp, update: ntensor.UpdateOp, params: Mapping[str, AnyArray], canonical: Mapping[str, AnyArray]
) -> None:
    """Sets new parameters of a population, and recomputes the canonical values that derive from them.

    A canonical value that depends on more than the parameters of the step is kept; the given ones are stored as they are.
    """
    op.params = replaced(op.params, params)
    reached = derived_from(update, params)
    known = evaluated(update, op)
    _, meanings = ends(update)
    shape = np.broadcast_shapes(*(array.shape for array in params.values()))
    new = {
        name: np.broadcast_to(known[value], np.broadcast_shapes(np.shape(known[value]), shape)).copy()
        for name, value in meanings.items()
        if value in reached and value in known and name not in canonical
    }
    op.canonical = replaced(op.canonical, {**new, **canonical})


def derived_from(update: ntensor.UpdateOp, names: Iterable[str]) -> set[SSAValue]:
    """Returns the values that `derive` computes from these parameters of the step."""
    params, _ = ends(update)
    reached = {value for name in names for value in (params[name], origin(params[name]))}
    for op in update.derive.block.ops:
        if not reached.isdisjoint(op.operands):
            reached.update(op.results)
    return reached


def evaluated(update: ntensor.UpdateOp, op: ntensor.NeuronOp) -> dict[SSAValue, AnyArray]:
    """Returns the values that `derive` computes from the parameters of a population's step."""
    from xdsl.dialects import arith

    from ....simulation.update import kernel

    params, _ = ends(update)
    known: dict[SSAValue, AnyArray] = {}
    for name, value in params.items():
        if isinstance(update.param_types[name], Float32Type | Float64Type):
            given = entry_values(op.params, name).astype(np.float64)
            known |= {value: given, origin(value): given}
    for inner in update.derive.block.ops:
        if not inner.results or (result := inner.results[0]) in known or not all(x in known for x in inner.operands):
            continue
        if isinstance(inner, arith.ConstantOp):
            held: Any = inner.value
            known[result] = np.asarray(held.value.data, np.float64)
        elif isinstance(inner, ntensor.LetOp):
            known[result] = known[inner.x]
        elif (call := kernel(inner)) is not None and isinstance(result.type, Float64Type):
            args = [known[x] for x in inner.operands]
            out = np.empty(np.broadcast_shapes(*(np.shape(arg) for arg in args)))
            with np.errstate(all="ignore"):
                call(*args, out)
            known[result] = out
    return known
