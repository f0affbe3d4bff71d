"""The name of an output that a help proposes is free."""

from __future__ import annotations

from pathlib import Path

import pytest

from nopt.api.exporting.export_torch import unused_file


def test_name_is_free_with_all_suffixes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert unused_file((".npz",)) == "other_chip.py"
    Path("other_chip.py").touch()
    Path("other_chip1.npz").touch()
    assert unused_file((".npz",)) == "other_chip2.py"
    assert unused_file((".mlir",)) == "other_chip1.py"
