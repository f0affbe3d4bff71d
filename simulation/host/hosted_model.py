"""Model of a chip and the host that computes its readout: the chip runs first, then the readout on the signals that leave the chip.

The host computes the readout in the reals of the network, in the order of its sums, as the reference defines them. No tick passes between
the chip and the host.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from xdsl.dialects.builtin import ModuleOp

from ...core import registry
from ...core.arrays.numeric import AnyArray
from ...core.device.device import Device
from ...core.diagnostics import Diagnostics, Finding, describe_op
from ...core.ir.operation import texts_of
from ...dialects.ntensor import NetworkOp, NeuronOp, ReadoutOp, find_updates
from ...dialects.ntensor.probes import record_types
from ...dialects.ntensor.readout import on_chip, readout_of
from ..imperfections import Imperfections
from ..runs import extent
from ..signals import DenseSignal, Signal


class HostedModel:
    """Runs the exit dialect with the model of its target, and the readout of the module with the reference.

    `network` is the whole network, or the interface of the chip alone. Errors: those of the model of the target.
    """

    kind: ClassVar[Any]
    """The model of the target."""
    is_imperfect: ClassVar[bool] = False
    ages: ClassVar[bool] = False
    learns: ClassVar[bool] = False

    def __init__(
        self,
        module: ModuleOp,
        network: NetworkOp,
        *,
        device: Device,
        record: Sequence[str] = (),
        imperfections: Imperfections | None = None,
    ):
        readout = readout_of(module)
        assert readout is not None  # chip_model
        known = {*recordable(readout)}
        self.leaving, self.outputs = texts_of(readout.input_names), texts_of(readout.output_names)
        self.record = [name for name in record if name not in self.outputs]
        of_host = [name for name in self.record if name in known]
        of_chip = [name for name in self.record if name not in known]
        options = {} if imperfections is None else {"imperfections": imperfections}
        self.chip = self.kind(module, on_chip(network), device=device, record=of_chip, **options)
        self.inputs: Mapping[str, tuple[int, ...]] = self.chip.inputs
        """Shapes of the inputs by name."""
        whole = next(op for op in readout.as_network().ops if isinstance(op, NetworkOp))
        self.host = registry.reference()(whole, record=of_host)
        self.findings: Iterable[Finding] = getattr(self.chip, "findings", ())

    def run(
        self,
        signals: Mapping[str, Signal],
        *,
        ticks: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, AnyArray]:
        """Returns every output and record by name, `[samples, ticks, *shape]`. Errors: those of the model of the target."""
        _, length = extent(self.inputs, signals, ticks)
        chip: dict[str, AnyArray] = self.chip.run(signals, ticks=ticks, progress=progress)
        given = {name: DenseSignal(chip[name]) for name in self.leaving}
        host: dict[str, AnyArray] = self.host.run(given, ticks=length)
        return {name: host[name] if name in host else chip[name] for name in (*self.outputs, *self.record)}

    @classmethod
    def saturation(cls, models: Sequence[HostedModel], diagnostics: Diagnostics) -> list[dict[str, Any]]:
        """Returns the sums of the chip that saturated in some runs, and reports them."""
        return cls.kind.saturation([one.chip for one in models], diagnostics) if hasattr(cls.kind, "saturation") else []


def recordable(readout: ReadoutOp) -> Iterable[str]:
    """Yields the names of the nodes of a readout, and of the states of its populations."""
    updates = find_updates(readout.parent_op())
    for op in readout.computed:
        if (node := describe_op(op)[1]) is not None:
            yield node
            if isinstance(op, NeuronOp):
                yield from (f"{node}.{state}" for state in record_types(updates.get(op.update_name)))


def chip_model(kind: Any, module: ModuleOp, device: Device) -> partial[Any]:
    """Returns the function that creates the model of a compiled network: `kind`, the model of its target, with the host if the network has a readout."""
    if readout_of(module) is not None:
        kinds = {
            "kind": kind,
            "is_imperfect": getattr(kind, "is_imperfect", False),
            "ages": getattr(kind, "ages", False),
            "learns": getattr(kind, "learns", False),
        }
        kind = type(f"Hosted{kind.__name__}", (HostedModel,), kinds)
    return partial(kind, module, device=device)
