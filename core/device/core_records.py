"""Records of a device description about cores of several kinds.

Source: this project defines the format.
"""

from __future__ import annotations

from attrs import frozen

from .fields import Quantity, note_field, number_field, record_fields, required_field, source_field


@frozen
class KindRegion:
    """A region of `core.memory` on the cores of a kind."""

    bytes: Quantity | None = number_field("its size, at most that of `core.memory`", "byte", has_default=True)


@frozen
class CoreKind:
    """Cores with a smaller capacity than `core`, which holds the greatest of each limit. A missing number is that of `core`."""

    cores: tuple[int, ...] = required_field("their numbers on each chip")
    source: str = source_field()
    neurons: Quantity | None = number_field("neurons of one core", "neurons", 1, has_default=True)
    fan_in: Quantity | None = number_field("synapses of one neuron", "synapses", 1, has_default=True)
    fan_out: Quantity | None = number_field("target cores of one neuron", "cores", 1, has_default=True)
    input_axons: Quantity | None = number_field("sources of spikes into one core", "axons", 1, has_default=True)
    output_axons: Quantity | None = number_field(
        "pairs of a neuron and one of its target cores, for all neurons of a core", "axons", 1, has_default=True
    )
    memory: dict[str, KindRegion] = record_fields("sizes of regions of `core.memory`, by name")
    note: str | None = note_field()
