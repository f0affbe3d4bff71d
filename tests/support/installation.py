"""Environments of the tools of chips, which are created when a test asks for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from environments import CHIP_TOOLS, UnavailableError, prepare


class Installation:
    """The environments in a folder."""

    def __init__(self, folder: Path):
        self.folder, self.reasons = folder, dict[str, str]()

    def python(self, name: str) -> Path:
        """Returns the interpreter of a tool; skips the test with the reason if the tool cannot be installed."""
        tool = CHIP_TOOLS[name]
        try:
            if name not in self.reasons:
                return prepare(tool, self.folder)
        except UnavailableError as reason:
            self.reasons[name] = str(reason)
        pytest.skip(f"{tool.title} cannot be installed: {self.reasons[name]}")
