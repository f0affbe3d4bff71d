"""Values of a JSON file with their paths, read with checks: the loaders of artefacts share it.

    chip = JsonNode.parse("chip.json", text, CHI023)
    chip["cores"].items()[0]["axons"].integer(0)

Errors of all methods: the code given to `parse`, with the file, the path of the value, and what is expected there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NoReturn, cast

from attrs import frozen

from .diagnostics import Code, refuse

HELP = "nopt compile FILE --target TARGET/DEVICE -o DIR"


@frozen(eq=False)
class JsonNode:
    """One value of a file."""

    file: str
    path: str
    value: object
    code: Code

    @staticmethod
    def parse(file: str, text: str, code: Code) -> JsonNode:
        """Returns the whole value of a file."""
        try:
            return JsonNode(file, "$", json.loads(text), code)
        except (ValueError, RecursionError) as failure:
            at = f" {failure.lineno}:{failure.colno}" if isinstance(failure, json.JSONDecodeError) else ""
            refuse(
                code, f"{file} is not JSON", file=file, at=f"${at}", expected="JSON", found="another text", help=HELP
            )

    def refuse(self, expected: str, found: str | None = None) -> NoReturn:
        if found is None:
            text = json.dumps(self.value)
            found = text if len(text) <= 60 else f"{text[:57]}…"
        message = f"{self.path.removeprefix('$.')} of {self.file} is invalid"
        refuse(self.code, message, file=self.file, at=self.path, expected=expected, found=found, help=HELP)

    def at(self, path: str, value: object) -> JsonNode:
        return JsonNode(self.file, path, value, self.code)

    def entries(self) -> dict[str, object]:
        """Returns the members of an object as they are."""
        found: Any = self.value
        return cast("dict[str, object]", found) if isinstance(found, dict) else self.refuse("an object")

    def __getitem__(self, name: str) -> JsonNode:
        """Returns a member of an object."""
        given = self.entries()
        if name not in given:
            self.refuse(f'an object with "{name}"', "no such member")
        return self.at(f"{self.path}.{name}", given[name])

    def optional(self, name: str) -> JsonNode | None:
        """Returns a member of an object; None if it is null or missing."""
        found = self.entries().get(name)
        return None if found is None else self.at(f"{self.path}.{name}", found)

    def members(self) -> Iterator[tuple[str, JsonNode]]:
        """Yields the members of an object."""
        for name, value in self.entries().items():
            yield name, self.at(f"{self.path}.{name}", value)

    def items(self) -> list[JsonNode]:
        """Returns the items of a list."""
        found: Any = self.value
        if not isinstance(found, list):
            self.refuse("a list")
        return [self.at(f"{self.path}[{k}]", value) for k, value in enumerate(cast("list[object]", found))]

    def text(self) -> str:
        return self.value if isinstance(self.value, str) else self.refuse("a text")

    def flag(self) -> bool:
        return self.value if isinstance(self.value, bool) else self.refuse("true or false")

    def integer(self, low: int = 0, high: int = 2**63 - 1) -> int:
        """Returns an integer in a range."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.refuse(f"an integer from {low} to {high}")
        return value
