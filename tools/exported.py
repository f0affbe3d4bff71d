"""Tables of what `nopt export` wrote."""

from __future__ import annotations

from ..api.exporting.brian2.export_brian2 import ExportedBrian
from ..api.exporting.export_torch import Exported
from ..api.exporting.state_dict.export_state_dict import ExportedState
from ..core.number_texts import counted_text
from .command import table


def describe_module(exported: Exported) -> str:
    """Formats the parameters of each node, and the files."""
    rows = [["node", "parameter", "shape"]]
    for node, found in exported.parameters.items():
        rows += [[node, name, "x".join(map(str, shape)) or "()"] for name, shape in found.items()]
    count = counted_text(len(rows) - 1, "parameter")
    return "\n".join(
        [
            table(rows),
            f"{count} as {exported.device} quantizes them",
            f"wrote {exported.file}, {exported.arrays}, {exported.network}",
        ]
    )


def describe_state(exported: ExportedState) -> str:
    """Formats the entries of a state dictionary, and the comparison of the framework with the network."""
    rows = [["entry", "shape", "changed entries", "holds"]]
    for one in exported.entries:
        shape = "x".join(map(str, one.shape)) or "1"
        rows.append([one.name, shape, str(one.changed), ", ".join(one.parameters)])
    compared = exported.comparison
    layers = counted_text(len(compared.layers), "layer")
    verdict = (
        f"equal to {compared.framework} in {layers}"
        if compared.equal
        else f"{compared.equal_share():.4%} of the entries are equal"
    )
    lines = [
        table(rows),
        *(
            f"{what}: {', '.join(names)}"
            for what, names in (("kept", exported.kept), ("identities", exported.identities))
            if names
        ),
    ]
    lines += [
        f"{verdict}, {compared.samples} samples x {compared.ticks} ticks, in {compared.precision}",
        f"wrote {exported.file}",
    ]
    lines.append(f"load it: network.load_state_dict(torch.load({exported.file!r}, weights_only=True))")
    return "\n".join(lines)


def describe_program(exported: ExportedBrian) -> str:
    """Formats the size of a program for Brian 2, and the command that runs it."""
    populations = counted_text(len(exported.populations), "population")
    return "\n".join(
        [
            f"{populations}, {exported.synapses:,} synapses, ticks of {exported.tick_ns} ns",
            f"wrote {exported.file}, {exported.arrays}",
            f"run it: python {exported.file} IN.npz OUT.npz --ticks 100",
        ]
    )
