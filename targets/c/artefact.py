"""The directory of a compiled network: the sources, the files of a build system, and what a compiler measures."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from xdsl.dialects.builtin import ModuleOp

from ...core.device.device import Device
from ...core.diagnostics import Diagnostics
from ...core.target import Artefact, Pieces
from ...dialects import c
from .arithmetic import arithmetic_of, storage_of
from .cross import Toolchain, toolchain_of
from .emitter import as_json, emit_program, flags_of
from .measuring import Measured, measure, optimised
from .printing.driver import makefile
from .printing.interface import ROWS, form_of, interface_bytes, print_interface
from .printing.projects import ROUNDED, Project, arrange, project_of
from .source import program_of


def artefact_of(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files of a compiled network, and its memory in bytes.

    Errors: CSR001; CSR008 and CSR011 its interface and build system; CSR003, CSR004, CSR005 the compiler of its core.
    """
    del diagnostics
    program = program_of(module)
    prefix = program.prefix.data
    made = emit_program(program)
    form, project = (
        form_of(str(device.preferred.get("io", ROWS))),
        project_of(str(device.preferred.get("project", "make"))),
    )
    interface = print_interface(program, form)
    toolchain = toolchain_of(device.preferred, made.flags)
    code = made.source.code() + interface.get(f"{prefix}_io.c", "")
    seen = measure({**made.others, **interface, f"{prefix}.c": code}, prefix, made.flags, toolchain)
    sources = (f"{prefix}.c", *(name for name in interface if name.endswith(".c")))
    built = Project(project, program, made.flags, sources, seen.stack_bytes or 0).files()
    texts = {**made.others, **interface, "manifest.json": as_json(made.manifest)}
    texts["Makefile"] = makefile_of(program, toolchain)
    files: dict[str, bytes | Pieces] = {name: text.encode() for name, text in texts.items()}
    head = (ROUNDED,) if project == "arduino" else ()
    files[f"{prefix}.c"] = Pieces(lambda: (piece.encode() for piece in chain(head, made.source.pieces())))
    rows = {} if form == ROWS else {"interface": interface_bytes(program, form)}
    memory = {**made.manifest["bytes"], **rows, "text": seen.text_bytes, "stack": seen.stack_bytes}
    where = "of this machine, not of a microcontroller" if toolchain is None else "without functions of libraries"
    return Artefact(
        files={**arrange(project, files), **{path: text.encode() for path, text in built.items()}},
        memory=memory if toolchain is None else memory | totals(seen, memory, made.source.declared_bytes),
        arithmetic=arithmetic_of(program),
        storage=storage_of(program),
        latency_ticks={row["name"]: 0 for row in made.manifest["outputs"]},
        notes=()
        if seen.compiler is None
        else (f"text (the code) and stack are those {where}: {seen.compiler}, {seen.flags}",),
        facts={
            "compiler": seen.compiler,
            "flags": seen.flags,
            "measured_for": "host" if toolchain is None else "device",
        },
    )


def makefile_of(program: c.ProgramOp, toolchain: Toolchain | None, *, has_vectors: bool = False) -> str:
    """Returns the Makefile for the compiler of a core; without a toolchain, for `cc` of the user's machine."""
    required = flags_of(program)
    own = optimised(toolchain.flags if toolchain else ())
    return makefile(program, required, "cc" if toolchain is None else toolchain.name, own, has_vectors=has_vectors)


def totals(seen: Measured, memory: Mapping[str, int | None], declared_bytes: int) -> dict[str, int | None]:
    """Returns the read-only and the writable memory of a program with one instance; None for a memory whose measurement is missing."""
    own, stack = seen.sections, seen.stack_bytes
    instance = sum(memory.get(region) or 0 for region in ("state", "scratch", "interface"))
    return {
        "rom": None if own is None else own.code + own.constants + own.data + declared_bytes,
        "ram": None if own is None or stack is None else instance + own.data + own.bss + stack,
    }
