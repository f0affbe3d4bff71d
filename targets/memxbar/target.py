"""Memristive crossbars: products of integers on arrays of conductances, with a digital periphery."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.target import API_VERSION, HardwareTarget

if TYPE_CHECKING:
    from ...core.device.device import Device


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to a `memxbar.network` on tiles. Errors: MXB004 parameters that contradict each other."""
    from ...core.ir.pipeline import option_text
    from ...dialects.memxbar import Crossbar
    from ...passes.pipelines import to_device_neurons

    Crossbar.of(device)
    chosen = device.preferred
    data = f" data={option_text(str(chosen['calibration']))}" if chosen.get("calibration") else ""
    steps = (
        to_device_neurons(device),
        "convert-ntensor-to-memxbar",  # weights become matrices of integers; no number changes
        f"memxbar-choose-positions{{growth={chosen.get('growth', 1)}}}",  # unused cells compute further positions
        "memxbar-allocate-tiles",  # matrices are divided between arrays
        f"memxbar-calibrate-converters{{share={float(chosen.get('adc_share', 1))}{data}}}",  # ranges of converters
    )
    return ",".join(steps)


TARGET = HardwareTarget(
    slug="memxbar",
    summary="memristive crossbars: integer products on arrays of conductances, neurons in a digital periphery",
    source="NeuroSim V2.1, MNSIM 2.0, CrossSim and aihwkit 1.1.0",
    api_version=API_VERSION,
    package=__package__,
    device="array128",
    pipeline=pipeline,
    oracles={"aihwkit": "tests/oracle/memxbar"},
)
