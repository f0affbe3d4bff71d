"""Templates of `nopt new`: their files work unchanged, in a package and in the tree, and every unwritten part refuses."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from places import ROOT

import nopt.api as nopt
from nopt.api.templates import new as templates
from nopt.api.templates.new import PASS_LEVELS, ROOMS, SKELETONS
from nopt.core import registry

BIN = Path(sys.executable).parent
CHOICES = ("--dt", "1ms", "--like", "norse")
UNWRITTEN = {"lowering.py": 1, "emitter.py": 2, "loader.py": 1, "model.py": 1}
"""Parts that the author of a target writes, by file."""


def run(*words: str | Path, folder: Path, code: int = 0, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": os.pathsep.join([str(BIN), os.environ["PATH"]])}
    done = subprocess.run(
        [*map(str, words)],
        capture_output=True,
        encoding="utf-8",
        env=environment if path is None else {**environment, "PYTHONPATH": str(path)},
        cwd=folder,
        timeout=300,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done


def lit(folder: Path, *words: str | Path, path: Path | None = None) -> str:
    return run(BIN / "lit", "-v", *words, folder=folder, path=path).stdout


def warm_lit(folder: Path, nopt_folder: Path, path: Path | None = None) -> str:
    """Runs the goldens of a package with the `nopt` of `lit-tests/warm.py`, because lit takes the one in the folder of the interpreter."""
    text = f"import sys; sys.executable = {str(nopt_folder / 'python')!r}; from lit.main import main; main()"
    return run(sys.executable, "-c", text, "-v", "lit-tests", folder=folder, path=path).stdout


def verify_style(folder: Path, *files: Path) -> None:
    """Checks the rules and the layout of this tree."""
    for words in (("check",), ("format", "--check")):
        run(BIN / "ruff", *words, "--config", ROOT / "pyproject.toml", *files, folder=folder)


def numbers_of_tests(text: str) -> tuple[int, int]:
    """Returns the tests that lit has found and those that passed."""
    total, passed = (re.search(rf"{word}: +(\d+)", text) for word in ("Total Discovered Tests", "Passed"))
    assert total is not None
    return int(total[1]), int(passed[1]) if passed is not None else 0


# ---- packages


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder of a new target, with another dialect and a pass."""
    folder = tmp_path_factory.mktemp("new")
    nopt.new_target("my_chip", folder)
    nopt.new_dialect("my_level", folder / "my_chip")
    nopt.new_pass("my_chip_merge_delays", folder / "my_chip")
    return folder / "my_chip"


def test_every_template_is_written(package: Path, tmp_path: Path) -> None:
    """A template file that no kind writes is tested by nothing."""
    nopt.new_pass("alone", tmp_path)
    known = {f"{template}.in" for rooms in ROOMS.values() for template in rooms}
    known |= {name.replace(".", f".{level}.", 1) for name in known for level in PASS_LEVELS if name.startswith("pass/")}
    source = (ROOT / "api" / "templates" / "new.py").read_text(encoding="utf-8")
    for path in SKELETONS.rglob("*.in"):
        name = path.relative_to(SKELETONS).as_posix()
        assert name in known or f'"{name.removesuffix(".in")}"' in source, name
    written = [path for folder in (package, tmp_path) for path in folder.rglob("*.*") if path.is_file()]
    assert not [path for path in written if re.search(r"%[A-Z]+%", path.read_text(encoding="utf-8"))]


def test_goldens_of_a_package_pass(package: Path, nopt_folder: Path) -> None:
    total, passed = numbers_of_tests(warm_lit(package, nopt_folder))
    assert total == passed == 9


@pytest.mark.parametrize(
    ("kind", "name"), [("dialect", "alone"), *(("pass", f"{level}_alone") for level in PASS_LEVELS), ("pass", "alone")]
)
def test_a_dialect_or_a_pass_may_be_a_package_of_its_own(
    kind: str, name: str, tmp_path: Path, nopt_folder: Path
) -> None:
    {"dialect": nopt.new_dialect, "pass": nopt.new_pass}[kind](name, tmp_path)
    total, passed = numbers_of_tests(warm_lit(tmp_path / name, nopt_folder))
    assert total == passed == 2
    file = f"{name}/nopt_{name}/target.py"
    assert name in run(nopt_folder / "nopt", "targets", "--load-target", file, folder=tmp_path).stdout
    verify_style(tmp_path, tmp_path / name / f"nopt_{name}")


@pytest.mark.parametrize("name", ["fixed_x", "asic_x", "my_x"])
def test_a_pass_of_a_level_without_a_template_is_refused(name: str, tmp_path: Path) -> None:
    """The driver would refuse it on the modules of the template: a name that starts with a dialect works on that level."""
    nopt.new_target("my", tmp_path)
    with pytest.raises(nopt.Refused) as refused:
        nopt.new_pass(name, tmp_path / "my")
    (finding,) = refused.value.findings
    assert (finding.code.id, finding.help) == ("API015", f"nopt new pass ntensor_{name}")
    assert nopt.new_pass(f"ntensor_{name}", tmp_path / "my")


def test_tests_and_style_of_a_package_are_right(package: Path, nopt_folder: Path) -> None:
    done = run(nopt_folder / "warm-python", "-m", "pytest", "-q", "tests", folder=package)
    assert "1 passed, 1 xfailed" in done.stdout
    verify_style(package, package)


def install(package: Path, folder: Path) -> None:
    """Installs a copy of a package into a folder, as `pip install .` does."""
    shutil.copytree(package, folder / "source", ignore=shutil.ignore_patterns("__pycache__", "build"))
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--target", folder / "e")
    run(sys.executable, "-m", "pip", "install", *options, folder / "source", folder=folder)


@pytest.mark.parametrize("is_editable", [False, True])
def test_goldens_of_an_installed_package_pass(
    is_editable: bool, package: Path, tmp_path: Path, nopt_folder: Path
) -> None:
    """The goldens load the file of the package, which replaces the installed copy, or is the installed file."""
    install(package, tmp_path)
    if is_editable:
        shutil.rmtree(tmp_path / "e" / "nopt_my_chip")
        (tmp_path / "e" / "nopt_my_chip").symlink_to(package / "nopt_my_chip")
    total, passed = numbers_of_tests(warm_lit(package, nopt_folder, tmp_path / "e"))
    assert total == passed == 9


def test_the_file_of_a_package_replaces_the_installed_one(package: Path, tmp_path: Path, nopt_folder: Path) -> None:
    """An edit of the file has an effect, unless other files are imported already."""
    install(package, tmp_path)
    record = tmp_path / "source" / "nopt_my_chip" / "target.py"
    text = record.read_text(encoding="utf-8")
    record.write_text(re.sub(r'summary="[^"]*"', 'summary="edited"', text), encoding="utf-8")
    words = ("targets", "my_chip", "--load-target", record)
    assert "edited" in run(nopt_folder / "nopt", *words, folder=tmp_path, path=tmp_path / "e").stdout
    script = "import sys, nopt.api, nopt_my_chip.target; print(nopt.api.load_target(sys.argv[1]))"
    same = tmp_path / "same"
    shutil.copytree(tmp_path / "e" / "nopt_my_chip", same / "nopt_my_chip")
    words = (nopt_folder / "warm-python", "-c", script)
    assert "my_chip" in run(*words, same / "nopt_my_chip" / "target.py", folder=same, path=tmp_path / "e").stdout
    refused = run(*words, record, folder=same, code=1, path=tmp_path / "e").stderr
    assert "COR022" in refused
    assert "help: pip uninstall nopt-my_chip" in refused


def test_an_installed_package_is_listed(package: Path, tmp_path: Path, nopt_folder: Path) -> None:
    install(package, tmp_path)
    listed = run(sys.executable, "-m", "nopt.tools.main", "targets", folder=tmp_path, path=tmp_path / "e").stdout
    assert "my_chip" in listed
    for words, expected in (
        (("targets", "my_chip"), "my_chip/first"),
        (("device", "check", "my_chip/first"), "my_chip/first"),
        (("passes",), "my-chip-merge-delays"),
        (("explain", "MYC001"), "Remedy"),
    ):
        done = run(nopt_folder / "nopt", *words, folder=tmp_path / "e", path=tmp_path / "e")
        assert expected.lower() in done.stdout.lower()


def test_every_unwritten_part_refuses_with_its_file(package: Path, nopt_folder: Path) -> None:
    record = package / "nopt_my_chip" / "target.py"
    script = f"""
import nopt.api as nopt
nopt.load_target({str(record)!r})
from nopt_my_chip import emitter, loader, model
from nopt.core.diagnostics import Diagnostics
calls = [
    lambda: emitter.emit(None, Diagnostics()),
    lambda: emitter.artefact(None, None, Diagnostics()),
    lambda: loader.load({{}}, Diagnostics()),
    lambda: model.Model.run(None, {{}}),
]
for call in calls:
    try:
        call()
    except nopt.Refused as refusal:
        print(refusal.findings[0].code, refusal.findings[0].file)
"""
    printed = run(nopt_folder / "warm-python", "-c", script, folder=package).stdout.split("\n")
    files = ["emitter.py", "emitter.py", "loader.py", "model.py"]
    assert printed[:4] == [f"COR028 nopt_my_chip/{file}" for file in files]
    for file, count in UNWRITTEN.items():
        text = (package / "nopt_my_chip" / file).read_text(encoding="utf-8")
        assert text.count("    not_implemented(") == count


def test_a_network_reaches_the_cores_and_no_further(package: Path, tmp_path: Path, nopt_folder: Path) -> None:
    net, load = package / "lit-tests" / "inputs" / "net.mlir", ("--load-target", package / "nopt_my_chip" / "target.py")
    common = ("--target", "my_chip", *CHOICES, *load)
    run(nopt_folder / "nopt", "compile", net, *common, "--until", "machine", "-o", "build", folder=tmp_path)
    x = tmp_path / "x.npy"
    np.save(x, np.random.default_rng(0).random((20, 2)) < 0.5)
    done = run(nopt_folder / "nopt", "run", "build", "--input", x, *load, folder=tmp_path)
    assert "output" in done.stdout
    refused = run(nopt_folder / "nopt", "compile", net, *common, "-o", "whole", folder=tmp_path, code=1)
    assert "error[COR028]: connections_of is not written yet" in refused.stderr
    assert not (tmp_path / "whole").exists()
    checked = run(nopt_folder / "nopt", "check", net, *common, folder=tmp_path, code=1)
    assert "COR028" in checked.stdout


def test_a_template_does_not_conform_until_it_is_filled(package: Path, tmp_path: Path, nopt_folder: Path) -> None:
    """Each question fails on the part that is written next."""
    copy = tmp_path / "my_chip"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    words = ("conform", "my_chip/first", "--networks", "4", "--load-target", copy / "nopt_my_chip" / "target.py")
    first = run(nopt_folder / "nopt", *words, folder=tmp_path, code=1)
    assert "COR028: connections_of is not written yet" in first.stdout
    assert " passed " not in first.stdout
    lowering = copy / "nopt_my_chip" / "lowering.py"
    text = lowering.read_text(encoding="utf-8")
    lowering.write_text(re.sub(r"    not_implemented\(.*\)", "    return []", text), encoding="utf-8")
    second = run(nopt_folder / "nopt", *words, folder=tmp_path, code=1).stdout
    assert "connections_of" not in second
    assert "error[COR028]: artefact is not written yet" in second
    assert "error[COR028]: run is not written yet" in second


# ---- the tree


def copy(path: Path, place: Path) -> None:
    """Copies a file with its times, because Python compares those of a module and its bytecode."""
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(path, place)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a copy of the tree, with a package `nopt` of its rooms in `import/`."""
    folder = tmp_path_factory.mktemp("checkout")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("the tree is not a checkout")
    for name in filter(None, listed):
        if (ROOT / name).is_file():
            copy(ROOT / name, folder / name)
            if name.endswith(".py") and (code := Path(cache_from_source(str(ROOT / name)))).is_file():
                copy(code, Path(cache_from_source(str(folder / name))))
    for room in registry.ROOMS:
        (folder / "src" / "nopt" / room).symlink_to(folder / room)
    return folder


def hashes(folder: Path) -> dict[Path, str]:
    return {path: sha256(path.read_bytes()).hexdigest() for path in folder.rglob("*") if path.is_file()}


def test_a_checkout_gets_new_files_only(checkout: Path) -> None:
    before = hashes(checkout)
    written = {
        *nopt.new_target("newchip", checkout, in_tree=True),
        *nopt.new_dialect("newlevel", checkout, in_tree=True),
        *nopt.new_pass("ntensor_merge_late", checkout, in_tree=True),
    }
    after = hashes(checkout)
    assert {path for path, text in after.items() if before.get(path) != text} == written
    assert before.keys() <= after.keys()
    expected = "targets/newchip/lowering.py", "dialects/newchip/__init__.py", "passes/normalize/ntensor_merge_late.py"
    assert {checkout / path for path in expected} <= written
    modules = [path for path in written if path.suffix == ".py"]
    verify_style(checkout, *modules)
    assert not [path for path in modules if "from nopt." in path.read_text() and "tests" not in path.parts]
    goldens = [path for path in written if path.suffix in (".mlir", ".test") and path.parent.name != "inputs"]
    total, passed = numbers_of_tests(lit(checkout, "-j", "1", *sorted(goldens), path=checkout / "src"))
    assert total == passed == len(goldens) == 9
    words = (
        "-v",
        "-p",
        "no:cacheprovider",
        "tests/target/newchip",
        "tests/unit/tree/test_layout.py",
        "-k",
        "not documented",
    )
    done = run(sys.executable, "-m", "pytest", *words, folder=checkout, path=checkout / "src")
    outcomes = re.findall(r"^tests/target/newchip/\S+ (\w+)", done.stdout, re.MULTILINE)
    assert sorted(outcomes) == ["PASSED", "XFAIL"]
    outcomes = re.findall(r"^tests/unit/tree/test_layout.py.* (\w+) +\[", done.stdout, re.MULTILINE)
    assert len(outcomes) > 100, done.stdout
    assert {*outcomes} == {"PASSED"}, done.stdout


def test_a_wheel_holds_every_template(wheel_programs: Path) -> None:
    """The environment of the wheel has it."""
    (path,) = (wheel_programs.parents[1] / "wheels").glob("*.whl")
    with ZipFile(path) as wheel:
        held = {name.removeprefix("nopt/api/templates/skeletons/") for name in wheel.namelist()}
    assert {path.relative_to(SKELETONS).as_posix() for path in SKELETONS.rglob("*.*")} <= held


# ---- names


@pytest.mark.parametrize("kind", ["device", "target", "dialect", "pass"])
@pytest.mark.parametrize("name", ["", "My", "1a", "a-b", "class", "é", "a/b", ".."])
def test_a_bad_name_is_refused(kind: str, name: str, tmp_path: Path) -> None:
    write = getattr(nopt, f"new_{kind}")
    with pytest.raises(nopt.Refused) as refused:
        write(name, tmp_path)
    finding = refused.value.findings[0]
    assert finding.code.id == "API015"
    write(str(finding.help).rpartition(" ")[2], tmp_path)


def test_codes_of_templates_differ() -> None:
    names = ["asi", "nir", "ntensor", "x", "a1", "machine"]
    used = {name[:3] for name in nopt.codes()}
    for name in names:
        code = templates.unused_code(name, ())
        assert re.fullmatch("[A-Z]{3}", code)
        assert code not in used
