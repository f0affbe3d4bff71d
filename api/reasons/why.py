"""Reasons for the decisions of a build: of a population, a core, a pass, the latency, or a limit.

The build is the record: the network after each pass, the mapping, the device and the approximations. Alternatives are computed from them, so their costs are exact.
"""

from __future__ import annotations

import shlex
from pathlib import Path

from ...core.diagnostics import Code, ExitCode, choices_text, near_names, quote_names, refuse
from ...core.number_texts import plural
from .build_trace import Trace
from .core_reasons import all_uses, cores_of, reasons_of_core, reasons_of_limit
from .graph_reasons import reasons_of_graph_pass
from .population_reasons import populations_of, reasons_of_latency, reasons_of_population
from .records import Why
from .step_reasons import reasons_of_step

API026 = Code("API026", "build-subject-unknown", "a build has no such subject", exit_code=ExitCode.MISUSED)

LATENCY, LIMIT = "latency", "limit"


def why(folder: str | Path, subject: str) -> Why:
    """Returns the reasons for a decision of a build.

        nopt.why("build", "core 7").facts

    `subject` is the name of a population, `core 7` or `chip 1 core 7`, the name of a pass, `latency`, `limit` for the limit with the largest ratio
    of use, or the device field of a limit, such as `core.neurons`.

    Errors: API026 an unknown subject; CMP009 another directory; CMP011 a damaged file; those of reading.
    """
    trace, build = Trace.of(Path(folder)), str(folder)
    name = " ".join(subject.split())
    populations = list(populations_of(trace.networks[-1][1])) if trace.networks else []
    if name in populations:
        return reasons_of_population(build, trace, name)
    if name == LATENCY and trace.report["latency_ticks"]:
        return reasons_of_latency(build, trace)
    cores = cores_of(trace)
    if name in cores:
        return reasons_of_core(build, trace, name)
    limits = dict.fromkeys(one["limit"] for one in all_uses(trace))
    if name == LIMIT and limits:
        return reasons_of_limit(build, trace, None)
    if name in limits:
        return reasons_of_limit(build, trace, name)
    steps = trace.steps
    own = next((one for one in steps if name in (one.text, one.run.name)), None)
    if own is not None:
        return reasons_of_step(build, own)
    placing = next((one for one in trace.graph_passes if name in (one.text, one.run.name)), None)
    if placing is not None:
        return reasons_of_graph_pass(build, placing)
    passes = list(dict.fromkeys(one.run.name for one in (*steps, *trace.graph_passes)))
    kinds = {"population": populations, "core": list(cores), "pass": passes, "limit": list(limits)}
    fixed = [LATENCY, *([LIMIT] if limits else [])]
    near = near_names(name, [*populations, *cores, *passes, *limits, *fixed])
    refuse(
        API026,
        f"the build has no subject {name or 'without a name'}",
        at=f"--why {subject}",
        expected=choices_text([*(f"a {one}" for one, names in kinds.items() if names), *fixed]),
        found=name or "nothing",
        help=f"--why {shlex.quote(near[0] if near else fixed[-1])}",
        notes=[f"{plural(kind)}: {quote_names(names)}" for kind, names in kinds.items() if names],
    )
