"""Entry point of the `nopt` command: selects the verb, runs it, and converts exceptions to exit codes.

Large packages are imported only when they are needed, so that `nopt --version` is fast. This is the only place that catches every
exception. An exception that is not a refusal is a defect of nopt; it ends with exit code 3 and a message that explains how to report it.
"""

from __future__ import annotations

import atexit
import gc
import os
import re
import sys
import warnings
from collections.abc import Sequence
from io import TextIOWrapper

from .verbs import VERBS, verb_module

OVERVIEW = """usage: nopt FILE [-p PIPELINE] [-o OUT]      read a network, run passes over it, print it
       nopt VERB …                           nopt VERB --help explains a verb; write ./VERB for a file with the name of a verb

{verbs}

nopt FILE takes a .nir file or textual IR, and - for standard input; nopt - --help lists its options.

example:
  nopt net.nir -p 'convert-nir-to-ntensor{{dt-ns=100000 like=norse}}'"""

WORD = re.compile(r"[a-z]+(-[a-z]+)*")
"""Words that could be a verb: not an option, and not a file name with a suffix or a folder."""
INTERRUPTED = 130  # 128 + SIGINT, as in a shell
PIPE_CLOSED = 141  # 128 + SIGPIPE, as in a shell
COLLECTION = (100_000, 20, 20)
"""Thresholds of garbage collection. They are high because modules and networks consist of many objects that exist until the command ends."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code: 0 success, 1 refusal, 2 misuse, 3 defect of nopt, 4 end of the time budget.

    main(["net.nir", "-o", "net.mlir"])
    """
    args = list(sys.argv[1:] if argv is None else argv)
    gc.set_threshold(*COLLECTION)
    if (
        argv is None
    ):  # the process ends with the command, so the interpreter need not search its objects for cycles at exit
        atexit.register(gc.freeze)
    if not sys.warnoptions:  # those of -W and PYTHONWARNINGS
        warnings.simplefilter("ignore")
    open_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # escape characters that the encoding of the terminal does not have
            text: TextIOWrapper = stream
            text.reconfigure(errors="backslashreplace")
    try:
        code = dispatch(args)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        discard_output()
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as failure:
        from ..core.files import is_full
        from .command import report_defect, report_unwritten

        if is_full(failure):
            discard_output()
            return report_unwritten(failure, args)
        return report_defect(failure, args)


def open_streams() -> None:
    """Connects closed standard streams (`>&-`) to the null device. Otherwise files that a command opens would receive their descriptors."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (as long as the process)


def discard_output() -> None:
    """Discards the unwritten rest of standard output, which Python would otherwise try to write again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def dispatch(args: list[str]) -> int:
    if args[:1] in (["--version"], ["-V"]):
        from importlib.metadata import version

        print(f"nopt {version('nopt')}")
        return 0
    if args[:1] in ([], ["-h"], ["--help"], ["help"]) and not (args and os.path.exists(args[0])):
        print(OVERVIEW.format(verbs="\n".join(f"  nopt {verb:14} {what}" for verb, what in VERBS.items())))
        if args:
            return 0
    from .command import execute

    verb = args[0] if args and args[0] in VERBS else ""
    if args and not verb and WORD.fullmatch(args[0]) and not os.path.exists(args[0]):
        from . import unknown

        return execute(unknown, args)
    return execute(verb_module(verb or "opt"), args[1:] if verb else args)


if __name__ == "__main__":
    sys.exit(main())
