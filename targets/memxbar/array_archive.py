"""Archive of arrays (.npz), generated array by array: the archive of a large network is several times the size of its weights."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator

import numpy as np

from ...core.arrays.numeric import AnyArray

ZIP_TIME = (1980, 1, 1, 0, 0, 0)
"""The date of all members of an archive, so that equal arrays have equal bytes."""


class Window(io.BytesIO):
    """The last part of a stream: earlier parts are taken out, and positions count from the start of the stream."""

    def __init__(self) -> None:
        super().__init__()
        self.start = 0

    def tell(self) -> int:
        return self.start + super().tell()

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        return self.start + super().seek(offset - self.start if whence == io.SEEK_SET else offset, whence)

    def taken(self) -> bytes:
        """Returns the part, and removes it."""
        part = self.getvalue()
        self.start += len(part)
        super().seek(0)
        self.truncate()
        return part


def archive(arrays: Iterable[tuple[str, AnyArray]]) -> Iterator[bytes]:
    """Yields the parts of a .npz file of named arrays, the same for the same arrays."""
    content = Window()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as file:
        for name, array in arrays:
            member = io.BytesIO()
            np.lib.format.write_array(member, np.ascontiguousarray(array), allow_pickle=False)
            file.writestr(zipfile.ZipInfo(f"{name}.npy", ZIP_TIME), member.getvalue())
            yield content.taken()
    yield content.taken()
