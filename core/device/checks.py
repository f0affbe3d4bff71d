"""Consistency checks between the fields of a device.

An unknown number is consistent with every other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from math import inf
from typing import TYPE_CHECKING, cast

from ..diagnostics import Code, choices_text
from .core_kinds import cores_at_position, cores_of_chip
from .cost.checks import CostChecks
from .device_report import DeviceReport
from .dtypes import dtype_bits
from .numbers import numbers
from .reader import DEV002, DEV006
from .recipe_checks import RecipeChecks
from .records import SEVERAL_SCALES
from .synapse_records import Format
from .text_checks import TextChecks
from .topology_records import Grid, Spot

if TYPE_CHECKING:
    from .topology import Topology as Kind

DEV015 = Code("DEV015", "unknown-topology", "unknown topology")

WORD_FIELD = re.compile(r"([a-z]+):([1-9][0-9]{0,3})")
WORD_BITS, ROW_BITS = 64, 9999
"""Maximum width of a field in a word, and in a row (a row has one bit for each axon)."""
ROW_FIELDS = (
    "synapses",
    "potential",
    "weights",
    "leak",
    "reversal",
    "threshold",
    "floor",
    "negative",
    "reset",
    "mode",
    "saturates",
    "random",
    "randomleak",
    "mask",
    "dx",
    "dy",
    "axon",
    "tick",
    "late",
)
IMAGE_FIELDS = {"axons": ("axon", "start", "count"), "outputs": ("neuron", "core", "axon"), "rows": ROW_FIELDS}
UNUSED = "unused"
"""A field of a word without content."""
SLUG = re.compile(r"[a-z][a-z0-9_-]*")


class Checks(DeviceReport):
    """Checks of one device."""

    def run(self, has_text_checks: bool = True) -> None:
        self.names()
        self.fidelity()
        self.tick()
        self.execution()
        self.topology()
        self.core()
        self.core_kinds()
        self.synapse()
        self.spike()
        self.quantization()
        texts = TextChecks(self.device, self.file, self.found) if has_text_checks else None
        if texts is not None:
            texts.updates()
            texts.fallbacks()
        RecipeChecks(self.device, self.file, self.found).run(has_text_checks=texts is not None)
        CostChecks(self.device, self.file, self.found).run()
        self.imperfections()
        if texts is not None:
            texts.constraints()

    # ---- one section after the other

    def names(self) -> None:
        for name in ("target", "name"):
            if not SLUG.fullmatch(text := getattr(self.device, name)):
                expected = "lower case letters, digits, underscores and dashes, a letter first"
                self.finding(DEV002, f"{name} is not a valid name", name, expected=expected, found=text)

    def fidelity(self) -> None:
        fidelity = self.device.fidelity
        for tier, name in (("windowed", "window"), ("nominal", "tolerance")):
            has, needs = getattr(fidelity, name) is not None, fidelity.tier == tier
            if has != needs:
                path = f"fidelity.{name}"
                message = f"fidelity {fidelity.tier} {'needs a' if needs else 'has no'} {name}"
                self.contradiction(message, path, "a number" if needs else "nothing", "a number" if has else "nothing")

    def tick(self) -> None:
        if self.device.tick is not None:
            self.ordered("tick.min", "tick.max")
            self.ordered("tick.min", "tick.default")
            self.ordered("tick.default", "tick.max")
        elif (
            (execution := self.device.execution) is not None
            and execution.mode == "time-stepped"
            and execution.barrier != "host"
        ):
            self.contradiction("a time-stepped device has no tick length", "tick", "min, max and default", "nothing")

    def execution(self) -> None:
        """Checks that mode, step and barrier describe one model of execution, and that the fidelity is possible with it."""
        if (execution := self.device.execution) is None:
            return
        mode, step, barrier = execution.mode, execution.step, execution.barrier
        steps = {
            "time-stepped": ("tick", "frame"),
            "event-driven": ("tick", "frame", "event"),
            "continuous": ("continuous",),
        }
        if step is not None and step not in steps[mode]:
            self.contradiction(f"a {mode} device has another step", "execution.step", choices_text(steps[mode]), step)
        if barrier is not None and (barrier == "none") != (mode == "continuous" or step == "event"):
            expected = "clock, global or host" if barrier == "none" else "none"
            message = f"{'a device of ticks has no' if barrier == 'none' else 'a device without ticks has a'} barrier"
            self.contradiction(message, "execution.barrier", expected, barrier)
        if execution.clocked and mode != "event-driven":
            message = f"a {mode} device changes its neurons without events"
            self.contradiction(message, "execution.clocked", "nothing", ", ".join(execution.clocked))
        if barrier == "none" and self.device.fidelity.tier == "exact":
            message = "a device without ticks has no exact model"
            self.contradiction(message, "fidelity.tier", "windowed or nominal", "exact")
        if execution.granularity == "layer" and (late := self.device.integer("synapse.delay.min")):
            message = "layers that are computed in sequence receive spikes in a later tick"
            self.contradiction(message, "synapse.delay.min", "0", late)

    def topology(self) -> None:
        topology = self.device.topology
        if topology is None:
            return
        if (kind := self.topology_kind()) is None:
            return
        places, each = product(topology.mesh), cores_at_position(self.device)
        chips, cores = self.device.integer("topology.chips"), self.device.integer("topology.cores")
        if "topology.mesh" not in kind.uses and cores is not None and cores % (chips or 1):
            expected = f"a multiple of {chips}, which is topology.chips"
            self.contradiction("the chips have different numbers of cores", "topology.cores", expected, cores)
        if product(topology.chip_mesh) is not None:
            self.equal("topology.chips", product(topology.chip_mesh) or 0, "the product of topology.chip_mesh")
        if places is not None and each is not None and chips is not None:
            self.equal("topology.cores", chips * places * each, "topology.chips times the product of topology.mesh")
        seen: dict[tuple[int, int, int, int], str] = {}
        for use in ("faulty", "reserved"):
            for k, spot in enumerate(cast("Sequence[Spot]", getattr(topology, use))):
                at = f"topology.{use}[{k}]"
                self.spot(spot, at, kind)
                slots = range(each or 1) if spot.slot is None else [spot.slot]
                others = [seen.setdefault((spot.chip, spot.x, spot.y, slot), at) for slot in slots]
                if other := next((one for one in others if one != at), None):
                    self.contradiction("a core is listed twice", at, "cores that differ", f"the same core in {other}")
        if cores is not None and len(seen) >= cores:
            self.contradiction(
                "every core is faulty or reserved", "topology.cores", f"more than {len(seen)} cores", cores
            )

    def topology_kind(self) -> type[Kind] | None:
        """Returns the class of the topology, or None for an unknown kind. Reports fields of the device that the topology does not use."""
        from .topology import OPTIONAL, kind_of, topologies

        name, known = kind_of(self.device), topologies()
        if name not in known:
            near = get_close_matches(name, known, 1, 0.75)  # not hex-torus for torus: its routers have six links
            help = f'"kind": "{near[0]}"' if near else f"nopt explain {DEV015}"
            expected = choices_text(known)
            self.finding(DEV015, f"unknown topology {name}", "topology.kind", expected=expected, found=name, help=help)
            return None
        kind = known[name]()
        unused = [path for path in OPTIONAL if path not in kind.uses and self.device.entry(path) is not None]
        for path in unused:
            if path.rpartition(".")[0] not in unused:
                self.contradiction(f"the topology {name} does not use {path}", path, "nothing", "a value")
        return kind

    def spot(self, spot: Spot, at: str, kind: type[Kind]) -> None:
        limits = {**kind.sides(self.device), "chip": (self.device.integer("topology.chips"), "topology.chips")}
        for axis, (limit, meaning) in limits.items():
            value = getattr(spot, axis)
            if value is not None and limit is not None and value >= limit:
                message = f"no core has {axis} = {value}"
                self.contradiction(message, f"{at}.{axis}", f"below {limit}, which is {meaning}", value)

    def core(self) -> None:
        core = self.device.core
        if core is None:
            return
        sizes = [self.device.integer(f"core.memory.{name}.bytes") for name in core.memory]
        known = [size for size in sizes if size is not None]
        if sizes and len(known) == len(sizes):
            self.equal("core.memory_bytes", sum(known), "the sum of the regions of core.memory")
        elif known:
            whole = self.device.number("core.memory_bytes")
            if whole is not None and sum(known) > whole:
                message = "the regions of core.memory are larger than core.memory_bytes"
                self.contradiction(message, "core.memory_bytes", f"{sum(known)} or more", whole)
        for name, shared in core.shared.items():
            if not shared.parameters:
                self.contradiction(
                    "a group of shared parameters is empty", f"core.shared.{name}.parameters", "names", "an empty list"
                )
        for name, image in core.images.items():
            at = f"core.images.{name}.word"
            if not image.word:
                self.contradiction(
                    "a word has no field", at, f"fields of {', '.join(IMAGE_FIELDS[name])}", "an empty list"
                )
            self.word(image.word, at, IMAGE_FIELDS[name], ROW_BITS if name == "rows" else WORD_BITS)

    def core_kinds(self) -> None:
        """Checks that the cores of each kind exist and belong to one kind only, and that each limit in `core` is the maximum over the kinds."""
        cores, seen = cores_of_chip(self.device), dict[int, str]()
        for name, kind in self.device.core_kinds.items():
            at = f"core_kinds.{name}"
            for k, core in enumerate(kind.cores):
                if core < 0 or (cores is not None and core >= cores):
                    expected = "a number from 0" if cores is None else f"a number from 0 to {cores - 1}"
                    self.contradiction("a kind has a core that does not exist", f"{at}.cores[{k}]", expected, core)
                if (other := seen.setdefault(core, name)) != name or kind.cores.index(core) < k:
                    self.contradiction(
                        "a core is in two kinds", f"{at}.cores[{k}]", "each core once", f"core {core} of {other}"
                    )
            for path, _, _ in numbers(kind):
                self.lower_limit(f"{at}.{path}", f"core.{path}")
            if kind.memory and any(store.where == "chip" for store in self.device.memory.values()):
                expected = "one size of the memory of cores on a chip with memory outside of them"
                self.contradiction("a kind has memory of its own", f"{at}.memory", expected, ", ".join(kind.memory))

    def lower_limit(self, path: str, greatest: str) -> None:
        """Checks that `core` declares each limit of a kind, and that the limit of the kind does not exceed it."""
        if self.device.number(path) is None:
            return
        *_, name, _ = greatest.split(".")
        is_region = greatest.startswith("core.memory.")
        regions = self.device.core.memory if self.device.core is not None else {}
        if self.device.core is None or (is_region and name not in regions) or self.device.number(greatest) is None:
            self.contradiction(
                "a limit of a kind is not declared for all cores",
                path,
                f"{greatest}, the greatest of all kinds",
                "none",
            )
        else:
            self.ordered(path, greatest)

    def synapse(self) -> None:
        synapse = self.device.synapse
        if synapse is None:
            return
        self.dtypes(synapse.dtypes, "synapse.dtypes", "synapse.bits")
        for name, one in synapse.formats.items():
            at = f"synapse.formats.{name}"
            if one.dtype not in synapse.dtypes:
                known = choices_text(synapse.dtypes) if synapse.dtypes else "synapse.dtypes, which is empty"
                self.contradiction("a format has an unsupported weight type", f"{at}.dtype", known, one.dtype)
            self.format_memory(name, one)
            bits, entry = dtype_bits(one.dtype), self.device.number(f"{at}.entry_bits")
            if bits is not None and entry is not None and entry < bits:
                message = "an entry is narrower than its weight"
                self.contradiction(message, f"{at}.entry_bits", f"at least {bits}, for {one.dtype}", entry)
            self.format_word(name, one)
        if synapse.convolution is not None and all(one.layout != "convolution" for one in synapse.formats.values()):
            expected = "nothing, or a format with the layout convolution"
            self.contradiction("no format stores convolutions", "synapse.convolution", expected, "limits")
        least = self.device.number("synapse.weight_exponent.min")
        if least is not None and least > 0:
            path = "synapse.weight_exponent.min"
            self.contradiction("weights cannot be stored as they are", path, "at most 0", least)
        if synapse.delay is not None:
            self.ordered("synapse.delay.min", "synapse.delay.max")

    def format_memory(self, name: str, one: Format) -> None:
        """Checks that the store of a format exists and can store synapses."""
        if one.memory is None:
            return
        known = [key for key, store in self.device.memory.items() if "synapses" in store.holds]
        if one.memory not in known:
            expected = choices_text(known) if known else "a store of `memory` that holds synapses"
            at = f"synapse.formats.{name}.memory"
            self.contradiction("a format is stored in memory that does not hold synapses", at, expected, one.memory)

    def format_word(self, name: str, one: Format) -> None:
        """Checks that the fields of an entry fill its width and fit the limits of the device. A limit that the user set is not checked."""
        at = f"synapse.formats.{name}.word"
        fields = self.word(one.word, at, ("weight", "neuron", "delay"))
        if not fields:
            return
        self.equal(f"synapse.formats.{name}.entry_bits", sum(fields.values()), f"the sum of the fields of {at}")
        needed = {"weight": dtype_bits(one.dtype)}
        if one.layout == "sparse":
            for field, path, extra in (("neuron", "core.neurons", 1), ("delay", "synapse.delay.max", 0)):
                most = None if path in self.device.overridden else self.device.integer(path)
                needed[field] = None if most is None else (most - extra).bit_length()
        for field, bits in needed.items():
            if bits is not None and fields.get(field, 0) < bits:
                self.contradiction(
                    f"the field {field} is too narrow", at, f"{field}:{bits} or more", f"{field}:{fields.get(field, 0)}"
                )

    def word(self, texts: Sequence[str], at: str, known: Sequence[str], most: int = WORD_BITS) -> dict[str, int]:
        """Returns the bits of each field of a word, empty if the word is invalid."""
        found: dict[str, int] = {}
        for k, text in enumerate(texts):
            match = WORD_FIELD.fullmatch(text)
            is_known = match is not None and match[1] in (*known, UNUSED) and int(match[2]) <= most
            if match is None or not is_known or (match[1] in found and match[1] != UNUSED):
                expected = f"NAME:BITS, each name once, of {', '.join(known)} and {UNUSED}; 1 to {most} bits"
                self.finding(DEV002, "invalid field of a word", f"{at}[{k}]", expected=expected, found=text)
                return {}
            found[match[1]] = found.get(match[1], 0) + int(match[2])
        return found

    def dtypes(self, dtypes: Sequence[str], path: str, widest: str | None) -> None:
        """Checks that the types exist, and that the widest type has the width that another field declares."""
        for k, name in enumerate(dtypes):
            if dtype_bits(name) is None:
                expected = "i or u with 1 to 64 bits, or f16, bf16, f32, f64"
                self.finding(DEV002, "unknown type", f"{path}[{k}]", expected=expected, found=name)
        known = [bits for bits in map(dtype_bits, dtypes) if bits is not None]
        if known and widest is not None and len(known) == len(dtypes):
            self.equal(widest, max(known), f"the widest of {path}")

    def spike(self) -> None:
        if self.device.neuron is not None:
            self.dtypes(self.device.neuron.dtypes, "neuron.dtypes", None)
        spike = self.device.spike
        if spike is None:
            return
        is_graded = "graded" in spike.kinds
        self.dtypes(spike.dtypes, "spike.dtypes", "spike.payload_bits" if is_graded else None)
        payload = self.device.number("spike.payload_bits")
        if payload is not None and spike.kinds and (payload > 0) != is_graded:
            expected = "at least 1, for graded spikes" if is_graded else "0, since no kind of spike is graded"
            self.contradiction("spike.payload_bits and spike.kinds disagree", "spike.payload_bits", expected, payload)
        if spike.most is not None and "count" not in spike.kinds:
            message = "spike.most requires spikes of kind count"
            self.contradiction(message, "spike.most", "nothing, or count among spike.kinds", "a number")

    def quantization(self) -> None:
        if self.device.quantization is None:
            return
        if self.device.synapse is not None:
            self.ordered("quantization.weight_bits", "synapse.bits")
        advice = self.device.quantization
        if self.device.integer("quantization.classes") is not None and advice.per not in SEVERAL_SCALES:
            message = "quantization.classes limits scales of which there is only one"
            self.contradiction(message, "quantization.per", choices_text(SEVERAL_SCALES), advice.per)

    def imperfections(self) -> None:
        """Checks that spreads and noise are not negative. Null means unknown, and is not simulated."""
        for name, fact in self.device.imperfections.items():
            value = fact.value
            is_number = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < inf
            if value is not None and not is_number:
                at = f"imperfections.{name}"
                self.finding(
                    DEV006, f"{at} is out of its range", at, expected="a number of 0 or more", found=str(value)
                )


def product(grid: Grid | None) -> int | None:
    """Returns the number of places of a grid, or None if a side is unknown."""
    if grid is None or grid.width is None or grid.height is None:
        return None
    width, height = grid.width.value, grid.height.value
    return width * height if isinstance(width, int) and isinstance(height, int) else None
