"""Results of parsers in the user's cache folder, `nopt/parsed`: a text is parsed once for all commands.

A result is found by the text and by the content of everything that computes it: the modules and grammars of the parsers, and the versions of Python and of
the packages. A changed file of nopt therefore has other results. Files of the cache are private to the user (`private_files.py`), since they are
pickles. Without a cache folder, and for a file that cannot be read, the text is parsed.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from .private_files import Cache, user_cache

Parsed = TypeVar("Parsed")

FOLDER = "parsed"
LIMIT_BYTES = 2**25
"""Maximal size of all results together."""
KEY_BYTES = 20
PARSERS = ("expressions", "neuron", "synapse", "contract")
"""Rooms of the parsers, with their grammars and the records that results consist of."""
DAMAGED = (pickle.UnpicklingError, AttributeError, ImportError, EOFError, IndexError, KeyError, TypeError, ValueError)
"""Exceptions of a pickle that another version wrote."""


@cache
def parsers_digest() -> bytes:
    """Returns the digest of everything that computes the results."""
    found = blake2b(f"{sys.version} {version('nopt')} {version('lark')} {version('attrs')}".encode())
    room = Path(__file__).parent.parent
    for path in sorted(path for name in PARSERS for path in (room / name).iterdir() if path.is_file()):
        content = path.read_bytes()
        found.update(f"{path.name} {len(content)} ".encode() + content)
    return found.digest()


@cache
def parsed_cache() -> Cache:
    """Returns the folder of the results."""
    return user_cache(FOLDER, LIMIT_BYTES)


def parsed(kind: Any, name: str, text: str, parse: Callable[[str], Parsed]) -> Parsed:
    """Returns the result of a parser, which has the type or the types `kind`, for a text: from the cache, or parsed and then kept. Errors: those of the parser, which are not kept."""
    content = f"{name} {text}".encode("utf-8", "surrogatepass")
    file = f"{name}-{blake2b(content, key=parsers_digest()[:32], digest_size=KEY_BYTES).hexdigest()}"
    stored = parsed_cache().read(file)
    if stored is not None:
        try:
            found = pickle.loads(stored)
        except DAMAGED:
            found = None
        if isinstance(found, kind):
            return found
        parsed_cache().remove(file)
    result = parse(text)
    parsed_cache().keep(file, pickle.dumps(result, pickle.HIGHEST_PROTOCOL))
    return result
