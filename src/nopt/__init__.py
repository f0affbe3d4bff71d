"""nopt from Python: the functions and classes of `nopt.api`, and `__version__`.

    import nopt

    arrays = nopt.run("net.nir", x, dt="0.1ms", like="norse")

`passes` and `targets` are packages of this name, so their lists are `nopt.api.passes()` and `nopt.api.targets()`. Names are imported when they
are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import *  # noqa: F403 - one list of names, for type checkers alone

    __version__: str

PACKAGES = ("passes", "targets")
"""Names of `nopt.api` that are packages here."""


def load_ipython_extension(shell: Any) -> None:
    """Shows modules as graphs in a notebook: `%load_ext nopt`."""
    import_module(".api.report.notebook", __name__).load_ipython_extension(shell)


if not TYPE_CHECKING:  # or type checkers would accept every name

    def __getattr__(name: str) -> Any:
        if name == "__version__":
            from importlib.metadata import version

            return version("nopt")
        if name in PACKAGES:
            return import_module(f".{name}", __name__)
        api = import_module(".api", __name__)
        if name in api.__all__:
            return getattr(api, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    api = import_module(".api", __name__)
    return sorted({*api.__all__, "__version__", "api"})
