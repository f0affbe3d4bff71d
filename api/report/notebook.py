"""HTML of modules, results and builds in a notebook.

A result and a build show themselves. A module of xDSL is shown after `%load_ext nopt`.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ...core.diagnostics import Diagnostics
from . import drawings
from .pages import build_parts, render
from .schematics import graph_nodes, graph_svg
from .sections import Figure

STYLE = "<style>.op rect{fill:#fff;stroke:#000}.edge{fill:none;stroke:#000}</style>"
DRAWN = 4
"""Largest number of arrays that are drawn."""


def module_html(module: ModuleOp) -> str:
    """Returns the graph of the first network of a module."""
    return f"{STYLE}{graph_svg(graph_nodes(module))}"


def result_html(arrays: Mapping[str, NDArray[Any]], *, has_samples: bool, extent: str) -> str:
    """Returns a drawing of each array of a run: a raster of events, a trace of real numbers. Errors: RPT001."""
    shown: list[str] = []
    for name, array in list(arrays.items())[:DRAWN]:
        flat = drawings.flat_neurons(array, has_samples=has_samples)
        if not flat.size:
            continue
        is_real = array.dtype.kind == "f"
        drawing = drawings.trace(flat, list(range(min(3, flat.shape[2])))) if is_real else drawings.raster(flat)
        shown.append(f'<p>{escape(name)}</p><img src="{Figure(name, drawing).url}" alt="{escape(name)}">')
    return f"<p>{escape(extent)}</p>{''.join(shown)}"


def build_html(folder: Path) -> str:
    """Returns the page of a build in a frame. Errors: RPT001; BLD002 another directory."""
    drawings.require_packages("jinja2", "matplotlib")
    page = render(*build_parts(folder, None, None, Diagnostics()))
    return f'<iframe srcdoc="{escape(page)}" width="100%" height="600"></iframe>'


def load_ipython_extension(shell: Any) -> None:
    """Registers modules of xDSL with the formatter of HTML of IPython."""
    shell.display_formatter.formatters["text/html"].for_type(ModuleOp, module_html)
