"""A target of a name that nopt has."""

from nopt.core.target import HardwareTarget

TARGET = HardwareTarget(slug="c", summary="made for a test", source="there is no silicon", api_version=4)
