"""Records of a device description about its chips, the positions of their cores, and the connections between cores.

Source: this project defines the format.
"""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from .fields import Quantity, Range, list_field, note_field, number_field, optional_field, required_field, source_field


@frozen
class Grid:
    """A rectangle of positions: x is in 0 to width - 1, y in 0 to height - 1."""

    width: Quantity | None = number_field("positions along x", low=1)
    height: Quantity | None = number_field("positions along y", low=1)


@frozen
class Mesh(Grid):
    """The positions of cores on one chip: x is in 0 to width - 1, y in 0 to height - 1. Several cores can share a position."""

    cores: Quantity | None = number_field(
        "cores at each position, which share a router; default: 1", "cores", 1, has_default=True
    )


@frozen
class Spot:
    """A core by its position, or all cores that share one."""

    x: int = required_field("from 0", range=Range("1"))
    y: int = required_field("from 0", range=Range("1"))
    source: str = source_field()
    chip: int = optional_field("from 0; chips are numbered along x first", default=0, range=Range("1"))
    slot: int | None = optional_field(
        "the core among those of its position, from 0; default: all of them", range=Range("1")
    )
    note: str | None = note_field()


@frozen
class Routers:
    """Transport of spikes from core to core; one router for each position of cores."""

    source: str = source_field()
    order: Literal["x-first", "y-first"] | None = optional_field("the first direction of a spike; default: x-first")
    is_multicast: bool = optional_field("whether a spike may branch, so that it uses each link once", default=True)
    entries: Quantity | None = number_field("routes that one router holds", "entries")
    reach: Quantity | None = number_field(
        "positions between a core and a destination along one axis, at most; default: the size of the grid",
        low=1,
        has_default=True,
    )
    note: str | None = note_field()


@frozen
class Bus:
    """The medium that all cores of a `bus` share."""

    source: str = source_field()
    is_multicast: bool = optional_field("whether one event on the bus reaches several cores", default=True)
    events_per_tick: Quantity | None = number_field("events that the bus carries in one tick", "events", 1, whole=False)
    note: str | None = note_field()


@frozen
class DeadLink:
    """A defective link of a router, which transports nothing in either direction."""

    link: int = required_field(
        "0: (1, 0), 1: (1, 1), 2: (0, 1), 3: (-1, 0), 4: (-1, -1), 5: (0, -1)", range=Range("1", 0, 5)
    )
    source: str = source_field()
    chip: int = optional_field("from 0; chips are numbered along x first", default=0, range=Range("1"))
    x: int = optional_field("of the router on its chip, from 0", default=0, range=Range("1"))
    y: int = optional_field("of the router on its chip, from 0", default=0, range=Range("1"))
    note: str | None = note_field()


@frozen
class Torus:
    """The links of a `hex-torus`, whose routers have six neighbours."""

    source: str = source_field()
    wraps: Literal["none", "x", "y", "both"] = optional_field(
        "the directions in which the borders of the whole grid are connected", default="both"
    )
    first_processor: Quantity | None = number_field(
        "the number of the processor that is the first core of a position, in the routes of a router; default: 0",
        "1",
        has_default=True,
    )
    key_bits: Quantity | None = number_field(
        "bits of the key of a packet; default: 32", "bits", 1, 32, has_default=True
    )
    dead_links: tuple[DeadLink, ...] = list_field("defective links")
    note: str | None = note_field()


@frozen
class Hierarchy:
    """The links of a `hierarchy`, whose cores form a tree."""

    source: str = source_field()
    degree: Quantity | None = number_field("children of a core; default: 2", "1", 1, has_default=True)
    note: str | None = note_field()


@frozen
class Topology:
    """Chips, their cores, and their connections."""

    kind: str | None = optional_field(
        "mesh: cores on a grid; hex-torus: cores on a triangular torus; hierarchy: a tree of cores; all-to-all: a link from each core to "
        "each other core; bus: one shared medium; or a kind of a plug-in; default: mesh"
    )
    chips: Quantity | None = number_field("chips of the whole device", "chips", 1)
    cores: Quantity | None = number_field("cores of the whole device, on all chips, including faulty ones", "cores", 1)
    mesh: Mesh | None = optional_field("arrangement of the cores of one chip; core = (y * width + x) * cores + slot")
    chip_mesh: Grid | None = optional_field("arrangement of the chips, for devices with several")
    routers: Routers | None = optional_field("transport of spikes")
    bus: Bus | None = optional_field("the shared medium of a bus")
    torus: Torus | None = optional_field("the links of a hex-torus")
    hierarchy: Hierarchy | None = optional_field("the links of a hierarchy")
    faulty: tuple[Spot, ...] = list_field("defective cores")
    reserved: tuple[Spot, ...] = list_field("cores with another use")
