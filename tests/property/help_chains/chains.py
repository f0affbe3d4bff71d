"""The chain of commands of a user who types the help of each refusal.

    ending = Search(run).ending(("compile", "net.nir", "--target", "asic/edge", "-o", "build"))

The first help that leads on is followed, depth first. Helps that name another device are typed last. A help leads nowhere if its command was
typed in the chain, fails, or is refused and no help of that refusal leads on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from itertools import pairwise

from attrs import Factory, define, evolve, frozen
from forked_commands import Command, Finding, Reply
from help_trials import commands, is_command, words_of

LONGEST = 10
"""Maximal number of helps of a chain; a longer one repeats the same change to the command."""
MOST = 30
"""Maximal number of commands of a search; one that takes too long counts as ten."""
SAMPLE = re.compile(r"(?<=--calib |--input )(?:FILE|X)(?:\.npy)?")
"""A place for the user's input, for which the sample is filled in."""


class Outcome(StrEnum):
    """Ends of a search: first those that lead to a device, then the others from the least to the most severe."""

    FITS = "fits"
    DEVICE = "another device"
    LATE = "too long"
    NO_REMEDY = "refused without remedy"
    UNTYPEABLE = "help cannot be typed"
    CIRCLE = "circle"
    FAILS = "help fails"

    @property
    def leads(self) -> bool:
        """Whether the user has a device at the end."""
        return self in (Outcome.FITS, Outcome.DEVICE)


@frozen
class Help:
    """One alternative of a help. `command` is None if the alternative cannot be typed."""

    command: Command | None
    text: str

    @property
    def is_search(self) -> bool:
        """Whether it searches another device."""
        return self.command is not None and self.command[0] == "check"


@frozen
class Ending:
    """The last chain of a search, or the most severe of those that lead nowhere."""

    outcome: Outcome
    chain: tuple[tuple[Command, str], ...]
    """Each command with its result."""
    reason: str = ""
    """The code of the last refusal."""
    detail: str = ""

    @property
    def helps(self) -> int:
        return len(self.chain) - 1


def helps_of(finding: Finding, typed: Command) -> Iterator[Help]:
    """Yields the alternatives of a finding's help that are commands; lines without a command are prose."""
    for line in filter(is_command, (finding["help"] or "").splitlines()):
        for text in commands(line):
            words = words_of(SAMPLE.sub("x.npy", text), typed)
            if words is None:
                yield Help(None, text)
            elif words[:1] == ["compile"] or is_device_search(words):
                yield Help(tuple(words), text)


def is_device_search(command: Sequence[str]) -> bool:
    return command[:1] == ["check"] and not {"auto", "all"}.isdisjoint(values_of(command, "--target"))


def values_of(command: Sequence[str], flag: str) -> list[str]:
    """Returns the values of an option of a command."""
    values = [after for word, after in pairwise(command) if word == flag]
    return values + [word.partition("=")[2] for word in command if word.startswith(f"{flag}=")]


def device_of(command: Command) -> tuple[list[str], list[str]]:
    """Returns the target of a command and the fields that it changes: a device with other fields is another device."""
    return values_of(command, "--target")[-1:], values_of(command, "--set")


@define
class Search:
    """Depth-first search through the helps of refusals."""

    run: Callable[[Command], Reply]
    refused: set[Command] = Factory(set)
    """Commands whose helps have led nowhere."""
    typed: int = 0
    """The number of commands."""
    failed: Ending | None = None
    """The first help whose command failed, whatever the other alternatives lead to."""

    def ending(self, command: Command) -> Ending:
        """Returns the end of the search from a command. A help that failed is its result even if another alternative leads on."""
        last = self.follow(command, ())
        return self.failed or last

    def follow(self, command: Command, before: tuple[tuple[Command, str], ...]) -> Ending:
        reply = self.run(command)
        self.typed += 1
        end = Ending(Outcome.FITS, (*before, (command, reply.label)))
        if reply.code is None:
            self.typed += MOST // 3 - 1
            return evolve(end, outcome=Outcome.LATE)
        if reply.code == 0:
            is_same = device_of(command) == device_of(end.chain[0][0])
            last = before[-1][1] if before else ""
            return end if is_same else evolve(end, outcome=Outcome.DEVICE, reason=last)
        if reply.code not in (1, 2) or (reply.code == 2 and before) or not reply.errors:
            return self.fail(end, reply)
        return self.after_refusal(end, reply)

    def after_refusal(self, end: Ending, reply: Reply) -> Ending:
        """Returns the end after the first help that leads on, or the most severe of the ends of all."""
        first = reply.errors[0]
        last = evolve(end, outcome=Outcome.NO_REMEDY, reason=first["code"], detail=reason_of(first))
        if end.helps >= LONGEST:
            return evolve(last, outcome=Outcome.CIRCLE, detail=f"more than {LONGEST} helps")
        typed = [command for command, _ in end.chain]
        helps = [(error, help) for error in reply.errors for help in helps_of(error, typed[-1])]
        endings: list[Ending] = []
        for error, help in sorted(helps, key=lambda pair: pair[1].is_search):
            at = evolve(last, reason=error["code"], detail=help.text)
            if help.command is None:
                endings.append(evolve(at, outcome=Outcome.UNTYPEABLE))
            elif help.command in typed:
                endings.append(evolve(at, outcome=Outcome.CIRCLE))
            elif help.is_search:
                return self.search_device(help.command, at)
            elif help.command not in self.refused and self.typed < MOST:
                endings.append(self.follow(help.command, end.chain))
                if endings[-1].outcome.leads:
                    return endings[-1]
        self.refused.add(typed[-1])
        return max(endings or [last], key=lambda ending: list(Outcome).index(ending.outcome))

    def search_device(self, command: Command, at: Ending) -> Ending:
        """Returns the end of a help that searches another device, which finds one or reports that there is none."""
        reply = self.run(command)
        end = evolve(at, outcome=Outcome.DEVICE, chain=(*at.chain, (command, reply.label)))
        if reply.code is None:
            return evolve(end, outcome=Outcome.LATE)
        return end if reply.code in (0, 1) else self.fail(end, reply)

    def fail(self, end: Ending, reply: Reply) -> Ending:
        lines = [error["message"] for error in reply.errors] or reply.said.strip().splitlines()[-1:]
        failed = evolve(end, outcome=Outcome.FAILS, reason=reply.label, detail="".join(lines[:1]))
        if self.failed is None:
            self.failed = failed
        return failed


def reason_of(finding: Finding) -> str:
    """Returns the message of a finding with the limit, the value and the prose of its help."""
    parts = [
        finding["message"],
        *(f"{name}: {finding[name]}" for name in ("expected", "found", "help") if finding[name]),
    ]
    return "; ".join(parts)
