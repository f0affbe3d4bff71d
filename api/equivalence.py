"""`--verify-equivalence`: runs the network before the first pass and after each, and says where a pass changed what it computes."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..core.diagnostics import Diagnostics
from ..core.pipeline import pass_text
from .comparison import Comparison, compare
from .discretisation import Choices, is_discretised
from .driver import Watcher
from .execution import Result, execute
from .signals import Given


def watcher(given: Given, choices: Choices, log: Callable[[str], None]) -> Callable[[], Watcher]:
    """What the driver calls for each module of a file: a fresh watcher, which compares with the module before the first pass.

    A network that is still `nir` is discretised by `choices`, in a copy; what the conversion remarks is said when the user
    runs it. Errors: those of a run.
    """

    def fresh() -> Watcher:
        before: list[Result] = []

        def watch(done: ModulePass | None, module: ModuleOp) -> None:
            made: Choices = {} if is_discretised(module) else choices
            now = execute(module, given, diagnostics=Diagnostics(), choices=made)
            if done is not None:
                found = compare(before[0].arrays, now.arrays, samples=now.has_samples)
                log("\n".join(f"{pass_text(done)}: {line}" for line in verdicts(found)))
            before.append(now)

        return watch

    return fresh


def verdicts(found: Comparison) -> list[str]:
    """One line that all is equal, or a line for each output that is not."""
    if found.equal:
        return ["equal"]
    lines: list[str] = []
    for name, one in found.arrays.items():
        if one.first is not None:
            place = "" if one.first.sample is None else f"sample {one.first.sample}, "
            rate, bins = ("nan" if x is None else f"{x:.6f}" for x in (one.rate_cosine, one.bin_cosine))
            lines.append(
                f'"{name}" differs: rate cosine {rate}, bin cosine {bins}, first at {place}tick {one.first.tick}, '
                f"index {one.first.index}: {one.first.a:.9g} became {one.first.b:.9g}"
            )
        elif not one.equal:
            lines.append(f'"{name}" has another shape: {list(one.shape_a)} became {list(one.shape_b)}')
    lines += [f'"{name}" is gone' for name in found.only_in_a]
    lines += [f'"{name}" is new' for name in found.only_in_b]
    return lines
