"""Phrases: a text whose options, passes and commands each verb spells in its own syntax."""

from __future__ import annotations

import pickle
from typing import get_args

from nopt.core.device.features import FEATURES, LIMITS
from nopt.core.device.limits import OTHER_DEVICE
from nopt.core.device.records import QUANTITIES, Feature
from nopt.core.diagnostics import Code, Finding, choose
from nopt.core.help_text import (
    Flag,
    MissingOptions,
    OutputFormat,
    Phrase,
    Plan,
    WholePipeline,
    WithoutOptions,
    WithoutPass,
    in_command,
    option,
    setting,
    time_step,
)
from nopt.passes.pipelines import REPAIRS
from nopt.tools.spelling import Typed, spell

CODE = Code("XYZ001", "a-code", "a summary")


FLAGS = frozenset(["-p", "--passes", "--dt", "--like", "--set", "--target", "--record", "-t", "-o", "--strict"])
SWITCHES = frozenset(["--strict"])


def verb(help: str, *argv: str, step: str | None = None) -> str | None:
    return spell(Finding(CODE, "a message", help=help, step=step), Typed("nopt run", argv, FLAGS, SWITCHES)).help


def pipeline(help: str, *argv: str, step: str | None = None) -> str | None:
    return spell(Finding(CODE, "a message", help=help, step=step), Typed("nopt", argv, FLAGS, SWITCHES, True)).help


def test_a_phrase_is_its_text_in_a_pipeline_and_keeps_its_parts() -> None:
    text = Phrase("set ", time_step(100_000), ", or ", choose(option("like", "NAME"), ["a", "b"]))
    assert text == "set dt-ns=100000, or like=NAME, where NAME is one of a or b"
    assert in_command(text) == "set --dt 100us, or --like NAME, where NAME is one of a or b"
    again = pickle.loads(pickle.dumps(text))
    assert again == text
    assert in_command(again) == in_command(text)


def test_an_option_is_left_out_with_its_value() -> None:
    """`--strict` has no value: the word after it stays."""
    options = Phrase(WithoutOptions(("--strict", "--dt")))
    for words in (["--strict", "x.nir", "--dt", "1ms"], ["--dt=1ms", "--strict", "x.nir"], ["x.nir", "--strict"]):
        assert verb(options, *words) == "nopt run x.nir"
    kept = verb(Phrase(WithoutOptions(("--set",), "a=1")), "x.nir", "--set", "a=1", "--set", "b=2", "--strict")
    assert kept == "nopt run x.nir --set b=2 --strict"


def test_a_verb_prints_its_own_options() -> None:
    assert verb(Phrase(time_step(2000)), "x.nir") == "nopt run x.nir --dt 2us"
    assert verb(Phrase(time_step(2000)), "x.nir", "--dt=1ms", "-o", "y") == "nopt run x.nir --dt 2us -o y"
    in_pipeline = verb(Phrase(time_step(2000)), "x.nir", "-p", "convert-nir-to-ntensor{dt-ns=1}")
    assert in_pipeline == "nopt run x.nir -p 'convert-nir-to-ntensor{dt-ns=2000}'"
    setting_of_device = verb(
        Phrase(setting("core.neurons", 4)), "x.nir", "--target=c", "--set", "core.neurons=2", "--set", "cores=1"
    )
    assert setting_of_device == "nopt run x.nir --target=c --set core.neurons=4 --set cores=1"
    typed = ("x.nir", "--target", "c/int4", "-p", "ntensor-legalize{device=c/int4 keep=bias}")
    other = "nopt run x.nir --target c/int8 -p 'ntensor-legalize{device=\"c/int8\" keep=bias}'"
    assert verb("--target c/int8", *typed) == other
    command = Phrase(MissingOptions("nopt x.nir -p P", (("dt", "1ms"), ("like", "norse"))))
    assert verb(command, "x.nir", "--like", "lava") == "nopt run x.nir --like lava --dt 1ms"
    assert verb(OTHER_DEVICE, "x.nir", "--target", "c", "--dt=1ms") == "nopt check x.nir --dt=1ms --target auto"


def test_each_alternative_is_a_command_of_its_own() -> None:
    help = "ntensor-fold-scale, or --dt 2ms, or rename the node"
    assert verb(help, "x.nir", "--dt", "1ms") == (
        "nopt run x.nir --dt 1ms -p ntensor-fold-scale\nnopt run x.nir --dt 2ms\nrename the node"
    )


def test_a_command_that_was_typed_is_no_help() -> None:
    assert verb("--dt 1ms, or --dt 2ms", "x.nir", "--dt", "1ms") == "nopt run x.nir --dt 2ms"
    assert verb("--dt 1ms", "x.nir", "--dt", "1ms") == "nopt explain XYZ001"


def test_words_are_no_command() -> None:
    for help in (
        "--dt 1ms, if it fits",
        "rename one of the two",
        "--unknown 3",
        "ntensor-no-such-pass",
        "-p ntensor-no-such-pass",
    ):
        assert verb(help, "x.nir") == help
    choices = choose("--like NAME", ["a", "b"])
    assert verb(choices, "x.nir") == "nopt run x.nir --like NAME, where NAME is one of a or b"


def test_a_pass_for_the_device_names_another_device_where_no_command_is_left() -> None:
    typed = ("x.nir", "--target", "c/int8", "-p", "ntensor-fold-scale")
    other = "nopt check x.nir -p ntensor-fold-scale --target auto"
    assert verb("rename it", *typed, step="ntensor-legalize") == f"rename it\n{other}"
    assert verb("rename it", *typed, step="ntensor-fold-scale") == "rename it"
    assert verb("rename it", "x.nir", step="ntensor-legalize") == "rename it"
    assert (
        verb("--dt 1ms", *typed, step="ntensor-legalize")
        == "nopt run x.nir --target c/int8 -p ntensor-fold-scale --dt 1ms"
    )


def test_options_of_a_conversion_are_options_of_a_verb() -> None:
    help = "convert-nir-to-ntensor{dt-ns=2000 loop-delay=spikes},ntensor-fold-scale"
    assert verb(help, "x.nir", "--dt", "1ms") == "nopt run x.nir --dt 2us --loop-delay spikes -p ntensor-fold-scale"
    assert verb("convert-nir-to-ntensor{like=norse}", "x.nir") == "nopt run x.nir --like norse"


def test_the_textual_driver_prints_pipelines() -> None:
    recorded = pipeline(
        Phrase(Flag("precision=f32", "--precision f32")), "x.nir", "-p", "convert-nir-to-ntensor{like=lava}"
    )
    assert recorded == "nopt x.nir -p 'convert-nir-to-ntensor{like=lava precision=f32}'"
    raised = pipeline(Phrase(OutputFormat("mlir")), "x.mlir", "-p", "cse,convert-ntensor-to-nir", "-t", "nir")
    assert raised == "nopt x.mlir -p cse -t mlir"
    plan = Phrase(Plan('ntensor-plan-cores{device="a/b"}', "--set core.neurons=4", is_of_device=True))
    lifted = 'convert-machine-to-ntensor,ntensor-plan-cores{device="a/b"},convert-ntensor-to-machine,cse'
    assert pipeline(plan, "x.mlir", "--passes=cse") == f"nopt x.mlir --passes '{lifted}'"
    typed = ("-", "-p", "cse", "--split-input-file", "-t", "mlir", "-o", "y.mlir")
    assert pipeline(OTHER_DEVICE, *typed) == "nopt check - --target auto"
    assert pipeline(OTHER_DEVICE, "x.mlir") == "nopt check FILE --target auto"
    without = pipeline(Phrase(WithoutPass("cse")), "x.mlir", "-p", "cse,canonicalize")
    assert without == "nopt x.mlir -p canonicalize"
    whole = pipeline(Phrase(WholePipeline("canonicalize")), "x.mlir", "-p", "canonicalise")
    assert whole == "nopt x.mlir -p canonicalize"


def test_every_feature_has_one_row_and_every_limit_a_quantity() -> None:
    assert set(FEATURES) == set(get_args(Feature))
    assert set(LIMITS) <= set(QUANTITIES)
    assert set(REPAIRS) <= set(FEATURES)
