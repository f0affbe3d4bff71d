"""`--verify-diagnostics`: comments in the IR specify the findings about it, in the syntax of `mlir-opt`.

    // expected-error @+1 {{[NIR002]: tau is out of range}}
    %z = nir.lif "lif" %x {…}
    %a = nir.li "li" %x {…} // expected-warning {{dt is not smaller}}
    // expected-remark @unknown {{[NEU028]}}

    expectation ::= `expected-` (`error` | `warning` | `remark` | `note`) `-re`? place? `{{` text `}}`
    place       ::= `@+N` | `@-N` | `@above` | `@below` | `@unknown`

Without a place it expects a finding on its own line; `@above` and `@below` are the nearest lines without an expectation, `@unknown` is
a finding without a place in this file. The text is a part of the headline `error[NIR002]: MESSAGE`, or of a note; with
`-re`, its parts in `{{…}}` are regular expressions. Each expectation stands for one finding; anything else fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from attrs import define

from ...core.diagnostics import Code, Finding

CHK019 = Code("CHK019", "finding-unexpected", "an unexpected finding")
CHK020 = Code("CHK020", "expected-finding-missing", "an expected finding is missing")
CHK021 = Code("CHK021", "expectation-unparsable", "an expectation cannot be parsed")

LOOKS_LIKE = re.compile(r"//.*\bexpected-(?:error|warning|remark|note)(?:-re)?\b|//\s*expected-\w")
EXPECTATION = re.compile(
    r"\bexpected-(error|warning|remark|note)(-re)?\s*(?:@([+-]\d+|above|below|unknown))?\s*\{\{(.*)\}\}\s*$"
)


@define
class Expectation:
    """Comment that expects a finding on a line."""

    kind: str
    text: str
    pattern: re.Pattern[str]
    at: int | None
    """Line in the file, from 1; None for a finding without a place."""
    written: int
    """Line of the comment itself."""
    is_met: bool = False


def pattern_of(text: str, is_regular: bool) -> re.Pattern[str]:
    """Returns the pattern of a plain text, or of one with regular expressions between double braces."""
    if not is_regular:
        return re.compile(re.escape(text))
    parts = re.split(r"\{\{(.*?)\}\}", text)
    return re.compile("".join(part if k % 2 else re.escape(part) for k, part in enumerate(parts)))


def expectations(text: str, name: str, offset: int) -> Iterator[Expectation | Finding]:
    """Yields the expectations of a chunk that starts after `offset` lines of the file, and a finding for each that cannot be parsed."""
    lines = text.split("\n")
    plain = [k for k, line in enumerate(lines) if not LOOKS_LIKE.search(line)]
    for k, line in enumerate(lines):
        if not LOOKS_LIKE.search(line):
            continue
        written = offset + k + 1
        match = EXPECTATION.search(line)
        try:
            pattern = pattern_of(match[4], bool(match[2])) if match else None
        except re.error:
            pattern = None
        if match is None or pattern is None:
            yield Finding(
                CHK021,
                "the expectation cannot be parsed",
                place=f"{name}:{written}",
                expected="expected-error, -warning, -remark or -note, a place such as @+1, and {{text}} at the end of the line",
                found=line.strip(),
                help="// expected-error @+1 {{text}}",
            )
            continue
        match match[3]:
            case None:
                at = k
            case "unknown":
                at = None
            case "above":
                at = max((n for n in plain if n < k), default=-1)
            case "below":
                at = min((n for n in plain if n > k), default=len(lines))
            case distance:
                at = k + int(distance)
        yield Expectation(match[1], match[4], pattern, None if at is None else offset + at + 1, written)


def headlines(findings: Iterable[Finding], name: str) -> Iterator[tuple[str, int | None, str, Finding]]:
    """Yields kind, line, text and finding of each headline and of each note."""
    for finding in findings:
        file, _, rest = (finding.place or "").rpartition(name + ":")
        line = rest.split(":")[0]
        at = int(line) if not file and line.isdigit() else None
        yield str(finding.severity), at, f"{finding.severity}[{finding.code}]: {finding.message}", finding
        for note in finding.notes:
            yield "note", at, note, finding


def unmet(text: str, name: str, offset: int, findings: Sequence[Finding]) -> list[Finding]:
    """Returns unexpected findings, and expectations that no finding meets.

    Errors: CHK019, CHK020, CHK021.
    """
    wanted = list(expectations(text, name, offset))
    found = [item for item in wanted if isinstance(item, Finding)]
    expected = [item for item in wanted if isinstance(item, Expectation)]
    for kind, at, words, finding in headlines(findings, name):
        for item in expected:
            if not item.is_met and (item.kind, item.at) == (kind, at) and item.pattern.search(words):
                item.is_met = True
                break
        else:
            found.append(
                Finding(
                    CHK019,
                    f"unexpected {kind}: {words}",
                    at=finding.at,
                    node=finding.node,
                    place=finding.place or name,
                    expected="no finding, or a comment that expects it",
                    found="\n".join(finding.lines()),
                    help=f"// expected-{kind} {'@+1' if at else '@unknown'} {{{{{words}}}}}",
                )
            )
    for item in expected:
        if not item.is_met:
            near = [words for _, at, words, _ in headlines(findings, name) if at == item.at]
            found.append(
                Finding(
                    CHK020,
                    f'expected {item.kind} was not produced: "{item.text}"',
                    place=f"{name}:{item.written}",
                    expected=f"{item.kind} {f'on line {item.at}' if item.at else 'without a place'}",
                    found="; ".join(near) or "no finding there",
                    help="correct the text or the place of the comment, or the IR",
                )
            )
    return found
