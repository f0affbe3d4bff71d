"""Files of the project for its host and its contributors: valid, with commands that exist."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from places import ROOT

YAML = sorted([*ROOT.glob(".github/**/*.yml"), ROOT / ".pre-commit-config.yaml", ROOT / ".pre-commit-hooks.yaml"])
WORKFLOWS = sorted(ROOT.glob(".github/workflows/*.yml"))
ACTION = ROOT / ".github" / "actions" / "nopt-check" / "action.yml"
GOALS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
BARS = ROOT / "examples" / "bars" / "bars.nir"


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def goals_of(command: str) -> list[str]:
    """Returns the goals of the calls of make in a text."""
    calls = re.findall(r"^(?:.*`)?\s*make ([a-z][^`#\n&]*)", command, re.MULTILINE)
    return [word for call in calls for word in call.split() if "=" not in word and re.fullmatch(r"[a-z-]+", word)]


def shell(script: str, *arguments: str, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = ["bash", "-c", script, *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.parametrize("path", YAML, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_yaml_is_valid(path: Path) -> None:
    assert load(path)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_call_goals_of_the_makefile(path: Path) -> None:
    steps = [step for job in load(path)["jobs"].values() for step in job["steps"]]
    assert all(("uses" in step) != ("run" in step) for step in steps)
    goals = [goal for step in steps for goal in goals_of(step.get("run", ""))]
    assert goals
    assert set(goals) <= GOALS


def test_contributors_are_told_goals_of_the_makefile() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    goals = re.findall(r"(?:^|`)make ([a-z-]+)", text, re.MULTILINE)
    assert {"test", "unit", "golden", "target", "property", "wheel"} <= {*goals} <= GOALS


def test_nightly_asks_every_oracle() -> None:
    (targets,) = load(ROOT / ".github" / "workflows" / "nightly.yml")["jobs"]["oracles"]["strategy"]["matrix"].values()
    assert targets == sorted({path.parent.name for path in ROOT.glob("tests/oracle/*/test_*.py")})


def test_versions_agree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = load(ROOT / "CITATION.cff")
    assert str(citation["version"]) == project["version"]
    assert [author["name"] for author in citation["authors"]] == [author["name"] for author in project["authors"]]
    assert citation["license"] == project["license"]


def test_the_action_checks_networks(tmp_path: Path, wheel_environment: dict[str, str]) -> None:
    """Its second step is run, as its first one installs nopt."""
    (tmp_path / "nets").mkdir()
    for name in ("a.nir", "b.nir"):
        (tmp_path / "nets" / name).write_bytes(BARS.read_bytes())
    script = load(ACTION)["runs"]["steps"][1]["run"]
    inputs = {"FILES": "nets/*.nir", "OPTIONS": "--dt 1ms --like norse", "SARIF": "found"}
    done = shell(script, folder=tmp_path, environment=wheel_environment | inputs)
    assert done.returncode == 0, done.stderr
    assert sorted(os.listdir(tmp_path / "found")) == ["nets_a.nir.sarif", "nets_b.nir.sarif"]
    assert json.loads((tmp_path / "found" / "nets_a.nir.sarif").read_text())["version"] == "2.1.0"
    refused = inputs | {"OPTIONS": "--dt 1ms --like norse --target akida"}
    assert shell(script, folder=tmp_path, environment=wheel_environment | refused).returncode == 1


def test_the_hook_checks_each_network(tmp_path: Path, wheel_environment: dict[str, str]) -> None:
    (hook,) = load(ROOT / ".pre-commit-hooks.yaml")
    (tmp_path / "a.nir").write_bytes(BARS.read_bytes())
    (tmp_path / "damaged.nir").write_bytes(BARS.read_bytes()[:500])

    def check(*names: str) -> int:
        command = [*shlex.split(hook["entry"]), *names]
        return subprocess.run(command, cwd=tmp_path, env=wheel_environment, capture_output=True, check=False).returncode

    assert re.search(hook["files"], "a.nir")
    assert check("a.nir") == 0
    assert check("damaged.nir", "a.nir") == 1
