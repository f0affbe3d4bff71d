"""Questions of conformance, the same for each target, and the record `nopt.conformance/1` of their answers.

    for one in conform("asic/edge").devices:
        print(one.device, [question.name for question in one.failed])

Each question has a mutant in the tests: a target with exactly this defect, which fails the question. A question without a case is
`not_applicable`, never `passed`; a question about generated networks is `not_asked` if none of them fits. Delays, types of numbers, plasticity and
memory always have a case: if a feature is absent, the question asks for its refusal.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from ...core import registry
from ...core.approximations import APPROXIMATIONS
from ...core.budget import Partial
from ...core.device.device import Device
from ...core.diagnostics import Code, ExitCode, Finding, Refused, Severity, near_names, near_notes, refuse
from ...core.progress import Progress, doing, require_progress
from ..budgets import MaxTime, with_max_time
from ..catalogue.listing import target as entry_of
from ..compiling.request import device_of
from ..compiling.target_pipelines import compiled_slugs, compiled_targets, steps_of
from ..permissions.approximation_names import EVERY, permitted_names
from . import artefacts, execution, learning, limits, numbers
from .subject import CNF005, MORE, Answer, Subject

CNF001 = Code("CNF001", "device-not-conforming", "a device does not conform")
CNF002 = Code(
    "CNF002", "unknown-conformance-question", "a question of conformance does not exist", exit_code=ExitCode.MISUSED
)
CNF003 = Code("CNF003", "target-without-exit", "a target has no exit to ask", exit_code=ExitCode.MISUSED)
CNF004 = Code(
    "CNF004", "network-count-out-of-range", "the number of networks is out of range", exit_code=ExitCode.MISUSED
)

PROG = "nopt conform"
NETWORKS = 10
MOST_NETWORKS = 10_000
SHOWN_CASES = 3
"""Maximum number of cases of one question in a message."""

Ask = Callable[[Subject], Iterator[Answer]]
QUESTIONS: dict[str, Ask] = {
    "limits": limits.ask_limits,
    "dtypes": numbers.ask_dtypes,
    "delays": numbers.ask_delays,
    "plasticity": numbers.ask_plasticity,
    "learning": learning.ask_learning,
    "memory": limits.ask_memory,
    "execution": execution.ask_execution,
    "scheduling": execution.ask_scheduling,
    "artefact": artefacts.ask_artefact,
    "determinism": artefacts.ask_determinism,
    "equivalence": artefacts.ask_equivalence,
    "weights": artefacts.ask_weights,
}


@frozen
class Question:
    """A question with its answers."""

    name: str
    text: str
    answers: tuple[Answer, ...]
    is_asked: bool = True
    """Whether the question was asked; false if a time budget ended before."""
    obstacle: Finding | None = None
    """The finding that no generated network fits, if the question is about generated networks."""

    @property
    def failures(self) -> list[Answer]:
        return [one for one in self.answers if one.found is not None]

    @property
    def status(self) -> str:
        if not self.is_asked:
            return "not_asked"
        if not self.answers:
            return "not_applicable" if self.obstacle is None else "not_asked"
        return "failed" if self.failures else "passed"

    def as_json(self) -> dict[str, Any]:
        failures = [{"case": one.case, "expected": one.expected, "found": one.found} for one in self.failures]
        return {
            "name": self.name,
            "question": self.text,
            "status": self.status,
            "cases": len(self.answers),
            "failures": failures,
        }


@frozen
class Conformance:
    """Answers of one device."""

    device: Device
    seed: int
    networks: int
    questions: tuple[Question, ...]
    permitted: tuple[str, ...] = tuple(sorted(APPROXIMATIONS))
    """Names of the approximations that its networks may need."""

    @property
    def failed(self) -> list[Question]:
        return [one for one in self.questions if one.failures]

    @property
    def subject(self) -> str:
        """Returns the device with its overrides and the permissions, in the syntax of the command."""
        naming, permission = self.device.naming, f"--approximate {','.join(self.permitted)}"
        words = [shlex.quote(naming.key), *(f"--set {shlex.quote(text)}" for text in naming.settings)]
        return " ".join([*words, *([permission] if len(self.permitted) < len(APPROXIMATIONS) else [])])

    @property
    def unfit(self) -> list[Question]:
        """Returns the questions that were not asked because no network fits."""
        return [one for one in self.questions if one.obstacle is not None and not one.answers]

    @property
    def conforms(self) -> bool:
        """Whether all questions were reached in time, no question failed, and at least one question could be asked."""
        is_complete = all(one.is_asked for one in self.questions)
        return is_complete and not self.failed and len(self.unfit) < len(self.questions)

    def failure_of(self, question: Question) -> Finding:
        """Returns the error of a failed question. Errors: CNF001."""
        first, *others = question.failures
        return Finding(
            CNF001,
            f"{self.device.naming.key} does not conform: {question.name}",
            at=first.case,
            target=self.device.target,
            device=self.device.key,
            expected=first.expected,
            found=first.found,
            help=f"{PROG} {self.subject} --only {question.name} --networks {self.networks} --seed {self.seed}",
            notes=[f"{other.case}: {other.found}" for other in others[:SHOWN_CASES]]
            + [f"{len(others) - SHOWN_CASES} more"] * (len(others) > SHOWN_CASES),
        )

    def findings(self) -> Iterator[Finding]:
        """Yields an error for each failed question, and a remark about unasked questions; the remark is an error if no question was asked.

        Errors: CNF001, CNF005.
        """
        yield from map(self.failure_of, self.failed)
        if self.unfit and (obstacle := self.unfit[0].obstacle) is not None:
            names = ",".join(one.name for one in self.unfit)
            seed = self.seed + self.networks + MORE
            yield evolve(
                obstacle,
                message=f"{self.device.naming.key} was not asked {names.replace(',', ', ')}: {obstacle.message}",
                severity=Severity.REMARK if len(self.unfit) < len(self.questions) else Severity.ERROR,
                target=self.device.target,
                device=self.device.key,
                help=f"{PROG} {self.subject} --only {names} --networks {self.networks} --seed {seed}",
            )

    def as_json(self) -> dict[str, Any]:
        return {
            "target": self.device.target,
            "device": self.device.key,
            "sha256": self.device.digest,
            "fidelity": self.device.fidelity.tier,
            "seed": self.seed,
            "networks": self.networks,
            "conforms": self.conforms,
            "questions": [one.as_json() for one in self.questions],
        }


@frozen
class Report:
    """Result of `nopt conform`."""

    devices: tuple[Conformance, ...]
    unfinished: Finding | None = None
    """The finding about questions that were not asked because a time budget ended (COR007)."""

    @property
    def findings(self) -> list[Finding]:
        found = [finding for one in self.devices for finding in one.findings()]
        return found if self.unfinished is None else [*found, self.unfinished]

    def as_json(self) -> dict[str, Any]:
        """Returns the record `nopt.conformance/1`."""
        return {
            "schema": "nopt.conformance/1",
            "nopt": version("nopt"),
            "devices": [one.as_json() for one in self.devices],
        }


@with_max_time
def conform(
    subject: str | Path,
    *,
    set: Sequence[str] = (),
    only: Sequence[str] = (),
    networks: int = NETWORKS,
    seed: int = 0,
    approximate: Sequence[str] | str = EVERY,
    progress: Progress | None = None,
    max_time: MaxTime = None,
) -> Report:
    """Asks a target, a device of it, or a device file the questions of conformance.

        nopt.conform("asic/edge", networks=40).findings

    `set` overrides fields of the device; `only` names the questions; `networks` is the number of generated networks, and `seed` is the seed of the first.
    `approximate` names what generated networks may need to fit; by default they may need any approximation, on record.

    Errors: CMP015; CNF002 to CNF004; API021, DEV001 to DEV005.
    """
    require_progress(progress)
    names = [known_question(name) for name in only] or [*QUESTIONS]
    if not 1 <= networks <= MOST_NETWORKS:
        help = f"--networks {min(max(networks, 1), MOST_NETWORKS)}"
        refuse(CNF004, at=f"--networks {networks}", expected=f"1 to {MOST_NETWORKS}", found=str(networks), help=help)
    asked, permitted = devices_of(subject, set), permitted_names(approximate)
    answers: dict[tuple[int, str], Question] = {}
    all = len(asked) * len(names)
    with Partial() as result:
        for number, device in enumerate(asked):
            subject_of_device = Subject(device, networks, seed, permitted)
            for name in names:
                with doing(f"question {name} of {device.key}", len(answers) + 1, all):
                    answers[number, name] = answered(name, subject_of_device)
                if progress is not None:
                    progress(len(answers), all)
    unasked = {name: Question(name, wording_of(name), (), is_asked=False) for name in names}
    found = tuple(
        Conformance(
            device, seed, networks, tuple(answers.get((number, name), unasked[name]) for name in names), permitted
        )
        for number, device in enumerate(asked)
    )
    return Report(found, result.finding(f"{all - len(answers)} of {all} questions are"))


def devices_of(subject: str | Path, settings: Sequence[str]) -> list[Device]:
    """Returns one device, all devices of a target, or all devices of all targets. Errors: CNF003; API021, DEV001 to DEV005."""
    text = str(subject)
    is_file = text.endswith(".json")
    slug, _, name = text.partition("/")
    if is_file or name:
        found = [device_of(None if is_file else text, text if is_file else None, settings)]
        slugs = [found[0].target]
    else:
        slugs = compiled_slugs() if slug == "all" else [entry_of(slug).slug]
        keys = [f"{one}/{name}" for one in slugs for name in registry.devices().get(one, {})]
        found = [device_of(key, None, settings) for key in keys]
    for one in slugs:
        target = registry.targets()[one]()
        rooms = {
            "pipeline": target.pipeline,
            "artefact": target.artefact,
            "model": target.model,
            "device": found or None,
        }
        if missing := [name for name, room in rooms.items() if room is None]:
            refuse(
                CNF003,
                f"{one} has no {missing[0]}",
                at=f"{PROG} {text}",
                expected="a target with a pipeline, an artefact, a model and a device",
                found=f"no {' and no '.join(missing)}",
                help=f"{PROG} {compiled_targets()[0]}",
            )
    if unreached := next((device for device in found if not steps_of(device)), None):
        refuse(
            CNF003,
            f"no pass leads to {unreached.naming.key}",
            at=f"{PROG} {text}",
            expected="a device that the pipeline of its target reaches",
            found="no cores" if unreached.topology is None else "no pipeline",
            help=f"{PROG} {compiled_targets()[0]}",
        )
    return found


def known_question(name: str) -> str:
    """Errors: CNF002."""
    if name not in QUESTIONS:
        refuse(
            CNF002,
            f"no question {name}",
            at=f"--only {name}",
            expected=", ".join(QUESTIONS),
            found=name,
            help=f"--only {next(iter([*near_names(name, QUESTIONS), *QUESTIONS]))}",
            notes=near_notes(name, QUESTIONS),
        )
    return name


def wording_of(name: str) -> str:
    return (QUESTIONS[name].__doc__ or "").strip().removesuffix(".")


def answered(name: str, subject: Subject) -> Question:
    """Returns a question with its answers; a refusal outside of a compilation is a failure, unless no network could be asked about."""
    ask, answers = QUESTIONS[name], list[Answer]()
    try:
        answers.extend(ask(subject))
    except Refused as refusal:
        one = refusal.findings[0]
        if one.code is CNF005:
            return Question(name, wording_of(name), tuple(answers), obstacle=one)
        found = f"error[{one.code}]: {one.message}" + "".join(f": {more}" for more in (one.file, one.found) if more)
        answers.append(Answer(one.at or name, one.expected or "no refusal", found))
    return Question(name, wording_of(name), tuple(answers))
