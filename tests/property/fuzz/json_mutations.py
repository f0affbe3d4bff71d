"""Damage to JSON documents that stay JSON: device files, JSON graphs, with typical errors of generators."""

from __future__ import annotations

import json
from random import Random
from typing import Any

NUMBERS = (
    0,
    1,
    -1,
    2,
    0.5,
    -0.0,
    1e300,
    -1e300,
    5e-324,
    1e999,
    2**31,
    2**63,
    2**64,
    -(2**63) - 1,
    10**30,
    10**400,
    float("nan"),
)
TEXTS = (
    "", " ", "x", "a.b", "a/b", "../up", "x\x1b[31mred", "\u202eright", "a\nb", "\x07", "\x9b", "é漢", "\ud800", "n" * 5000, "%s{x}",
    "a" * 300, "null", "i8", "i65", "u0", "int", "spike", "lif", "tau", "v", "1 +", "(" * 3000, "f(" * 200, "1e999", "ticks * neurons",
    "max(1, 2", "a b", "lambda: 1", "0x10", "__import__('os')", "1/0", "2**1000000", "x" + "+x" * 5000, "'", '"', "\\", "1_0", "\x00",
)  # fmt: skip
LEAVES = (None, True, False, [], {}, *NUMBERS, *TEXTS)


def places(document: Any) -> list[tuple[Any, Any]]:
    """Returns every location of a document: its container and its key there."""
    found: list[tuple[Any, Any]] = []
    waiting = [document]
    while waiting:
        here = waiting.pop()
        keys = list(here) if isinstance(here, dict) else range(len(here)) if isinstance(here, list) else []
        for key in keys:
            found.append((here, key))
            waiting.append(here[key])
    return found


def change(random: Random, document: Any) -> Any:
    """Applies one mutation at a random location of the document."""
    all_places = places(document)
    if not all_places:
        return random.choice(LEAVES)
    container, key = random.choice(all_places)
    old = container[key]
    match random.randrange(8):
        case 0:
            del container[key]
        case 1:
            container[key] = random.choice(LEAVES)
        case 2 if isinstance(old, int | float):
            container[key] = random.choice(NUMBERS)
        case 2 | 3 if isinstance(old, str):
            container[key] = random.choice((*TEXTS, old + random.choice(TEXTS), old.upper(), old[:-1]))
        case 3:
            container[key] = [old]
        case 4:
            other, there = random.choice(all_places)
            container[key] = json.loads(json.dumps(other[there]))
        case 5 if isinstance(container, dict):
            container[random.choice(TEXTS)] = container.pop(key)
        case 6 if isinstance(container, list):
            container *= random.choice((2, 300))
        case 6 if isinstance(container, dict):
            container[random.choice(TEXTS)] = old
        case 7:
            for _ in range(random.choice((3, 40, 150))):
                old = random.choice(([old], {"a": old})) if random.random() < 0.1 else [old]
            container[key] = old
        case _:
            container[key] = random.choice(LEAVES)
    return document


def damaged(random: Random, text: str) -> str:
    """Returns the text of a document after one to three mutations."""
    document = json.loads(text)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        document = change(random, document)
    made = json.dumps(document, indent=random.choice((None, 2)), ensure_ascii=random.random() < 0.5)
    if random.random() < 0.03:
        depth = random.choice((1000, 100_000))
        made = made.replace("null", "[" * depth + "]" * depth, 1) if "null" in made else "[" * depth
    return made
