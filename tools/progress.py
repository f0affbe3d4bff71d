"""Progress of a verb on a terminal: a line on standard error with the time that is left, for commands that take longer than a moment.

The line also names what is done now, such as a pass. It appears after `PATIENCE_S`, and is removed at the end. It is missing if standard error is another
file than a terminal, and with `--quiet`, which discards standard error.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from threading import Timer
from time import perf_counter
from typing import TYPE_CHECKING

from ..core.output import printable_line
from ..core.progress import ACTIVITIES, doing

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import Task

PATIENCE_S = 1.0
"""Duration of a command before it shows its progress."""
BAR_WIDTH = 20
"""Width of the bar in characters; the rest of the line is used for names."""


class Bar:
    """Line with the finished share, the current activity and the remaining time.

    with Bar("points") as bar:
        sweep(…, progress=bar.progress)
    """

    def __init__(self, what: str = "ticks") -> None:
        self.what = what
        self.last: float = 0.0
        self.stack = ExitStack()
        self.is_shown = False

    def __enter__(self) -> Bar:
        self.activity = self.stack.enter_context(doing(self.what))
        self.open = ACTIVITIES.open
        self.is_shown = sys.stderr.isatty()
        if self.is_shown:
            self.start = perf_counter()
            self.bars = self.make_bars()
            self.task = self.bars.add_task(self.what, total=None)
            self.timer = Timer(PATIENCE_S, self.bars.start)
            self.timer.daemon = True
            self.timer.start()
        return self

    def make_bars(self) -> Bars:
        """Returns the progress line, which is not yet shown."""
        from rich.console import Console
        from rich.progress import BarColumn, ProgressColumn, TaskProgressColumn
        from rich.progress import Progress as Bars
        from rich.table import Column
        from rich.text import Text

        bar = self

        class Doing(ProgressColumn):
            """Name of the steps, and of the current activity."""

            def render(self, task: Task) -> Text:
                return Text(bar.description())

        class TimeLeft(ProgressColumn):
            """Estimated remaining time."""

            def render(self, task: Task) -> Text:
                return Text(bar.time_left())

        columns = (
            Doing(Column(no_wrap=True, overflow="ellipsis", ratio=1)),
            BarColumn(BAR_WIDTH),
            TaskProgressColumn(table_column=Column(no_wrap=True)),
            TimeLeft(Column(no_wrap=True)),
        )
        return Bars(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)

    def progress(self, done: int, all: int) -> None:
        """Stores the number of finished steps and the total number of steps."""
        one = self.activity
        if done > one.done or all != one.all:
            one.done, one.all, self.last = done, all, perf_counter()
            if self.is_shown:
                self.bars.update(self.task, completed=done, total=all)

    def description(self) -> str:
        """Returns the noun of the steps and the name of the innermost activity."""
        now = self.open[-1]
        if now is self.activity:
            return self.what
        head = printable_line(now.head())
        return f"{self.what}: {head}"

    def time_left(self) -> str:
        """Formats the remaining time, estimated from the mean duration of the finished steps; `?` before the first step ends and after the estimated end."""
        done, all = self.activity.done, self.activity.all
        if not done or not all:
            return "?:??:?? left"
        rest = (self.last - self.start) * (all - done) / done - (perf_counter() - self.last)
        if rest < 0 and done < all:  # the current step takes longer than all that are left were estimated to take
            return "?:??:?? left"
        minutes, seconds = divmod(max(0, round(rest)), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02} left"

    def __exit__(self, *_: object) -> None:
        if self.is_shown:
            self.timer.cancel()
            self.timer.join()
            self.bars.stop()
        self.stack.close()
