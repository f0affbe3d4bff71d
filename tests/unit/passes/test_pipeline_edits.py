"""Edits of typed pipelines: passes of helps are put where they work."""

from __future__ import annotations

import pytest

from nopt.passes.pipeline_edits import insert_options, insert_passes, is_pipeline, merge_steps, parsed_steps

LEGALISE = 'ntensor-legalize{device="loihi2/oheo_gulch"}'


@pytest.mark.parametrize(
    ("typed", "added", "refused", "expected"),
    [
        # sums are split before weights become integers
        ([LEGALISE], "ntensor-split-fan-in{max-fan-in=4 code=spikes}", "convert-ntensor-to-machine", ["ntensor-split-fan-in{max-fan-in=4 code=spikes}", LEGALISE]),
        # a pass precedes the one that refused the network, whatever their order is elsewhere
        (["ntensor-calibrate{data=x}"], "ntensor-quantize-bias", "ntensor-calibrate", ["ntensor-quantize-bias", "ntensor-calibrate{data=x}"]),
        # a typed pass keeps its further options
        (["ntensor-quantize-weights{bits=8 per=row}"], "ntensor-quantize-weights{bits=4}", None, ["ntensor-quantize-weights{bits=4 per=row}"]),
        # the pass that refused the network is replaced
        (["ntensor-quantize-weights{bits=8 fit=error}"], "ntensor-quantize-weights{bits=8}", "ntensor-quantize-weights", ["ntensor-quantize-weights{bits=8}"]),
        # other nodes are another step, before the one for all
        (["ntensor-quantize-weights{bits=8}"], "ntensor-quantize-weights{bits=4 nodes=a}", None, ["ntensor-quantize-weights{bits=4 nodes=a}", "ntensor-quantize-weights{bits=8}"]),
        # a pass that was typed too late moves
        (["ntensor-quantize-weights{bits=8}", "ntensor-linearize-leak"], "ntensor-linearize-leak", "ntensor-linearize-leak", ["ntensor-linearize-leak", "ntensor-quantize-weights{bits=8}"]),
        # several passes of a help stay in order
        ([LEGALISE], "ntensor-replace-biases,ntensor-cluster-synapses", None, ["ntensor-replace-biases", "ntensor-cluster-synapses", LEGALISE]),
        (["convert-nir-to-ntensor{dt-ns=1 like=norse}"], "nir-flatten", None, ["nir-flatten", "convert-nir-to-ntensor{dt-ns=1 like=norse}"]),
    ],
)  # fmt: skip
def test_passes_are_put_where_they_work(typed: list[str], added: str, refused: str | None, expected: list[str]) -> None:
    assert insert_passes(typed, added, refused) == expected


def test_permissions_of_both_remain() -> None:
    merged = merge_steps(
        "ntensor-legalize{approximate=reset}", "ntensor-legalize{approximate=count,reset stretch-loops=true}"
    )
    assert merged == "ntensor-legalize{approximate=reset,count stretch-loops=true}"


def test_options_go_to_the_pass_that_takes_them() -> None:
    typed = ["convert-nir-to-ntensor{like=norse}", "ntensor-quantize-weights{bits=8}"]
    assert insert_options(typed, "dt-ns=1000") == ["convert-nir-to-ntensor{like=norse dt-ns=1000}", typed[1]]
    assert insert_options(typed, "bits=4 per=row") == [typed[0], "ntensor-quantize-weights{bits=4 per=row}"]
    assert insert_options(typed, "unknown=4") is None


def test_only_passes_with_known_options_are_a_pipeline() -> None:
    assert is_pipeline('ntensor-quantize-weights{bits=4},ntensor-legalize{device="a/b"}')
    assert not is_pipeline("ntensor-quantize-weights{bits=4} before it")
    assert not is_pipeline("ntensor-quantize-weights{width=4}")
    assert not is_pipeline("")
    assert parsed_steps("ntensor-a{b") is None


def test_number_of_a_help_replaces_the_typed_one() -> None:
    """`keep` is a number of samples here."""
    typed, help = "ntensor-calibrate{data=a.npy keep=1}", "ntensor-calibrate{data=x.npy keep=8}"
    assert merge_steps(typed, help) == 'ntensor-calibrate{data="x.npy" keep=8}'
