"""Model of a `neurogrid.chip`: the published equations of all neurons, tick by tick, in double precision.

    tau_X dg_X/dt = -g_X + sat_X p_X          p_X = 1 while pulses of events last, each for rise_X; events that overlap follow each other
    tau_d dv_d/dt = -v_d + sum over X of g_X (e_X - v)
    tau_k dg_k/dt = -g_k + g_inf p_res        p_res = 1 for `lasts` ticks after a spike
    tau_s dv/dt   = -v + i_in + v^2 / 2 - (g_k + g_res p_res) v + v_d

    1. The spikes of the tick before become events at the sites of their terminals, and arbors spread these to neurons.
    2. Conductances, dendrites and somas move by one step of forward Euler, each with the new values of those before it.
    3. A neuron with v >= 10 spikes, since v would diverge. It continues at v_reset.

A manufactured chip has other parameters at each site of a core, which do not depend on the network: times and conductances are those of the chip times
exp(spread * x), and currents those of the chip plus spread * x, with x from a standard normal distribution.

Source: P. Gao, B. V. Benjamin and K. Boahen, IEEE TCAS-I 59(11), 2012.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import AnyArray, Ints, Reals
from ...core.device.device import Device
from ...dialects.chip_base.groups import GroupOp
from ...dialects.chip_base.parts import SenderOp
from ...dialects.neurogrid import SYNAPSES, ChipOp, SomasOp, terminals_of
from ...dialects.neurogrid.arbors import arbor
from ...simulation.chip_grid import Sender, Tick
from ...simulation.chip_model import ChipModel
from ...simulation.fan_out_grid import Block, FanOut, FanOutGrid
from ...simulation.imperfections import Imperfections

DIVERGED = 10.0
"""Soma beyond which a neuron spikes."""
CURRENTS = "currents"
VARIED = {"time_constants": ("tau_", "rise_"), "conductances": ("sat_", "g_inf", "g_res"), CURRENTS: ("i_in",)}
"""Parameters that differ between the neurons of a manufactured chip, by the imperfection of the device."""
LARGEST_COUNT = 65535
"""Parts of events that one synapse population of a neuron takes in a tick."""


@frozen(eq=False)
class Somas:
    """The neurons of one group. Shapes: parameters () or [neurons]."""

    group: Sender
    dt: float
    lasts: AnyArray
    soma: Mapping[str, AnyArray]
    synapses: tuple[Mapping[str, AnyArray], ...]
    """Parameters of each synapse population."""
    initial: Mapping[str, AnyArray]


class Model(ChipModel[ChipOp]):
    """Runs the exit dialect. Errors: those of `ChipModel`."""

    chip, device = ChipOp, "neurogrid/board"
    is_imperfect = True
    varies_neurons = True

    def build_grid(self, chip: ChipOp, module: ModuleOp, device: Device) -> FanOutGrid:
        placed = [(place, group) for place, core in chip.cores.items() for group in core.groups]
        reached = [ReachedNeurons(place, op) for place, op in placed]
        somas = [somas_of(op, self.mismatch(op, place, device)) for place, op in placed]
        blocks = tuple(
            Block(
                one.group.name,
                (one.group,),
                len(one.synapses) * len(one.group.index),
                partial(RunningSomas, one),
                LARGEST_COUNT,
            )
            for one in somas
        )
        fans = {op.node.data: list(fans_of(op, reached)) for _, op in chip.senders()}
        return FanOutGrid(tuple(map(Sender.of, chip.inputs)), blocks, fans)

    @classmethod
    def varied_parameters(
        cls, op: GroupOp, core: int, dt: float, device: Device, imperfections: Imperfections
    ) -> Mapping[str, AnyArray]:
        return varied(op, core, device, imperfections) if isinstance(op, SomasOp) else {}

    def mismatch(self, op: SomasOp, place: int, device: Device) -> Mapping[str, AnyArray]:
        """Returns the parameters that differ between the neurons of a manufactured chip; none of the ideal chip."""
        return {} if self.imperfections is None else varied(op, place, device, self.imperfections)


def varied(op: SomasOp, place: int, device: Device, chip: Imperfections) -> dict[str, AnyArray]:
    """Returns the parameters of the neurons of a group on a manufactured chip. Shapes: [neurons]."""
    found: dict[str, AnyArray] = {}
    rows, columns = op.sites
    shape = int(rows.max(initial=0)) + 1, device.integer("features.columns") or int(columns.max(initial=0)) + 1
    for name, values in op.parameters().items():
        kind = next((kind for kind, prefixes in VARIED.items() if name.startswith(prefixes)), None)
        spread = 0.0 if kind is None else float(device.number(f"imperfections.{kind}") or 0)
        if spread:
            x = chip.generator(f"core {place}", name).standard_normal(shape)[rows, columns]
            found[name] = values + spread * x if kind == CURRENTS else values * np.exp(spread * x)
    return found


def somas_of(op: SomasOp, varied: Mapping[str, AnyArray]) -> Somas:
    given = {**op.parameters(), **varied}
    reals = {name: values.astype(np.float64) for name, values in given.items() if name not in ("dt", "lasts")}
    own = tuple(
        {name: reals[f"{name}_{one}"] for name in ("tau", "e", "sat", "rise")} for one in SYNAPSES[: op.synapses]
    )
    soma = {name: values for name, values in reals.items() if not name.endswith(tuple(f"_{one}" for one in SYNAPSES))}
    return Somas(
        Sender.of(op), float(given["dt"].reshape(-1)[0]), given["lasts"].astype(np.int64), soma, own, op.states()
    )


# ---- arbors


class ReachedNeurons:
    """The neurons of a group by their site."""

    def __init__(self, core: int, op: SomasOp):
        self.core, self.name, self.radii, self.size = core, op.node.data, op.radii, op.size
        rows, columns = op.sites
        self.first = np.array([rows.min(initial=0), columns.min(initial=0)])
        shape = (int(rows.max(initial=0) - self.first[0]) + 1, int(columns.max(initial=0) - self.first[1]) + 1)
        self.at = np.full(shape, -1)
        """The neuron at each site of the rectangle around the group, or -1."""
        self.at[rows - self.first[0], columns - self.first[1]] = np.arange(op.size)

    def pairs(self, places: Ints, events: Ints) -> Iterator[tuple[Ints, Ints, Ints]]:
        """Yields neuron of the sender, entry of the synapse population and neuron, and parts of events, for each place of a kernel."""
        neuron, core, synapse, row, column = places
        for k, radius in enumerate(self.radii):
            mine = (core == self.core) & (synapse == k)
            kernel = arbor(radius)
            reach = kernel.shape[0] // 2
            for (y, x), part in np.ndenumerate(kernel):
                if part:
                    at_row, at_column = row[mine] + y - reach - self.first[0], column[mine] + x - reach - self.first[1]
                    inside = (
                        (at_row >= 0) & (at_row < self.at.shape[0]) & (at_column >= 0) & (at_column < self.at.shape[1])
                    )
                    target = np.full(len(at_row), -1)
                    target[inside] = self.at[at_row[inside], at_column[inside]]
                    kept = target >= 0
                    yield neuron[mine][kept], k * self.size + target[kept], events[mine][kept] * part


def fans_of(op: SenderOp, reached: Sequence[ReachedNeurons]) -> Iterator[FanOut]:
    """Yields the fan-out of a sender by the group that it reaches."""
    if not (terminals := terminals_of(op)):
        return
    places = np.concatenate([one.places for one in terminals], axis=1)
    events = np.concatenate([one.counts for one in terminals])
    for group in reached:
        if pairs := list(group.pairs(places, events)):
            yield FanOut.of(group.name, op.size, *map(np.concatenate, zip(*pairs, strict=True)))


# ---- run


class RunningSomas:
    """The neurons of a group while some samples run. Shapes: states [samples, neurons]."""

    def __init__(self, somas: Somas, samples: int):
        self.somas, self.shape = somas, (samples, len(somas.group.index))
        self.states = initial_states(somas, self.shape)

    def tick(self, sums: Ints) -> Tick:
        """Runs one tick. Shapes: sums [samples, synapse populations * neurons]."""
        samples, neurons = self.shape
        arriving = sums.reshape(samples, len(self.somas.synapses), neurons).swapaxes(0, 1)
        name = self.somas.group.name
        return Tick({name: advance(self.somas, arriving, self.states)}, {name: self.states})


def initial_states(one: Somas, shape: tuple[int, int]) -> dict[str, AnyArray]:
    return {
        name: np.broadcast_to(values, shape).astype(np.int64 if name == "wait" else np.float64, order="C")
        for name, values in one.initial.items()
    }


def advance(one: Somas, arriving: Ints, states: dict[str, AnyArray]) -> AnyArray:
    """Updates the neurons of a group for one tick, and returns their spikes. Shapes: [samples, neurons]."""  # 2, 3
    dt, soma, v = one.dt, one.soma, states["v"]
    drive: Reals = np.zeros(())
    for k, (name, synapse) in enumerate(zip(SYNAPSES, one.synapses, strict=False)):
        left = states[f"left_{name}"] + arriving[k] * synapse["rise"]
        g = states[f"g_{name}"]
        pulse = np.minimum(left / dt, 1.0)
        g = g + dt * (synapse["sat"] * pulse - g) / synapse["tau"]
        states[f"left_{name}"], states[f"g_{name}"] = np.maximum(left - dt, 0.0), g
        drive = drive + g * (synapse["e"] - v)
    v_d = states["v_d"] + dt * (drive - states["v_d"]) / soma["tau_d"]
    p_res = np.where(states["wait"] > 0, 1.0, 0.0)
    g_k = states["g_k"] + dt * (soma["g_inf"] * p_res - states["g_k"]) / soma["tau_k"]
    slope = soma["i_in"] - v + v * v / 2 - (g_k + soma["g_res"] * p_res) * v + v_d
    w = v + dt * slope / soma["tau_s"]
    spikes = w >= DIVERGED
    states["v"] = np.where(spikes, soma["v_reset"], w)
    states["wait"] = np.where(spikes, one.lasts, np.maximum(states["wait"] - 1, 0))
    states["v_d"], states["g_k"] = v_d, g_k
    return spikes
