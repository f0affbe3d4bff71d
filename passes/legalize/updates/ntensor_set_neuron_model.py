"""Replaces the update of populations, for example by that of a chip: the family's canonical values determine the new parameters.

    %x = ntensor.linear "fc" %s {weight = s n, quantized = <8, s>} : f64       =>  {weight = n, …} : i16
    %z = ntensor.neuron "lif" @norse_lif.value(%x) {canonical = {decay, …}}    =>  ntensor.neuron "lif" @loihi(%x) {params = {dv, vth, …}}

1. The new neuron serves the family of the population (`neuron … for lif`), and all that its raw parameters ask for is known
   (`_canonical_parameters.py`).
2. If it takes integers, the synapses in front of it become integers (`_integer_synapses.py`), and `unit` is what one of them adds to the
   membrane: their scale times `gain`, and times `gain_i` where there is a synaptic current. The sum itself is exact. Populations with another
   rule keep the reals of a pool that they share (`_shared_means.py`).
3. The output of the population keeps its kind: events stay events, values values. Delays and reshapes after it take the new type.
   A value of integers counts in `unit` and goes to outputs alone.
4. The old population has one input. It becomes the first one of the new neuron; others of the new one get synapses without weights. A neuron
   with the inputs `excitatory` and `inhibitory` gets the weights of each sign as magnitudes (`_receptors.py`). They may have scales of their own:
   `unit_inhibitory` is that of the second input.
5. A population whose update is the same already stays as it is.
6. The options of the new neuron follow the population's own rule: the effect of a spike on v, the number of spikes in a tick, refractory periods,
   the leak, the comparison with the threshold, the initial state, bounds of v (`_update_comparison.py`). A rule that no option has is refused, unless
   `approximate` names the property.
7. A parameter that its register clips changes a property, too (`_clipped_parameters.py`). That is refused, unless `approximate` names the property.
8. A decay, threshold or leak that is rounded to a number without an effect is a warning (`_canonical_values.py`).

The record compares the canonical values of both updates, name by name. It states whether the rule is the same and whether a tick has fewer spikes, and lists what differs and
what cannot be compared. Its errors are the largest and the mean difference over all canonical values, in the unit of each.

Errors: NTE009 a network in continuous time;
LEG023, LEG024, LEG025 file and neuron; LEG056 receptors; LEG020, LEG021 another rule; LEG033 parameters; LEG026, LEG027, LEG028, LEG029, LEG030, LEG031, LEG032 integers;
LEG046, LEG048, LEG049 below; NEU006 a parameter
out of its bounds; SIM003, SIM004 a parameter that is not a number of its type; those of the neuron language. Warnings: LEG050, LEG051.
Source: Pedersen et al., Nature Communications 15:8122 (2024) for the families.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np
from attrs import Factory, define, field
from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, IntegerType, ModuleOp, SymbolRefAttr, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.calibration_records import KEPT_EVENTS, OBSERVED, RAW, find_observation
from ....analysis.node_selection import right_names
from ....core.arrays.arrays import dtype_of, uniform
from ....core.arrays.numeric import AnyArray, NamedReals, Reals
from ....core.diagnostics import Code, Diagnostics, ExitCode, Finding, finding_about, refuse, refuse_op
from ....core.fixed_point import Interval
from ....core.ir.context import diagnostics_of
from ....core.ir.graph_region import walk_downstream
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, pass_text, suggest_pass
from ....core.neuron.tree import Neuron, NeuronFile
from ....dialects import fixed, ntensor
from ....dialects.ntensor.network import add_copy_of_update, erase_unused_updates, networks
from ..numbers._integer_synapses import LEG030, WIDTHS, Integers, retype
from ..numbers._receptors import divide_sum
from ..numbers._shared_means import separate_readers
from ..numbers._weight_bits import Scaled, bits_of_weights, bits_that_fit
from ..relays._helper_neurons import helpers_of
from ..relays._relays import NodeNames, insert
from . import _canonical_parameters as parameters
from . import _neuron_files as neuron_files
from ._canonical_values import GAINS, MOST_ERROR, Report, gain_errors, lost_values
from ._clipped_parameters import Clipped
from ._clipped_parameters import clipped as clipped_parameters
from ._signal_kinds import event_in_front, is_rearranging, refuse_kind, verify_kind
from ._update_options import Choice, OtherRule, Wish, chosen_updates, verify_properties

LEG046 = Code(
    "LEG046",
    "converted-population-missing",
    "a population that shall be converted is not in the network",
    exit_code=ExitCode.MISUSED,
)
LEG048 = Code("LEG048", "parameter-clipped", "a parameter is clipped")

LEG049 = Code(
    "LEG049", "accumulator-bits-out-of-range", "the bits of an accumulator are out of range", exit_code=ExitCode.MISUSED
)
LEG050 = Code("LEG050", "parameter-lost", "a parameter is lost")
LEG051 = Code("LEG051", "gain-rounded", "a gain is rounded")


@dataclass(frozen=True)
class NtensorSetNeuronModelPass(NoptPass):
    """Legalises populations to a given neuron.

    Options:
        to: a file in the neuron language, the name of one of nopt (`int16`, `loihi`), a preset, or a device, whose neurons are meant; required.
        neuron: which neuron of the file; default the first one that serves the family of each population.
        nodes: the populations to convert; default all but those that earlier passes added, which `ntensor-map-relays` converts.
        options: choices of the neuron's options, `reset=subtract,…`; default, for each population, the values that follow its rule.
        approximate: properties of a rule that may differ, which is recorded: `reset`, `refractory`, `count`, `comparison`, `leak`, `decay`, `current`,
            `threshold`, `initial`, `bound`, `dynamics`; default none.
        accumulator: width of the sums in front of integer neurons [bits], 1 to 64; default the narrowest of 8, 16, 32 and 64 that
            holds the worst case. A narrower one is refused.
    """

    name = "ntensor-set-neuron-model"
    to: str
    neuron: str | None = None
    nodes: tuple[str, ...] | None = None
    options: str | None = None
    approximate: tuple[str, ...] = ()
    accumulator: int | None = None

    @property
    def approximations(self) -> tuple[str, ...]:
        return self.approximate

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.verify_accumulator()
        verify_properties(self.approximate, self)
        updates = ntensor.find_updates(op)
        populations = {network: network.populations for network in networks(op)}
        names = [neuron.node.data for found in populations.values() for neuron in found]
        self.verify_nodes(names)
        file = neuron_files.read_neurons(self.to, self.nodes or names)
        for network, found in populations.items():
            added = helpers_of(network) if self.nodes is None else {}
            own = [neuron.node.data for neuron in found if neuron not in added]
            chosen = [neuron for neuron in found if neuron.node.data in (own if self.nodes is None else self.nodes)]
            choices = self.choices(network, chosen, updates, file)
            changed = [choice for choice in choices if not choice.old.is_equal(choice.update)]  # 5
            if changed:
                try:
                    Conversion(
                        network, changed, self.accumulator, self.approximate, diagnostics_of(ctx), self.nodes or ()
                    ).run(pass_text(self))
                except OtherRule as refusal:
                    raise refusal.helped_by(self) from None
        erase_unused_updates(op, updates.values())

    def verify_accumulator(self) -> None:
        if self.accumulator is not None and not 1 <= self.accumulator <= WIDTHS[-1]:
            refuse(
                LEG049,
                at=f"accumulator={self.accumulator}",
                expected=f"1 to {WIDTHS[-1]}",
                found=str(self.accumulator),
                help=suggest_pass(replace(self, accumulator=WIDTHS[-1] if self.accumulator > 1 else None)),
            )

    def verify_nodes(self, names: list[str]) -> None:
        for node in self.nodes or ():
            if node not in names:
                refuse(
                    LEG046,
                    f'unknown population "{node}"',
                    at="nodes",
                    expected=", ".join(names) or "a population",
                    found=node,
                    help=right_names("nodes", self.nodes or (), names),
                )

    def choices(
        self,
        network: ntensor.NetworkOp,
        ops: Sequence[ntensor.NeuronOp],
        updates: Mapping[str, ntensor.UpdateOp],
        file: NeuronFile,
    ) -> list[Choice]:
        """Returns the updates for populations. Errors: LEG024, LEG025, LEG020, LEG047."""
        pairs = [pair.partition("=") for pair in (self.options or "").replace(" ", "").split(",") if pair]
        given = {name: value for name, _, value in pairs}
        alike: dict[tuple[str, str], tuple[Neuron, list[ntensor.NeuronOp]]] = {}
        for op in ops:
            rule = neuron_files.choose_neuron(file, self.neuron, op, updates[op.update_name].emits.data)  # 1
            alike.setdefault((op.update_name, rule.name), (rule, []))[1].append(op)
        found: dict[ntensor.NeuronOp, Choice] = {}
        refused: OtherRule | None = None
        for (symbol, name), (rule, group) in alike.items():
            old = updates[symbol]
            wish = Wish(given, neuron_files.fixed_options(self.to, name), self.approximate, network.dt)
            try:
                made = chosen_updates(rule, old, group, wish)  # 6
            except OtherRule as refusal:
                refused = refusal if refused is None else refused.joined(refusal)
                continue
            for op, (update, differing) in zip(group, made, strict=True):
                found[op] = Choice(op, old, rule, update, ntensor.emission_type(update), differing)
                verify_kind(found[op])
        if refused is not None:
            raise refused.helped_by(self)
        return [found[op] for op in ops]


@define(eq=False)
class Conversion:
    """The conversion of one network: everything is found before anything is changed."""

    network: ntensor.NetworkOp
    choices: list[Choice]
    accumulator: int | None
    approximate: tuple[str, ...]
    diagnostics: Diagnostics
    nodes: tuple[str, ...]
    elements: dict[SSAValue, Attribute] = field(factory=dict[SSAValue, Attribute])
    """The new element types of what changes."""
    report: Report = field(factory=Report)
    names: NodeNames = field(default=Factory(lambda self: NodeNames(self.network), takes_self=True))
    bits: int = 0
    """The widest weights that become integers."""
    clipped: list[tuple[Finding, int]] = field(factory=list[tuple[Finding, int]])
    """The finding about each clipped parameter, and the bits of weights with which it fits, or 0."""
    refused: dict[str, None] = field(factory=dict[str, None])
    """Properties that change by a clip, and that `approximate` does not name."""

    def run(self, step: str) -> None:
        for choice in self.choices:
            self.pass_on(choice.op.z, choice.element)
        for choice in self.choices:
            if choice.update.has_receptors and len(choice.op.xs) == 1:
                divide_sum(choice.op, self.names)
        taking = [choice.op for choice in self.choices if choice.takes_integers]
        separate_readers(taking, self.type_of, self.names)
        integers = Integers(self.type_of, self.accumulator, self.nodes)
        units = {choice.op: self.units(choice, integers) for choice in self.choices}
        integers.verify_overflows()
        integers.verify_readers(set(units))
        self.bits = max(map(bits_of_weights, integers.changes), default=0)
        made = {choice.op: self.made(choice, units[choice.op]) for choice in self.choices}
        self.verify_clipped()
        for value, element in self.elements.items():
            if not isinstance(value.owner, ntensor.NeuronOp):
                retype(value, TensorType(element, shape_of(value)))
        integers.apply()
        for choice in self.choices:
            self.put(choice, made[choice.op])
        self.network.update_signature()
        what, errors = self.report.what(), self.report.errors()
        self.network.record(ntensor.ApproximationAttr.of(step, what, self.report.touched, *errors, "canonical values"))

    # ---- finding

    def type_of(self, value: SSAValue) -> Attribute:
        """Returns the element type of a value after the conversion."""
        return self.elements.get(value, element_type(value))

    def pass_on(self, value: SSAValue, element: Attribute) -> None:
        """Propagates the type of a population's output through delays and reshapes."""
        if element != element_type(value):
            self.elements |= dict.fromkeys(walk_downstream([value], is_rearranging), element)

    def units(self, choice: Choice, integers: Integers) -> NamedReals:
        """Returns the membrane effect of an input of 1 for each integer input, as `unit` parameters; empty for an update of reals."""  # 2
        op, update = choice.op, choice.update
        terms = {name: block.args[0].type for name, _, block in update.accumulators}
        first = choice.rule.inputs[0].name
        types = dict(zip([name.data for name in update.inputs], update.input_types, strict=True))
        scales: dict[str, Reals] = {}
        lowest = 0
        for name, x in operands(choice):
            if name not in terms and not isinstance(types[name], fixed.IntType):
                element = self.elements.get(x, element_type(x))
                if ntensor.interval_of(element) is not None and not ntensor.is_event(element):
                    message = f"input {name} of @{update.sym_name.data} is real, and its operand is integers"
                    refuse_kind(op, message, "reals", str(element), "convert from the network of reals")
                continue
            found = integers.operand(x, name in terms)
            if isinstance(found.element, ntensor.TermsType):
                held = Interval.signed(found.element.bits.data)
                verify_width(choice, "a term", name, terms[name], held, (x, integers))
            else:
                self.fit(choice, name, x, types[name], found, integers)
            scales[name] = found.scale
            lowest += found.range.low
        if not scales:
            return {}
        scale = scales.get(first, next(iter(scales.values())))
        canonical = parameters.canonical_of(op)
        if missing := [name for name in ("gain", "gain_i") if name not in canonical]:
            refuse_op(
                op,
                parameters.LEG033,
                f"{missing[0]} of the population is not known, so what an integer adds is not",
                expected="canonical gain, and gain_i where there is a current",
                found=", ".join(canonical) or "no canonical parameters",
                help="add to its neuron, for example: canonical decay = 1 - k, gain = k * r, threshold = v_threshold",
            )
        found = {"unit": scale}
        if choice.update.has_receptors:
            found = receptor_units(scale, scales.get(ntensor.RECEPTORS[1], scale))
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):  # NaN is refused
            gain = canonical["gain"] * canonical["gain_i"]
            units: NamedReals = {name: uniform(known_scale(one) * gain) for name, one in found.items()}
        wanted = {name.data for name in update.raw}
        return {
            **units,
            **({parameters.INHIBITION: np.asarray(-float(lowest))} if parameters.INHIBITION in wanted else {}),
        }

    def fit(self, choice: Choice, name: str, x: SSAValue, type: Attribute, found: Scaled, integers: Integers) -> None:
        """Makes a sum as narrow as the input that takes it. Errors: LEG030 the worst case, or the accumulator, is wider."""
        held = ntensor.interval_of(found.element)
        if not isinstance(type, fixed.IntType) or held is None or type.interval.holds(held):
            return
        sums = [("the sum", found.range), ("the sum", Interval.signed(found.range.signed_bits))]
        if self.accumulator is not None:
            sums.append(("the accumulator", held))
        if all(verify_width(choice, what, name, type, range, (x, integers)) for what, range in sums):
            bits = integers.narrow(x, found.range.signed_bits)
            verify_width(choice, "a part of the sum", name, type, Interval.signed(bits), (x, integers))

    def made(self, choice: Choice, units: NamedReals) -> ntensor.NeuronOp:
        """Returns the new population. It still has the operands of the old population."""
        from ....core.neuron.neuron import check_bounds
        from ....simulation.update import derive, initial

        op, update = choice.op, choice.update
        node, dt = op.node.data, self.network.dt
        raw = parameters.raw_values(op, update, units, dt)
        derived = derive(update, dt, raw, node)
        check_bounds(choice.rule, {**raw, **derived}, node)
        clips = self.note_clipped(choice, raw, dt)
        params: dict[str, AnyArray] = {}
        for name, type in update.param_types.items():
            params[name] = uniform(np.asarray(derived[name]).astype(dtype_of(type) or np.int64))
        states = initial(update, params)
        canonical = {name.data: np.asarray(derived[name.data], np.float64) for name in update.canonical}
        self.report.add(choice, canonical, has_unit=bool(units))
        self.report_lost(choice, canonical, {*choice.differences, *clips})
        self.report_gains(choice, raw, canonical)
        new = ntensor.NeuronOp(
            node,
            update.sym_name.data,
            list(op.xs),
            TensorType(choice.element, shape_of(op.z)),
            params=ntensor.array_dictionary(params),
            initial=ntensor.array_dictionary(
                {name.data: uniform(np.asarray(states[name.data])) for name in update.states}
            ),
            family=op.family.data if op.family is not None else None,
            canonical=ntensor.array_dictionary({name: uniform(value) for name, value in canonical.items()}),
        )
        new.attributes.update(op.attributes)
        # the states that were observed are gone; how often the population spiked stays of interest
        kept = {name: find_observation(new, name) for name in ("rate", KEPT_EVENTS)}
        if kept[KEPT_EVENTS] is not None:
            kept[RAW] = ntensor.array_dictionary({name: uniform(np.asarray(value)) for name, value in raw.items()})
        new.attributes.pop(OBSERVED, None)
        if observed := {name: entry for name, entry in kept.items() if entry is not None}:
            new.attributes[OBSERVED] = DictionaryAttr(observed)
        return new

    def note_clipped(self, choice: Choice, raw: NamedReals, dt: float) -> dict[str, str]:
        """Notes the clipped parameters for the record, or for the refusal. Returns the properties that change by them."""  # 7
        changed: dict[str, str] = {}
        size = prod(shape_of(choice.op.z))
        for found in clipped_parameters(choice.update, dt, raw, choice.rule.inputs[0].name):
            low, high = found.wanted.min(), found.wanted.max()
            wanted = f"{low:g}" if low == high else f"{low:g} to {high:g}"
            if left := [name for name in found.properties if name not in self.approximate]:
                self.refused |= dict.fromkeys(left)
                many = "all neurons alike" if found.is_alike and size > 1 else f"{found.wanted.size} of {size} neurons"
                message = f"parameter {found.param} of @{choice.update.sym_name.data} is clipped: {', '.join(left)}"
                parts = {"expected": str(found.held), "found": f"{wanted}, in {many}"}
                self.clipped.append((finding_about(choice.op, LEG048, message, **parts), self.bits_that_fit(found)))
            text = f"{found.param} is clipped to {found.held}, {wanted} wanted"
            changed = dict.fromkeys(found.properties, text) | changed
        self.report.properties = changed | self.report.properties
        return changed

    def report_lost(self, choice: Choice, canonical: NamedReals, properties: set[str]) -> None:
        """Warnings: LEG050."""  # 8
        for found in lost_values(parameters.canonical_of(choice.op), canonical, properties):
            self.diagnostics.warning(
                LEG050,
                f"{found.name} becomes {found.end:g}{found.lost.neurons}: {found.effect}",
                op=choice.op,
                expected=f"a {found.name} that the registers of @{choice.update.sym_name.data} represent",
                found=f"{found.lost.values[0]:.9g}{found.lost.places}",
                help=f"nopt explain {LEG050}",
            )

    def report_gains(self, choice: Choice, raw: NamedReals, canonical: NamedReals) -> None:
        """Notes the error of the value of an integer for the record. Warnings: LEG051."""  # 8
        errors = gain_errors(raw, canonical)
        self.report.unit_error = max(self.report.unit_error, errors["unit"].error if "unit" in errors else 0.0)
        for name, found in errors.items():
            if found.error > MOST_ERROR:
                self.diagnostics.warning(
                    LEG051,
                    f"{GAINS[name]} is rounded by @{choice.update.sym_name.data}",
                    op=choice.op,
                    expected=f"{found.wanted:.4g}, with an error of at most {MOST_ERROR:.0%}",
                    found=f"{found.found:.4g}, with an error of {found.error:.0%}",
                    help=f"nopt explain {LEG051}",
                )

    def verify_clipped(self) -> None:
        """Errors: LEG048."""
        if self.clipped:
            bits = [bits for _, bits in self.clipped]
            remedy = f"ntensor-quantize-weights{{bits={min(bits)} per=neuron}}" if min(bits) else None
            raise OtherRule(
                [*self.approximate, *self.refused], *(finding for finding, _ in self.clipped), remedy=remedy
            )

    def bits_that_fit(self, found: Clipped) -> int:
        """Returns the weight width that makes a clipped parameter fit, if the parameter depends on the weight scale; else 0."""
        high = float(found.wanted.max())
        if not found.depends_on_unit or not np.inf > high > found.held.high > 0:
            return 0
        bits = self.bits - int(np.ceil(np.log2((high + 1) / found.held.high)))
        return bits if bits >= 2 else 0

    # ---- changing

    def put(self, choice: Choice, new: ntensor.NeuronOp) -> None:
        """Replaces a population by its new form, and adds the new update to the module."""
        op = choice.op
        new.update = SymbolRefAttr(add_copy_of_update(choice.update, self.network))
        given = dict(operands(choice))
        new.operands = [given.get(name) or self.nothing(choice, name) for name in choice.update.operand_names]
        Rewriter.replace_op(op, new)

    def nothing(self, choice: Choice, name: str) -> SSAValue:
        """Returns a zero input for an operand that the old population does not have."""
        source = event_in_front(choice.op)
        if source is None:
            given = ", ".join(choice.update.operand_names)
            help = "a neuron with one input"
            refuse_kind(choice.op, "nothing in front of the population can feed another input", "events", given, help)
        accumulated = name in {each for each, _, _ in choice.update.accumulators}
        types = dict(zip([one.data for one in choice.update.inputs], choice.update.input_types, strict=True))
        if accumulated or isinstance(types[name], fixed.IntType):
            held = ntensor.interval_of(element_type(source)) or Interval(0, 1)
            element, dtype = ntensor.TermsType(held.signed_bits) if accumulated else IntegerType(8), np.int8
        else:
            element, dtype = types[name], np.float32
        node, none = self.names.take(f"{choice.op.node.data}.{name}"), np.empty(0, np.int64)
        type = TensorType(element, shape_of(choice.op.z))
        silent = ntensor.SparseLinearOp.of(node, source, type, np.empty(0, dtype), none, none)
        return insert(silent, InsertPoint.before(choice.op), choice.op)


def receptor_units(excitatory: Reals, inhibitory: Reals) -> dict[str, Reals]:
    """Returns the scales of both inputs. A neuron without synapses at one of them (NaN) gets the ratio of scales of the other neurons there."""
    shape = np.broadcast_shapes(excitatory.shape, inhibitory.shape)
    if not np.isnan(excitatory).any() and not np.isnan(inhibitory).any():
        return {"unit": excitatory, "unit_inhibitory": inhibitory}
    first, second = (known_scale(one) for one in (excitatory, inhibitory))
    known = np.broadcast_to(excitatory / inhibitory, shape)
    ratio = known[~np.isnan(known)].max() if not np.isnan(known).all() else first.max() / second.max()
    first = np.where(np.isnan(excitatory), np.where(np.isnan(inhibitory), first, inhibitory * ratio), excitatory)
    return {"unit": first, "unit_inhibitory": np.where(np.isnan(inhibitory), first / ratio, inhibitory)}


def known_scale(scale: Reals) -> Reals:
    """Returns the scale of each neuron. A neuron without synapses (NaN) gets the largest scale of the others, else 1."""
    return np.where(np.isnan(scale), np.nanmax(scale) if not np.isnan(scale).all() else 1.0, scale)


def verify_width(
    choice: Choice, what: str, name: str, type: Attribute, range: Interval, sum: tuple[SSAValue, Integers]
) -> bool:
    """Returns whether an input without `wrap` or `saturate` holds a sum; LEG030 is noted where it does not."""
    if not isinstance(type, fixed.IntType) or type.interval.holds(range):
        return True
    x, integers = sum
    is_accumulator = what == "the accumulator"
    finding = finding_about(
        choice.op,
        LEG030,
        f"{what} that arrives at input {name} of @{choice.update.sym_name.data} does not fit",
        expected=f"{type.interval}",
        found=f"{range}: {range.signed_bits} bits",
        help=f"accumulator={type.interval.signed_bits}" if is_accumulator else None,
    )
    bits = (
        WIDTHS[-1]
        if is_accumulator
        else bits_that_fit(integers.type_of, integers.changes, x, type.interval, each=what == "a term")
    )
    integers.overflows.append((finding, bits))
    return False


def operands(choice: Choice) -> list[tuple[str, SSAValue]]:
    """Returns the operands of a population under the names that the new update has for them."""  # 4
    op, old = choice.op, choice.old
    if choice.update.has_receptors and not old.has_receptors:
        return list(zip(ntensor.RECEPTORS, op.xs, strict=False))
    names = [choice.rule.inputs[0].name] if len(op.xs) == 1 else old.operand_names
    return list(zip(names, op.xs, strict=True))
