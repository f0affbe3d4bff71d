"""Commit subjects follow one form: the hook of `tests/hooks/commit-msg`, run over the commits since it exists."""

from __future__ import annotations

import subprocess
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
HOOK = ROOT / "tests" / "hooks" / "commit-msg"
FIRST = "tests/hooks/commit-msg"


def hook() -> ModuleType:
    loader = SourceFileLoader("commit_msg", str(HOOK))
    spec = spec_from_loader("commit_msg", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60)
    if done.returncode:
        pytest.skip(f"git log cannot be read here: {done.stderr.strip()}")
    return done.stdout.strip()


def test_new_commits_have_a_subject_of_the_form() -> None:
    added = git("log", "--diff-filter=A", "--format=%H", "--", FIRST).splitlines()
    if not added:
        pytest.skip("the history does not hold the commit that added the hook")
    mistakes = hook().mistakes
    subjects = git("log", "--no-merges", "--format=%s", f"{added[-1]}..HEAD").splitlines()
    found = {subject: mistakes(subject) for subject in subjects if mistakes(subject)}
    assert not found


@pytest.mark.parametrize(
    ("subject", "count"),
    [
        ("dialects: (nir) refuse non-positive tau", 0),
        ("tests: (passes/normalize) share the reference run", 0),
        ("dialects: (nir) refuse non-positive tau.", 1),
        ("Refuse non-positive tau", 1),
        ("passes: " + "x" * 80, 1),
        ("api: read the file; write the file", 1),
    ],
)
def test_subjects_are_judged(subject: str, count: int) -> None:
    assert len(hook().mistakes(subject)) == count


@pytest.mark.long
@pytest.mark.parametrize(("subject", "code"), [("api: read one file\n\nbody", 0), ("Read one file", 1)])
def test_the_hook_refuses(subject: str, code: int, tmp_path: Path) -> None:
    message = tmp_path / "message"
    message.write_text(subject)
    done = subprocess.run([HOOK, message], capture_output=True, text=True, timeout=60)
    assert done.returncode == code, done.stderr
