"""Refusal of a word that is neither a verb nor a file."""

from __future__ import annotations

import argparse
import shlex
from difflib import get_close_matches

from ..core.diagnostics import Code, Diagnostics, ExitCode, refuse
from .verbs import VERBS

CLI003 = Code("CLI003", "unknown-verb-or-file", "unknown verb, and not a file", exit_code=ExitCode.MISUSED)

PROG = "nopt"
EXAMPLES = {"all verbs": ["nopt --help"]}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs=argparse.REMAINDER)


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> int:
    words: list[str] = args.words
    word, *rest = words
    near = get_close_matches(word, VERBS, 1, 0.6)
    refuse(
        CLI003,
        f"{word} is neither a verb nor a file",
        at=f"nopt {word}",
        expected=f"one of {', '.join(VERBS)}, or a file",
        found=word,
        help=shlex.join(["nopt", near[0], *rest]) if near else "nopt --help",
    )
