"""Checks of the texts of a device: updates, pipelines, contracts."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from .. import registry
from ..diagnostics import Code, Refused, choices_text
from .device_report import DeviceReport
from .neuron_records import Update
from .numbers import declarations, values

DEV009 = Code("DEV009", "device-update-unusable", "an update of a device cannot be used")


class TextChecks(DeviceReport):
    """Checks of the texts of one device."""

    def updates(self) -> None:
        """Checks that updates parse and have their families and options, and that each shared parameter belongs to an update."""
        if self.device.neuron is None or not self.device.neuron.updates:
            return
        parameters: set[str] = set()
        for name, update in self.device.neuron.updates.items():
            neuron = self.update(name, update)
            if neuron is None:
                return
            parameters.update(param.name for param in neuron.params)
        for name, shared in self.device.core.shared.items() if self.device.core is not None else ():
            for k, one in enumerate(shared.parameters):
                if one not in parameters:
                    at = f"core.shared.{name}.parameters[{k}]"
                    self.contradiction("no update has this parameter", at, choices_text(sorted(parameters)), one)

    def update(self, name: str, update: Update) -> Any:
        from ..neuron.neuron import check_neuron, choose_options, parse_neurons

        at = f"neuron.updates.{name}"
        if not update.text:
            self.finding(DEV009, "an update has no text", f"{at}.text", expected="text, or file", found="neither")
            return None
        try:
            is_shipped = update.file in registry.neurons()
            beside = str(Path(self.file).parent / update.file) if update.file else f"{self.file}:{name}"
            beside = update.file if is_shipped and update.file else beside
            file = parse_neurons("\n".join(update.text), beside)
            neuron = next((one for one in file.neurons if one.name == name), None)
            if neuron is None:
                names = choices_text(one.name for one in file.neurons) if file.neurons else "no neuron"
                self.finding(DEV009, f"the text does not define a neuron {name}", at, expected=names, found=name)
                return None
            if not is_shipped and update.text not in shipped_texts():  # tests check those of nopt
                check_neuron(neuron)
            choose_options(neuron, update.options)
        except Refused as refusal:
            self.passed_on(refusal, f"{at}.text")
            return None
        for k, family in enumerate(update.families):
            if not neuron.serves(family):
                self.finding(
                    DEV009,
                    f"{name} does not serve {family}",
                    f"{at}.families[{k}]",
                    expected=choices_text(neuron.families)
                    if neuron.families
                    else "a neuron that declares its families after `for`",
                    found=family,
                    help=f"neuron {name} for {', '.join([*neuron.families, family])}",
                )
        return neuron

    def fallbacks(self) -> None:
        """Checks that the passes of fallbacks and their options exist."""
        if not self.device.fallbacks:
            return
        from .. import registry
        from ..ir.pipeline import parse_pipeline

        for name, fallback in self.device.fallbacks.items():
            try:
                parse_pipeline(fallback.passes, registry.passes())
            except Refused as refusal:
                self.passed_on(refusal, f"fallbacks.{name}.passes")

    def constraints(self) -> None:
        """Checks that contracts parse and that the device's own numbers violate none of them."""
        texts = [(f"constraints[{k}].expression", one.expression) for k, one in enumerate(self.device.constraints)]
        for name, rule in (self.device.plasticity or {}).items():
            texts += [(f"plasticity.{name}.constraints[{k}]", text) for k, text in enumerate(rule.constraints)]
        if not texts:
            return
        from ..contract.contract import parse_contract

        declared, known = declarations(self.device), values(self.device)
        for at, text in texts:
            try:
                contract = parse_contract(text, declared, at=f"$.{at}", file=self.file)
                if contract.holds(known) is False:
                    explanation = str(contract.explain(known))
                    self.contradiction("the device violates its own constraint", at, text, explanation)
            except Refused as refusal:
                self.passed_on(refusal, at)


@cache
def shipped_texts() -> frozenset[tuple[str, ...]]:
    """Returns the lines of each file of neurons that has a name. The record of a device has the lines, but not the name."""
    found: set[tuple[str, ...]] = set()
    for path in registry.neurons().values():
        with suppress(OSError, ValueError):  # refused where a device names it
            found.add(tuple(path.read_text(encoding="utf-8").splitlines()))
    return frozenset(found)


registry.CACHED.append(shipped_texts)
