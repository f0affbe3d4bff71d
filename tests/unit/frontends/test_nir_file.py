"""The `.nir` frontend on generated networks: cycles, nested graphs, sums, unusual names, any order of nodes and edges."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import h5py
import nir
import numpy as np
import pytest
from extent import times
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics, Refused, Severity
from nopt.core.ir import source
from nopt.core.ir.context import NoptContext
from nopt.dialects import nir as ops
from nopt.frontends.nir_file import from_nir, read, recognises
from nopt.frontends.nir_graph import PRIMITIVES
from nopt.frontends.nir_network import OPTIONAL, network_from

READABLE = {
    "exported/nir_delay_cubalif.nir",
    "exported/nir_skip_branch.nir",
    "exported/sinabs_conv_sumpool_if.nir",
    "exported/snntorch_conv.nir",
    "exported/snntorch_rsynaptic_rec.nir",
    "exported/spikingjelly_fc_lif.nir",
    "nir_paper/braille/braille_noDelay_bias_zero.nir",
    "nir_paper/braille/braille_noDelay_noBias_subtract.nir",
    "nir_paper/cnn/cnn_sinabs.nir",
    "nir_paper/lif/lif_norse.nir",
}
REPAIRED = {
    "exported/norse_fc_cubalif.nir": {"NIF022", "NIF023"},
    "exported/norse_fc_lif.nir": {"NIF022", "NIF023"},
    "exported/rockpool_rec_cubalif.nir": {"NIF020", "NIF021", "NIF023"},
    "nir_paper/braille/braille_noDelay_bias_zero_subgraph.nir": {"NIF019", "NIF023"},
    "nir_paper/lif/lif_rockpool.nir": {"NIF020", "NIF023"},
}


# ---- helpers


def printed(module: ModuleOp, is_generic: bool = False) -> str:
    return source.format_module(NoptContext(), module, is_generic)


def parsed(text: str) -> ModuleOp:
    return source.parse_module(NoptContext(), text)


def imported(graph: nir.NIRGraph, name: str = "net") -> ModuleOp:
    """Returns the verified module of a graph."""
    module = from_nir(graph, name, Diagnostics())
    source.check_module(module)
    return module


def read_file(path: Path) -> ModuleOp:
    module = read(path, Diagnostics())
    source.check_module(module)
    return module


def check_round_trips(module: ModuleOp) -> None:
    text, generic = printed(module), printed(module, is_generic=True)
    assert printed(parsed(text)) == text
    assert printed(parsed(generic)) == text
    assert printed(parsed(generic), is_generic=True) == generic
    source.check_module(parsed(text))


def graph_of(module: ModuleOp) -> ops.GraphOp:
    (graph,) = module.ops
    assert isinstance(graph, ops.GraphOp)
    return graph


def sources(value: SSAValue, inputs: list[str]) -> Iterable[str]:
    """Yields the names of the nodes whose signals are added in a value."""
    if isinstance(value, BlockArgument):
        yield inputs[value.index]
        return
    op = value.owner
    assert isinstance(op, Operation)
    if isinstance(op, ops.SumOp):
        for x in op.xs:
            yield from sources(x, inputs)
    else:
        assert isinstance(op, ops.NodeOp | ops.SubgraphOp)
        yield op.node.data


def edges_of(graph: ops.GraphOp | ops.SubgraphOp) -> list[tuple[str, str]]:
    """Returns the NIR edges of one of our graphs, without its sums."""
    inputs = [name.data for name in graph.input_names]
    found: list[tuple[str, str]] = []
    for op in graph.body.block.ops:
        if isinstance(op, ops.NodeOp | ops.SubgraphOp):
            found += [(name, op.node.data) for x in op.operands for name in sources(x, inputs)]
        elif isinstance(op, ops.OutputOp):
            for output, value in zip(graph.output_names, op.values, strict=True):
                found += [(name, output.data) for name in sources(value, inputs)]
    return sorted(found)


def check_same(graph: nir.NIRGraph, op: ops.GraphOp | ops.SubgraphOp) -> None:
    """Compares an op with its graph: edges, parameters to the last bit, shapes, and the same for nested graphs."""
    assert edges_of(op) == sorted(map(tuple, graph.edges))
    nodes = {inner.node.data: inner for inner in op.body.block.ops if isinstance(inner, ops.NodeOp | ops.SubgraphOp)}
    assert set(nodes) == {name for name, node in graph.nodes.items() if not isinstance(node, nir.Input | nir.Output)}
    for name, inner in nodes.items():
        node: Any = graph.nodes[name]
        if isinstance(inner, ops.SubgraphOp):
            check_same(node, inner)
            continue
        assert inner.name.removeprefix("nir.").replace("_", "") == type(node).__name__.lower()
        for parameter, array in inner.parameters():
            kept = np.asarray(getattr(node, parameter))
            assert (array.values.dtype, array.shape) == (kept.dtype, kept.shape)
            assert array.values.tobytes() == kept.tobytes()
        assert inner.results[0].type.get_shape() == tuple(np.asarray(node.output_type["output"]))


def shuffled(graph: nir.NIRGraph, random: Any) -> nir.NIRGraph:
    """Returns the same graph with nodes and edges in another order."""
    names, edges = list(graph.nodes), list(graph.edges)
    random.shuffle(names)
    random.shuffle(edges)
    nodes: dict[str, Any] = {
        name: shuffled(node, random) if isinstance(node := graph.nodes[name], nir.NIRGraph) else node for name in names
    }
    return nir.NIRGraph(nodes, edges, metadata=dict(reversed(graph.metadata.items())), type_check=False)


# ---- generated networks

NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="/\0\r\v\f", exclude_categories=["Cs"])
    | st.sampled_from('a1_. "\\é漢'),
    min_size=1,
    max_size=6,
).filter(lambda name: name.strip("."))
POPULATIONS = {
    "LIF": ("tau", "r", "v_leak", "v_threshold", "v_reset"),
    "IF": ("r", "v_threshold", "v_reset"),
    "LI": ("tau", "r", "v_leak"),
    "I": ("r",),
    "CubaLIF": ("tau_syn", "tau_mem", "r", "v_leak", "v_threshold", "v_reset", "w_in"),
    "CubaLI": ("tau_syn", "tau_mem", "r", "v_leak", "w_in"),
    "Threshold": ("threshold",),
    "Delay": ("delay",),
    "Scale": ("scale",),
}
METADATA = st.dictionaries(
    NAMES,
    st.recursive(
        st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5)
        | st.integers(-5, 5).map(np.int64)
        | st.floats(width=32).map(np.float32),
        lambda inner: st.dictionaries(NAMES, inner, max_size=2),
        max_leaves=4,
    ),
    max_size=2,
)


@st.composite
def arrays(draw: st.DrawFn, shape: tuple[int, ...], is_positive: bool = False) -> Any:
    width = draw(st.sampled_from([32, 64]))
    least = 2.0**-20 if is_positive else None
    numbers = st.floats(least, allow_nan=False, allow_infinity=False, width=width)
    flat = draw(st.lists(numbers, min_size=int(np.prod(shape)), max_size=int(np.prod(shape))))
    return np.array(flat, f"f{width // 8}").reshape(shape)


@st.composite
def populations(draw: st.DrawFn, size: int) -> Any:
    type = draw(st.sampled_from(sorted(POPULATIONS)))
    times = ("tau", "tau_syn", "tau_mem", "delay")
    given = {name: draw(arrays((size,), is_positive=name in times)) for name in POPULATIONS[type]}
    node = getattr(nir, type)(**given, metadata=draw(METADATA))
    for name, value in given.items():
        setattr(node, name, value)  # the package changes the number format of w_in
    return node


@st.composite
def networks(draw: st.DrawFn, ends: tuple[int, int] | None = None, depth: int = 2) -> nir.NIRGraph:
    """Returns a network of populations, nested networks, and dense synapses between them in any direction, including self-connections."""
    count = draw(st.integers(1, 4))
    sizes = draw(st.lists(st.integers(1, 3), min_size=count, max_size=count))
    inputs = [ends[0]] if ends else draw(st.lists(st.integers(1, 3), min_size=1, max_size=2))
    outputs = [ends[1]] if ends else draw(st.lists(st.integers(1, 3), min_size=1, max_size=2))
    links = draw(st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=4, unique=True))
    total = count + len(inputs) + len(outputs) + (count + len(inputs) + len(outputs) + len(links))
    names = iter(draw(st.lists(NAMES, min_size=total, max_size=total, unique=True)))
    nodes: dict[str, Any] = {}
    edges: list[tuple[str, str]] = []

    def join(here: str, there: str, shape: tuple[int, int]) -> None:
        """Connects two nodes directly if the sizes allow it, at random, else through a synapse."""
        if shape[0] == shape[1] and (here, there) not in edges and draw(st.booleans()):
            edges.append((here, there))
            return
        synapse = next(names)
        weight = draw(arrays(shape))
        nodes[synapse] = nir.Linear(weight) if draw(st.booleans()) else nir.Affine(weight, draw(arrays((shape[0],))))
        edges.extend([(here, synapse), (synapse, there)])

    middle: list[str] = []
    for size in sizes:
        middle.append(next(names))
        is_nested = depth > 0 and draw(st.integers(0, 4)) == 0
        nodes[middle[-1]] = draw(networks((size, size), depth - 1) if is_nested else populations(size))
    for size in inputs:
        name = next(names)
        nodes[name] = nir.Input(np.array([size]))
        join(name, middle[0], (sizes[0], size))
    for number, (here, there) in enumerate(pairwise(middle)):
        join(here, there, (sizes[number + 1], sizes[number]))
    for size in outputs:
        name = next(names)
        nodes[name] = nir.Output(np.array([size]))
        join(middle[-1], name, (size, sizes[-1]))
    for here, there in links:
        join(middle[here], middle[there], (sizes[there], sizes[here]))
    return nir.NIRGraph(nodes, edges, metadata=draw(METADATA), type_check=False)


@given(networks())
def test_keeps_what_the_graph_says(graph: nir.NIRGraph) -> None:
    check_same(graph, graph_of(imported(graph)))


@given(networks())
def test_text_comes_back(graph: nir.NIRGraph) -> None:
    check_round_trips(imported(graph))


@given(networks(), st.randoms(use_true_random=False))
def test_order_of_nodes_and_edges_does_not_show(graph: nir.NIRGraph, random: Any) -> None:
    assert printed(imported(shuffled(graph, random))) == printed(imported(graph))


@given(graph=networks())
@settings(max_examples=times(10), deadline=None)
def test_file_says_what_the_graph_says(tmp_path_factory: pytest.TempPathFactory, graph: nir.NIRGraph) -> None:
    path = tmp_path_factory.mktemp("nir") / "net.nir"
    nir.write(path, graph)
    module = read_file(path)
    assert graph_of(module).properties.pop("version").data == nir.version  # type: ignore[attr-defined]
    assert printed(module) == printed(imported(graph))


# ---- valid graphs


def lif(*shape: int) -> nir.LIF:
    one = np.ones(shape, np.float32)
    return nir.LIF(tau=one, r=one, v_leak=0 * one, v_threshold=one, v_reset=0 * one)


def chain(**nodes: Any) -> nir.NIRGraph:
    return nir.NIRGraph(nodes, list(pairwise(nodes)), type_check=False)


def test_keeps_arrays_as_they_were() -> None:
    """Changing the graph after the import does not change the module."""
    weight = np.ones((2, 2), np.float32)
    module = imported(chain(x=nir.Input(np.array([2])), fc=nir.Linear(weight), y=nir.Output(np.array([2]))))
    before = printed(module)
    weight[:] = 7
    assert printed(module) == before


def test_shares_arrays_that_nobody_writes_to() -> None:
    weight = np.ones((2, 2), np.float32)
    weight.flags.writeable = False
    module = imported(chain(x=nir.Input(np.array([2])), fc=nir.Linear(weight), y=nir.Output(np.array([2]))))
    (op,) = (op for op in module.walk() if isinstance(op, ops.LinearOp))
    assert np.shares_memory(op.weight.values, weight)


def test_takes_numbers_of_python() -> None:
    """Strides and similar parameters may be plain numbers, tuples or arrays; big-endian arrays are converted."""
    graph = chain(
        x=nir.Input(np.array([1, 6, 6])),
        conv=nir.Conv2d((6, 6), np.ones((1, 1, 3, 3), ">f4"), 1, (1, 1), 1, 1, np.zeros(1)),
        pool=nir.SumPool2d(2, (2, 2), 0),
        flat=nir.Flatten({"input": None}, 0, -1),
        y=nir.Output(np.array([9])),
    )
    module = imported(graph)
    check_round_trips(module)
    (conv,) = (op for op in module.walk() if isinstance(op, ops.Conv2dOp))
    assert conv.weight.values.dtype == np.dtype("<f4")


def test_infers_shapes_in_a_loop_of_convolutions() -> None:
    """No node of the cycle declares a shape; the input and the population do."""
    same = nir.Conv2d(None, np.ones((1, 1, 3, 3), np.float32), 1, "same", 1, 1, np.zeros(1, np.float32))
    nodes = {"x": nir.Input(np.array([1, 4, 5])), "a": same, "b": same, "pool": nir.SumPool2d(1, 1, 0)}
    nodes |= {"y": nir.Output(np.array([1, 4, 5]))}
    edges = [("x", "a"), ("a", "b"), ("b", "pool"), ("pool", "a"), ("b", "y")]
    check_round_trips(imported(nir.NIRGraph(nodes, edges, type_check=False)))


def test_long_chain_is_followed_without_recursion() -> None:
    nodes: dict[str, Any] = {f"{number:05}": nir.Scale(np.ones(1)) for number in range(3000)}
    module = imported(chain(x=nir.Input(np.array([1])), **nodes, y=nir.Output(np.array([1]))))
    assert len(graph_of(module).body.block.ops) == 3001


def test_spikes_pass_through_nested_graphs_and_delays() -> None:
    inner = chain(x=nir.Input(np.array([2])), d=nir.Delay(np.zeros(2)), y=nir.Output(np.array([2])))
    graph = chain(x=nir.Input(np.array([2])), l=lif(2), g=inner, d=nir.Delay(np.zeros(2)), y=nir.Output(np.array([2])))
    op = graph_of(imported(graph))
    assert str(op.function_type) == "(tensor<2xf32>) -> tensor<2xi1>"


def test_symbol_is_the_name_whatever_it_is() -> None:
    graph = chain(x=nir.Input(np.array([2])), l=lif(2), y=nir.Output(np.array([2])))
    for name in ("net", "1 net", 'a"b', "größe", "", "\udc80"):
        check_round_trips(imported(graph, name))


def test_recognises_by_content() -> None:
    assert recognises(b"\x89HDF\r\n\x1a\n and more")
    assert recognises(b"{}".ljust(512, b"\0") + b"\x89HDF\r\n\x1a\n")
    assert not recognises(b"{}".ljust(513, b"\0") + b"\x89HDF\r\n\x1a\n")
    assert not recognises(b"\x89HDF")
    assert not recognises(b"")


# ---- refusals


def codes(graph: nir.NIRGraph) -> list[str]:
    """Returns the codes of the refusal of a graph, in the order of its findings."""
    with pytest.raises(Refused) as refusal:
        from_nir(graph, "net", Diagnostics(), "net.nir")
    assert all(finding.help and finding.at and finding.file == "net.nir" for finding in refusal.value.findings)
    return [finding.code.id for finding in refusal.value.findings]


def test_refuses_values_of_python() -> None:
    graph = chain(x=nir.Input(np.array([2])), l=lif(2), y=nir.Output(np.array([2])))
    graph.nodes["l"].tau = "fast"  # type: ignore[assignment]
    graph.nodes["l"].r = None  # type: ignore[assignment]
    graph.nodes["l"].v_leak = np.ones(2, complex)
    assert codes(graph) == ["NIF004", "NIF005", "NIF005"]


def test_refuses_names_and_edges_that_are_no_text() -> None:
    graph = chain(x=nir.Input(np.array([2])), l=lif(2), y=nir.Output(np.array([2])))
    graph.nodes["\udc80"] = lif(2)
    graph.nodes[3] = lif(2)  # type: ignore[index]
    graph.edges += [("x", 3), ("x", "\udc80"), ("x",), "xl", None]  # type: ignore[list-item]
    assert set(codes(graph)) == {"NIF005"}


def test_refuses_other_objects() -> None:
    graph = chain(x=nir.Input(np.array([2])), l=lif(2), y=nir.Output(np.array([2])))
    graph.nodes["l"] = object()  # type: ignore[assignment]
    assert codes(graph) == ["NIF003"]


def test_refuses_a_graph_in_itself() -> None:
    graph = chain(x=nir.Input(np.array([2])), g=lif(2), h=lif(2), y=nir.Output(np.array([2])))
    graph.nodes["g"] = graph.nodes["h"] = graph
    assert codes(graph) == ["NIF014"]


def test_unknown_ring_is_refused_and_a_known_one_is_not() -> None:
    """The shape of two identities that form a cycle is undefined; a population in the cycle defines it."""
    ends: dict[str, Any] = {"x": nir.Input(np.array([2])), "l": lif(2), "y": nir.Output(np.array([2]))}
    edges = [("x", "l"), ("l", "y"), ("a", "b"), ("b", "a")]
    pool = nir.SumPool2d(1, 1, 0)
    assert codes(nir.NIRGraph({**ends, "a": pool, "b": pool}, edges, type_check=False)) == ["NIF018"]
    check_round_trips(
        imported(nir.NIRGraph({**ends, "a": lif(2), "b": nir.Delay(np.ones(2))}, edges, type_check=False))
    )


def test_says_everything_at_once() -> None:
    """This network has three errors at three locations."""
    graph = nir.NIRGraph(
        {
            "x": nir.Input(np.array([3])),
            "fc": nir.Linear(np.full((2, 3), np.nan)),
            "l": lif(4),
            "m": lif(2),
            "z": nir.Output(np.array([7])),
        },
        [("x", "fc"), ("fc", "m"), ("m", "l"), ("l", "z")],
        type_check=False,
    )
    assert sorted(codes(graph)) == ["NIF015", "NIR002", "NIR003"]


def test_remarks_are_kept_for_networks_that_are_read() -> None:
    diagnostics = Diagnostics()
    from_nir(nir.NIRGraph({"a": lif(2), "b": lif(2)}, [("a", "b")], type_check=False), "net", diagnostics)
    assert [finding.severity for finding in diagnostics.findings] == [Severity.REMARK, Severity.REMARK]
    assert {finding.code.id for finding in diagnostics.findings} == {"NIF012"}


def test_defaults_are_those_of_the_package(tmp_path: Path) -> None:
    """A parameter that a file omits has the default of the package."""
    for type in (nir.LIF, nir.IF, nir.CubaLIF, nir.CubaLI, nir.Flatten):
        fields = {field.name: field for field in dataclasses.fields(type) if field.init}
        named = [name for name in PRIMITIVES[type.__name__].PARAMETERS if name in fields]
        assert {name for name in named if fields[name].default is not dataclasses.MISSING} == {*named} & {*OPTIONAL}
        given = {name: np.full(3, 0.5, np.float32) for name in named if name not in OPTIONAL}
        expected: Any = type(**given, **({"input_type": {"input": np.array([2, 3])}} if type is nir.Flatten else {}))
        contents = {
            "type": "NIRGraph",
            "nodes": {"n": {"type": type.__name__, **given}, "x": {"type": "Input", "shape": [2, 3]}},
            "edges": [("x", "n")] if type is nir.Flatten else [],
        }
        notes = Diagnostics()
        node = network_from(contents, notes, Diagnostics()).nodes["n"]
        for name in named:
            array: Any = node.properties[name]
            assert np.array_equal(array.values, getattr(expected, name)), (type, name)
            assert given == {} or array.values.dtype == np.float32
        assert [finding.code.id for finding in notes.findings].count("NIF023") == len({*named} & {*OPTIONAL})


# ---- files that are damaged


def test_cut_files_are_refused(tmp_path: Path) -> None:
    """A truncation at any position causes a finding, never a traceback."""
    whole = tmp_path / "whole.nir"
    nir.write(whole, chain(x=nir.Input(np.array([2])), l=lif(2), y=nir.Output(np.array([2]))))
    data = whole.read_bytes()
    cut = tmp_path / "cut.nir"
    for length in range(0, len(data), len(data) // 25):
        cut.write_bytes(data[:length])
        with pytest.raises(Refused) as refusal:
            read(cut, Diagnostics())
        assert {finding.code.id for finding in refusal.value.findings} == {"NIF001"}
        assert all(finding.file == str(cut) for finding in refusal.value.findings)


def test_endless_nesting_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deep.nir"
    with h5py.File(path, "w") as file:
        group: Any = file.create_group("node")
        for _ in range(600):
            group["type"] = "NIRGraph"
            group = group.create_group("nodes/n")
    with pytest.raises(Refused) as refusal:
        read(path, Diagnostics())
    assert [finding.code.id for finding in refusal.value.findings] == [*["NIF004"] * 65, "NIF014"]  # without edges


def test_broken_links_and_odd_types_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.nir"
    with h5py.File(path, "w") as file:
        file["node/type"] = "NIRGraph"
        file["node/nodes/a"] = h5py.SoftLink("/nowhere")
        file["node/edges"] = 3
    with pytest.raises(Refused):
        read(path, Diagnostics())


def test_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused):
        read(tmp_path / "none.nir", Diagnostics())


# ---- files of other tools


def test_samples_are_known(shared: Path) -> None:
    folder = shared / "samples"
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*.nir")}
    assert found == READABLE | set(REPAIRED)


@pytest.mark.parametrize("name", sorted(READABLE))
def test_sample_is_read(shared: Path, name: str) -> None:
    path = shared / "samples" / name
    module = read_file(path)
    check_round_trips(module)
    check_same(nir.read(path), graph_of(module))


@pytest.mark.parametrize("name", sorted(REPAIRED))
def test_sample_is_repaired(shared: Path, tmp_path: Path, name: str) -> None:
    """Each repair is reported, and the exported file needs none."""
    diagnostics = Diagnostics()
    module = read(shared / "samples" / name, diagnostics)
    source.check_module(module)
    check_round_trips(module)
    assert {finding.code.id for finding in diagnostics.findings} == REPAIRED[name]
    assert all(finding.severity is Severity.REMARK for finding in diagnostics.findings)
    assert all(finding.help and finding.at and finding.node for finding in diagnostics.findings)
    again = tmp_path / Path(name).name
    nopt.write(module, again, format="nir")
    remarks = Diagnostics()
    assert printed(read(again, remarks)) == printed(module)
    assert not remarks.findings


def test_nested_sample_computes_what_the_flat_one_does(shared: Path) -> None:
    """The flat version of the network exists, too; the repaired file produces the same spikes."""
    folder = shared / "samples" / "nir_paper" / "braille"
    x = np.load(folder / "input_sample0.npy")
    flat, nested = (
        nopt.run(
            read_file(folder / f"braille_noDelay_bias_zero{end}.nir"),
            x,
            dt="0.1ms",
            like="norse",
            diagnostics=Diagnostics(),
        )["output"]
        for end in ("", "_subgraph")
    )
    assert np.asarray(flat).any()
    assert np.array_equal(flat, nested)
