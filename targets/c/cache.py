"""Where compiled programs are kept: the user's cache folder, `nopt/native`, in files that are whole or not there.

A file ends in a digest of the rest, so that one that was cut off or changed is known and made anew. Writing goes beside and renames, so
that several processes may make the same file at once. Where the folder cannot be written, or others may write to it, nothing is kept.

Source: XDG Base Directory Specification 0.8, `XDG_CACHE_HOME`.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from attrs import frozen

LIMIT_BYTES = 2**30
"""What the folder may hold; beyond it, what was not used for longest goes."""
DIGEST_BYTES = 32


@frozen
class Cache:
    """A folder of files by name."""

    folder: Path
    limit_bytes: int = LIMIT_BYTES

    def find(self, name: str) -> Path | None:
        """The file of that name, if it is there and whole; it counts as used now."""
        path = self.folder / name
        try:
            if not is_private(self.folder) or not is_whole(path.read_bytes()):
                return None
            os.utime(path)
        except OSError:
            return None
        return path

    def keep(self, name: str, content: bytes) -> Path | None:
        """Writes a file, and makes room for it; None where that cannot be done."""
        path = self.folder / name
        beside = self.folder / f".{name}.{os.getpid()}.tmp"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not is_private(self.folder):
                return None
            beside.write_bytes(sealed(content))
            beside.replace(path)
            self.shrink(path)
        except OSError:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
            return None
        return path

    def read(self, name: str) -> bytes | None:
        """What was kept under that name."""
        path = self.find(name)
        try:
            return None if path is None else path.read_bytes()[:-DIGEST_BYTES]
        except OSError:
            return None

    def shrink(self, newest: Path) -> None:
        """Removes what was not used for longest, until the rest is within the limit; never the newest."""
        found: list[tuple[int, int, Path]] = []
        for path in self.folder.iterdir():
            try:
                status = path.stat()
            except OSError:  # another process removed it
                continue
            if path != newest and stat.S_ISREG(status.st_mode):
                found.append((status.st_mtime_ns, status.st_size, path))
        left = self.limit_bytes - newest.stat().st_size
        for _, size, path in sorted(found, reverse=True):
            left -= size
            if left < 0:
                path.unlink(missing_ok=True)


def user_cache() -> Cache:
    """The cache of the user who runs nopt."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    folder = Path(home) if Path(home).is_absolute() else Path("~/.cache").expanduser()
    return Cache(folder / "nopt" / "native")


def sealed(content: bytes) -> bytes:
    """Content and its digest. What loads shared libraries reads by their headers, and does not mind."""
    return content + blake2b(content, digest_size=DIGEST_BYTES).digest()


def is_whole(data: bytes) -> bool:
    content = memoryview(data)[:-DIGEST_BYTES]
    return len(data) > DIGEST_BYTES and blake2b(content, digest_size=DIGEST_BYTES).digest() == data[-DIGEST_BYTES:]


def is_private(folder: Path) -> bool:
    """Whether nobody else can put code there that we would run."""
    status = folder.stat()
    owner = getattr(os, "getuid", lambda: status.st_uid)()
    return status.st_uid == owner and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
