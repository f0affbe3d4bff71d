"""Programs of many ops: separate and shared functions produce the same bytes, and the work is proportional to the network."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from counted_work import MOST_EXPONENT, NETWORKS, calls, exponent, in_ticks
from extent import seeds
from integer_networks import integer_network
from programs import COMPILERS, different, library, needs_compiler, reference, run
from real_networks import real_network

from nopt.dialects import c
from nopt.dialects.ntensor import NetworkOp
from nopt.targets.c.emitter import emit_program
from nopt.targets.c.measuring import measure
from nopt.targets.c.passes.c_fuse_loops import MOST_OPERANDS
from nopt.targets.c.printing import source as printing
from nopt.targets.c.source import generate, lower


def network(kind: str, size: int) -> NetworkOp:
    return next(op for op in in_ticks(NETWORKS[kind](size)).ops if isinstance(op, NetworkOp))


@needs_compiler
@pytest.mark.parametrize("seed", seeds(3))
def test_functions_that_stay_apart_give_the_same_bytes(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printing, "MOST_MERGED", 0)
    make: Any = integer_network if seed % 2 else real_network
    case = make(seed, samples=1, ticks=24)
    inputs = {name: x[0] for name, x in case.inputs.items()}
    source = generate(case.network, record=case.record)
    assert "NET_APART" in source.files["net.c"]
    for level in ("-O0", "-O3"):
        found = run(source, library(source, level, compiler=COMPILERS[-1]).instance(), inputs)
        assert not different(found, reference(case.network, inputs, case.record))


@needs_compiler
@pytest.mark.parametrize("kind", ["chain of affine layers", "chain of delays", "star", "gather", "loops"])
def test_large_networks_give_the_bytes_of_the_reference(kind: str) -> None:
    made = network(kind, 40)
    rows = (np.random.default_rng(1).random((50, 8)) < 0.5).astype(np.float32)
    inputs = {name.data: rows for name in made.input_names}
    source = generate(made)
    found = run(source, library(source, "-O2").instance(), inputs)
    assert not different(found, reference(made, inputs, []))


@needs_compiler
@pytest.mark.parametrize("size", [8, 300])
def test_code_is_measured_without_the_numbers_of_large_constants(size: int) -> None:
    """90,000 weights are more than the 65,536 from which constants are bytes; 64 are not."""
    made = emit_program(lower(network("dense", size)))
    code = made.source.code()
    assert ("extern const" in code) == (size == 300)
    assert (code == made.files["net.c"]) == (size == 8)
    short = measure({**made.others, "net.c": code}, "net", made.flags)
    whole = measure(made.files, "net", made.flags)
    assert (short.text_bytes, short.stack_bytes) == (whole.text_bytes, whole.stack_bytes)


def test_ops_that_differ_in_names_alone_share_a_function() -> None:
    """Expects events and rows of the real input; events, rows and loop of the spikes; and the last loop, which writes the output."""
    texts = [generate(network("chain of affine layers", size)).files["net.c"] for size in (20, 60)]
    assert [text.count("static NET_APART void") for text in texts] == [6, 6]


def test_a_hub_is_not_joined_with_all_its_readers() -> None:
    """Every delay is a loop that copies the spikes of the hub."""
    nir = NETWORKS["star"](200)
    for k in range(200):
        nir.nodes[f"fc{k}"] = NETWORKS["chain of delays"](1).nodes["fc0"]
    program = lower(next(op for op in in_ticks(nir).ops if isinstance(op, NetworkOp)))
    sizes = [len(op.operands) for op in program.tick.body.block.ops if isinstance(op, c.LoopOp)]
    assert 2 < max(sizes) <= MOST_OPERANDS


@pytest.mark.parametrize("kind", ["chain of affine layers", "chain of delays", "star", "gather", "loops"])
def test_work_grows_as_the_network(kind: str) -> None:
    """Counts the function calls of Python from `ntensor` to C, for 10 and 30 populations."""
    counts: list[int] = []
    for size in (2, 10, 30):  # the first call imports and fills caches
        made = network(kind, size)
        counts.append(calls(lambda made=made: generate(made)))
    assert exponent(counts[1], counts[2], 3) < MOST_EXPONENT
