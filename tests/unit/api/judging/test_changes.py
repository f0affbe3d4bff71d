"""Changes: a remark and the record of its pass are one entry, and remarks that differ only in their nodes are one."""

from __future__ import annotations

from typing import Any

from nopt.api.judging.changes import find_changes
from nopt.core.diagnostics import Code, Finding, Severity

FIT = Code("TST001", "changed-to-fit", "changed to fit")
OTHER = Code("TST002", "other-remark", "another remark")


def record(step: str, largest: float | None = None) -> dict[str, Any]:
    return {"step": step, "what": f"{step} ran", "touched": ["a"], "largest": largest, "mean": None, "unit": "1"}


def remark(code: Code, message: str, node: str, **parts: Any) -> Finding:
    return Finding(code, message, Severity.REMARK, node=node, **parts)


def test_a_record_takes_the_limit_of_the_remark_about_its_pass() -> None:
    limit = {
        "expected": "at most 8 bits",
        "path": "quantization.weight_bits",
        "step": "round-weights{bits=8},round-bias",
    }
    found = find_changes(
        [record("prune"), record("round-weights{per=row}", 0.5)], [remark(FIT, "bits changed", "a", **limit)]
    )
    assert [(one.what, one.limit, one.field, one.largest) for one in found] == [
        ("prune ran", None, None, None),
        ("round-weights{per=row} ran", "at most 8 bits", "quantization.weight_bits", 0.5),
    ]


def test_a_remark_about_a_pass_without_a_record_is_an_entry() -> None:
    found = find_changes(
        [record("prune")], [remark(FIT, "latency changed", "b", step="retime{ticks=1}", found="0 ticks")]
    )
    assert [(one.what, one.nodes, one.found) for one in found[1:]] == [("latency changed", ("b",), "0 ticks")]


def test_equal_remarks_share_an_entry_without_the_values_that_differ() -> None:
    remarks = [remark(OTHER, "broadcast", name, expected=f"shape of {name}", found="()") for name in ("a", "b", "a")]
    (found,) = find_changes([], [*remarks, Finding(OTHER, "broadcast", Severity.WARNING)])
    assert (found.nodes, found.limit, found.found) == (("a", "b"), None, "()")
