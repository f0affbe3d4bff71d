"""Unrolls a small network of spikes over a frame of ticks, to a chain of layers without states: a neuron for each neuron and tick.

    ntensor.network @net("in" %x: tensor<2xi1>) -> … attributes {tick_ns = 1000000} {
      %a = ntensor.linear "fc" %x … : tensor<2xi1> -> tensor<1xf32>
      %z = ntensor.neuron "if" @norse_if.subtract(%a) … -> tensor<1xi1>
    =>
    ntensor.network @net("in" %x: tensor<2x2xi1>) -> … attributes {ntensor.frame_ticks = 2, ntensor.stacked_ticks} {
      %0 = ntensor.reshape %x : tensor<2x2xi1> -> tensor<4xi1>
      %a0 = ntensor.linear "if.t0.weights" %0 … ; %y0 = ntensor.neuron "if.t0" @activation_1(%a0)      spike of tick 0, input of tick 1
      %a1 = ntensor.linear "if.t1.weights" %y0 … ; %y1 = ntensor.neuron "if.t1" @activation_1(%a1)     spikes of both ticks
      %s = ntensor.linear "out.sum" %y1 … ; %z = ntensor.neuron "if" @activation_2(%s)                  their sum

1. Before its reset, the potential of a neuron with a linear leak and a subtracting reset is a sum:

       v(t) = c(t) + sum over k of h(k) x(t - k) - sum over k > 0 of g(k) n(t - k)

   x is its input, n the spikes that it emitted, h the response to an impulse, g the mark of a spike, c the part without input. h and g follow from
   the canonical values: decay, gain, threshold. The update runs with random inputs to show that the sum is right, and how a spike is subtracted.
2. A layer holds all neurons whose operands are known: those of tick t of the first population, of tick t - 1 of the second one. A layer reads
   only the layer before it, so it also passes on what later layers read: inputs of later ticks, spikes of earlier ticks.
3. Loops and delays end at the first tick of the frame. Each frame starts afresh.
4. Outputs are added up over the frame: spikes by a last layer with the name of their population, values by a synapse op.

Exactness: recorded. A frame computes the spikes of its ticks up to the rounding of reals, and keeps nothing of the frame before it.

Errors: NTE009 a network in continuous time; LEG093 `window`, `bits` or `approximate`; LEG094 a value that is not a sum of weighted events; LEG095 a
population whose potential is not such a sum; LEG096 an input that is neither spikes nor counts; LEG097 too many weights; LEG098 weights that
learn; LEG099 a network of frames; LEG100 outputs that depend on no event of a frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod, sqrt

import numpy as np
from attrs import define, field
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, TensorType, UnitAttr, f32, f64, i1, i64
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....core.arrays.arrays import ArrayAttr, uniform
from ....core.arrays.numeric import AnyArray, Bools, Ints, Reals
from ....core.diagnostics import Code, ExitCode, describe_op, refuse, refuse_op
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, pass_text, suggest_pass
from ....dialects import ntensor
from ....dialects.ntensor.network import erase_unused_updates, networks
from ..numbers._integer_synapses import retype
from ..relays._relays import NodeNames
from ._activations import MOST_COUNT_BITS, build_activation
from ._count_units import check_option
from ._linear_paths import PathFinder
from ._unrolled_neurons import LEG095, Law, neuron_law

LEG093 = Code(
    "LEG093", "unrolling-option-out-of-range", "an option of the unrolling is out of range", exit_code=ExitCode.MISUSED
)
LEG096 = Code("LEG096", "unrolled-input-not-spikes", "an input is neither spikes nor counts")
LEG097 = Code("LEG097", "unrolled-network-too-large", "the unrolled network is too large")
LEG098 = Code("LEG098", "unrolled-network-cannot-learn", "an unrolled network has no weights that learn")
LEG099 = Code("LEG099", "network-already-frames", "the network computes frames already")
LEG100 = Code("LEG100", "frame-event-misses-outputs", "no event of a frame reaches an output")

MOST_WINDOW = 64
"""Maximum length of a frame."""
MOST_LAYER_WEIGHTS = 2**24
"""Weights of all layers together, zeros included."""
MOST_NAMES = 3
"""Populations by which a layer is named; one with more has a number."""
APPROXIMATIONS = ("dynamics",)

Moment = tuple[SSAValue, int]
"""The events of a source in a tick of the frame."""


@dataclass(frozen=True)
class NtensorUnrollTicksPass(NoptPass):
    """Unrolls every `ntensor.network` of spikes over the ticks of a frame.

    Options:
        window [ticks]: the length of a frame, 1 to 64, required.
        bits: width of the counts of neurons that spike several times in a tick, 1 to 16; default the fewest that hold the greatest
            count of the neuron, or 255. Greater counts saturate.
        approximate: `dynamics` permits populations whose potential is not the sum of their inputs and spikes, on record; default none.
    """

    name = "ntensor-unroll-ticks"
    window: int
    bits: int | None = None
    approximate: tuple[str, ...] = ()

    @property
    def approximations(self) -> tuple[str, ...]:
        return ("rates", *self.approximate)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.check_options()
        updates = ntensor.find_updates(op)
        for network in networks(op):
            Unrolling(network, updates, self).convert()
        erase_unused_updates(op, updates.values())

    def permitting(self, name: str) -> NtensorUnrollTicksPass:
        """Returns the pass with an approximation."""
        return replace(self, approximate=(name,))

    def check_options(self) -> None:
        check_option(self, LEG093, "window", MOST_WINDOW)
        check_option(self, LEG093, "bits")
        for name in self.approximate:
            if name not in APPROXIMATIONS:
                help = suggest_pass(replace(self, approximate=APPROXIMATIONS))
                refuse(LEG093, at="approximate", expected=", ".join(APPROXIMATIONS), found=name, help=help)


@define(eq=False)
class Reach:
    """The paths to the potential of a population, or to an output, over the ticks of a frame. Shapes: responses [lags] of (neurons, elements of the source), constants (ticks, neurons)."""

    responses: dict[SSAValue, list[Reals]]
    constants: Reals

    def moments(self, tick: int) -> Iterator[tuple[Moment, Reals]]:
        """Yields the events up to a tick with their weights in it."""
        for source, lags in self.responses.items():
            for lag in range(tick + 1):
                if lags[lag].any():
                    yield (source, tick - lag), lags[lag]


Layer = list[tuple[Moment, Ints]]
"""The events that a layer emits: the moments, and the chosen elements of each, in the order of its neurons."""


@define(eq=False)
class Held:
    """The events that the layer before emits: their values, and the column of each element of a moment; -1 if it is missing."""

    values: list[SSAValue]
    columns: dict[Moment, Ints]

    @property
    def sizes(self) -> list[int]:
        return [prod(shape_of(value)) for value in self.values]

    def matrix(self, rows: int, parts: Iterable[tuple[Moment, Reals]]) -> Reals:
        """Returns the weights of some rows for all events. Shapes: each part (rows, elements of its moment), result (rows, events)."""
        found = np.zeros((rows, sum(self.sizes)))
        for moment, weights in parts:
            used = np.flatnonzero(weights.any(axis=0))
            found[:, self.columns[moment][used]] += weights[:, used]
        return found


@define(eq=False)
class Unrolling:
    """The conversion of one network: everything is checked before anything changes."""

    network: ntensor.NetworkOp
    updates: Mapping[str, ntensor.UpdateOp]
    step: NtensorUnrollTicksPass
    finder: PathFinder = field(factory=PathFinder)
    laws: dict[SSAValue, Law] = field(factory=dict[SSAValue, Law])
    reaches: dict[SSAValue, Reach] = field(factory=dict[SSAValue, Reach])
    """The paths to each population that spikes."""

    @property
    def ticks(self) -> int:
        return self.step.window

    def convert(self) -> None:
        self.check()
        step = self.step
        permit = None if "dynamics" in step.approximate else suggest_pass(step.permitting("dynamics"))
        for op in self.network.populations:
            self.laws[op.z] = neuron_law(op, self.updates[op.update_name], step.window, step.bits, permit)
            if self.laws[op.z].spikes:
                self.reaches[op.z] = self.reach(op.xs[0], self.laws[op.z].response)
        outputs = [self.frame_output(value) for value in self.network.outputs.values]
        depths = self.depths()
        layers = self.layers(depths, outputs)
        self.check_size(layers, outputs)
        self.check_counts(layers)
        self.build(layers, outputs)

    # ---- checks

    def check(self) -> None:
        if self.network.frame_ticks != 1:
            found, help = f"{self.network.frame_ticks} ticks", "unroll the network in ticks"
            refuse(LEG099, at=describe_op(self.network)[0], expected="a network in ticks", found=found, help=help)
        for op in self.network.body.block.ops:
            if isinstance(op, ntensor.SynapseOpInterface) and (rule := op.learning_rule) is not None:
                help = "ntensor-freeze-plasticity"
                refuse_op(op, LEG098, expected="weights that stay", found=rule.name, help=help)
        for name, arg in zip(self.network.input_names, self.network.body.block.args, strict=True):
            if not is_counted(element := element_type(arg)):
                help, at = "ntensor-quantize-inputs{kind=spike}", f"input {name.data}"
                refuse(LEG096, at=at, expected="spikes or counts", found=str(element), help=help)

    def check_counts(self, layers: list[Layer]) -> None:
        """Refuses neurons whose counts saturate at a lower limit than other counts in the same layer."""
        for layer in layers:
            most = max(self.most_of(moment) for moment, _ in layer)
            for source, _ in (moment for moment, _ in layer):
                if source in self.laws and 1 < self.laws[source].most < most:
                    bits = self.laws[source].most.bit_length()
                    help = suggest_pass(replace(self.step, bits=bits))
                    assert isinstance(source.owner, Operation)
                    found = f"up to {self.laws[source].most} and up to {most} spikes in a tick"
                    refuse_op(source.owner, LEG095, expected="one range of counts in a layer", found=found, help=help)

    def check_size(self, layers: list[Layer], outputs: list[Reach]) -> None:
        sizes = [sum(prod(shape_of(arg)) for arg in self.network.body.block.args) * self.ticks]
        sizes += [sum(len(chosen) for _, chosen in layer) for layer in layers]
        weights = sum(a * b for a, b in pairwise(sizes))
        weights += sizes[-1] * sum(output.constants.shape[1] for output in outputs)
        if weights > MOST_LAYER_WEIGHTS:
            shorter = int(self.ticks * sqrt(MOST_LAYER_WEIGHTS / weights))  # both sizes of a layer grow with the window
            help = suggest_pass(replace(self.step, window=max(1, shorter)))
            found = f"{weights} weights in {len(layers)} layers of up to {max(sizes[1:], default=0)} neurons"
            at = describe_op(self.network)[0]
            refuse(LEG097, at=at, expected=f"at most {MOST_LAYER_WEIGHTS} weights", found=found, help=help)

    # ---- facts

    def reach(self, x: SSAValue, response: Reals) -> Reach:
        """Returns the inputs and constants that reach the potential of neurons with a given impulse response. Shapes: response (ticks, neurons)."""
        paths = self.finder.paths(x)
        found = Reach({}, np.zeros((self.ticks, prod(shape_of(x)))))
        for (source, delay), matrix in paths.matrices.items():
            lags = found.responses.setdefault(source, [np.zeros(matrix.shape) for _ in range(self.ticks)])
            for lag in range(delay, self.ticks):
                lags[lag] = lags[lag] + response[lag - delay][:, None] * matrix
        for delay, constant in paths.constants.items():
            for tick in range(delay, self.ticks):
                found.constants[tick] += response[: tick - delay + 1].sum(0) * constant
        return found

    def frame_output(self, value: SSAValue) -> Reach:
        """Returns the paths to an output. Its constants are the sum over a frame, stored as one tick."""
        owner = value.owner
        impulse = np.zeros((self.ticks, prod(shape_of(value))))
        impulse[0] = 1
        if isinstance(owner, ntensor.NeuronOp) and not self.laws[value].spikes:
            law = self.laws[value]
            found = self.reach(owner.xs[0], law.response)
            return Reach(found.responses, (found.constants + law.constants).sum(0)[None])
        found = self.reach(value, impulse)
        return Reach(found.responses, found.constants.sum(0)[None])

    def depths(self) -> dict[Moment, int]:
        """Returns the layer of each population in each tick; inputs are in layer 0."""
        found: dict[Moment, int] = {}
        for tick in range(self.ticks):
            waiting = list(self.reaches)
            while waiting:
                ready = {z: depth for z in waiting if (depth := self.depth(z, tick, found)) is not None}
                assert ready  # the verifier refuses a loop within a tick
                found |= {(z, tick): depth for z, depth in ready.items()}
                waiting = [z for z in waiting if z not in ready]
        return found

    def depth(self, z: SSAValue, tick: int, known: Mapping[Moment, int]) -> int | None:
        """Returns the number of the first layer after all operands of a population; None if an operand has no layer yet."""
        depth = 0
        read = [moment for moment, _ in self.reaches[z].moments(tick)] + [(z, t) for t in range(tick)]
        for source, t in read:
            if isinstance(source, BlockArgument):
                continue
            if (source, t) not in known:
                return None
            depth = max(depth, known[source, t])
        return depth + 1

    def layers(self, depths: Mapping[Moment, int], outputs: list[Reach]) -> list[Layer]:
        """Returns the moments that each layer emits: moments of its own neurons, and moments of earlier layers that later layers read."""
        needed: dict[Moment, Bools] = {}
        for output in outputs:
            for moment, weights in self.summed(output):
                need(needed, moment, weights)
        if not any(mask.any() for mask in needed.values()):
            help, at = (
                suggest_pass(replace(self.step, window=min(2 * self.ticks, MOST_WINDOW))),
                describe_op(self.network)[0],
            )
            refuse(
                LEG100, at=at, expected="an output that depends on the frame", found=f"{self.ticks} ticks", help=help
            )
        layers: list[Layer] = []
        for number in range(max(depths.get(moment, 0) for moment in needed), 0, -1):
            here = {moment: mask for moment, mask in needed.items() if depths.get(moment) == number}
            later = {moment: mask for moment, mask in needed.items() if moment not in here}
            layers.append([(moment, np.flatnonzero(mask)) for moment, mask in {**here, **later}.items() if mask.any()])
            needed = later
            for moment, mask in here.items():
                for read, weights in self.operands(moment):
                    need(needed, read, weights[mask])
        return layers[::-1]

    def operands(self, moment: Moment) -> Iterator[tuple[Moment, Reals]]:
        """Yields the moments that the neurons of a moment read, with the weights."""
        z, tick = moment
        yield from self.reaches[z].moments(tick)
        for earlier in range(tick):
            yield (z, earlier), -np.diag(self.laws[z].mark[tick - earlier])

    def summed(self, output: Reach) -> Iterator[tuple[Moment, Reals]]:
        """Yields the moments that an output reads, with the weights of its sum over the frame."""
        for source, lags in output.responses.items():
            for tick in range(self.ticks):
                weights = sum(lags[1 : self.ticks - tick], lags[0])
                if weights.any():
                    yield (source, tick), weights

    def most_of(self, moment: Moment) -> int:
        """Returns the greatest number of a moment."""
        source, _ = moment
        if source in self.laws:
            return self.laws[source].most
        held = ntensor.interval_of(element_type(source))
        assert held is not None  # spikes or counts
        return int(held.high)

    # ---- changes

    def build(self, layers: list[Layer], outputs: list[Reach]) -> None:
        network, block, terminator = self.network, self.network.body.block, self.network.outputs
        old, args = [op for op in block.ops if op is not terminator], list(block.args)
        ends = list(terminator.values)
        self.record(len(layers))
        for arg in args:
            retype(arg, TensorType(element_type(arg), (self.ticks, *shape_of(arg))))
        names, place = NodeNames(network), InsertPoint.before(terminator)
        names.taken.difference_update(describe_op(op)[1] for op in old)  # all ops are replaced
        held = self.flat_inputs(args, names, place)
        for number, layer in enumerate(layers, 1):
            held = self.build_layer(number, layer, held, names, place)
        made = [
            self.build_output(name.data, value, output, held, names, place)
            for name, value, output in zip(network.output_names, ends, outputs, strict=True)
        ]
        Rewriter.replace_op(terminator, ntensor.OutputOp.create(operands=made))
        for op in old:
            Rewriter.erase_op(op, safe_erase=False)
        network.tick_ns = IntegerAttr(network.tick_ns.value.data * self.ticks, i64)
        network.attributes[ntensor.FRAME_TICKS] = IntegerAttr(self.ticks, i64)
        network.attributes[ntensor.STACKED_TICKS] = UnitAttr()
        network.update_signature()

    def record(self, layers: int) -> None:
        """Records the frame, and the errors of populations that are approximated."""
        laws = {op.node.data: self.laws[op.z] for op in self.network.populations}
        wrong = {name: law for name, law in laws.items() if law.largest}
        text = f"{self.ticks} ticks become {layers} layers; every frame starts afresh"
        if wrong:
            text += f"; approximated: {', '.join(wrong)}; errors of the spikes of random inputs in a tick"
        largest, mean = (
            (max(law.largest for law in wrong.values()), float(np.mean([law.mean for law in wrong.values()])))
            if wrong
            else (None, None)
        )
        step = pass_text(self.step)
        self.network.record(ntensor.ApproximationAttr.of(step, text, list(laws), largest, mean))

    def flat_inputs(self, args: Sequence[SSAValue], names: NodeNames, place: InsertPoint) -> Held:
        """Returns the inputs of all ticks as events; `args` are the inputs before they were stacked."""
        values, columns, start = list[SSAValue](), dict[Moment, Ints](), 0
        for name, before, arg in zip(self.network.input_names, args, self.network.body.block.args, strict=True):
            size = prod(shape_of(before))
            columns |= {(before, tick): start + tick * size + np.arange(size) for tick in range(self.ticks)}
            start += self.ticks * size
            flat = TensorType(element_type(arg), (self.ticks * size,))
            values.append(self.reshape(f"{name.data}.ticks", arg, flat, names, place))
        return Held(values, columns)

    def build_layer(self, number: int, layer: Layer, held: Held, names: NodeNames, place: InsertPoint) -> Held:
        """Adds a layer, and returns the values that it emits."""
        size = sum(len(chosen) for _, chosen in layer)
        weights, threshold, level = np.zeros((size, sum(held.sizes))), np.zeros(size), np.zeros(size)
        computed, columns, start = list[str](), dict[Moment, Ints](), 0
        most = max(self.most_of(moment) for moment, _ in layer)
        copies = list[tuple[Moment, Ints, slice]]()
        for moment, chosen in layer:
            (source, tick), rows = moment, slice(start, start + len(chosen))
            places = np.full(prod(shape_of(source)), -1)
            places[chosen] = np.arange(start, start + len(chosen))
            columns[moment] = places
            start = rows.stop
            if moment in held.columns:
                copies.append((moment, chosen, rows))
                continue
            law, owner = self.laws[source], source.owner
            assert isinstance(owner, ntensor.NeuronOp)
            computed.append(f"{owner.node.data}.t{tick}")
            weights[rows] = held.matrix(len(chosen), ((read, part[chosen]) for read, part in self.operands(moment)))
            constants = self.reaches[source].constants[tick] + law.constants[tick]
            threshold[rows] = (law.threshold - constants)[chosen]
            level[rows] = law.level[chosen]
            if law.most < most:  # one level above the threshold that no sum exceeds
                greatest = np.maximum(weights[rows], 0).sum(1) * most - threshold[rows]
                level[rows] = np.maximum(greatest, level[rows])
        one = np.abs(weights).max() or 1.0
        for moment, chosen, rows in copies:
            weights[rows, held.columns[moment][chosen]] = np.eye(len(chosen)) * one
            threshold[rows], level[rows] = one / 2, one
        name = names.take("+".join(computed) if len(computed) <= MOST_NAMES else f"layer{number}")
        x = self.linear(f"{name}.weights", weights, held, names, place)
        bits = most.bit_length()
        population = build_activation(names, name, x, most, bits, uniform(threshold), uniform(level))
        return Held([self.insert(population, place)], columns)

    def build_output(
        self, name: str, value: SSAValue, output: Reach, held: Held, names: NodeNames, place: InsertPoint
    ) -> SSAValue:
        """Adds the sum of an output over the frame: a count, if it is the events of a population."""
        shape, source = shape_of(value), without_reshapes(value)
        bias = output.constants[0] if output.constants.any() else None
        weights = held.matrix(prod(shape), self.summed(output))
        found = self.linear(f"{name}.sum", weights, held, names, place, bias)
        if source in self.reaches:
            assert isinstance(source.owner, ntensor.NeuronOp)
            most = min(self.ticks * self.laws[source].most, 2**MOST_COUNT_BITS - 1)
            node, half, one = names.take(source.owner.node.data), np.asarray(0.5), np.asarray(1.0)
            found = self.insert(build_activation(names, node, found, most, most.bit_length(), half, one), place)
        if shape == shape_of(found):
            return found
        return self.reshape(f"{name}.shape", found, TensorType(element_type(found), shape), names, place)

    def linear(
        self, name: str, weights: Reals, held: Held, names: NodeNames, place: InsertPoint, bias: Reals | None = None
    ) -> SSAValue:
        """Adds the weighted sum of the emitted events, with one linear op for each value that contains events."""
        result = TensorType(self.real, (len(weights),))
        ends, sums = np.cumsum(held.sizes), list[SSAValue]()
        for value, part in zip(held.values, np.split(weights, ends[:-1], axis=1), strict=True):
            node = StringAttr(names.take(name))
            properties: dict[str, Attribute] = {"node": node, "weight": ArrayAttr.of(self.round(part))}
            if bias is not None and not sums:
                properties["bias"] = ArrayAttr.of(self.round(bias))
            op = ntensor.LinearOp.create(operands=[value], result_types=[result], properties=properties)
            sums.append(self.insert(op, place))
        if len(sums) == 1:
            return sums[0]
        return self.insert(ntensor.SumOp.create(operands=sums, result_types=[result]), place)

    def reshape(self, name: str, x: SSAValue, type: Attribute, names: NodeNames, place: InsertPoint) -> SSAValue:
        node = {"node": StringAttr(names.take(name))}
        return self.insert(ntensor.ReshapeOp.create(operands=[x], result_types=[type], properties=node), place)

    def insert(self, op: Operation, place: InsertPoint) -> SSAValue:
        op.location = self.network.location
        Rewriter.insert_op(op, place)
        return op.results[0]

    @property
    def real(self) -> Attribute:
        """The type of reals in the network."""
        types = [element_type(op.xs[0]) for op in self.network.populations]
        return f32 if types and all(type == f32 for type in types) else f64

    def round(self, values: Reals) -> AnyArray:
        return values.astype(np.float32 if self.real == f32 else np.float64)


def need(needed: dict[Moment, Bools], moment: Moment, weights: Reals) -> None:
    """Adds the elements of a moment that some weights read."""
    mask = np.asarray(weights.any(axis=0))
    needed[moment] = needed[moment] | mask if moment in needed else mask


def without_reshapes(value: SSAValue) -> SSAValue:
    while isinstance(value.owner, ntensor.ReshapeOp):
        value = value.owner.x
    return value


def is_counted(element: Attribute) -> bool:
    return element == i1 or isinstance(element, ntensor.CountType)
