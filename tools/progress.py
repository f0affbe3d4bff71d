"""Progress of a verb on a terminal: a line on standard error with the time that is left, for commands that take longer than a moment.

The line appears after `PATIENCE_S`, and is removed at the end. It is missing if standard error is another file than a terminal, and with `--quiet`, which
discards standard error.
"""

from __future__ import annotations

import sys
from threading import Timer
from time import perf_counter
from typing import TYPE_CHECKING

from ..core.progress import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import Task

PATIENCE_S = 1.0
"""Duration of a command before it shows its progress."""


class Bar:
    """Line with the share that is done and the time that is left.

    with Bar("points") as bar:
        sweep(…, progress=bar.progress)
    """

    def __init__(self, what: str = "ticks") -> None:
        self.what = what
        self.progress: Progress | None = None
        """The function for the operation; None without a line."""
        self.done: int = 0
        self.all: int = 0
        self.last: float = 0.0

    def __enter__(self) -> Bar:
        if sys.stderr.isatty():
            self.start = perf_counter()
            self.bars = self.make_bars()
            self.task = self.bars.add_task(self.what, total=None)
            self.timer = Timer(PATIENCE_S, self.bars.start)
            self.timer.daemon = True
            self.timer.start()
            self.progress = self.update
        return self

    def make_bars(self) -> Bars:
        """Returns the line, which is not shown yet."""
        from rich.console import Console
        from rich.progress import BarColumn, ProgressColumn, TaskProgressColumn, TextColumn
        from rich.progress import Progress as Bars
        from rich.text import Text

        bar = self

        class TimeLeft(ProgressColumn):
            """The estimated time that is left."""

            def render(self, task: Task) -> Text:
                return Text(bar.time_left())

        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeLeft())
        return Bars(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)

    def update(self, done: int, all: int) -> None:
        if done > self.done or all != self.all:
            self.done, self.all, self.last = done, all, perf_counter()
            self.bars.update(self.task, completed=done, total=all)

    def time_left(self) -> str:
        """Returns the time that is left if every step takes as long as those that are done; `?` before the first is done."""
        if not self.done or not self.all:
            return "?:??:?? left"
        rest = (self.last - self.start) * (self.all - self.done) / self.done - (perf_counter() - self.last)
        minutes, seconds = divmod(max(0, round(rest)), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02} left"

    def __exit__(self, *_: object) -> None:
        if self.progress is not None:
            self.timer.cancel()
            self.timer.join()
            self.bars.stop()
