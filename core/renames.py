"""Old names of codes, passes and options of passes. `renamed.json` has the new name of each; an option is written `PASS{OPTION}`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Literal

Kind = Literal["codes", "passes", "options"]


@cache
def renamed() -> dict[Kind, dict[str, str]]:
    """Returns the new names by kind and old name."""
    return json.loads((Path(__file__).parent / "renamed.json").read_text(encoding="utf-8"))


def new_name(kind: Kind, name: str) -> str | None:
    """Returns the new name of a code, pass or option that was renamed."""
    return renamed()[kind].get(name)
