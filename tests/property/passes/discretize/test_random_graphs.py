"""For generated graphs, the conversion breaks every cycle, its text is a fixed point, and the order of ops and operands changes no bit."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import numpy as np
from extent import FACTOR
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics
from nopt.core.ir.graph_region import is_loop, schedule
from nopt.dialects.ntensor import NetworkOp, breaks_loops

KINDS = ("lif", "linear", "affine", "li", "flat", "delay", "nested")


def array(values: Any) -> str:
    held = np.asarray(values, np.float32)
    shape = "x".join(map(str, held.shape))
    return f"#nopt.array<{held.tolist()} : tensor<{shape}{'x' if shape else ''}f32>>"


@st.composite
def graphs(draw: st.DrawFn) -> list[str]:
    """Returns the ops of a graph in text, one entry per node with all its ops; every node may read every other."""
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=2, max_size=9))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    sources = ["%x", "%y", *(f"%n{k}" for k in range(len(kinds)))]
    spiking = {f"%n{k}" for k, kind in enumerate(kinds) if kind == "lif"}
    ops: list[str] = []
    for k, kind in enumerate(kinds):
        read = draw(st.lists(st.sampled_from(sources), min_size=1, max_size=3, unique=True))
        types = ", ".join(f"tensor<2x{'i1' if name in spiking else 'f32'}>" for name in read)
        ops.append(f"%s{k} = nir.sum {', '.join(read)} : ({types}) -> tensor<2xf32>\n" + node(kind, k, rng))
    return ops


def weight(rng: np.random.Generator) -> str:
    return array(rng.normal(0, 3, (2, 2)))


def node(kind: str, k: int, rng: np.random.Generator) -> str:
    value = ": tensor<2xf32> -> tensor<2xf32>"
    cell = {name: array(rng.uniform(0.01, 0.9, 2)) for name in ("tau", "r", "v_leak", "v_threshold", "v_reset")}
    lif = ", ".join(f"{name} = {text}" for name, text in cell.items())
    li = ", ".join(f"{name} = {cell[name]}" for name in ("tau", "r", "v_leak"))
    match kind:
        case "lif":
            return f'%n{k} = nir.lif "n {k}" %s{k} {{{lif}}} : tensor<2xf32> -> tensor<2xi1>'
        case "linear":
            return f'%n{k} = nir.linear "n {k}" %s{k} {{weight = {weight(rng)}}} {value}'
        case "affine":
            bias = array(rng.normal(0, 1, 2))
            return f'%n{k} = nir.affine "n {k}" %s{k} {{weight = {weight(rng)}, bias = {bias}}} {value}'
        case "li":
            return f'%n{k} = nir.li "n {k}" %s{k} {{{li}}} {value}'
        case "flat":
            return f'%n{k} = nir.identity "n {k}" %s{k} {value}'
        case "delay":
            late = array(rng.choice([0, 1e-3, 2e-3], 2))
            return f'%n{k} = nir.delay "n {k}" %s{k} {{delay = {late}}} {value}'
        case _:
            return f"""%n{k} = nir.subgraph "n {k}" (%s{k}) ("i" %i{k}: tensor<2xf32>) -> ("o": tensor<2xf32>) {{
  %t{k} = nir.sum %i{k}, %w{k} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %z{k} = nir.lif "cell" %t{k} {{{lif}}} : tensor<2xf32> -> tensor<2xi1>
  %w{k} = nir.linear "w" %z{k} {{weight = {weight(rng)}}} : tensor<2xi1> -> tensor<2xf32>
  nir.output %w{k} : tensor<2xf32>
}}"""


def module_of(ops: list[str], last: str) -> Any:
    """Returns the graph of these ops with the output of node `last`."""
    kind = "i1" if last.endswith("tensor<2xi1>") else "f32"
    name = last.split(" = nir.sum")[0].replace("%s", "%n")
    body = "\n".join(ops)
    return nopt.parse(
        f'nir.graph @g("x" %x: tensor<2xf32>, "y" %y: tensor<2xf32>) -> ("out": tensor<2x{kind}>) {{\n'
        f"{body}\nnir.output {name} : tensor<2x{kind}>\n}}"
    )


def permuted(op: str, random: Any) -> str:
    """Returns the same node with the operands of its sum in another order."""
    head, read, types, rest = re.fullmatch(r"(%s\d+ = nir\.sum )(.*?) : \((.*?)\)( -> .*)", op, re.DOTALL).groups()
    pairs = list(zip(read.split(", "), types.split(", "), strict=True))
    random.shuffle(pairs)
    return f"{head}{', '.join(name for name, _ in pairs)} : ({', '.join(type for _, type in pairs)}){rest}"


def convert(module: Any, options: str) -> Any:
    return nopt.apply(module, f"convert-nir-to-ntensor{{dt-ns=1000000 {options}}}", diagnostics=Diagnostics())


def text_of(module: Any) -> str:
    from nopt.core.ir.context import NoptContext
    from nopt.core.ir.source import format_module

    return format_module(NoptContext(), module)


OPTIONS = st.sampled_from(
    ["like=norse", "like=snntorch", "like=lava", "like=spyx", "like=nengo", "like=norse precision=f32 output-delay=2"]
)
VALUE = ": tensor<2xf32> -> tensor<2xf32>"
DELAY_AND_IDENTITY = [
    "%s0 = nir.sum %x, %n1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>\n"
    f'%n0 = nir.delay "n 0" %s0 {{delay = {array([0, 0])}}} {VALUE}',
    f'%s1 = nir.sum %x, %n0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>\n%n1 = nir.identity "n 1" %s1 {VALUE}',
]
"""A loop in which a delay of zero ticks connects two delays of one tick; the native engine once lost a tick in one of its orders."""
QUIET = settings(suppress_health_check=[HealthCheck.too_slow])


@QUIET
@given(graphs(), OPTIONS)
def test_every_loop_is_broken(ops: list[str], options: str) -> None:
    module = convert(module_of(ops, ops[-1]), options)
    (network,) = (op for op in module.ops if isinstance(op, NetworkOp))
    parts = schedule(network.body.block, breaks_loops)
    assert not any(is_loop(part, breaks_loops) for part in parts)
    nopt.verify(module)
    written = text_of(module)
    assert text_of(nopt.parse(written)) == written
    x = np.random.default_rng(0).normal(size=(3, 2))
    inputs = {"x": x, "y": x[::-1]}
    found, expected = (nopt.run(module, inputs, engine=engine)["out"] for engine in ("native", "numpy"))
    assert found.shape == (3, 2)
    assert found.tobytes() == expected.tobytes()


@QUIET
@given(graphs(), OPTIONS, st.randoms(use_true_random=False))
@example(DELAY_AND_IDENTITY, "like=norse", Random(0))
@example(DELAY_AND_IDENTITY, "like=norse", Random(1))
@example(DELAY_AND_IDENTITY, "like=norse", Random(2))
def test_orders_change_nothing(ops: list[str], options: str, random: Any) -> None:
    """The delays and the bits of every node are the same; generated graphs run in the native engine in `make soak`."""
    shuffled = [permuted(op, random) for op in random.sample(ops, len(ops))]
    one, other = (convert(module_of(each, ops[-1]), options) for each in (ops, shuffled))
    delays, others = (
        sorted((op.properties["node"].data, str(op.ticks)) for op in module.walk() if op.name == "ntensor.delay")
        for module in (one, other)
    )
    assert delays == others
    x = np.random.default_rng(1).normal(size=(12, 2))
    nodes = [op.properties["node"].data for op in one.walk() if op.name == "ntensor.neuron"]
    record = [*nodes, *(f"{node}.v" for node in nodes)]
    engine = "native" if ops is DELAY_AND_IDENTITY or FACTOR > 1 else "numpy"
    found, expected = (
        nopt.run(module, {"x": x, "y": x[::-1]}, record=record, engine=engine) for module in (one, other)
    )
    for name in found:
        assert found[name].tobytes() == expected[name].tobytes(), name
