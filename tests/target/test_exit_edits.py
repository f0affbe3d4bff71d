"""Hand edits of chips that were compiled: each is refused with a finding, or legal for a reason that `LEGAL` lists. None is a defect of nopt."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from exit_edits import Edit, edits_of
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.core import registry
from nopt.core.diagnostics import Diagnostics, ExitCode, Refused
from nopt.core.ir import source
from nopt.core.ir.context import NoptContext

SEED, EDITS = 44, 40
"""The edits of a chip, chosen from all."""
ENGINES = {"c", "cuda", "glsl", "linalg", "metal", "opencl", "reference", "wgsl"}
"""Targets without an exit dialect of a chip."""
EULER = {"dt": "1ms", "like": "euler", "reset": "value"}
NORSE = {"dt": "1ms", "like": "norse"}
CHIPS: dict[str, tuple[str, dict[str, Any]]] = {
    "akida": ("akida", {}),
    "asic/edge": ("asic", NORSE),
    "dynapcnn": ("dynapcnn", {"dt": "1ms", "like": "sinabs"}),
    "dynapse": ("dynapse", EULER | {"passes": "initial,current,refractory,reset,early"}),
    "loihi2/oheo_gulch": ("asic", NORSE),
    "memxbar": ("memxbar", {}),
    "neurogrid": ("neurogrid", EULER | {"passes": "dynamics,refractory,reset"}),
    "spinnaker/spinn3": ("spinnaker", EULER),
    "spinnaker2": ("spinnaker2", EULER),
    "truenorth/ns1e": ("truenorth", EULER),
    "xylo": ("xylo", {"dt": "1ms", "like": "snntorch", "reset": "subtract", "passes": "comparison,reset"}),
}
"""Target, the folder of the network, and choices; `passes` lists the differences that are accepted."""

NUMBER = r"(lowest|highest|below|above|zero|absurd|opposite|integer)( at \d+)?"
NEAR = r"(below|above|zero|opposite|integer)( at \d+)?"
ORDER = "reversed"
LEGAL: list[tuple[str, str, str]] = [
    (r"\.(sym_name|node|source)$", "renamed", "a name carries no number"),
    (r"\.(chip|network|configuration|model)\.tick_ns$", NUMBER, "time per tick: parameters are numbers per tick, and the device limits it"),
    (r"\.input\.(at|channels)$", f"above|{ORDER}", "another core or channel of the device at which the host sends"),
    (r"\.index$", ORDER, "neurons of a group are in any order"),
    (r"\.(row|column|ids|aliases)$", f"{NEAR}|{ORDER}", "another free place of the array, which has no meaning"),
    (r"\.(core|tile)\.(place|array)$|np\.ident$", NEAR, "another free core of the device"),
    (r"\.output\.delay$", NUMBER, "the host reads an output later"),
    (r"\.output$", "op removed", "an output that is not read"),
    (r"\.input$", "op removed", "an input whose events no synapse needs"),
    (r"packets\.delay$", NUMBER, "the host sends a packet later"),
    (r"(output_axons|packets|destinations|terminals)\.\w+$", f"{NEAR}|{ORDER}", "another destination that exists"),
    (r"(output_axons|destinations|packets|terminals)$", "op removed|op repeated", "no spikes, or the events of several lists"),
    (r"\.(dense|sparse|kernel|connections|rows|synapses|weights)$", "op removed|op repeated", "synapses that do not exist, or twice"),
    (r"\.core$", "op removed", "neurons that nothing reads"),
    (r"memxbar\.tile$", "op removed", "a part without a tile holds zeros"),
    (r"\.(dense|sparse)\.axons$", NEAR, "another input axon of the core, which has a sender"),
    (r"\.(weight|weights|levels|crossbar|events|words)$", f"{NUMBER}|{ORDER}", "another number within the bits of the format"),
    (r"\.(dense|connections|sparse)\.(delay|post|pre)$", f"{NEAR}|{ORDER}", "another delay or neuron that exists"),
    (r"\.(shift|weight_exp|current|currents|target|mask|is_inhibitory|tag)$", f"{NEAR}|{ORDER}", "another field of a synapse within its bits"),
    (r"loihi2\.\w+\.(profiles|thresholds|registers|threshold)", f"{NEAR}|{ORDER}|longer", "an integer of the type that the update declares"),
    (r"\.params\.(shift_exc|shift_inh|exp_tc|k|vth|lasts)$", NEAR, "an integer of the type that the update declares"),
    (r"spinnaker\.neurons\.params\.\w+$", NUMBER, "an integer of 32 bits, as the update declares"),
    (r"spinnaker\.neurons\.delay_bits$", "above", "a ring buffer with more slots, within its memory"),
    (r"spinnaker2\.neurons\.params\.\w+$", NUMBER, "a finite real of single precision; decays are not above 1"),
    (r"neurogrid\.somas\.params\.\w+$", NUMBER, "a finite real, above 0 for times and from 0 for conductances: no source publishes limits"),
    (r"neurogrid\.somas\.arbors$", r"opposite at \d", "0 with a sign"),
    (r"dynapse\.neurons\.params\.\w+$", NEAR, "a current of the bias generator; derived numbers are equal but for roundings"),
    (r"\.initial\.\w+$", NUMBER, "a state of the type that the update declares, or the same number"),
    (r"truenorth\.neurons\.(parameters\.\w+|potential)$", NEAR, "a number of the register"),
    (r"truenorth\.core\.types$", f"{NEAR}|{ORDER}", "another type of axons that the device has"),
    (r"truenorth\.chip\.neuron_reset_type$", "above", "the other kind of reset"),
    (r"xylo\.\w+\.registers\.\w+$", NEAR, "an integer of the register"),
    (r"\.(biases|threshold|threshold_high|threshold_low|act_step|bias|exponent)$", rf"{NUMBER}|{ORDER}|removed", "an integer that its bits hold"),
    (r"\.(leak_enable|act_bits)$", "removed", "biases that no clock adds, potentials of the last layer"),
    (r"\.(stride|kernel|padding)$", r".*", "another window with the same number of positions"),
    (r"memxbar\.\w+\.(adc_range|dac_range)$", "removed|highest|below", "another positive range, or ideal converters"),
    (r"akida\.model\.input$", "renamed", "a name carries no number"),
]  # fmt: skip
"""Place, kinds, and the reason for which edits are legal."""


def compiled(target: str, root: Path, out: Path) -> ModuleOp:
    """Returns the module of the last level of a network for a chip."""
    folder, choices = CHIPS[target]
    given = dict(choices)
    if differences := given.get("passes"):
        device = {"dynapse": "dynapse/se2", "neurogrid": "neurogrid/board", "xylo": "xylo/audio2"}[target]
        given["passes"] = f'ntensor-legalize{{device="{device}" approximate={differences}}}'
    network = root / "lit-tests" / "targets" / folder / "inputs" / "net.mlir"
    nopt.compile(network, target=target, out=out, diagnostics=Diagnostics(), **given)
    last = max((out / "ir").glob("*.mlir"))
    return source.parse_module(NoptContext(), last.read_text(), str(last), arrays=out / "ir" / "arrays")


def reasons(edit: Edit) -> list[str]:
    return [why for place, kinds, why in LEGAL if re.search(place, edit.place) and re.fullmatch(kinds, edit.what)]


def refusal(module: ModuleOp) -> Refused | None:
    """Returns the refusal of a module that is printed and read, as `nopt FILE` reads it."""
    try:
        text = source.format_module(NoptContext(), module, is_generic=True)
        source.check_module(source.parse_module(NoptContext(), text))
    except Refused as found:
        return found
    return None


def test_every_exit_dialect_is_edited() -> None:
    slugs = {slug for slug, target in registry.usable_targets().items() if target.artefact is not None}
    assert {name.partition("/")[0] for name in CHIPS} == slugs - ENGINES


@pytest.mark.parametrize("target", CHIPS)
def test_edits_are_refused_or_legal(target: str, root: Path, tmp_path: Path) -> None:
    module = compiled(target, root, tmp_path / "build")
    assert refusal(module) is None
    edits = list(edits_of(module))
    refused = 0
    for edit in Random(SEED).sample(edits, min(EDITS, len(edits))):
        found = refusal(edit.apply(module))
        if found is None:
            assert reasons(edit), f"{target}: {edit} is accepted without a reason"
            continue
        refused += 1
        for finding in found.findings:
            assert finding.code.exit_code is not ExitCode.BUG, f"{target}: {edit}: {finding}"
            assert finding.code is not source.COR027, f"{target}: {edit}: {finding}"
    assert 0 < refused < EDITS
