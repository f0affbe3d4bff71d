"""An imitation of the compiler of IREE, which compiles nothing."""

from __future__ import annotations


class CompilerToolError(Exception):
    """An error of the compiler."""


def compile_file(path: str, **options: object) -> bytes:
    raise CompilerToolError("net.mlir:1:1: error: 'builtin.module' op is not understood\n  more lines")
