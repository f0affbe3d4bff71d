"""The `nopt` command: finds the verb, runs it, and turns what is left into an exit code.

Nothing heavy is imported before it is needed, so that `nopt --version` answers at once. This is the only place that catches
every exception: what is no refusal is a defect of nopt, and ends with exit code 3 and a message that says how to report it.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper

VERBS = {
    "run": "compute what a network does with an input",
    "compile": "write what the loader of a target takes, the IR after every pass, and a report",
    "check": "say what is ambiguous, repaired or suspicious about a network",
    "compare": "tell whether two files of arrays are the same, and where they part",
    "sweep": "what options of passes cost, every combination of them",
    "explain": "what a code means and what to do about it",
    "passes": "the passes with their options",
    "engines": "what can run a network here",
    "presets": "the frameworks whose rules can run, with their versions and options",
    "targets": "the machines that nopt knows, and what they can do",
    "device": "check a device file, or write its page",
    "new": "write a skeleton to start from",
}
"""Verbs with what they do; each is `tools/<verb>.py`. Anything else is a file for the textual driver, `tools/opt.py`."""

OVERVIEW = """usage: nopt FILE [-p PIPELINE] [-o OUT]      read a network, run passes over it, print it
       nopt VERB …                           nopt VERB --help says more; a file called like a verb is ./VERB

{verbs}

nopt FILE takes a .nir file or textual IR, and - for standard input; nopt - --help lists its options.

example:
  nopt net.nir -p 'convert-nir-to-ntensor{{dt-ns=100000 like=norse}}'"""

WORD = re.compile(r"[a-z]+")
"""What could be a verb: not an option, and no name of a file with a suffix or a folder."""
INTERRUPTED = 130  # 128 + SIGINT, as a shell reports it
PIPE_CLOSED = 141  # 128 + SIGPIPE


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code: 0 done, 1 refused, 2 misused, 3 a defect of nopt.

    main(["net.nir", "-o", "net.mlir"])
    """
    args = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a character that the encoding of a terminal does not have is escaped
            stream.reconfigure(errors="backslashreplace")
    try:
        code = dispatched(args)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it exits
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as defect:
        from .command import report_defect

        return report_defect(defect, args)


def dispatched(args: list[str]) -> int:
    if args[:1] == ["--version"]:
        from importlib.metadata import version

        print(f"nopt {version('nopt')}")
        return 0
    if args[:1] in ([], ["-h"], ["--help"], ["help"]) and not (args and os.path.exists(args[0])):
        print(OVERVIEW.format(verbs="\n".join(f"  nopt {verb:10} {what}" for verb, what in VERBS.items())))
        if args:
            return 0
    from .command import execute

    verb = args[0] if args and args[0] in VERBS else ""
    if args and not verb and WORD.fullmatch(args[0]) and not os.path.exists(args[0]):
        from . import unknown

        return execute(unknown, args)
    return execute(import_module(f".{verb or 'opt'}", __package__), args[1:] if verb else args)


if __name__ == "__main__":
    sys.exit(main())
