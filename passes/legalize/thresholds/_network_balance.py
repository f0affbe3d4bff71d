"""The balance of the thresholds of a network, and its comparison with the network before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import define, field, frozen
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ....analysis.calibration_records import kept_samples, places_to_judge
from ....analysis.node_selection import name_of
from ....analysis.output_units import count_unit, set_count_unit
from ....core.arrays.numeric import AnyArray, Reals
from ....core.diagnostics import Code, Diagnostics, refuse
from ....core.help_text import Option, Phrase
from ....core.ir.graph_region import components
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ....simulation.recorded_run import RecordedRun
from ...pipelines import observe_kept
from ..rates._count_units import multiply_readers
from ..relays._relays import NodeNames
from ._activation_run import ActivationRun, is_rate_coded, operand_owners, output_ends
from ._population_balance import Choice, Factors, PopulationBalance, is_read_by_output, mean_values
from ._scaled_thresholds import scale_threshold, shift_potential
from ._threshold_factors import relative_error

LEG192 = Code("LEG192", "no-thresholds-to-balance", "no population has a threshold to balance")
LEG193 = Code("LEG193", "thresholds-not-improved", "balanced thresholds do not improve the rates")


@frozen
class Judgement:
    """The values before the outputs, compared with those of the trained network, on the samples that judge."""

    error: float
    alike: int
    """Samples in which the largest value is that of the trained network, summed over these values."""
    samples: int

    def is_worse(self, other: Judgement) -> bool:
        return self.error > other.error or self.alike < other.alike


@define(eq=False)
class Balance:
    """The balance of one network. `copy` is the network that the trials change."""

    network: ntensor.NetworkOp
    copy: ntensor.NetworkOp
    choice: Choice
    samples: Mapping[str, AnyArray]
    activations: Mapping[str, Reals]
    """Activations of the populations in the trained network. Shapes: each [samples, *shape]."""
    ends: Sequence[Reals]
    """Values of the trained network before the outputs. Shapes: each [samples, *shape]."""
    updates: Mapping[str, ntensor.UpdateOp]
    found: dict[str, Factors] = field(factory=dict[str, Factors])

    @staticmethod
    def of(module: ModuleOp, network: ntensor.NetworkOp, choice: Choice) -> Balance:
        """Returns the balance of a network. Errors: LEG190, LEG192."""
        samples = kept_samples(network)
        chosen = [op for op in network.populations if is_rate_coded(op)]
        if not samples or not chosen:
            option = Option("ntensor-calibrate{data=x.npy keep=256}", "--calib x.npy", is_of_device=True)
            refuse(
                LEG192,
                at=f"ntensor.network @{network.sym_name.data}",
                expected="samples that ntensor-calibrate keeps, and populations of reals that spike at a threshold",
                found="no samples" if chosen else "no population with a threshold",
                help=Phrase(option) if chosen else f"nopt explain {LEG192}",
            )
        trained, ends = ActivationRun.of(module, network), output_ends(network)
        values = trained.run(samples, dict.fromkeys([*(op.z for op in chosen), *ends]))
        copy = next(one for one in networks(module.clone()) if one.sym_name == network.sym_name)
        activations = {name_of(op): values[op.z] for op in chosen}
        return Balance(
            network,
            copy,
            choice,
            samples,
            activations,
            [values[value] for value in ends],
            ntensor.find_updates(module),
        )

    def choose(self) -> None:
        """Chooses the factor of each population, and changes the copy."""
        run, names = RecordedRun.of(self.copy, self.samples), NodeNames(self.copy)
        for component in components(list(self.copy.body.block.ops), operand_owners):
            for op in component:
                if not isinstance(op, ntensor.NeuronOp) or name_of(op) not in self.chosen:
                    continue
                with run.alone([op], [op.z]):
                    trial = PopulationBalance(
                        op,
                        self.updates[op.update_name],
                        run,
                        self.activations[name_of(op)],
                        self.network.dt,
                        self.choice,
                    )
                    self.found[name_of(op)] = trial.choose()
                multiply_readers(op.z, self.found[name_of(op)].factor, names, op.xs[0])

    @property
    def chosen(self) -> Sequence[str]:
        """Returns the names of the populations whose thresholds may change."""
        return [name for name in self.activations if not self.choice.nodes or name in self.choice.nodes]

    def change(self) -> None:
        """Makes the chosen changes in the network."""
        names = NodeNames(self.network)
        for op in list(self.network.populations):
            one = self.found.get(name_of(op))
            if one is None or not one.is_change:
                continue
            if (one.factor != 1).any():
                scale_threshold(op, self.updates[op.update_name], one.factor, self.network.dt)
            if one.is_shifted:
                shift_potential(op)
            multiply_readers(op.z, one.factor, names, op.xs[0])
            if is_read_by_output(op):
                set_count_unit(op, float(one.factor) * count_unit(op))

    def judge(self, network: ntensor.NetworkOp, factors: Mapping[str, Factors]) -> Judgement:
        """Returns the judgement of a network, the spikes of whose populations stand for some activation."""
        values = output_ends(network)
        some = places_to_judge(len(self.ends[0]))
        means = mean_values(RecordedRun.of(network, self.samples), values)
        found = [(means[value] * unit_of(value, factors))[some] for value in values]
        rows = [
            (a.reshape(len(a), -1), b[some].reshape(len(a), -1))
            for a, b in zip(found, self.ends, strict=True)
            if a.size
        ]
        joined = (np.concatenate([part.reshape(-1) for part in parts]) for parts in zip(*rows, strict=True))
        alike = sum(int((a.argmax(1) == b.argmax(1)).sum()) for a, b in rows)
        return Judgement(relative_error(*joined), alike, sum(len(a) for a, _ in rows))

    def conclude(self, module: ModuleOp, text: str, diagnostics: Diagnostics) -> None:
        """Changes the network if that is better, and records it. Remarks: LEG193."""
        before, after = self.judge(self.network, {}), self.judge(self.copy, self.found)
        changed = [one for one in self.found.values() if one.is_change]
        if not changed:
            report_no_gain(self.network, "no population whose rates are nearer with another threshold", diagnostics)
            return
        if after.is_worse(before):
            found = f"an error of {after.error:.3g} instead of {before.error:.3g}, {after.alike} of {after.samples} decisions instead of {before.alike}"
            report_no_gain(self.network, found, diagnostics)
            return
        errors = self.rate_errors([one.name for one in changed])
        self.change()
        what = f"thresholds, and weights of their readers, multiplied: {', '.join(one.text for one in changed)}"
        outcome = (
            f"before the outputs: error {before.error:.3g} -> {after.error:.3g}, decisions of the activations"
            f" {before.alike} -> {after.alike} of {before.samples}"
        )
        numbers = float(errors.max(initial=0.0)), float(errors.mean()) if errors.size else 0.0
        touched = [one.name for one in changed]
        self.network.record(ntensor.ApproximationAttr.of(text, f"{what}; {outcome}", touched, *numbers, "activation"))
        observe_kept(module, self.samples, diagnostics)

    def rate_errors(self, names: Sequence[str]) -> Reals:
        """Returns the distances of rates from activations after the change, on the samples that judge."""
        ops = {name_of(op): op for op in self.copy.populations}
        means = mean_values(RecordedRun.of(self.copy, self.samples), [ops[name].z for name in names])
        some = places_to_judge(len(self.ends[0]))
        parts = [
            np.abs(self.found[name].factor * means[ops[name].z] - self.activations[name])[some].reshape(-1)
            for name in names
        ]
        return np.concatenate(parts)


def unit_of(value: SSAValue, factors: Mapping[str, Factors]) -> Reals:
    """Returns the activation that a spike of a population stands for; 1 for other values."""
    op = value.owner
    one = factors.get(name_of(op)) if isinstance(op, ntensor.NeuronOp) else None
    return np.asarray(1.0) if one is None else one.factor


def report_no_gain(network: ntensor.NetworkOp, found: str, diagnostics: Diagnostics) -> None:
    """Reports that the thresholds stay. Remarks: LEG193."""
    diagnostics.remark(
        LEG193,
        at=f"ntensor.network @{network.sym_name.data}",
        expected="rates, or values before the outputs, that are nearer to the activations, and as many of their decisions",
        found=found,
        help=f"nopt explain {LEG193}",
    )
