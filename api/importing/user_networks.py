"""Networks that a user's Python file defines: `train.py:make_network`."""

from __future__ import annotations

import shlex
import sys
from difflib import get_close_matches
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from inspect import Parameter, isclass, iscoroutine, signature
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn, cast

from ...core.diagnostics import Code, first_of, refuse
from ...core.files import read_bytes
from ...core.help_text import OtherWord, Phrase
from ...frontends.frameworks.foreign import Foreign
from ...frontends.frameworks.framework import class_of

IMP001 = Code("IMP001", "network-name-undefined", "the file does not define that name")
IMP002 = Code("IMP002", "user-code-fails", "the code of the user fails")

CANDIDATES_SHOWN = 8
EXAMPLE = "train.py:make_network"


def load_network(source: str | Path) -> Any:
    """Returns the network that `FILE.py:NAME` names: the object itself if it is a network, else the result of calling it without arguments.

    The file is executed as a module whose name is its stem, so that `if __name__ == "__main__":` is skipped. Its folder
    becomes the first entry of the import path, as for `python FILE.py`."""
    file, _, name = str(source).rpartition(":")
    if not file or "/" in name or name.endswith(".py"):
        file, name = str(source), ""
    module = load_file(file, str(source))
    with Foreign(IMP002, f"{name} fails", f"{file}:{name}", "an object whose attributes can be read", file=file):
        found: Any = module
        for part in name.split(".") if name else ():
            found = getattr(found, part, None)
        if not name or found is None:
            refuse_name(file, name, module)
    return call_maker(found, name, f"{file}:{name}", file)


def call_maker(found: Any, name: str, at: str, file: str | None = None) -> Any:
    """Calls a function, a class, a `functools.partial` or a method, and returns the result; returns any other object itself. Errors: IMP002."""
    with Foreign(IMP002, f"{name} fails", at, f"a call of {name} without arguments that returns a network", file=file):
        made = found() if is_callable(found) and not is_network(found) else found
        if iscoroutine(made):
            made.close()  # Python warns about one that is never awaited
        return made


def is_network(value: Any) -> bool:
    """Returns whether an object is a network: an instance with the method `named_modules` of PyTorch, or a module of Flax."""
    if isclass(value):
        return False
    return class_of(value, "flax") is not None or is_callable(getattr(value, "named_modules", None))


def load_file(file: str, source: str) -> ModuleType:
    """Executes the file of a network as a module. Errors: COR008, IMP002, IMP007."""
    read_bytes(file)
    path = Path(file)
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        refuse(
            IMP001,
            "the file is not a Python file",
            at=file,
            expected="FILE.py:NAME",
            found=path.suffix or "no suffix",
            help=Phrase(OtherWord(source, EXAMPLE, f"nopt import {EXAMPLE}")),
        )
    module = module_from_spec(spec)
    with Foreign(IMP002, f"{path.name} cannot be executed", file, "a file that defines a network", file=file):
        sys.modules[path.stem] = module  # the classes of the file are copied and pickled by the name of their module
        if (folder := str(path.absolute().parent)) not in sys.path:
            sys.path.insert(0, folder)
        spec.loader.exec_module(module)
    return module


def refuse_name(file: str, name: str, module: ModuleType) -> NoReturn:
    """Refuses a name that a file does not define. Errors: IMP001."""
    names = [one for one, value in vars(module).items() if is_candidate(value, module.__name__)]
    near = get_close_matches(name, names, 1) or names or ["make_network"]
    refuse(
        IMP001,
        f"{file} does not define {name}" if name else "the name of the network is missing",
        at=f"{file}:{name}" if name else file,
        expected=f"one of {first_of(names, CANDIDATES_SHOWN)}" if names else "a function that returns a network",
        found=name or "no name",
        help=other_name(file, name, near[0]) if names else "add a function make_network() that returns the network",
    )


def other_name(file: str, name: str, other: str) -> Phrase:
    """Returns the typed command with another name of the file."""
    word = f"{file}:{other}"
    return Phrase(OtherWord(f"{file}:{name}" if name else file, word, f"nopt import {shlex.quote(word)}"))


def is_callable(value: object) -> bool:
    """Returns whether a value can be called. Unlike `callable`, it does not narrow the type of the value."""
    return callable(value)


def is_candidate(value: Any, module: str) -> bool:
    """Returns whether a value of a module may be a network: an object with modules, or a function or class of the file without required arguments."""
    if not is_callable(value):
        return False
    if is_network(value):
        return True
    origin: Any = value
    while isinstance(origin, partial):
        origin = cast("partial[Any]", origin).func
    if getattr(origin, "__module__", None) != module:
        return False
    try:
        parameters = signature(value).parameters.values()
    except ValueError:
        return False
    return all(
        one.default is not Parameter.empty or one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in parameters
    )
