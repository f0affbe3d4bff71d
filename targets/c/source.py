"""Compilation of an `ntensor` network to C source in one call: the lowering, the passes that choose, and the emitter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from attrs import frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ...core import registry
from ...core.diagnostics import Code, Diagnostics
from ...core.ir import pass_manager, pipeline
from ...core.ir.context import NoptContext
from ...core.ir.operation import only_op
from ...core.ir.pipeline import option_text
from ...dialects import c
from ...dialects.ntensor import NetworkOp
from ...dialects.ntensor.network import PROBES
from .emitter import emit_program

CSR001 = Code("CSR001", "no-network-to-write", "the module contains no network to write as C")

PREFERENCES: dict[str, Any] = {}


@frozen
class CSource:
    """C source: files by name, the data for a loader, and the compiler flags that the source requires."""

    files: dict[str, str]
    manifest: dict[str, Any]
    flags: tuple[str, ...]
    constants: Mapping[str, NDArray[Any]] = {}
    """Large constants that the source declares and another object file defines, by name."""
    is_split: bool = False
    """Whether several threads can compute a tick; the source then needs POSIX threads."""


def passes_of(
    preferences: Mapping[str, Any] = PREFERENCES,
    *,
    record: Sequence[str] = (),
    names: Literal["refuse", "make"] = "refuse",
) -> str:
    """Returns the pipeline from `ntensor` to a `c.program` that can be printed. Options: preferences of a device, by name."""
    given = dict(preferences)
    lowering: dict[str, Any] = {"prefix": given.get("prefix", "net"), "names": given.get("names", names)}
    lowering |= {
        k.replace("_", "-"): given[k] for k in ("alignment", "unroll", "instruction_set", "profile") if given.get(k)
    }
    options = " ".join(f"{k}={option_text(v)}" for k, v in lowering.items())
    if record:
        options += f" record={','.join(option_text(name) for name in record)}"
    steps = [
        ("convert-ntensor-to-c", options),
        ("c-choose-layout", ""),
        *([("c-choose-bitmaps", "")] if given.get("profile") and given.get("bitmaps", True) else []),
        *([("c-pack-weights", "")] if given.get("packing") else []),
        ("c-choose-events", pass_option(given, "activity")),
        ("c-fuse-loops", pass_option(given, "fusion")),
        ("c-clip-integers", ""),
        ("c-plan-memory", pass_option(given, "alignment")),
        *([("c-split-ticks", f"least={given['split']}")] if "split" in given else []),
    ]
    return ",".join(f"{name}{{{text}}}" if text else name for name, text in steps)


def pass_option(preferences: Mapping[str, Any], name: str) -> str:
    """Returns a preference as an option of its pass; an empty text if it is not set."""
    return f"{name}={option_text(preferences[name])}" if name in preferences else ""


def lower(
    network: NetworkOp,
    *,
    record: Sequence[str] = (),
    preferences: Mapping[str, Any] = PREFERENCES,
    names: Literal["refuse", "make"] = "make",
) -> c.ProgramOp:
    """Returns the program of a network, which is not changed. It records `record`, and none of the network's probes."""
    module = network.parent_op()
    assert isinstance(module, ModuleOp)  # networks are in modules
    copy = module.clone()
    for inner in copy.ops:
        inner.attributes.pop(PROBES, None)
    steps = pipeline.parse_pipeline(passes_of(preferences, record=record, names=names), registry.passes())
    pass_manager.run_passes(steps, NoptContext(), copy, is_verified=False)  # goldens verify the results of these passes
    return next(op for op in copy.ops if isinstance(op, c.ProgramOp) and op.sym_name == network.sym_name)


def program_of(module: ModuleOp) -> c.ProgramOp:
    """Returns the only program of a module. Errors: CSR001 no program, or several."""
    return only_op(
        module,
        c.ProgramOp,
        CSR001,
        "programs",
        "the module contains no program",
        expected="one c.program or ntensor.network",
        help="write the network to compile to a separate file",
    )


def text_of(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns the header and the source of a network as one C text. Errors: CSR001 no network, or several; those of the passes."""
    del diagnostics
    if any(isinstance(op, NetworkOp) for op in module.ops):
        module = module.clone()
        pass_manager.run_passes(pipeline.parse_pipeline(passes_of(), registry.passes()), NoptContext(), module)
    program = program_of(module)
    made = emit_program(program)
    prefix = program.prefix.data
    return made.files[f"{prefix}.c"].replace(f'#include "{prefix}.h"\n', made.files[f"{prefix}.h"], 1)


def generate(
    network: NetworkOp,
    *,
    record: Sequence[str] = (),
    preferences: Mapping[str, Any] = PREFERENCES,
    prefix: str = "net",
    activity: str = "auto",
    has_constants: bool = True,
) -> CSource:
    """Returns C source of a network, which is not changed.

    Options: record: nodes and states that a tick returns in addition to its outputs; preferences: of a device, by name, `split`, the fewest synapses of a tick that threads share, and `bitmaps`, false to keep all compressed synapses; prefix: prefix of
    all names; activity: `auto`, `events` or `dense`, the method of visiting presynaptic neurons; has_constants: whether the source contains large
    constants, instead of declarations.
    """
    chosen = {**preferences, "prefix": prefix, "activity": activity}
    program = lower(network, record=record, preferences=chosen)
    made = emit_program(program)
    if has_constants:
        return CSource(made.files, made.manifest, made.flags, is_split=made.source.is_split)
    files = {f"{prefix}.c": made.source.code(), **made.others}
    source = CSource(files, made.manifest, made.flags, made.source.declared, made.source.is_split)
    for op in program.walk():  # ops refer to each other: without this, their arrays exist until a garbage collection
        op.properties.clear()
    return source
