"""Phrases: a text whose options, passes and commands each verb spells in its own syntax."""

from __future__ import annotations

import pickle
from typing import get_args

from nopt.core.device.features import FEATURES, LIMITS
from nopt.core.device.limits import OTHER_DEVICE
from nopt.core.device.records import QUANTITIES, Feature
from nopt.core.diagnostics import Code, Finding, choose
from nopt.core.phrases import Flag, MissingOptions, OutputFormat, Phrase, Plan, in_command, option, setting, time_step
from nopt.passes.pipelines import REPAIRS
from nopt.tools import spelling

CODE = Code("XYZ001", "a summary")


def verb(help: Phrase, *argv: str) -> str | None:
    return spelling.spell_for_verb(Finding(CODE, "a message", help=help), "nopt run", argv).help


def pipeline(help: Phrase, *argv: str) -> str | None:
    return spelling.spell_for_pipeline(Finding(CODE, "a message", help=help), "nopt", argv).help


def test_a_phrase_is_its_text_in_a_pipeline_and_keeps_its_parts() -> None:
    text = Phrase("set ", time_step(100_000), ", or ", choose(option("like", "NAME"), ["a", "b"]))
    assert text == "set dt-ns=100000, or like=NAME, where NAME is one of a or b"
    assert in_command(text) == "set --dt 100us, or --like NAME, where NAME is one of a or b"
    again = pickle.loads(pickle.dumps(text))
    assert again == text
    assert in_command(again) == in_command(text)


def test_a_verb_prints_its_own_options() -> None:
    assert verb(Phrase(time_step(2000)), "x.nir") == "--dt 2us"
    assert verb(Phrase(time_step(2000)), "x.nir", "-p", "convert-nir-to-ntensor{dt-ns=1}") == "dt-ns=2000"
    assert verb(Phrase(setting("core.neurons", 4)), "x.nir") == 'set="core.neurons=4"'
    assert verb(Phrase(setting("core.neurons", 4)), "x.nir", "--target=c") == "--set core.neurons=4"
    command = Phrase(MissingOptions("nopt x.nir -p P", (("dt", "1ms"), ("like", "norse"))))
    assert verb(command, "x.nir", "--like", "lava") == "nopt run x.nir --like lava --dt 1ms"
    assert verb(OTHER_DEVICE, "x.nir", "--target", "c", "--dt=1ms") == "nopt check x.nir --dt=1ms --target auto"


def test_the_textual_driver_prints_pipelines() -> None:
    assert pipeline(Phrase(Flag("record=lif", "--record lif")), "x.nir", "-p", "canonicalize") == "record=lif"
    raised = pipeline(Phrase(OutputFormat("mlir")), "x.mlir", "-p", "cse,convert-ntensor-to-nir", "-t", "nir")
    assert raised == "nopt x.mlir -p cse -t mlir"
    plan = Phrase(Plan('ntensor-plan-cores{device="a/b"}', "--set core.neurons=4", is_of_device=True))
    lifted = 'convert-machine-to-ntensor,ntensor-plan-cores{device="a/b"},convert-ntensor-to-machine,cse'
    assert pipeline(plan, "x.mlir", "--passes=cse") == f"nopt x.mlir -p '{lifted}'"
    typed = ("-", "-p", "cse", "--split-input-file", "-t", "mlir", "-o", "y.mlir")
    assert pipeline(OTHER_DEVICE, *typed) == "nopt check - --target auto"
    assert pipeline(OTHER_DEVICE, "x.mlir") == "nopt check FILE --target auto"


def test_every_feature_has_one_row_and_every_limit_a_quantity() -> None:
    assert set(FEATURES) == set(get_args(Feature))
    assert set(LIMITS) <= set(QUANTITIES)
    assert set(REPAIRS) <= set(FEATURES)
