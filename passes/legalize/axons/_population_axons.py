"""Fit of one population: the weights of each of its slices, over all chains that it adds, become sums of the values of axon types.

Errors: LEG008, LEG009, LEG010, LEG011, LEG013.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod

import numpy as np
from attrs import define, field, frozen

from ....analysis.approximation_errors import Errors
from ....analysis.rounding_losses import RoundedWeights, report_weights
from ....analysis.slicing import planned_copies, planned_slicing
from ....analysis.weight_lines import SparseLines
from ....analysis.wiring import Wiring
from ....core.arrays.numeric import AnyArray, Ints, Reals
from ....core.diagnostics import Code, Diagnostics, refuse_op
from ....core.ir.operation import element_type, shape_of
from ....core.number_texts import counted_text
from ....dialects import ntensor
from ....dialects.chip_base.slicing import Slicing, place_in, single_slice
from ....dialects.chip_base.weights import smallest_integers
from ....dialects.ntensor.axon_types import mask_members
from ....simulation.recorded_run import RecordedRun
from ._axon_feedback import with_feedback
from ._axon_fit import AxonFit, Grid, fit_axons
from ._axon_synapses import (
    LEG009,
    AxonSynapses,
    can_store,
    replace_chain,
    sparse_op,
    store_weights,
    synapses_of,
)
from ._source_moments import SourceMoments

LEG010 = Code("LEG010", "slice-exceeds-core-axons", "a slice has more axons than a core")
LEG011 = Code("LEG011", "unweighted-spikes-meet-weights", "spikes without a weight meet weights")
LEG013 = Code("LEG013", "axon-weight-not-finite", "a weight is not finite")

KEPT_SLICES = 256
"""Maximum number of fits of small slices that are kept, as a network is compiled several times."""
SMALL = 2**14
"""Maximum number of weights of a small slice."""


@frozen
class Limits:
    """The numbers of a core, and of duplicates."""

    types: int
    axons: int | None
    copies: int
    is_neurons: bool
    """Whether neurons have duplicated axons, too."""
    bits: int


KnownFits = dict[tuple[object, ...], tuple[AxonFit, float | None]]
"""Fits of large slices of all populations by weights and limits: slices of a convolution have the same ones, in other places."""


@define(eq=False)
class ChainFit:
    """The fitted synapses of one chain. Shapes: mask [synapses], the connected types; axons [axons, 4], the table of an op."""

    chain: AxonSynapses
    mask: Ints
    axons: list[Ints] = field(factory=list[Ints])

    @property
    def table(self) -> Ints:
        """The axons of all slices."""
        return np.concatenate([np.zeros((0, 4), np.int64), *self.axons])


@define(eq=False)
class PopulationFit:
    """The fit of one population."""

    wiring: Wiring
    name: str
    limits: Limits
    errors: Errors
    known: KnownFits
    diagnostics: Diagnostics
    run_with_samples: RecordedRun | None = None
    """A run of the network, by whose spikes the slices are fitted."""
    costs: list[str] = field(factory=list[str])
    """A line about duplicated axons."""

    @property
    def neuron(self) -> ntensor.NeuronOp:
        return self.wiring.neurons[self.name]

    def run(self) -> None:
        """Fits all slices. Errors: LEG008, LEG009, LEG010, LEG011, LEG013."""
        fits = [ChainFit(chain, np.zeros(len(chain.weight), np.int64)) for chain in self.chains()]
        if not fits:
            return
        shape = shape_of(self.neuron.z)
        slicing = planned_slicing(self.neuron) or single_slice(shape)
        label = place_in(slicing)
        if self.is_fitted(fits, label):
            return
        values = self.fit_slices(fits, slicing, label)
        dtype = values.dtype
        stored = smallest_integers(values.astype(np.int64)) if dtype.kind == "i" else values
        for fit in fits:
            self.replace(fit, stored, label)

    def chains(self) -> list[AxonSynapses]:
        """Returns the synapses of each chain. Errors: LEG008, LEG009, LEG011, LEG013."""
        found: list[AxonSynapses] = []
        direct: list[str] = []
        for one in self.wiring.into(self.name):
            if (chain := synapses_of(one)) is not None:
                found.append(chain)
            elif ntensor.is_event(element_type(one.value)):
                direct.append(one.name)
        if found and direct:
            help = 'give them a weight: an ntensor.scale "NAME" of 1'
            what = f'spikes of "{direct[0]}" without a synapse'
            refuse_op(self.neuron, LEG011, expected="weights for all spikes of a population", found=what, help=help)
        for chain in found:
            if not np.isfinite(chain.weight).all():
                value = chain.weight[~np.isfinite(chain.weight)][0]
                help = "correct the weight in the file that it came from"
                refuse_op(chain.weighted, LEG013, expected="finite numbers", found=str(value), help=help)
            if chain.is_whole != found[0].is_whole:
                expected = f'weights of one kind, as those of "{found[0].weighted.node.data}"'
                kinds = "integers" if chain.is_whole else "reals"
                refuse_op(chain.weighted, LEG009, expected=expected, found=kinds, help="ntensor-quantize-weights")
        return found

    def is_fitted(self, fits: list[ChainFit], label: Ints) -> bool:
        """Returns whether all chains have axon types for these slices."""
        given = [fit.chain.weighted.typed_axons for fit in fits]
        first = given[0]
        return all(
            fit.chain.is_own
            and one is not None
            and first is not None
            and one.types <= self.limits.types
            and one.values == first.values
            and np.array_equal(one.slices.values, label)
            for fit, one in zip(fits, given, strict=True)
        )

    def fit_slices(self, fits: list[ChainFit], slicing: Slicing, label: Ints) -> AnyArray:
        """Sets masks and axons of every chain. Returns the values. Shapes: [neurons, types]. Errors: LEG010."""
        types = self.limits.types
        is_whole = fits[0].chain.is_whole
        real = None if is_whole else min((fit.chain.dtype for fit in fits), key=lambda one: one.itemsize)
        bound = float(2 ** (self.limits.bits - 1))
        largest = max(float(np.abs(fit.chain.weight).max(initial=0.0)) for fit in fits)
        unit = 1.0 if real is None else float(2.0 ** (np.frexp(largest)[1] - 1))
        grid = Grid(None, -bound, bound - 1) if real is None else Grid(real, unit=unit)
        values = np.zeros((slicing.size, types), np.int64 if real is None else real)
        total, error, bits = 0.0, 0.0, 0
        without: float | None = 0.0
        """The error without duplicates, if all slices were fitted without, too."""
        sources = axons = most = 0
        moments = self.source_moments(fits)
        for k, own in enumerate(slicing.members):
            columns = [slice_columns(fit.chain, label == k) for fit in fits]
            weights, copies = self.slice_weights(fits, columns, own, slicing.size)
            if self.limits.axons is not None and weights.shape[1] > self.limits.axons:
                self.refuse_axons(k, weights.shape[1], self.limits.axons)
            room = weights.shape[1] * types if self.limits.axons is None else self.limits.axons
            found, single = self.fit(weights / unit, copies, room, grid)
            if moments is not None and (own_moments := moments.of_slice([keys for _, _, keys in columns])) is not None:
                found = with_feedback(found, weights / unit, own_moments, grid)
            values[own] = found.values * unit
            place = np.empty(slicing.size, np.int64)
            place[own] = np.arange(len(own))
            at = used = 0
            for fit, (chosen, column, keys) in zip(fits, columns, strict=True):
                masks = found.masks[:, at : at + len(keys)]
                fit.mask[chosen] = masks[place[fit.chain.target[chosen]], column]
                joined = np.bitwise_or.reduce(masks, axis=0) if len(keys) else np.zeros(0, np.int64)
                index, type = np.nonzero(mask_members(joined, types))
                slice = np.full(len(index), k)
                fit.axons.append(np.column_stack([slice, keys[index, 0], type, keys[index, 1]]))
                at += len(keys)
                used += len(index)
                sources += int((joined != 0).sum())
            axons, most = axons + used, max(most, used)
            total, error = total + float(np.abs(weights / unit).sum()), error + found.error
            without = None if single is None or without is None else without + single
            bits += bit_weights(found) if single is None else 0
        if axons > sources:
            shares = [100 * one / max(total, 1e-300) for one in (error, without) if one is not None]
            before = f", {shares[1]:.1f} % without duplicates" if len(shares) > 1 else ""
            whole = f"; {bits} neurons have weights of {types} bits" if bits else ""
            self.costs.append(
                f'"{self.name}": {axons} axons of {sources} sources, {most} in a slice at most; '
                f"the error is {shares[0]:.1f} % of the weights{before}{whole}"
            )
        return values

    def source_moments(self, fits: list[ChainFit]) -> SourceMoments | None:
        """Returns the spikes of all sources; None without samples, or if there are too many."""
        run = self.run_with_samples
        return None if run is None else SourceMoments.of(run, self.neuron, [fit.chain.ops[0].x for fit in fits])

    def fit(self, weights: Reals, copies: Ints, room: int, grid: Grid) -> tuple[AxonFit, float | None]:
        """Returns the fit of a slice, and its error without duplicates, as `fit_axons`. Slices with equal weights are fitted once."""
        key = weights.shape, weights.tobytes(), copies.tobytes(), room, grid
        if weights.size <= SMALL:
            return kept_fit(self.limits.types, *key)
        if key not in self.known:
            self.known[key] = fit_axons(weights, self.limits.types, copies, room, grid)
        return self.known[key]

    def slice_weights(
        self, fits: list[ChainFit], columns: list[tuple[Ints, Ints, Ints]], own: Ints, size: int
    ) -> tuple[Reals, Ints]:
        """Returns the weights of a slice by neuron and source, and the axons that each source may have."""
        place = np.empty(size, np.int64)
        place[own] = np.arange(len(own))
        weights = np.zeros((len(own), sum(len(keys) for _, _, keys in columns)))
        copies: list[int] = []
        planned = planned_copies(self.neuron) or self.limits.copies
        for fit, (chosen, column, keys) in zip(fits, columns, strict=True):
            weights[place[fit.chain.target[chosen]], len(copies) + column] = fit.chain.weight[chosen]
            can_copy = self.limits.is_neurons or fit.chain.origin in self.wiring.inputs
            copies += [min(self.limits.copies, planned) if can_copy else 1] * len(keys)
        return weights, np.array(copies, np.int64)

    def refuse_axons(self, k: int, found: int, most: int) -> None:
        """Errors: LEG010."""
        count = len((planned_slicing(self.neuron) or single_slice(shape_of(self.neuron.z))).boxes)
        where = f"slice {k}" if count > 1 else "all neurons, which no plan divides"
        help = f"ntensor-plan-cores, or ntensor-split-fan-in{{max-fan-in={max(2, most)}}}"
        expected = f"at most {most} axons for the neurons of a slice"
        refuse_op(self.neuron, LEG010, expected=expected, found=f"{found} axons of {where}", help=help)

    # ---- the ops

    def replace(self, fit: ChainFit, values: AnyArray, label: Ints) -> None:
        """Puts the fitted weights of a chain into its op, or into sparse ops in its place, and adds their errors."""
        chain, table = fit.chain, fit.table
        weight = stored_weights(chain, fit.mask, values)
        node = chain.weighted.node.data
        is_other_sum = not chain.is_whole and not chain.is_own  # a sum of reals in another order
        before, after = chain.numbers(chain.weight), chain.numbers(weight)
        error = np.abs(after - before)
        if error.any() or is_other_sum:
            self.errors.add(node, error)
        self.report(chain, before, after)
        types = ntensor.AxonTypesAttr.of(values, label, table)
        if can_store(chain, weight):
            store_weights(chain, weight, types)
        else:
            replace_chain(chain, sparse_op(chain, weight, types))

    def report(self, chain: AxonSynapses, before: Reals, after: Reals) -> None:
        """Warns of neurons that lose their weights, or most of them. Warnings: ANA028, ANA029."""
        lines = SparseLines(chain.weighted, "row", chain.target, prod(shape_of(self.neuron.z)))
        found = RoundedWeights(chain.weighted, before, after, given_lines=lines)
        values = counted_text(self.limits.types, "value")
        cause = f"all neurons of a core share the types of its axons, and a neuron has {values}"
        report_weights([found], self.diagnostics, cause=cause, is_clip_chosen=True)


def bit_weights(fit: AxonFit) -> int:
    """Returns how many neurons of a fit have values s, 2s, 4s and -8s, or with the other signs: their sums are weights of as many bits."""
    ordered = fit.values[np.arange(len(fit.values))[:, None], np.argsort(np.abs(fit.values), axis=1, kind="stable")]
    powers = 2.0 ** np.arange(fit.values.shape[1])
    powers[-1] = -powers[-1]
    return int(((ordered == ordered[:, :1] * powers) & (ordered[:, :1] != 0)).all(axis=1).sum())


@lru_cache(KEPT_SLICES)
def kept_fit(
    types: int, shape: tuple[int, ...], weights: bytes, copies: bytes, room: int, grid: Grid
) -> tuple[AxonFit, float | None]:
    """Returns the fit of a slice with these bytes."""
    return fit_axons(
        np.frombuffer(weights, np.float64).reshape(shape), types, np.frombuffer(copies, np.int64), room, grid
    )


def slice_columns(chain: AxonSynapses, is_target: AnyArray) -> tuple[Ints, Ints, Ints]:
    """Returns the synapses into a slice, the column of each, and source and delay of each column."""
    chosen = np.flatnonzero(is_target[chain.target] & (chain.weight != 0))
    pairs = np.stack([chain.source[chosen], chain.delay[chosen]], axis=1)
    keys, column = np.unique(pairs, axis=0, return_inverse=True)
    return chosen, column.reshape(-1), keys


def stored_weights(chain: AxonSynapses, mask: Ints, values: AnyArray) -> AnyArray:
    """Returns the sums of the values of the connected types, as weights are stored."""
    sums: AnyArray = np.zeros(len(mask), np.int64 if chain.is_whole else np.float64)
    for type in range(values.shape[1]):
        sums += ((mask >> type) & 1) * values[chain.target, type].astype(sums.dtype)
    if not chain.is_whole:
        return sums.astype(chain.dtype)
    return sums.astype(np.result_type(chain.dtype, smallest_integers(sums).dtype))
