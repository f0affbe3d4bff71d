"""Private files in the user's cache folder, `nopt/NAME`, which are complete or absent.

Some contain code that nopt runs. A folder or a file that belongs to another user, or that another user can write to, is therefore not
used; `unsafe_reason` returns the reason. Owner and mode are read from the opened folder and the opened file, never from their names, and the
content is read from that same opened file. Files are created with mode 0600 and folders with mode 0700, whatever the umask.

A file ends in a digest of its content, so a truncated or damaged file is detected and rebuilt. The digest protects against accidents
only: anyone can compute it. A file is written under a temporary name and renamed, so several processes can write the same file.

Source: XDG Base Directory Specification 0.8, `XDG_CACHE_HOME`.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from attrs import frozen

LIMIT_BYTES = 2**30
"""Maximal size of all files together; beyond it, the least recently used files are removed."""
DIGEST_BYTES = 32
BLOCK_BYTES = 2**20
"""Bytes of a file that are copied at once."""
FOLDER_MODE, FILE_MODE = 0o700, 0o600
READ_FOLDER = os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_DIRECTORY", 0)
READ_FILE = os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Refuses links, and does not wait for the writer of a pipe."""
CREATE_FILE = os.O_WRONLY | os.O_CLOEXEC | os.O_CREAT | os.O_EXCL


class Untrusted(OSError):
    """A folder or a file that another user can change."""


@frozen
class Cache:
    """A folder of files by name; without a folder nothing is stored."""

    folder: Path | None
    limit_bytes: int = LIMIT_BYTES

    def read(self, name: str) -> bytes | None:
        """Returns the content of a file if it exists, is complete and private; marks the file as used."""
        try:
            with self.open_folder() as folder, open_private(name, READ_FILE, folder) as file:
                size = os.fstat(file).st_size - DIGEST_BYTES
                with open(file, "rb", closefd=False) as stream:
                    content, end = stream.read(max(0, size)), stream.read(DIGEST_BYTES)
                if size <= 0 or content_digest(content) != end:
                    return None
                os.utime(file)
                return content
        except OSError:
            return None

    def copy(self, name: str, path: Path) -> bytes | None:
        """Copies the content of such a file to a new private file, a block at a time, and returns its digest; None if the file is absent or invalid."""
        try:
            with self.open_folder() as folder, open_private(name, READ_FILE, folder) as file:
                size = os.fstat(file).st_size - DIGEST_BYTES
                with open(file, "rb", closefd=False) as stream:
                    digest = write_private(str(path), blocks_of(stream, size))
                    is_complete = size > 0 and digest == stream.read(DIGEST_BYTES)
                if not is_complete:
                    path.unlink()
                    return None
                os.utime(file)
                return digest
        except OSError:
            return None

    def keep(self, name: str, content: bytes | Path) -> bool:
        """Writes a file, also with the content of another file, and removes old files beyond the limit. Returns whether the file exists now."""
        beside = f".{name}.{token_hex(8)}.tmp"
        try:
            if self.folder is not None:
                make_folder(self.folder)
            with self.open_folder() as folder:
                try:
                    if isinstance(content, Path):
                        with open(content, "rb") as stream:
                            write_private(beside, blocks_of(stream), folder, has_digest=True)
                    else:
                        write_private(beside, [content], folder, has_digest=True)
                    os.rename(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
                except OSError:
                    with suppress(OSError):
                        os.unlink(beside, dir_fd=folder)
                    raise
                self.shrink(name, folder)
        except OSError:
            return False
        return True

    def remove(self, name: str) -> None:
        """Removes a file that cannot be used."""
        with suppress(OSError), self.open_folder() as folder:
            os.unlink(name, dir_fd=folder)

    def unsafe_reason(self, name: str) -> str | None:
        """Returns why the folder, or the file of that name in it, is not used; None if both are private or absent."""
        try:
            with self.open_folder() as folder, open_private(name, READ_FILE, folder):
                return None
        except Untrusted as reason:
            return str(reason)
        except OSError:
            return None

    @contextmanager
    def open_folder(self) -> Generator[int]:
        """Opens the folder. Errors: Untrusted; OSError it cannot be opened."""
        if self.folder is None:
            raise FileNotFoundError("the user has no cache folder")
        with open_private(str(self.folder), READ_FOLDER) as folder:
            yield folder

    def shrink(self, newest: str, folder: int) -> None:
        """Removes the least recently used files until the rest is within the limit; never the newest."""
        found: list[tuple[int, int, str]] = []
        left = self.limit_bytes
        for name in os.listdir(folder):
            try:
                status = os.stat(name, dir_fd=folder, follow_symlinks=False)
            except OSError:  # another process removed it
                continue
            if name == newest:
                left -= status.st_size
            elif stat.S_ISREG(status.st_mode):
                found.append((status.st_mtime_ns, status.st_size, name))
        for _, size, name in sorted(found, reverse=True):
            left -= size
            if left < 0:
                with suppress(FileNotFoundError):
                    os.unlink(name, dir_fd=folder)


def user_cache(name: str, limit_bytes: int = LIMIT_BYTES) -> Cache:
    """Returns a cache of the current user by its name. A relative `XDG_CACHE_HOME` or home folder is ignored, as the specification requires."""
    home = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not home.is_absolute():
        try:
            home = Path.home() / ".cache"
        except RuntimeError:  # no home folder
            return Cache(None)
    return Cache(home / "nopt" / name if home.is_absolute() else None, limit_bytes)


def make_folder(folder: Path) -> None:
    """Creates a folder and its missing parents for this user alone."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    with suppress(FileExistsError):
        folder.mkdir(FOLDER_MODE)


@contextmanager
def open_private(path: str, flags: int, folder: int | None = None) -> Generator[int]:
    """Opens a folder, or a file in an opened folder. Errors: Untrusted another user can change it; OSError it cannot be opened."""
    opened = os.open(path, flags, dir_fd=folder)
    try:
        status = os.fstat(opened)
        what = "folder" if stat.S_ISDIR(status.st_mode) else "file"
        if folder is not None and not stat.S_ISREG(status.st_mode):
            raise OSError(f"{path} is not a regular file")
        if status.st_uid != os.geteuid():
            raise Untrusted(f"the {what} belongs to user {status.st_uid}")
        if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise Untrusted(f"other users can write to the {what}: its mode is {stat.S_IMODE(status.st_mode):04o}")
        yield opened
    finally:
        os.close(opened)


def write_private(name: str, blocks: Iterable[bytes], folder: int | None = None, *, has_digest: bool = False) -> bytes:
    """Writes a new file that only this user can read and write, and returns the digest of its content. With `has_digest`, the file ends in it."""
    opened, digest = os.open(name, CREATE_FILE, FILE_MODE, dir_fd=folder), blake2b(digest_size=DIGEST_BYTES)
    with open(opened, "wb") as file:
        for block in blocks:
            digest.update(block)
            file.write(block)
        if has_digest:
            file.write(digest.digest())
    return digest.digest()


def blocks_of(file: BinaryIO, size: int = sys.maxsize) -> Iterator[bytes]:
    """Yields the content of a file up to its end or to a size, a block at a time."""
    while size > 0 and (block := file.read(min(BLOCK_BYTES, size))):
        yield block
        size -= len(block)


def content_digest(content: bytes) -> bytes:
    """Returns the digest that a file with this content ends in."""
    return blake2b(content, digest_size=DIGEST_BYTES).digest()


def file_digest(path: Path) -> bytes:
    """Returns the digest of the content of a file."""
    digest = blake2b(digest_size=DIGEST_BYTES)
    with open(path, "rb") as stream:
        for block in blocks_of(stream):
            digest.update(block)
    return digest.digest()
