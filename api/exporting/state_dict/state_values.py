"""Weights of a network, written at their places in a state dictionary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....core.arrays.numeric import AnyArray
from ....core.diagnostics import Code, Diagnostics, first_of, near_notes, refuse
from ....core.number_texts import number_text
from .framework_state import PYT009, cloned
from .state_places import StatePlaces

PYT010 = Code("PYT010", "parameter-without-state-entry", "no entry of the state dictionary holds a parameter")
PYT011 = Code("PYT011", "shared-entry-has-two-values", "parameters that share an entry of the state dictionary differ")

STORED_IN_F32 = 1e-6
"""Relative difference of parameters that were stored in f32."""
PARAMETERS_SHOWN = 6
SYNAPSE_NUMBERS = ("weight", "bias", "scale")


def same_parameters(
    wanted: Mapping[str, AnyArray], known: Mapping[str, AnyArray], at: str, *, is_in_ticks: bool
) -> dict[str, AnyArray]:
    """Returns the parameters that both networks have, after the check that their nodes are the same. Errors: PYT009.

    Neurons of a network in ticks have further parameters, which were derived from those of NIR.
    """
    problems = Diagnostics()
    found: dict[str, AnyArray] = {}
    for name, array in wanted.items():
        node, _, parameter = name.rpartition(".")
        place = {"at": f'"{node}"', "node": node, "help": f"nopt import {at} -o net.nir"}
        if name in known and (own := in_shape(array, known[name])) is not None:
            found[name] = own
        elif name in known:
            shapes = (f"shape {list(one.shape)}" for one in (known[name], array))
            problems.error(
                PYT009, f"{name} has another shape", **place, **dict(zip(("expected", "found"), shapes, strict=True))
            )
        elif not is_in_ticks or parameter in SYNAPSE_NUMBERS:
            expected = f"parameters of {at}: {first_of(list(known), PARAMETERS_SHOWN)}"
            problems.error(PYT009, **place, expected=expected, found=name, notes=near_notes(name, known))
    missing = [name for name in known if name not in wanted and name.rpartition(".")[2] == "weight"]
    if missing and not problems.errors:
        expected = f"weights for {first_of(missing, PARAMETERS_SHOWN)}"
        help = f"nopt import {at} -o net.nir"
        problems.error(PYT009, at=at, expected=expected, found="a network without these nodes", help=help)
    problems.raise_errors()
    return found


def in_shape(array: AnyArray, like: AnyArray) -> AnyArray | None:
    """Returns an array in the shape of another one; a parameter of neurons may be one number."""
    if array.shape == like.shape:
        return array
    return np.broadcast_to(array, like.shape) if array.size == 1 else None


def write_values(
    wanted: Mapping[str, AnyArray], places: StatePlaces, repaired: Mapping[str, AnyArray], at: str
) -> tuple[dict[str, Any], dict[str, dict[str, None]], float]:
    """Returns the state dictionary with the weights, the parameters of each entry, and the largest relative rounding. Errors: PYT010, PYT011."""
    state, problems, rounding = cloned(places.state), Diagnostics(), 0.0
    flat = {
        key: tensor.cpu().numpy().reshape(-1).astype(np.float64)
        for key, tensor in state.items()
        if tensor.is_floating_point()
    }
    written: dict[str, dict[str, None]] = {}
    for name, array in wanted.items():
        base = repaired[name]
        values = array.astype(np.float64).reshape(-1)
        is_free = np.ones(values.size, bool)
        if same(
            places.baseline[name], base
        ).all():  # otherwise the number is converted, and the entry is not that of the file
            for place in places.found.get(name, ()):
                target, own = flat[place.key], values[place.where]
                target[place.index] = own
                is_free[place.where] = False
                written.setdefault(place.key, {})[name] = None
        changed = is_free & ~same(values, base.astype(np.float64).reshape(-1))
        if changed.any():
            node, _, parameter = name.rpartition(".")
            index = int(np.flatnonzero(changed)[0])
            problems.error(
                PYT010,
                f"{parameter} of {node} has no entry in the state dictionary",
                at=f'"{node}"',
                node=node,
                expected=f"{number_text(float(base.reshape(-1)[index]))}, as in {at}",
                found=f"{number_text(float(values[index]))} in {int(changed.sum())} of {values.size} entries",
                help=advice(parameter),
            )
    for key, names in written.items():
        kind = state[key].cpu().numpy().dtype
        stored = flat[key].astype(kind)
        for name in names:
            values = wanted[name].astype(np.float64).reshape(-1)
            for place in places.found[name]:
                if place.key != key:
                    continue
                own, now = values[place.where], stored[place.index].astype(np.float64)
                error = np.abs(own - now) / np.maximum(np.abs(own), np.finfo(np.float32).tiny)
                if (error > STORED_IN_F32).any():
                    index = int(np.argmax(error))
                    problems.error(
                        PYT011,
                        at=f'"{key}"',
                        expected=f"one value for all of {first_of(list(names), PARAMETERS_SHOWN)}",
                        found=f"{number_text(float(own[index]))} in {name}, {number_text(float(now[index]))} in another",
                        help="quantize all layers that share weights by one scale, or give each its own layer",
                    )
                    break
                rounding = max(rounding, float(error.max(initial=0.0)))
        state[key] = state[key].new_tensor(stored).reshape(state[key].shape)
    problems.raise_errors()
    return state, written, rounding


def same(some: AnyArray, others: AnyArray) -> Any:
    if some.shape != others.shape:
        return np.zeros((), bool)
    a, b = some.astype(np.float64), others.astype(np.float64)
    return np.abs(a - b) <= STORED_IN_F32 * np.abs(b)


def advice(parameter: str) -> str:
    if parameter == "bias":
        return "set bias=True in the layer, and import the network again"
    return "set the parameter in the file that makes the network, and import it again"


def require_equal(wanted: Mapping[str, AnyArray], found: Mapping[str, AnyArray], at: str) -> None:
    """Refuses a state dictionary with which the framework's network becomes another network. Errors: PYT009."""
    for name, array in wanted.items():
        own = in_shape(array, found[name])
        if own is None or not same(own, found[name]).all():
            refuse(
                PYT009,
                f"{name} is another one after the export",
                at=f'"{name.rpartition(".")[0]}"',
                expected=f"the {name} of the network",
                found=f"another one of {at} with these weights",
                help=f"nopt import {at} -o net.nir",
            )
