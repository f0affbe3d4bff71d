"""Preconditions of weights: finite numbers, and enough memory to process them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from xdsl.ir import Operation

from ....analysis.weight_lines import Weighted, weight_of
from ....core.diagnostics import Code, Diagnostics, refuse_op
from ....core.memory import available_bytes

QUA030 = Code("QUA030", "weight-not-finite", "a weight is not finite")
QUA031 = Code("QUA031", "weights-exceed-memory", "weights do not fit into memory to be rounded")

KEPT_BYTES = 10
"""Bytes per weight that are kept until the record is written, in addition to the weights before and after: its integer and its error."""
WORKING_BYTES = 80
"""Bytes per weight that rounding uses in addition to the result: some arrays of f64."""


def check_readable(ops: Sequence[Operation], together: Iterable[Sequence[Weighted]] | None = None) -> None:
    """Refuses weights that cannot be processed. `together` are the ops whose weights are read at a time; default one by one."""
    weighted = [op for op in ops if isinstance(op, Weighted)]
    check_memory(weighted, [[op] for op in weighted] if together is None else together)
    findings = Diagnostics()
    for op in weighted:
        if (at := weight_of(op).data.not_finite()) is not None:
            value = np.asarray(weight_of(op).values)[at]
            findings.error(
                QUA030,
                op=op,
                expected="finite numbers",
                found=f"{op.WEIGHTS}[{', '.join(map(str, at))}] = {value}",
                help="correct the weight in the file that it came from",
            )
    findings.raise_errors()


def check_memory(ops: Sequence[Weighted], together: Iterable[Sequence[Weighted]]) -> None:
    sizes = {op: weight_of(op).data.size for op in ops}
    kept = sum(size * (2 * weight_of(op).data.dtype.itemsize + KEPT_BYTES) for op, size in sizes.items())
    working = max((sum(sizes.get(op, 0) for op in some) for some in together), default=0) * WORKING_BYTES
    available = available_bytes()
    if available is not None and kept + working > available:
        largest = max(sizes, key=lambda op: sizes[op])
        refuse_op(
            largest,
            QUA031,
            expected=f"at most {available} bytes, which this machine has free",
            found=f"about {kept + working} bytes; {sizes[largest]} weights of this op are the most",
            help="give the array fewer elements"
            + (", or work on one op at a time: nodes=NODE" if len(sizes) > 1 else ""),
        )
