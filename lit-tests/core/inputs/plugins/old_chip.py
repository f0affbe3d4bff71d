"""A target whose record was written for the first version."""

from nopt.core.target import HardwareTarget

TARGET = HardwareTarget(slug="old", summary="made for a test", source="there is no silicon", api_version=1)
