"""HTML of modules, results and builds in a notebook.

A result and a build show themselves. A module of xDSL is shown after `%load_ext nopt`.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ...core.diagnostics import Diagnostics
from .drawings import require_packages
from .pages import build_parts, render
from .schematics.graph_drawing import graph_svg
from .schematics.graph_nodes import graph_nodes
from .schematics.map_section import STYLE, page_part


def module_html(module: ModuleOp) -> str:
    """Returns the graph of the first network of a module."""
    return f"<style>{page_part(STYLE)}</style>{graph_svg(graph_nodes(module))}"


def build_html(folder: Path) -> str:
    """Returns the page of a build in a frame. Errors: API018; CMP009 another directory."""
    require_packages("jinja2")
    page = render(*build_parts(folder, None, None, Diagnostics()))
    return f'<iframe srcdoc="{escape(page)}" width="100%" height="600"></iframe>'


def load_ipython_extension(shell: Any) -> None:
    """Registers modules of xDSL with the formatter of HTML of IPython."""
    shell.display_formatter.formatters["text/html"].for_type(ModuleOp, module_html)
