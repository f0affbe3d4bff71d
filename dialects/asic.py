"""The exit dialect of `asic`: the content of the tables of each core, and the routes between cores.

    asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = #nopt.device<"asic/mesh", digest = …>} {
      asic.input "input/0" of "input" at 0 {index = [0, 1, …]} : tensor<12xi1> {
        asic.output_axons {neuron = [0, 1, …], core = [3, 3, …], axon = [0, 1, …]}
      }
      asic.core 3 {axons = 12 : i64} {
        asic.neurons "lif1/0" of "lif1" @lif {index = [0, 1, …], params = {…}, initial = {…}} : tensor<38xi1> {
          asic.dense "fc1" {format = "dense", port = 0 : i64, axons = [0, 1, …], weight = […], delay = 1}
          asic.output_axons {neuron = [0, 1, …], core = [4, 4, …], axon = [0, 1, …]}
        }
      }
      asic.route "input/0" {links = [[0, 0, 1, 0]]}
      asic.output "output" of "lif1" {delay = 0} : tensor<38xi1>
    }

In a tick, a core adds for each neuron the weights of the events that arrive on its input axons, updates the neuron, and sends its output
as an event to each of its output axons. An event that takes 0 ticks arrives in the same tick. Inputs are events that the host sends to the
core at which they enter. `asic_ops/tables.py` defines the tables.

`index` holds the flat index of each neuron in its population, so that outputs and records have the user's order.

Source: the form is our own; terms as in Davies et al., Loihi, IEEE Micro 38:82 (2018).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import (
    IntegerAttr,
    ModuleOp,
    SymbolNameConstraint,
    i64,
)
from xdsl.irdl import (
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.traits import HasParent, IsolatedFromAbove, NoTerminator, SymbolOpInterface

from ..core.arrays.numeric import Bools
from ..core.device.checks import bits_of as dtype_bits
from ..core.device.core_kinds import kind_at
from ..core.device.limits import Contracts
from ..core.device.named_device import device_named
from ..core.device.records import Device
from ..core.device.topology import Topology, Walk, topology_of
from ..core.diagnostics import Code, InvalidOp, Refused, invalid
from ..core.ir.operation import NoptOperation, VerifiesLast, define_dialect, shape_of
from .asic_ops.cores import (
    AGAIN,
    CoreOp,
    HostInputOp,
    HostOutputOp,
    NeuronsOp,
    RouteOp,
    SenderOp,
    bits_needed,
    refuse_chip,
)
from .asic_ops.tables import (
    DenseOp,
    KernelOp,
    OutputAxonsOp,
    SparseOp,
    TableOp,
    WindowAttr,
    abbreviate,
    as_table,
    real_dtype,
)
from .ntensor import ApproximationAttr
from .resources.user import verify_outside_memory, verify_plasticity, verify_resources

__all__ = [
    "ASIC",
    "LAYOUTS",
    "ChipOp",
    "CoreOp",
    "DenseOp",
    "HostInputOp",
    "HostOutputOp",
    "KernelOp",
    "NeuronsOp",
    "OutputAxonsOp",
    "RouteOp",
    "SenderOp",
    "SparseOp",
    "TableOp",
    "WindowAttr",
    "as_table",
    "real_dtype",
]

ASI003 = Code("ASI003", "a core or an axon does not exist")
ASI004 = Code("ASI004", "the device has no such format of synapses")
ASI005 = Code("ASI005", "an event is not delivered")
ASI006 = Code("ASI006", "a delay is shorter than the device has")
ASI007 = Code("ASI007", "the device has no such exponent of weights")
ASI008 = Code("ASI008", "the device has no table for the signs of weights")

LAYOUTS: dict[type[TableOp], str] = {SparseOp: "sparse", DenseOp: "dense", KernelOp: "convolution"}


@irdl_op_definition
class ChipOp(NoptOperation):
    """A network on the chip. The attribute `machine.device` specifies the device; without it no limit is checked.

    Units: tick_ns [ns]. Errors: ASI001 to ASI008, RSU001 to RSU004; those of reading the device.
    """

    name = "asic.chip"
    sym_name = prop_def(SymbolNameConstraint())
    tick_ns = prop_def(IntegerAttr.constr(i64))
    approximations = opt_prop_def(base(ListAttr[ApproximationAttr]))
    body = region_def("single_block")
    traits = traits_def(SymbolOpInterface(), IsolatedFromAbove(), NoTerminator(), HasParent(ModuleOp), VerifiesLast())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$sym_name attr-dict-with-keyword $body"

    @property
    def inputs(self) -> list[HostInputOp]:
        return [op for op in self.body.block.ops if isinstance(op, HostInputOp)]

    @property
    def cores(self) -> dict[int, CoreOp]:
        return {op.place.value.data: op for op in self.body.block.ops if isinstance(op, CoreOp)}

    @property
    def groups(self) -> list[NeuronsOp]:
        return [group for core in self.cores.values() for group in core.groups]

    @property
    def outputs(self) -> list[HostOutputOp]:
        return [op for op in self.body.block.ops if isinstance(op, HostOutputOp)]

    @property
    def routes(self) -> list[RouteOp]:
        return [op for op in self.body.block.ops if isinstance(op, RouteOp)]

    def senders(self) -> Iterator[tuple[int, SenderOp]]:
        """Yields every input and group with the core at which its events start."""
        yield from ((op.at.value.data, op) for op in self.inputs)
        yield from ((place, group) for place, core in self.cores.items() for group in core.groups)

    def verify_(self) -> None:
        verify_names(self)
        verify_updates(self)
        verify_axons(self)
        try:
            device = device_named(self)
        except Refused as refusal:
            raise InvalidOp(refusal.findings[0]) from refusal
        if device is None:
            return
        contracts, topology = Contracts(device), topology_of(device, len(self.cores))
        for place, core in self.cores.items():
            kind = kind_at(device, place, topology.own) if device.core_kinds else None
            for group in core.groups:
                for table in group.tables:
                    verify_format(table, group, device)
                    if table.plasticity is not None:
                        verify_plasticity(
                            table, table.plasticity, weight_width(table, device), device, group.source.data
                        )
                verify_resources(group, device, contracts, kind)
            verify_resources(core, device, None, kind)
        verify_delays(self, device)
        verify_delivery(self, topology)
        used = {place: core.quantities(device) for place, core in self.cores.items()}
        verify_outside_memory(self, device, used, {place: topology.place(place)[0] for place in used})


# ---- verification


def verify_names(chip: ChipOp) -> None:
    """Refuses names and cores that occur twice, and groups that are not their population. Errors: ASI002."""
    places = [op.place.value.data for op in chip.body.block.ops if isinstance(op, CoreOp)]
    if len(set(places)) < len(places):
        twice = max(places, key=places.count)
        refuse_chip(chip.cores[twice], "two cores have the same number", "each core once", str(twice))
    seen, parts = set[str](), dict[str, list[SenderOp]]()
    for _, op in chip.senders():
        if op.node.data in seen:
            refuse_chip(op, "two groups have the same name", "each name once", op.node.data)
        seen.add(op.node.data)
        parts.setdefault(op.source.data, []).append(op)
    for ops in parts.values():
        every = np.sort(np.concatenate([op.index.values.astype(np.int64) for op in ops]))
        size = prod(shape_of(ops[0].type))
        is_whole = len(every) == size and np.array_equal(every, np.arange(len(every)))
        if any(op.type != ops[0].type for op in ops) or not is_whole:
            found = f"{len(every)} in {len(ops)} groups of type {', '.join(str(op.type) for op in ops)}"
            refuse_chip(ops[0], "the groups are not the population", f"each of {size} neurons once", found)
    for output in chip.outputs:
        if output.source.data not in parts:
            refuse_chip(output, "an output of nothing", f"one of {', '.join(parts)}", output.source.data)
        size = prod(shape_of(parts[output.source.data][0].type))
        if (found := prod(shape_of(output.type))) != size:
            refuse_chip(output, "the type of an output differs from its source", f"{size} neurons", str(found))
    sizes = {op.node.data: op.size for _, op in chip.senders()}
    for route in chip.routes:
        if route.node.data not in sizes:
            refuse_chip(route, "a route of nothing", f"one of {', '.join(sorted(seen))}", route.node.data)
        users = None if route.neurons is None else route.neurons.values
        if users is not None and users.size and (last := int(users.max())) >= sizes[route.node.data]:
            refuse_chip(route, "a route of other neurons", f"neurons below {sizes[route.node.data]}", str(last))


def verify_updates(chip: ChipOp) -> None:
    """Refuses groups without an update, with other parameters or states, and tables of another operand. Errors: ASI002."""
    for group in chip.groups:
        update = group.definition()
        if update is None:
            refuse_chip(group, "the update is not defined", "an ntensor.update of the module", f"@{group.update_name}")
        for what, given, known in (
            ("parameters", group.params, update.param_types),
            ("states", group.initial, update.state_types),
        ):
            if given.data.keys() != known.keys():
                expected = ", ".join(known) or "none"
                refuse_chip(group, f"the {what} are not those of the update", expected, ", ".join(given.data) or "none")
        operands = len(update.inputs) + len(update.accumulators)
        for table in group.tables:
            if (port := table.port.value.data) >= operands:
                refuse_chip(table, "port is not an operand of the neuron", f"a number below {operands}", str(port))


def verify_axons(chip: ChipOp) -> None:
    """Refuses destinations that do not exist, and input axons without a sender. Errors: ASI003."""
    cores = chip.cores
    fed: dict[int, Bools] = {place: np.zeros(core.axons.value.data, np.bool_) for place, core in cores.items()}
    for _, op in chip.senders():
        axons = op.output_axons
        if axons is None:
            continue
        core, axon = axons.core.values, axons.axon.values
        for place in np.unique(core).tolist():
            if place not in cores:
                refuse_chip(
                    axons, "a destination is not a core", f"one of {abbreviate(np.array([*cores]))}", str(place), ASI003
                )
            mine = axon[core == place]
            if int(mine.max()) >= len(fed[place]):
                expected = f"an axon below {len(fed[place])} of core {place}"
                refuse_chip(axons, "a destination is not an axon", expected, str(int(mine.max())), ASI003)
            fed[place][mine] = True
    for place, axons in fed.items():
        if len(missing := np.flatnonzero(~axons)):
            expected = "a sender for each input axon"
            refuse_chip(cores[place], "an input axon has no sender", expected, f"none for axon {missing[0]}", ASI003)


def verify_format(table: TableOp, group: NeuronsOp, device: Device) -> None:
    """Refuses a table that the device cannot store. Errors: ASI004."""
    formats = device.synapse.formats if device.synapse is not None else {}
    if not formats:
        return
    layout, name = LAYOUTS[type(table)], "none" if table.format is None else table.format.data
    known = formats.get(name)
    if known is None or known.layout != layout:
        expected = f"a format with the layout {layout}: {', '.join(n for n, one in formats.items() if one.layout == layout) or 'none'}"
        invalid(
            table,
            ASI004,
            f"{device.key} has no such format of synapses",
            node=group.source.data,
            expected=expected,
            found=name,
            source=f"{device.key}, synapse.formats",
            help=AGAIN,
        )
    verify_weight_exponent(table, group, device)
    verify_sign(table, group, device)
    bits = dtype_bits(known.dtype)
    if bits is not None and bits_needed(table) > bits:
        invalid(
            table,
            ASI004,
            f"a weight is wider than the format {name}",
            node=group.source.data,
            expected=f"{known.dtype}",
            found=f"{bits_needed(table)} bits",
            source=f"{device.key}, synapse.formats.{name}.dtype",
            path=f"synapse.formats.{name}.dtype",
            limit=bits,
            value=bits_needed(table),
            help=AGAIN,
        )


def verify_weight_exponent(table: TableOp, group: NeuronsOp, device: Device) -> None:
    """Refuses an exponent of weights that the device does not have. Errors: ASI007."""
    path, found = "synapse.weight_exponent", table.shared_exponent
    has_exponents = device.entry(path) is not None
    low = device.whole("synapse.weight_exponent.min") if has_exponents else 0
    high = device.whole("synapse.weight_exponent.max") if has_exponents else 0
    if (low is None or low <= found) and (high is None or found <= high):
        return
    if has_exponents:
        path = f"{path}.{'max' if high is not None and found > high else 'min'}"
    invalid(
        table,
        ASI007,
        f"exponent of weights that {device.key} does not have",
        node=group.source.data,
        expected=" and ".join(
            f"{text} {limit}" for text, limit in (("at least", low), ("at most", high)) if limit is not None
        ),
        found=str(found),
        source=device.cite(path) if has_exponents else f"{device.key}, {path}",
        path=path,
        limit=high if found > 0 else low,
        value=found,
        help=AGAIN,
    )


def verify_sign(table: TableOp, group: NeuronsOp, device: Device) -> None:
    """Refuses weights whose signs one table of the device cannot hold. Errors: ASI008."""
    modes = device.synapse.sign_modes if device.synapse is not None else ()
    if modes and table.sign not in (*modes, *(("excitatory", "inhibitory") if "mixed" in modes else ())):
        invalid(
            table,
            ASI008,
            f"{device.key} has no table for the signs of these weights",
            node=group.source.data,
            expected=" or ".join(modes),
            found=table.sign,
            source=f"{device.key}, synapse.sign_modes",
            path="synapse.sign_modes",
            help=AGAIN,
        )


def weight_width(table: TableOp, device: Device) -> int:
    """Returns the bits in which weights that change are stored: those of the format, else those of the widest weight."""
    formats = device.synapse.formats if device.synapse is not None else {}
    format = None if table.format is None else formats.get(table.format.data)
    return (None if format is None else dtype_bits(format.dtype)) or bits_needed(table)


def verify_delays(chip: ChipOp, device: Device) -> None:
    """Refuses a delay between neurons that is shorter than the device has. Errors: ASI006."""
    path = "synapse.delay.min"
    least = device.whole(path) or 0
    if not least:
        return
    fed = {place: np.zeros(core.axons.value.data, np.bool_) for place, core in chip.cores.items()}
    for group in chip.groups:
        if (axons := group.output_axons) is not None:
            for place in np.unique(axons.core.values).tolist():
                fed[place][axons.axon.values[axons.core.values == place]] = True
    for place, core in chip.cores.items():
        for group in core.groups:
            for table, one in zip(group.tables, group.entries(), strict=True):
                found = int(one.delay[fed[place][one.axon]].min(initial=least))
                if found < least:
                    invalid(
                        table,
                        ASI006,
                        f"delay below the minimum of {device.key}",
                        node=group.source.data,
                        expected=f"at least {least} ticks",
                        found=f"{found} ticks",
                        source=device.cite(path),
                        path=path,
                        limit=least,
                        value=found,
                        help=AGAIN,
                    )


def verify_delivery(chip: ChipOp, topology: Topology) -> None:
    """Refuses cores that the device does not have, and destinations that no route reaches. Errors: ASI003, ASI005."""
    for place, op in (*chip.cores.items(), *((op.at.value.data, op) for op in chip.inputs)):
        is_core = isinstance(op, CoreOp)
        if not 0 <= place < topology.cores or (is_core and not topology.is_usable[place]):
            refuse_chip(op, "the device has no such core", f"a usable core below {topology.cores}", str(place), ASI003)
    routes: dict[str, list[tuple[RouteOp, Walk]]] = {}
    starts = {op.node.data: place for place, op in chip.senders()}
    for route in chip.routes:
        walk = topology.follow(route.links.values.astype(np.int64), starts[route.node.data])
        if walk.fault is not None:
            message, k = walk.fault
            has_form = topology.has_form(route.links.values)
            expected = "a tree of links from its core" if has_form else topology.link_form
            refuse_chip(route, message, expected, f"link {k}", ASI005)
        routes.setdefault(route.node.data, []).append((route, walk))
    for place, op in chip.senders():
        if (axons := op.output_axons) is None:
            continue
        for core in np.unique(axons.core.values).tolist():
            waiting = np.zeros(op.size, np.bool_)
            waiting[axons.neuron.values[axons.core.values == core]] = core != place
            for route, walk in routes.get(op.node.data, ()):
                if core in walk.reached:
                    waiting[... if route.neurons is None else route.neurons.values] = False
            if waiting.any():
                first = int(np.flatnonzero(waiting)[0])
                expected = f"a route from {topology.format_core(place)} to {topology.format_core(core)}"
                refuse_chip(op, "an event is not delivered", expected, f"none for neuron {first}", ASI005)


ASIC = define_dialect("asic", globals())
