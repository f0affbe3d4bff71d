"""Runs the networks of this folder from `.nir` to spikes and prints their results: `make demo`.

`tests/target/examples/test_demo.py` checks the functions that return results; all other functions format them.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from rich.text import Text

import nopt.api as nopt

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import encoder  # noqa: E402 (siblings of this script)
import make_examples  # noqa: E402
from bars import encode  # noqa: E402

BARS, RHYTHM = HERE / "bars" / "bars.nir", HERE / "rhythm" / "rhythm.nir"
SAMPLES = 64
RULES: tuple[tuple[str, str | None, str], ...] = (
    ("sinabs", None, "spikes as often as it fits"),
    ("norse", "subtract", "one spike, the rest stays"),
    ("norse", None, "one spike, back to v_reset"),
    ("euler", None, "never: dt scales the input"),
)
"""Preset, reset rule (None: the preset's default), and the effect of v above the threshold."""
BIN = 25
"""Ticks per column of a raster."""


@dataclass(frozen=True)
class Trained:
    """A network that was trained with a framework, and the rule of its training."""

    name: str
    path: Path
    dt: str
    like: str
    reset: str | None
    hidden: tuple[str, ...]
    """Populations other than the output."""

    @property
    def rule(self) -> str:
        return f"{self.like} {self.reset or ''}".strip()


TRAINED = (
    Trained("fc", HERE / "digits" / "fc.nir", "1ms", "norse", None, ("1",)),
    Trained("conv", HERE / "digits" / "conv.nir", "1ms", "sinabs", None, ("1", "4")),
    Trained("order", HERE / "order" / "order.nir", "0.1ms", "snntorch", "subtract_next", ("1.lif",)),
)
COMMANDS = (
    "nopt examples/bars/bars.nir",
    "nopt examples/bars/bars.nir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs}'",
    "nopt run examples/bars/bars.nir --input examples/bars/input.npy --dt 1ms --like sinabs",
    "nopt run examples/rhythm/rhythm.nir --input examples/rhythm/input.npy --dt 1ms --like norse",
    "nopt check examples/digits/fc.nir --dt 1ms --like norse",
    "nopt compile examples/digits/fc.nir --target c --dt 1ms --like norse -o build/fc",
    "python examples/encoder.py order order.npy",
    "nopt run examples/order/order.nir --input order.npy --dt 0.1ms --like snntorch --reset subtract_next",
)


# ---- results


def classified(like: str, reset: str | None, spikes: NDArray[np.bool_]) -> tuple[NDArray[np.int64], float]:
    """Returns the class of each sample, -1 if the network is silent, and the mean number of spikes per sample."""
    arrays = nopt.run(
        BARS, spikes, dt="1ms", like=like, reset=reset, record=["detectors"], diagnostics=nopt.Diagnostics()
    )
    votes = arrays["output"].sum(1, dtype=np.int64)
    fired = sum(int(array.sum(dtype=np.int64)) for array in arrays.values())
    return np.where(votes.any(1), votes.argmax(1), -1), fired / len(spikes)


def stepped() -> dict[str, NDArray[np.bool_]]:
    """Returns the spikes of both populations of the rhythm. Shapes: [1650, 12]."""
    drive = make_examples.drive()
    return nopt.run(RHYTHM, drive, dt="1ms", like="norse", record=["fatigue"], diagnostics=nopt.Diagnostics())


def steps(legs: NDArray[np.bool_]) -> int:
    """Counts the changes of the leading leg: the leg with more spikes in the last 40 ticks."""
    lead = legs[:, :6].sum(1) - legs[:, 6:].sum(1)
    recent = np.convolve(lead, np.ones(40), "same")
    leading = np.sign(recent)[np.abs(recent) > 10]
    return sum(int(a != b) for a, b in pairwise(leading))


def parts() -> list[tuple[str, slice, float]]:
    """Returns name, ticks and strength of each part of the drive."""
    bounds = np.cumsum([0, *(ticks for ticks, _ in (make_examples.REST, make_examples.WALK, make_examples.RUN))])
    strengths = (make_examples.REST[1], make_examples.WALK[1], make_examples.RUN[1])
    return [
        (name, slice(int(start), int(stop)), strength)
        for name, (start, stop), strength in zip(("rest", "walk", "run"), pairwise(bounds), strengths, strict=True)
    ]


@dataclass(frozen=True)
class Evaluated:
    """Results of a trained network for its test samples."""

    counts: NDArray[np.int64]
    """Spikes of each output neuron. Shapes: [samples, classes]."""
    expected: NDArray[np.int64]
    """The counts of the training framework."""
    labels: NDArray[np.int64]
    fired: int
    """Spikes of all populations."""
    seconds: float
    remarks: tuple[str, ...]
    """Repairs of the file: code and node."""

    @property
    def right(self) -> int:
        return int((self.counts.argmax(1) == self.labels).sum())

    @property
    def equal(self) -> int:
        """Returns the number of samples whose output counts all equal the framework's."""
        return int((self.counts == self.expected).all(1).sum())


@dataclass(frozen=True)
class Compiled:
    """A trained network as C: its accuracy, its memory, and the time of a tick."""

    right: int
    samples: int
    equal: bool
    """Whether every output spike of every sample equals the model's."""
    constants: int
    state: int
    """Bytes."""
    ns_per_tick: float


def compiled(net: Trained, folder: Path) -> Compiled:
    """Compiles a network to C, builds it with its Makefile, runs all samples, and runs the program on the first sample."""
    spikes, labels = encoder.test_input(net.name)
    quiet = nopt.Diagnostics()
    build = nopt.compile(net.path, target="c", dt=net.dt, like=net.like, reset=net.reset, out=folder, diagnostics=quiet)
    model = nopt.run(net.path, spikes, dt=net.dt, like=net.like, reset=net.reset, engine="numpy", diagnostics=quiet)
    chip = nopt.run(folder, spikes, diagnostics=quiet)
    artefact = folder / "artefact"
    subprocess.run(["make", "--silent", "-C", str(artefact)], check=True)
    np.save(artefact / "in.npy", spikes[0])
    said = subprocess.run(
        ["./net", "-r", "20", "-t", "in.npy", "out.npy"], cwd=artefact, check=True, capture_output=True, text=True
    )
    is_equal = np.array_equal(chip["output"], model["output"])
    return Compiled(
        int((chip["output"].sum(1, dtype=np.int64).argmax(1) == labels).sum()),
        len(labels),
        is_equal and np.array_equal(np.load(artefact / "out.npy"), model["output"][0]),
        build.report["memory"]["constants"],
        build.report["memory"]["state"],
        float(said.stdout.split()[0]),
    )


def evaluated(net: Trained) -> Evaluated:
    spikes, labels = encoder.test_input(net.name)
    with np.load(net.path.with_suffix(".npz")) as stored:
        expected = stored["counts"].astype(np.int64)
    found = nopt.Diagnostics()
    start = perf_counter()
    module = nopt.read(net.path, diagnostics=found)
    repaired = list(found.findings)
    arrays = nopt.run(
        module,
        spikes,
        dt=net.dt,
        like=net.like,
        reset=net.reset,
        record=list(net.hidden),
        diagnostics=nopt.Diagnostics(),
    )
    seconds = perf_counter() - start
    remarks = tuple(f'{finding.code.id} at "{finding.node}"' for finding in repaired)
    fired = sum(int(array.sum(dtype=np.int64)) for array in arrays.values())
    return Evaluated(arrays["output"].sum(1, dtype=np.int64), expected, labels, fired, seconds, remarks)


# ---- pictures


def seen(spikes: NDArray[np.bool_]) -> list[str]:
    """Draws four ticks of a sample; darker characters mean more spikes."""
    counts = spikes[: encode.HOLD, 0].sum(0)
    return ["".join(" ·oO@"[count] * 2 for count in row) for row in counts]


def raster(spikes: NDArray[np.bool_]) -> list[str]:
    """Draws one line per neuron, with one character per `BIN` ticks."""
    ticks = len(spikes) // BIN * BIN
    counts = spikes[:ticks].reshape(-1, BIN, spikes.shape[1]).sum(1)
    return ["".join(" ·oO@"[min(int(count), 4)] for count in row) for row in counts.T]


# ---- output


def laid_out(title: str, left: list[str], right: list[str]) -> Table:
    """Returns an empty table with its columns."""
    table = Table(title=f"\n{title}", title_justify="left", title_style="", box=None, padding=(0, 2, 0, 0))
    for name in left:
        table.add_column(name)
    for name in right:
        table.add_column(name, justify="right")
    return table


def show_bars(console: Console) -> None:
    spikes, labels = encode.samples(SAMPLES)
    console.rule("[bold]bars[/]  examples/bars/bars.nir", align="left")
    console.print("Is the bar in the noise horizontal or vertical? Samples 0 and 1, ticks 0 to 3:\n")
    for left, right in zip(seen(spikes[0]), seen(spikes[1]), strict=True):
        console.print(f"  │{left}│   │{right}│", highlight=False, markup=False)
    table = laid_out(
        f"One file, four meanings; {SAMPLES} samples:",
        ["like", "where v > v_threshold"],
        ["right", "wrong", "silent", "spikes"],
    )
    for like, reset, what in RULES:
        classes, fired = classified(like, reset, spikes)
        right, silent = int((classes == labels).sum()), int((classes < 0).sum())
        name = f"{like} reset={reset}" if reset else like
        table.add_row(name, what, f"{right / SAMPLES:.0%}", str(SAMPLES - right - silent), str(silent), f"{fired:.0f}")
    console.print(table)
    console.print("\nA .nir file holds neither a time step nor a reset rule, so nopt asks for both.")
    console.print("These weights were made for the first rule.\n")


def show_rhythm(console: Console) -> None:
    arrays = stepped()
    legs = arrays["output"]
    console.rule("[bold]rhythm[/]  examples/rhythm/rhythm.nir", align="left")
    console.print("A constant drive becomes steps: two legs inhibit each other, and tire.\n")
    heads = "".join(f"{name:<{(ticks.stop - ticks.start) // BIN}}" for name, ticks, _ in parts())
    console.print(Text(f"         {heads}", style="bold"))
    for number, line in enumerate(raster(legs)):
        name = {0: "left", 6: "right"}.get(number, "")
        console.print(Text(f"  {name:<6} {line}", style="cyan" if number < 6 else "magenta"))
    table = laid_out(
        f"{len(legs)} ticks of 1 ms, {BIN} for each column:",
        ["part"],
        ["drive", "steps", "steps/s", "spikes of the legs", "of their fatigue"],
    )
    for name, ticks, strength in parts():
        count, seconds = steps(legs[ticks]), (ticks.stop - ticks.start) / 1000
        spikes = [str(int(array[ticks].sum(dtype=np.int64))) for array in (legs, arrays["fatigue"])]
        table.add_row(name, f"{strength:g}", str(count), f"{count / seconds:.1f}", *spikes)
    console.print(table)


def show_trained(console: Console) -> None:
    console.rule("[bold]trained[/]  examples/digits/, examples/order/", align="left")
    console.print("Handwritten digits, twice, and the order of two bumps: trained in three tools.")
    table = laid_out(
        "Test samples; equal: how many get the output counts of their training tool:",
        ["network", "like"],
        ["samples", "right", "equal", "spikes", "s"],
    )
    repaired: list[str] = []
    for net in TRAINED:
        found = evaluated(net)
        if found.remarks:
            repaired.append(f"{net.path.parent.name}/{net.path.name} was repaired: {', '.join(found.remarks)}")
        count = len(found.labels)
        table.add_row(
            f"{net.path.parent.name}/{net.path.name}",
            net.rule,
            str(count),
            f"{found.right / count:.1%}",
            str(found.equal),
            f"{found.fired / count:.0f}",
            f"{found.seconds:.1f}",
        )
    console.print(table)
    console.print()
    for line in repaired:
        console.print(line, highlight=False, markup=False)


def show_compiled(console: Console) -> None:
    console.rule("[bold]compiled[/]  nopt compile --target c", align="left")
    if shutil.which("cc") is None or shutil.which("make") is None:
        console.print("skipped: no C compiler (cc) or no make on this machine")
        return
    console.print("The same three as C99 of their own, without a library: every spike as the model's.")
    table = laid_out("All test samples; ns per tick of one sample, one thread:", ["network"],
                     ["right", "equal", "constants", "state", "ns/tick"])  # fmt: skip
    with TemporaryDirectory() as folder:
        for net in TRAINED:
            found = compiled(net, Path(folder) / net.name)
            table.add_row(
                f"{net.path.parent.name}/{net.path.name}",
                f"{found.right / found.samples:.1%}",
                "yes" if found.equal else "no",
                f"{found.constants} bytes",
                f"{found.state} bytes",
                f"{found.ns_per_tick:.0f}",
            )
    console.print(table)


def reported(folder: Path) -> Path:
    """Compiles the convolutional network of digits for a 6 x 6 mesh of cores, and returns the page of the build."""
    x, labels = encoder.test_input("conv")
    legalize = 'ntensor-legalize{device="asic/mesh" approximate=bound,count,comparison}'
    folder.parent.mkdir(parents=True, exist_ok=True)
    nopt.compile(
        HERE / "digits" / "conv.nir",
        target="asic/mesh",
        passes=legalize,
        calib=x[:SAMPLES],
        labels=labels[:SAMPLES],
        out=folder,
        diagnostics=nopt.Diagnostics(),
        dt="1ms",
        like="sinabs",
    )
    nopt.write_report(folder / "report.html", folder, x[:SAMPLES], diagnostics=nopt.Diagnostics())
    return folder / "report.html"


def show_report(console: Console) -> None:
    console.rule("[bold]reported[/]  nopt report", align="left")
    if find_spec("jinja2") is None or find_spec("matplotlib") is None:
        console.print("skipped: the extra report is not installed: pip install 'nopt\\[report]'")
        return
    page = reported(HERE.parent / "build" / "demo")
    console.print("Digits with convolutions on a mesh of 6 x 6 cores: spikes, loss, cores and cost in one page.")
    console.print(f"Open {page}", highlight=False, markup=False, soft_wrap=True)


def main() -> None:
    console = Console(width=max(80, Console().width))
    start = perf_counter()
    show_bars(console)
    show_rhythm(console)
    if find_spec("sklearn") is None:
        console.print("skipped, the handwritten digits are not installed: pip install -e '.\\[examples]'")
    else:
        show_trained(console)
        show_compiled(console)
        show_report(console)
    console.print(f"\nFrom .nir to spikes, all of it: {perf_counter() - start:.1f} s. The same by hand:\n")
    for command in COMMANDS:
        console.print(f"  {command}", style="green", highlight=False, markup=False, soft_wrap=True)


if __name__ == "__main__":
    main()
