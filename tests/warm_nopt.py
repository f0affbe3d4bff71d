"""The command `nopt` for tests that run it often: a small script sends each call to a server, which runs it in a warm fork.

A call has the streams, arguments, folder and environment of the script, PYTHONPATH included, and starts as a new process does,
without its imports (`lit-tests/warm.py`). Limits of the shell (`ulimit`, `umask`) have no effect on it.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

sys.path.insert(0, str(Path(__file__).parent.parent / "lit-tests"))
from warm import call, import_nopt

SCRIPT = f"""#!{sys.executable} -IS
import json, os, socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect({{path!r}})
text = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode("utf-8", "surrogateescape")
socket.send_fds(server, [len(text).to_bytes(8, "little")], [0, 1, 2])
server.sendall(text)
sys.exit(int(server.recv(3) or b"70"))  # no code is sent by a call that a signal ends
"""


@contextmanager
def serving(folder: Path) -> Iterator[Path]:
    """Starts a server in an empty folder, and yields the folder of its script `nopt`."""
    path, script = folder / "socket", folder / "nopt"
    script.write_text(SCRIPT.format(path=str(path)), encoding="utf-8")
    script.chmod(0o755)
    with subprocess.Popen([sys.executable, __file__, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        yield folder
        server.stdin.close()  # its sign to end, even if this process is killed


def serve(path: str) -> None:
    """Runs calls until standard input ends."""
    import_nopt()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no call leaves a zombie
    with socket.socket(socket.AF_UNIX) as calls:
        calls.bind(path)
        calls.listen()
        print("ready", flush=True)
        while sys.stdin not in select.select([calls, sys.stdin], [], [])[0]:
            client, _ = calls.accept()
            with client:
                if os.fork() == 0:
                    calls.close()
                    answer(client)


def answer(client: socket.socket) -> NoReturn:
    """Runs one call in this process."""
    from nopt.tools.main import main

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    size, streams, _, _ = socket.recv_fds(client, 8, 3)
    with client.makefile("rb") as reader:
        request: tuple[list[str], str, dict[str, str]] = json.loads(reader.read(int.from_bytes(size, "little")))
    args, folder, environment = request
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:2] = [
        part for part in environment.get("PYTHONPATH", "").split(os.pathsep) if part
    ]  # not the folders of the tests
    code = 70
    try:
        code = call(main, ["nopt", *args])
        client.sendall(str(code).encode())
    finally:
        os._exit(code)


if __name__ == "__main__":
    serve(*sys.argv[1:])
