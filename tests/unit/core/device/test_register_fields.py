"""Words of memory images: packing in arrays and in integers of Python produces the same words and the same text."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from nopt.core.device import register_fields
from nopt.core.device.register_fields import UNUSED, Field, Word, hex_lines

COUNT = 300


@pytest.mark.parametrize("seed", range(30))
def test_arrays_pack_as_integers_do(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random, generator = Random(seed), np.random.default_rng(seed)
    widths = [random.randint(1, 20) for _ in range(random.randint(1, 4))]
    signed = [random.random() < 0.5 for _ in widths]
    word = Word(
        (*(Field(f"f{k}", n, s) for k, (n, s) in enumerate(zip(widths, signed, strict=True))), Field(UNUSED, 3))
    )
    arrays = {f.name: generator.integers(f.interval[0], f.interval[1] + 1, COUNT) for f in word.fields[:-1]}
    if random.random() < 0.5:
        word = Word((*word.fields, Field("real", 32)))
        arrays["real"] = generator.standard_normal(COUNT).astype(np.float32)
    words, text = word.pack(arrays), hex_lines(word.pack(arrays), word.bits)
    monkeypatch.setattr(register_fields, "ARRAY_BITS", 0)
    assert words == word.pack(arrays)
    assert text == hex_lines(words, word.bits)
    for name, array in arrays.items():
        assert np.array_equal(word.unpack(words, name, array.dtype), array)


@pytest.mark.parametrize("words", [[], [0], [255, 256], [2**64 - 1], [2**64], list(range(2**16 + 2))])
def test_text_has_a_line_for_each_word(words: list[int]) -> None:
    for bits in (8, 20, 64, 70):
        assert hex_lines(words, bits) == "".join(f"{word:0{-(-bits // 4)}x}\n" for word in words)
