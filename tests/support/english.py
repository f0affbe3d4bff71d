"""Idioms of this tree that plain technical English does not have, and where they still occur.

A reader who knows the field understands a sentence on first reading if it uses standard verbs, no personification and no relative clause as
its subject. The table lists what to avoid, with the plain form. `make lint` refuses them in changed files.

    .venv/bin/python tests/support/english.py [FOLDER…]        # lists each occurrence in folders, and exits with 1
    .venv/bin/python tests/support/english.py --changed        # in files that differ from the branch point, or from the last commit
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from places import ROOT

ROOMS = ("core", "frontends", "dialects", "analysis", "passes", "simulation", "targets", "api", "tools")
FOLDERS = (*ROOMS, "docs", "tests", "lit-tests", "benchmarks", "examples")
GENERATED = ("docs/codes.md", "docs/reference/")
SELF = ("tests/support/english.py",)
TRUNKS = ("@{upstream}", "origin/main", "main")
"""Branches, the first of which that has other commits defines the branch point."""

IDIOMS = {
    "a relative clause as subject": (
        r"(?:^|(?<=[.:;] ))(?:What|Who|Whoever|Whose|Wherever|Whatever) (?![^.?]*\?)",
        "start with the noun or the verb",
    ),
    "nobody": (r"\b(?:nobody|somebody|everybody|whoever|none of it)\b", "unsupported, missing, users, a reader"),
    "stands": (r"\b(?:stands?|stood)\b(?! for\b)", "is stored, is defined, is listed, is"),
    "is no": (r"\b(?:is|are|was|were) no\b(?! longer)", "is not a"),
    "says": (r"\b(?:says?|said|tells?|told)\b", "specifies, requires, reports, lists"),
    "gives": (r"\b(?:gives|gave)\b", "returns, produces"),
    "hears": (r"\b(?:hears?|heard|deaf|deafen)\b", "receives, has as input"),
    "behind": (r"\b(?:behind|beside)\b", "after, downstream of, next to"),
    "so many": (r"\bso (?:many|much|few)\b", "a number of, N"),
    "in silence": (
        r"\b(?:without a word|in silence|in one go)\b",
        "silently, together",
    ),
    "way": (r"\b(?:on the way|the way back|every way|all ways)\b", "path, inverse"),
}
PATTERNS = {name: re.compile(pattern, re.IGNORECASE) for name, (pattern, _) in IDIOMS.items()}
COMMENT = re.compile(r"(?:^|\s)# (.*)$")
GOLDEN_COMMENT = re.compile(r"\s*(?://|#) (?!(?:RUN|[A-Z][A-Z0-9_-]*(?:\{LITERAL\})?):)(.*)$")
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def files(folder: str) -> list[Path]:
    """Returns the files of a folder that people read, sorted; those of `docs` include the pages of the root."""
    suffixes = {".md"} if folder == "docs" else {".mlir", ".test"} if folder == "lit-tests" else {".py", ".md"}
    found = [path for path in (ROOT / folder).rglob("*") if path.suffix in suffixes]
    shown = {
        path.relative_to(ROOT).as_posix(): path for path in [*found, *(ROOT.glob("*.md") if folder == "docs" else ())]
    }
    return [path for name, path in sorted(shown.items()) if not name.startswith((*GENERATED, *SELF))]


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """Yields each piece of text of a file with its line: docstrings, messages and comments; prose; the comments of a golden."""
    text = path.read_text(encoding="utf-8", errors="replace")
    lines = text.splitlines()
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                yield node.lineno, node.value
        yield from ((number, match[1]) for number, line in enumerate(lines, 1) if (match := COMMENT.search(line)))
    elif path.suffix == ".md":
        blank = FENCED.sub(lambda match: "\n" * match[0].count("\n"), text)
        yield from enumerate(blank.splitlines(), 1)
    else:
        for number, line in enumerate(lines, 1):
            if match := GOLDEN_COMMENT.match(line):
                yield number, match[1]


def git(*words: str) -> str:
    """Returns the output of a git command, or an empty text if there is no repository or no such commit."""
    try:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def changed() -> set[Path] | None:
    """Returns the files that differ from the branch point, or from the commit before HEAD; None if neither is known."""
    head = git("rev-parse", "HEAD")
    points = [point for trunk in TRUNKS if (point := git("merge-base", "HEAD", trunk)) and point != head]
    base = next(iter(points), git("rev-parse", "--verify", "--quiet", "HEAD~1"))
    if not base:
        return None
    names = (
        git("diff", "--name-only", base).splitlines() + git("ls-files", "--others", "--exclude-standard").splitlines()
    )
    return {ROOT / name for name in names}


def occurrences(paths: Iterable[Path]) -> Iterator[str]:
    """Yields a line with the place, the idiom and its surroundings for each idiom in some files."""
    for path in paths:
        for line, text in sentences(path):
            for name, pattern in PATTERNS.items():
                for match in pattern.finditer(text):
                    at = line + text.count("\n", 0, match.start())
                    around = text[max(0, match.start() - 40) : match.end() + 40].replace("\n", " ")
                    yield f"{path.relative_to(ROOT)}:{at}: {name} ({IDIOMS[name][1]}): …{around}…"


def main(words: Sequence[str]) -> int:
    selected = changed() if words == ["--changed"] else None
    folders = FOLDERS if words in ([], ["--changed"]) else [word.rstrip("/") for word in words]
    paths = [path for folder in folders for path in files(folder) if selected is None or path in selected]
    lines = list(occurrences(paths))
    print(*lines, sep="\n", end="\n" if lines else "")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
