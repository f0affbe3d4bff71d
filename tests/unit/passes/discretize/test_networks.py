"""Networks with cycles, skip edges, sums and unusual names: each equals a plain loop in this file."""

from __future__ import annotations

from typing import Any

import nir
import numpy as np
import pytest
from graphs import affine, converted, f32, graph, lif, linear, run
from plain import population

from nopt.core.diagnostics import Diagnostics, Refused
from nopt.dialects.ntensor import DelayOp, SumOp

DT = 1e-3
TICKS = 120


class Cells:
    """A population under the plain rules."""

    def __init__(self, preset: str, node: nir.LIF, reset: str | None = None):
        params = {name: getattr(node, name) for name in ("tau", "r", "v_leak", "v_threshold", "v_reset")}
        self.neurons = population(preset, "lif", reset, DT, params)
        self.z = np.zeros(len(self.neurons))

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """Runs one tick; `z` keeps the output."""
        self.z = np.array([neuron(arrived) for neuron, arrived in zip(self.neurons, x, strict=True)], float)
        return self.z

    @property
    def v(self) -> np.ndarray:
        return np.array([neuron.v for neuron in self.neurons])


def weighted(node: nir.Linear | nir.Affine, x: np.ndarray) -> np.ndarray:
    return node.weight.astype(float) @ x + getattr(node, "bias", np.zeros(1)).astype(float)


def same(found: np.ndarray, expected: Any) -> None:
    """Compares all spikes."""
    assert np.any(expected), "nothing spikes: the case proves nothing"
    np.testing.assert_array_equal(found, np.array(expected))


# ---- a population


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_every_neuron_has_its_own_parameters(precision: str) -> None:
    rng = np.random.default_rng(1)
    fc, cells = affine(rng, 5, 3, 2), lif(rng, 5)
    net = graph({"fc": fc, "lif": cells}, [("in", "fc"), ("fc", "lif"), ("lif", "out")], {"in": 3}, {"out": 5})
    x = rng.normal(size=(TICKS, 3))
    found = run(net, x, ["lif.v", "fc"], like="norse", dt="1ms", precision=precision)
    plain, spikes, v = Cells("norse", cells), [], []
    for tick in x:
        spikes.append(plain(weighted(fc, tick)))
        v.append(plain.v)
    same(found["out"], spikes)
    # f32: 24 bits of numbers below 8, a few operations in each tick, and a decay of at most 0.97
    np.testing.assert_allclose(found["lif.v"], v, rtol=0, atol=1e-12 if precision == "f64" else 1e-4)


def test_parameters_of_one_value_are_scalars() -> None:
    """Twelve equal entries become one number in the IR; one different entry keeps the array."""
    rng = np.random.default_rng(0)
    cells = nir.LIF(
        **{name: f32(np.full(12, 0.5)) for name in ("tau", "r", "v_leak", "v_reset")}, v_threshold=f32(range(12))
    )
    net = graph({"lif": cells}, [("in", "lif"), ("lif", "out")], {"in": 12}, {"out": 12})
    (neuron,) = (op for op in converted(net, "dt-ns=1000000 like=norse").body.ops if op.name == "ntensor.neuron")
    shapes = {name: array.shape for name, array in neuron.arrays(neuron.params)}
    assert {name: shape for name, shape in shapes.items() if shape} == {"v_threshold": (12,)}
    x = rng.normal(0, 40, (TICKS, 12))
    plain = Cells("norse", cells)
    same(run(net, x, like="norse", dt="1ms")["out"], [plain(tick) for tick in x])


# ---- loops


RECURRENT = ("ab", "ba", "bc", "ca", "ac", "bb")
"""Source and target of every synapse except the first."""


def interlocking(rng: np.random.Generator) -> nir.NIRGraph:
    """Returns a -> b -> a, a -> b -> c -> a and b -> b, and the skip edge a -> c; three edges end at a."""
    n = 4
    nodes = {name: lif(rng, n) for name in "abc"}
    nodes |= {f"{s}{t}": affine(rng, n, n, 1.2) for s, t in RECURRENT}
    nodes |= {"ia": affine(rng, n, 3, 2)}
    edges = [("in", "ia"), ("ia", "a")]
    for s, t in RECURRENT:
        edges += [(s, s + t), (s + t, t)]
    return graph(nodes, [*edges, ("c", "out")], {"in": 3}, {"out": n})


def test_interlocking_loops_with_delayed_spikes() -> None:
    """`spikes`: recurrent synapses read the spikes of the previous tick; their bias acts at once. Skip edges are not delayed."""
    rng = np.random.default_rng(3)
    net = interlocking(rng)
    x = rng.normal(size=(TICKS, 3))
    found = run(net, x, "abc", like="norse", loop_delay="spikes", dt="1ms")
    node, a, b, c = net.nodes, *(Cells("norse", net.nodes[name]) for name in "abc")
    expected: dict[str, list[np.ndarray]] = {name: [] for name in "abc"}
    for tick in x:
        old_b = b.z
        a(weighted(node["ia"], tick) + weighted(node["ba"], old_b) + weighted(node["ca"], c.z))
        b(weighted(node["ab"], a.z) + weighted(node["bb"], old_b))
        c(weighted(node["ac"], a.z) + weighted(node["bc"], b.z))
        for name, cells in zip("abc", (a, b, c), strict=True):
            expected[name].append(cells.z)
    for name in "abc":
        same(found[name], expected[name])


def test_interlocking_loops_with_delayed_currents() -> None:
    """`current`: recurrent currents start at 0, including their bias."""
    rng = np.random.default_rng(3)
    net = interlocking(rng)
    x = rng.normal(size=(TICKS, 3))
    found = run(net, x, "abc", like="norse", dt="1ms")
    node, a, b, c = net.nodes, *(Cells("norse", net.nodes[name]) for name in "abc")
    ba, ca, bb = np.zeros((3, 4))
    expected: dict[str, list[np.ndarray]] = {name: [] for name in "abc"}
    for tick in x:
        a(weighted(node["ia"], tick) + ba + ca)
        b(weighted(node["ab"], a.z) + bb)
        c(weighted(node["ac"], a.z) + weighted(node["bc"], b.z))
        ba, ca, bb = weighted(node["ba"], b.z), weighted(node["ca"], c.z), weighted(node["bb"], b.z)
        for name, cells in zip("abc", (a, b, c), strict=True):
            expected[name].append(cells.z)
    for name in "abc":
        same(found[name], expected[name])


def delays(net: nir.NIRGraph, options: str, findings: Diagnostics | None = None) -> dict[str, int]:
    """Returns the delays of a converted network: name and ticks."""
    ops = converted(net, options, findings).body.ops
    return {op.node.data: int(op.ticks.values) for op in ops if isinstance(op, DelayOp)}


def test_which_edges_wait() -> None:
    net = interlocking(np.random.default_rng(3))
    assert delays(net, "dt-ns=1000000 like=norse") == {"ba.delay": 1, "ca.delay": 1, "bb.delay": 1}
    assert delays(net, "dt-ns=1000000 like=snntorch") == {"b.delay": 1, "c.delay": 1}
    assert delays(net, "dt-ns=1000000 like=spyx") == {f"{name}.delay": 1 for name in "abc"}
    assert delays(net, "dt-ns=1000000 like=lava") == {f"{edge}.delay": 1 for edge in ("ia", *RECURRENT)}


def test_lava_takes_a_tick_in_every_synapse() -> None:
    rng = np.random.default_rng(5)
    net = interlocking(rng)
    x = rng.normal(size=(TICKS, 3))
    found = run(net, x, ["a", "b", "c", "ab"], like="lava", dt="1ms")
    node, a, b, c = net.nodes, *(Cells("lava", net.nodes[name]) for name in "abc")
    held = {name: np.zeros(4) for name in ("ia", *RECURRENT)}
    expected: dict[str, list[np.ndarray]] = {name: [] for name in ("a", "b", "c", "ab")}
    for tick in x:
        a(held["ia"] + held["ba"] + held["ca"])
        b(held["ab"] + held["bb"])
        c(held["ac"] + held["bc"])
        for name, shown in (("a", a.z), ("b", b.z), ("c", c.z), ("ab", held["ab"])):
            expected[name].append(shown)
        held = {name: weighted(node[name], {"i": tick, "a": a.z, "b": b.z, "c": c.z}[name[0]]) for name in held}
    for name in "abc":
        same(found[name], expected[name])
    # the output of a synapse is that of its delay
    np.testing.assert_allclose(found["ab"], expected["ab"], rtol=0, atol=1e-12)


def test_spyx_spikes_leave_a_tick_late() -> None:
    """A record of a node is the output of its delay, a record of its state is the state itself."""
    rng = np.random.default_rng(6)
    net = interlocking(rng)
    x = rng.normal(size=(TICKS, 3))
    found = run(net, x, ["a", "b", "c", "a.v"], like="spyx", dt="1ms")
    node, a, b, c = net.nodes, *(Cells("spyx", net.nodes[name]) for name in "abc")
    expected: dict[str, list[np.ndarray]] = {name: [] for name in "abc"}
    v = []
    for tick in x:
        # the cells of the plain rules delay their spikes themselves
        late = {
            name: np.array([n.late_z for n in cells.neurons], float) for name, cells in (("a", a), ("b", b), ("c", c))
        }
        a(weighted(node["ia"], tick) + weighted(node["ba"], late["b"]) + weighted(node["ca"], late["c"]))
        b(weighted(node["ab"], late["a"]) + weighted(node["bb"], late["b"]))
        c(weighted(node["ac"], late["a"]) + weighted(node["bc"], late["b"]))
        v.append(a.v)
        for name in "abc":
            expected[name].append(late[name])
    for name in "abc":
        same(found[name], expected[name])
    np.testing.assert_allclose(found["a.v"], v, rtol=0, atol=1e-12)


# ---- an excitatory and an inhibitory population


def balanced(rng: np.random.Generator) -> nir.NIRGraph:
    """Returns two populations with inputs and all four recurrent connections: the cycle between them has two entries."""
    nodes: dict[str, Any] = {"E": lif(rng, 8), "I": lif(rng, 3)}
    sizes = {"E": 8, "I": 3, "x": 2}
    edges = []
    for s, t, sign in (("x", "E", 0), ("x", "I", 0), ("E", "E", 1), ("E", "I", 1), ("I", "E", -1), ("I", "I", -1)):
        node = linear(rng, sizes[t], sizes[s], 1.5 if s == "x" else 0.8)
        node.weight = node.weight if not sign else sign * abs(node.weight)
        nodes[f"{s}{t}"] = node
        edges += [(s, f"{s}{t}"), (f"{s}{t}", t)]
    return graph(nodes, [*edges, ("E", "out")], {"x": 2}, {"out": 8})


@pytest.mark.parametrize("loop_delay", ["spikes", "current"])
def test_excitation_and_inhibition(loop_delay: str) -> None:
    """Every recurrent spike takes one tick, and a remark names the delayed edges."""
    rng = np.random.default_rng(11)
    net, findings = balanced(rng), Diagnostics()
    x = rng.normal(0.5, 1, (TICKS, 2))
    found = run(net, x, ["E", "I"], findings, like="norse", dt="1ms", loop_delay=loop_delay)
    node, e, i = net.nodes, Cells("norse", net.nodes["E"]), Cells("norse", net.nodes["I"])
    expected: dict[str, list[np.ndarray]] = {"E": [], "I": []}
    for tick in x:
        old_e, old_i = e.z, i.z
        e(weighted(node["xE"], tick) + weighted(node["EE"], old_e) + weighted(node["IE"], old_i))
        i(weighted(node["xI"], tick) + weighted(node["EI"], old_e) + weighted(node["II"], old_i))
        expected["E"].append(e.z)
        expected["I"].append(i.z)
    same(found["E"], expected["E"])
    same(found["I"], expected["I"])
    (remark,) = (finding for finding in findings.findings if finding.code.id == "ANA013")
    assert remark.found == "one tick on each of E->EI, I->IE"
    assert remark.help is not None
    assert remark.help.startswith('loop-delay-at="E->EI"')


def test_the_user_chooses_the_edge() -> None:
    """`loop-delay-at` leaves a delay of one tick from E to I and none back, without a remark."""
    rng = np.random.default_rng(11)
    net, findings = balanced(rng), Diagnostics()
    x = rng.normal(0.5, 1, (TICKS, 2))
    found = run(net, x, ["E", "I"], findings, like="norse", dt="1ms", loop_delay_at="E->EI")
    assert not [finding for finding in findings.findings if finding.code.id == "ANA013"]
    node, e, i = net.nodes, Cells("norse", net.nodes["E"]), Cells("norse", net.nodes["I"])
    expected: dict[str, list[np.ndarray]] = {"E": [], "I": []}
    for tick in x:
        old_e, old_i = e.z, i.z
        i(weighted(node["xI"], tick) + weighted(node["EI"], old_e) + weighted(node["II"], old_i))
        e(weighted(node["xE"], tick) + weighted(node["EE"], old_e) + weighted(node["IE"], i.z))
        expected["E"].append(e.z)
        expected["I"].append(i.z)
    same(found["E"], expected["E"])
    same(found["I"], expected["I"])


# ---- names


STRANGE = {
    "in": "the input",
    "ia": 'w "in"',
    "a": "é→ü",
    "b": "a->b",
    "c": "x, y",
    "ab": "λ 1",
    "ba": "0",
    "bc": "tab\there",
    "ca": "back\\slash",
    "bb": "it's",
    "ac": "a.b",
    "out": "%out {}",
}


def renamed(net: nir.NIRGraph, names: dict[str, str]) -> nir.NIRGraph:
    nodes = {names[name]: node for name, node in net.nodes.items()}
    return nir.NIRGraph(nodes=nodes, edges=[(names[s], names[t]) for s, t in net.edges], type_check=False)


def test_strange_names() -> None:
    rng = np.random.default_rng(3)
    net = interlocking(rng)
    x = rng.normal(size=(TICKS, 3))
    expected = run(net, x, ["a", "b", "c", "c.v"], like="snntorch", dt="1ms")
    record = [STRANGE["a"], STRANGE["b"], STRANGE["c"], f"{STRANGE['c']}.v"]
    found = run(renamed(net, STRANGE), x, record, like="snntorch", dt="1ms")
    for old, new in zip(["a", "b", "c", "c.v"], record, strict=True):
        assert expected[old].any()
        np.testing.assert_array_equal(found[new], expected[old])


@pytest.mark.parametrize("edge", ["b->ba", "ba->a"])
def test_edges_of_strange_names_can_be_chosen(edge: str) -> None:
    """An entry of `loop-delay-at` extends to the end of the edge's name, including commas and arrows."""
    net = interlocking(np.random.default_rng(3))
    others = "c->ca"
    wanted = delays(net, f'dt-ns=1000000 like=norse loop-delay-at="{edge},{others}"')
    assert wanted == {f"{edge.partition('-')[0]}.delay": 1, "c.delay": 1, "bb.delay": 1}
    strange = renamed(net, STRANGE)
    said = ", ".join("->".join(STRANGE[end] for end in one.split("->")) for one in (edge, others))
    x = np.random.default_rng(4).normal(size=(TICKS, 3))
    found = run(strange, x, like="norse", dt="1ms", loop_delay_at=said)[STRANGE["out"]]
    same(found, run(net, x, like="norse", dt="1ms", loop_delay_at=f"{edge},{others}")["out"])


def test_an_unknown_edge_is_refused() -> None:
    net = renamed(interlocking(np.random.default_rng(3)), STRANGE)
    with pytest.raises(Refused, match=r"ANA014.*no edge é→ü->0") as refusal:
        run(net, np.zeros((2, 3)), like="norse", dt="1ms", loop_delay_at="é→ü->0")
    assert refusal.value.findings[0].help == 'loop-delay-at="é→ü->λ 1"'


# ---- neither names nor orders matter


@pytest.mark.parametrize("like", ["norse", "snntorch"])
@pytest.mark.parametrize("make", [interlocking, balanced])
def test_names_and_orders_change_no_bit(make: Any, like: str) -> None:
    """Float32 sums depend on their order, which follows from the structure of the network and not from the file."""
    rng = np.random.default_rng(23)
    net = make(rng)
    inputs = next(node for node in net.nodes.values() if isinstance(node, nir.Input))
    x = rng.normal(size=(TICKS, int(inputs.input_type["input"][0])))
    cells = [name for name, node in net.nodes.items() if isinstance(node, nir.LIF)]
    record = [*cells, *(f"{name}.v" for name in cells)]
    expected = run(net, x, record, like=like, dt="1ms", precision="f32")
    assert expected[cells[0]].any()
    for _ in range(6):
        old = list(net.nodes)
        names = dict(zip(old, (f"n{k}" for k in rng.permutation(len(old))), strict=True))
        shuffled = [old[k] for k in rng.permutation(len(old))]
        edges = [net.edges[k] for k in rng.permutation(len(net.edges))]
        other = renamed(
            nir.NIRGraph(nodes={name: net.nodes[name] for name in shuffled}, edges=edges, type_check=False), names
        )
        found = run(
            other,
            x,
            [names[r.removesuffix(".v")] + r[len(r.removesuffix(".v")) :] for r in record],
            like=like,
            dt="1ms",
            precision="f32",
        )
        for name in cells:
            np.testing.assert_array_equal(found[names[name]], expected[name])
            np.testing.assert_array_equal(
                found[f"{names[name]}.v"].view(np.int32), expected[f"{name}.v"].view(np.int32)
            )


def test_a_sum_of_three_has_one_order() -> None:
    """Three terms whose float32 sum depends on the order: the bits do not depend on the order of edges."""
    rng = np.random.default_rng(2)
    nodes = {name: linear(rng, 64, 5) for name in "abc"}
    edges = [("in", name) for name in "abc"]
    x = rng.normal(size=(20, 5))
    found = []
    for order in ("abc", "cab", "bca", "acb"):
        net = graph(nodes, [*edges, *((name, "out") for name in order)], {"in": 5}, {"out": 64})
        found.append(run(net, x, like="norse", dt="1ms", precision="f32")["out"])
        (op,) = (op for op in converted(net, "dt-ns=1000000 like=norse").body.ops if isinstance(op, SumOp))
        assert len(op.xs) == 3
    assert all((other.view(np.int32) == found[0].view(np.int32)).all() for other in found)
    a, b, c = (f32(x @ nodes[name].weight.T.astype(float)) for name in "abc")
    assert ((a + b) + c != (b + c) + a).any(), "the order must matter, or the case proves nothing"


# ---- delays and nesting


def test_delays_in_ticks() -> None:
    """0, 1.5 and 3 ms at 1 ms are 0, 2 and 3 ticks (half to even), and the rounding is reported and recorded."""
    rng = np.random.default_rng(9)
    cells = lif(rng, 3)
    late = nir.Delay(delay=f32([0, 1.5e-3, 3e-3]))
    net = graph({"d": late, "lif": cells}, [("in", "d"), ("d", "lif"), ("lif", "out")], {"in": 3}, {"out": 3})
    x, findings = rng.normal(0, 3, (TICKS, 3)), Diagnostics()
    plain, expected = Cells("norse", cells), []
    for t in range(TICKS):
        expected.append(plain(np.array([x[t - d, k] if t >= d else 0.0 for k, d in enumerate((0, 2, 3))])))
    same(run(net, x, findings=findings, like="norse", dt="1ms")["out"], expected)
    (remark,) = (finding for finding in findings.findings if finding.code.id == "ANA036")
    assert remark.found == "0.0015 s, rounded with an error of 0.0005 s"
    assert remark.help == "dt-ns=1500000"
    records = converted(net, "dt-ns=1000000 like=norse").approximations
    (record,) = (record for record in records or () if record.what.data == "delays rounded to ticks")
    assert record.largest.value.data == pytest.approx(5e-4, rel=1e-6)  # 1.5e-3 is rounded to f32 in the file
    assert record.unit.data == "s"


@pytest.mark.parametrize(
    ("delay_ms", "tau_ms", "gain", "steps"),
    [
        (3.0, 4.0, 2.0, "dt-ns=1000000 "),  # tau / r = 2 ms does not divide 3 ms
        (4.0, 4.0, 2.0, "dt-ns=2000000 "),
        (1.5, 20.0, 1.0, "TIME is one of 1000, 10000 or 100000"),  # 1 ms does not divide it
        (0.7, 0.5, 1.0, "TIME is one of 1000, 10000 or 100000"),
        (0.77, 0.4, 1.0, "TIME is one of 1000 or 10000"),
        (10.0, 0.09, 1.0, "TIME is one of 1000 or 10000"),
        (0.0015, 0.0014, 1.0, "dt-ns=750 "),  # no usual one divides it
    ],
)
def test_proposed_time_steps_divide_the_delays(delay_ms: float, tau_ms: float, gain: float, steps: str) -> None:
    cells = lif(np.random.default_rng(0), 2)
    cells.tau, cells.r = f32([tau_ms / 1e3] * 2), f32([gain] * 2)
    nodes = {"d": nir.Delay(delay=f32([delay_ms / 1e3] * 2)), "lif": cells}
    net = graph(nodes, [("in", "d"), ("d", "lif"), ("lif", "out")], {"in": 2}, {"out": 2})
    with pytest.raises(Refused) as refused:
        converted(net, "like=norse")
    assert steps in str(refused.value.findings[0].help)


def test_nested_graphs() -> None:
    """Nodes of a nested graph are named with both names; a cycle across its boundary is found."""
    rng = np.random.default_rng(13)
    inner_nodes = {"w": linear(rng, 4, 4), "cell.a": lif(rng, 4), "back": linear(rng, 4, 4, 0.6)}
    inner_edges = [("input", "w"), ("w", "cell.a"), ("cell.a", "back"), ("back", "cell.a"), ("cell.a", "output")]
    inner = graph(inner_nodes, inner_edges, {"input": 4}, {"output": 4})
    outer = {"fc": linear(rng, 4, 2, 2), "deep": inner, "outer back": linear(rng, 4, 4, 0.6)}
    edges = [("in", "fc"), ("fc", "deep"), ("deep", "outer back"), ("outer back", "deep"), ("deep", "out")]
    net = graph(outer, edges, {"in": 2}, {"out": 4})
    x = rng.normal(size=(TICKS, 2))
    found = run(net, x, ["deep.cell.a", "deep.cell.a.v", "deep.w"], like="snntorch", dt="1ms")
    cells, expected = Cells("snntorch", inner_nodes["cell.a"]), []
    for tick in x:
        arrived = weighted(outer["fc"], tick) + weighted(outer["outer back"], cells.z)
        expected.append(cells(weighted(inner_nodes["w"], arrived) + weighted(inner_nodes["back"], cells.z)))
    same(found["out"], expected)
    same(found["deep.cell.a"], expected)


def test_findings_call_nested_nodes_by_their_full_names() -> None:
    inner = graph(
        {"cell": lif(np.random.default_rng(0), 2)}, [("input", "cell"), ("cell", "output")], {"input": 2}, {"output": 2}
    )
    net = graph({"deep": inner}, [("in", "deep"), ("deep", "out")], {"in": 2}, {"out": 2})
    findings = Diagnostics()
    run(net, np.zeros((2, 2)), findings=findings, like="norse", dt="50ms")
    assert [(finding.code.id, finding.node) for finding in findings.findings] == [("ANA034", "deep.cell")]
    with pytest.raises(Refused, match="ANA020") as refusal:
        run(net, np.zeros((2, 2)), dt="1ms")
    assert [finding.node for finding in refusal.value.findings] == ["deep.cell"]


# ---- the family is not read


@pytest.mark.parametrize("like", ["norse", "snntorch", "sinabs", "spyx", "nengo", "rockpool"])
def test_nothing_but_the_update_is_read(like: str) -> None:
    """Without `family` and `canonical` a network runs as with them."""
    import nopt.api as nopt

    rng = np.random.default_rng(17)
    net = interlocking(rng)
    x = rng.normal(size=(TICKS, 3))
    module = nopt.from_nir(net, diagnostics=Diagnostics())
    nopt.apply(module, f"convert-nir-to-ntensor{{dt-ns=1000000 like={like}}}", diagnostics=Diagnostics())
    record = [*"abc", "a.v", "b.v", "c.v"]
    expected = nopt.run(module, x, record=record)
    assert expected["c"].any()
    removed = 0
    for op in module.walk():
        if op.name == "ntensor.neuron":
            removed += sum(op.properties.pop(name, None) is not None for name in ("family", "canonical"))
    assert removed == 6
    nopt.verify(module)
    found = nopt.run(module, x, record=record)
    for name in record:
        np.testing.assert_array_equal(found[name], expected[name])
