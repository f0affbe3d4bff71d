"""Reports in headless Chromium: `make report-shots` writes screenshots, and tests read what a page has drawn.

A probe is added to a copy of the page. It selects a core, and writes its observations as JSON into the document, which Chromium prints.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from html import unescape
from itertools import product
from pathlib import Path
from typing import Any

from attrs import frozen
from places import EXAMPLES, ROOT

import nopt

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
WIDTHS = {"desktop": 1280, "phone": 390}
LIMIT_S = 120
NARROWEST = 500
"""Smallest width of a window of Chromium."""
BUDGET_MS = 8000
THEMES = (["--blink-settings=preferredColorScheme=1"], ["--blink-settings=preferredColorScheme=0"])
"""Options of Chromium for the light and the dark theme."""

PROBE_HEAD = """<script>
window.faults = [];
window.undrawn = 0;
window.addEventListener("error", (event) => {
  if (event.target instanceof SVGImageElement) window.undrawn += 1;
  else window.faults.push(String(event.message));
}, true);
</script>"""
PROBE = (Path(__file__).parent / "probe.js").read_text(encoding="utf-8")
"""Script of the observations; it replaces CORE by the key of a core that it selects."""


def chromium() -> str | None:
    """Returns the path of Chromium; None if it is not installed."""
    return next((path for name in NAMES if (path := shutil.which(name)) is not None), None)


def command(program: str, width: int, height: int, profile: Path) -> list[str]:
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"]
    return [program, *options, f"--user-data-dir={profile}", f"--window-size={width},{height}"]


@frozen
class View:
    """A page at a width; `core` is the box that is selected."""

    page: Path
    width: int
    core: str


def observe(program: str, views: Sequence[View], folder: Path, *, is_dark: bool) -> list[dict[str, Any]]:
    """Returns what pages show after a click on a core, in the light or the dark theme.

    A window of Chromium has a minimal width, so each page is in a frame.
    """
    frames: list[str] = []
    for number, view in enumerate(views):
        text = view.page.read_text(encoding="utf-8").replace("<head>", f"<head>{PROBE_HEAD}", 1)
        script = f"<script>{PROBE.replace('CORE', view.core)}</script>"
        (folder / f"{number}.html").write_text(text.replace("</body>", f"{script}</body>", 1), encoding="utf-8")
        frames.append(f'<iframe src="{number}.html" width="{view.width}" height="800" style="border:0"></iframe>')
    outer = folder / "frames.html"
    outer.write_text(
        f"<!doctype html>{''.join(frames)}<pre id='out'></pre><script>const wait = setInterval(() => {{"
        "const probes = [...document.querySelectorAll('iframe')].map((one) => one.contentDocument.getElementById('probe'));"
        "if (probes.every(Boolean)) { clearInterval(wait);"
        "document.getElementById('out').textContent = `[${probes.map((one) => one.textContent)}]`; } }, 50);</script>",
        encoding="utf-8",
    )
    options = ["--allow-file-access-from-files", f"--virtual-time-budget={BUDGET_MS}", *THEMES[is_dark], "--dump-dom"]
    arguments = [*command(program, 1400, 900, folder / "profile"), *options, outer.as_uri()]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=LIMIT_S, check=True)
    match = re.search(r"<pre id=['\"]out['\"]>(.*?)</pre>", done.stdout, re.DOTALL)
    assert match is not None, done.stderr[-2000:]
    return json.loads(unescape(match[1]))


@frozen
class Build:
    """A build of an example of `examples/digits`."""

    network: str
    like: str
    target: str | None = None
    passes: str = ""
    settings: tuple[str, ...] = ()


BUILDS = {
    "mesh": Build(
        "conv", "sinabs", "asic/mesh", 'ntensor-legalize{device="asic/mesh" approximate=bound,count,comparison}'
    ),
    "loihi": Build("conv", "sinabs", "loihi2/programmable", settings=("core.neurons=40",)),
    "hex-torus": Build("fc", "norse", "spinnaker/spinn5", settings=("core.neurons=3",)),
    "speck": Build("conv", "sinabs", "dynapcnn/speck2f"),
    "crossbars": Build("fc", "norse", "memxbar/array128"),
}
"""Builds on a mesh, on cores that share routers, on a hex torus, on cores for layers, and on arrays."""


def build(folder: Path, name: str) -> Path:
    """Compiles a network, and returns the page of the build."""
    given = BUILDS[name]
    return page_of(folder / name, given, target=given.target, set=given.settings)


def build_two_chips(folder: Path) -> Path:
    """Compiles a digits network for two chips of four cores, and returns its page."""
    record = json.loads((ROOT / "targets" / "asic" / "devices" / "multi.json").read_text(encoding="utf-8"))
    topology = record["topology"]
    topology["reserved"] = [one for one in topology["reserved"] if one["chip"] < 2]
    for field, value in (("chips", 2), ("cores", 8)):
        topology[field]["value"] = value
    for mesh, width, height in (("mesh", 2, 2), ("chip_mesh", 2, 1)):
        topology[mesh]["width"]["value"], topology[mesh]["height"]["value"] = width, height
    record["core"]["neurons"]["value"] = 32
    device = folder / "two_chips.json"
    device.write_text(json.dumps({**record, "name": "two_chips", "$schema": ""}), encoding="utf-8")
    return page_of(
        folder / "two-chips", Build("fc", "norse", passes="ntensor-quantize-inputs{kind=spike}"), device=device
    )


def page_of(out: Path, given: Build, **where: Any) -> Path:
    x = "poisson:0.2,ticks=20,samples=2"
    network, found = EXAMPLES / "digits" / f"{given.network}.nir", nopt.Diagnostics()
    nopt.compile(network, out=out, passes=given.passes, calib=x, dt="1ms", like=given.like, diagnostics=found, **where)
    nopt.write_report(out / "report.html", out, x, diagnostics=found)
    return out / "report.html"


def main(folder: Path) -> int:
    """Writes a screenshot of the page of each build at each width in each theme."""
    if (program := chromium()) is None:
        print("no Chromium: apt-get install chromium")
        return 1
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "builds").mkdir(parents=True)
    for name in BUILDS:
        page = build(folder / "builds", name)
        views = [View(page, width, "") for width in WIDTHS.values()]
        heights = [one["height"] for one in observe(program, views, folder / "builds", is_dark=False)]
        for ((screen, width), height), is_dark in product(zip(WIDTHS.items(), heights, strict=True), (False, True)):
            shot, frame = folder / f"{name}-{screen}-{'dark' if is_dark else 'light'}.png", folder / "frame.html"
            frame.write_text(
                f'<body style="margin:0"><iframe src="{page.as_uri()}" width="{width}" height="{height}" style="border:0"></iframe>',
                encoding="utf-8",
            )
            options = [*THEMES[is_dark], f"--screenshot={shot}", frame.as_uri()]
            arguments = [*command(program, max(width, NARROWEST), height, folder / "profile"), *options]
            subprocess.run(arguments, capture_output=True, timeout=LIMIT_S, check=True)
            print(f"wrote {shot}")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
