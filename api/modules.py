"""Networks as modules: read them, write them, verify them, and run passes over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..core import registry
from ..core.arrays.values import Array
from ..core.diagnostics import Code, Diagnostics, ExitCode, Finding, refuse
from ..core.files import read_bytes, read_head
from ..core.ir import pipeline, source
from ..core.ir.context import NoptContext, Printed, multiverse
from ..dialects.ntensor import NetworkOp
from ..passes.pipelines import RAISE
from .files import write_arrays, write_whole

if TYPE_CHECKING:
    import nir

    from ..core.target import HardwareTarget

FMT001 = Code(
    "FMT001",
    "there is no such output format",
    cause="`-t` names a format that neither a frontend nor a target can write.",
    remedy="Use one that the message lists; `mlir` is the default.",
    exit_code=ExitCode.MISUSED,
)

STDIN = "<stdin>"
"""What messages call standard input."""

Emitter = Callable[[ModuleOp, Diagnostics], str | bytes]
"""Turns a module into the bytes or the text of a format; findings go to the second argument."""


def noted(diagnostics: Diagnostics | None) -> Diagnostics:
    """Where findings go: to the caller's collection, else to standard error, never into silence."""
    return Printed() if diagnostics is None else diagnostics


# ---- in


def frontend_of(head: bytes) -> Any:
    """The frontend that recognises the first bytes of a file, or None: then the file is text."""
    for module in registry.frontends().values():
        frontend = import_module(f"{registry.PACKAGE}.{module}")
        if frontend.recognises(head):
            return frontend
    return None


def read_within(
    frontend: Any, path: Path, diagnostics: Diagnostics, limits: Mapping[str, int] | Sequence[str]
) -> ModuleOp:
    """Reads a file with a frontend; one that takes no limits has limits of its own.

    Errors: LIM001 a limit that there is not; those of the frontend.
    """
    if not limits:
        return frontend.read(path, diagnostics)
    from ..frontends.limits import limits_of

    made = limits_of(limits)
    return (
        frontend.read_within(path, diagnostics, made)
        if hasattr(frontend, "read_within")
        else frontend.read(path, diagnostics)
    )


def read(
    path: str | Path,
    *,
    arrays: str | Path | None = None,
    limits: Mapping[str, int] | Sequence[str] = (),
    diagnostics: Diagnostics | None = None,
) -> ModuleOp:
    """Reads a network: a `.nir` file or textual IR, by content, not by name; `-` is standard input. The module is verified.

        module = nopt.read("net.nir")

    `arrays` is the folder of arrays that the text only names; `limits` say how much a `.nir` file may ask for, for example
    `{"nodes": 100_000}`, of bytes, nodes, entries, depth, seconds. Remarks go to `diagnostics`, else to standard error.

    Errors: FIL001 the file cannot be read; SRC001 to SRC003 it is not valid IR; ARR001 to ARR004 arrays that are not
    there or were changed; those of the frontend and of the verifiers.
    """
    frontend = None if str(path) == "-" else frontend_of(read_head(path))
    if frontend is None:
        name = STDIN if str(path) == "-" else str(path)
        text = source.decoded(read_bytes(path), name)
        return parse(text, name=name, arrays=arrays, diagnostics=diagnostics)
    module = read_within(frontend, Path(path), noted(diagnostics), limits)
    verify(module)
    return module


def parse(
    text: str,
    *,
    name: str = "<text>",
    arrays: str | Path | None = None,
    diagnostics: Diagnostics | None = None,
) -> ModuleOp:
    """Reads textual IR from a string and verifies it; `name` is what messages call it, `arrays` the folder of its arrays.

        module = nopt.parse(nopt.write(module))

    Errors: SRC001 the text is not valid IR; ARR001 to ARR004 arrays that are not there or were changed; those of the verifiers.
    """
    folder = None if arrays is None else Path(arrays)
    module = source.parse(NoptContext(diagnostics=noted(diagnostics)), text, name, arrays=folder)
    verify(module)
    return module


def from_nir(graph: nir.NIRGraph, *, name: str = "network", diagnostics: Diagnostics | None = None) -> ModuleOp:
    """A graph of the `nir` package as a module, without a file.

        module = nopt.from_nir(nir.NIRGraph(nodes, edges))

    Errors: those of the frontend.
    """
    from ..frontends.nir_file import from_nir as module_of

    module = module_of(graph, name, noted(diagnostics))
    verify(module)
    return module


# ---- out


def emitters() -> dict[str, Callable[[], Emitter | None]]:
    """Factories of the emitters that formats and targets offer, by the name that `-t` takes; None where one cannot write."""

    def of_frontend(module: str) -> Callable[[], Emitter | None]:
        def found() -> Emitter | None:
            frontend = import_module(f"{registry.PACKAGE}.{module}")
            emit: Emitter | None = getattr(frontend, "emit", None)
            return continuous(emit) if emit is not None and getattr(frontend, "IS_CONTINUOUS", False) else emit

        return found

    def of_target(factory: Callable[[], HardwareTarget]) -> Callable[[], Emitter | None]:
        def found() -> Emitter | None:
            emit = factory().emit
            return None if emit is None else emit()

        return found

    return {
        **{name: of_frontend(module) for name, module in registry.frontends().items()},
        **{slug: of_target(factory) for slug, factory in registry.targets().items()},
    }


def continuous(emit: Emitter) -> Emitter:
    """An emitter of networks in continuous time that takes one in ticks, too, where there is a way back.

    Errors: those of `convert-ntensor-to-nir`.
    """

    def emit_continuous(module: ModuleOp, diagnostics: Diagnostics) -> str | bytes:
        if any(isinstance(op, NetworkOp) for op in module.ops):
            module = apply(module.clone(), RAISE, diagnostics=diagnostics)
        return emit(module, diagnostics)

    return emit_continuous


def format_of(path: str | Path | None) -> str:
    """Returns the format that the suffix of a file names, such as `nir` for `net.nir`; `mlir` where it names none."""
    suffix = "" if path is None else Path(path).suffix.removeprefix(".").lower()
    return suffix if suffix in emitters() else "mlir"


def emitter(
    format: str, *, is_generic: bool = False, has_places: bool = False, outside: dict[str, Array] | None = None
) -> Emitter:
    """What writes a module in a format. With `outside`, textual IR leaves its large arrays there instead of writing them.

    Errors: FMT001 there is no such format.
    """
    if format == "mlir":
        return lambda module, _: source.text(NoptContext(), module, is_generic, has_places, outside)
    factories = emitters()
    if format in factories and (found := factories[format]()) is not None:
        return found
    usable = {*registry.frontends(), *registry.usable_targets()}
    known = ["mlir", *(name for name, factory in factories.items() if name in usable and factory() is not None)]
    refuse(
        FMT001,
        f"there is no output format {format}",
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
    """Writes a module in a format and returns what it wrote; without `path` it only returns it.

        text = nopt.write(module)
        nopt.write(module, "net.mlir")

    A file is complete or not there. `format`: as `-t` names it; without it the suffix of `path` chooses (`net.nir`, `net.json`), and
    textual IR is written where the suffix names no format. `generic`: every op in MLIR's generic form. `arrays`: a folder for the large arrays of
    textual IR, one file each, which the text then only names; without it they stand in the text.

    Errors: FMT001 there is no such format; FIL002 the file cannot be written; those of the emitter.
    """
    outside: dict[str, Array] | None = None if arrays is None else {}
    output = emitter(format or format_of(path), is_generic=generic, outside=outside)(module, noted(diagnostics))
    if arrays is not None and outside is not None:
        write_arrays(Path(arrays), outside)
    if path is not None:
        write_whole(path, output.encode() if isinstance(output, str) else output)
    return output


# ---- between


def available_passes() -> Mapping[str, Callable[[], type[ModulePass]]]:
    """Factories of all passes by name: ours, xDSL's, and those of installed packages."""
    return multiverse().all_passes


def verify(module: ModuleOp) -> None:
    """Refuses a module that is not valid, with everything that is wrong with it.

        nopt.verify(module)

    Errors: SRC002 and those of the dialects.
    """
    source.check(module)


def findings(module: ModuleOp) -> list[Finding]:
    """Everything that is wrong with a module; empty where it is valid."""
    return list(source.verify(module))


def apply(module: ModuleOp, passes: str, *, diagnostics: Diagnostics | None = None) -> ModuleOp:
    """Runs a pipeline over the module, in place, verifies after each pass, and returns the module.

        nopt.apply(module, "convert-nir-to-ntensor{dt-ns=100000 like=norse}")

    Errors: PAS001 to PAS003 the pipeline; PAS004 a pass cannot work on this module; PAS005 a pass left invalid IR;
    whatever the passes refuse.
    """
    steps = pipeline.parse(passes, available_passes())
    pipeline.run(steps, NoptContext(diagnostics=noted(diagnostics)), module)
    return module
