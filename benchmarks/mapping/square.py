"""A square mesh of cores without any other limit than their neurons, and a neuron that fires at 0.5."""

from __future__ import annotations

from typing import Any

FIRE = """
ntensor.update @fire <spike> inputs ["x"] step {
^bb0(%x: f32):
  %0 = arith.constant 0.5 : f32
  %z = arith.cmpf ogt, %x, %0 : f32
  ntensor.emit %z : i1
}
"""


def mesh_device(side: int, neurons: int) -> dict[str, Any]:
    """Returns a device file: a mesh of cores with this number of neurons."""

    def number(value: int) -> dict[str, Any]:
        return {"value": value, "source": "made", "confidence": "assumed"}

    return {
        "schema": "nopt.device/1",
        "target": "asic",
        "name": "square",
        "summary": f"{side} x {side} cores of {neurons} neurons",
        "sources": {"made": "made for this benchmark"},
        "fidelity": {"tier": "exact", "source": "made"},
        "topology": {
            "chips": number(1),
            "cores": number(side * side),
            "mesh": {"width": number(side), "height": number(side)},
        },
        "core": {"neurons": number(neurons)},
    }
