"""Reports in headless Chromium: `make report-shots` writes screenshots, and tests read what a page has drawn.

A probe is added to a copy of the page. It selects a core, and writes its observations as JSON into the document, which Chromium prints.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from places import EXAMPLES, ROOT

import nopt

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
WIDTHS = {"desktop": 1280, "phone": 390}
LIMIT_S = 120
BUDGET_MS = 60_000
THEMES = (["--blink-settings=preferredColorScheme=1"], ["--blink-settings=preferredColorScheme=0"])
"""Options of Chromium for the light and the dark theme."""

PROBE_HEAD = "<script>window.faults = []; window.addEventListener('error', (e) => window.faults.push(String(e.message)), true);</script>"
PROBE = """<script>
const channels = (text) => (text.match(/[0-9.]+/g) || [0, 0, 0, 0]).map(Number);
const painted = (text) => { // [red, green, blue, alpha] in 0 to 1
  const [red, green, blue, alpha = 1] = channels(text);
  return text.startsWith("color(") ? [red, green, blue, alpha] : [red / 255, green / 255, blue / 255, alpha];
};
const over = (front, back) => [0, 1, 2].map((k) => front[k] * front[3] + back[k] * (1 - front[3])).concat([1]);
const ground = (element) => {
  let layers = [];
  const box = element.ownerSVGElement && element.closest(".core, .box");
  if (box && box.querySelector("rect")) layers.push(painted(getComputedStyle(box.querySelector("rect")).fill.replace("none", "rgba(0,0,0,0)")));
  for (let one = element; one; one = one.parentElement) layers.push(painted(getComputedStyle(one).backgroundColor));
  return layers.reverse().reduce((back, front) => over(front, back), [1, 1, 1, 1]);
};
const light = ([red, green, blue]) => {
  const linear = (x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
};
const contrast = (element) => {
  const back = ground(element), style = getComputedStyle(element);
  const text = over(painted(element.ownerSVGElement ? style.fill : style.color), back);
  const [low, high] = [light(back), light(text)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};
const faint = () => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  for (const details of document.querySelectorAll("details")) details.open = true;
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || ["SCRIPT", "STYLE"].includes(element.tagName) || element.tagName === "title") continue;
    const ratio = contrast(element);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${element.tagName} ${element.getAttribute("class")} ${walker.currentNode.data.trim().slice(0, 30)}`);
  }
  return found;
};
const undrawn = async () => {
  const sources = [...document.querySelectorAll("svg image")].map((image) => image.href.baseVal);
  const drawn = await Promise.all(sources.map((source) => { const image = new Image(); image.src = source; return image.decode().then(() => true, () => false); }));
  return drawn.filter((one) => !one).length;
};
window.addEventListener("load", async () => {
  const boxes = [...document.querySelectorAll(".core")];
  const core = boxes.find((box) => box.dataset.core === "CORE") || boxes[0];
  if (core) core.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const found = {
    faults: window.faults,
    charts: document.querySelectorAll("svg.chart").length,
    images: document.querySelectorAll("svg image").length,
    undrawn: await undrawn(),
    elements: document.querySelectorAll("*").length,
    is_dark: matchMedia("(prefers-color-scheme: dark)").matches,
    rasters: [...document.querySelectorAll("svg.chart")].map((chart) => chart.getAttribute("aria-label")).filter((label) => label.startsWith("raster of ")),
    faint: faint(),
    overflow: document.documentElement.scrollWidth - window.innerWidth,
    cores: boxes.length,
    links: [...document.querySelectorAll(".link")].reduce((sum, one) => sum + Number(one.dataset.links), 0),
    chosen: document.querySelectorAll(".core.chosen").length,
    routes: document.querySelectorAll(".link.routed").length,
    details: (document.querySelector(".details") || {}).textContent || "",
    outside: performance.getEntriesByType("resource").filter((one) => !one.name.startsWith("data:")).length,
    width: window.innerWidth,
  };
  const text = document.createElement("pre");
  text.id = "probe";
  text.textContent = JSON.stringify(found);
  document.body.appendChild(text);
});
</script>"""


def chromium() -> str | None:
    """Returns the path of Chromium; None if it is not installed."""
    return next((path for name in NAMES if (path := shutil.which(name)) is not None), None)


def command(program: str, width: int, height: int, profile: Path) -> list[str]:
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"]
    return [program, *options, f"--user-data-dir={profile}", f"--window-size={width},{height}"]


def observe(
    program: str, page: Path, width: int, folder: Path, core: str = "0/0", *, is_dark: bool = False
) -> dict[str, Any]:
    """Returns what a page shows in a frame of a width, after a click on a core, in the light or the dark theme.

    A window of Chromium has a minimal width, so the page is in a frame.
    """
    text = page.read_text(encoding="utf-8")
    text = text.replace("<head>", f"<head>{PROBE_HEAD}", 1)
    text = text.replace("</body>", f"{PROBE.replace('CORE', core)}</body>", 1)
    inner, outer = folder / "probed.html", folder / "frame.html"
    inner.write_text(text, encoding="utf-8")
    outer.write_text(
        f'<!doctype html><iframe id="f" src="probed.html" width="{width}" height="800" style="border:0"></iframe>'
        "<pre id='out'></pre><script>const wait = setInterval(() => {"
        "const probe = document.getElementById('f').contentDocument.getElementById('probe');"
        "if (probe) { clearInterval(wait); document.getElementById('out').textContent = probe.textContent; } }, 50);</script>",
        encoding="utf-8",
    )
    options = [
        "--allow-file-access-from-files",
        f"--virtual-time-budget={BUDGET_MS}",
        *THEMES[is_dark],
        "--dump-dom",
        outer.as_uri(),
    ]
    done = subprocess.run(
        [*command(program, 1400, 900, folder / "profile"), *options],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=True,
    )
    match = re.search(r"<pre id=['\"]out['\"]>(.*?)</pre>", done.stdout, re.DOTALL)
    assert match is not None, done.stderr[-2000:]
    return json.loads(match[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


def build_cnn(folder: Path) -> Path:
    """Compiles a convolutional network for the cores of a 6 x 6 mesh, and returns its page."""
    legalize = 'ntensor-legalize{device="asic/mesh" approximate=bound,count,comparison}'
    return build(folder, "conv", "sinabs", legalize, target="asic/mesh")


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
    return build(folder, "fc", "norse", "ntensor-quantize-inputs{kind=spike}", device=device)


def build(folder: Path, name: str, like: str, passes: str, **where: Any) -> Path:
    x = "poisson:0.2,ticks=20,samples=2"
    network, out, found = EXAMPLES / "digits" / f"{name}.nir", folder / name, nopt.Diagnostics()
    nopt.compile(network, out=out, passes=passes, calib=x, dt="1ms", like=like, diagnostics=found, **where)
    nopt.write_report(out / "report.html", out, x, diagnostics=found)
    return out / "report.html"


def main(folder: Path) -> int:
    """Writes a screenshot of each page at each width."""
    if (program := chromium()) is None:
        print("no Chromium: apt-get install chromium")
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    for make in (build_cnn, build_two_chips):
        page = make(folder)
        for name, width in WIDTHS.items():
            shot = folder / f"{page.parent.name}-{name}.png"
            frame = folder / "frame.html"
            frame.write_text(
                f'<iframe src="{page.as_uri()}" width="{width}" height="6000" style="border:0"></iframe>',
                encoding="utf-8",
            )
            options = [f"--screenshot={shot}", frame.as_uri()]
            arguments = [*command(program, width + 16, 6000, folder / "profile"), *options]
            subprocess.run(arguments, capture_output=True, timeout=LIMIT_S, check=True)
            print(f"wrote {shot}")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
