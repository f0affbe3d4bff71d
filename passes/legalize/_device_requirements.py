"""Requirements of a device that no pass of legalisation can meet: counted rates, and a calibration."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...analysis.calibration_records import find_observation, needs_calibration
from ...analysis.learning.learning_terms import has_integer_rules, learns_reals, require_integer_form
from ...analysis.rate_windows import rate_windows
from ...analysis.requantised_layers import has_requantised_layers
from ...core.diagnostics import Code, Finding, describe_op, refuse, refuse_op
from ...core.help_text import Option, Phrase
from ...core.ir.context import NoptContext
from ...core.ir.pass_results import PassResults
from ...core.ir.pipeline import option_text
from ...dialects import ntensor
from ..pipelines import computes_layers
from ._device_violations import CHECKS, DeviceNetwork

LEG003 = Code("LEG003", "device-neurons-need-calibration", "the neurons of a device need a calibration")
LEG004 = Code("LEG004", "device-cannot-count-rates", "a device does not count rates")


def has_layers_to_form(subject: DeviceNetwork) -> bool:
    """Returns whether a device computes layers of counts, and a network has requantised integers that become such layers."""
    return computes_layers(subject.device) and has_requantised_layers(subject.network)


def verify_rates(subject: DeviceNetwork) -> None:
    """Refuses synapses that read rates if the device defines its neurons or does not send counts. Errors: LEG004."""
    device = subject.device
    kinds = device.spike_kinds
    counts = not device.updates and (not kinds or "count" in kinds)
    field = "neuron.updates" if device.updates else "spike.kinds"
    for window in () if counts else rate_windows(subject.network):
        names = [describe_op(op)[1] or "" for op in window.readers]
        source = describe_op(owner)[1] if isinstance(owner := window.count.xs[0].owner, Operation) else "an input"
        refuse_op(
            window.readers[0],
            LEG004,
            f"{device.key} does not count rates",
            expected=f"spikes or values of the current tick ({device.cite(field)})",
            found=f'rates of "{source}" in windows of {window.ticks} ticks',
            help=f"nir-set-transmission{{nodes={','.join(map(option_text, names))} to=spike}}",
        )


def verify_calibration(subject: DeviceNetwork) -> None:
    """Refuses an uncalibrated network if the device's neurons need a calibration for their steps. Errors: LEG003."""
    network, device = subject.network, subject.device
    if CHECKS["update"](subject) is None or not needs_calibration(device):
        return
    if find_observation(network, "samples") is None:
        refuse(
            LEG003,
            f"the neurons of {device.key} need a calibration",
            at=f"ntensor.network @{network.sym_name.data}",
            expected="the ranges of states and inputs in a run with sample input",
            found="none",
            help=Phrase(Option("ntensor-calibrate{data=x.npy}", "--calib x.npy", is_of_device=True)),
            notes=["x.npy is [samples, ticks, *shape]: typical data of the network, some samples of each kind"],
        )


def has_rules_to_lower(subject: DeviceNetwork) -> bool:
    """Returns whether a device computes learning rules in integers, and a network has rules of reals."""
    return has_integer_rules(subject.device) and any(map(learns_reals, subject.ops))


def require_integer_rules(subject: DeviceNetwork, help: Phrase | str | None) -> None:
    """Refuses learning rules without an integer form on a device that computes them in integers. Errors: ANA050."""
    for op in subject.ops if has_integer_rules(subject.device) else ():
        require_integer_form(op, help or "")


def exceeds_limit(finding: Finding, step: ModulePass) -> bool:
    """Returns whether a help proposes a pass again, which has run with the limit of the device: with another limit."""
    return finding.help is not None and finding.help.startswith(f"{step.name}{{max-")


def is_named_sum(op: Operation) -> bool:
    """Returns whether an op only forwards its operand; only sums are sliced."""
    return isinstance(op, ntensor.ReshapeOp) and isinstance(op.x.owner, ntensor.SumOp) and op.x.type == op.y.type


def results_of(ctx: Context) -> PassResults | None:
    """Returns the known results of passes."""
    return ctx.results if isinstance(ctx, NoptContext) else None
