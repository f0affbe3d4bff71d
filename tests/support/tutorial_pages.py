"""The pages of docs/tutorials/: their files and commands, from top to bottom in an empty folder outside of the tree.

A block with a name, such as ```python train.py, is written to a file. A page whose programs import PyTorch needs the environment of the frameworks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from console_blocks import Command, pattern, steps
from page_commands import run_command
from places import ROOT

PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
FRAMEWORK_PAGES = [page for page in PAGES if "\nimport torch\n" in page.read_text(encoding="utf-8")]
OTHER_PAGES = [page for page in PAGES if page not in FRAMEWORK_PAGES]


def run_page(page: Path, folder: Path, environment: Mapping[str, str], seconds: int) -> list[str]:
    """Writes the files of a page and runs its commands, each within a time limit, compares their output, and returns it."""
    outputs: list[str] = []
    for step in steps(page.read_text(encoding="utf-8")):
        if not isinstance(step, Command):
            file = folder / step.name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(step.content, encoding="utf-8")
            continue
        output = run_command(step.line, folder, environment, seconds)
        outputs.append(output)
        printed = output.rstrip() + "\n" if output.strip() else ""
        assert re.fullmatch(pattern(step.expected), printed), f"$ {step.line}\nprints\n{printed}\nnot\n{step.expected}"
        assert "[CLI004]" not in printed
    return outputs
