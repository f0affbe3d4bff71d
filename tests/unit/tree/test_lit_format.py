"""The warm format of the goldens and lit's own shell agree on every verdict."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from extent import some
from places import GOLDENS

CHANGES = """
modules     sys.modules.update(plugin=os)                           # "plugin" in sys.modules
replaced    sys.modules.update(decimal=os)                           # sys.modules["decimal"] is os
paths       sys.path.insert(0, "/plugins")                          # sys.path[0] == "/plugins"
finders     sys.meta_path.append(None)                              # None in sys.meta_path
hook        setattr(sys, "excepthook", print)                       # sys.excepthook is print
recursion   sys.setrecursionlimit(400)                              # sys.getrecursionlimit() == 400
handler     signal.signal(signal.SIGUSR1, signal.SIG_IGN)           # signal.getsignal(signal.SIGUSR1) == signal.SIG_IGN
timer       signal.setitimer(signal.ITIMER_PROF, 100)               # signal.getitimer(signal.ITIMER_PROF)[0] > 0
warnings    warnings.simplefilter("ignore")                         # warnings.filters[0][0] == "ignore"
files       resource.setrlimit(resource.RLIMIT_NOFILE, (99, 99))    # resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 99
random      random.seed(1)                                          # random.Random(1).getstate() == random.getstate()
digits      decimal.getcontext().__setattr__("prec", 5)             # decimal.getcontext().prec == 5
thread      threading.Thread(target=time.sleep, args=[9], daemon=True).start()  # threading.active_count() > 1
opened      os.dup2(1, 77)                                          # os.path.exists("/dev/fd/77")
list        plugins.append("one")                                   # bool(plugins)
class       Registry.names.update(one=1)                            # bool(Registry.names)
variable    globals().update(registered=True)                       # registered
new         globals().update(invented=True)                         # "invented" in globals()
environment os.environ.update(A="b")                                # "A" in os.environ
folder      os.chdir("/")                                           # os.getcwd() == "/"
mask        os.umask(0o777)                                         # os.umask(0) == 0o777
collection  gc.set_threshold(1)                                     # gc.get_threshold()[0] == 1
streams     [stream.close() for stream in (sys.stdin, sys.stdout)]  # sys.stdin.closed
nothing     None                                                    # False
"""
"""Changes that a command can make to its process: the name, the statement, and the test by a later command."""

RESTORED = frozenset(["environment", "folder", "mask", "collection", "streams", "nothing"])
"""Changes that are restored before the next command, which needs no new process."""

# A replacement of the driver: copies its input, fails in a given way, or changes its process.
TOOL = """
import decimal, gc, os, random, resource, signal, sys, threading, time, warnings

count = 0
plugins = []
registered = False

class Registry:
    names = {}

def main():
    global count
    args = sys.argv[1:]
    if "--make" in args:
        eval(args[1])
        return 0
    elif "--find" in args:
        print("changed" if eval(args[1]) else "nothing")
    elif "--pid" in args:
        print("<%d>" % os.getpid(), end="")
    elif "--sleep" in args:
        time.sleep(float(args[1]))
        print("awake")
    elif "--warn" in args:
        warnings.warn("shown")
    elif "--exit" in args:
        os._exit(3)
    elif "--print" in args:
        print(args[args.index("--print") + 1])
    elif "--bytes" in args:
        sys.stdout.buffer.write(b"r\\xc3\\xa9sum\\xc3\\xa9\\n")
    elif "--count" in args:
        count += 1
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
    config.test_format = ForkTest({{"tool": tool.main, "filecheck": filecheck.main.main}}, seconds=2)
"""

LEFT = [re.fullmatch(r"(\w+) +(.*?) +# (.*)", line).groups() for line in CHANGES.strip().splitlines()]
PIDS = "RUN: tool --pid > %t\nRUN: tool --pid >> %t"
SAME = "filecheck %s --input-file %t\nCHECK: <[[PID:[0-9]+]]><[[PID]]>"
FIND = """tool --find 'os.environ.get("A") == "b"'"""
EMPTY = "RUN: tool --make None > %t\nRUN: not test -s %t"

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
    "environment-of-tool": f"RUN: env A=b {FIND} | filecheck %s\nRUN: {FIND} | filecheck %s --check-prefix=NO\nCHECK: changed\nNO: nothing",
    "folder": "RUN: mkdir -p %t.dir && cd %t.dir && tool --count | filecheck %s\nRUN: tool --count | filecheck %s\nCHECK: in folder.test",
    "pattern": "RUN: tool --print kept > %t.1 && tool %t.* | filecheck %s\nCHECK: kept",
    "substituted": "RUN: tool --print %shared | filecheck %s\nCHECK: a/folder\n",
    "large": "RUN: tool --large | tool | filecheck %s\nCHECK: xxxxxx",
    "required": "REQUIRES: here\nRUN: tool",
    "after-exit": "RUN: exits 3 tool --exit\nRUN: tool --print x | filecheck %s\nCHECK: x",
    "after-signal": "RUN: tool --kill || tool --print x | filecheck %s\nCHECK: x",
    "after-exit-of-second": "RUN: tool | exits 3 tool --exit\nRUN: tool --print x | tool | filecheck %s\nCHECK: x",
    "in-time": "RUN: tool --sleep 1.2\nRUN: tool --sleep 1.2",
    "warned-again": "RUN: tool --warn\nRUN: tool --warn 2>&1 | filecheck %s\nCHECK: shown",
    "separate": f"SEPARATE: it has a reason\n{PIDS}\nRUN: not {SAME}",
    "alone": f"{PIDS} --load-target=x\nRUN: not {SAME}",
    **{
        f"leaves-{name}": f"RUN: tool --make '{made}'\nRUN: tool --find '{found}' | filecheck %s\nCHECK: nothing"
        for name, made, found in LEFT
    },
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
WARM = {
    "no-reader": ("PASS", f"RUN: not tool --large | sh -c 'exit 0'\n{EMPTY}"),
    "no-reader-at-the-end": ("PASS", f"RUN: exits 120 tool --sleep 1 | sh -c 'exit 0'\n{EMPTY}"),
    "shared": ("PASS", f"{PIDS}\nRUN: {SAME}"),
    "shared-by-second": ("PASS", f"{PIDS.replace('tool', 'tool --make None | tool')}\nRUN: {SAME}"),
    "too-long": ("TIMEOUT", "RUN: tool --print x\nRUN: tool --sleep 5"),
    "program-too-long": ("TIMEOUT", "RUN: sleep 5"),
    **{
        f"process-after-{name}": (
            "PASS" if name in RESTORED else "FAIL",
            f"RUN: tool --pid > %t\nRUN: tool --make '{made}'\nRUN: tool --pid >> %t\nRUN: {SAME}",
        )
        for name, made, _ in LEFT
    },
}
"""Verdicts that lit's own shell does not have: its commands have no process in common, no limit of time, and always a reader."""
EXPECTED = {
    **dict.fromkeys(PASSES, "PASS"),
    **dict.fromkeys(FAILS, "FAIL"),
    **{name: verdict for name, (verdict, _) in OTHERS.items()},
}
LEAVES = [name for name in PASSES if name.startswith("leaves-")]
IN_SHELL = {name: verdict for name, verdict in EXPECTED.items() if name not in LEAVES or name in some(LEAVES, 8)}
"""Verdicts of lit's own shell. Its commands are new processes, as in `test_a_process_finds_what_it_left_behind`."""
CASES = {**PASSES, **FAILS, **{name: text for name, (_, text) in {**OTHERS, **WARM}.items()}}


def verdicts(folder: Path, *options: str) -> dict[str, tuple[str, str]]:
    """Returns lit's verdict and output for every case."""
    goldens = GOLDENS
    (folder / "tool.py").write_text(TOOL)
    (folder / "lit.cfg.py").write_text(CONFIG.format(bin=str(goldens / "bin"), goldens=str(goldens)))
    packages = [str(folder), *(path for path in sys.path if path.endswith("site-packages"))]
    for name, module in (("tool", "tool"), ("filecheck", "filecheck.main")):
        script = folder / name
        lines = [f"#!{sys.executable} -IS", "import sys", f"sys.path += {packages}", f"from {module} import main"]
        script.write_text("\n".join([*lines, "sys.exit(main())", ""]))
        script.chmod(0o755)
    for name, text in CASES.items() if not options else ((name, CASES[name]) for name in IN_SHELL):
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


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str]]:
    """Returns the verdicts and outputs of the warm format."""
    return verdicts(tmp_path_factory.mktemp("warm"))


def check(found: dict[str, tuple[str, str]], expected: dict[str, str]) -> None:
    wrong = {name: found[name] for name, verdict in expected.items() if found[name][0] != verdict}
    assert not wrong, "\n".join(
        f"{name}: {code}, not {expected[name]}\n{text[:2000]}" for name, (code, text) in wrong.items()
    )


def test_verdicts_of_the_warm_format(warm: dict[str, tuple[str, str]]) -> None:
    check(warm, {**EXPECTED, **{name: verdict for name, (verdict, _) in WARM.items()}})


@pytest.mark.parametrize(("made", "found"), [(made, found) for name, made, found in LEFT if name != "nothing"])
def test_a_process_finds_what_it_left_behind(made: str, found: str) -> None:
    text = f"{TOOL}\nassert not ({found})\n{made}\nos._exit(7 if {found} else 0)"
    assert subprocess.run([sys.executable, "-IS", "-c", text], check=False).returncode == 7


def test_verdicts_of_the_shell(tmp_path: Path) -> None:
    check(verdicts(tmp_path, "-D", "slow=1"), IN_SHELL)


def test_report_of_a_failure_says_what_ran(warm: dict[str, tuple[str, str]]) -> None:
    assert "$ tool --code 1 --print x\n[exit 1]\nwarned" in warm["failed-stage"][1]
    assert "$ not tool --kill\n[exit -9]\n" in warm["not-of-signal"][1]
    assert "$ tool --sleep 5\n[exit -14]\n" in warm["too-long"][1]
