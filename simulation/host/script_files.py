"""Programs in artefacts, which run a compiled network with a vendor's tool: `python PROGRAM.py IN.npz OUT.npz [--ticks N] [--record NAME,…]`.

All programs have the same arguments, arrays and messages. The arrays have the names and shapes of `nopt run --record`, so `nopt compare` compares them.
The functions for these are in `script_arrays.py.in`, which replaces the line `# @ARRAYS@` of a template, so that each program is one file.
"""

from __future__ import annotations

from pathlib import Path

ARRAYS = Path(__file__).parent / "script_arrays.py.in"
PLACEHOLDER = "# @ARRAYS@\n"
"""The line of a template that the functions replace."""


def script_text(template: Path) -> str:
    """Returns the text of a program."""
    before, mark, after = template.read_text(encoding="utf-8").partition(PLACEHOLDER)
    assert mark, template  # a template of ours
    return before + ARRAYS.read_text(encoding="utf-8") + after


def script_bytes(template: Path) -> bytes:
    """Returns the file of a program."""
    return script_text(template).encode()
