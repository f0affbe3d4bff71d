"""Hands our dialects and passes to xDSL (entry point `xdsl.universe`), so that `xdsl-opt` sees them too.

Every xDSL tool imports this module when it starts, so nothing but names and factories stands here. Those of plug-ins are added by our own
driver alone (`core/ir/context.py`).
"""

from __future__ import annotations

from xdsl.universe import Universe

from .registry import dialect_modules, own, pass_modules

UNIVERSE = Universe(all_dialects=own(dialect_modules()), all_passes=own(pass_modules()))
