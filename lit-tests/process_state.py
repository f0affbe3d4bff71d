"""State of a process that a command could leave behind for the next command of the same process.

Compared are the modules with their search paths, the variables of some packages, and the settings of Python, numpy and the system. What
functions cache is not compared: a cache whose result depends on a file has to notice that the file changes.
"""

from __future__ import annotations

import decimal
import locale
import os
import random
import resource
import signal
import sys
import threading
import warnings
from collections.abc import Collection, Iterator
from contextlib import suppress
from operator import is_
from types import FunctionType, ModuleType
from typing import Any

LIMITS = tuple(getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_"))


def is_variable(name: str, value: object) -> bool:
    return not name.startswith("__") and not isinstance(value, FunctionType | ModuleType | type)


class State:
    """The state of this process when the object is made.

    `packages` are those whose variables are compared: those of their modules, and the containers among those of their classes.
    `caches` can change, each a "module:variable" or a module that is imported late.
    """

    def __init__(self, packages: Collection[str], caches: Collection[str] = ()):
        self.caches = frozenset(caches)
        self.settings: dict[str, Any] = {}
        self.variables: list[tuple[str, ModuleType, int, list[str], list[Any]]] = []
        """Of each module: its name, how many names it defines, and its variables with their values."""
        self.containers: list[tuple[str, Any, Any]] = []
        """Each with its name and a copy."""
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] in packages and isinstance(module, ModuleType):
                self.add(name, module)
        self.keep_settings()

    def add(self, name: str, module: ModuleType) -> None:
        known = vars(module)
        found = {key: value for key, value in known.items() if is_variable(key, value)}
        self.variables.append((name, module, len(known), list(found), list(found.values())))
        classes = [value for value in known.values() if isinstance(value, type) and value.__module__ == name]
        inner = {f"{cls.__name__}.{key}": value for cls in classes for key, value in vars(cls).items()}
        self.containers += [
            (f"{name}:{key}", value, value.copy())
            for key, value in {**found, **inner}.items()
            if isinstance(value, dict | list | set) and not key.rpartition(".")[2].startswith("__")
        ]

    def keep_settings(self) -> None:
        """Compares later settings with those of now: each fork has other random numbers."""
        self.settings = dict(settings())

    def changed_settings(self) -> Iterator[str]:
        """The names of the modules and settings that are otherwise than they were."""
        now = dict(settings())
        loaded, known = now.pop("modules"), self.settings["modules"]
        late = sum(name in loaded and name not in known for name in self.caches)
        if len(loaded) != len(known) + late or not all(map(is_, map(loaded.get, known), known.values())):
            yield "modules"
        yield from (name for name, value in now.items() if value != self.settings[name])

    def changed_variables(self) -> Iterator[str]:
        """The names of the variables that are otherwise than they were."""
        for name, module, count, keys, values in self.variables:
            now = vars(module)
            if not all(map(is_, map(now.get, keys), values)):
                yield from (
                    f"{name}:{key}" for key, value in zip(keys, values, strict=True) if now.get(key) is not value
                )
            if len(now) != count:
                yield from (f"{name}:{key}" for key in now.keys() - keys if is_variable(key, now[key]))
        for name, value, copy in self.containers:
            if value != copy and name not in self.caches:
                yield name


def settings() -> Iterator[tuple[str, Any]]:
    """The settings of Python, numpy and the system, as values that can be compared."""
    yield "modules", dict(sys.modules)
    yield "search paths", (list(sys.path), list(sys.meta_path), list(sys.path_hooks))
    yield "hooks", (sys.excepthook, sys.displayhook, sys.unraisablehook, sys.gettrace(), sys.getprofile())
    yield "recursion limit", sys.getrecursionlimit()
    yield "signal handlers", [signal.getsignal(number) for number in range(1, signal.NSIG)]
    yield (
        "timers",
        [signal.getitimer(timer) for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)],
    )
    yield "warnings", (list(warnings.filters), warnings.showwarning)
    yield "locale", locale.setlocale(locale.LC_ALL)
    yield "decimal numbers", repr(decimal.getcontext())
    yield "random numbers", random.getstate()
    yield "threads", threading.active_count()
    yield "limits", [resource.getrlimit(number) for number in LIMITS]
    yield "open files", sorted(open_files())
    if numpy := sys.modules.get("numpy"):
        yield "settings of numpy", (numpy.geterr(), numpy.geterrcall(), numpy.get_printoptions())
        kind, numbers, *rest = numpy.random.get_state()
        yield "random numbers of numpy", (kind, numbers.tobytes(), rest)


def open_files() -> Iterator[str]:
    """The numbers of open files, except those of fonts, which matplotlib keeps open."""
    for number in os.listdir("/dev/fd"):
        with suppress(FileNotFoundError):  # the list itself
            if not os.readlink(f"/dev/fd/{number}").endswith(".ttf"):
                yield number
