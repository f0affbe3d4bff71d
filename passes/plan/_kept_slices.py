"""Slices that populations keep from an earlier mapping, and the refusal of those that exceed a limit of the device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from ...analysis.wiring import Wiring
from ...core.device.core_kinds import kinds_of
from ...core.device.limits import Excess, excess_text, excesses
from ...core.device.records import Device
from ...core.diagnostics import Code, Refused, finding_about, refuse_op
from ...core.ir.operation import shape_of
from ...dialects import ntensor
from ...dialects.chip_base.connectivity import count_arrivals
from ...dialects.chip_base.needs import needs_of
from ...dialects.chip_base.slicing import Slicing, single_slice
from ...dialects.machine.kept_mapping import WITHOUT_MAPPING, KeptMapping

MAP028 = Code("MAP028", "kept-slice-exceeds-limit", "a slice of an earlier mapping exceeds a limit of the device")
MAP029 = Code("MAP029", "earlier-mapping-of-other-device", "an earlier mapping is of another device")


def kept_slices(network: ntensor.NetworkOp, wiring: Wiring, device: Device) -> dict[str, Slicing]:
    """Returns the slices of the populations that keep theirs. Errors: MAP029 the mapping is of another device."""
    kept = KeptMapping.of(network)
    if kept is None:
        return {}
    if kept.device != device.key:
        refuse_op(
            network,
            MAP029,
            f"the mapping in {kept.file} is of another device",
            expected=f"a mapping for {device.key}",
            found=f"one for {kept.device}",
            help=WITHOUT_MAPPING,
        )
    layers = {name: kept.layers.get(name) for name in wiring.neurons}
    found = {
        name: layer.slicing_of(shape_of(wiring.neurons[name].z)) for name, layer in layers.items() if layer is not None
    }
    return {name: slicing for name, slicing in found.items() if slicing is not None}


def verify_kept_slices(
    network: ntensor.NetworkOp,
    wiring: Wiring,
    updates: Mapping[str, ntensor.UpdateOp],
    kept: Mapping[str, Slicing],
    device: Device,
) -> None:
    """Refuses slices that cores of no kind hold. Errors: MAP028 for each population."""
    sources = {source: single_slice(shape) for source, shape in wiring.sources.items()}
    worst: dict[str, tuple[int, Excess]] = {}
    for name, slicing in kept.items():
        neuron, found = wiring.neurons[name], count_arrivals(slicing, [one.path for one in wiring.into(name)], sources)
        for kind in kinds_of(device).values():
            needs = needs_of(neuron.params, neuron.z.type, updates[neuron.update_name], slicing, found, kind)
            exceeded = [(k, excess) for k, one in enumerate(needs) for excess in excesses(kind, one)]
            if not exceeded:
                worst.pop(name, None)
                break
            worst.setdefault(name, max(exceeded, key=lambda one: one[1].found / max(1, one[1].limit)))
    if worst:
        refuse_slices(network, wiring, {name: (f"{name}/{k}", excess) for name, (k, excess) in worst.items()})


def refuse_slices(network: ntensor.NetworkOp, wiring: Wiring, exceeded: Mapping[str, tuple[str, Excess]]) -> NoReturn:
    """Raises a finding for each population, with the slice that exceeds a limit. Errors: MAP028."""
    kept = KeptMapping.of(network)
    assert kept is not None  # the slices are from it
    help = kept.move_help(exceeded)
    raise Refused(
        *(
            finding_about(
                wiring.neurons[name],
                MAP028,
                f"{excess_text(excess.need, excess.found, excess.limit)} in a slice of {kept.file}",
                expected=excess.expected,
                found=f'{excess.value} in "{part}"',
                source=excess.source,
                path=excess.path,
                limit=excess.limit,
                value=excess.found,
                help=help,
            )
            for name, (part, excess) in exceeded.items()
        )
    )
