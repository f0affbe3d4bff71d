"""The presets as plain Python: one neuron, one number at a time.

`neuron(preset, family, reset, dt, params)` returns a function from the input of a tick to its output, with its states as
attributes. The rules are those that reproduce the recorded traces; if a framework has no trace or no such neuron, those of the
presets' sources.
"""

from __future__ import annotations

from math import exp, floor
from typing import Any

EULER = ("norse", "snntorch", "lava", "spinnaker2", "spyx", "spikingjelly", "euler")
"""Presets with forward Euler for all families."""

OWN = {
    "norse": {"lif", "cuba_lif", "if", "li", "cuba_li"},
    "snntorch": {"lif", "cuba_lif", "if"},
    "nengo": {"lif", "cuba_lif", "if", "li"},
    "sinabs": {"lif", "if", "li"},
    "lava": {"lif", "cuba_lif", "if"},
    "rockpool": {"lif", "cuba_lif", "li"},
    "spinnaker2": {"lif", "cuba_lif", "if"},
    "spyx": {"lif", "cuba_lif", "if", "li"},
    "spikingjelly": {"lif", "cuba_lif", "if"},
    "spyx_0_1": {"lif", "cuba_lif", "if", "li"},
}
"""Families of each framework; others fall back to forward Euler."""

FAMILIES = {
    "lif": ("tau", "r", "v_leak", "v_threshold", "v_reset"),
    "cuba_lif": ("tau_syn", "tau_mem", "r", "v_leak", "v_threshold", "v_reset", "w_in"),
    "if": ("r", "v_threshold", "v_reset"),
    "li": ("tau", "r", "v_leak"),
    "cuba_li": ("tau_syn", "tau_mem", "r", "v_leak", "w_in"),
    "i": ("r",),
    "threshold": ("threshold",),
}
SPIKING = ("lif", "cuba_lif", "if", "threshold")
COUNTING = ("sinabs", "rockpool")
STARTS_AT_RESET = (("norse", "if"), ("spikingjelly", "if"), ("spikingjelly", "cuba_lif"))
SUBTRACTING = ("sinabs", "rockpool", "spyx")
"""Presets with reset by subtraction as default."""


class Neuron:
    """One neuron under one preset."""

    def __init__(self, preset: str, family: str, reset: str | None, dt: float, params: dict[str, float]):
        own = preset if family in OWN[preset] else "euler"
        self.preset, self.switches = ("spyx" if name == "spyx_0_1" else name for name in (own, preset))
        self.is_twice = (own, family) == ("spyx_0_1", "cuba_lif") and reset in (None, "subtract_twice")
        self.family = family
        self.reset = "subtract" if self.is_twice or (reset is None and self.preset in SUBTRACTING) else reset or "value"
        self.dt = dt
        self.p: Any = type("Parameters", (), params)
        self.v = getattr(self.p, "v_leak", 0.0) if self.preset in ("norse", "spikingjelly", "euler") else 0.0
        if (self.preset, family) in STARTS_AT_RESET:
            self.v = self.p.v_reset
        self.i = 0.0
        self.late_x = 0.0
        self.late_z = 0

    def __call__(self, x: float) -> float:
        if self.switches == "nengo" and self.family == "cuba_lif":  # its synapse returns the value of the previous tick
            x, self.late_x = self.late_x, x
        emitted = self.step(x)
        if self.switches == "spyx" and self.family in SPIKING and self.family != "threshold":  # one tick late
            emitted, self.late_z = self.late_z, emitted
        return emitted

    def step(self, x: float) -> float:
        if self.family == "threshold":
            return int(x > self.p.threshold)
        pending = self.v > self.p.v_threshold if self.family in SPIKING else False
        if self.preset == "spyx" and pending and (self.family != "lif" or self.reset != "subtract"):
            self.v = self.after_spike(self.v)
        if self.preset == "snntorch" and self.reset == "zero_next" and pending and self.family != "cuba_lif":
            self.v = 0.0
        self.integrate(x)
        if self.family not in SPIKING:
            return self.v
        if self.preset == "snntorch" and self.reset in ("zero_next", "zero_hold", "none"):
            if pending and (self.reset == "zero_hold" or (self.reset == "zero_next" and self.family == "cuba_lif")):
                self.v = 0.0
            return int(self.v > self.p.v_threshold)
        if self.preset == "spyx":
            if ((self.family == "lif" and self.reset == "subtract") or self.is_twice) and pending:
                self.v -= self.p.v_threshold
            return int(self.v > self.p.v_threshold)
        if self.preset in COUNTING:
            return self.count()
        if self.preset == "snntorch" and self.reset in ("subtract", "subtract_next"):
            th = self.p.v_threshold
            self.v = self.v - pending * th
            z = self.v > th
            if self.reset == "subtract":
                self.v = self.v - (int(z) - int(pending)) * th
            return int(z)
        z = self.v >= self.p.v_threshold if self.preset == "spikingjelly" else self.v > self.p.v_threshold
        if z:
            self.v = self.after_spike(self.v)
        return int(z)

    def integrate(self, x: float) -> None:
        p, dt = self.p, self.dt
        if self.family in ("if", "i"):
            self.v += (dt if self.preset in ("euler", "spikingjelly") else 1.0) * p.r * x
            return
        tau = p.tau if hasattr(p, "tau") else p.tau_mem
        if (self.preset, self.family) == ("rockpool", "cuba_lif"):
            self.i = (self.i + x) * exp(-dt / p.tau_syn)
            self.v = exp(-dt / tau) * self.v + self.i + p.v_leak
            return
        if self.family.startswith("cuba"):
            self.i += dt / p.tau_syn * (p.w_in * x - self.i)
            x = self.i
        if self.preset in EULER:
            self.v += dt / tau * (p.v_leak - self.v + p.r * x)
        elif self.preset == "nengo":
            a = exp(-dt / tau)
            self.v = a * self.v + (1 - a) * (p.v_leak + p.r * x)
        else:
            self.v = exp(-dt / tau) * (self.v - p.v_leak) + p.v_leak + dt / tau * p.r * x

    def count(self) -> int:
        n = max(0, floor(self.v / self.p.v_threshold))
        if n:
            self.v = self.v - n * self.p.v_threshold if self.reset == "subtract" else self.after_spike(self.v)
        if (self.preset, self.family) == ("sinabs", "if"):
            self.v = max(self.v, -self.p.v_threshold)
        return n

    def after_spike(self, v: float) -> float:
        return {"subtract": v - self.p.v_threshold, "zero": 0.0, "value": getattr(self.p, "v_reset", 0.0)}[self.reset]


def population(preset: str, family: str, reset: str | None, dt: float, params: dict[str, Any]) -> list[Neuron]:
    """Returns one neuron for every entry of the parameters, which are arrays of one length."""
    count = len(next(iter(params.values())))
    return [
        Neuron(preset, family, reset, dt, {name: float(values[n]) for name, values in params.items()})
        for n in range(count)
    ]
