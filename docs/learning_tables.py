"""Generated tables of `chip-learning.md`: the learning rules of devices, and the chips that compute each rule that nopt ships."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import f64

from nopt.analysis.learning.learning_rules import find_synapse
from nopt.analysis.learning.learning_terms import device_terms, rule_needs
from nopt.core import registry
from nopt.core.device.device import load_device
from nopt.core.device.fields import Quantity
from nopt.core.device.neuron_records import Plasticity
from nopt.core.device.records import Device
from nopt.dialects.chip_base.needs import rule_violations
from nopt.dialects.equations.rules import build_rule
from nopt.dialects.equations.shipped_rules import CHIP_RULES, MULTIPLICATIVE
from nopt.dialects.nir import StdpAttr
from nopt.dialects.ntensor import LearningAttr

HEAD = "| device | rule | computes | numbers | rounding | `nopt run` |", "| --- | --- | --- | --- | --- | --- |"
PAIRS = StdpAttr.of(0.01, 0.012, 0.02, 0.02, 0.0, 1.0)
SHARES = LearningAttr.of("stdp.multiplicative", {}, {})


def learning_devices() -> Iterator[Device]:
    """Yields the devices with a learning rule."""
    for paths in registry.devices().values():
        for path in paths.values():
            device = load_device(path)
            if device.plasticity:
                yield device


def quantity(fact: Quantity | None, text: str) -> str:
    return "" if fact is None or fact.value is None else text.format(fact.value)


def numbers_of(rule: Plasticity) -> str:
    """Returns the numbers of a rule."""
    found = [
        quantity(rule.trace_bits, "traces of {} bits"),
        quantity(rule.impulse, "impulse {}"),
        quantity(rule.mantissa_bits, "mantissas of {} bits"),
        quantity(rule.register_bits, "weights of {} bits"),
        *rule.constraints,
    ]
    return ", ".join(one for one in found if one) or "reals"


def rule_rows() -> Iterator[str]:
    """Yields a row for each rule of each device; devices of a target with equal rules share it."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for device in learning_devices():
        learns = getattr(registry.targets()[device.target]().model(), "learns", False)
        for key, rule in (device.plasticity or {}).items():
            runs = "yes" if learns and rule.where == "chip" else "refused"
            terms = device_terms({key: rule}).removeprefix(f"{key}: ")
            cells = f"{terms}, on the {rule.where} | {numbers_of(rule)} | {rule.rounding or 'unspecified'} | {runs}"
            rows.setdefault((device.target, key, cells), []).append(f"`{device.key}`")
    for (_, key, cells), devices in rows.items():
        yield f"| {', '.join(devices)} | `{key}` | {cells} |"


def shipped_rows() -> Iterator[str]:
    """Yields a row for each rule that nopt ships."""
    devices = [*learning_devices()]
    pairs = [f"`{one.key}`" for one in devices if rule_violations(PAIRS, 8, one)]
    yield f"| `#nir.stdp`, and `stdp` with its default options | one trace of each side | {', '.join(pairs)} |"
    shares = [f"`{one.key}`" for one in devices if rule_violations(SHARES, 8, one, kind=MULTIPLICATIVE)]
    yield f"| `stdp` with `dependence=multiplicative` | one trace of each side, and the distance from the bound | {', '.join(shares)} |"
    for name in registry.synapses():
        rule = build_rule(find_synapse(name, name), options={}, precision=f64)
        given = LearningAttr.of(rule.sym_name.data, {}, {})
        chips = [
            f"`{one.key}`"
            for one in devices
            if rule_violations(given, 8, one, kind=name if name in CHIP_RULES else None)
        ]
        needs = "; ".join(rule_needs(rule)) or "one trace of each side, with equations of its own"
        shown = f"`{name}`" + (" with other options" if name == "stdp" else "")
        yield f"| {shown} | {needs} | {', '.join(chips) or 'none: refused'} |"


def chip_learning() -> str:
    """Returns both tables."""
    shipped = ["| rule | needs | chips |", "| --- | --- | --- |", *shipped_rows()]
    return "\n".join([*HEAD, *rule_rows(), "", *shipped])
