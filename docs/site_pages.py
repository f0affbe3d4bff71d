"""Pages of the site: those of the tree, with a page for each device. `make site` builds it.

python docs/site_pages.py FOLDER

A link to a page leads to its place in the site. A link to another file of the tree becomes its text.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tables import DOCS, ROOT, device_pages

LINK = re.compile(r"\[(?P<text>[^\[\]]*)\]\((?P<link>[^()\s]+)\)")
DEVICE_ROW = re.compile(r"^\| `(?P<device>\w+/\w+)` \|", re.MULTILINE)
FRONT = "README.md"


def sources() -> Iterator[Path]:
    """Yields the pages of the tree."""
    yield from sorted(ROOT.glob("*.md"))
    yield from sorted(DOCS.rglob("*.md"))
    yield from sorted(ROOT.glob("examples/**/*.md"))


def place_of(path: Path) -> Path:
    """Returns the place of a page or record in the site. The README of a folder is its first page."""
    place = path.relative_to(ROOT)
    return place.with_name("index.md") if place.name == FRONT else place


def device_place(device: str) -> Path:
    return Path("docs", "devices", f"{device.replace('/', '-')}.md")


def relative(place: Path, page: Path) -> str:
    return Path(os.path.relpath(place, page.parent)).as_posix()


def relinked(text: str, path: Path, records: set[Path]) -> str:
    """Returns the text of a page with the links of the site."""
    page = place_of(path)

    def link(match: re.Match[str]) -> str:
        name, hash, anchor = match["link"].partition("#")
        if "://" in name or not name:
            return match[0]
        target = Path(os.path.normpath(path.parent / name))
        target = target / FRONT if (target / FRONT).is_file() else target
        is_page = target.suffix == ".md" and target.is_file()
        if not is_page and target not in records:
            return match["text"]
        return f"[{match['text']}]({relative(place_of(target), page)}{hash}{anchor})"

    def row(match: re.Match[str]) -> str:
        device = match["device"]
        return f"| [{device}]({relative(device_place(device), page)}) |"

    if path.parent == DOCS / "targets":
        text = DEVICE_ROW.sub(row, text)
    parts = re.split(r"(```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in parts)


def pages() -> Iterator[tuple[Path, str]]:
    """Yields the place and the text of every page and record of the site."""
    records = sorted(DOCS.glob("reference/*.json"))
    for path in sources():
        yield place_of(path), relinked(path.read_text(encoding="utf-8"), path, set(records))
    for path in records:
        yield place_of(path), path.read_text(encoding="utf-8")
    for device, text in device_pages():
        yield device_place(device), text


def main(folder: Path) -> int:
    for place, text in pages():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
