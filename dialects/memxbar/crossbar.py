"""Parameters of the arrays of a device: geometry, cells, encoding of weights, and converters.

| field of the device | meaning |
| --- | --- |
| `core.input_axons`, `core.neurons` | rows and columns of an array |
| `topology.cores` | arrays |
| `features.cell_bits` | bits of a cell, which has 2^bits levels |
| `features.g_min`, `features.g_max` | conductance of the lowest and the highest level [uS] |
| `features.encoding`, `features.slices` | `differential` or `offset`, and the cells that share the bits of a weight |
| `features.dac_bits`, `features.adc_bits` | bits of the converters; 0: ideal |
| `features.columns_per_adc` | columns that take turns at a converter |

Errors: MXB004 parameters that contradict each other, with their path in the device file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from attrs import frozen

from ...core.device.records import Device
from ...core.diagnostics import Code, refuse

MXB004 = Code("MXB004", "array-parameters-contradict", "the parameters of the arrays contradict each other")

DIFFERENTIAL, OFFSET = ENCODINGS = ("differential", "offset")
MOST_WEIGHT_BITS = 16
"""Bits of the widest weight, in all slices together."""
DEVICE_PAGES = "nopt targets memxbar"


@frozen
class Crossbar:
    """The arrays of a device. Units: conductances [uS]."""

    rows: int | None
    columns: int | None
    arrays: int | None
    cell_bits: int
    g_min: float
    g_max: float
    encoding: str
    slices: int
    dac_bits: int
    adc_bits: int
    columns_per_adc: int

    @property
    def levels(self) -> int:
        """Returns the levels of a cell."""
        return int(2**self.cell_bits)

    @property
    def step(self) -> float:
        """Returns the conductance between two levels [uS]."""
        return (self.g_max - self.g_min) / (self.levels - 1)

    @property
    def weight_bits(self) -> int:
        """Returns the signed bits of a weight."""
        return self.slices * self.cell_bits + (self.encoding == DIFFERENTIAL)

    @property
    def largest(self) -> int:
        """Returns the largest magnitude of a weight."""
        return int(2 ** (self.weight_bits - 1)) - 1

    @staticmethod
    def of(device: Device) -> Crossbar:
        """Returns the arrays of a device. Errors: MXB004."""
        crossbar = Crossbar(
            rows=device.integer("core.input_axons"),
            columns=device.integer("core.neurons"),
            arrays=device.integer("topology.cores"),
            cell_bits=whole(device, "cell_bits", 1, MOST_WEIGHT_BITS, "at least one bit, which are two levels"),
            g_min=real(device, "g_min"),
            g_max=real(device, "g_max"),
            encoding=parameter(device, "encoding", "unknown encoding", " or ".join(ENCODINGS), ENCODINGS.__contains__),
            slices=whole(device, "slices", 1, MOST_WEIGHT_BITS, "at least one cell of each weight"),
            dac_bits=whole(device, "dac_bits", 0, 24, "0 for an ideal converter, or 1 and more bits"),
            adc_bits=whole(device, "adc_bits", 0, 24, "0 for an ideal converter, or 2 and more bits"),
            columns_per_adc=whole(device, "columns_per_adc", 1, 2**16, "at least one column"),
        )
        verify_parameters(crossbar, device)
        return crossbar


def parameter(device: Device, name: str, message: str, expected: str, is_valid: Callable[[Any], bool]) -> Any:
    """Returns a feature of a device. Errors: MXB004."""
    feature = device.features.get(name)
    value = None if feature is None else feature.value
    if value is None:
        refuse_parameter(device, f"features.{name}", "a device of arrays lacks a parameter", "a value", "none")
    if not is_valid(value):
        refuse_parameter(device, f"features.{name}", message, expected, str(value))
    return value


def whole(device: Device, name: str, low: int, high: int, expected: str) -> int:
    """Errors: MXB004."""

    def is_valid(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high

    return int(parameter(device, name, f"{name} is out of range", expected, is_valid))


def real(device: Device, name: str) -> float:
    """Errors: MXB004."""

    def is_valid(value: Any) -> bool:
        return isinstance(value, int | float) and not isinstance(value, bool)

    return float(parameter(device, name, f"{name} is not a number", "a number", is_valid))


def verify_parameters(crossbar: Crossbar, device: Device) -> None:
    """Refuses parameters that contradict each other. Errors: MXB004."""
    low, high = crossbar.g_min, crossbar.g_max
    bits = crossbar.weight_bits
    weight_bits = device.integer("quantization.weight_bits")
    columns = crossbar.columns or 0
    least = 2 * crossbar.slices
    for is_met, path, message, expected, found in (
        (low >= 0, "features.g_min", "a conductance is negative", "0 uS or more", f"{low:g} uS"),
        (
            low < high,
            "features.g_max",
            "the highest level has not the greatest conductance",
            f"more than g_min, which is {low:g} uS",
            f"{high:g} uS",
        ),
        (crossbar.adc_bits != 1, "features.adc_bits", "a signed converter has 1 bit", "0, or 2 and more", "1"),
        (
            bits <= MOST_WEIGHT_BITS,
            "features.slices",
            "a weight has too many bits",
            f"at most {MOST_WEIGHT_BITS} bits of a weight",
            f"{bits} bits in {crossbar.slices} cells of {crossbar.cell_bits} bits",
        ),
        (
            weight_bits is None or 2 <= weight_bits <= bits,
            "quantization.weight_bits",
            "the cells of a weight cannot hold its bits",
            f"2 to {bits} bits, with {crossbar.slices} x {crossbar.cell_bits} bits of encoding {crossbar.encoding}",
            f"{weight_bits}",
        ),
        (
            crossbar.columns is None or columns >= least,
            "core.neurons",
            "an array has too few columns for one output",
            f"at least {least} columns",
            f"{columns}",
        ),
    ):
        if not is_met:
            refuse_parameter(device, path, message, expected, found)


def refuse_parameter(device: Device, path: str, message: str, expected: str, found: str) -> NoReturn:
    """Refuses a parameter of a device. Errors: MXB004."""
    refuse(
        MXB004,
        f"{message}: {device.key}",
        at=f"$.{path}",
        expected=expected,
        found=found,
        source=device.cite(path) if path.partition(".")[0] != "features" or path[9:] in device.features else device.key,
        path=path,
        help=DEVICE_PAGES,
    )
