"""Events, bits and integers instead of rows: the same outputs, and a refused index."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from programs import COMPILERS, STRICT, needs_compiler

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

pytestmark = needs_compiler
NETWORK = """
nir.graph @net("input" %x: tensor<20xf32>) -> ("output": tensor<9xi1>) {
  %y = nir.linear "fc" %x {weight = #nopt.array<normal(mean = 0.1, std = 1.0, seed = 1) : tensor<9x20xf32>>} : tensor<20xf32> -> tensor<9xf32>
  %z = nir.threshold "out" %y {threshold = #nopt.array<constant(value = 0.5) : tensor<9xf32>>} : tensor<9xf32> -> tensor<9xi1>
  nir.output %z : tensor<9xi1>
}"""
MAIN = """
#include <string.h>
#include "net_io.h"
#include "vectors.h"
static net_io self;
int main(void) {
    enum { IN = sizeof net_input_input / sizeof net_input_input[0] / NET_VECTOR_TICKS, OUT = sizeof net_output_output / NET_VECTOR_TICKS };
    net_io_init(&self);
    for (size_t t = 0; t < NET_VECTOR_TICKS; ++t) {
        uint8_t found[OUT] = {0};
        TICK
        if (memcmp(found, net_output_output + t * OUT, OUT) != 0) {
            return 1;
        }
    }
    return 0;
}
"""
TICKS = {
    "integers": """
        int16_t in[IN];
        for (size_t k = 0; k < IN; ++k) in[k] = (int16_t)net_input_input[t * IN + k];
        net_io_step(&self, in, found);""",
    "events": """
        uint16_t in[IN + 1] = {0}, out[OUT];
        size_t n = 0, m = 0;
        for (size_t k = 0; k < IN; ++k) if (net_input_input[t * IN + k] != 0) in[n++] = (uint16_t)k;
        in[n] = IN;
        if (net_io_step(&self, in, n + 1, out, &m) != NET_IO_RANGE) return 2;
        if (net_io_step(&self, in, n, out, &m) != NET_IO_OK) return 3;
        for (size_t k = 0; k < m; ++k) found[out[k]] = 1;""",
    "bitmap": """
        uint8_t in[(IN + 7) / 8] = {0}, out[(OUT + 7) / 8];
        for (size_t k = 0; k < IN; ++k) in[k / 8] |= (uint8_t)((net_input_input[t * IN + k] != 0) << (k % 8));
        net_io_step(&self, in, out);
        for (size_t k = 0; k < OUT; ++k) found[k] = out[k / 8] >> (k % 8) & 1;""",
}


@pytest.mark.parametrize("form", TICKS)
def test_outputs_are_those_of_rows(form: str, tmp_path: Path) -> None:
    module = nopt.parse(NETWORK)
    x = (np.random.default_rng(1).random((30, 20)) < 0.3).astype(np.float32)
    choices = {"dt": "1ms", "like": "norse", "calib": x, "set": [f"c.io={form}"], "diagnostics": Diagnostics()}
    nopt.compile(module, target="c/generic", out=tmp_path / "a", **choices)
    artefact = tmp_path / "a" / "artefact"
    (artefact / "use.c").write_text(MAIN.replace("TICK\n", TICKS[form] + "\n"), encoding="utf-8")
    files = ("use.c", "net.c", "net_io.c")
    command = [COMPILERS[0], *STRICT, "-ffp-contract=off", "-fsanitize=address,undefined", *files, "-o", "use", "-lm"]
    subprocess.run(command, cwd=artefact, check=True)
    assert subprocess.run(["./use"], cwd=artefact, check=False).returncode == 0
    assert "1" in (artefact / "vectors.h").read_text().split("net_output_output", 1)[1].split("{", 1)[1]
