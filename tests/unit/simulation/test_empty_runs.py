"""Runs without a sample or without a tick, in the model of a device of each target: results have their shapes, and no entries."""

from __future__ import annotations

import numpy as np
import pytest

from nopt.api.conformance.conform import devices_of
from nopt.api.conformance.subject import Subject
from nopt.core import registry
from nopt.core.diagnostics import Refused

DRAWN = 3


def subjects() -> list[Subject]:
    """Returns the first device of each target that is asked."""
    found: list[Subject] = []
    for slug in registry.targets():
        try:
            found.append(Subject(devices_of(slug, [])[0], DRAWN, 0))
        except Refused:  # a target without a pipeline
            continue
    return found


@pytest.mark.parametrize("subject", subjects(), ids=lambda subject: subject.device.key.replace("/", "-"))
@pytest.mark.parametrize("is_without", ["samples", "ticks"])
def test_an_empty_run_has_empty_results(subject: Subject, is_without: str) -> None:
    compiled = subject.asked(1)[0]
    x = compiled.drawn.x[:0] if is_without == "samples" else compiled.drawn.x[:, :0]
    for array in subject.run(compiled, x=x).values():
        assert array.shape[0 if is_without == "samples" else 1] == 0
        assert np.size(array) == 0
