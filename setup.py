"""Links the rooms of the tree into the folder of the package: `dialects/` is `nopt.dialects` to Python, editors and type checkers alike.

Everything else about the package is in `pyproject.toml`.
"""

import os
from pathlib import Path

from setuptools import setup

ROOMS = ("core", "frontends", "dialects", "analysis", "passes", "simulation", "targets", "api", "tools")
ROOT = Path(__file__).parent.resolve()

for room in ROOMS:
    link = ROOT / "src" / "nopt" / room
    if link.exists():  # a source distribution has the folders themselves there
        continue
    if os.name == "nt":
        import _winapi

        _winapi.CreateJunction(str(ROOT / room), str(link))  # a symbolic link needs a privilege there
    else:
        link.symlink_to(Path("..", "..", room))

setup()
