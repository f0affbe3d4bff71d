"""Hands our dialects and passes to xDSL (entry point `xdsl.universe`), so that `xdsl-opt` sees them too.

Every xDSL tool imports this module when it starts, so nothing but names and factories stands here.
"""

from __future__ import annotations

from xdsl.universe import Universe

from .registry import dialects, passes

UNIVERSE = Universe(all_dialects=dialects(), all_passes=passes())
