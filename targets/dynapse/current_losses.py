"""Currents of a configuration that the bias generator does not have.

A current within a range differs by half a fine value at most. The lowest range has no finer one before it, and the highest no coarser one after it:
currents there are rounded by more, become 0, or are clipped. The model computes with the current that the network needs, so the chip differs from it.

1. A current of zero is that of an absent circuit.
2. The currents of the adaptation have no effect without its weight. Those of `DARK_NAMES` only have to be small.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.diagnostics import Code, Diagnostics
from ...core.help_text import Passes, Phrase
from .bias_generator1 import DARK_NAMES

DSN008 = Code("DSN008", "bias-currents-differ", "currents differ from those of the bias generator")

MOST_ERROR = 0.1
"""Largest error of a current that is not reported, relative to it: the deviation of those of manufactured chips."""
ADAPTATIONS = (("SOAD_", "SOAD_W_N"), ("IF_AH", "IF_AHW_P"))
"""The start of the names of the currents of the adaptation, and the name of its weight, on DYNAP-SE2 and DYNAP-SE1."""
GAIN = "DEAM_EGAIN_P"
COARSE = "ntensor-quantize-weights{bits=6 per=population}"
"""Weights with fewer steps than those of `ntensor-fit-weight-masks`, so that one step has a larger gain."""
NAMED_CURRENTS = 4
"""Maximum number of currents that a finding names."""


def report_currents(configuration: Mapping[str, Any], diagnostics: Diagnostics) -> None:
    """Warns of currents that the generator does not have, once for each population. Warnings: DSN008."""
    lost: dict[str, dict[str, str]] = {}
    for core in (core for chip in configuration["chips"] for core in chip["cores"]):
        texts = lost_currents(core["parameters"] if "parameters" in core else core["parameter_group"]["param_map"])
        for node in dict.fromkeys(neuron["population"] for neuron in core["neurons"]):
            lost.setdefault(node, {}).update(texts)
    for node, texts in lost.items():
        if not texts:
            continue
        more = f", and {len(texts) - NAMED_CURRENTS} more" if len(texts) > NAMED_CURRENTS else ""
        diagnostics.warning(
            DSN008,
            at=f'population "{node}"',
            node=node,
            expected=f"errors of at most {MOST_ERROR:.0%}",
            found=", ".join([*texts.values()][:NAMED_CURRENTS]) + more,
            help=Phrase(Passes(COARSE)) if GAIN in texts else f"nopt explain {DSN008}",
        )


def lost_currents(parameters: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Returns a text about each current of a core that differs by more than the rounding within a range."""
    absent = [start for start, weight in ADAPTATIONS if weight in parameters and not parameters[weight]["current"]]
    return {
        name: f"{name} becomes {one['generated']:.3g} A where {one['current']:.3g} A is needed"
        for name, one in parameters.items()
        if abs(one["generated"] - one["current"]) > MOST_ERROR * one["current"]  # 1
        and not name.startswith(tuple(absent))
        and name not in DARK_NAMES  # 2
    }
