"""The pages of the site have a page for each device, and links with existing targets."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from places import ROOT
from test_links import LINK, anchors, prose

from nopt.core import registry

sys.path.insert(0, str(ROOT / "docs"))


@pytest.fixture(scope="module")
def pages() -> dict[Path, str]:
    import site_pages

    return dict(site_pages.pages())


def test_every_device_has_a_page(pages: dict[Path, str]) -> None:
    devices = [f"{slug}-{name}" for slug, names in registry.devices().items() for name in names]
    assert [name for name in devices if Path("docs", "devices", f"{name}.md") not in pages] == []


def test_links_lead_to_pages_of_the_site(pages: dict[Path, str]) -> None:
    dead: list[str] = []
    for page, text in pages.items():
        for link in LINK.findall(prose(text)) if page.suffix == ".md" else ():
            name, _, anchor = link.partition("#")
            target = Path(os.path.normpath(page.parent / name)) if name else page
            if "://" not in link and (target not in pages or (anchor and anchor not in anchors(pages[target]))):
                dead.append(f"{page}: {link}")
    assert dead == []
