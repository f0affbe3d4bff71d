"""The cache of compiled programs: its content, and refusal of code that another user could have written."""

from __future__ import annotations

import gc
import os
import shlex
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

import numpy as np
import pytest
from programs import needs_compiler
from test_c_native import leaky

from nopt.api.running.run import execute
from nopt.core.cache import private_files as cache
from nopt.core.diagnostics import Diagnostics, Severity
from nopt.targets.c import compiler, library
from nopt.targets.c.library import load_library
from nopt.targets.c.source import generate

OTHER = 4242
"""The id of another user."""
is_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "nopt" / "native"


@pytest.fixture
def no_umask() -> Iterator[None]:
    old = os.umask(0)
    yield
    os.umask(old)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def give_folder_away(folder: Path) -> None:
    os.chown(folder, OTHER, OTHER)


def give_file_away(folder: Path) -> None:
    for path in folder.iterdir():
        os.chown(path, OTHER, OTHER)


def open_folder_to_all(folder: Path) -> None:
    folder.chmod(0o777)


def open_file_to_all(folder: Path) -> None:
    for path in folder.iterdir():
        path.chmod(0o666)


def open_file_to_group(folder: Path) -> None:
    for path in folder.iterdir():
        path.chmod(0o660)


# ---- code of other users


@needs_compiler
def test_files_are_private_whatever_the_umask(folder: Path, no_umask: None) -> None:
    load_library(generate(leaky()))
    assert mode_of(folder) == mode_of(folder.parent) == 0o700
    assert {mode_of(path) for path in folder.iterdir()} == {0o600}


@needs_compiler
def test_an_open_folder_made_earlier_gets_private_files(folder: Path, no_umask: None) -> None:
    folder.mkdir(mode=0o755, parents=True)
    folder.chmod(0o755)
    load_library(generate(leaky()))
    assert {mode_of(path) for path in folder.iterdir()} == {0o600}


@needs_compiler
@pytest.mark.parametrize(
    ("open_to_others", "reason", "help"),
    [
        (open_folder_to_all, "other users can write to the folder: its mode is 0777", "chmod -R go-w"),
        (open_file_to_all, "other users can write to the file: its mode is 0666", "chmod -R go-w"),
        (open_file_to_group, "other users can write to the file: its mode is 0660", "chmod -R go-w"),
        pytest.param(give_folder_away, f"the folder belongs to user {OTHER}", "mv", marks=is_root),
        pytest.param(give_file_away, f"the file belongs to user {OTHER}", "mv", marks=is_root),
    ],
)
def test_code_of_others_is_not_run(
    open_to_others: Callable[[Path], None], reason: str, help: str, folder: Path
) -> None:
    """The library of another network is stored under the name of this one with a correct digest; it must not be called."""
    x, module = np.full((9, 3), 3.0), leaky().parent_op()
    wanted = execute(module, x, engine="native").arrays["out"]
    (path,) = folder.glob("*.so")
    path.write_bytes((content := b"\x7fELF code of another user") + cache.content_digest(content))
    open_to_others(folder)
    assert cache.user_cache("native").read(path.name) is None
    found = Diagnostics()
    result = execute(module, x, engine="native", diagnostics=found)
    assert np.array_equal(result.arrays["out"], wanted)
    (remark,) = found.findings
    assert (remark.code.id, remark.severity, remark.found) == ("CSR019", Severity.REMARK, reason)
    assert remark.at == str(folder)
    assert (remark.help or "").startswith(help)


@needs_compiler
def test_the_remark_goes_when_its_help_was_typed(folder: Path) -> None:
    module, x = leaky().parent_op(), np.ones((3, 3))
    load_library(generate(leaky()))
    open_folder_to_all(folder)
    found = Diagnostics()
    execute(module, x, engine="native", diagnostics=found)
    subprocess.run(found.findings[0].help or "", shell=True, check=True)
    again = Diagnostics()
    execute(module, x, engine="native", diagnostics=again)
    assert not again.findings


@pytest.mark.parametrize("kind", ["directory", "pipe", "link", "dangling"])
def test_what_is_no_file_is_not_read(kind: str, tmp_path: Path) -> None:
    kept = cache.Cache(tmp_path / "kept")
    assert kept.keep("other", bytes(300))
    path = tmp_path / "kept" / "a.so"
    match kind:
        case "directory":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "link":
            path.symlink_to("other")
        case _:
            path.symlink_to("nothing")
    assert kept.read("a.so") is None
    assert kept.keep("a.so", b"new" * 100) is (kind != "directory")
    assert kept.read("other") == bytes(300)


# ---- content of the cache


def test_the_oldest_goes(tmp_path: Path) -> None:
    kept = cache.Cache(tmp_path / "kept", limit_bytes=900)
    for second, name in enumerate("abc"):
        assert kept.keep(name, bytes(300))
        os.utime(tmp_path / "kept" / name, (second, second))
        assert kept.read("a") is not None  # used, so it stays
    with kept.open_folder() as opened:
        kept.shrink("c", opened)
    assert [path.name for path in sorted((tmp_path / "kept").iterdir())] == ["a", "c"]
    assert kept.read("a") == bytes(300)
    assert kept.read("b") is None
    assert kept.keep("huge", bytes(5000))
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["huge"]


# ---- compilations that are interrupted


def script(folder: Path, seconds: float) -> Path:
    """A compiler that waits before it compiles a network, and leaves a mark in its folder while it does."""
    known = compiler.find_compiler().compiler
    assert known is not None
    path = folder / "slow-cc"
    wait = f'case "$word" in net.c) echo $$ > "{folder / "started"}"; sleep {seconds};; esac'
    path.write_text(f'#!/bin/sh\nfor word in "$@"; do {wait}; done\nexec {shlex.join(known.command)} "$@"\n')
    path.chmod(0o700)
    return path


def start(root: Path, tmp_path: Path, cc: Path, *command: Path | str) -> subprocess.Popen[str]:
    """Runs a network in C by a command that runs nopt, in a session of its own."""
    np.save(tmp_path / "x.npy", np.full((30, 2), 30.0))
    return subprocess.Popen(
        [*command, *run_arguments(root, tmp_path / "x.npy"), "--engine", "native"],
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "CC": str(cc)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def run_arguments(root: Path, x: Path) -> list[str]:
    return ["run", str(root / "lit-tests/tools/inputs/lif.mlir"), "--dt", "1ms", "--like", "norse", "--input", str(x)]


def spikes(process: subprocess.Popen[str]) -> list[str]:
    """Returns the row of the output that a run prints."""
    printed, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    return output_row(printed)


def output_row(printed: str) -> list[str]:
    (row,) = [line.split() for line in printed.splitlines() if line.startswith("output")]
    assert float(row[3]) > 0  # the network spikes
    return row


def libraries(folder: Path) -> list[Path]:
    """Returns the complete compiled programs of a cache, and checks that no partial file exists."""
    assert not list(folder.glob(".*"))
    found = list(folder.glob("*.so"))
    assert all(cache.Cache(path.parent).read(path.name) is not None for path in found)
    return found


@needs_compiler
def test_a_killed_compilation_leaves_no_program(root: Path, tmp_path: Path, folder: Path, nopt_folder: Path) -> None:
    killed = start(root, tmp_path, script(tmp_path, 60), sys.executable, "-m", "nopt.tools.main")
    try:
        deadline = monotonic() + 60
        while not (tmp_path / "started").exists():
            assert killed.poll() is None
            assert monotonic() < deadline
            sleep(0.05)
        killed.kill()
        assert killed.wait(60) == -signal.SIGKILL
    finally:
        os.killpg(int((tmp_path / "started").read_text()), signal.SIGKILL)  # the compiler goes on without the command
    assert libraries(folder) == []
    spikes(start(root, tmp_path, script(tmp_path, 0), nopt_folder / "nopt"))
    assert len(libraries(folder)) == 1


@needs_compiler
def test_a_damaged_program_is_compiled_anew(root: Path, tmp_path: Path, folder: Path, nopt_folder: Path) -> None:
    cc = script(tmp_path, 0)
    row = spikes(start(root, tmp_path, cc, nopt_folder / "nopt"))
    (path,) = libraries(folder)
    whole = path.read_bytes()
    flipped = bytes([*whole[:-1], whole[-1] ^ 1])
    for damaged in (b"", whole[: len(whole) // 2], whole[:-1], flipped):
        path.write_bytes(damaged)
        (tmp_path / "started").unlink()
        assert spikes(start(root, tmp_path, cc, nopt_folder / "nopt")) == row
        assert (tmp_path / "started").exists()  # compiled
        assert libraries(folder) == [path]


@needs_compiler
def test_processes_compile_one_network_at_once(root: Path, tmp_path: Path, folder: Path, nopt_folder: Path) -> None:
    cc = script(tmp_path, 2)
    rows = [spikes(process) for process in [start(root, tmp_path, cc, nopt_folder / "nopt") for _ in range(3)]]
    assert rows[0] == rows[1] == rows[2]
    assert len(libraries(folder)) == 1


def test_a_compiler_that_hangs_is_given_up(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "hanging-cc"
    path.write_text("#!/bin/sh\nexec sleep 100\n")
    path.chmod(0o700)
    monkeypatch.setattr(compiler, "SECONDS", 0.2)
    monkeypatch.setenv("CC", str(path))
    found = compiler.find_compiler()
    assert found.compiler is None
    assert found.reason == f"{path}: it does not end within 0.2 s"
    assert not folder.exists()


def test_a_compiler_that_hangs_is_ended_with_its_processes(tmp_path: Path) -> None:
    path = tmp_path / "wrapper-cc"
    path.write_text("#!/bin/sh\nsleep 1000 &\necho $! > child\nwait\n")
    path.chmod(0o700)
    with pytest.raises(subprocess.TimeoutExpired):
        compiler.run_compiler([str(path)], tmp_path, 1)
    child = int((tmp_path / "child").read_text())
    deadline = monotonic() + 10
    while is_running(child):
        assert monotonic() < deadline
        sleep(0.05)


def is_running(process: int) -> bool:
    """Returns whether a process runs; one that has ended can remain until it is collected."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


# ---- the environment


@pytest.mark.parametrize(
    "settings",
    [
        {"HOME": None, "XDG_CACHE_HOME": None},
        {"HOME": "rel", "XDG_CACHE_HOME": None},
        {"HOME": "{file}", "XDG_CACHE_HOME": None},
        {"XDG_CACHE_HOME": "rel"},
        {"XDG_CACHE_HOME": "{file}"},
        {"XDG_CACHE_HOME": "{loop}"},
        {"XDG_CACHE_HOME": "/" + "x" * 5000},
        {"XDG_CACHE_HOME": "{here}/a\nb"},
        {"TMPDIR": "{here}/missing"},
        {"CC": "{here}"},
        {"CC": "true"},
        {"CC": "cc -ffast-math"},
        {"CC": "'cc"},
    ],
    ids=str,
)
def test_runs_in_odd_environments(
    settings: dict[str, str | None], root: Path, tmp_path: Path, nopt_folder: Path
) -> None:
    here, file, loop, work = (tmp_path / name for name in ("here", "file", "loop", "work"))
    here.mkdir()
    work.mkdir()
    file.write_text("no folder")
    loop.symlink_to(loop)
    np.save(tmp_path / "x.npy", np.full((30, 2), 30.0))
    own = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    for name, value in settings.items():
        own.pop(name, None)
        if value is not None:
            own[name] = value.format(here=here, file=file, loop=loop)
    command = [nopt_folder / "nopt", *run_arguments(root, tmp_path / "x.npy")]
    done = subprocess.run(command, env=own, cwd=work, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not done.stderr or done.stderr.startswith("remark[RUN016]")
    output_row(done.stdout)
    assert list(work.iterdir()) == []


@pytest.mark.parametrize("damage", ["none", "short", "changed"])
def test_a_copy_is_whole_or_absent(damage: str, tmp_path: Path) -> None:
    kept, path = cache.Cache(tmp_path / "kept"), tmp_path / "kept" / "a.so"
    (tmp_path / "source").write_bytes(content := bytes(range(256)) * 9000)  # several blocks
    assert kept.keep("a.so", tmp_path / "source")
    assert kept.read("a.so") == content
    if damage == "short":
        path.write_bytes(path.read_bytes()[:-40])
    if damage == "changed":
        path.write_bytes(b"x" + path.read_bytes()[1:])
    digest = kept.copy("a.so", copied := tmp_path / "copied")
    if damage == "none":
        assert (digest, copied.read_bytes()) == (cache.content_digest(content), content)
    else:
        assert digest is None
        assert not copied.exists()


@needs_compiler
def test_a_large_program_is_unloaded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "LARGE_BYTES", 0)
    opened = library._LARGE
    before = len(opened)
    first, second = load_library(generate(leaky())), load_library(generate(leaky()))
    assert len(opened) == before + 1
    del first
    gc.collect()
    assert len(opened) == before + 1
    assert second.instance().save()
    del second
    gc.collect()
    assert len(opened) == before
