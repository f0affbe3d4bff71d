"""Code that is not part of nopt: a user's file, a framework and its exporter. Its exceptions become refusals."""

from __future__ import annotations

import logging
import traceback
from contextlib import ExitStack, redirect_stdout
from io import StringIO
from warnings import catch_warnings, simplefilter

from ...core.diagnostics import Code, Finding, Refused

IMP007 = Code("IMP007", "python-package-missing", "a Python package is missing")

DISTRIBUTIONS = {
    "torch": "'nopt[torch]'",
    "snntorch": "'nopt[import-snntorch]'",
    "norse": "'nopt[import-norse]'",
    "sinabs": "'nopt[import-sinabs]' && pip install --no-deps sinabs",
    "rockpool": "'nopt[import-rockpool]'",
    "spikingjelly": "'nopt[import-spikingjelly]'",
    "spyx": "'nopt[import-spyx]'",
    "flax": "'nopt[import-spyx]'",
    "jax": "'nopt[import-spyx]'",
    "nirtorch": "nirtorch",
    "torchvision": "torchvision",
    "sklearn": "scikit-learn",
}
"""Arguments of `pip install` for packages whose distribution name differs from the package name, or that nopt installs through an extra."""


class Foreign:
    """Context that turns an exception of foreign code into a refusal, and discards its output, warnings and log records.

    Errors: the code of the context; IMP007 a package that is missing.
    """

    def __init__(
        self, code: Code, message: str, at: str, expected: str, help: str | None = None, file: str | None = None
    ):
        self.code, self.message, self.at = code, message, at
        self.expected, self.help, self.file = expected, help, file
        self.printed = StringIO()

    def __enter__(self) -> Foreign:
        self.stack = ExitStack()
        self.stack.enter_context(catch_warnings())
        simplefilter("ignore")
        self.stack.callback(logging.disable, logging.root.manager.disable)
        logging.disable(logging.WARNING)
        self.stack.enter_context(redirect_stdout(self.printed))
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.stack.close()
        if error is None or isinstance(error, Refused | MemoryError | KeyboardInterrupt):
            return
        raise Refused(self.finding(error)) from error

    def finding(self, error: BaseException) -> Finding:
        found = f"{describe_error(error)}{self.line_of(error)}"
        if isinstance(error, ModuleNotFoundError) and error.name:
            package = error.name.partition(".")[0]
            return Finding(
                IMP007,
                f"the Python package {package} is missing",
                at=self.at,
                file=self.file,
                expected=f"{package} in the environment of nopt",
                found=found,
                help=f"pip install {DISTRIBUTIONS.get(package, package)}",
            )
        return Finding(
            self.code,
            self.message,
            at=self.at,
            file=self.file,
            expected=self.expected,
            found=found,
            help=self.help,
        )

    def line_of(self, error: BaseException) -> str:
        """Returns the last line of the user's file that the exception passed, if there is one."""
        if self.file is None:
            return ""
        if isinstance(error, SyntaxError) and error.filename == self.file:
            return f", line {error.lineno}"
        lines = [entry.lineno for entry in traceback.extract_tb(error.__traceback__) if entry.filename == self.file]
        return f", line {lines[-1]}" if lines else ""


def describe_error(error: BaseException) -> str:
    """Returns an exception's class and the first line of its text."""
    first = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {first}" if first else type(error).__name__
