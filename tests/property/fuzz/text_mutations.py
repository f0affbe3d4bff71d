"""Damage to textual IR and JSON graphs: slips of an editor, truncated copies, and malicious changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*"|[%@#!^]?[A-Za-z_$.][\w$.-]*|%\d+|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|->|\{-#|#-\}|\s+|.'
)
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
TYPE = re.compile(r"!?\b(?:tensor|ntensor\.\w+|fixed\.\w+)<[^<>]*>")
SHAPE = re.compile(r"(?<=tensor<)[\dx?]*x(?=[a-z!])")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
HEX = re.compile(r'"0x[0-9a-fA-F]*"')
SECTION = re.compile(r"\{-#.*#-\}", re.DOTALL)
BRACED = re.compile(r"\{[^{}]*\}")

NUMBERS = (
    "0", "-1", "1", "1.0", "-0.0", "1e-3", "1.0e999", "-1.0e999", "1.0e-400", "65535", "4294967296", "9223372036854775807",
    "9223372036854775808", "-9223372036854775809", "1" + "0" * 40, "0x", "0x7fc00000", "0xffffffffffffffffff", "nan", "inf",
    "true", "1_000", "1.5.5", "01", "9" * 5000, "1." + "0" * 5000, "1.0e99999999999999999999",
)  # fmt: skip
TYPES = (
    "f32", "f64", "f16", "bf16", "i1", "i0", "i8", "si8", "ui64", "i65", "i16777215", "i16777216", "i99999999999", "index", "none",
    "tensor<f32>", "tensor<*xf32>", "tensor<0xf32>", "tensor<?xf32>", "tensor<-1xf32>", "tensor<1x>", "tensor<4xi1>", "tensor<f128>",
    "memref<4xf32>", "vector<4xf32>", "vector<[4]xf32>", "complex<f32>", "tuple<f32, i1>", "() -> ()", "!ntensor.count<5>",
    "!ntensor.count<0>", "!ntensor.graded<99999>", "!ntensor.nothing", "!fixed.q<1>", "!nothing.at_all<[{>", "!llvm.ptr",
    "!nir", "!", "tensor<4x!ntensor.count<3>>", "tensor<4xtensor<4xf32>>", "tensor<99999999999x99999999999xf32>",
    "tensor<1073741824xf32>", "tensor<65536x65536xi1>", "tensor<4xf32, #nothing>", "tensor<4xf32, dense<0>>", "memref<4xf32, affine_map<(d0) -> (d0 floordiv 0)>>",
)  # fmt: skip
ATTRIBUTES = (
    "unit", "true", "[]", "{}", '""', "@x", "@x::@y", "@x::", "@", "#nopt.array", "#nopt.array<>", "#nopt.array<[] : tensor<0xf32>>",
    "#nopt.array<1.0 : tensor<f32>>", '#nopt.array<"0x" : tensor<0xf32>>', '#nopt.array<"0x00" : tensor<f32>>', '#nopt.array<"zz" : tensor<f32>>',
    "#nopt.array<h00000000000000000000000000000000 : tensor<4x5xf32>>", "#nopt.array<1.0 : f32>", "#nopt.array<[[1.0], 2.0] : tensor<2xf32>>",
    "#nopt.array<1.0 : tensor<99999999999x99999999999xf32>>", '#nopt.array<"0x0000c07f" : tensor<f32>>', "#nopt.array<[300] : tensor<1xi8>>",
    "#nopt.array<[1.5] : tensor<1xi8>>", "#nopt.array<true : tensor<f64>>", "dense<0.0> : tensor<4xf32>", "dense<0> : tensor<99999999999xi64>",
    'dense<"0x00"> : tensor<4xf32>', "dense_resource<blob> : tensor<4xf32>", "array<i64: 1, 2>", "array<f32: 1>", "sparse<[0], 1> : tensor<4xi32>",
    "affine_map<(d0)[s0] -> (d0 mod 0, s0)>", "affine_set<(d0) : (d0 >= 0)>", 'loc("x":0:0)', "loc(unknown)", "opaque<\"x\", \"y\">",
    "distinct[0]<1>", "strided<[1], offset: ?>", "f32", "() -> ()", "1 : i1", "300 : i8", "1.5 : i32", "1 : f32", "-1 : index", "#alias",
    "#builtin.int<1>", "#builtin.bytes<\"\">", "#arith.fastmath<none>", "#nir.transmission<x>", "#nir.stdp<>", "#ntensor.emits<spike>",
)  # fmt: skip
PIECES = (
    "", " ", "\n", "\t", "\x00", "\x1a", "\ufeff", "\u202e", "\U0001f600", "é", "\u2028", "//", "// -----\n", "/*", '"', "\\", "'",
    "->", "%", "%x", "%0", "%x:2", "%x#1", "^", "^bb0", "^bb0:\n", "{", "}", "(", ")", "[", "]", "<", ">", "{-#", "#-}", "=", ":", "::", ",", "...",
    "attributes", "loc(unknown)", 'loc("a":1:1)', "nir.graph", "nir.lif", "nir.output", "nir.subgraph", "ntensor.network", "ntensor.update",
    "builtin.module {", "module", "func.func @f()", '"nir.lif"() : () -> ()', '"test.op"() ({^bb0:}) : () -> ()', "#a = 1\n", "!t = f32\n",
    '"builtin.unrealized_conversion_cast"() : () -> ()', "arith.constant 1 : i32", "nothing.op", '"nothing.op"() : () -> ()',
)  # fmt: skip
SECTIONS = (
    "{-# #-}", "{-# dialect_resources: {} #-}", '{-# dialect_resources: { nopt: { h0: "0x" } } #-}', "{-# external_resources: {} #-}",
    '{-# dialect_resources: { nothing: { a: "0x00" } } #-}', '{-# dialect_resources: { builtin: { blob: "0x04000000" } } #-}',
    '{-# dialect_resources: { nopt: { a: 1 } } #-}', '{-# nothing: { } #-}', '{-# dialect_resources: { nir: { a: "0x00" } } #-}', "{-#",
)  # fmt: skip
NESTS = (
    ("[", "]"), ("{a = ", "}"), ("(", ")"), ("<", ">"), ("tensor<4x", ">"), ("tuple<", ">"), ("() -> (", ")"), ("loc(fused[", "])"),
    ("loc(callsite(", " at unknown))"), ("builtin.module {\n", "}\n"), ('"test.op"() ({\n', "}) : () -> ()\n"), ("affine_map<(d0) -> (", ")>"),
    ("#nopt.array<[", "] : tensor<1xf32>>"), ("-", ""), ("@a::", "@b"), ("dense<[", "]>"), ("complex<", ">"), ("{", "}"), ("({", "})"),
    ('nir.subgraph "s" (%x) ("i" %x: tensor<1xf32>) -> ("o": tensor<1xf32>) {\n', "}\n"), ("(1.0 + ", ")"), ("exp(", ")"), ("ntensor.let %x = ", ""),
)  # fmt: skip

Mutation = Callable[[Random, str, Sequence[str]], str]
"""A function that damages a text; the last argument holds other texts to take pieces from."""


def tokens(text: str) -> list[str]:
    return TOKEN.findall(text)


def at(random: Random, text: str, pattern: re.Pattern[str], replacement: Callable[[str], str]) -> str:
    """Replaces one match of the pattern in the text; returns the text unchanged if there is none."""
    found = list(pattern.finditer(text))
    if not found:
        return text
    match = random.choice(found)
    return text[: match.start()] + replacement(match[0]) + text[match.end() :]


def visible(found: Sequence[str]) -> list[int]:
    return [number for number, token in enumerate(found) if not token.isspace()] or [0]


def delete_token(random: Random, text: str, others: Sequence[str]) -> str:
    found = tokens(text) or [""]
    del found[random.choice(visible(found))]
    return "".join(found)


def repeat_token(random: Random, text: str, others: Sequence[str]) -> str:
    found = tokens(text) or [""]
    number = random.choice(visible(found))
    found[number] = " ".join([found[number]] * random.choice((2, 2, 3, 1000)))
    return "".join(found)


def swap_tokens(random: Random, text: str, others: Sequence[str]) -> str:
    found = tokens(text) or [""]
    first, second = random.choice(visible(found)), random.choice(visible(found))
    found[first], found[second] = found[second], found[first]
    return "".join(found)


def replace_token(random: Random, text: str, others: Sequence[str]) -> str:
    found = tokens(text) or [""]
    found[random.choice(visible(found))] = random.choice((*PIECES, *NUMBERS, *TYPES, *ATTRIBUTES))
    return "".join(found)


def replace_value(random: Random, text: str, others: Sequence[str]) -> str:
    """Replaces the attribute after an equals sign."""
    value = random.choice((*ATTRIBUTES, *NUMBERS, *TYPES))
    return at(random, text, re.compile(r"(?<== )[^,={}\n]+"), lambda _: value)


def insert_piece(random: Random, text: str, others: Sequence[str]) -> str:
    place = random.randint(0, len(text))
    return text[:place] + random.choice(PIECES) + text[place:]


def change_number(random: Random, text: str, others: Sequence[str]) -> str:
    return at(random, text, NUMBER, lambda _: random.choice(NUMBERS))


def change_type(random: Random, text: str, others: Sequence[str]) -> str:
    return at(random, text, TYPE, lambda _: random.choice(TYPES))


def change_every_type(random: Random, text: str, others: Sequence[str]) -> str:
    """Replaces one type everywhere, so that the types still agree with each other."""
    found = TYPE.findall(text)
    return text.replace(random.choice(found), random.choice(TYPES)) if found else text


def change_shape(random: Random, text: str, others: Sequence[str]) -> str:
    sizes = (
        "0x",
        "?x",
        "1x",
        "",
        "4294967296x",
        "99999999999999999999x",
        "1x" * 33,
        "1x" * 65,
        "2x" * 64,
        "1x" * 20_000,
    )
    size = random.choice(sizes)
    if random.random() < 0.5:
        return at(random, text, SHAPE, lambda _: size)
    found = SHAPE.findall(text)
    old = random.choice(found) if found else ""
    return text.replace(f"tensor<{old}", f"tensor<{size}")


def change_string(random: Random, text: str, others: Sequence[str]) -> str:
    names = (
        '""',
        '"\\00"',
        '"\\ff"',
        '"\\C3\\A9"',
        '"a\\"b"',
        '"\\n"',
        '"é"',
        '"/"',
        '"a.b"',
        '"\\zz"',
        f'"{"n" * 100_000}"',
        '"input"',
    )
    name = random.choice(names)
    return at(random, text, STRING, lambda _: name)


def change_hex(random: Random, text: str, others: Sequence[str]) -> str:
    def damaged(old: str) -> str:
        digits = old[3:-1]
        place = random.randint(0, len(digits))
        wrong = random.choice(
            (
                digits[:place] + "g" + digits[place + 1 :],
                digits[:-1],
                digits[:-8],
                digits + "00",
                "",
                digits[:place] + "0" + digits[place + 1 :],
                digits[:place] + " " + digits[place:],
                digits[:place] + "é" + digits[place:],
            )
        )
        return f'"{random.choice(("0x", "0x", "0X", ""))}{wrong}"'

    return at(random, text, HEX, damaged)


def change_section(random: Random, text: str, others: Sequence[str]) -> str:
    """Removes, replaces, duplicates or moves the resource section."""
    section = random.choice((*SECTIONS, ""))
    if found := SECTION.search(text):
        rest = text[: found.start()] + text[found.end() :]
        return random.choice((rest + section, rest, text + found[0], found[0] + rest, text + section))
    return text + section


def repeat_entry(random: Random, text: str, others: Sequence[str]) -> str:
    """Repeats an entry of a dictionary."""

    def doubled(old: str) -> str:
        entries = old[1:-1].split(", ")
        entry = random.choice(entries)
        return "{" + ", ".join([*entries, *[entry] * random.choice((1, 1, 500))]) + "}"

    return at(random, text, BRACED, doubled)


def nest(random: Random, text: str, others: Sequence[str]) -> str:
    """Nests a piece of text in many brackets."""
    before, after = random.choice(NESTS)
    depth = random.choice((2, 30, 60, 100, 200, 500, 3000, 30_000))
    found = tokens(text) or [""]
    number = random.choice(visible(found))
    found[number] = before * depth + found[number] + after * random.choice((depth, depth, depth, 0))
    return "".join(found)


def nest_graphs(random: Random, text: str, others: Sequence[str]) -> str:
    """Wraps the text in many levels of valid IR."""
    depth = random.choice((10, 60, 100, 300, 2000))
    return "builtin.module {\n" * depth + SECTION.sub("", text) + "}\n" * depth


def delete_lines(random: Random, text: str, others: Sequence[str]) -> str:
    lines = text.splitlines(keepends=True)
    place = random.randint(0, len(lines))
    return "".join(lines[:place] + lines[place + random.randint(1, 3) :])


def swap_lines(random: Random, text: str, others: Sequence[str]) -> str:
    lines = text.splitlines(keepends=True) or [""]
    first, second = random.randrange(len(lines)), random.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return "".join(lines)


def repeat_lines(random: Random, text: str, others: Sequence[str]) -> str:
    lines = text.splitlines(keepends=True) or [""]
    place = random.randrange(len(lines))
    if len(lines[place]) > 10_000:
        return text
    lines[place] *= random.choice((2, 2, 3, 300))
    return "".join(lines)


def splice(random: Random, text: str, others: Sequence[str]) -> str:
    """Inserts a line of another text."""
    lines = text.splitlines(keepends=True) or [""]
    other = random.choice(others).splitlines(keepends=True) or [""]
    lines[random.randrange(len(lines))] = random.choice(other)
    return "".join(lines)


def cut(random: Random, text: str, others: Sequence[str]) -> str:
    return text[: random.randint(0, len(text))]


MUTATIONS: tuple[Mutation, ...] = (
    delete_token,
    repeat_token,
    swap_tokens,
    replace_token,
    replace_token,
    replace_value,
    replace_value,
    insert_piece,
    change_number,
    change_number,
    change_type,
    change_every_type,
    change_shape,
    change_string,
    change_hex,
    change_section,
    repeat_entry,
    nest,
    nest_graphs,
    delete_lines,
    swap_lines,
    repeat_lines,
    splice,
    cut,
)


def damaged(random: Random, text: str, others: Sequence[str]) -> bytes:
    """Returns the bytes of a text after one to three mutations, sometimes with invalid UTF-8."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        text = random.choice(MUTATIONS)(random, text, others)
    data = bytearray(text.encode(errors="surrogatepass"))
    if random.random() < 0.03 and data:
        data[random.randrange(len(data))] = random.choice((0x00, 0xC0, 0xFF, 0x80))
    return bytes(data)
