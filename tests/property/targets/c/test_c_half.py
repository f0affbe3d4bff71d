"""Reals of 16 bits in C: their conversions for every pattern of bits, and generated networks, equal to the reference in every bit."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from extent import some
from nets import same_bits
from programs import COMPILERS, SANITIZED, STRICT, called, different, library, needs_compiler, reference, run, run_alone
from real_networks import Case, real_network
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics
from nopt.core.half_precision import Half, half_bits, half_values
from nopt.dialects.ntensor import NetworkOp
from nopt.simulation.signals import DenseSignal
from nopt.targets.c.model import NativeModel
from nopt.targets.c.printing.scalars import HELPERS
from nopt.targets.c.source import generate
from nopt.targets.reference.model import ReferenceModel

pytestmark = needs_compiler

FORMATS: tuple[Half, ...] = ("f16", "bf16")
LEVELS = [("-O1",), ("-O3", "-march=native"), SANITIZED]

# ---- conversions

MAIN = """
#include <stdint.h>
#include <stdio.h>
#include <string.h>
HELPERS
int main(void) {
    uint32_t singles, doubles;
    if (fread(&singles, 4, 1, stdin) != 1 || fread(&doubles, 4, 1, stdin) != 1) {
        return 2;
    }
    for (uint32_t k = 0; k < 65536; ++k) {
        const float x = net_from_FORMAT((uint16_t)k);
        fwrite(&x, 4, 1, stdout);
        const float y = net_FINITE((uint16_t)k);
        if (x - x == 0 && memcmp(&x, &y, 4) != 0) {
            return 3;
        }
    }
    for (uint32_t k = 0; k < singles + doubles; ++k) {
        float x = 0;
        double d = 0;
        if (fread(k < singles ? (void *)&x : (void *)&d, k < singles ? 4 : 8, 1, stdin) != 1) {
            return 2;
        }
        const uint16_t bits = net_to_FORMAT(k < singles ? x : net_odd(d));
        fwrite(&bits, 2, 1, stdout);
    }
    return 0;
}
"""


def near_ties(format: Half) -> np.ndarray:
    """Returns the numbers halfway between two neighbours of a format, and the doubles next to each."""
    with np.errstate(all="ignore"):
        held = np.sort(half_values(np.arange(65536, dtype=np.uint16), format).astype(np.float64))
    held = held[np.isfinite(held)]
    middle = (held[1:] + held[:-1]) / 2
    return np.concatenate([middle, np.nextafter(middle, np.inf), np.nextafter(middle, -np.inf)])


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("flags", LEVELS, ids=" ".join)
def test_conversions(format: Half, flags: tuple[str, ...], tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    ties = near_ties(format)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e308, -1e308, 5e-324, 1e-46]
    with np.errstate(all="ignore"):
        singles = np.concatenate([rng.integers(0, 2**32, 50000, np.uint32).view(np.float32), ties.astype(np.float32)])
    doubles = np.concatenate([rng.integers(0, 2**64, 50000, np.uint64).view(np.float64), ties, special])
    finite = "from_finite_f16" if format == "f16" else "from_bf16"
    names = dict.fromkeys(("odd", finite, f"from_{format}", f"to_{format}"))
    helpers = "\n\n".join(HELPERS[name].replace("@", "net_") for name in names)
    text = MAIN.replace("HELPERS", helpers).replace("FORMAT", format).replace("FINITE", finite)
    (tmp_path / "main.c").write_text(text, encoding="utf-8")
    called(COMPILERS[0], *STRICT, "-ffp-contract=off", *flags, tmp_path / "main.c", "-o", tmp_path / "main")
    sizes = np.array([len(singles), len(doubles)], np.uint32)
    found = called(tmp_path / "main", stdin=sizes.tobytes() + singles.tobytes() + doubles.tobytes())
    assert same_bits(numbers(np.frombuffer(found[:262144], np.float32)), numbers(half_values(ALL, format)))
    bits = np.frombuffer(found[262144:], np.uint16)
    wanted = np.concatenate([half_bits(x, format) for x in (singles, doubles)])
    is_nan = np.concatenate([np.isnan(singles), np.isnan(doubles)])
    assert (bits[~is_nan] == wanted[~is_nan]).all()
    assert np.isnan(half_values(bits[is_nan], format)).all()


ALL = np.arange(65536, dtype=np.uint16)


def numbers(values: np.ndarray) -> np.ndarray:
    """Replaces every NaN by one of them."""
    return np.where(np.isnan(values), np.float32(np.nan), values)


# ---- networks


@cache
def rounded(seed: int, format: Half) -> Case:
    """Returns a generated network of all kinds of synapses, with all its reals of 16 bits."""
    case = real_network(seed)
    module = case.network.parent_op()
    assert isinstance(module, ModuleOp)
    steps = [f"ntensor-round-reals{{to={format} of={what}}}" for what in ("weights", "states", "values")]
    nopt.apply(module, ",".join(steps), diagnostics=Diagnostics())
    network = next(op for op in module.ops if isinstance(op, NetworkOp))
    return Case(network, case.inputs, case.record)


@pytest.mark.parametrize(("seed", "format"), some([*product(range(10), FORMATS)], 5))
def test_networks(seed: int, format: Half) -> None:
    case = rounded(seed, format)
    signals = {name: DenseSignal(x) for name, x in case.inputs.items()}
    wanted = ReferenceModel(case.network, record=case.record).run(signals)
    found = NativeModel(case.network, record=case.record).run(signals)
    assert [name for name, array in wanted.items() if not same_bits(found[name], array)] == []
    plain = ReferenceModel(real_network(seed).network, record=case.record).run(signals)
    assert any(not same_bits(plain[name], array) for name, array in wanted.items())


FORMS: list[dict[str, Any]] = [
    {"activity": "events"},
    {"activity": "dense"},
    {"preferences": {"fusion": False}},
    {"preferences": {"alignment": 64, "unroll": 4}},
]


FORMED: list[tuple[int, Half]] = [(4, "f16"), (4, "bf16"), (7, "bf16"), (7, "f16")]


@pytest.mark.parametrize(("seed", "format"), some(FORMED, 2))
def test_forms(seed: int, format: Half) -> None:
    case = rounded(seed, format)
    inputs = {name: x[0] for name, x in case.inputs.items()}
    wanted = reference(case.network, inputs, case.record)
    for form in FORMS:
        source = generate(case.network, record=case.record, **form)
        assert not different(run(source, library(source, "-O1").instance(), inputs), wanted), form
    assert not different(run_alone(generate(case.network, record=case.record), inputs, *SANITIZED), wanted)


@pytest.mark.parametrize("format", FORMATS)
def test_memory(format: Half) -> None:
    """Weights and real states have two bytes, where they had four or eight."""
    total = np.zeros((2, 2), np.int64)
    for seed in some(range(6), 2):
        sources = [generate(case.network) for case in (real_network(seed), rounded(seed, format))]
        sizes = np.array([[source.manifest["bytes"][what] for what in ("state", "constants")] for source in sources])
        total += sizes
        assert sizes[1, 0] < sizes[0, 0]
        held = sources[1].manifest["bytes"]
        assert library(sources[1], "-O0").bytes == held["state"] + held["scratch"]
    assert (total[1] < total[0] * 0.8).all()
