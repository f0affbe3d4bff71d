"""Packed weights of 4 bits: the C program equals the reference in every bit for every kind of table; some run under sanitizers."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from extent import times
from integer_networks import integer_network
from places import ROOT
from programs import COMPILERS, SANITIZED, called, different, library, needs_compiler, reference, run, run_alone, write
from real_networks import real_network

import nopt.api as nopt
from nopt.api.compiling.device_fit import fit
from nopt.api.conformance.networks import FAMILIES
from nopt.api.conformance.networks import generate as generate_network
from nopt.api.modules import only_network, parent_module
from nopt.core.device.device import find_device
from nopt.core.diagnostics import Diagnostics
from nopt.core.ir.operation import shape_of
from nopt.dialects import c
from nopt.dialects.ntensor import NetworkOp
from nopt.passes.pipelines import observe
from nopt.targets.c.printing.memory import packed
from nopt.targets.c.source import generate, lower

pytestmark = needs_compiler

PACKED: dict[str, Any] = {"packing": True}
SEEDS = (27, 39)
"""Seeds of networks that together use every method of reading packed weights."""
QUANTIZED = (
    (1, "bits=4 per=row"),
    (16, "bits=4 per=row grid=asymmetric"),
    (30, "bits=3"),
)
"""Seeds of networks of reals, and options of their quantisation."""
METHODS = {
    "rows by bytes",
    "rows by halves",
    "rows one by one",
    "window by bytes",
    "window one by one",
    "compressed one by one",
}
"""Methods of reading packed weights; rows of an odd number of weights start with a byte or with half of one."""


def methods_in(text: str) -> set[str]:
    """Returns the methods by which a program reads packed weights."""
    found: set[str] = set()
    for function in re.finditer(r"void net_(rows|window|compressed)_.*?\n}\n", text, re.DOTALL):
        if "net_low_weight" in function[0]:
            found.add(f"{function[1]} by {'halves' if 's % 2' in function[0] else 'bytes'}")
        elif "net_unpack" in function[0]:
            found.add(f"{function[1]} by words")
        elif "net_weight_at" in function[0]:
            found.add(f"{function[1]} one by one")
    return found


@cache
def quantized(seed: int, options: str) -> tuple[NetworkOp, dict[str, np.ndarray], list[str]]:
    """Returns a generated network of reals with quantized weights, one sample of its inputs, and its records."""
    case = real_network(seed)
    module = parent_module(case.network)
    nopt.apply(module, f"ntensor-quantize-weights{{{options}}}", diagnostics=Diagnostics())
    return only_network(module), {name: x[0] for name, x in case.inputs.items()}, list(case.record)


@pytest.mark.parametrize("seed", [*SEEDS, *range(100, 100 + times(1) - 1)])
def test_networks_of_integers(seed: int) -> None:
    case = integer_network(seed)
    inputs = {name: x[0] for name, x in case.inputs.items()}
    source = generate(case.network, record=case.record, preferences=PACKED)
    wanted = reference(case.network, inputs, case.record)
    assert not different(run(source, library(source, "-O2").instance(), inputs), wanted)
    if seed == SEEDS[-1]:
        assert not different(run_alone(source, inputs, *SANITIZED), wanted)
        other = generate(case.network, record=case.record, preferences={**PACKED, "unroll": 4}, activity="dense")
        assert not different(run(other, library(other, "-O1").instance(), inputs), wanted)


def test_networks_use_every_method() -> None:
    found = set[str]()
    for seed in SEEDS:
        case = integer_network(seed)
        found |= methods_in(generate(case.network, record=case.record, preferences=PACKED).files["net.c"])
    assert found == METHODS


@pytest.mark.parametrize(("seed", "options"), QUANTIZED)
def test_networks_of_reals(seed: int, options: str) -> None:
    """A scale multiplies the integers of 4 bits, after their zero point was subtracted."""
    network, inputs, record = quantized(seed, options)
    source = generate(network, record=record, preferences=PACKED)
    assert methods_in(source.files["net.c"])
    assert ("_zero[" in source.files["net.c"]) == ("asymmetric" in options)
    wanted = reference(network, inputs, record)
    assert not different(run(source, library(source, "-O2").instance(), inputs), wanted)


def test_bytes_are_those_of_the_object(tmp_path: Path) -> None:
    """Half the bytes of every table are counted, and they are half in the object."""
    case = integer_network(SEEDS[-1])
    sizes: list[int] = []
    for packing in (False, True):
        source = generate(case.network, preferences={"packing": packing})
        write(source, tmp_path)
        called(COMPILERS[0], *source.flags, "-O0", "-c", tmp_path / "net.c", "-o", tmp_path / "net.o")
        lines = called("nm", "-S", "--defined-only", tmp_path / "net.o").decode().splitlines()
        symbols = [words for words in map(str.split, lines) if len(words) == 4]
        sizes.append(sum(int(words[1], 16) for words in symbols if words[2] in "rR"))
        assert sizes[-1] == source.manifest["bytes"]["constants"]
    program = lower(case.network, preferences=PACKED)
    lengths = [c.length_of(b.memory) for b in program.buffers if c.is_packed(c.element_of_memory(b.memory))]
    assert lengths
    assert sizes[0] - sizes[1] == sum(length // 2 for length in lengths)


@pytest.mark.parametrize(("name", "packed_layers"), [("int8", {"in"}), ("int4", {"in", "fc"})])
def test_layers_of_other_bits(name: str, packed_layers: set[str]) -> None:
    """A layer of 4 bits is packed on a device of 8 bits, and a device of 4 bits quantises a layer of 8 bits again."""
    drawn, device = generate_network(10, list(FAMILIES)), find_device("c", name)
    assert drawn is not None
    module = drawn.module.clone()
    steps = "ntensor-quantize-weights{bits=4 per=population nodes=in},ntensor-quantize-weights{per=population nodes=fc},ntensor-quantize-bias"
    nopt.apply(module, steps, diagnostics=Diagnostics())
    observe(module, device, drawn.x, Diagnostics())
    network = fit(module, device).network
    assert network is not None
    program = lower(only_network(network), preferences=device.preferred)
    tables = {op.label.data: op.table for op in program.tick.body.block.ops if isinstance(op, c.ScatterOp)}
    assert tables.keys() == {"in", "fc"}
    assert {label for label, x in tables.items() if c.is_packed(c.element_of_memory(x))} == packed_layers


def test_golden() -> None:
    """The network of the golden, whose convolutions are unpacked by words as well, equals the reference."""
    module = nopt.read(ROOT / "lit-tests" / "targets" / "c" / "packed.mlir", diagnostics=Diagnostics())
    network = only_network(module)
    draw = np.random.default_rng(3)
    inputs = {
        name.data: draw.random((20, *shape_of(arg))) < 0.5
        for name, arg in zip(network.input_names, network.body.block.args, strict=True)
    }
    source = generate(network, preferences=PACKED)
    assert methods_in(source.files["net.c"]) == (METHODS | {"window by words"}) - {"rows one by one"}
    wanted = reference(network, inputs, ())
    assert not different(run(source, library(source, "-O3", "-march=native").instance(), inputs), wanted)
    assert not different(run_alone(source, inputs, *SANITIZED), wanted)


@pytest.mark.parametrize(("size", "block"), [(1, 2), (2, 2), (7, 2), (16, 2), (16, 4), (32, 16)])
def test_halves(size: int, block: int) -> None:
    """Byte k of a block holds elements k and k + block / 2, in two's complement; a last high half is zero."""
    integers = np.arange(size, dtype=np.int8) % 16 - 8
    found = packed(integers, block)
    assert found.dtype == np.uint8
    bytes = found.reshape(-1, block // 2)
    halves = np.stack([bytes & 15, bytes >> 4], 1).reshape(-1).astype(int)
    assert [*np.where(halves > 7, halves - 16, halves)[:size]] == integers.tolist()
    assert not halves[size:].any()
