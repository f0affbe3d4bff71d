"""Prints a C program: `net.h`, `net.c`, `main.c`, `Makefile` and `manifest.json`. It validates, and decides nothing.

The `c.program` determines the whole text: element types, layouts, order, fusion, memory. The emitter maps each op of the dialect to C,
without knowledge of networks, sizes or names.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from ...dialects import c
from ...dialects.c import Kind
from .printing.driver import driver, makefile
from .printing.memory import Memory
from .printing.source import Source
from .printing.text import dtype_of

PROGRAM_SCHEMA = "nopt.c/1"


@frozen
class Emitted:
    """The files of a program by name, its properties, and the flags that keep its arithmetic exact."""

    source: Source
    others: dict[str, str]
    """The files other than the source."""
    manifest: dict[str, Any]
    flags: tuple[str, ...]

    @property
    def files(self) -> dict[str, str]:
        """Returns all files as texts. The source has four characters for each byte of a large constant."""
        return {f"{self.source.prefix}.c": self.source.source(), **self.others}


def emit_program(program: c.ProgramOp) -> Emitted:
    """Returns all files of a program. The program must be verified."""
    source, flags = Source(program), flags_of(program)
    others = {
        f"{program.prefix.data}.h": source.header(),
        "main.c": driver(program),
        "Makefile": makefile(program, flags),
    }
    return Emitted(source, others, manifest_of(program, source.memory), flags)


def flags_of(program: c.ProgramOp) -> tuple[str, ...]:
    """Returns the required compiler flags: the language, and no contraction of products and sums."""
    instructions = program.preference("instruction_set", "portable")
    machine = {"portable": (), "native": ("-march=native",)}.get(str(instructions), (f"-m{instructions}",))
    return ("-std=c99", "-ffp-contract=off", *machine, *str(program.preference("flags", "")).split())


def manifest_of(program: c.ProgramOp, memory: Memory) -> dict[str, Any]:
    """Returns the data for a loader: rows in their order, and bytes."""

    def rows(*kinds: Kind) -> list[dict[str, Any]]:
        return [
            {
                "name": b.row_name,
                "argument": b.label.data,
                "shape": list(c.memory_shape(b.memory)),
                "dtype": str(dtype_of(b.element)),
            }
            for b in program.of_kind(*kinds)
        ]

    return {
        "schema": PROGRAM_SCHEMA,
        "network": program.sym_name.data,
        "prefix": program.prefix.data,
        "tick_ns": program.tick_ns.value.data,
        "inputs": rows(Kind.INPUT),
        "outputs": rows(Kind.OUTPUT),
        "records": rows(Kind.PROBE),
        "bytes": {
            "constants": memory.constant_bytes,
            "state": memory.state_bytes,
            "scratch": memory.struct_bytes - memory.state_bytes,
        },
    }


def as_json(manifest: Mapping[str, Any]) -> str:
    return json.dumps(manifest, indent=2) + "\n"
