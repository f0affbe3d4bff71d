"""Time budgets: a computation that exceeds its time is interrupted at any point, and ends with a refusal.

    with Budget(30.0):
        compile(…)

1. In the main thread a timer of the system interrupts Python code, and waits for processes and files. A call of native code, such as a
   product of matrices, ends first.
2. In other threads, and on systems without such a timer, a thread raises the exception between two bytecodes. Waits end first.
3. `Expired` is not an `Exception`, so that no handler for errors catches it. If it is caught nevertheless, it is raised again.
4. It is postponed, for `GRACE_S` at most, while its traceback is unwound, and in code whose interruption would leave files or half of a
   module (`WHOLE`).

The context that opened the budget raises `OutOfTime`, with the current activities (`core/progress.py`). An operation whose finished
parts are results, such as the points of a sweep, keeps them with `Partial`.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from inspect import currentframe
from time import monotonic
from types import FrameType
from typing import Any

from .diagnostics import Code, ExitCode, Finding, Refused
from .help_text import Phrase, WithoutOptions
from .progress import ACTIVITIES, Activity

COR006 = Code("COR006", "time-budget-exhausted", "the time budget is used up", exit_code=ExitCode.OUT_OF_TIME)
COR007 = Code(
    "COR007",
    "time-budget-left-parts-unfinished",
    "the time budget ended before all parts were finished",
    exit_code=ExitCode.OUT_OF_TIME,
)

PERIOD_S, SOON_S, GRACE_S = 0.05, 0.001, 5.0
"""Time between two attempts to raise the exception, time from a postponed attempt to the next one, and longest total postponement."""
WHOLE = frozenset(
    ["tempfile", "shutil", "importlib._bootstrap", "_frozen_importlib", f"{__package__}.replacement", __name__]
)
"""Modules whose calls are not interrupted."""
STARTING = "_execute_child"
"""Function of `subprocess` that starts a process; its interruption would lose the process."""
FLAG = "--max-time"


class Expired(BaseException):
    """End of the time. It does not derive from `Exception`, so that handlers for errors pass it on."""


class OutOfTime(Refused):
    """Refusal of an operation whose time budget is used up."""


class Budget:
    """Context of one thread that lasts at most some seconds. Of nested budgets, the one that ends first applies.

    `help` is the remedy, by default the command without the option. Errors: COR006.
    """

    def __init__(self, seconds: float, help: str | None = None):
        self.seconds = seconds
        self.help = help or Phrase(WithoutOptions((FLAG,), in_pipeline=f"a longer time than {seconds:g} s"))
        self.deadline = float("inf")
        self.is_spent = False
        """Whether the finished parts were kept, so that the exception is not raised any more."""
        self.raised_at: float | None = None
        self.activities: list[Activity] = []
        """The activities at the end of the time, the innermost first."""
        self.found = self.longest = ""
        self.opener: FrameType | None = None
        """The frame that opened the budget, whose callers are not interrupted."""

    def __enter__(self) -> Budget:
        self.deadline = monotonic() + self.seconds
        if (frame := currentframe()) is not None:
            self.opener = frame.f_back
        ACTIVITIES.open[-1].longest = (0.0, "")
        OPEN.budgets.append(self)
        arm()
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        try:
            self.close()
        except Expired:  # raised by a thread at the last moment
            self.close()
        is_expired = error is None or any(isinstance(one, Expired) for one in causes(error))
        if self.raised_at is not None and not self.is_spent and is_expired:
            raise OutOfTime(self.finding(COR006, f"{COR006.summary} in {self.activities[0].head()}")) from None

    def close(self) -> None:
        if self in OPEN.budgets:
            OPEN.budgets.remove(self)
        self.opener = None
        arm()

    def expire(self, open: Sequence[Activity]) -> None:
        """Stores the activities of the thread when the exception is first raised."""
        if self.raised_at is None:
            self.activities = [*reversed(open[1:])] or [*open]
            self.found = ", in ".join(one.text() for one in self.activities)
            seconds, name = max(one.longest for one in open)
            self.longest = f"the longest finished part: {name}, {seconds:.1f} s" if name else ""
        self.raised_at = monotonic()

    def finding(self, code: Code, message: str) -> Finding:
        """Returns the finding about the end of the time."""
        return Finding(
            code,
            message,
            at=f"{FLAG} {self.seconds:g}s",
            expected=f"an end within {self.seconds:g} s",
            found=self.found,
            help=self.help,
            notes=[self.longest] if self.longest else [],
        )

    def unfinished(self, left: str) -> Finding:
        """Returns the finding about the parts that are not finished."""
        return self.finding(COR007, f"{left} not finished: the time is used up")


class Partial(AbstractContextManager[Any, bool]):
    """Context that ends when the time is used up, and keeps the finished parts. The time to write their output is not limited.

    with Partial() as result:
        for part in parts:
            …
    if result.is_partial: …
    """

    def __init__(self) -> None:
        self.budget: Budget | None = None
        """The budget that ended."""

    @property
    def is_partial(self) -> bool:
        return self.budget is not None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, Expired):
            return False
        self.budget = next((one for one in OPEN.budgets if one.raised_at is not None), None)
        if self.budget is None:
            return False
        for one in OPEN.budgets:
            one.is_spent = one.is_spent or one.deadline <= self.budget.deadline
        arm()
        return True

    def finding(self, left: str) -> Finding | None:
        """Returns the finding about the parts that are not finished, `3 of 7 points`; None if all are."""
        return None if self.budget is None else self.budget.unfinished(left)


class Open(threading.local):
    """Budgets of a thread, the outermost first, and the timer or thread that monitors them."""

    def __init__(self) -> None:
        self.budgets: list[Budget] = []
        self.watch: Watch | None = None


OPEN = Open()


def forget() -> None:
    """Closes the budgets of the parent of a forked process."""
    OPEN.__init__()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=forget)


def expired(left: str) -> Finding | None:
    """Returns the finding about unfinished parts if a budget of this thread has ended, including a budget inside a part."""
    ended = next((one for one in OPEN.budgets if one.raised_at is not None), None)
    return None if ended is None else ended.unfinished(left)


def deadline() -> float | None:
    """Returns the deadline of this thread on the clock `time.monotonic`; None without a budget."""
    return min((one.deadline for one in OPEN.budgets if not one.is_spent), default=None)


def arm() -> None:
    """Monitors the budget of this thread that ends first, in place of the budget monitored so far."""
    if OPEN.watch is not None:
        OPEN.watch.stop()
        OPEN.watch = None
    left = [one for one in OPEN.budgets if not one.is_spent]
    if left:
        first = min(left, key=lambda one: one.deadline)
        is_main = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
        OPEN.watch = Timer(first) if is_main else Watchdog(first)


def is_whole(frame: FrameType | None, opener: FrameType | None) -> bool:
    """Returns whether a frame belongs to an uninterruptible call made by the frame `opener`."""
    if frame is not None and frame.f_code.co_name == STARTING:
        return True
    while frame is not None and frame is not opener:
        if frame.f_globals.get("__name__") in WHOLE:
            return True
        frame = frame.f_back
    return False


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yields an exception and its chain of contexts: each next exception was being handled when the previous one was raised."""
    while error is not None:
        yield error
        error = error.__context__


class Watch:
    """Watch over the time of one budget."""

    def __init__(self, budget: Budget):
        self.budget = budget

    def may_raise(self, frame: FrameType | None, handled: BaseException | None) -> bool:
        """Returns whether the exception may be raised now (4). `handled` is the exception that the thread currently handles."""
        late = monotonic() - self.budget.deadline
        is_unwinding = any(isinstance(one, Expired) for one in causes(handled))
        if is_unwinding and self.budget.raised_at is not None:
            return monotonic() - self.budget.raised_at > GRACE_S
        return not is_whole(frame, self.budget.opener) or late > GRACE_S

    def stop(self) -> None:
        raise NotImplementedError


class Timer(Watch):
    """Timer of the system, for the main thread. An earlier timer of the program goes on afterwards."""

    def __init__(self, budget: Budget):
        super().__init__(budget)
        self.started = monotonic()
        self.handler = signal.signal(signal.SIGALRM, self.expire)
        self.before = signal.setitimer(signal.ITIMER_REAL, max(budget.deadline - self.started, 1e-6), PERIOD_S)

    def expire(self, number: int, frame: FrameType | None) -> None:
        if self.budget.is_spent:
            return
        if not self.may_raise(frame, sys.exc_info()[1]):
            signal.setitimer(signal.ITIMER_REAL, SOON_S, PERIOD_S)
            return
        self.budget.expire(ACTIVITIES.open)
        raise Expired

    def stop(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.handler)
        left, period = self.before
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(left - (monotonic() - self.started), 1e-6), period)


class Watchdog(Watch):
    """Thread that raises the exception in another one."""

    def __init__(self, budget: Budget):
        super().__init__(budget)
        self.thread = threading.get_ident()
        self.open = ACTIVITIES.open
        self.is_stopped = threading.Event()
        self.raising = threading.Lock()
        threading.Thread(target=self.watch, name="nopt-budget", daemon=True).start()

    def watch(self) -> None:
        pause = max(self.budget.deadline - monotonic(), 0.0)
        while not self.is_stopped.wait(pause):
            pause = PERIOD_S
            with self.raising:
                if self.is_stopped.is_set() or self.budget.is_spent:
                    return
                frame, handled = sys._current_frames().get(self.thread), handled_by(self.thread)  # noqa: SLF001  # documented
                if frame is None:
                    return
                if self.may_raise(frame, handled):
                    self.budget.expire(self.open)
                    raise_in(self.thread, Expired)

    def stop(self) -> None:
        with self.raising:
            self.is_stopped.set()
            raise_in(self.thread, None)


def handled_by(thread: int) -> BaseException | None:
    """Returns the exception that a thread handles."""
    found = sys._current_exceptions().get(thread)  # noqa: SLF001  # documented
    return found[1] if isinstance(found, tuple) else found


def raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raises an exception in a thread before its next bytecode; None withdraws one that is not yet raised."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), None if error is None else ctypes.py_object(error)
    )
