"""Usability of the library of an engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from nopt.core.engine import unusable_library


def test_a_folder_that_an_uninstallation_left_is_no_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "half_removed").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    state = unusable_library(["half_removed"], "engine_half")
    assert state is not None
    assert state.reason == f"half_removed is not installed: {tmp_path / 'half_removed'} has no code"
    assert (state.help, state.is_absent) == ("pip install 'nopt[engine_half]'", True)


def test_an_absent_library_and_a_complete_one() -> None:
    state = unusable_library(["no_such_library_anywhere"], "engine_none")
    assert state is not None
    assert state.is_absent
    assert unusable_library(["numpy"], "engine_numpy") is None
