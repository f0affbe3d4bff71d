"""Writes chips and links of a virtual machine of SpiNNMachine: spinnaker_machine.py VERSION WIDTH HEIGHT OUT.json

VERSION is that of the board: 3 or 5. The output has the x and y of each chip, and of each link x, y, its number, and x and y of the next chip.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pacman.config_setup import unittest_setup
from spinn_machine.virtual_machine import virtual_machine
from spinn_utilities.config_holder import set_config


def main() -> None:
    version, width, height, out = sys.argv[1:]
    unittest_setup()
    set_config("Machine", "version", version)
    chips = [*virtual_machine(int(width), int(height)).chips]
    links = [
        [chip.x, chip.y, link.source_link_id, link.destination_x, link.destination_y]
        for chip in chips
        for link in chip.router.links
    ]
    found = {"chips": sorted([chip.x, chip.y] for chip in chips), "links": sorted(links)}
    Path(out).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
