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
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || ["SCRIPT", "STYLE"].includes(element.tagName) || element.tagName === "title") continue;
    const ratio = contrast(element);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${element.tagName} ${element.getAttribute("class")} ${walker.currentNode.data.trim().slice(0, 30)}`);
  }
  return found;
};
const label = (element) => element.querySelector("title") ? element.querySelector("title").textContent.slice(0, 40) : element.getAttribute("class");
const overlap = (a, b) => a.x < b.x + b.width - 1 && b.x < a.x + a.width - 1 && a.y < b.y + b.height - 1 && b.y < a.y + a.height - 1;
const inside = (point, box) => point.x > box.x + 1 && point.x < box.x + box.width - 1 && point.y > box.y + 1 && point.y < box.y + box.height - 1;
// boxes that overlap, edges and links behind boxes, and texts that are wider than their boxes; in units of each drawing
const clashes = () => {
  const found = [];
  for (const svg of document.querySelectorAll("svg.graph, svg.map")) {
    const boxes = [...svg.querySelectorAll(".box, .core")].map((element) => {
      const rect = element.querySelector("rect").getBBox();
      for (const text of element.querySelectorAll("text"))
        if (text.getComputedTextLength() > rect.width) found.push(`text "${text.textContent}" is wider than its box`);
      return { element, rect };
    });
    for (const [k, one] of boxes.entries()) for (const other of boxes.slice(k + 1))
      if (!one.element.matches(".layer") && !other.element.matches(".layer") && overlap(one.rect, other.rect))
        found.push(`${label(one.element)} overlaps ${label(other.element)}`);
    for (const line of svg.querySelectorAll("path.edge, path.link")) {
      const ends = [line.dataset.source, line.dataset.target], length = line.getTotalLength(), points = [];
      for (let at = 0; at <= length; at += 2) points.push(line.getPointAtLength(at));
      for (const { element, rect } of boxes) {
        const is_end = element.dataset.box !== undefined && ends.includes(element.dataset.box);
        if (!is_end && points.some((point) => inside(point, rect))) found.push(`${line.getAttribute("class")} ${label(line)} is behind ${label(element)}`);
      }
    }
  }
  return found;
};
// the core with the focus after an arrow key, and the core that Enter selects
const typed = (core) => {
  const press = (element, key) => element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const focused = () => document.querySelector('.core[tabindex="0"]');
  for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]) {
    press(core, key);
    if (focused() !== core) break;
  }
  const next = focused();
  press(next, "Enter");
  const chosen = document.querySelector(".core.chosen");
  press(next, "Escape");
  return { moved: next !== core, entered: chosen === next, left: document.querySelectorAll(".core.chosen, .link.routed").length };
};
window.addEventListener("load", () => {
  const height = document.documentElement.scrollHeight; // with folded parts
  for (const details of document.querySelectorAll("details")) details.open = true;
  const boxes = [...document.querySelectorAll(".core")];
  const core = boxes.find((box) => box.dataset.core === "CORE") || boxes[0];
  if (core) core.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const found = {
    faults: window.faults,
    charts: document.querySelectorAll("svg.chart").length,
    images: document.querySelectorAll("svg image").length,
    undrawn: window.undrawn,
    elements: document.querySelectorAll("*").length,
    is_dark: matchMedia("(prefers-color-scheme: dark)").matches,
    rasters: [...document.querySelectorAll("svg.chart")].map((chart) => chart.getAttribute("aria-label")).filter((label) => label.startsWith("raster of ")),
    clashes: clashes(),
    graphs: document.querySelectorAll("svg.graph").length,
    edges: document.querySelectorAll(".edge").length,
    faint: faint(),
    overflow: document.documentElement.scrollWidth - window.innerWidth,
    cores: boxes.length,
    links: [...document.querySelectorAll(".link")].reduce((sum, one) => sum + Number(one.dataset.links), 0),
    chosen: document.querySelectorAll(".core.chosen").length,
    routes: document.querySelectorAll(".link.routed").length,
    details: (document.querySelector(".details") || {}).textContent || "",
    outside: performance.getEntriesByType("resource").filter((one) => !one.name.startsWith("data:")).length,
    width: window.innerWidth,
    height,
  };
  found.keys = core ? typed(core) : null;
  const text = document.createElement("pre");
  text.id = "probe";
  text.textContent = JSON.stringify(found);
  document.body.appendChild(text);
});
