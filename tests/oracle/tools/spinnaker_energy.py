"""Writes the energies that SpiNNMachine computes: spinnaker_energy.py IN.json OUT.json

IN.json has a list of cases: `version` of the board (3 or 5), `seconds`, `boards`, `chips`, `cores` in use and `packets` that routers handle. OUT.json has their
energies in joule.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from spinn_machine.version.version_3 import Version3
from spinn_machine.version.version_5 import Version5

VERSIONS = {3: Version3, 5: Version5}


def main(given: str, out: str) -> None:
    cases = json.loads(Path(given).read_text(encoding="utf-8"))
    Path(out).write_text(json.dumps([energy_of(one) for one in cases]), encoding="utf-8")


def energy_of(one: dict[str, Any]) -> float:
    active = {(0, 0): (one["seconds"] * one["cores"], one["cores"])}
    packets = {(0, 0): {"Local_Multicast_Packets": one["packets"]}}
    version = VERSIONS[one["version"]].__new__(VERSIONS[one["version"]])  # the energies need none of the settings
    return float(version.get_active_energy(one["seconds"], 0, one["boards"], one["chips"], active, packets))


main(*sys.argv[1:])
