"""Generated networks on several cores and chips of DYNAP-SE2 and DYNAP-SE1: the model of events equals the network, and manufactured chips are reproducible.

Networks have two populations of leaky neurons with a synaptic current, weights of both signs, and loops.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from extent import seeds

import nopt.api as nopt
from nopt.api.conformance.networks import Drawing, Drawn, discretised, is_active, run_network
from nopt.api.conformance.subject import Compiled, Subject, records_of
from nopt.api.running.run import execute
from nopt.core.device.named_device import resolve_device
from nopt.core.diagnostics import Diagnostics
from nopt.core.ir.operation import shape_of
from nopt.dialects import nir
from nopt.dialects.dynapse import ChipOp
from nopt.simulation.imperfections import Imperfections
from nopt.targets.dynapse.circuit import LAYOUT, mismatched
from nopt.targets.dynapse.model import Model

TICKS = 30
CONVERTED = (
    'ntensor-quantize-inputs{{kind=spike}},ntensor-fit-weight-masks{{device="{0}"}},'
    'ntensor-set-neuron-model{{to="{0}" neuron=dynapse approximate=initial,current,refractory,reset}}'
)
FOUR = "topology.chips=4,topology.cores=16,topology.chip_mesh.width=2,topology.chip_mesh.height=2,core.neurons=6"
SE1, SE2 = "dynapse/se1", "dynapse/se2"
BOARDS = {
    "one chip": (SE2, "core.neurons=16"),
    "four chips": (SE2, FOUR),
    "one chip of DYNAP-SE1": (SE1, "core.neurons=16"),
    "four chips of DYNAP-SE1": (SE1, FOUR),
}


def population(drawing: Drawing, node: str, x: Any, tau_syn: float) -> Any:
    given = {
        "r": 2.0,
        "v_leak": 0.0,
        "v_threshold": 1.0,
        "v_reset": 0.0,
        "tau_mem": 0.02,
        "tau_syn": tau_syn,
        "w_in": 1.0,
    }
    return drawing.add(nir.CubaLIFOp, node, x, **{name: np.full(shape_of(x), value) for name, value in given.items()})


def draw(seed: int, device: str) -> Drawn:
    """Returns the first network of a seed in which every population is active."""
    return next(drawn for attempt in range(20) if is_active(drawn := draw_once(seed, attempt, device)))


def draw_once(seed: int, attempt: int, device: str) -> Drawn:
    rng = np.random.default_rng([41, seed, attempt])
    inputs, hidden, outputs = (int(n) for n in rng.integers((5, 14, 8), (14, 30, 20)))
    drawing = Drawing(inputs)
    first = drawing.linear("fc1", drawing.x, rng.normal(3.2, 8, (hidden, inputs)).astype(np.float32))
    if is_loop := seed % 2 == 1:
        back = drawing.linear("rec", first, rng.normal(0, 2.4, (hidden, hidden)).astype(np.float32))
        first = drawing.sum(first, back)
    z = population(drawing, "one", first, 0.01)
    if is_loop:
        back.owner.operands[0] = z
    second = drawing.linear("fc2", z, rng.normal(2.4, 8, (outputs, hidden)).astype(np.float32))
    module = drawing.finish(population(drawing, "two", second, 0.005))
    choices = {"dt": "1ms", "like": "euler", "reset": "value", "loop_delay": "spikes"}
    network = discretised(module, choices)
    nopt.apply(network, CONVERTED.format(device))
    permission = f'ntensor-legalize{{device="{device}" approximate=early}}'
    return Drawn(f"seed {seed}", network, rng.random((2, TICKS, inputs)) < 0.5, repairs=(permission,))


def compiled(seed: int, device: str, settings: str) -> tuple[Subject, Compiled]:
    subject = Subject(resolve_device(device), 1, 0)
    found = subject.compile(draw(seed, device), subject.settings(*settings.split(",")))
    assert found.fit.is_fitting, found.refusal
    return subject, found


def chip_of(found: Compiled) -> ChipOp:
    return next(op for op in found.module.ops if isinstance(op, ChipOp))


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("seed", seeds(2))
def test_model_equals_the_network_in_every_state(seed: int, board: str) -> None:
    """Spikes are equal, and currents differ by roundings of double precision."""
    subject, found = compiled(seed, *BOARDS[board])
    places = {place // 4 for place in chip_of(found).cores}
    assert (len(places) > 1) == board.startswith("four chips")
    record = records_of(found.network)
    mine, wanted = subject.run(found, record), run_network(found.network, found.drawn.x, record)
    assert mine.keys() == wanted.keys()
    for name, values in wanted.items():
        if values.dtype.kind == "f":
            np.testing.assert_allclose(mine[name], values, rtol=1e-9, atol=0)
        else:
            np.testing.assert_array_equal(mine[name], values)
    assert run_network(found.network, found.drawn.x)["output"].any()


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("seed", seeds(2))
def test_loader_reads_the_chip_back(seed: int, board: str) -> None:
    subject, found = compiled(seed, *BOARDS[board])
    assert subject.target.load is not None
    loaded = subject.target.load()(subject.files(found), Diagnostics())
    before, after = chip_of(found), next(op for op in loaded.ops if isinstance(op, ChipOp))
    assert {**before.properties, "approximations": None} == {**after.properties, "approximations": None}
    assert before.body.is_structurally_equivalent(after.body)


def run_manufactured(subject: Subject, found: Compiled, seed: int, chip: int) -> dict[str, np.ndarray]:
    """Returns the spikes of both populations, and the current of a membrane, on a manufactured chip."""
    made = partial(Model, found.module, device=found.device, imperfections=Imperfections(seed, chip))
    record = ["one", "one.imem"]
    return execute(found.network, found.drawn.x, record=record, chip=made, diagnostics=Diagnostics()).arrays


def test_manufactured_chips_are_reproducible_and_differ() -> None:
    subject, found = compiled(0, *BOARDS["one chip"])
    ideal = subject.run(found, ["one.imem"])["one.imem"]
    first, again, other, reseeded = (
        run_manufactured(subject, found, *which) for which in ((3, 0), (3, 0), (3, 1), (4, 0))
    )
    for name, values in first.items():
        np.testing.assert_array_equal(values, again[name])
    for different in (ideal, other["one.imem"], reseeded["one.imem"]):
        assert not np.allclose(first["one.imem"], different, rtol=1e-3, atol=0)


@pytest.mark.parametrize("device", [SE1, SE2])
@pytest.mark.parametrize("seed", seeds(2))
def test_partition_does_not_change_a_manufactured_chip(seed: int, device: str) -> None:
    """A neuron has the same circuit on each core."""
    few, many = (run_manufactured(*compiled(seed, *board), 3, 0) for board in BOARDS.values() if board[0] == device)
    assert few.keys() == many.keys()
    for name, values in few.items():
        np.testing.assert_allclose(many[name], values, rtol=1e-9)


def test_mismatch_has_the_deviation_of_the_device() -> None:
    """The deviation of 40,000 numbers is known to 1 / sqrt(80000) of itself, 0.35 %."""
    spread = float(resolve_device("dynapse/se2").number("imperfections.mismatch") or 0)
    assert spread == 0.1
    for name, values in mismatched(LAYOUT, spread, 40_000, "one", Imperfections(0, 0)):
        assert abs(values.mean() / LAYOUT[name] - 1) < 5 * spread / 200
        assert abs(values.std() / LAYOUT[name] / spread - 1) < 5 / np.sqrt(80_000)
