"""Networks as modules: functions that read, write and verify them, and run passes on them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..core import registry
from ..core.arrays.files import folder_of
from ..core.arrays.values import Array
from ..core.diagnostics import Code, Diagnostics, ExitCode, Finding, refuse
from ..core.files import read_bytes, read_head
from ..core.ir import pass_manager, pipeline, source
from ..core.ir.context import NoptContext, Printed, multiverse
from ..core.ir.operation import only_op
from ..core.locations import Origins
from ..core.progress import Progress, doing, require_progress
from ..dialects.ntensor import NetworkOp
from ..dialects.ntensor.interface import CompiledOperation
from ..frontends.limits import limits_of
from ..passes.pipelines import RAISE
from .atomic_files import write_arrays, write_whole
from .budgets import MaxTime, with_max_time

if TYPE_CHECKING:
    import nir

    from ..core.target import HardwareTarget

API013 = Code("API013", "unknown-output-format", "unknown output format", exit_code=ExitCode.MISUSED)

STDIN = "<stdin>"
"""Name of standard input in messages."""

Network: TypeAlias = "ModuleOp | str | Path | nir.NIRGraph"
"""A network: a module, a graph of the `nir` package, or the path of a file."""
Passes = str | ModulePass | Sequence[ModulePass]
"""A pipeline: its text, a pass, or a list of passes."""
Emitter = Callable[[ModuleOp, Diagnostics], str | bytes]
"""Converts a module to the bytes or the text of a format; findings are added to the second argument."""


def default_diagnostics(diagnostics: Diagnostics | None, *, has_remarks: bool = False) -> Diagnostics:
    """Returns the caller's collection of findings, or a new collection that prints warnings and errors to standard error."""
    return Printed(has_remarks=has_remarks) if diagnostics is None else diagnostics


# ---- reading


def frontend_of(head: bytes) -> Any:
    """Returns the frontend that recognises the first bytes of a file; None for text."""
    for module in registry.frontends().values():
        frontend = import_module(f"{registry.PACKAGE}.{module}")
        if frontend.recognises(head):
            return frontend
    return None


@doing("reading")
def read(
    path: str | Path,
    *,
    arrays: str | Path | None = None,
    limits: Mapping[str, int] | Sequence[str] = (),
    diagnostics: Diagnostics | None = None,
) -> ModuleOp:
    """Reads a network: a `.nir` file or textual IR, by content, not by name; `-` is standard input. The module is verified.

        module = nopt.read("net.nir")

    `arrays` is the folder of arrays that the text refers to; by default the folder `arrays` next to the file. `limits` are the maximal bytes, nodes, entries, depth and seconds of a `.nir`
    file, for example `{"nodes": 100_000}`. Remarks are added to `diagnostics`, or else printed to standard error.

    Errors: COR008 the file cannot be read; COR024, COR025, COR026 it is not valid IR; COR001, COR002, COR003, COR004 missing or
    changed arrays; those of the frontend and of the verifiers.
    """
    frontend = None if str(path) == "-" else frontend_of(read_head(path))
    if frontend is None:
        name = STDIN if str(path) == "-" else str(path)
        text = source.decode_text(read_bytes(path), name)
        if name != STDIN:
            arrays = folder_of(path, None if arrays is None else Path(arrays))
        return parse(text, name=name, arrays=arrays, diagnostics=diagnostics)
    module = frontend.read(Path(path), default_diagnostics(diagnostics), limits_of(limits))
    verify(module)
    return module


def parse(
    text: str,
    *,
    name: str = "<text>",
    arrays: str | Path | None = None,
    diagnostics: Diagnostics | None = None,
) -> ModuleOp:
    """Reads textual IR from a string and verifies it; `name` is its name in messages, `arrays` the folder of its arrays.

        module = nopt.parse(nopt.write(module))

    Errors: COR024 the text is not valid IR; COR001, COR002, COR003, COR004 missing or changed arrays; those of the verifiers.
    """
    folder = None if arrays is None else Path(arrays)
    module = source.parse_module(NoptContext(diagnostics=default_diagnostics(diagnostics)), text, name, arrays=folder)
    verify(module)
    return module


def from_nir(graph: nir.NIRGraph, *, name: str = "network", diagnostics: Diagnostics | None = None) -> ModuleOp:
    """Converts a graph of the `nir` package to a module, without a file.

        module = nopt.from_nir(nir.NIRGraph(nodes, edges))

    Errors: those of the frontend.
    """
    from ..frontends.nir_file import from_nir as module_of

    module = module_of(graph, name, default_diagnostics(diagnostics))
    verify(module)
    return module


def module_of(
    network: Network,
    *,
    arrays: str | Path | None = None,
    limits: Mapping[str, int] | Sequence[str] = (),
    diagnostics: Diagnostics | None = None,
) -> ModuleOp:
    """Returns a network as a module: reads a file, converts a graph of the `nir` package, or returns the module itself.

    Errors: those of `read` and `from_nir`. A value of another type is a TypeError.
    """
    match network:
        case ModuleOp():
            return network
        case str() | Path():
            return read(network, arrays=arrays, limits=limits, diagnostics=diagnostics)
        case _:
            from ..frontends.nir_file import is_graph

            if is_graph(network):
                return from_nir(network, diagnostics=diagnostics)
            raise wrong_type("network", network, "a path, a module or a nir.NIRGraph")


@contextmanager
def reading(network: Network, diagnostics: Diagnostics, **options: Any) -> Generator[ModuleOp]:
    """Reads a network for the body, and adds file and lines to the body's findings about its nodes. Errors: those of `module_of`."""
    module = module_of(network, diagnostics=diagnostics, **options)
    with Origins(module).locating(diagnostics):
        yield module


def wrong_type(name: str, value: object, expected: str) -> TypeError:
    return TypeError(f"{name}: expected {expected}, found {type(value).__name__}")


def require_type(name: str, value: object, kind: type, expected: str) -> None:
    """Raises a TypeError that names the argument."""
    if not isinstance(value, kind):
        raise wrong_type(name, value, expected)


# ---- writing


def emitters() -> dict[str, Callable[[], Emitter | None]]:
    """Returns factories of the emitters of formats and targets, by the name in `-t`; a factory returns None without an emitter."""
    formats = {name: partial(frontend_emitter, module) for name, module in registry.frontends().items()}
    return formats | {slug: partial(target_emitter, factory) for slug, factory in registry.targets().items()}


def frontend_emitter(module: str) -> Emitter | None:
    frontend = import_module(f"{registry.PACKAGE}.{module}")
    emit: Emitter | None = getattr(frontend, "emit", None)
    return convert_to_continuous(emit) if emit is not None and getattr(frontend, "IS_CONTINUOUS", False) else emit


def target_emitter(factory: Callable[[], HardwareTarget]) -> Emitter | None:
    emit = factory().emit
    return None if emit is None else emit()


def convert_to_continuous(emit: Emitter) -> Emitter:
    """Returns an emitter of networks in continuous time that also accepts a network in ticks, if it can be converted.

    Errors: those of `convert-ntensor-to-nir`.
    """

    def emit_continuous(module: ModuleOp, diagnostics: Diagnostics) -> str | bytes:
        if any(isinstance(op, NetworkOp) for op in module.ops):
            module = apply(module.clone(), RAISE, diagnostics=diagnostics)
        return emit(module, diagnostics)

    return emit_continuous


def format_of(path: str | Path | None) -> str:
    """Returns the format that the suffix of a file names, such as `nir` for `net.nir`; `mlir` if it names no format."""
    suffix = "" if path is None else Path(path).suffix.removeprefix(".").lower()
    return suffix if suffix in emitters() else "mlir"


def network_formats() -> list[str]:
    """Returns the formats for writing and reading networks; each is the suffix of its files."""
    frontends = {name: import_module(f"{registry.PACKAGE}.{module}") for name, module in registry.frontends().items()}
    return ["mlir", *(name for name, frontend in frontends.items() if getattr(frontend, "IS_CONTINUOUS", False))]


def emitter(
    format: str,
    *,
    is_generic: bool = False,
    has_places: bool = False,
    outside: dict[str, Array] | None = None,
    elided: int | None = None,
) -> Emitter:
    """Returns the emitter of a format. With `outside`, textual IR stores its large arrays there instead of writing them; with `elided`,
    it omits the bytes of arrays with more elements.

    Errors: API013 an unknown format.
    """
    if format == "mlir":
        return lambda module, _: source.format_module(NoptContext(), module, is_generic, has_places, outside, elided)
    factories = emitters()
    if format in factories and (found := factories[format]()) is not None:
        return found
    usable = {*registry.frontends(), *registry.usable_targets()}
    known = ["mlir", *(name for name, factory in factories.items() if name in usable and factory() is not None)]
    refuse(
        API013,
        f"unknown output format {format}",
        at=f"-t {format}",
        expected=f"one of {', '.join(known)}",
        found=format,
        help="-t mlir",
    )


@overload
def write(
    module: ModuleOp,
    path: None = None,
    *,
    format: Literal["mlir"] | None = None,
    generic: bool = False,
    diagnostics: Diagnostics | None = None,
) -> str: ...


@overload
def write(
    module: ModuleOp,
    path: str | Path | None = None,
    *,
    format: str | None = None,
    generic: bool = False,
    arrays: str | Path | None = None,
    diagnostics: Diagnostics | None = None,
) -> str | bytes: ...


def write(
    module: ModuleOp,
    path: str | Path | None = None,
    *,
    format: str | None = None,
    generic: bool = False,
    arrays: str | Path | None = None,
    diagnostics: Diagnostics | None = None,
) -> str | bytes:
    """Writes a module in a format and returns the output; without `path` it only returns it.

        text = nopt.write(module)
        nopt.write(module, "net.mlir")

    A file is written completely or not at all. `format` is a name of `-t`; by default the suffix of `path` determines it (`net.nir`,
    `net.json`), and an unknown suffix means textual IR. `generic`: every op in MLIR's generic form. `arrays`: a folder for the large arrays
    of textual IR, one file each; by default they are a part of the text.

    Errors: API013 an unknown format; API012 the file cannot be written; those of the emitter.
    """
    outside: dict[str, Array] | None = None if arrays is None else {}
    found = default_diagnostics(diagnostics)
    output = emitter(format or format_of(path), is_generic=generic, outside=outside)(module, found)
    if path is not None:
        found.settle()
    if arrays is not None and outside is not None:
        write_arrays(Path(arrays), outside)
    if path is not None:
        write_whole(path, output.encode() if isinstance(output, str) else output)
    return output


# ---- passes


def available_passes() -> Mapping[str, Callable[[], type[ModulePass]]]:
    """Returns factories of all passes of nopt, xDSL and installed packages, by name."""
    return multiverse().all_passes


def verify(module: ModuleOp) -> None:
    """Refuses an invalid module with all of its errors.

        nopt.verify(module)

    Errors: COR025 and those of the dialects.
    """
    source.check_module(module)


def findings(module: ModuleOp) -> list[Finding]:
    """Returns all errors of a module; none if it is valid."""
    return list(source.verify(module))


def steps_of(passes: Passes) -> Sequence[ModulePass]:
    """Returns the passes of a pipeline. Errors: COR012, COR013, COR014."""
    if isinstance(passes, str):
        return pipeline.parse_pipeline(passes, available_passes())
    expected = "the text of a pipeline, a pass, or a list of passes"
    if not isinstance(passes, ModulePass):
        require_type("passes", passes, Iterable, expected)
    steps = [passes] if isinstance(passes, ModulePass) else [*passes]
    for one in steps:
        require_type("passes", one, ModulePass, expected)
    return steps


@with_max_time
def apply(
    module: ModuleOp,
    passes: Passes,
    *,
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
) -> ModuleOp:
    """Runs a pipeline on the module in place, verifies it after each pass, and returns it.

        nopt.apply(module, "convert-nir-to-ntensor{dt-ns=100000 like=norse}")

    `passes` is the text of a pipeline, a pass, or a list of passes; `progress` counts them.

    Errors: COR012, COR013, COR014 the pipeline; COR015 a pass cannot work on this module; COR016 a pass left invalid IR;
    those of the passes. A module or a pass of another type is a TypeError.
    """
    require_progress(progress)
    require_type("module", module, ModuleOp, "a module, as nopt.read and nopt.from_nir return it")
    steps = steps_of(passes)
    context = NoptContext(diagnostics=default_diagnostics(diagnostics, has_remarks=True), progress=progress)
    pass_manager.run_passes(steps, context, module)
    return module


API011 = Code("API011", "no-network-to-run", "no network to run")

COMPILED_VERBS = "nopt compile, nopt run and nopt FILE take a compiled network"


def only_network(module: ModuleOp) -> NetworkOp:
    """Returns the only discretised network of a module. Errors: API011 none, or several."""
    return only_op(
        module,
        NetworkOp,
        API011,
        "networks",
        "the module contains no network",
        expected="one nir.graph or ntensor.network",
        help=COMPILED_VERBS if is_compiled(module) else "write the network to run into a separate file",
    )


def is_compiled(module: ModuleOp) -> bool:
    """Returns whether a module contains the compiled network of a chip."""
    return any(isinstance(op, CompiledOperation) for op in module.ops)


def absent_network(module: ModuleOp) -> dict[str, str]:
    """Returns the parts of a finding about a module without a network."""
    found = ", ".join(sorted({op.name for op in module.ops})) or "an empty module"
    return {
        "message": "the module contains no network",
        "expected": "a nir.graph or an ntensor.network",
        "found": found,
        **({"help": COMPILED_VERBS} if is_compiled(module) else {}),
    }


def parent_module(network: NetworkOp) -> ModuleOp:
    module = network.parent_op()
    assert isinstance(module, ModuleOp)  # a network is inside of a module
    return module
