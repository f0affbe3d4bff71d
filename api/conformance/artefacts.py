"""Questions about artefacts and models: complete, deterministic, equal to the network, and computed from its weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from ...core.arrays.arrays import ArrayAttr
from ...core.ir import source
from ...core.ir.context import NoptContext
from ...dialects import ntensor
from .networks import Drawn, run_network
from .subject import Answer, Compiled, Subject, records_of

FEW = 3
"""Number of networks for questions that a single network could answer."""
FITTING = 0.25
"""Share of the generated networks that a device must accept."""
ENOUGH = 10
"""Minimum number of networks for a judgement of the share, because a few networks may all have an unsupported feature."""
CHANGES = 8
"""Maximum number of edited weights; if none of them changes the outputs, these are considered constant."""
EDITS = {"negated": -1, "set to zero": 0}
"""Factors of an edited weight. The second factor does not invert the sign of weights that were split by sign."""


def ask_equivalence(subject: Subject) -> Iterator[Answer]:
    """The model equals the network in the declared fidelity, in every population and state of generated networks."""
    for one in subject.generated:
        if one.fit.is_fitting:
            record = records_of(one.network)
            yield Answer(
                one.drawn.name, "the records of the network", subject.difference(one, subject.run(one, record), record)
            )
        elif not one.errors or not all(error.help and error.expected for error in one.errors):
            yield Answer(one.drawn.name, "compiled, or refused with a limit and a help", one.refusal or "no finding")
    fitting, every = len(subject.fitting), len(subject.generated)
    refusals = sorted({str(error.code) for one in subject.generated for error in one.errors})
    wrong = None if fitting >= FITTING * every > 0 else f"{fitting}, others refused by {', '.join(refusals)}"
    if wrong is not None and subject.networks < ENOUGH:
        subject.asked(0)
        return
    yield Answer(f"{every} generated networks", f"at least {FITTING:.0%} compiled", wrong)


def ask_artefact(subject: Subject) -> Iterator[Answer]:
    """An artefact is complete: the loader reads back a chip with the same artefact, and the same results of its model."""
    if subject.target.load is None:
        return
    for k, one in enumerate(subject.asked()):
        files = subject.files(one)
        loaded = subject.load(files)
        wrong = differing(files, subject.files(evolve(one, module=loaded)))
        if wrong is None and k < FEW:
            wrong = subject.difference(one, subject.run(one, module=loaded))
        yield Answer(one.drawn.name, "the same files and results", wrong)


def ask_determinism(subject: Subject) -> Iterator[Answer]:
    """The same input has the same bytes, in another compilation, run, or batch of samples."""
    for one in subject.asked(FEW):
        again = subject.compile(one.drawn)
        texts = [source.format_module(NoptContext(), compiled.module) for compiled in (one, again)]
        wrong = None if texts[0] == texts[1] else "another exit dialect"
        wrong = wrong or differing(*map(subject.files, (one, again)))
        yield Answer(f"{one.drawn.name}, compiled twice", "the same files", wrong)
        first, second = subject.run(one), subject.run(one)
        alone = [subject.run(one, x=one.drawn.x[k : k + 1]) for k in range(len(one.drawn.x))]
        single = {name: np.concatenate([found[name] for found in alone]) for name in first}
        for how, found in (("run twice", second), ("run sample by sample", single)):
            wrong = None if are_equal(first, found) else "other results"
            yield Answer(f"{one.drawn.name}, {how}", "the same results", wrong)


def ask_weights(subject: Subject) -> Iterator[Answer]:
    """One edited weight changes the artefact, and the results as in the network."""
    for one in subject.asked(FEW):
        before = subject.run(one)
        found = (each for each in variants(subject, one) if not are_equal(before, reference(each[1])))
        how, edited = next(found, ("", None))
        if edited is None:
            continue
        case = f"{one.drawn.name}, one weight {how}"
        is_written = differing(*map(subject.files, (one, edited)))
        yield Answer(case, "another artefact", None if is_written else "the same files")
        wrong = subject.difference(edited, subject.run(edited))
        yield Answer(case, "the results of the edited network", wrong)


def variants(subject: Subject, one: Compiled) -> Iterator[tuple[str, Compiled]]:
    """Yields each edit of one weight that changes the results of the network, and the compiled network with it."""
    before = run_network(one.drawn.module, one.drawn.x)
    for how, edited in edits(one.drawn):
        changes = not are_equal(before, run_network(edited.module, edited.x))
        if changes and (found := subject.compile(edited)).fit.is_fitting:
            yield how, found


def edits(drawn: Drawn) -> Iterator[tuple[str, Drawn]]:
    """Yields the edit of one weight and the network with it, the largest weights first."""
    for k, (how, factor) in product(range(CHANGES), EDITS.items()):
        module = drawn.module.clone()
        maps = [op for op in module.walk() if isinstance(op, ntensor.SynapseOpInterface) and op.weights is not None]
        op = next(
            op for op in maps if op.node.data.partition(".")[0] == "fc"
        )  # a fallback may have split or changed it
        assert op.weights is not None  # chosen before
        values = op.weights.values.copy()
        largest_first = np.argsort(-np.abs(values), axis=None, kind="stable")
        values.reshape(-1)[largest_first[k % values.size]] *= factor
        op.replace_weights(ArrayAttr.of(values), op.quantized_weights)
        yield how, evolve(drawn, module=module)


def reference(compiled: Compiled) -> dict[str, NDArray[Any]]:
    return run_network(compiled.network, compiled.drawn.x)


def are_equal(one: Mapping[str, NDArray[Any]], other: Mapping[str, NDArray[Any]]) -> bool:
    return all(np.array_equal(values, other[name]) for name, values in one.items())


def differing(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> str | None:
    """Returns a text with the names of the files that differ; None if all are equal."""
    names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    return f"other {', '.join(sorted(names))}" if names else None
