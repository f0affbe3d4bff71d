"""The Python of docs/python.md runs, from top to bottom, in one namespace."""

from __future__ import annotations

import re
from pathlib import Path

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_python_page_runs(root: Path) -> None:
    page = root / "docs" / "python.md"
    text = page.read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(text))
    assert len(blocks) >= 8
    names: dict[str, object] = {"__name__": "python_page"}
    for block in blocks:
        start = text.count("\n", 0, block.start(1))
        code = compile(
            "\n" * start + block[1], str(page), "exec", dont_inherit=True
        )  # so that errors name the page's line
        exec(code, names)
