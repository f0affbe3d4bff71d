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
        reader = ParameterReader(device)
        made = Crossbar(
            rows=device.whole("core.input_axons") if device.core is not None else None,
            columns=device.whole("core.neurons") if device.core is not None else None,
            arrays=device.whole("topology.cores") if device.topology is not None else None,
            cell_bits=reader.whole("cell_bits", 1, MOST_WEIGHT_BITS, "at least one bit, which are two levels"),
            g_min=reader.real("g_min"),
            g_max=reader.real("g_max"),
            encoding=reader.word("encoding", ENCODINGS),
            slices=reader.whole("slices", 1, MOST_WEIGHT_BITS, "at least one cell of each weight"),
            dac_bits=reader.whole("dac_bits", 0, 24, "0 for an ideal converter, or 1 and more bits"),
            adc_bits=reader.whole("adc_bits", 0, 24, "0 for an ideal converter, or 2 and more bits"),
            columns_per_adc=reader.whole("columns_per_adc", 1, 2**16, "at least one column"),
        )
        verify_parameters(made, device)
        return made


class ParameterReader:
    """Reader of the features of a device."""

    def __init__(self, device: Device):
        self.device = device

    def value(self, name: str) -> Any:
        held = self.device.features.get(name)
        if held is None or held.value is None:
            refuse_parameter(self.device, f"features.{name}", "a device of arrays lacks a parameter", "a value", "none")
        return held.value

    def whole(self, name: str, low: int, high: int, text: str) -> int:
        found = self.value(name)
        if isinstance(found, bool) or not isinstance(found, int) or not low <= found <= high:
            refuse_parameter(self.device, f"features.{name}", f"{name} is out of range", text, str(found))
        return found

    def real(self, name: str) -> float:
        found = self.value(name)
        if isinstance(found, bool) or not isinstance(found, int | float):
            refuse_parameter(self.device, f"features.{name}", f"{name} is not a number", "a number", str(found))
        return float(found)

    def word(self, name: str, known: tuple[str, ...]) -> str:
        found = self.value(name)
        if found not in known:
            refuse_parameter(self.device, f"features.{name}", f"unknown {name}", " or ".join(known), str(found))
        return str(found)


def verify_parameters(crossbar: Crossbar, device: Device) -> None:
    """Refuses parameters that contradict each other. Errors: MXB004."""
    low, high = crossbar.g_min, crossbar.g_max
    bits = crossbar.weight_bits
    weight_bits = device.whole("quantization.weight_bits") if device.quantization is not None else None
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
