"""Prints the completion of a shell for verbs, options, presets, targets and engines.

Source it in the start file of the shell: source <(nopt completion bash), or nopt completion fish | source.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Any

from ..core import registry
from ..core.diagnostics import Diagnostics
from .command import parser_of, show_result
from .verbs import VERBS, verb_module

PROG = "nopt completion"
EXAMPLES = {
    "of each shell": ["nopt completion bash", "nopt completion zsh", "nopt completion fish"],
}

Words = Mapping[str, list[str]]
"""Completions by verb. The empty name is the key of the words that follow `nopt`."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=tuple(SHELLS), help="the shell that reads the result")


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    text = SHELLS[args.shell](verb_options(), option_values())
    record = {"schema": "nopt.completion/1", "shell": args.shell, "text": text}
    show_result(args.format, lambda: record, lambda: text.removesuffix("\n"))


def verb_options() -> dict[str, list[str]]:
    """Returns the options of each verb, and the verbs themselves under an empty name."""
    options = {verb: options_of(verb_module(verb)) for verb in VERBS}
    return {"": [*VERBS, *options_of(verb_module("opt"))]} | options


def options_of(verb: Any) -> list[str]:
    return sorted(flag for flag in parser_of(verb).flags if flag.startswith("--"))


def option_values() -> dict[str, list[str]]:
    """Returns the possible values of options that name installed presets, targets or engines."""
    devices = [f"{slug}/{device}" for slug, files in registry.devices().items() for device in files]
    return {
        "--like": sorted(registry.presets()),
        "--target": [*registry.targets(), *devices],
        "--engine": ["auto", "any", *(engine.name for engine in registry.engines())],
    }


def bash(options: Words, values: Words) -> str:
    """Returns a function for the command `complete` of Bash. Values of an option follow it; else files complete a word."""
    words = "\n".join(f'    {verb or "*"}) words="{" ".join(options[verb])}" ;;' for verb in [*VERBS, ""])
    after = "\n".join(f'    {flag}) words="{" ".join(some)}" ;;' for flag, some in values.items())
    return f"""_nopt() {{
  local words current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  case ${{COMP_WORDS[1]}} in
{words}
  esac
  [ "$COMP_CWORD" -gt 1 ] || words="{" ".join(options[""])}"
  case $previous in
{after}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _nopt nopt
"""


def zsh(options: Words, values: Words) -> str:
    """Returns the function of Bash, which zsh runs with its own emulation."""
    return f"autoload -Uz bashcompinit && bashcompinit\n{bash(options, values)}"


def fish(options: Words, values: Words) -> str:
    """Returns a line of `complete` for each verb and each option."""
    lines = [f"complete -c nopt -n __fish_use_subcommand -a {verb} -d {quoted(what)}" for verb, what in VERBS.items()]
    for verb, flags in options.items():
        place = f"'__fish_seen_subcommand_from {verb}'" if verb else "__fish_use_subcommand"
        for flag in flags:
            known = f" -x -a {quoted(' '.join(values[flag]))}" if flag in values else ""
            lines += [f"complete -c nopt -n {place} -l {flag.removeprefix('--')}{known}"] if flag[:2] == "--" else []
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """Returns a text in the quotes of fish."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SHELLS: dict[str, Callable[[Words, Words], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
