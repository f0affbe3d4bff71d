"""Warm start of nopt: a process that has imported all of it calls its commands in forks, which start as a new process does.

Shells find a small script `nopt` that sends each call to a server. A call has the streams, arguments, folder and environment of
the script, PYTHONPATH included. Limits of the shell (`ulimit`, `umask`) have no effect on it. Where the imports are not what is
tested, `warm-python` runs Python files in the same way.
"""

from __future__ import annotations

import ctypes
import gc
import marshal
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

ROOMS = ("core", "frontends", "dialects", "analysis", "passes", "simulation", "targets", "api", "tools")
LATE = (
    "encodings.ascii",
    "encodings.cp437",
    "encodings.utf_8_sig",
    "h5py",
    "jinja2",
    "lark",
    "matplotlib.backends.backend_agg",
    "matplotlib.backends.backend_svg",
    "matplotlib.figure",
    "nir",
    "onnx",
    "numpy.ma",
    "rich.console",
    "xdsl.dialects.func",
    "xdsl.dialects.test",
    "xdsl.transforms.canonicalize",
    "xdsl.transforms.common_subexpression_elimination",
    "xdsl.transforms.dead_code_elimination",
    "xdsl.xdsl_opt_main",
)
"""The modules that nopt imports inside of functions."""
NOT_IMPORTED = ("nopt.core.universe",)
"""The module that xDSL's tools import; it looks for plug-ins, which are other ones in each call of nopt."""

COLLAPSE = 25
"""The advice of Linux 6.1 to put memory into huge pages (`MADV_COLLAPSE`)."""

EXAMPLES = Path(__file__).parent.parent / "examples"
"""The folder of the example networks."""

LANGUAGES = ("nopt.core.contract.contract", "nopt.core.neuron.neuron", "nopt.core.synapse.synapse")

Entry = Callable[[], int | None]
"""The function behind a console script: takes its arguments from `sys.argv`, returns or exits with its code."""

SCRIPT = f"""#!{sys.executable} -IS
import _socket, marshal, posix, sys
server = _socket.socket(_socket.AF_UNIX)
server.connect({{path!r}})
data = marshal.dumps(([sys.argv[0].rpartition("/")[2], *sys.argv[1:]], posix.getcwd(), posix.environ))
streams = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
server.sendmsg([len(data).to_bytes(8, "little")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
server.sendall(data)
sys.exit(int(server.recv(3) or b"70"))  # no code is sent by a call that a signal ends
"""
"""It imports only modules that are part of the interpreter, which halves its time."""


def import_nopt() -> None:
    """Imports all modules of nopt, builds the parsers of its languages, and parses its own files of exporters, presets and neurons.

    It also reads and checks the example networks. What functions cache of them depends on files alone. No other state is prepared, so that a
    fork starts as a process does. The names of plug-ins are forgotten.
    """
    gc.disable()  # imported modules stay
    packages = [import_module(f"nopt.{room}") for room in ROOMS]
    names = [
        module.name
        for package in packages
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.", onerror=lambda name: None)
    ]
    for name in sorted({*names, *LATE} - {*NOT_IMPORTED}):
        with suppress(Exception):  # the command that needs the module fails, not all of them
            import_module(name)
    for name in LANGUAGES:
        module = import_module(name)
        _ = module.LANGUAGE.parser if hasattr(module, "LANGUAGE") else module.parser()
    from nopt.analysis import exporters, presets
    from nopt.core import registry
    from nopt.core.neuron.neuron import check_neuron, parse_neurons

    for name in registry.exporters():
        exporters.load_exporter(name)
    for path in sorted(registry.ROOT.glob("passes/discretize/presets/*.neuron")):
        presets.read_neuron_file(path)
    for path in sorted(
        registry.ROOT.glob("passes/legalize/neurons/*.neuron")
    ):  # as a device that names the file reads them
        parse_neurons("\n".join(path.read_text(encoding="utf-8").splitlines()), path.stem)
    for path in sorted(registry.ROOT.glob("targets/*/devices/*.neuron")):
        for neuron in parse_neurons("\n".join(path.read_text(encoding="utf-8").splitlines()), str(path)).neurons:
            check_neuron(neuron)
    check_examples()
    gc.collect()
    gc.freeze()
    gc.enable()
    use_huge_pages()


def check_examples() -> None:
    """Reads the example networks, and checks one network for all devices of nopt."""
    from nopt import api
    from nopt.core.diagnostics import Diagnostics

    paths = sorted(EXAMPLES.glob("*/*.nir"))
    for path in paths:
        api.read(path, diagnostics=Diagnostics())
    api.check(paths[0], target="all")


def search(folders: str) -> None:
    """Adds the folders of `PYTHONPATH` to those that are searched for modules, and forgets all that depends on the plug-ins in them."""
    from nopt.core import explanations, plugins, registry

    found = [part for part in folders.split(os.pathsep) if part]
    if not found:
        return
    sys.path[:0] = found
    registry.forget_names()
    plugins.installed_plugins.cache_clear()
    explanations.explanations.cache_clear()
    for name in NOT_IMPORTED:
        sys.modules.pop(name, None)


def use_huge_pages() -> None:
    """Puts the memory of this process into huge pages, so that a fork copies fewer page tables. Systems without them change nothing."""
    maps, library = Path("/proc/self/maps"), ctypes.CDLL(None)
    for line in maps.read_text(encoding="utf-8").splitlines() if maps.is_file() else ():
        bounds, rights, *_, inode, name = f"{line} ".split(" ", 5)
        if rights == "rw-p" and inode == "0" and name.strip() in ("", "[heap]"):
            first, end = (int(bound, 16) for bound in bounds.split("-"))
            library.madvise(ctypes.c_void_p(first), ctypes.c_size_t(end - first), COLLAPSE)


def compile_quickly() -> None:
    """Lowers the level of optimisation of networks that this process compiles, which halves the time of the compiler.

    No level changes a bit of a result; the tests in `tests/target/c` compile as users do.
    """
    from nopt.targets.c import compiler

    compiler.WANTED = ("-O1", *compiler.WANTED[1:])


def call(entry: Entry, args: Sequence[str], streams: Sequence[int] = (0, 1, 2)) -> int:
    """Calls a console script's function in this process, as the script would, and returns the exit code.

    `streams` are the file descriptors of its input, output and errors.
    """
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 (they live as long as the process)
        for number, mode in zip(streams, ("r", "w", "w"), strict=True)
    )
    sys.argv = list(args)
    try:
        left: Any = entry()
    except SystemExit as exit:
        left = exit.code
    except BaseException:
        traceback.print_exc()
        left = 1
    if left is not None and not isinstance(left, int):
        print(left, file=sys.stderr)
        left = 1
    for stream in (sys.stdout, sys.stderr):
        if stream.closed:
            continue
        try:
            stream.flush()
        except BrokenPipeError:
            left = left or 120  # the exit code of Python itself
    return (left or 0) & 0xFF


def run_python() -> None:
    """Runs `python FILE`, `python -c TEXT` or `python -m MODULE`; other options start a new interpreter.

    The module `__main__` and the folders that are searched for modules are restored, so that the process can run other commands afterwards.
    """
    main, folders = sys.modules["__main__"], list(sys.path)
    try:
        match sys.argv[1:]:
            case ["-c", text, *rest]:
                sys.argv[:], sys.path[:0] = ["-c", *rest], [""]
                sys.modules["__main__"] = own = ModuleType("__main__")
                exec(compile(text, "<string>", "exec"), own.__dict__)
            case ["-m", name, *rest]:
                sys.argv[:], sys.path[:0] = [name, *rest], [os.getcwd()]
                runpy.run_module(name, run_name="__main__", alter_sys=True)
            case [file, *rest] if not file.startswith("-"):
                sys.argv[:], sys.path[:0] = [file, *rest], [str(Path(file).resolve().parent)]
                runpy.run_path(file, run_name="__main__")
            case _:
                os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
    finally:
        sys.modules["__main__"], sys.path[:] = main, folders


def run_nopt() -> int:
    from nopt.tools.main import main

    return main()


# ---- server


PROGRAMS: dict[str, Entry] = {"nopt": run_nopt, "warm-python": run_python}
"""Entries of the scripts."""


def listen(folder: Path) -> socket.socket:
    """Writes the scripts to a folder, and returns the socket of their calls."""
    path = folder / "socket"
    for name in PROGRAMS:
        script = folder / name
        script.write_text(SCRIPT.format(path=str(path)), encoding="utf-8")
        script.chmod(0o755)
    calls = socket.socket(socket.AF_UNIX)
    calls.bind(str(path))
    calls.listen()
    return calls


def serve(calls: socket.socket, end: int) -> NoReturn:
    """Runs calls, each in a fork, until the file descriptor `end` is closed by all who write to it."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no call leaves a zombie
    while end not in select.select([calls, end], [], [])[0]:
        client, _ = calls.accept()
        with client:
            if os.fork() == 0:
                calls.close()
                answer(client)
    os._exit(0)


def send(
    channel: socket.socket, args: Sequence[str], folder: str, environment: Mapping[str, str], streams: Sequence[int]
) -> None:
    """Sends one call as the script does; `streams` are the file descriptors of its input, output and errors."""
    variables = {os.fsencode(name): os.fsencode(value) for name, value in environment.items()}
    data = marshal.dumps((list(args), folder, variables))
    socket.send_fds(channel, [len(data).to_bytes(8, "little")], streams)
    channel.sendall(data)


def receive(channel: socket.socket) -> list[str]:
    """Takes over the streams, folder and environment of one call, and returns its arguments."""
    size, streams, _, _ = socket.recv_fds(channel, 8, 3)
    with channel.makefile("rb") as reader:
        request: tuple[list[str], str, dict[bytes, bytes]] = marshal.loads(reader.read(int.from_bytes(size, "little")))
    args, folder, environment = request
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environb.clear()
    os.environb.update(environment)
    return args


def answer(client: socket.socket) -> NoReturn:
    """Runs one call in this process."""
    code = 70
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        args = receive(client)
        search(os.environ.get("PYTHONPATH", ""))
        code = call(PROGRAMS[args[0]], args)
        client.sendall(str(code).encode())
    finally:
        os._exit(code)


def fork_server(folder: Path) -> None:
    """Forks a server of this process, which has imported nopt; it ends after this process and its other forks."""
    calls, (end, kept) = listen(folder), os.pipe()
    if os.fork() == 0:
        os.close(kept)
        serve(calls, end)
    os.close(end)
    calls.close()


@contextmanager
def serving(folder: Path, python: str | Path = sys.executable) -> Iterator[Path]:
    """Starts a server in a new process of an interpreter, and yields the folder of its script."""
    with subprocess.Popen([python, __file__, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        yield folder
        server.stdin.close()


if __name__ == "__main__":
    import_nopt()
    compile_quickly()
    waiting = listen(Path(sys.argv[1]))
    print("ready", flush=True)
    del sys.path[0]  # this folder
    serve(waiting, sys.stdin.fileno())
