"""A target for version 2, in which a code had no name."""

from nopt.core.diagnostics import Code
from nopt.core.target import HardwareTarget

TWO001 = Code("TWO001", "a code of two words")

TARGET = HardwareTarget(slug="two", summary="made for a test", source="there is no silicon", api_version=2)
