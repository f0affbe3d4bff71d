"""Configurations as samna has them: layers with weights, and neurons with registers. They are made from the arguments of rockpool's functions."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

REGISTERS = {"v_mem_decay": "dash_mem", "i_syn_decay": "dash_syn", "threshold": "threshold", "v_mem_bias": "bias"}


class Configuration(SimpleNamespace):
    def to_json(self) -> str:
        return json.dumps(self, default=vars)


def configuration(hidden: str, has_second: bool, given: dict[str, Any]) -> tuple[Configuration, bool, str]:
    """Returns a configuration, whether it is valid, and the reason why not. `bias_hidden` are the biases of hidden neurons; `bias` is ignored, as in rockpool."""
    given = {name: value.tolist() if hasattr(value, "tolist") else value for name, value in given.items()}
    given["bias"] = given.pop("bias_hidden")

    def weights(name: str) -> dict[str, Any]:
        first = [[pair[0] for pair in row] for row in given[name]]
        second = {"syn2_weights": [[pair[1] for pair in row] for row in given[name]]} if has_second else {}
        return {"weights": first, **second}

    def neurons(end: str) -> list[SimpleNamespace]:
        names = {**REGISTERS, **({"i_syn2_decay": "dash_syn_2"} if has_second and not end else {})}
        size = len(given[f"dash_mem{end}"])
        return [SimpleNamespace(**{field: given[name + end][k] for field, name in names.items()}) for k in range(size)]

    layers = {
        "input": SimpleNamespace(weight_bit_shift=given["weight_shift_in"], **weights("weights_in")),
        "readout": SimpleNamespace(
            weight_bit_shift=given["weight_shift_out"], weights=given["weights_out"], neurons=neurons("_out")
        ),
        hidden: SimpleNamespace(
            weight_bit_shift=given["weight_shift_rec"],
            aliasing=given["aliases"] is not None,
            neurons=neurons(""),
            **weights("weights_rec"),
        ),
    }
    for neuron, aliases in zip(layers[hidden].neurons, given["aliases"] or [], strict=False):
        if aliases:
            (neuron.alias_target,) = aliases
    too_many = len(given["dash_mem"]) > 1000
    return Configuration(dt=given["dt"], **layers), not too_many, "too many hidden neurons" if too_many else ""
