"""Maps the top-level rooms of the tree onto the import package `nopt`: `dialects/` is `nopt.dialects`. `nopt/` is the package itself.

Everything else about the package is in `pyproject.toml`.
"""

from pathlib import Path

from setuptools import setup

ROOMS = ("core", "frontends", "dialects", "analysis", "passes", "simulation", "targets", "api", "tools")
ROOT = Path(__file__).parent

folders = [
    folder.relative_to(ROOT)
    for room in ROOMS
    for folder in (ROOT / room, *sorted((ROOT / room).rglob("*")))
    if folder.is_dir() and folder.name != "__pycache__"
]

setup(
    packages=["nopt", *("nopt." + ".".join(folder.parts) for folder in folders)],
    package_dir={"nopt": "nopt"} | {"nopt." + ".".join(folder.parts): str(folder) for folder in folders},
    package_data={"": ["**/*.in", "**/*.json", "**/*.lark", "codes/*.md", "**/*.neuron", "**/*.toml", "py.typed"]},
)
