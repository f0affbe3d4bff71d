"""The neuron language as text: reading, layout, and the message for every mistake."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from places import ROOT

from nopt.core.diagnostics import Refused
from nopt.core.expressions.tree import Binary, Cond, Name, Neg, Number
from nopt.core.neuron.neuron import check_bounds, check_neuron, choose_options, combinations, format, parse_neurons
from nopt.core.neuron.tree import Assign, Emit

GOLDENS = ROOT / "lit-tests"
TEXTS = [
    GOLDENS / "dialects" / "equations" / "inputs" / "chips.neuron",
    GOLDENS / "dialects" / "equations" / "inputs" / "lif.neuron",
    GOLDENS / "core" / "inputs" / "layout.neuron",
    *sorted((ROOT / "passes" / "discretize" / "presets").glob("*.neuron")),
]
XYLO_EACH = """
neuron xylo for cuba_lif
param dash: u4, threshold: s16 in 1..32767
state i: s16 saturate = 0, v: s16 saturate = 0
input a: s16 saturate each into i
i = i - (i >> dash if (i >> dash) != 0 else sign(i))
v = v + i
n = clip(floor(v / threshold), 0, 31)
v = v - n * threshold
emit count n
"""


def neuron_of(lines: str, head: str = "neuron n"):
    return parse_neurons(f"{head}\n{lines}\n").neurons[0]


# ---- reading


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_layout_keeps_what_is_said(path: Path) -> None:
    file = parse_neurons(path.read_text(encoding="utf-8"), path.name)
    text = format(file)
    assert parse_neurons(text) == file
    assert format(parse_neurons(text)) == text
    for neuron in file.neurons:
        check_neuron(neuron)


def test_a_text_has_each_of_its_names_in_its_messages() -> None:
    wrong = "neuron n\nstate v\ninput x\nv = v + y\nemit spike v > 1\n"
    for name in ("first.neuron", "second.neuron", "first.neuron"):
        file = parse_neurons(wrong, name)
        assert file.source == file.neurons[0].source == name
        with pytest.raises(Refused, match=re.escape(f"{name}:4:")):
            check_neuron(file.neurons[0])
        with pytest.raises(Refused, match=re.escape(f"{name}:4:")):
            parse_neurons(wrong.replace("v + y", "v +"), name)


def test_parts_of_a_file() -> None:
    file = parse_neurons(
        "# Two lines\n#\n# Source: a paper.\n\npreset p\nloop_delay = spikes  # why\nticks = 2\n\n"
        "# above\nneuron n for nir.lif, if  # after\noption reset = value | zero\n# the time constant\nparam tau [s], th: u8 in 1..200\n"
        "param k in 0..1 = dt / tau  # derived\ncanonical gain = k\nstate v = 1, c: s4 wrap\ninput x, y: u5\n"
        "record u = v\nv = k * v + x + real(y)\nc = c + 1\nemit spike v > 0.5 and c < th\n# the end\n",
        "f.neuron",
    )
    assert (file.source, file.comment, file.ending) == ("f.neuron", "Two lines\n\nSource: a paper.", ("# the end",))
    assert file.preset is not None
    assert (file.preset.name, file.preset.switches) == ("p", {"loop_delay": "spikes", "ticks": 2.0})
    (n,) = file.neurons
    assert (n.name, n.families, n.options) == ("n", ("nir.lif", "if"), {"reset": ("value", "zero")})
    assert [family for family in ("lif", "nir.if", "li") if n.serves(family)] == ["lif", "nir.if"]
    assert [p.name for p in n.raw_params] == ["tau", "th"]
    assert [(p.name, p.unit, str(p.bounds)) for p in n.params] == [
        ("tau", "s", "None"),
        ("th", None, "in 1..200"),
        ("k", None, "in 0..1"),
    ]
    assert [p.name for p in n.derived] == ["k"]
    assert [c.name for c in n.canonical] == ["gain"]
    assert [(s.name, str(s.declared)) for s in n.states] == [("v", "None"), ("c", "s4 wrap")]
    assert [i.name for i in n.inputs] == ["x", "y"]
    assert [r.name for r in n.records] == ["u"]
    assert n.emit.kind == "spike"
    assert n.items[-1].place.line == 21
    check_neuron(n)


def test_comments_stay_where_they_stand() -> None:
    text = (
        "# head\n\n# above n\nneuron n  # after n\n# above x\ninput x  # after x\n# above emit\nemit value x\n\n# end\n"
    )
    assert format(parse_neurons(text)) == text
    text = "preset p\n# why spikes\nloop_delay = spikes  # here\n"
    assert format(parse_neurons(text)) == text


def test_operators_hold_as_usual() -> None:
    (item,) = neuron_of("emit value a + b * -c if not p and q or x < y + 1 else d if e else f").of(Emit)
    cond = item.value
    assert isinstance(cond, Cond)
    assert cond.then == Binary("+", Name("a"), Binary("*", Name("b"), Neg(Name("c"))))
    assert isinstance(cond.otherwise, Cond)
    assert isinstance(cond.test, Binary)
    assert cond.test.operator == "or"
    (item,) = neuron_of("v = a - b - c << 1 << 2").of(Assign)
    assert item.value == Binary(
        "<<", Binary("<<", Binary("-", Binary("-", Name("a"), Name("b")), Name("c")), Number("1")), Number("2")
    )


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("((a) + (b)) - (c)", "a + b - c"),
        ("a - (b - c)", "a - (b - c)"),
        ("(a * b) / c", "a * b / c"),
        ("-(-a)", "--a"),
        ("-(a + b) * c", "-(a + b) * c"),
        ("(a if p else b) if q else c", "(a if p else b) if q else c"),
        ("a if p else (b if q else c)", "a if p else b if q else c"),
        ("not (p and q) or r", "not (p and q) or r"),
        ("(a << 1) + b", "(a << 1) + b"),
        ("a + b >> 1", "a + b >> 1"),
        ("(a < b) and (c is d)", "a < b and c is d"),
        ("min((a), (b if p else c))", "min(a, b if p else c)"),
        ("1e-3 + .5 + 2. + 1E5", "1e-3 + .5 + 2. + 1E5"),
    ],
)
def test_brackets_are_written_where_they_are_needed(given: str, written: str) -> None:
    file = parse_neurons(f"neuron n\nv = {given}\n")
    assert format(file) == f"neuron n\nv = {written}\n"
    assert parse_neurons(format(file)) == file


def test_names_may_look_like_words_that_are_not_reserved() -> None:
    """Units, kinds, families and modes are keywords only at their positions."""
    text = (
        "neuron spike for if, nir.if\nparam count [mV/s^2], wrap, s1, u2, each\nstate value: f32, parameter, is_on: bool\n"
        "input iff\nvalue = value + f32(count + wrap + s1 + u2 + each + iff)\nparameter = parameter + 1\nis_on = not is_on\n"
        "emit value real(value) + parameter + (1 if is_on else 0)\n"
    )
    file = parse_neurons(text)
    assert format(file) == text
    check_neuron(file.neurons[0])


def test_lines_may_break_inside_brackets() -> None:
    file = parse_neurons("neuron n\r\ninput x\r\nv = (x +  # one\r\n\r\n  2)  # two\r\nemit value v")
    assert format(file) == "neuron n\ninput x\nv = x + 2  # one  # two\nemit value v\n"


# ---- mistakes


def read(text: str) -> None:
    for neuron in parse_neurons(text, "f").neurons:
        check_neuron(neuron)


def refusal(text: str) -> str:
    with pytest.raises(Refused) as refused:
        read(text)
    return str(refused.value)


N = "neuron n\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "f:1:1: error[NEU001]: unexpected end of the text"),
        ("neuron 5\n", "f:1:8: error[NEU001]: unexpected '5'"),
        (N + "v = a +* b\n", "f:2:8: error[NEU001]: unexpected '*'"),
        (N + "v = a @ b\n", "f:2:7: error[NEU001]: unexpected '@'"),
        (N + "v = a < b < c\n", "f:2:11: error[NEU001]: unexpected '<'"),
        (N + "param x y\n", "f:2:9: error[NEU001]: unexpected 'y'"),
        (N + "state v: u8 wap = 0\n", "f:2:13: error[NEU001]: unexpected 'wap'"),
        (N, "f:1:9: error[NEU001]: unexpected end of the text"),
        (N + "v = x" + " + x" * 500 + "\n", "f:2:5: error[NEU001]: the expression is nested too deeply"),
        (N + "v = (a + max(b, c)\nemit value v\n", "f:2:5: error[NEU002]: '(' is never closed"),
        (N + "v = max(a, b\n\n# c\nw: real = 2)\n", "f:2:8: error[NEU002]: '(' is never closed"),
        (N + "v = (a\n  + b", "f:2:5: error[NEU002]: '(' is never closed"),
        (N + "v = a + b)\n", "f:2:10: error[NEU002]: ')' has no opening bracket"),
        (N + "param tau [s)\n", "f:2:13: error[NEU002]: ')' has no opening bracket"),
        (N + "param tau [s\n", "f:2:11: error[NEU002]: '[' is never closed"),
        (N + "state = 1\n", "f:2:1: error[NEU003]: 'state' is a reserved word"),
        (N + "input: u8 = 1\n", "f:2:1: error[NEU003]: 'input' is a reserved word"),
        (N + "param if\n", "f:2:7: error[NEU003]: 'if' is a reserved word"),
        (N + "v = 1 + is\n", "f:2:9: error[NEU003]: 'is' is a reserved word"),
        (N + "param dt\ninput x\nemit value x * dt\n", "f:2:7: error[NEU003]: 'dt' is a reserved word"),
        (N + "input x\nemit value x + state\n", "f:3:16: error[NEU003]: 'state' is a reserved word"),
        (
            "preset a\npreset b\n" + N + "input x\nemit value x\n",
            "f:2:8: error[NEU004]: a file can have only one preset",
        ),
        (N + "input x\nrecord a = x\nrecord a = x\nemit value x\n", "f:4:1: error[NEU004]: record a occurs twice"),
        (
            N + "param a\ncanonical a = a + 1\ninput x\nemit value x + a\n",
            "NEU004]: canonical a has another meaning as parameter",
        ),
        (N + "input x\nemit value x + b\nb = x\n", "error[NEU007]: b is assigned below"),
        (N + "param a = b, b = 1\ninput x\nemit value x * a\n", "f:2:11: error[NEU007]: b is derived below"),
        (
            N + "state v\nparam a = v\ninput x\nv = x * a\nemit value v\n",
            "NEU007]: v is not available before the first tick",
        ),
        (N + "option o = a | b\ninput x\nemit value x + o\n", "f:4:16: error[NEU007]: o is an option"),
        (N + "param d = 1\ncanonical leak = 0\ninput x\nemit value x * d + leak\n", "NEU007]: unknown name leak"),
        (
            N + "option o = a | b\ninput x\nx = x if o is a else 1\nemit value x\n",
            "f:4:1: error[NEU010]: x is an input",
        ),
        (
            N + "state v\ninput x\nv: f32 = x\nemit value v\n",
            "f:4:4: error[NEU010]: state v has its type in its declaration",
        ),
        (N + "input a: u4\nb: u8 = a\nb = b + 1\nemit count b\n", "f:4:1: error[NEU010]: b was assigned with a type"),
        (
            N + "input x, y: f32\nemit value x + y\n",
            "NEU011]: '+' mixes kinds\n  found: a real and a real of precision f32",
        ),
        (N + "input x\nz = x > 0\nemit spike z == z\n", "NEU011]: booleans cannot be compared"),
        (N + "input x\nemit spike x and x > 0\n", "NEU011]: and requires a boolean"),
        (N + "input a: u4\nemit count a + 0.5\n", "NEU011]: a fraction is used among integers"),
        (N + "input x\nemit value x << 1\n", "NEU011]: a shift requires integers"),
        (N + "input a: u4\nemit value exp(a)\n", "NEU011]: exp requires a real"),
        (N + "input a: u4\nemit count floor(a)\n", "NEU011]: floor requires a real or a quotient of integers"),
        (N + "input a: u4\nemit value 1 if a > 0 else a / 2\n", "NEU014"),
        (N + "state v: s8 = 200\ninput a: s8\nv = a\nemit graded v\n", "f:2:7: error[NEU012]: the value does not fit"),
        (N + "input x\nn: u8 = floor(x)\nemit count n\n", "f:3:9: error[NEU013]: a rounded real can be any integer"),
        (N + "input x\nn: u8 wrap = floor(x)\nemit count n\n", "NEU013]: a rounded real can be any integer"),
        (
            N + "input x\nparam n: u8\nemit count clip(floor(x), 0, n)\n",
            "NEU013]: a rounded real must be clipped to literal bounds",
        ),
        (N + "input a: u4, b: s4\nemit graded floor(a / b)\n", "NEU015"),
        (
            N + "input a: u4, b: u7\nemit graded a >> b\n",
            "NEU016]: the shift amount may be negative or above 63\n  expected: 0..63",
        ),
        (N + "input a: u64\nemit graded a\n", "NEU017]: unknown type u64"),
        (N + "input x\nemit graded clip(floor(x), 0, 99999999999999999)\n", "NEU017]: a double cannot represent"),
        (N + "param a: u60\ninput b: u3\nemit graded a + b\n", "NEU017]: a parameter is a double"),
        (
            N + "input a: s4\nemit count a\n",
            "NEU018]: emit count requires an integer from 0\n  expected: an integer from 0\n  found: an integer -8..7",
        ),
        (N + "input a: s4\nemit a\n", "NEU018]: an integer is emitted as a count, as graded or as a value"),
        (N + "param p\ninput x\nemit value x * exp(p)\n", "f:4:16: error[NEU021]: exp of parameters alone"),
        (N + "input x\nemit value x * (1 / 3)\n", "NEU021]: a quotient of parameters alone"),
        (N + "param p: bool\ninput x\nemit value x\n", "NEU022]: a parameter must be a number"),
        (N + "input a: u8 in 5..300\nemit count a\n", "NEU022]: bounds must be inside the type"),
        (N + "input a: u8 in 0..1.5\nemit count a\n", "NEU022]: bounds of an integer must be integers"),
        (N + "input a: u8\nemit count clip(a, 5, 3)\n", "NEU022]: the lower bound comes first"),
        (
            N + "state v\ninput a each into v, x\nv = x\nemit value v\n",
            "NEU022]: `each into` requires an integer input",
        ),
        (N + "input a: u8 each into v, x\nemit value x\n", "NEU007]: v is not a state"),
    ],
)
def test_mistakes_are_told_with_their_place(text: str, said: str) -> None:
    found = refusal(text)
    assert said in re.sub(r" \[[a-z0-9-]+\]$", "", found, flags=re.MULTILINE)
    if match := re.match(r"f:(\d+):(\d+): error", found):
        line, column = int(match[1]), int(match[2])
        shown, caret = found.split(f"note: line {line}\n")[1].split("\n")[:2]
        lines = text.split("\n")
        assert shown == "    " + (lines[line - 1] if line <= len(lines) else "")
        assert caret == "    " + " " * (column - 1) + "^"


def test_all_mistakes_of_a_neuron_are_told_once() -> None:
    found = refusal(
        "neuron n\noption o = a | b\ninput x\nv = x + p if o is a else x + q\nw = v + r\nu = max(s, t)\nemit value w + u\n"
    )
    assert re.findall(r"NEU007\]: unknown name (\w+)", found) == ["p", "r", "s", "t", "q"]


def test_every_choice_of_options_is_checked() -> None:
    text = "neuron n\noption o = a | b\noption p = c | d\ninput x\nemit value x if o is a or p is c else y\n"
    assert "NEU007" in refusal(text)
    many = "".join(f"option o{k} = a | b\n" for k in range(10))
    neuron = parse_neurons(f"neuron n\n{many}input x\nemit value x if o7 is a else y\n").neurons[0]
    assert len(list(combinations(neuron.options))) == 11
    with pytest.raises(Refused, match="NEU007"):
        check_neuron(neuron)


def test_options_and_bounds_of_callers_are_checked() -> None:
    neuron = neuron_of("option o = a | b\nparam p in 0..1, q: s8 in -3..3\ninput x\nemit value x * p if o is a else x")
    assert choose_options(neuron, {}) == {"o": "a"}
    assert choose_options(neuron, {"o": "b"}) == {"o": "b"}
    for wrong in ({"o": "c"}, {"other": "a"}):
        with pytest.raises(Refused, match="NEU005"):
            choose_options(neuron, wrong)
    check_bounds(neuron, {"p": 0.5, "q": [3, -3]})
    with pytest.raises(Refused, match=r"(?s)NEU006.*found: 1.5.*NEU006.*found: -4"):
        check_bounds(neuron, {"p": [0.5, 1.5], "q": -4}, "lif1")
    with pytest.raises(Refused, match="NEU006"):
        check_bounds(neuron, {"p": float("nan")})


def test_a_test_narrows_what_it_bounds() -> None:
    """These statements need no saturation, mode or larger type."""
    for line in (
        "c = c - 1 if c > 0 else 0",
        "c = 0 if c == 0 else c - 1",
        "c = c + 1 if c < 255 else c",
        "c = 0 if not c >= 1 else c - 1",
        "c = c - 1 if c != 0 and n > 0 else c",
        "c = 0 if c < 1 or n > 3 else c - 1",
        "c = floor(100 / c) if c > 0 else 0",
        "c = 1 << c if c < 7 else c",
        "z = 0 < c\nc = c - 1 if z else 0",
        "c = c - n if c >= n and n <= 1 and c > 0 else c",
    ):
        check_neuron(neuron_of(f"state c: u8\ninput n: u4\n{line}\nemit count c + n"))
    for line in ("c = c - 1 if n > 0 else 0", "c = c - 1 if c >= 0 else 0", "c = c - 1 if c > 0 or n > 0 else 0"):
        with pytest.raises(Refused, match="NEU012"):
            check_neuron(neuron_of(f"state c: u8\ninput n: u4\n{line}\nemit count c + n"))


def test_each_into_is_checked() -> None:
    check_neuron(parse_neurons(XYLO_EACH).neurons[0])
    assert format(parse_neurons(XYLO_EACH)) == XYLO_EACH[1:]


def test_no_text_makes_a_traceback() -> None:
    """Texts with removed, exchanged and replaced tokens are read or refused."""
    texts = [path.read_text(encoding="utf-8") for path in TEXTS]
    words = sorted(set(re.findall(r"\w+|[^\w\s]|\n", " ".join(texts))))
    chance = random.Random(0)
    for _ in range(150):
        parts = re.findall(r"\w+|[^\w\s]|[ \t]+|\n", chance.choice(texts))
        for _ in range(chance.choice((1, 1, 2, 4))):
            k = chance.randrange(len(parts))
            parts[k] = chance.choice(("", chance.choice(words), f"{parts[k]} {chance.choice(words)} "))
        try:
            file = parse_neurons("".join(parts))
            assert parse_neurons(format(file)) == file
            for neuron in file.neurons:
                check_neuron(neuron)
        except Refused as refused:
            findings = refused.findings
        else:
            findings = ()
        assert all(finding.place and finding.code.id.startswith("NEU") for finding in findings)


def test_examples_of_the_manual_are_right() -> None:
    page = (ROOT / "docs" / "neuron-language.md").read_text(encoding="utf-8")
    blocks = [block for block in re.findall(r"```\n(.*?)```", page, re.DOTALL) if block.startswith("neuron ")]
    assert blocks
    for block in blocks:
        for neuron in parse_neurons(block).neurons:
            check_neuron(neuron)
    (widths,) = re.findall(r"```\n(state c: u8.*?)```", page, re.DOTALL)
    parse_neurons(f"neuron n\ninput m: u4\n{widths}c = c\nv = v\np = p\nemit graded n\n")
