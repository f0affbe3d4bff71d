"""One network in many forms of C: the output bytes do not depend on the choices of passes and compiler."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from extent import some
from integer_networks import integer_network
from programs import COMPILERS, SANITIZED, called, different, library, needs_compiler, reference, run, run_alone, write
from real_networks import real_network

from nopt.dialects.ntensor import NetworkOp
from nopt.targets.c.printing.source import HEAD_BYTES
from nopt.targets.c.source import CSource, generate

pytestmark = needs_compiler

FORMS: list[dict[str, Any]] = [
    {},
    {"activity": "events"},
    {"activity": "dense"},
    {"preferences": {"fusion": False}},
    {"preferences": {"fusion": False}, "activity": "dense"},
    {"preferences": {"alignment": 64, "unroll": 4}},
    {"prefix": "other"},
]
CASES = some([("integers", 3), ("integers", 11), ("reals", 4), ("reals", 7)], 2)


class Sample(NamedTuple):
    """A network and one sample of its inputs, its text in C, and the results of the reference; no test changes any of them."""

    network: NetworkOp
    inputs: dict[str, np.ndarray]
    record: list[str]
    source: CSource
    wanted: dict[str, np.ndarray]


@cache
def sample_of(kind: str, seed: int) -> Sample:
    case = integer_network(seed) if kind == "integers" else real_network(seed)
    inputs = {name: x[0] for name, x in case.inputs.items()}
    wanted = reference(case.network, inputs, case.record)
    return Sample(case.network, inputs, case.record, generate(case.network, record=case.record), wanted)


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_whatever_is_chosen_gives_the_same_bytes(kind: str, seed: int) -> None:
    network, inputs, record, _, wanted = sample_of(kind, seed)
    for form in FORMS:
        source = generate(network, record=record, **form)
        assert not different(run(source, library(source, "-O1").instance(), inputs), wanted), form


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("level", ["-O0", "-O2", "-O3"])
def test_compiles_without_a_warning(compiler: str, level: str) -> None:
    for kind, seed in CASES:
        _, inputs, _, source, wanted = sample_of(kind, seed)
        assert not different(run(source, library(source, level, compiler=compiler).instance(), inputs), wanted)


@pytest.mark.parametrize(("kind", "seed"), [*CASES, ("integers", 5), ("reals", 12)])
def test_sanitizers_find_nothing(kind: str, seed: int) -> None:
    _, inputs, _, source, wanted = sample_of(kind, seed)
    assert not different(run_alone(source, inputs, *SANITIZED), wanted)


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_networks_do_not_know_each_other(kind: str, seed: int) -> None:
    """Runs two instances in one process alternately; they do not affect each other."""
    network, inputs, record, source, wanted = sample_of(kind, seed)
    made = library(source, "-O2")
    half = len(next(iter(inputs.values()))) // 2
    backwards = {name: x[::-1] for name, x in inputs.items()}
    one, other = made.instance(), made.instance()
    found: list[list[dict[str, np.ndarray]]] = [[], []]
    for part in (slice(0, half), slice(half, None)):
        found[0].append(run(source, one, inputs, part))
        found[1].append(run(source, other, backwards, part))
    for parts, results in zip(found, (wanted, reference(network, backwards, record)), strict=True):
        whole = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        assert not different(whole, results)


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_a_saved_network_continues(kind: str, seed: int) -> None:
    """A state that was saved during a run continues in a new instance, in a used one, and in the same one."""
    _, inputs, _, source, results = sample_of(kind, seed)
    made = library(source, "-O2")
    first = made.instance()
    run(source, first, inputs, slice(0, 4))
    saved = first.save()
    assert len(saved) == HEAD_BYTES + source.manifest["bytes"]["state"]
    wanted = {name: array[4:] for name, array in results.items()}
    rest, used = slice(4, None), made.instance()
    run(source, used, inputs)
    assert not different(run(source, first, inputs, rest), wanted)
    for instance in (first, used, made.instance()):
        instance.load(saved)
        assert instance.save() == saved
        assert not different(run(source, instance, inputs, rest), wanted)
    used.reset()
    assert not different(run(source, used, inputs), results)


# ---- sizes that are known before compilation


def symbols(path: Path) -> dict[str, tuple[str, int]]:
    """Returns kind and size of the symbols that an object defines."""
    lines = (line.split() for line in called("nm", "-S", "--defined-only", path).decode().splitlines())
    return {words[3]: (words[2], int(words[1], 16)) for words in lines if len(words) == 4}


@pytest.mark.parametrize(("kind", "seed"), [*CASES, *(("reals", n) for n in some(range(20, 26), 3))])
def test_bytes_are_those_of_the_object(kind: str, seed: int, tmp_path: Path) -> None:
    source = sample_of(kind, seed).source
    write(source, tmp_path)
    called(COMPILERS[0], *source.flags, "-O0", "-c", tmp_path / "net.c", "-o", tmp_path / "net.o")
    found = symbols(tmp_path / "net.o")
    sizes = source.manifest["bytes"]
    assert sum(size for name, (kind, size) in found.items() if kind in "rRdDbB") == sizes["constants"], found
    assert not [name for name, (kind, _) in found.items() if kind in "dDbB"], "all that is not constant is the caller's"
    assert library(source, "-O0").bytes == sizes["state"] + sizes["scratch"]


def test_needs_no_heap_and_no_library(tmp_path: Path) -> None:
    for kind, seed in CASES:
        write(sample_of(kind, seed).source, tmp_path)
        called(COMPILERS[0], "-std=c99", "-O2", "-ffp-contract=off", "-c", tmp_path / "net.c", "-o", tmp_path / "net.o")
        needed = {line.split()[-1] for line in called("nm", "-u", tmp_path / "net.o").decode().splitlines()}
        maths = {f"{name}{kind}" for name in ("sqrt", "floor", "ceil", "trunc", "rint", "fabs") for kind in ("", "f")}
        assert needed <= {"memcpy", "memset", "memmove", "_GLOBAL_OFFSET_TABLE_", *maths}


@pytest.mark.parametrize("seed", some(range(6), 2))
def test_networks_of_integers_know_no_reals(seed: int) -> None:
    case = integer_network(seed)
    source = generate(case.network, record=case.record)
    for name in ("net.c", "net.h"):
        text = source.files[name]
        assert not {"float", "double", "math.h"} & set(text.replace("<", " ").replace(">", " ").split())


MAKES = """
import sys
from integer_networks import integer_network
from real_networks import real_network
from nopt.targets.c.source import generate
for case in (integer_network(3), real_network(4)):
    source = generate(case.network, record=case.record)
    sys.stdout.write("".join(source.files[name] for name in sorted(source.files)) + repr(source.manifest))
"""


def test_the_same_source_whatever_the_process(root: Path, tmp_path: Path) -> None:
    found = [
        subprocess.run(
            [sys.executable, "-c", MAKES],
            cwd=folder,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root / "tests" / "support")},
            capture_output=True,
            check=True,
        ).stdout
        for seed, folder in (("0", tmp_path), ("1234", root))
    ]
    assert found[0] == found[1]
    assert len(found[0]) > 1000


def test_the_same_source_again() -> None:
    for kind, seed in (("integers", 3), ("reals", 4)):
        network, _, record, source, _ = sample_of(kind, seed)
        assert generate(network, record=record).files == source.files
