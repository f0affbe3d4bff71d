"""Device files: installed ones, damaged ones, agreement of schema and reader, and overriding."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest
from extent import seeds, times
from places import GOLDENS

import nopt.api as nopt
from nopt.api.devices.device_files import check_device, device_doc, matrix
from nopt.api.templates.new import new_device
from nopt.core import registry, units
from nopt.core.device import device as devices
from nopt.core.device import dtypes, numbers
from nopt.core.device.cost.records import SPECIFIC
from nopt.core.device.device_attr import as_recorded, record_of
from nopt.core.device.fields import fields_of
from nopt.core.device.named_device import device_named, resolve_device
from nopt.core.device.records import SEVERAL_SCALES, Device
from nopt.core.device.schema import schema
from nopt.core.device.topology import OPTIONAL, topology_class
from nopt.core.diagnostics import Refused, Severity
from nopt.tools.main import main

INSTALLED = [path for named in registry.devices().values() for path in named.values()]
SMALL = sorted((GOLDENS / "targets" / "asic" / "inputs").glob("*.json"))
VALIDATOR = jsonschema.Draft202012Validator(schema())
MUTATIONS = times(30)
WITH_NETWORKS = 40
"""The networks of features run on every 40th damaged file."""
JUNK: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1.5,
    2**70,
    10**400,
    1e300,
    "",
    "x",
    "\ud800",
    "a b",
    [],
    {},
    [[]],
    {"": None},
    {"value": 3},
    {"value": {"value": 1}},
    {"value": None},
)


# Installed devices.


@pytest.mark.parametrize("path", INSTALLED, ids=lambda path: f"{path.parent.parent.name}/{path.stem}")
def test_installed_device_is_right(path: Path) -> None:
    found = check_device(path, features=False)  # `test_device_features.py` asks for them
    assert not found.errors
    assert found.device is not None
    assert found.device.key == f"{path.parent.parent.name}/{path.stem}"
    VALIDATOR.validate(json.loads(path.read_text()))


@pytest.mark.parametrize("path", [*INSTALLED, *SMALL], ids=lambda path: path.stem)
def test_a_record_describes_the_same_device(path: Path) -> None:
    """The record that IR carries reads back as the same device, overrides included."""
    device = devices.load_device(path)
    known = [at for at, held, range in numbers.numbers(device) if held is not None and range is not None]
    settings = [f"{at}={device.number(at)}" for at in known[:1] if device.number(at) is not None]
    for one in (device, devices.override_fields(device, settings)):
        record = record_of(one)
        assert record.text is not None
        read = devices.from_record(record.text)
        assert record_of(read).digest == record.digest
        assert as_recorded(one) == read
        assert repr(as_recorded(one)) == repr(read)
        assert read.overridden == one.overridden


@pytest.mark.parametrize("path", [*INSTALLED, *SMALL], ids=lambda path: path.stem)
def test_record_is_a_device_file_again(path: Path, tmp_path: Path) -> None:
    device = devices.load_device(path)
    copy = tmp_path / "copy.json"
    copy.write_text(json.dumps(device.as_json()))
    again = devices.load_device(copy)
    assert again.digest == device.digest
    assert again.as_json() == device.as_json()
    VALIDATOR.validate(device.as_json())


@pytest.mark.parametrize("path", [*INSTALLED, *SMALL], ids=lambda path: path.stem)
def test_page_lists_every_number(path: Path) -> None:
    """A present number is in a table with its source; a null one is also unchecked, and so is an absent section."""
    device = devices.load_device(path)
    page, _, unchecked = device_doc(path).partition("## Unchecked")
    for name, fact, _ in numbers.numbers(device):
        rows = [line for line in page.splitlines() if line.startswith(f"| `{name}` |")]
        if fact is not None:
            assert len(rows) == 1
            assert ("unknown" if fact.value is None else str(fact.value)).lower() in rows[0].lower()
            assert fact.source is None or f"| {fact.source} |" in rows[0]
            assert (fact.value is None) == (f"| `{name}` |" in unchecked)
    for name in ("tick", "topology", "core", "synapse", "neuron", "spike", "plasticity", "cost"):
        assert (getattr(device, name) is None) == (f"| `{name}` |" in unchecked)


def texts(value: Any) -> Iterator[str]:
    """Yields the texts of a record, except the lines of neurons."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from () if key == "text" else texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, str):
        yield value


@pytest.mark.parametrize("path", [*INSTALLED, *SMALL], ids=lambda path: path.stem)
def test_page_holds_every_text(path: Path) -> None:
    """A field that is added to the records and not to the page is missing here. The fields of a word are columns of a table."""
    page = device_doc(path).casefold()
    for text in texts(devices.load_device(path).as_json()):
        name, _, bits = text.rpartition(":")
        cells = f"| `{name}` | {bits} |" if name.isalpha() and bits.isdecimal() else " ".join(text.split())
        assert cells.casefold() in page, text


@pytest.mark.parametrize(
    ("dtype", "bits"),
    [
        ("f16", 16),
        ("bf16", 16),
        ("f32", 32),
        ("f64", 64),
        ("i8", 8),
        ("u1", 1),
        ("u65", None),
        ("bf32", None),
        ("f8", None),
    ],
)
def test_types_of_weights(dtype: str, bits: int | None) -> None:
    assert dtypes.dtype_bits(dtype) == bits


def test_matrix_has_a_row_for_each_device() -> None:
    assert len(matrix()) == len(INSTALLED)


def test_skeleton_is_right_and_has_every_section(tmp_path: Path) -> None:
    file, beside = new_device("my_chip", tmp_path)
    data = json.loads(file.read_text())
    assert json.loads(beside.read_text()) == schema()
    VALIDATOR.validate(data)
    assert not check_device(file).errors
    absent = {
        "extends",
        "overridden",
        "device",
        "limits",
        "preferences",
        "memory",
        "core_kinds",
        "alternatives",
        "imperfections",
        "recipes",
    }
    assert set(schema()["else"]["properties"]) - set(data) == absent


# Damaged files: each refusal has a JSON path, and nothing breaks.


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for k, item in enumerate(value):
            yield from places(item, (*path, k))


def mutated(data: Any, random: Random) -> Any:
    """Returns a copy in which one to three locations are changed, removed, or added."""
    made = deepcopy(data)
    for _ in range(random.choice((1, 1, 2, 3))):
        *steps, last = random.choice([path for path in places(made) if path])
        holder = made
        for step in steps:
            holder = holder[step]
        match random.choice(("replace", "replace", "remove", "rename", "swap", "scale")):
            case "remove":
                del holder[last]
            case "rename" if isinstance(holder, dict):
                holder[f"{last}s"] = holder.pop(last)
            case "swap":
                others = [path for path in places(data) if path]
                value = deepcopy(data)
                for step in random.choice(others):
                    value = value[step]
                holder[last] = value
            case "scale" if isinstance(holder[last], int | float):
                holder[last] = holder[last] * random.choice((-1, 0, 3, 0.3, 1e6))
            case _:
                holder[last] = deepcopy(random.choice(JUNK))
    return made


def damaged(seed: int) -> Any:
    random = Random(seed)
    path = random.choice([path for path in INSTALLED if path.parent.parent.name == "asic"])
    data = json.loads(path.read_text())
    for update in data.get("neuron", {}).get("updates", {}).values():
        update["text"] = (path.parent / update.pop("file")).read_text().splitlines()
    return mutated(data, random)


@pytest.mark.parametrize("seed", range(MUTATIONS))
def test_damaged_file_is_refused_with_a_path_or_loads(
    seed: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file, data = tmp_path / "damaged.json", damaged(seed)
    file.write_text(json.dumps(data))
    runs_networks = seed % WITH_NETWORKS == 0
    found = check_device(file, features=runs_networks)
    assert all(finding.at.startswith("$") for finding in found.findings)
    code = main(["device", "check", str(file), *([] if runs_networks else ["--no-features"])])
    captured = capfd.readouterr()
    assert code == (1 if found.errors else 0), captured
    assert "CLI004" not in captured.out + captured.err
    if not found.errors:
        assert main(["device", "doc", str(file)]) == 0
        assert found.device is not None
        assert found.device.digest
    if list(VALIDATOR.iter_errors(data)):
        assert found.errors, "the schema refuses what the reader takes"


def test_damage_is_refused_often_enough_to_mean_something() -> None:
    invalid = sum(any(VALIDATOR.iter_errors(damaged(seed))) for seed in range(MUTATIONS))
    assert MUTATIONS // 2 < invalid < MUTATIONS


@pytest.mark.parametrize("seed", seeds(15))
def test_damaged_bytes_are_refused_with_a_path(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    text = bytearray(random.choice(INSTALLED).read_bytes())
    for _ in range(random.randrange(1, 4)):
        text[random.randrange(len(text))] = random.randrange(256)
    if random.random() < 0.3:
        del text[random.randrange(len(text)) :]
    file = tmp_path / "damaged.json"
    file.write_bytes(text)
    assert all(finding.at.startswith("$") for finding in check_device(file, features=False).findings)


# Overriding.


def settable() -> list[tuple[str, str]]:
    return [
        (path.stem, name)
        for path in INSTALLED
        if path.parent.parent.name == "asic"
        for name, _, range in numbers.numbers(devices.load_device(path))
        if range is not None
    ]


NOT_BY_ITSELF = ("fidelity.window", "fidelity.tolerance", "spike.most")
"""A window or a tolerance is not allowed for an exact tier, nor a count for binary spikes. A topology has only fields that it uses, and one scale has
no classes. A coefficient of one kind of event is not allowed together with the general one."""


@pytest.mark.parametrize(("name", "field"), settable())
def test_every_number_can_be_set(name: str, field: str) -> None:
    device = devices.find_device("asic", name)
    range = next(range for path, _, range in numbers.numbers(device) if path == field)
    assert range is not None
    held = device.number(field)
    value = held if held is not None else max(1, range.low or 0)
    is_unused = field in OPTIONAL and field not in topology_class(device).uses
    is_alone = field == "quantization.classes" and device.quantization.per not in SEVERAL_SCALES
    section, _, coefficient = field.rpartition(".")
    general = [one for one, specific in SPECIFIC.items() if section.startswith("cost.") and coefficient in specific]
    is_beside = any(getattr(device.entry(section), one, None) is not None for one in general)
    if (field in NOT_BY_ITSELF or is_unused or is_alone or is_beside) and held is None:
        with pytest.raises(Refused, match="DEV008"):
            devices.override_fields(device, [f"{field}={value}"])
        return
    changed = devices.override_fields(device, [f"{field}={value}"])
    assert changed.number(field) == value
    assert changed.cite(field).endswith("set by the user")
    assert changed.digest != device.digest


def test_set_takes_units_and_keeps_the_rest() -> None:
    device = devices.find_device("asic", "mesh")
    changed = devices.override_fields(device, ["tick.default=2.5us", "tick.min=1us", "core.neurons=4096"])
    assert changed.number("tick.default") == 2500
    assert changed.overridden == {"tick.default": 2500, "tick.min": 1000, "core.neurons": 4096}
    assert changed.integer("core.fan_out") == device.integer("core.fan_out")


# Values, units, contracts.


def test_values_are_exact_and_have_units() -> None:
    device = devices.find_device("asic", "edge")
    known, declared = numbers.values(device), numbers.declarations(device)
    assert known["cost.energy.hop"] == Fraction(6, 5)
    assert known["core.memory_bytes"] == 10240
    assert declared["core.memory_bytes"] == "byte"
    assert declared["features.recurrence"] == "boolean"
    assert {*known} <= {*declared}
    assert all(name in ("boolean", "") or units.unit(name) for name in declared.values())


@pytest.mark.parametrize("read", [resolve_device, lambda name: devices.load_device(Path(name))], ids=["name", "path"])
def test_a_device_is_read_again_when_one_of_its_files_has_changed(
    read: Callable[[str], Device], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files have the size and the time of modification that they had."""
    edge = registry.devices()["asic"]["edge"]
    for path in (edge, edge.with_name("edge.neuron")):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    extension = {"schema": "nopt.device/1", "extends": "edge", "target": "asic", "name": "own", "summary": "another"}
    (tmp_path / "own.json").write_text(json.dumps(extension))

    def change(name: str, old: str, new: str) -> None:
        path, text = tmp_path / name, (tmp_path / name).read_text()
        assert text.count(old) == 1
        assert len(old) == len(new)
        times = path.stat().st_atime_ns, path.stat().st_mtime_ns
        path.write_text(text.replace(old, new))
        os.utime(path, ns=times)

    monkeypatch.chdir(tmp_path)
    before = read("own.json")
    assert read("own.json") is before
    change("own.json", "another", "changed")
    assert read("own.json").summary == "changed"
    change("edge.json", '"fan_in": { "value": 256', '"fan_in": { "value": 255')
    assert read("own.json").integer("core.fan_in") == 255
    change("edge.neuron", "z = v > vth", "z = v < vth")
    neuron = read("own.json").neuron
    assert neuron is not None
    assert "z = v < vth" in neuron.updates["edge_lif"].text
    change("own.json", '"changed"', '"changed~')
    with pytest.raises(Refused, match="DEV001"):
        read("own.json")
    change("own.json", '"changed~', '"changed"')
    assert read("own.json").summary == "changed"
    monkeypatch.chdir(tmp_path.parent)
    with pytest.raises(Refused, match="DEV001"):
        read("own.json")


def test_the_update_of_a_record_is_checked_unless_nopt_has_it() -> None:
    record = devices.find_device("c", "int8").as_json()
    devices.from_record(json.dumps(record))
    update = record["neuron"]["updates"]["int16_lif"]
    assert update["text"] in [path.read_text().splitlines() for path in registry.neurons().values()]
    update["text"] = [line.replace("= v", "= unknown") for line in update["text"]]
    with pytest.raises(Refused, match="NEU007"):
        devices.from_record(json.dumps(record))


def test_the_record_of_an_earlier_text_does_not_replace_that_of_a_text() -> None:
    text = nopt.write(nopt.parse('builtin.module attributes {machine.device = "asic/edge"} {}'))
    assert isinstance(text, str)
    earlier = nopt.parse(text)
    without, section, _ = text.partition("{-#")
    assert section
    with pytest.raises(Refused, match="DEV014"):
        device_named(nopt.parse(without))
    assert nopt.write(earlier) == text


def test_units_convert_exactly() -> None:
    assert units.convert_value(3, "KiB", "byte") == 3072
    assert units.convert_value(1, "byte", "bit") == 8
    assert units.convert_value(0.1, "ms", "ns") == 100000
    assert units.convert_value(1, "bit", "byte") == Fraction(1, 8)
    assert units.convert_value(1.5, "nJ/spike", "pJ/spike") == 1500
    assert units.unit("furlong") is None
    with pytest.raises(ValueError, match="no conversion"):
        units.convert_value(1, "ms", "byte")


def test_what_is_not_published_is_no_limit() -> None:
    device = devices.find_device("asic", "mesh")
    assert device.integer("core.fan_in") is None
    assert device.integer("topology.chip_mesh.width") is None
    found = check_device("asic/mesh", features=False)
    assert {finding.severity for finding in found.findings} == {Severity.REMARK}


def test_every_field_says_what_it_means() -> None:
    def described(part: Any) -> Iterator[Any]:
        if isinstance(part, dict):
            yield from part.get("properties", {}).items() if "description" in part else ()
            for item in part.values():
                yield from described(item)

    fields = [(name, item) for name, item in described(schema()) if isinstance(item, dict) and name != "$schema"]
    assert len(fields) > 100
    assert not [name for name, item in fields if not item.get("description") and name not in ("value", "unit")]


def test_device_record_has_a_property_of_the_schema_for_each_field() -> None:
    assert {field.name for field in fields_of(Device)} | {"$schema", "extends"} == set(schema()["else"]["properties"])
