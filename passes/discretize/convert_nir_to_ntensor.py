"""Converts continuous time to ticks: every choice that a `.nir` file leaves open is made here, by name, and stored in the IR.

    nir.graph @net {…}  =>  ntensor.update @norse_lif.value …
                            ntensor.network @net … attributes {tick_ns = 100000, approximations = […]} {…}

1. `dt-ns` is the length of a tick; without it the pass refuses and lists what the file suggests.
2. `like` names a preset, or a file in the neuron language. It defines the computation of every neuron in a tick, and the switches of the
   network. A family that it does not define uses forward Euler, with a remark.
3. Every loop gets a delay of one tick (`analysis/loop_delays.py`).
4. Sums are ordered by structure (`analysis/sum_order.py`).
5. Parameters are derived once, in f64; arrays whose entries are all equal become scalars.
6. A synapse with `transmission = rate` reads the mean rate of the last window of `rate-window` ticks (`analysis/rate_windows.py`).
7. Approximations are recorded: the discretisation, rates, parameters rounded to f32, delays rounded to ticks.

Errors: ANA033 no time step, ANA020 no reset rule, ANA025 two values of one option; ANA008 a window of rates that is too long, ANA009 none; those of the analyses that it uses.
Source: the presets name theirs; NIR: Pedersen et al., Nature Communications 15:8122 (2024).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from shlex import quote
from typing import Literal

from attrs import evolve
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32, f64

from ...analysis import loop_delays as loops
from ...analysis import presets
from ...analysis import time_constants as times
from ...analysis.discretisation_conflicts import ANA009, ANA010, START_WINDOW, reads_rates
from ...analysis.flat_graph import Flat, flatten
from ...analysis.node_options import network_options, node_options
from ...core.diagnostics import Diagnostics, Finding, Refused, finding_about, placeholders_text
from ...core.help_text import MissingOptions, Option, Phrase, time_text
from ...core.ir.context import diagnostics_of
from ...core.ir.location_parts import file_of
from ...core.ir.pipeline import NoptPass, pass_text
from ...dialects import nir
from . import _nodes as build
from ._network import Conversion

STEP = Option(
    "dt-ns=N, the length of a tick in nanoseconds, of 1 or more",
    "--dt TIME, the step that the network was trained with",
)
RESET = Option(
    "like=NAME, or reset=value, reset=zero or reset=subtract", "--like NAME, or --reset value, zero or subtract"
)

WINDOW = Option(
    "rate-window=N, the window that counts the spikes of a rate, of 1 tick or more",
    "--rate-window TICKS, the window that counts the spikes of a rate, of 1 or more",
)


@dataclass(frozen=True)
class ConvertNirToNtensorPass(NoptPass):
    """Discretises every `nir.graph` of the module.

    Options:
        dt-ns [ns]: length of a tick, required.
        like: a preset or a file in the neuron language; default none, then `reset` and `loop-delay` must be given where they matter.
        reset: the effect of a spike on v: `value` (v_reset), `zero` or `subtract` (v_threshold); default that of the preset.
        loop-delay: the delayed signals of a loop, `spikes` or `current`; default that of the preset.
        loop-delay-at: edges that are delayed in any case, `"SOURCE->TARGET,…"`; the rules decide the rest; default none.
        rate-window [ticks]: the window that counts the spikes of a rate; required if a synapse reads rates.
        synapse-delay, neuron-delay, output-delay [ticks]: default those of the preset, else 0.
        precision: `f64` or `f32`, the type of values; default f64.
        options: other options of the preset's neurons, `"NAME=VALUE,…"`; default none.
        options-at: options of single populations, `"NODE.NAME=VALUE,…"`, instead of those of the network; default none.
    """

    name = "convert-nir-to-ntensor"
    dt_ns: int | None = None
    like: str | None = None
    reset: str | None = None
    loop_delay: str | None = None
    loop_delay_at: str | None = None
    rate_window: int | None = None
    synapse_delay: int | None = None
    neuron_delay: int | None = None
    output_delay: int | None = None
    precision: Literal["f32", "f64"] = "f64"
    options: str | None = None
    options_at: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        graphs = [graph for graph in op.ops if isinstance(graph, nir.GraphOp)]
        if not graphs:
            return
        diagnostics = diagnostics_of(ctx)
        options = network_options(self.options, self.reset)
        rules = presets.load_rules(
            self.like,
            options,
            {
                "loop_delay": self.loop_delay,
                "synapse_delay": self.synapse_delay,
                "neuron_delay": self.neuron_delay,
                "output_delay": self.output_delay,
            },
        )
        flats = {graph: flatten(graph) for graph in graphs}
        refused = [finding for graph, flat in flats.items() for finding in self.missing(graph, flat, rules)]
        if refused:
            raise Refused(*refused)
        families = sorted({presets.family_of(node) for flat in flats.values() for node in flat.populations})
        nodes = [node for flat in flats.values() for node in flat.nodes]
        named = {node.name: presets.family_of(node.op) for node in nodes if isinstance(node.op, nir.PopulationOp)}
        rules = evolve(rules, at=node_options(self.options_at, named, rules))
        for name in rules.unused(options, families):
            presets.remark_unused(name, options[name], families, rules, diagnostics)
        self.remark_unread_window(flats, diagnostics)
        self.warn_unchosen(flats.values(), rules, diagnostics)
        at = loops.named_edges(flats.values(), self.loop_delay_at)
        text = pass_text(self)
        for graph, flat in flats.items():
            assert self.dt_ns is not None  # refused before
            precision = build.Precision(f32 if self.precision == "f32" else f64)
            help = self.suggestion(graph, flat, has_loop=True)
            step = Conversion(graph, flat, rules, self.dt_ns, precision, text, help, diagnostics, self.rate_window)
            step.run(op, at)

    def warn_unchosen(self, flats: Iterable[Flat], rules: presets.Rules, diagnostics: Diagnostics) -> None:
        """Warns about an option that the preset requires and the user did not set."""
        if rules.asked is None or rules.asked in rules.options:
            return
        families = {
            node.name: presets.family_of(node.op)
            for flat in flats
            for node in flat.nodes
            if isinstance(node.op, nir.PopulationOp)
        }
        own = {name: family for name, family in families.items() if rules.asked in rules.neuron(family)[0].options}
        if own:
            presets.warn_unchosen(own, rules, diagnostics)

    def missing(self, graph: nir.GraphOp, flat: Flat, rules: presets.Rules) -> Iterable[Finding]:
        """Yields a finding for each missing choice: the time step, the reset rule, and the window of rates."""
        names = flat.names
        help = self.suggestion(graph, flat)
        if self.dt_ns is None or self.dt_ns < 1:
            yield finding_about(
                graph,
                times.ANA033,
                "the time step is not given" if self.dt_ns is None else "the time step is not positive",
                expected=Phrase(STEP),
                found="none" if self.dt_ns is None else str(self.dt_ns),
                help=help,
                notes=times.advice(flat.populations, names)[1],
            )
        resetting = [names[op] for op in flat.populations if "reset" in rules.neuron(presets.family_of(op))[0].options]
        if self.like is None and self.reset is None and resetting:
            yield finding_about(
                graph,
                presets.ANA020,
                "the reset rule is not given",
                node=resetting[0],
                expected=Phrase(RESET),
                found=f'none, for {len(resetting)} spiking populations, first "{resetting[0]}"',
                help=help,
            )

        readers = [node.name for node in flat.nodes if reads_rates(node.op)]
        if readers and (self.rate_window is None or self.rate_window < 1):
            yield finding_about(
                graph,
                ANA009,
                "the window of rates is not given"
                if self.rate_window is None
                else "the window of rates is not positive",
                node=readers[0],
                expected=Phrase(WINDOW),
                found=f'{"none" if self.rate_window is None else self.rate_window}, first read by "{readers[0]}"',
                help=help,
            )

    def remark_unread_window(self, flats: Mapping[nir.GraphOp, Flat], diagnostics: Diagnostics) -> None:
        """Reports a window of rates that no synapse reads. Remarks: ANA010."""
        if self.rate_window is None or any(reads_rates(node.op) for flat in flats.values() for node in flat.nodes):
            return
        graph = next(iter(flats))
        diagnostics.remark(
            ANA010,
            op=graph,
            expected="a synapse with transmission = rate",
            found=f"a window of {self.rate_window} ticks, which changes nothing",
            help="nir-set-transmission{nodes=NODE to=rate}",
        )

    def suggestion(self, graph: nir.GraphOp, flat: Flat, has_loop: bool = False) -> Phrase:
        """Returns the command with the missing options; it works when it is pasted."""
        is_timed = self.dt_ns is not None and self.dt_ns >= 1
        is_chosen = self.like is not None or (self.reset is not None and self.loop_delay is not None)
        steps = [self.dt_ns] if self.dt_ns is not None and is_timed else times.advice(node.op for node in flat.nodes)[0]
        complete = replace(
            self,
            dt_ns=steps[0],
            like=self.like if is_chosen else "NAME",
            rate_window=self.suggested_window(flat),
            loop_delay=self.loop_delay or ("spikes" if has_loop and self.like is not None else None),
        )
        is_open = len(steps) > 1
        chosen = {
            "dt": "TIME" if is_open else time_text(steps[0]),
            "like": complete.like,
            "loop-delay": complete.loop_delay,
        }
        chosen["rate-window"] = None if complete.rate_window is None else str(complete.rate_window)
        text = pass_text(complete)
        if is_open:
            text = text.replace(f"dt-ns={steps[0]}", "dt-ns=TIME", 1)
        names = {} if is_chosen else {"NAME": presets.presets()}
        command = MissingOptions(
            f"nopt {quote(file_of(graph.location) or 'FILE')} -p {quote(text)}",
            tuple((name, value) for name, value in chosen.items() if value is not None),
            Option(
                placeholders_text(({"TIME": steps} if is_open else {}) | names),
                placeholders_text(({"TIME": map(time_text, steps)} if is_open else {}) | names),
            ),
        )
        return Phrase(command)

    def suggested_window(self, flat: Flat) -> int | None:
        """Returns the given window of rates, or a first guess for a suggested command; None if no synapse reads rates."""
        if not any(reads_rates(node.op) for node in flat.nodes):
            return None
        return self.rate_window if self.rate_window is not None and self.rate_window >= 1 else START_WINDOW
