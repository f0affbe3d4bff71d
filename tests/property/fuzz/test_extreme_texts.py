"""Numbers beyond 64 bits, deep nesting, long names and lone surrogates, one at a time, at each location of a value."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import cycle
from pathlib import Path
from typing import Any

import judge
import numpy as np
import pytest
from array_mutations import npy
from extent import some
from options import Pipelines
from trial import Trial, Verdict, tried, tried_in_turn
from warm import import_nopt

from nopt.tools.main import main

HUGE = 9**40
"""A number beyond 64 bits."""
DEEP = 100_000
LONG = 5000
RULES = ("--dt", "1ms", "--like", "norse")
NETWORK = """{
  "schema": "nopt.graph/1",
  "name": "net",
  "nodes": {
    "input": {"type": "Input", "shape": [2]},
    "fc": {"type": "Linear", "weight": {"dtype": "float32", "shape": [2, 2], "values": [[1.0, 0.5], [0.25, 1.0]]}},
    "delay": {"type": "Delay", "delay": {"dtype": "float32", "shape": [2], "values": [0.001, 0.002]}},
    "lif": {
      "type": "LIF",
      "tau": {"dtype": "float32", "shape": [2], "values": [0.01, 0.01]},
      "r": {"dtype": "float32", "shape": [2], "values": [1.0, 1.0]},
      "v_leak": {"dtype": "float32", "shape": [2], "values": [0.0, 0.0]},
      "v_threshold": {"dtype": "float32", "shape": [2], "values": [1.0, 1.0]},
      "v_reset": {"dtype": "float32", "shape": [2], "values": [0.0, 0.0]}
    },
    "output": {"type": "Output", "shape": [2]}
  },
  "edges": [["input", "fc"], ["fc", "delay"], ["delay", "lif"], ["lif", "output"]]
}"""

Path_ = tuple[Any, ...]
Files = Mapping[str, str | bytes]


def leaves(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Yields every leaf value of a document, with its path."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if inner is None:
        yield path, value
        return
    for key, one in inner:
        yield from leaves(one, (*path, key))


def replaced(document: Any, path: Path_, value: Any) -> Any:
    """Returns a copy of a document with another value at a path."""
    copy = json.loads(json.dumps(document))
    place = copy
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return copy


def places_of_numbers(document: Any) -> list[Path_]:
    """Returns the paths of the numbers of a document. Fields and arrays of the same name have the same reader, so each name occurs once."""
    found: dict[Path_, Path_] = {}
    for path, value in leaves(document):
        if isinstance(value, int | float) and not isinstance(value, bool):
            found.setdefault(tuple(key for key in path if isinstance(key, str))[-2:], path)
    return list(found.values())


def refused(arguments: list[str], files: Files, folder: Path, *allowed: str) -> Verdict:
    """Runs a command in a separate folder; it must succeed or refuse."""
    (verdict,) = refused_in_turn([(arguments, files)], folder, *allowed)
    return verdict


def refused_in_turn(commands: Iterable[tuple[list[str], Files]], folder: Path, *allowed: str) -> list[Verdict]:
    """Runs commands with their files, each in a separate folder; each must succeed or refuse."""
    trials: list[tuple[list[str], Trial]] = []
    for words, files in commands:
        work = folder / f"{len(os.listdir(folder))}"
        work.mkdir()
        for name, data in files.items():
            (work / name).write_bytes(data if isinstance(data, bytes) else data.encode(errors="surrogatepass"))
        trials.append((words, Trial(work, frozenset(allowed))))
    verdicts = tried_in_turn(main, trials)
    for (words, trial), verdict in zip(trials, verdicts, strict=True):
        faults = [*verdict.faults, *judge.faults("text", verdict.printed, verdict.said)]
        assert not faults, f"{trial.folder.name}: nopt {' '.join(words)[:300]!a}: {faults}\n{verdict.errors[-1500:]}"
    return verdicts


@pytest.fixture(scope="module", autouse=True)
def imported(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Imports the modules of commands and fills the caches of xDSL once before the forks."""
    import_nopt()
    net = tmp_path_factory.mktemp("good") / "net.json"
    net.write_text(NETWORK)
    assert main(["check", str(net), *RULES]) == 0


@pytest.fixture(scope="module")
def mesh(root: Path) -> Any:
    return json.loads((root / "targets/asic/devices/mesh.json").read_text())


def test_the_network_is_good(tmp_path: Path) -> None:
    assert refused(["check", "net.json", *RULES], {"net.json": NETWORK}, tmp_path).code == 0


# ---- numbers


def test_numbers_of_networks(tmp_path: Path) -> None:
    """Replaces each number of a network by one of four values."""
    document = json.loads(NETWORK)
    changes = zip(places_of_numbers(document), cycle((HUGE, 2**63, 1e300, -HUGE)), strict=False)
    files = ({"net.json": json.dumps(replaced(document, path, value))} for path, value in changes)
    refused_in_turn(((["check", "net.json", *RULES], one) for one in files), tmp_path)


def test_whole_numbers_of_network_arrays(tmp_path: Path) -> None:
    document = json.loads(NETWORK.replace("float32", "int64"))
    places = (path for path in places_of_numbers(document) if "values" in path)
    files = ({"net.json": json.dumps(replaced(document, path, HUGE))} for path in places)
    refused_in_turn(((["net.json"], one) for one in files), tmp_path)


def test_numbers_of_devices(mesh: Any, root: Path, tmp_path: Path) -> None:
    """Replaces every fourth number of a device by one of three values."""
    neurons = (root / "targets/asic/devices/mesh.neuron").read_text()
    words = ["compile", "net.json", "--device", "chip.json", *RULES, "-o", "out"]
    changes = zip(some(places_of_numbers(mesh), 4), cycle((HUGE, 1e300, -HUGE)), strict=False)
    chips = (json.dumps(replaced(mesh, path, value)) for path, value in changes)
    files = ({"chip.json": chip, "mesh.neuron": neurons, "net.json": NETWORK} for chip in chips)
    refused_in_turn(((words, one) for one in files), tmp_path, "out")


def test_numbers_of_settings(mesh: Any, tmp_path: Path) -> None:
    places = [path for path in places_of_numbers(mesh) if path[-1] == "value"]
    changes = zip(some(places[1:], 6), cycle((HUGE, f"-{HUGE}", "1e999", "9" * 5000)), strict=False)
    settings = (f"{'.'.join(map(str, path[:-1]))}={value}" for path, value in changes)
    words = (["check", "net.json", "--target", "asic/mesh", "--set", one, *RULES] for one in settings)
    refused_in_turn(((one, {"net.json": NETWORK}) for one in words), tmp_path)


def test_numbers_of_pass_options(tmp_path: Path) -> None:
    first = "convert-nir-to-ntensor{dt-ns=1000000 like=norse}"
    files: Files = {"net.json": NETWORK, "x.npy": npy(np.ones((3, 2)))}
    places = [
        (name, options, option)
        for name, options in Pipelines().passes.items()
        for option, kind, _ in options
        if kind.startswith(("int", "float"))
    ]
    numbers = cycle((HUGE, f"-{HUGE}", "1e999"))
    commands: list[tuple[list[str], Files]] = []
    for name, options, option in some(places, 2):
        required = [o for o, _, default in options if default == "required" and o != option]
        given = " ".join([f"{option}={next(numbers)}", *(f"{o}={needed(o)}" for o in required)])
        before = "" if name.startswith(("nir-", "convert-nir")) else f"{first},"
        commands.append((["net.json", "-p", f"{before}{name}{{{given}}}"], files))
    refused_in_turn(commands, tmp_path)


def needed(option: str) -> str:
    """Returns a value for an option that a pass requires."""
    known = {
        "like": "norse",
        "to": "norse",
        "dt-ns": "1000000",
        "device": "asic/mesh",
        "target": "asic/mesh",
        "data": '"x.npy"',
    }
    return known.get(option, "8")


def test_numbers_of_texts(tmp_path: Path) -> None:
    work = tmp_path / "text"
    work.mkdir()
    (work / "net.json").write_text(NETWORK)
    for index, pipeline in enumerate(("nir-flatten", "convert-nir-to-ntensor{dt-ns=1000000 like=norse}")):
        done = tried(main, ["net.json", "-p", pipeline], Trial(work))
        text = done.printed.decode()
        places = [
            at
            for at, sign in enumerate(text)
            if sign.isdigit() and not (text[at - 1].isalnum() or text[at - 1] in "._%#@")
        ]
        assert len(places) > 15
        texts: list[str] = []
        for at in some(places[index:], 15):
            end = at
            while text[end].isdigit():
                end += 1
            texts.append(f"{text[:at]}{HUGE}{text[end:]}")
        folder = tmp_path / f"{index}"
        folder.mkdir()
        words = ["check", "net.mlir", *(RULES if not index else ())]
        refused_in_turn(((words, {"net.mlir": changed}) for changed in texts), folder)


# ---- depth


@pytest.mark.parametrize("sign", ["[", '{"a":', '{"nodes":{"a":{"nodes":', "[{"], ids=ascii)
def test_deep_documents(sign: str, tmp_path: Path) -> None:
    deep = sign * DEEP
    inside = NETWORK.replace('"shape": [2]', f'"shape": {deep}', 1)
    commands = [
        (words, {words[-1]: text})
        for text in (deep, inside)
        for words in (["net.json"], ["check", *RULES, "net.json"], ["device", "check", "chip.json"])
    ]
    assert [verdict.code for verdict in refused_in_turn(commands, tmp_path)] == [1] * 6


DEPTHS = {
    "brackets": "(" * LONG + "1" + ")" * LONG,
    "some brackets": "(" * 500 + "1" + ")" * 500,
    "signs": "-" * LONG + "1",
    "sums": "1 + " * LONG + "1",
    "powers": "2 ** " * 100 + "2",
    "calls": "abs(" * LONG + "1" + ")" * LONG,
    "choices": "1 if 1 else " * LONG + "1",
    "open": "(((",
    "string": "'''",
    "unreadable": "1 $ 2 ?",
    "continued": "1 \\",
    "indented": "  1\n 2",
    "number": "9" * LONG,
    "exponent": "1e" + "9" * LONG,
    "zero": "\\0",
    "surrogate": "a\udcff",
    "bidirectional": "a\u202e",
}


def test_expressions_of_contracts(mesh: Any, root: Path, tmp_path: Path) -> None:
    neurons = (root / "targets/asic/devices/mesh.neuron").read_text()
    (path,) = (path for path, _ in leaves(mesh) if path[-1] == "expression")
    chips = (json.dumps(replaced(mesh, path, expression)) for expression in DEPTHS.values())
    files = ({"chip.json": chip, "mesh.neuron": neurons} for chip in chips)
    verdicts = refused_in_turn(((["device", "check", "chip.json"], one) for one in files), tmp_path)
    assert dict(zip(DEPTHS, (verdict.code for verdict in verdicts), strict=True)) == dict.fromkeys(DEPTHS, 1)


def test_expressions_of_neurons(tmp_path: Path) -> None:
    run = ["run", "net.json", "--dt", "1ms", "--like", "own.neuron", "--ticks", "3"]
    files = [
        {
            "net.json": NETWORK,
            "own.neuron": f"neuron own for nir.lif\ninput x\nstate v\nv = {expression}\nz = v > 1\nemit spike z\n",
        }
        for expression in DEPTHS.values()
    ]
    refused_in_turn(((words, one) for words in (["own.neuron"], run) for one in files), tmp_path)


# ---- names


NAMES = {"long": "x" * 5000, "deep": "x/" * 3000 + "x", "surrogate": "x\udcff", "blank": " ", "zero": "x\x01"}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_of_files(name: str, tmp_path: Path) -> None:
    files: Files = {"net.json": NETWORK, "x.npy": npy(np.ones((3, 2)))}
    run = ["run", "net.json", "--dt", "1ms"]
    commands = (
        [f"{name}.json"],
        ["net.json", "-p", f'ntensor-set-neuron-model{{to="{name}.neuron"}}'],
        ["net.json", "-p", f'convert-nir-to-ntensor{{dt-ns=1000000 like="{name}.neuron"}}'],
        ["check", "net.json", *RULES, "--device", f"{name}.json"],
        ["check", "net.json", *RULES, "--target", name],
        ["check", "net.json", *RULES, "--set", f"{name}=1", "--target", "c"],
        [*run, "--like", f"{name}.neuron", "--input", "x.npy"],
        [*run, "--like", "norse", "--input", f"{name}.npy"],
        [*run, "--like", "norse", "--input", "x.npy", "--record", name],
        ["compare", f"{name}.npy", "x.npy"],
        ["device", "check", f"{name}.json"],
        ["explain", name],
        ["passes", name],
        ["targets", name],
    )
    verdicts = refused_in_turn(((words, files) for words in commands), tmp_path)
    assert {verdict.code for verdict in verdicts} <= {1, 2}


@pytest.mark.parametrize("name", ["x" * 5000, "x/" * 3000 + "x"], ids=["long", "deep"])
def test_names_of_results(name: str, tmp_path: Path) -> None:
    files: Files = {"net.json": NETWORK, "x.npy": npy(np.ones((3, 2)))}
    commands = (
        ["net.json", "-o", name],
        ["run", "net.json", *RULES, "--input", "x.npy", "-o", f"{name}.npz"],
        ["compile", "net.json", "--target", "c", *RULES, "-o", name],
        ["new", "device", "chip", "--at", name],
        ["device", "doc", "asic/mesh", "-o", f"{name}.md"],
    )
    verdicts = refused_in_turn(((words, files) for words in commands), tmp_path)
    assert {verdict.code for verdict in verdicts} == {1}


@pytest.mark.parametrize(
    "name", ["x" * 5000, "\\ud800", "\\u0000", "a\\u001b[31m"], ids=["long", "surrogate", "zero", "escape"]
)
def test_names_inside_networks(name: str, tmp_path: Path) -> None:
    texts = (
        NETWORK.replace('"lif"', f'"{name}"'),
        NETWORK.replace('"net"', f'"{name}"'),
        NETWORK.replace('["lif", "output"]', f'["{name}", "output"]'),
    )
    files: list[Files] = [{"net.json": text, "x.npy": npy(np.ones((3, 2)))} for text in texts]
    writes = [
        ["net.json", "-t", "nir", "-o", "out"],
        ["compile", "net.json", "--target", "asic/mesh", *RULES, "-o", "out"],
    ]
    refused_in_turn(((words, one) for words in writes for one in files), tmp_path, "out")
    refused_in_turn(((["run", "net.json", *RULES, "--input", "x.npy"], one) for one in files), tmp_path)
