"""Keeps the mapping of an earlier compilation: layers with the same name and shape keep their slices and cores, and all others are mapped anew.

    ntensor.network @n(…) -> (…) attributes {tick_ns = …} {…}
      =>  (mapping=build/mapping.json)
    ntensor.network @n(…) -> (…) attributes {tick_ns = …, machine.kept = {device = "asic/mesh", layers = [{node = "lif1", …}, …], …}} {…}

The attribute holds the earlier mapping, so that later passes read no file. `ntensor-plan-cores` takes the slices of populations from it, and
`machine-place-vertices` pins their vertices to the earlier cores and removes it. A population that legalisation adds keeps its mapping by its name, too.

Exactness: no number changes.

Errors: COR008 the file cannot be read; MAP025 it is not a mapping; MAP026 no layer is in both networks; MAP027 an unknown layer in `move`.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...core.diagnostics import Code, ExitCode, choose, first_of, near_names, near_notes, refuse, refuse_op
from ...core.help_text import Option, Phrase
from ...core.ir.operation import shape_of
from ...core.ir.pipeline import NoptPass, option_text, pass_text
from ...dialects import ntensor
from ...dialects.machine.kept_mapping import (
    KEEP_MAPPING,
    MACHINE_KEPT,
    MOVE_OPTION,
    WITHOUT_MAPPING,
    KeptLayer,
    KeptMapping,
)
from ...dialects.ntensor.network import networks
from ._earlier_mapping import read_earlier

MAP026 = Code("MAP026", "earlier-mapping-shares-nothing", "an earlier mapping has no layer of the network")
MAP027 = Code(
    "MAP027", "moved-layer-unknown", "a layer to move is not in the earlier mapping", exit_code=ExitCode.MISUSED
)


@dataclass(frozen=True)
class NtensorKeepMappingPass(NoptPass):
    """Keeps a mapping in every `ntensor.network`.

    Options:
        mapping: the `mapping.json` of the earlier compilation.
        move: layers that are mapped anew although they are in it, `move=lif1,lif2`; default none.
    """

    name = KEEP_MAPPING
    mapping: str
    move: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        device, layers = read_earlier(self.mapping)
        for network in networks(op):
            network.attributes.pop(MACHINE_KEPT, None)
            self.require_layers(layers)
            left = {name: one for name, one in layers.items() if name not in self.move}
            self.require_shared(network, left)
            KeptMapping(device, self.mapping, tuple(dict.fromkeys(self.move)), left).put(network)

    def require_layers(self, layers: dict[str, KeptLayer]) -> None:
        """Refuses unknown names of layers to move. Errors: MAP027."""
        known = [*layers]
        for name in self.move:
            if name not in layers:
                nearest = next(iter(near_names(name, known)), None)
                others = [nearest if one == name and nearest is not None else one for one in self.move]
                text = ",".join(dict.fromkeys(others))
                option = Option(
                    pass_text(replace(self, move=tuple(dict.fromkeys(others)))), f"{MOVE_OPTION} {shlex.quote(text)}"
                )
                refuse(
                    MAP027,
                    f'"{name}" is not a layer of the earlier mapping',
                    at=f"move={name}",
                    expected=f"a layer of {self.mapping}: {first_of(known, 8)}",
                    found=name,
                    help=choose(
                        Option(
                            f"{KEEP_MAPPING}{{mapping={option_text(self.mapping)} move=NAME}}", f"{MOVE_OPTION} NAME"
                        ),
                        known[:8],
                    )
                    if nearest is None
                    else Phrase(option),
                    notes=near_notes(name, known),
                )

    def require_shared(self, network: ntensor.NetworkOp, layers: dict[str, KeptLayer]) -> None:
        """Refuses a mapping that keeps no population of a network. Errors: MAP026."""
        shapes = {one.node.data: shape_of(one.z) for one in network.populations}
        if any((layer := layers.get(name)) is not None and layer.slicing_of(shape) for name, shape in shapes.items()):
            return
        other = [f'"{name}" with another shape' for name in shapes if name in layers]
        moved = [f'"{name}", which moves' for name in shapes if name in self.move]
        refuse_op(
            network,
            MAP026,
            f"no population of the network has the name and the shape of one in {self.mapping}",
            expected=f"at least one of {first_of([*layers], 8)}" if layers else "a layer that does not move",
            found=first_of([*other, *moved] or [*shapes], 8),
            help=WITHOUT_MAPPING,
        )
