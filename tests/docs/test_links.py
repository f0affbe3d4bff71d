"""Links between pages have existing targets."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from places import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("examples/*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"\]\(([^()\s]+)\)")


def prose(text: str) -> str:
    """Returns a page without its code."""
    return re.sub(r"```.*?^```|`[^`\n]*`", "`", text, flags=re.DOTALL | re.MULTILINE)


@cache
def anchors(text: str) -> set[str]:
    """Returns the anchors of a page's headings in the usual form: lower case, dashes for blanks, no other signs."""
    heads = re.findall(r"^#+ (.*)$", re.sub(r"```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    dead: list[str] = []
    for link in LINK.findall(prose(page.read_text(encoding="utf-8"))):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name) if name else page
        if not target.exists() or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            dead.append(link)
    assert not dead, f"{page.name} links to {', '.join(dead)}"
