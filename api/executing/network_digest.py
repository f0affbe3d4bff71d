"""Identity of a network by its content."""

from __future__ import annotations

from hashlib import sha256

from xdsl.dialects.builtin import ModuleOp

from ...core.ir import source
from ...core.ir.context import NoptContext


def text_digest(module: ModuleOp) -> str:
    """Returns the digest of a network with the contents of its arrays."""
    return sha256(source.format_module(NoptContext(), module, False, False, {}).encode()).hexdigest()
