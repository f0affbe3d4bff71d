"""Registration of our dialects and passes with xDSL (entry point `xdsl.universe`), for use by `xdsl-opt`.

Every xDSL tool imports this module when it starts, so it contains only names and factories. Only our own driver (`core/ir/context.py`) adds
those of plug-ins.
"""

from __future__ import annotations

from xdsl.universe import Universe

from .registry import dialect_modules, own, pass_modules

UNIVERSE = Universe(all_dialects=own(dialect_modules()), all_passes=own(pass_modules()))
