"""Test vectors of an artefact: the first ticks of a sample input, and the outputs that the reference computes for them."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...core.device.device import Device
from ...core.diagnostics import Code, refuse
from ...core.help_text import Flag, Phrase
from ...core.target import Artefact, Sample
from .artefact import makefile_of
from .cross import toolchain_of
from .emitter import flags_of
from .equivalence_conditions import INEXACT
from .printing.projects import arrange, project_of
from .printing.vectors import print_vectors, row_bytes
from .source import program_of

CSR015 = Code("CSR015", "vectors-without-input", "test vectors have no sample input")
CSR016 = Code("CSR016", "vector-size-negative", "the size of the test vectors is negative")

VECTOR_BYTES = 16384
"""Bytes of the rows in the test vectors if the device has no preference `vectors`."""


def vectors_of(module: ModuleOp, device: Device, sample: Sample | None) -> Artefact:
    """Returns the files of the test vectors, with as many ticks as the preference `vectors` permits; none without a sample.

    Errors: CSR015 the user set a size of the test vectors, without a sample input; CSR016 a negative size.
    """
    limit = int(device.preferred.get("vectors", VECTOR_BYTES))
    if limit < 0:
        refuse(
            CSR016,
            at=f"--set c.vectors={limit}",
            expected="0 or more bytes",
            found=str(limit),
            help=Phrase(Flag(f"vectors={VECTOR_BYTES}", f"--set c.vectors={VECTOR_BYTES}")),
        )
    if sample is None:
        if limit and "preferences.vectors" in device.overridden:
            refuse(
                CSR015,
                "c.vectors has no effect without a sample input",
                at=f"--set c.vectors={limit}",
                expected="--calib FILE.npy, whose first sample becomes the test vectors",
                found="no sample input (--calib)",
                help=Phrase(Flag("vectors=0", "--set c.vectors=0")),
            )
        return Artefact({}, {})
    program = program_of(module)
    used = row_bytes(program)
    ticks = min(sample.ticks, limit // max(1, used))
    if limit == 0 or sample.ticks == 0:
        return Artefact({}, {})
    if ticks == 0:
        note = f"no test vectors: one tick takes {used} bytes, c.vectors permits {limit}: --set c.vectors={used}"
        return Artefact({}, {}, notes=(note,))
    inputs, outputs = sample.run(ticks)
    is_exact = not any(isinstance(op, INEXACT) for op in program.tick.walk())
    texts = print_vectors(program, inputs, outputs, ticks, is_exact)
    project = project_of(str(device.preferred.get("project", "make")))
    texts["Makefile"] = makefile_of(program, toolchain_of(device.preferred, flags_of(program)), has_vectors=True)
    files = arrange(project, {name: text.encode() for name, text in texts.items()})
    active = sum(int(np.count_nonzero(rows)) for rows in outputs.values())
    note = f"test vectors: {ticks} of {sample.ticks} ticks of the first sample, {active} output{'s are' if active != 1 else ' is'} not zero"
    return Artefact(files, {}, notes=(note + (": make check" if "Makefile" in files else ""),))
