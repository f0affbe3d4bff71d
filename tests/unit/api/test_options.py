"""Options that verbs share: the keywords of the functions and the arguments of the command line follow from one declaration."""

from __future__ import annotations

import argparse
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from places import EXAMPLES

import nopt
from nopt.api.options import (
    BuildOptions,
    Choices,
    DeviceOptions,
    FitOptions,
    TrainableOptions,
    choices_in,
    complete,
    declared,
)
from nopt.api.tuning.training_options import TuneOptions
from nopt.core.diagnostics import Refused
from nopt.tools import choices
from nopt.tools.command import parser_of
from nopt.tools.verbs import verb_module

VERBS: dict[str, tuple[str, type[Any]]] = {
    "check": ("check", DeviceOptions),
    "compile": ("compile", BuildOptions),
    "export": ("export_torch", TrainableOptions),
    "sweep": ("sweep", FitOptions),
    "tune": ("tune", TuneOptions),
}


@pytest.mark.parametrize("verb", VERBS)
def test_function_and_command_have_the_same_options(verb: str) -> None:
    name, group = VERBS[verb]
    parameters = signature(getattr(nopt, name)).parameters
    actions = {action.dest: action for action in parser_of(verb_module(verb))._actions}
    for one in declared(group).values():
        assert parameters[one.name].default == one.option.default, one.name
        assert one.flag in actions[one.dest].option_strings
        default = actions[one.dest].default
        assert (default or None) == (one.option.default or None), one.name  # an empty list is an empty tuple


def test_arguments_of_a_command_are_the_options_of_a_function() -> None:
    parser = argparse.ArgumentParser()
    choices.add_group(parser, TuneOptions)
    args = parser.parse_args(["--dt", "1ms", "--weight-bits", "4", "--train-thresholds", "-p", "a", "-p", "b{c=1}"])
    found = choices.group_options(args, TuneOptions)
    assert set(found) == set(declared(TuneOptions))
    given = {name: value for name, value in found.items() if value != complete(TuneOptions, {})[name] and value != []}
    assert given == {"dt": "1ms", "weight_bits": 4, "thresholds": True, "passes": "a,b{c=1}"}


def test_choices_are_the_options_of_the_conversion() -> None:
    found = choices_in(complete(BuildOptions, {"target": "c", "dt": "1ms"}))
    assert set(found) == set(declared(Choices))
    assert found["dt"] == "1ms"


def test_unknown_keyword_is_refused(tmp_path: Path) -> None:
    file: Any = {"out": tmp_path / "build", "target": "c", "dt": "1ms", "like": "norse", "wieght_bits": 4}
    with pytest.raises(Refused) as refusal:
        nopt.compile(Path(__file__).parents[3] / "examples/bars/bars.nir", **file)
    (finding,) = refusal.value.findings
    assert finding.code.id == "COR013"


def test_an_unknown_keyword_is_refused_by_name() -> None:
    """Options that were not given have no value, and the unknown one has a value of another type."""
    with pytest.raises(Refused, match="COR013") as refused:
        nopt.check(EXAMPLES / "bars" / "bars.nir", dt="1ms", like="sinabs", colour=object())  # type: ignore[call-arg]
    assert refused.value.findings[0].found == "no option colour"
