"""The target `tally`: nine cores that add weights of four bits, in a package outside of nopt."""

from __future__ import annotations

from nopt.core.target import HardwareTarget
from nopt.targets.core_pipelines import mapped_to_cores

TARGET = HardwareTarget(
    slug="tally",
    summary="nine cores that add weights of four bits; an example of a plug-in",
    source="synthetic; not available in silicon",
    api_version=4,
    package=__package__,
    pipeline=mapped_to_cores(
        "convert-machine-to-tally",  # lists the synapses of each core
        "tally-drop-zeros",  # a weight of 0 takes room in a table and adds nothing
    ),
)
