"""The warm format of the goldens and lit's own shell agree on every verdict."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# A replacement of the driver: copies its input, or fails in a given way.
TOOL = """
import os, sys

count = 0

def main():
    global count
    count += 1
    args = sys.argv[1:]
    if "--print" in args:
        print(args[args.index("--print") + 1])
    elif "--bytes" in args:
        sys.stdout.buffer.write(b"r\\xc3\\xa9sum\\xc3\\xa9\\n")
    elif "--count" in args:
        print("calls", count, "in", os.path.basename(os.getcwd()), "isatty", sys.stdin.isatty())
    elif "--large" in args:
        print("x" * 1000000)
    elif "--raise" in args:
        raise KeyError("found no such thing")
    elif "--kill" in args:
        os.kill(os.getpid(), 9)
    elif "--die" in args:
        sys.exit("dies of this")
    else:
        sys.stdout.write(open(args[0]).read() if args else sys.stdin.read())
    print("warned", file=sys.stderr)
    return int(args[args.index("--code") + 1]) if "--code" in args else None
"""

CONFIG = """
import os, sys
import filecheck.main, lit.formats
HERE = os.path.dirname(__file__)
config.name, config.suffixes, config.test_source_root = "cases", [".test"], HERE
config.test_exec_root = os.path.join(HERE, "out")
os.makedirs(config.test_exec_root, exist_ok=True)
config.environment["PATH"] = os.pathsep.join([HERE, {bin!r}, os.path.dirname(sys.executable), os.environ["PATH"]])
config.available_features.add("here")
config.substitutions.append(("%shared", "a/folder"))
if lit_config.params.get("slow"):
    config.test_format = lit.formats.ShTest(execute_external=False)
else:
    sys.path[:0] = [HERE, {goldens!r}]
    import tool
    from fork_format import ForkTest
    config.test_format = ForkTest({{"tool": tool.main, "filecheck": filecheck.main.main}}, seconds=5)
"""

PASSES = {
    "pipe": "RUN: tool %s | filecheck %s\nCHECK: be found\nmust be found",
    "two-lines": "RUN: tool --print one\nRUN: tool --print two | filecheck %s\nCHECK: two",
    "continued": "RUN: tool --print 'in two' \\\nRUN:   | filecheck %s\nCHECK: in two",
    "merged": "RUN: tool --print out 2>&1 | filecheck %s\nCHECK-DAG: warned\nCHECK-DAG: out",
    "not": "RUN: not tool --code 1",
    "not-in-pipe": "RUN: not tool --print x --code 3 2>&1 | filecheck %s\nCHECK: warned",
    "exits": "RUN: exits 2 tool --code 2 --print x | filecheck %s\nCHECK: x",
    "exits-zero": "RUN: exits 0 tool --print x",
    "dies": "RUN: exits 1 tool --die 2>&1 | filecheck %s\nCHECK: dies of this",
    "raises": "RUN: exits 1 tool --raise 2>&1 | filecheck %s\nCHECK: KeyError: 'found no such thing'",
    "temporary": "RUN: tool --print kept > %t\nRUN: tool %t | filecheck %s\nCHECK: kept",
    "appended": "RUN: tool --print a > %t\nRUN: tool --print b >> %t\nRUN: tool < %t | filecheck %s\nCHECK: a\nCHECK-NEXT: b",
    "errors-apart": "RUN: tool --print out 2> %t && tool %t | filecheck %s\nCHECK-NOT: out\nCHECK: warned",
    "bytes": "RUN: tool --bytes | filecheck %s\nCHECK: résumé",
    "joined": "RUN: tool --code 1 || tool --print second\nRUN: tool --code 1; tool",
    "three-stages": "RUN: tool --print x | tool | tool | filecheck %s\nCHECK: x",
    "other-program": "RUN: tool --print x > %t\nRUN: cat %t | filecheck %s\nCHECK: x",
    "same-files": "RUN: tool %s > %t.a && tool %s > %t.b && diff %t.a %t.b",
    "own-folder": "RUN: mkdir -p %t.dir && ls %t.dir\nRUN: rm -r %t.dir",
    "quoted": 'RUN: tool --print \'p{a=1 b="x y"}\' | filecheck %s\nCHECK: p{a=1 b="x y"}',
    "state": "RUN: cd / && tool --count | filecheck %s\nCHECK: calls 1",
    "forgets": "RUN: tool --count\nRUN: tool --count | filecheck %s\nCHECK: calls 1 in out isatty False",
    "environment": "RUN: env A=b sh -c 'echo $A' | filecheck %s\nCHECK: b",
    "substituted": "RUN: tool --print %shared | filecheck %s\nCHECK: a/folder\n",
    "large": "RUN: tool --large | tool | filecheck %s\nCHECK: xxxxxx",
    "required": "REQUIRES: here\nRUN: tool",
}
FAILS = {
    "no-match": "RUN: tool %s | filecheck %s\nCHECK: is not {{h}}ere",
    "failed-stage": "RUN: tool --code 1 --print x | filecheck %s\nCHECK: x",
    "failed-first-line": "RUN: tool --code 1\nRUN: tool",
    "not-of-success": "RUN: not tool",
    "not-of-signal": "RUN: not tool --kill",
    "exits-otherwise": "RUN: exits 2 tool --code 1",
    "exits-with-zero": "RUN: exits 1 tool",
    "raises-plainly": "RUN: tool --raise",
    "second-of-and": "RUN: tool && tool --code 1",
    "no-file": "RUN: tool %t.nowhere",
}
OTHERS = {
    "unsupported": ("UNSUPPORTED", "REQUIRES: elsewhere\nRUN: tool --code 1"),
    "expected-failure": ("XFAIL", "XFAIL: *\nRUN: tool --code 1"),
    "no-run-line": ("UNRESOLVED", "CHECK: nothing runs"),
    "syntax": ("UNRESOLVED", "RUN: tool |"),
    "unknown-program": ("FAIL", "RUN: no-such-program"),
}
EXPECTED = {
    **dict.fromkeys(PASSES, "PASS"),
    **dict.fromkeys(FAILS, "FAIL"),
    **{name: verdict for name, (verdict, _) in OTHERS.items()},
}
CASES = {**PASSES, **FAILS, **{name: text for name, (_, text) in OTHERS.items()}}


def verdicts(folder: Path, *options: str) -> dict[str, tuple[str, str]]:
    """Returns lit's verdict and output for every case."""
    goldens = ROOT / "lit-tests"
    (folder / "tool.py").write_text(TOOL)
    (folder / "lit.cfg.py").write_text(CONFIG.format(bin=str(goldens / "bin"), goldens=str(goldens)))
    script = folder / "tool"
    script.write_text(f"#!{sys.executable}\nimport sys\nfrom tool import main\nsys.exit(main())\n")
    script.chmod(0o755)
    for name, text in CASES.items():
        (folder / f"{name}.test").write_text("\n".join(f"// {line}" for line in text.split("\n")) + "\n")
    command = [
        sys.executable,
        "-c",
        "from lit.main import main; main()",
        "-q",
        "-j2",
        "-o",
        str(folder / "report.json"),
        *options,
        str(folder),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (folder / "report.json").exists(), done.stdout + done.stderr
    tests = json.loads((folder / "report.json").read_text())["tests"]
    return {Path(test["name"].split(" :: ")[1]).stem: (test["code"], test["output"]) for test in tests}


@pytest.mark.parametrize("options", [(), ("-D", "slow=1")], ids=["warm", "shell"])
def test_verdicts(tmp_path: Path, options: tuple[str, ...]) -> None:
    found = verdicts(tmp_path, *options)
    wrong = {name: found[name] for name, verdict in EXPECTED.items() if found[name][0] != verdict}
    assert not wrong, "\n".join(
        f"{name}: {code}, not {EXPECTED[name]}\n{text[:2000]}" for name, (code, text) in wrong.items()
    )


def test_report_of_a_failure_says_what_ran(tmp_path: Path) -> None:
    text = verdicts(tmp_path)["failed-stage"][1]
    assert "$ tool --code 1 --print x\n[exit 1]\nwarned" in text
