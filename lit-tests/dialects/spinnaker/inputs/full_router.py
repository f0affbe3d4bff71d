"""Prints a chip of SpiNNaker whose router has some entries: python full_router.py CHIP.mlir ENTRIES"""

import re
import sys
from pathlib import Path

text, more = Path(sys.argv[1]).read_text(encoding="utf-8"), int(sys.argv[2]) - 2
for name, first, added in (
    ("key", "0, 4", 8),
    ("mask", r"4294967292, 4294967294", 4294967295),
    ("route", "128, 256", 64),
):
    values = ", ".join([first, *[str(added + (name == "key") * k) for k in range(more)]])
    text = re.sub(
        rf"(spinnaker.router.*{name} = #nopt.array<)\[{first}\] : tensor<2xi64>",
        rf"\g<1>[{values}] : tensor<{2 + more}xi64>",
        text,
    )
print(text)
