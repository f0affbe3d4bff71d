"""Prints the name of the module in each Python file of some folders, as JSON for the type checker: the folder of the tree has any name.

{"core/output.py": "nopt.core.output"}
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

PACKAGE = "nopt"


def module_names(folders: Iterable[str]) -> dict[str, str]:
    """Returns the names of the modules by their files."""
    return {str(path): name_of(path) for folder in folders for path in sorted(Path(folder).rglob("*.py"))}


def name_of(path: Path) -> str:
    """Returns the name of a module: the folder of the package is the tree, or the folder with its name in it."""
    parts = [part for part in path.with_suffix("").parts if part != "__init__"]
    return ".".join([PACKAGE, *(parts[1:] if parts[0] == PACKAGE else parts)])


if __name__ == "__main__":
    print(json.dumps(module_names(sys.argv[1:]), indent=2))
