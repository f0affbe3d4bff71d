"""The last line of `make test` counts each test once, and a kind without a report as a failure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from summary import main

XML = """<testsuites><testsuite>
<testcase classname="a" name="passes"/>
<testcase classname="a" name="fails"><failure message="no"/></testcase>
<testcase classname="a" name="breaks"><error message="no"/></testcase>
<testcase classname="a" name="skips"><skipped message="why"/></testcase>
</testsuite></testsuites>"""
LIT = {
    "tests": [{"name": f"g :: {code}", "code": code} for code in ("PASS", "XFAIL", "UNSUPPORTED", "FAIL", "TIMEOUT")]
}


OF_TEST = ("lint", "types", "unit", "golden")


def last_line(reports: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main(reports, OF_TEST)
    return code, capsys.readouterr().out.splitlines()[-1]


def test_counts_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "unit.xml").write_text(XML)
    (tmp_path / "golden.json").write_text(json.dumps(LIT))
    (tmp_path / "lint.ok").touch()
    # lint, passes, PASS, XFAIL; types, fails, breaks, FAIL, TIMEOUT; skips, UNSUPPORTED
    assert last_line(tmp_path, capsys) == (1, "nopt: 4 passed, 5 failed, 2 skipped")


def test_all_is_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in OF_TEST:
        (tmp_path / f"{name}.ok").touch()
    (tmp_path / "unit.xml").write_text('<testsuite><testcase classname="a" name="b"/></testsuite>')
    assert last_line(tmp_path, capsys) == (0, "nopt: 3 passed, 0 failed, 0 skipped")


def test_named_kinds_count_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "unit.xml").write_text(XML)
    assert main(tmp_path, ["unit"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "nopt: 1 passed, 2 failed, 1 skipped"
    assert main(tmp_path, ["lint"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "nopt: 0 passed, 1 failed, 0 skipped"


def test_a_kind_without_a_report_failed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("lint", "types", "golden"):
        (tmp_path / f"{name}.ok").touch()
    assert last_line(tmp_path, capsys) == (1, "nopt: 2 passed, 1 failed, 0 skipped")
