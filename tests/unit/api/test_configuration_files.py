"""Configuration files: every document is read or refused with a place, and the schema agrees with the reader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import nopt.api as nopt
from nopt.api.configuration_files import BACKEND_KEYS, PROJECT_KEYS
from nopt.tools.main import main

SCHEMA = Draft202012Validator(nopt.configuration_schema())
GOOD: dict[str, str] = {
    "text": '"1ms"',
    "file": '"y.npy"',
    "sample": '"zeros"',
    "preset": '"norse"',
    "device": '"edge"',
    "texts": '["core.neurons=4"]',
    "number": "4",
    "folder": '"build"',
}
BAD = {
    "text": "1",
    "file": "1",
    "sample": "true",
    "preset": "[]",
    "device": '""',
    "texts": '"core.neurons=4"',
    "number": "true",
    "folder": "1",
}
ROWS = [("project", name, key.kind) for name, key in PROJECT_KEYS.items()] + [
    ("backend_asic", name, key.kind) for name, key in BACKEND_KEYS.items()
]


def written(folder: Path, text: str) -> Path:
    (folder / "y.npy").touch()
    file = folder / "nopt.toml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(("table", "name", "kind"), ROWS)
def test_each_key_takes_its_type_alone(tmp_path: Path, table: str, name: str, kind: str) -> None:
    found = nopt.configuration(written(tmp_path, f"[{table}]\n{name} = {GOOD[kind]}\n"))
    setting = (found.project if table == "project" else found.backends["asic"])[name]
    assert setting.place == f"{tmp_path / 'nopt.toml'}:2:1"
    with pytest.raises(nopt.Refused) as refusal:
        nopt.configuration(written(tmp_path, f"[{table}]\n{name} = {BAD[kind]}\n"))
    assert [(str(one.code), one.place) for one in refusal.value.findings] == [("API003", setting.place)]


@pytest.mark.parametrize(("table", "name", "kind"), ROWS)
def test_schema_agrees_with_the_reader(table: str, name: str, kind: str) -> None:
    import tomllib

    def is_valid(value: str) -> bool:
        document: dict[str, Any] = tomllib.loads(f"[{table}]\n{name} = {value}\n")
        return SCHEMA.is_valid(document)

    assert is_valid(GOOD[kind])
    assert BAD[kind] == '""' or not is_valid(BAD[kind])
    assert not SCHEMA.is_valid({table: {f"{name}x": 1}})


BARS = Path("examples") / "bars" / "bars.nir"
CHOICES = 'dt = "1ms"\nlike = "norse"\nreset = "subtract"\nout = "build"\n'


@pytest.mark.parametrize(
    ("backend", "table", "device"),
    [("asic", 'device = "mesh"\nset = ["core.neurons=200"]', "asic/mesh"), ("c", "weight_bits = 6", "c/generic")],
)
def test_a_project_compiles_without_options(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str, table: str, device: str
) -> None:
    written(tmp_path, f'[project]\n{CHOICES}target = "{backend}"\n[backend_{backend}]\n{table}\n')
    (tmp_path / "net.nir").write_bytes((root / BARS).read_bytes())
    inner = tmp_path / "inner"
    inner.mkdir()
    monkeypatch.chdir(inner)  # the file of the folder above holds, and its output is relative to it
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    assert main(["compile", "../net.nir"]) == 0
    report = json.loads((tmp_path / "build" / "report.json").read_text(encoding="utf-8"))
    assert report["device"]["name"] == device
    if backend == "asic":
        assert report["device"]["overridden"] == {"core.neurons": 200}
    else:
        assert "ntensor-quantize-weights{bits=6" in report["pipeline"]


@pytest.mark.parametrize(
    ("line", "code", "column"),
    [("dtt = 1", "API002", 1), ("  like = 3", "API003", 3), (' calib = "absent.npy"', "API004", 2)],
)
def test_each_mistake_has_line_and_column_in_compile(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, code: str, column: int
) -> None:
    file = written(tmp_path, f'[project]\ndt = "1ms"\n{line}\n')
    assert main(["compile", str(root / BARS), "--config", str(file), "-o", str(tmp_path / "build")]) == 1
    assert f"{file}:3:{column}: error[{code}]" in capsys.readouterr().err
    assert not (tmp_path / "build").exists()


def test_without_an_output_directory_compile_is_misused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", str(root / BARS), "--target", "c", "--no-config"]) == 2
    assert "the following arguments are required: -o" in capsys.readouterr().err


def test_files_are_relative_to_the_configuration(tmp_path: Path) -> None:
    found = nopt.configuration(written(tmp_path, '[project]\nlabels = "y.npy"\n'))
    assert found.project["labels"].value == str(tmp_path / "y.npy")


@pytest.mark.parametrize(
    ("text", "place"), [('dt = "1ms\n', "1:10"), ("[project\n", "1:9"), ("a = 1\na = 2\n", "2:6"), ("a = [1,", "1:8")]
)
def test_syntax_errors_have_a_place(tmp_path: Path, text: str, place: str) -> None:
    with pytest.raises(nopt.Refused) as refusal:
        nopt.configuration(written(tmp_path, text))
    (one,) = refusal.value.findings
    assert (str(one.code), one.place) == ("API001", f"{tmp_path / 'nopt.toml'}:{place}")


def test_command_line_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path, '[project]\ndt = "1ms"\ntarget = "asic"\n[backend_asic]\ndevice = "edge"\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    assert main(["config", "--dt", "3ms", "--target", "asic/mesh"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["dt", "3ms", "command", "line"] in rows
    assert ["target", "asic/mesh", "command", "line"] in rows
    assert main(["config", "--no-config"]) == 0
    _, *rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert {row[-1] for row in rows} == {"default"}
