"""The contract language: reading, units, three truth values, exact numbers, reasons, and the value that a quantity needs."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from math import ceil

import numpy as np
import pytest
from places import ROOT

from nopt.core.contract.checker import CONTRACT_FUNCTIONS
from nopt.core.contract.contract import Contract, parse_contract, read_contract
from nopt.core.diagnostics import Refused
from nopt.core.expressions.tree import Binary, Call, Expr, Name, Neg, Not, Number, format_expression
from nopt.core.units import UNITS

DEVICES = (ROOT / "docs" / "devices.md").read_text(encoding="utf-8")
_, _, PAGE = DEVICES.partition("\n## The contract language\n")
DECLARED = {
    "core.neurons": "neurons",
    "core.axons": "axons",
    "core.synapse_bytes": "byte",
    "core.banks": "1",
    "synapse.bits": "bit",
    "fan_in": "synapses",
    "weight_bits": "bit",
    "delay": "ticks",
    "tick": "us",
    "spike_energy": "pJ/spike",
    "plastic": "boolean",
    "half": "1",
}
VALUES = {
    "core.neurons": 256,
    "core.axons": 352,
    "core.synapse_bytes": 32768,
    "core.banks": 4,
    "synapse.bits": 4,
    "fan_in": 80,
    "weight_bits": 4,
    "delay": 3,
    "tick": 100,
    "spike_energy": 1.5,
    "plastic": True,
    "half": Fraction(1, 2),
}


def contract(text: str) -> Contract:
    return parse_contract(text, DECLARED, "$.constraints[0]", "edge.json")


def holds(text: str, **changed: object) -> bool | None:
    return contract(text).holds({**VALUES, **changed})


def codes(text: str) -> list[str]:
    with pytest.raises(Refused) as refused:
        contract(text).holds(VALUES)
    return [finding.code.id for finding in refused.value.findings]


# ---- meaning of contracts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # 256 * 4 * 352 = 360448 bits; 32768 bytes are 262144 bits
        ("core.neurons * synapse.bits * core.axons <= core.synapse_bytes", False),
        ("core.neurons * synapse.bits * 256 <= core.synapse_bytes", True),
        ("core.neurons * synapse.bits * 256 == 32 KiB", True),
        # a factor of 8 is not a conversion: 8 * 32768 bytes are 2097152 bits
        ("core.neurons * synapse.bits * core.axons <= 8 * core.synapse_bytes", True),
        ("8 * core.synapse_bytes == 256 KiB and core.synapse_bytes / 8 == 4 KiB", True),
        ("fan_in <= 64 or weight_bits <= 1", False),
        ("ceil(log2(fan_in)) + weight_bits <= 16", True),
        ("ceil(log2(fan_in)) == 7 and ceil(log2(64)) == 6 and ceil(log2(65)) == 7", True),
        ("ceil(log2(1)) == 0 and ceil(log2(0.75)) == 0 and ceil(log2(half)) == -1 and ceil(log2(0.3)) == -1", True),
        ("1 <= fan_in and fan_in <= 80", True),
        ("81 <= fan_in and fan_in <= 90", False),
        ("not (plastic and weight_bits != 8)", False),
        ("not plastic or not plastic or weight_bits == 4", True),
        ("min(core.synapse_bytes, 1 KiB, 1 MiB) == 8192 bit", True),
        ("max(core.synapse_bytes, 1 KiB) == core.synapse_bytes", True),
        ("max(weight_bits, 8) == 1 byte", True),
        ("fan_in * spike_energy == core.axons / 352 * 80 * spike_energy", True),
        ("core.synapse_bytes / weight_bits == 65536", True),
        ("64 / weight_bits == 16", True),
        ("ceil(10 / 4) == 3 and ceil(-10 / 4) == -2 and ceil(core.synapse_bytes / 3) == 10923 byte", True),
        ("fan_in / 7 * 7 == fan_in", True),
        ("-delay + 3 == 0 and 2 - delay == -1", True),
        ("tick > 0 and tick / 1 ms == 0.1", True),
        ("0.1 + 0.2 == 0.3 and 1e2 == 100 and 5. == .5 * 10", True),
        ("ceil(core.synapse_bytes / 5 / 1 byte) == 6554", True),
    ],
)
def test_verdicts(text: str, expected: bool) -> None:
    assert holds(text) is expected
    assert parse_contract(str(contract(text)), DECLARED) == contract(text)
    assert bool(contract(text).explain(VALUES).reasons) is not expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fan_in <= 100 or core.axons <= 3", True),
        ("core.axons <= 3 or fan_in <= 100", True),
        ("fan_in <= 64 or core.axons <= 3", None),
        ("fan_in <= 64 and core.axons <= 3", False),
        ("core.axons <= 3 and fan_in <= 64", False),
        ("core.axons <= 3 and fan_in <= 100", None),
        ("not core.axons <= 3", None),
        ("core.axons * tick < 1 ms", None),
        ("min(core.axons, core.neurons) > core.nothing + core.neurons", None),
    ],
)
def test_unknown_quantities(text: str, expected: bool | None) -> None:
    one = parse_contract(text, {**DECLARED, "core.nothing": "1"})
    values = {**VALUES, "core.axons": None}
    assert one.holds(values) is expected
    del values["core.axons"]
    assert one.holds(values) is expected


def test_kinds_of_values() -> None:
    same = {"fan_in": np.int8(80), "tick": 100.0, "half": 0.5, "spike_energy": np.float32(1.5)}
    assert all(
        holds(text, **same)
        for text in ("fan_in == 80", "tick == 0.1 ms", "half == 1 / 2", "spike_energy / 2 * 2 == spike_energy")
    )
    # a float is the decimal that is written for it
    assert holds("half == 0.1", half=0.1)
    # a product of numbers of few bits is exact
    assert holds("core.neurons * core.axons == 10000", **{"core.neurons": np.int8(100), "core.axons": np.int8(100)})


def test_declarations() -> None:
    assert parse_contract("a <= 4096 byte", {"a": "KiB"}).holds({"a": 4})
    with pytest.raises(ValueError, match="unknown unit furlong"):
        parse_contract("a <= 4", {"a": "furlong"})


def test_names_that_begin_like_words() -> None:
    names = ("input_axons", "order", "notes", "android", "or.not")
    one = parse_contract(
        "input_axons <= order and not notes or android < or.not", dict.fromkeys(names, "1") | {"notes": "boolean"}
    )
    assert one.names == names


def test_names() -> None:
    assert contract("fan_in <= 64 or weight_bits <= fan_in * 1 bit").names == ("fan_in", "weight_bits")


# ---- refusals


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fan_in <=", ["NEU023"]),
        ("", ["NEU023"]),
        ("fan_in = 3", ["NEU023"]),
        ("plastic andplastic", ["NEU023"]),
        ("(fan_in < 3", ["NEU023"]),
        ("1 < fan_in < 3", ["NEU023"]),
        ("delay in 1..3", ["NEU023"]),
        ("fan_in // 2 < 3", ["NEU023"]),
        ("plastic implies fan_in < 3", ["NEU023"]),
        ("2 if plastic else 3", ["NEU023"]),
        ("fan_in < 3 # why", ["NEU023"]),
        ("fan_in < 1e31", ["NEU023"]),
        ("fan_in < 1e-999999999999", ["NEU023"]),
        (f"fan_in < {'9' * 32}", ["NEU023"]),
        (f"{'(' * 5000}fan_in{')' * 5000} < 3", []),
        (f"{'-' * 5000}fan_in < 3", ["NEU023"]),
        (f"fan_in < {' + '.join(['1'] * 5000)}", ["NEU023"]),
        ("fanin < 3 and tick < 3 and 3 quux < 2", ["NEU026", "NEU028", "NEU027"]),
        ("neurons < 3", ["NEU026"]),
        ("3 fan_in < 3", ["NEU027"]),
        ("tick + core.synapse_bytes < 3 ms", ["NEU028"]),
        ("tick < core.synapse_bytes", ["NEU028"]),
        ("core.synapse_bytes <= 1024", ["NEU028"]),
        ("tick <= delay", ["NEU028"]),
        ("weight_bits <= fan_in", ["NEU028"]),
        ("min(tick, 1) < 2 us", ["NEU028"]),
        ("ceil(log2(weight_bits)) < 2", ["NEU028"]),
        ("fan_in", ["NEU029"]),
        ("fan_in and plastic", ["NEU029"]),
        ("not fan_in", ["NEU029"]),
        ("plastic + 1 < 2", ["NEU029"]),
        ("plastic == plastic", ["NEU029", "NEU029"]),
        ("min(fan_in) < 3", ["NEU030"]),
        ("ceil(fan_in, 2) < 3", ["NEU030"]),
        ("ceil(log2(fan_in, 2)) < 3", ["NEU030"]),
        ("tick * tick < 3 us", ["NEU028"]),
        ("fan_in / tick < 3", ["NEU028"]),
        ("min(core.synapse_bytes, weight_bits, 3) < 3 bit", ["NEU028"]),
        ("sqrt(fan_in) < 3", ["NEU030"]),
        ("log2(fan_in) < 3", ["NEU031"]),
        ("ceil(log2(fan_in) + 1) < 3", ["NEU031"]),
        ("ceil(tick) < 3 us", ["NEU031"]),
        ("fan_in / (fan_in - 80) < 3", ["NEU032"]),
        ("ceil(log2(delay - 3)) < 3", ["NEU033"]),
    ],
)
def test_refusals(text: str, expected: list[str]) -> None:
    if expected:
        assert codes(text) == expected
    else:
        assert holds(text) is False


def finding(text: str):
    with pytest.raises(Refused) as refused:
        contract(text).holds(VALUES)
    return refused.value.findings[0]


def test_a_finding_says_where_and_what() -> None:
    found = finding("plastic or core.neuron < 3")
    assert (found.at, found.file) == ("$.constraints[0]", "edge.json")
    assert found.notes == ("line 1\nplastic or core.neuron < 3\n           ^",)
    assert found.help is not None
    assert found.help.startswith("core.neurons")
    assert found.expected is not None
    assert "fan_in" in found.expected


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("fan_in = 3", "=="),
        ("plastic && plastic", "and"),
        ("fan_in ≤ 3", "<="),
        ("fan_in ** 2 < 3", "x * x"),
        ("core.synapse_bytes <= 1024", "1024 byte"),
        ("tick <= delay", "tick / 1 us"),
        ("log2(fan_in) < 3", "ceil(log2(fan_in))"),
        ("3 fan_in < 3", "3 * fan_in"),
        ("1 < fan_in < 3", "a <= b and b <= c"),
        ("delay in 1..3", "low <= x and x <= high"),
        ("plastic implies fan_in < 3", "not a or b"),
        ("< 3", None),
        ("tick * tick < 3 us", "tick / 1 us"),
        ("ceil(log2(tick)) < 3", "ceil(log2(tick / 1 us))"),
        ("32 Kib < core.synapse_bytes", "32 KiB"),
        ("ceil(tick) < 3 us", "ceil(tick / 1 us)"),
    ],
)
def test_help(text: str, help: str | None) -> None:
    assert finding(text).help == help


def test_refusals_of_values_show_them() -> None:
    assert finding("fan_in / (fan_in - 80) < 3").found == "fan_in - 80 = 0"
    assert finding("ceil(log2(delay - 3)) < 3").found == "delay - 3 = 0"
    # a contract that tests first is not refused
    assert holds("core.banks == 0 or fan_in / core.banks <= 3", **{"core.banks": 0})
    assert holds("core.banks > 0 and fan_in / core.banks <= 30", **{"core.banks": 0}) is False


# ---- reasons


def test_explanation() -> None:
    explained = contract("core.neurons * synapse.bits * core.axons <= core.synapse_bytes and tick <= 1 ms").explain(
        VALUES
    )
    assert str(explained) == (
        "! core.neurons * synapse.bits * core.axons <= core.synapse_bytes and tick <= 1 ms: fails\n"
        "!   core.neurons * synapse.bits * core.axons <= core.synapse_bytes: fails, 98304 bits too many\n"
        "      core.neurons * synapse.bits * core.axons = 360448 bits\n"
        "        core.neurons * synapse.bits = 1024 bits\n"
        "          core.neurons = 256\n"
        "          synapse.bits = 4 bits\n"
        "        core.axons = 352\n"
        "      core.synapse_bytes = 32768 bytes = 262144 bits\n"
        "    tick <= 1 ms: holds\n"
        "      tick = 100 us\n"
        "      1 ms = 1000 us"
    )


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("fan_in <= 64", ["fan_in = 80, limit 64: 16 too many"]),
        ("64 >= fan_in", ["fan_in = 80, limit 64: 16 too many"]),
        ("fan_in < 80", ["fan_in = 80, below 80: 1 too many"]),
        ("not fan_in > 64", ["fan_in = 80, limit 64: 16 too many"]),
        ("weight_bits >= 8", ["weight_bits = 4 bits, at least 8 bits: 4 bits too few"]),
        ("weight_bits > 4", ["weight_bits = 4 bits, above 4 bits: 1 bit too few"]),
        ("weight_bits == 5", ["weight_bits = 4 bits, must be 5 bits: 1 bit too few"]),
        ("delay != 3", ["delay = 3, must not be 3: the values are equal"]),
        ("tick <= 50 us", ["tick = 100 us, limit 50 us: 50 us too much"]),
        (
            "fan_in * spike_energy <= spike_energy",
            ["fan_in * spike_energy = 120 pJ/spike, limit spike_energy = 1.5 pJ/spike: 118.5 pJ/spike too much"],
        ),
        ("not plastic", ["plastic is true, must not be true"]),
        ("delay > 5 or fan_in <= 64 and delay > 1", ["delay = 3, above 5: 3 too few", "fan_in = 80, limit 64: 16 too many"]),
        ("fan_in <= 100", []),
        (
            "fan_in <= core.neurons / 7",
            ["fan_in = 80, limit core.neurons / 7 = 256/7: 304/7 too many"],
        ),
        ("half < 0.5", ["half = 0.5, below 0.5: the values are equal"]),
        ("fan_in <= 64 or weight_bits <= 1", ["fan_in = 80, limit 64: 16 too many", "weight_bits = 4 bits, limit 1 bit: 3 bits too many"]),
    ],
)  # fmt: skip
def test_reasons(text: str, reasons: list[str]) -> None:
    assert list(contract(text).explain(VALUES).reasons) == reasons


def test_explanation_of_what_has_no_value() -> None:
    lines = contract("core.banks == 4 or fan_in / (core.banks - 4) <= 3").explain(VALUES).lines
    assert lines[0].endswith(": holds")
    assert any("division by zero" in line for line in lines)
    lines = contract("core.axons <= 3").explain({}).lines
    assert lines == ("  core.axons <= 3: not checked", "    core.axons: not known")


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("fan_in <= 64", "fan_in", "fan_in at most 64"),
        ("fan_in <= 64 or weight_bits <= 1", "weight_bits", "weight_bits at most 1 bit"),
        ("fan_in <= core.axons / 8", "core.axons", "core.axons at least 640"),
        (
            "core.neurons * synapse.bits * core.axons <= core.synapse_bytes",
            "core.synapse_bytes",
            "core.synapse_bytes at least 45056 bytes",
        ),
        ("core.neurons * synapse.bits * core.axons <= core.synapse_bytes", "core.neurons", "core.neurons at most 186"),
        ("fan_in * fan_in <= 1000", "fan_in", "fan_in at most 31"),
        ("1 <= fan_in and fan_in <= 64", "fan_in", "fan_in at most 64"),
        ("90 <= fan_in and fan_in <= 100", "fan_in", "fan_in at least 90"),
        ("fan_in <= 64 and weight_bits <= 1", "fan_in", "None"),
        ("1000 / core.banks <= 100", "core.banks", "core.banks at least 10"),
        ("ceil(log2(fan_in)) <= 6", "fan_in", "fan_in at most 64"),
        ("ceil(fan_in * 1 bit / weight_bits) <= 16", "weight_bits", "weight_bits at least 5 bits"),
        ("not fan_in > 64", "fan_in", "fan_in at most 64"),
        ("not plastic or fan_in <= 64", "fan_in", "fan_in at most 64"),
        ("fan_in == 3", "fan_in", "None"),
        ("fan_in * (8 - fan_in) <= 5", "fan_in", "None"),
        ("-fan_in * 3 >= -90", "fan_in", "fan_in at most 30"),
        ("max(fan_in, delay) - 2 < min(90, core.axons)", "fan_in", "fan_in at most 91"),
        ("fan_in <= 64", "delay", "None"),
        ("fan_in >= 0", "fan_in", "None"),
        ("plastic", "plastic", "None"),
        ("tick * fan_in <= 1 ms", "tick", "tick at most 12 us"),
        ("fan_in <= 64 or core.nothing <= 3", "fan_in", "fan_in at most 64"),
    ],
)
def test_needed(text: str, name: str, expected: str) -> None:
    one = parse_contract(text, {**DECLARED, "core.nothing": "1"})
    assert str(one.needed(name, VALUES)) == expected


# ---- properties of random contracts

LETTERS = "abcd"


def number(source: random.Random, depth: int) -> Expr:
    if depth == 0 or source.random() < 0.2:
        return Name(source.choice(LETTERS)) if source.random() < 0.7 else Number(str(source.randint(0, 9)))
    parts = [number(source, depth - 1) for _ in range(2)]
    match source.randrange(6):
        case 0:
            return Neg(parts[0])
        case 1:
            return Call(source.choice(("min", "max")), tuple(parts))
        case 2:
            return Call("ceil", (parts[0],))
        case _:
            return Binary(source.choice(("+", "-", "*", "/", "/")), *parts)


def condition(source: random.Random, depth: int) -> Expr:
    if depth == 0 or source.random() < 0.3:
        left, right = (number(source, max(depth - 1, 0)) for _ in range(2))
        return Binary(source.choice(("<", "<=", ">", ">=", "==", "!=")), left, right)
    parts = [condition(source, depth - 1) for _ in range(2)]
    return Not(parts[0]) if source.randrange(4) == 0 else Binary(source.choice(("and", "or")), *parts)


def value_of(expr: Expr, values: dict[str, int]):
    """Returns the value of an expression by a plain evaluator."""

    def of(x: Expr):
        return value_of(x, values)

    match expr:
        case Number(text):
            return Fraction(text)
        case Name(name):
            return Fraction(values[name])
        case Neg(x):
            return -of(x)
        case Not(x):
            return not of(x)
        case Call(function, arguments):
            return Fraction({"min": min, "max": max, "ceil": ceil}[function](*map(of, arguments)))
        case Binary("and", left, right):
            return of(left) and of(right)
        case Binary("or", left, right):
            return of(left) or of(right)
        case Binary(operator, left, right):
            names = {"+": "add", "-": "sub", "*": "mul", "/": "truediv"}
            names |= {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
            return getattr(of(left), f"__{names[operator]}__")(of(right))
    raise TypeError(expr)


def random_contracts(count: int, seed: int, depth: int = 4):
    source = random.Random(seed)
    for _ in range(count):
        expr = condition(source, source.randint(0, depth))
        values = {letter: source.randint(-2, 12) for letter in LETTERS}
        yield source, expr, values


def test_texts_come_back() -> None:
    for _, expr, _ in random_contracts(400, 1):
        assert read_contract(format_expression(expr)) == expr


def refuses(one: Contract, values: dict[str, int]) -> bool:
    try:
        one.holds(values)
    except Refused as refusal:
        return refusal.findings[0].code.id == "NEU032"
    return False


def test_values_are_those_of_plain_arithmetic() -> None:
    refused = 0
    for _, expr, values in random_contracts(1000, 2):
        one = parse_contract(format_expression(expr), dict.fromkeys(LETTERS, "1"))
        try:
            expected = value_of(expr, values)
        except ZeroDivisionError:
            expected = None
        if expected is None:
            # the plain evaluator also computes operands that the contract skips: `x == y or x / 0 < 1`
            refused += refuses(one, values)
        else:
            assert one.holds(values) is expected
        if expected is not None:
            # failures have reasons
            explanation = one.explain(values)
            assert bool(explanation.reasons) is not expected
            assert explanation.lines[0].startswith(" " if expected else "!")
    assert 10 < refused < 500


def test_what_is_known_does_not_depend_on_what_is_not() -> None:
    decided = 0
    for source, expr, values in random_contracts(600, 3):
        one = parse_contract(format_expression(expr), dict.fromkeys(LETTERS, "1"))
        unknown = source.choice(LETTERS)
        try:
            verdict = one.holds({**values, unknown: None})
            if verdict is None:
                assert unknown in one.names
                continue
            for value in (-1, 0, 1, 5):
                assert one.holds({**values, unknown: value}) is verdict
        except Refused:
            continue
        decided += unknown in one.names
    assert decided > 20


def test_what_is_needed_is_the_limit() -> None:
    found = 0
    for source, expr, values in random_contracts(1500, 4, 2):
        one = parse_contract(format_expression(expr), dict.fromkeys(LETTERS, "1"))
        name = source.choice(LETTERS)
        needed = one.needed(name, values)
        if needed is None:
            continue
        found += 1
        assert one.holds({**values, name: needed.value}) is True
        beyond = needed.value + (1 if needed.is_most else -1)
        if beyond >= 0:
            try:
                assert one.holds({**values, name: beyond}) is not True, format_expression(expr)
            except Refused:
                assert beyond == 0
    assert found > 50


def test_damaged_contracts_are_refused_without_a_traceback() -> None:
    source = random.Random(5)
    texts = [row[0] for row in table("Examples")]
    declared, values = page_values()
    pieces = [*"()[]+-*/%<>=.,8 ", "..", "==", "//", " and ", " not ", " in ", "log2", "1e9", " ms", "\n", "é", "\0"]
    outcomes = set[str]()
    for _ in range(600):
        text = source.choice(texts)
        for _ in range(source.randint(1, 3)):
            at = source.randint(0, len(text))
            text = text[:at] + source.choice([*pieces, ""]) + text[at + source.randint(0, 3) :]
        try:
            one = parse_contract(text, declared, "$.constraints[0]")
            assert parse_contract(str(one), declared) == one
            one.explain(values)
            for name in one.names:
                one.needed(name, values)
            outcomes.add(str(one.holds(values)))
        except Refused as refusal:
            for found in refusal.findings:
                outcomes.add(found.code.id)
                assert found.at == "$.constraints[0]"
                assert found.notes[0].endswith("^")
    assert {"True", "False", "None", "NEU023", "NEU026", "NEU027", "NEU029"} <= outcomes


# ---- documentation


def table(heading: str) -> list[list[str]]:
    """Returns the rows of the table below a heading of the page, without backticks."""
    section = re.split(r"^#+ ", PAGE, flags=re.MULTILINE)
    text = next(one for one in section if one.startswith(heading))
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip().strip("`") for cell in row] for row in rows[2:]]


def page_values() -> tuple[dict[str, str], dict[str, object]]:
    rows = table("The quantities of this page")
    declared = {name: unit for name, unit, _ in rows}
    words = {"null": None, "true": True}
    values: dict[str, object] = {name: words[value] for name, _, value in rows if value in words}
    values |= {name: Fraction(value) for name, _, value in rows if value[0].isdigit()}
    return declared, values


@pytest.mark.parametrize("row", table("Examples"), ids=lambda row: row[0])
def test_examples_of_the_page(row: list[str]) -> None:
    text, expected, _ = row
    declared, values = page_values()
    assert {True: "holds", False: "fails", None: "not checked"}[
        parse_contract(text, declared).holds(values)
    ] == expected
    assert str(parse_contract(text, declared)) == text


@pytest.mark.parametrize("row", table("Refused"), ids=lambda row: row[0])
def test_refusals_of_the_page(row: list[str]) -> None:
    text, code, _, instead = row
    declared, values = page_values()
    with pytest.raises(Refused) as refused:
        parse_contract(text, declared).holds(values)
    assert [one.code.id for one in refused.value.findings] == [code]
    for one in re.findall(r"`?([^`]+)`?", instead):
        parse_contract(one, declared).holds(values)


def test_blocks_of_the_page() -> None:
    declared, values = page_values()
    text = PAGE
    blocks = re.findall(r"<!-- explained: ([^\n]*) -->\n```text\n(.*?)\n```", text, re.DOTALL)
    assert blocks
    for expression, shown in blocks:
        assert str(parse_contract(expression, declared).explain(values)) == shown


def test_the_page_lists_functions_and_units() -> None:
    text = PAGE
    assert [name for name in CONTRACT_FUNCTIONS if f"`{name}(" not in text and f"({name}(" not in text] == []
    measured = [name for name, one in UNITS.items() if one.dimension != "count"]
    assert [name for name in measured if f"`{name}`" not in text] == []


def test_python_of_the_page() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(block, {})


def test_contracts_in_the_text_of_the_page() -> None:
    """Every comparison in backticks between the tables is a valid contract."""
    declared, values = page_values()
    declared |= {"bits": "bit", "bytes": "byte"}
    text = re.sub(r"```.*?```|^\|[^\n]*$", "", PAGE, flags=re.DOTALL | re.MULTILINE)
    found = [one for one in re.findall(r"`([^`\n]+)`", text) if re.search("[<=]", one) and ": " not in one]
    assert len(found) > 6
    said = {"neurons <= core.slots or fan_in <= 100": True, "neurons <= core.slots and fan_in <= 64": False}
    for one in found:
        contract = parse_contract(one, declared)
        if one in said:
            assert contract.holds(values) is said[one]
    assert set(said) <= set(found)
