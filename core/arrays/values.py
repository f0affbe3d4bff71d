"""Numbers of an array attribute: bytes in memory, bytes in a file, a rule, or bf16; with queries that do not load all numbers.

Code that does not need all numbers calls `least`, `not_finite`, `keeps_values_in`, `view` and the like instead of `values`: a rule
derives the result from its parameters, and the others process the numbers in blocks.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..diagnostics import Code, refuse
from ..half_precision import STORED, half_bits, half_values
from ..memory import installed_bytes
from . import files as array_files
from .rules import BLOCK, Rule, RuleError

COR001 = Code("COR001", "array-bytes-missing", "the bytes of an array are missing")
COR002 = Code("COR002", "array-bytes-mismatch-key", "the bytes of an array do not match its key")

COR005 = Code("COR005", "array-rule-exceeds-memory", "an array that is a rule does not fit into memory")


class Array:
    """Immutable array whose bytes are in memory, added later (`fill`), or stored in a file (`link`). `values` is read-only."""

    __slots__ = ("__weakref__", "_digest", "_path", "_values", "dtype", "shape")

    def __init__(self, values: NDArray[Any] | None, shape: tuple[int, ...], dtype: Any, digest: str = ""):
        self.shape, self.dtype, self._digest = shape, np.dtype(dtype), digest
        self._path: Path | None = None
        self._values: NDArray[Any] | None = None
        if values is not None:
            self._values = values.view()
            self._values.flags.writeable = False

    @staticmethod
    def of(values: ArrayLike) -> Array:
        """Wraps `values` without a copy, unless they have the other byte order."""
        array = np.asarray(values)
        if array.dtype.byteorder == ">":
            array = array.astype(array.dtype.newbyteorder("<"))
        return Array(array, array.shape, array.dtype)

    # ---- storage

    @property
    def values(self) -> NDArray[Any]:
        """Returns all numbers. Errors: COR001 the bytes are missing; COR003, COR004 their file is missing or was changed."""
        return self.stored

    @property
    def stored_dtype(self) -> np.dtype[Any]:
        """The type of the bytes in texts and files: `dtype`, except for bf16."""
        return self.dtype

    @property
    def stored(self) -> NDArray[Any]:
        """Returns all numbers as `stored_dtype`. Errors: those of `values`."""
        if self._values is None and self._path is not None:
            self._values = array_files.load_array(self._path, self._digest, self.shape, self.stored_dtype)
            self._values.flags.writeable = False
        if self._values is None:
            expected = f"{self._digest} in the section `dialect_resources: {{ nopt: … }}` of the file"
            help = "name the folder that was written with the file: --arrays DIR"
            refuse(COR001, expected=expected, found="no such entry", help=help)
        return self._values

    @property
    def is_missing(self) -> bool:
        return self._values is None and self._path is None

    @property
    def is_loaded(self) -> bool:
        """Returns whether the bytes are in memory; they may also be stored only in a known file."""
        return self._values is not None

    def link(self, path: Path) -> None:
        """Sets the file of this array. It is opened, and compared with the key, at the first read of `values`."""
        self._path = path

    def is_linked_to(self, path: Path) -> bool:
        """Returns whether the bytes are still to be read from this file."""
        return self._values is None and self._path == path

    def fill(self, blob: bytes) -> None:
        """Stores the bytes of a parsed array. Errors: COR002 they do not match the key."""
        if self._values is not None:
            return
        wanted = self.size * self.stored_dtype.itemsize
        found = Array(None, self.shape, self.stored_dtype)
        if len(blob) == wanted:
            found = Array(np.frombuffer(blob, self.stored_dtype).reshape(self.shape), self.shape, self.stored_dtype)
        if len(blob) != wanted or found.digest != self._digest:
            refuse(
                COR002,
                expected=f"{wanted} bytes whose hash is {self._digest}",
                found=f"{len(blob)} bytes" + (f" whose hash is {found.digest}" if len(blob) == wanted else ""),
                help="write the file again with `nopt FILE -o OUT`",
            )
        self._values = found.values

    # ---- queries that do not load all numbers

    @property
    def size(self) -> int:
        return prod(self.shape)

    def blocks(self) -> Iterator[NDArray[Any]]:
        """Yields the numbers in flat order, in blocks."""
        values = self.values
        flat: Any = values.reshape(-1) if values.flags.c_contiguous else values.flat
        for start in range(0, self.size, BLOCK):
            yield flat[start : start + BLOCK]

    def least(self, enough: float | None = None) -> Any:
        """Returns the smallest number of an array that is not empty.

        With `enough`, the caller only needs to know whether a number is below it: the result is a lower bound that is not, or any number that
        is. A rule computes the former without its numbers.
        """
        return self.values.min()

    def greatest(self, enough: float | None = None) -> Any:
        """Returns the largest number; with `enough`, an upper bound that is not above it, or any number that is."""
        return self.values.max()

    def not_finite(self) -> tuple[int, ...] | None:
        """Returns the index of the first number that is not finite, or None."""
        if self.dtype.kind == "f":
            for k, block in enumerate(self.blocks()):
                if not (finite := np.isfinite(block)).all():
                    first = k * BLOCK + int(np.argmin(finite))
                    return tuple(map(int, np.unravel_index(first, self.shape)))
        return None

    def keeps_values_in(self, dtype: np.dtype[Any]) -> bool:
        """Returns whether every number has the same value in another type."""
        if np.can_cast(self.dtype, dtype, "safe"):
            return True
        with np.errstate(over="ignore", invalid="ignore"):
            return all(np.array_equal(block.astype(dtype), block, equal_nan=True) for block in self.blocks())

    def view(self, *where: slice | int) -> Array:
        """Returns a slice that shares storage with this array."""
        return Array.of(self.values[where])

    def astype(self, dtype: np.dtype[Any]) -> Array:
        """Returns the numbers rounded to another type."""
        return self if dtype == self.dtype else Array.of(self.values.astype(dtype))

    def rounded(self, dtype: np.dtype[Any]) -> Array | None:
        """Returns the result of `astype` if it does not require the numbers, else None."""
        return self if dtype == self.dtype else None

    # ---- identity

    @property
    def digest(self) -> str:
        """The content key: `h` and 32 hexadecimal digits of SHA-256 over dtype, shape and bytes."""
        if not self._digest:
            content = array_files.digest_start(self.shape, self.stored_dtype)
            for piece in array_files.pieces(self.stored):
                content.update(piece)
            self._digest = array_files.key_of(content)
        return self._digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Array):
            return self is other
        return (self.shape, self.dtype) == (other.shape, other.dtype) and self.digest == other.digest

    def __repr__(self) -> str:
        return f"Array({self.dtype.str}, {self.shape}, {self._digest or 'no digest yet'})"


class Bfloat16Array(Array):
    """Array of bf16, which NumPy does not have: `values` are f32, the bytes have 16 bits."""

    __slots__ = ()

    def __init__(self, stored: NDArray[Any] | None, shape: tuple[int, ...], digest: str = ""):
        super().__init__(stored, shape, np.float32, digest)

    @staticmethod
    def nearest(values: NDArray[Any]) -> Bfloat16Array:
        """Returns reals, each rounded once to bf16."""
        return Bfloat16Array(half_bits(values, "bf16").view(STORED["bf16"]), values.shape)

    @property
    def stored_dtype(self) -> np.dtype[Any]:
        return STORED["bf16"]

    @property
    def values(self) -> NDArray[Any]:
        values = half_values(self.stored.view(np.uint16), "bf16")
        values.flags.writeable = False
        return values

    def view(self, *where: slice | int) -> Array:
        stored = self.stored[where]
        return Bfloat16Array(stored, stored.shape)

    def __repr__(self) -> str:
        return f"Bfloat16Array({self.shape}, {self._digest or 'no digest yet'})"


class RuleArray(Array):
    """Array that is a rule. Every read of `values` computes them again, and `view` computes only its slice: nothing is cached.

    Errors: RuleError the rule does not fit the type.
    """

    __slots__ = ("rule",)

    def __init__(self, rule: Rule, shape: tuple[int, ...], dtype: Any):
        super().__init__(None, shape, dtype)
        if not rule.fits(self.dtype):
            raise RuleError(f"{rule.name} does not yield finite numbers of this type")
        self.rule = rule.normalised(self.dtype)

    @property
    def values(self) -> NDArray[Any]:
        """Returns all numbers. Errors: COR005 they do not fit into memory."""
        self.check_room()
        try:
            values = self.rule.range(0, self.size, self.dtype).reshape(self.shape)
        except MemoryError:
            self.refuse("less memory than the limit of this process")
        values.flags.writeable = False
        return values

    def check_room(self) -> None:
        installed = installed_bytes()
        if installed is not None and self.size * self.dtype.itemsize > installed:
            self.refuse(f"at most {installed} bytes, the memory of this machine")

    def refuse(self, expected: str) -> NoReturn:
        found = f"{self.size} elements of {self.dtype.itemsize} bytes by {self.rule.text}"
        refuse(COR005, expected=expected, found=found, help="give the array fewer elements")

    @property
    def is_missing(self) -> bool:
        return False

    def blocks(self) -> Iterator[NDArray[Any]]:
        self.check_room()
        for start in range(0, self.size, BLOCK):
            yield self.rule.range(start, min(start + BLOCK, self.size), self.dtype)

    def least(self, enough: float | None = None) -> Any:
        return self.extreme(0, min, np.inf, operator.lt, enough)

    def greatest(self, enough: float | None = None) -> Any:
        return self.extreme(1, max, -np.inf, operator.gt, enough)

    def extreme(
        self, side: int, choose: Callable[..., Any], found: Any, is_beyond: Callable[[Any, float], bool], enough: Any
    ) -> Any:
        """Returns the smallest or the largest number, or a bound that is not beyond `enough`."""
        bound = np.array(self.rule.bounds[side]).astype(self.dtype)[()]
        if self.rule.name == "constant" or (enough is not None and not is_beyond(bound, enough)):
            return bound
        for block in self.blocks():
            found = choose(found, (block.min, block.max)[side]())
            if enough is not None and is_beyond(found, enough):
                break
        return found

    def not_finite(self) -> tuple[int, ...] | None:
        return None  # a rule that could leave its type is refused at construction

    def keeps_values_in(self, dtype: np.dtype[Any]) -> bool:
        if self.rule.name == "constant" and self.size:
            return RuleArray(self.rule, (1,), self.dtype).as_bytes.keeps_values_in(dtype)
        return super().keeps_values_in(dtype)

    @property
    def as_bytes(self) -> Array:
        """Returns the same numbers as bytes, without the rule."""
        return Array.of(self.values)

    def view(self, *where: slice | int) -> Array:
        """Returns a slice; other elements are not computed."""
        axes = [range(n) for n in self.shape]
        kept = [True] * len(axes)
        for axis, index in enumerate(where):
            if isinstance(index, slice):
                axes[axis] = axes[axis][index]
            else:
                at = axes[axis][index]
                axes[axis], kept[axis] = range(at, at + 1), False
        part = self.rule.part(self.shape, axes, self.dtype)
        return Array.of(part.reshape([len(axis) for axis, stays in zip(axes, kept, strict=True) if stays]))

    def astype(self, dtype: np.dtype[Any]) -> Array:
        return self.rounded(dtype) or Array.of(self.values.astype(dtype))

    def rounded(self, dtype: np.dtype[Any]) -> Array | None:
        if dtype == self.dtype:
            return self
        if self.dtype == np.float64 and dtype.kind == "f" and self.rule.fits(dtype):
            return RuleArray(self.rule, self.shape, dtype)  # the rule is defined in a type as the rounding of f64
        return None

    @property
    def digest(self) -> str:
        """Returns a key of rule, type and shape; it differs from the keys of resources."""
        if not self._digest:
            self._digest = array_files.key_of(sha256(f"rule/1 {self.rule.text} {self.dtype.str}{self.shape}".encode()))
        return self._digest

    def __repr__(self) -> str:
        return f"RuleArray({self.dtype.str}, {self.shape}, {self.rule.text})"
