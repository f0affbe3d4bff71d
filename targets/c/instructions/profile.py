"""Profiles of instruction sets: properties of a processor that decide the loops of a C program, as data.

    {"schema": "nopt.profile/1", "name": "avx2", "machines": ["x86_64"], "features": ["avx2"], "flags": ["-mavx2"], "vector_bytes": 32,
     "alignment_bytes": 32, "registers": 16, "states": "all", …}

The files of this folder are the profiles of nopt. A file of the user's own is named by its path, which ends in `.json`. No profile changes a
result.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, NoReturn, cast

from attrs import frozen

from ....core.diagnostics import Code, ExitCode, refuse
from ....core.help_text import Flag, Phrase

CSR020 = Code(
    "CSR020", "instruction-profile-unknown", "unknown profile of an instruction set", exit_code=ExitCode.MISUSED
)
CSR021 = Code("CSR021", "instruction-profile-invalid", "the file of a profile is invalid")

SCHEMA = "nopt.profile/1"
SUFFIX = ".json"
MOST_VECTOR_BYTES = 256
LEAST_REGISTERS = 4
ALL, FIT = "all", "fit"
"""Fused loops: all loops over the same elements, or only as many as the registers hold operands of."""
PREFERRED = ("avx2", "sse4", "neon", "scalar")
"""The profiles that a probe chooses, in order. `avx512` is not among them: benchmarks/bench_profiles.py finds `avx2` as fast or faster in 3 of 4 cases."""


@frozen
class Profile:
    """An instruction set."""

    name: str
    summary: str
    source: str
    machines: tuple[str, ...]
    """Names of its processors, as `platform.machine()` reports them; none: every processor."""
    features: tuple[str, ...]
    """Features that a processor needs, as Linux names them in `/proc/cpuinfo`."""
    flags: tuple[str, ...]
    """Flags of GCC and clang."""
    vector_bytes: int
    alignment_bytes: int
    registers: int
    """Number of vector registers, or of registers if it has no vectors."""
    states: str
    """`all`: fused loops keep all states in registers, and the compiler spills what does not fit; `fit`: a loop is only fused while the registers hold
    one vector of each operand."""

    @property
    def most_operands(self) -> int:
        """Returns the most operands of a fused loop; 0 without such a limit."""
        return self.registers if self.states == FIT else 0


TEXTS = ("name", "summary", "source", "states")
LISTS = ("machines", "features", "flags")
NUMBERS = ("vector_bytes", "alignment_bytes", "registers")
FIELDS = (*TEXTS, *LISTS, *NUMBERS)


@cache
def built_in_profiles() -> Mapping[str, Profile]:
    """Returns the profiles of nopt by name."""
    return {path.stem: read_profile(path) for path in sorted(Path(__file__).parent.glob(f"*{SUFFIX}"))}


def profile_named(name: str) -> Profile:
    """Returns a profile of nopt, or that of a file. Errors: CSR020 an unknown name; CSR021 an invalid file."""
    if name.endswith(SUFFIX):
        return read_profile(Path(name))
    known = built_in_profiles()
    if name not in known:
        near = get_close_matches(name, known, 1, 0.4)
        choice = near[0] if near else "scalar"
        refuse(
            CSR020,
            f"unknown profile {name}",
            at=f"profile={name}",
            expected=f"one of {', '.join(known)}, or the path of a {SUFFIX} file",
            found=name,
            help=Phrase(Flag(f"profile={choice}", f"--set c.profile={choice}")),
        )
    return known[name]


def read_profile(path: Path) -> Profile:
    """Returns the profile of a file. Errors: CSR021."""
    try:
        found: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as failure:
        refuse_file(path, "a file that can be read", str(failure.strerror or failure).lower())
    except ValueError as failure:
        refuse_file(path, "JSON", str(failure))
    fields = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    schema = str(fields.pop("schema", "none"))
    if schema != SCHEMA:
        refuse_file(path, f'"schema": "{SCHEMA}"', schema)
    if wrong := sorted(set(FIELDS) ^ fields.keys()):
        refuse_file(path, f"the fields {', '.join(FIELDS)}", f"missing or unknown: {', '.join(wrong)}")
    texts = {name: text_field(path, name, fields[name]) for name in TEXTS}
    numbers = {name: number_field(path, name, fields[name]) for name in NUMBERS}
    lists = {name: list_field(path, name, fields[name]) for name in LISTS}
    if texts["states"] not in (ALL, FIT):
        refuse_file(path, f"states: {ALL} or {FIT}", f"states: {texts['states']}")
    known: dict[str, Any] = {**texts, **lists, **numbers}
    return Profile(**known)


def text_field(path: Path, name: str, value: object) -> str:
    """Returns a text of a profile. Errors: CSR021."""
    if not isinstance(value, str):
        refuse_file(path, f"{name}: a text", f"{name}: {json.dumps(value)}")
    return value


def list_field(path: Path, name: str, value: object) -> tuple[str, ...]:
    """Returns a list of texts of a profile. Errors: CSR021."""
    if not isinstance(value, list):
        refuse_file(path, f"{name}: a list of texts", f"{name}: {json.dumps(value)}")
    return tuple(text_field(path, name, one) for one in cast("list[object]", value))


def number_field(path: Path, name: str, value: object) -> int:
    """Returns a number of a profile: a power of 2, or at least `LEAST_REGISTERS`. Errors: CSR021."""
    if not isinstance(value, int) or isinstance(value, bool):
        refuse_file(path, f"{name}: an integer", f"{name}: {json.dumps(value)}")
    if name == "registers":
        if value < LEAST_REGISTERS:
            refuse_file(path, f"{name}: {LEAST_REGISTERS} or more", f"{name}: {value}")
    elif not 1 <= value <= MOST_VECTOR_BYTES or value & (value - 1):
        refuse_file(path, f"{name}: a power of 2 up to {MOST_VECTOR_BYTES}", f"{name}: {value}")
    return value


def refuse_file(path: Path, expected: str, found: str) -> NoReturn:
    """Refuses the file of a profile. Errors: CSR021."""
    choice = own_profile().name if path.parent != Path(__file__).parent else "scalar"
    refuse(
        CSR021,
        at=str(path),
        expected=expected,
        found=found,
        help=Phrase(Flag(f"profile={choice}", f"--set c.profile={choice}")),
    )


def unsupported_reason(profile: Profile) -> str | None:
    """Returns the reason why this processor cannot execute a profile; None if it can."""
    machine = platform.machine()
    if profile.machines and machine not in profile.machines:
        return f"the processor is {machine}"
    known = processor_features()
    missing = [name for name in profile.features if known is not None and name not in known]
    return f"the processor has no {', '.join(missing)}" if missing else None


@cache
def processor_features() -> frozenset[str] | None:
    """Returns the features of this processor; None where the system does not list them."""
    try:
        lines: list[str] = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    lists = [line.partition(":")[2].split() for line in lines if line.startswith(("flags", "Features"))]
    return frozenset(lists[0]) if lists else None


def own_profile() -> Profile:
    """Returns the first of the preferred profiles that this processor is known to execute."""
    known = built_in_profiles()
    is_listed = processor_features() is not None
    return next(
        profile
        for profile in map(known.__getitem__, PREFERRED)
        if unsupported_reason(profile) is None and (is_listed or not profile.features)
    )
