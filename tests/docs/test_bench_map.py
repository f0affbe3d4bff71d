"""The page of performance shows the figures of mapping that `reference/bench-map.json` holds."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest


def test_the_table_has_the_figures_of_the_file(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(root / "benchmarks/mapping"), *sys.path])
    from bench import page  # pyrefly: ignore[missing-import]

    rows = json.loads((root / "docs/reference/bench-map.json").read_text(encoding="utf-8"))
    keys = [(row["network"], row["side"]) for row in rows]
    assert len(set(keys)) == len(keys)
    table = page(rows).split("\n\n", 2)[2]
    assert table in (root / "docs/performance.md").read_text(encoding="utf-8")
