"""docs/dialect-map.md is complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nopt.core import registry

ENTRIES = [
    entry.name
    for factory in registry.dialects().values()
    for dialect in [factory()]
    for entry in (*dialect.operations, *dialect.attributes)
]


@pytest.mark.parametrize("name", ENTRIES)
def test_map_names_every_op_type_and_attribute(root: Path, name: str) -> None:
    text = (root / "docs" / "dialect-map.md").read_text(encoding="utf-8")
    assert re.search(rf"[`!#]{re.escape(name)}\b", text), f"where does {name} come from, where does it go?"
