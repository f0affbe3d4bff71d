"""Import of PyNN, which is imported only with the back end: `from nopt import pynn`.

PyNN is in the extra `pynn`. Its licence is CeCILL 2.1; nopt contains no part of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...core.diagnostics import Code, refuse
from ...core.packages import is_installed

PYN001 = Code("PYN001", "pynn-package-missing", "a package of the back end for PyNN is missing")

PACKAGES = {"pyNN": "PyNN", "neo": "neo", "quantities": "quantities"}
"""Modules, and the packages that contain them."""


def package(module: str) -> Any:
    """Returns a module of PyNN. Errors: PYN001."""
    missing = [name for key, name in PACKAGES.items() if not is_installed(key)]
    if missing:
        refuse(
            PYN001,
            f"the package {missing[0]} is not installed",
            expected=", ".join(PACKAGES.values()),
            found=f"no {', no '.join(missing)}",
            help="pip install 'nopt[pynn]'",
        )
    return import_module(module)
