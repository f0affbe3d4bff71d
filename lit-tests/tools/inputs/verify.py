"""Prints the files of a build whose hash differs from that in its report.

python verify.py FOLDER
"""

import json
import sys
from hashlib import sha256
from pathlib import Path

folder = Path(sys.argv[1])
files = json.loads((folder / "report.json").read_text())["files"]
print(
    "changed:",
    [one["name"] for one in files if sha256((folder / one["name"]).read_bytes()).hexdigest() != one["sha256"]],
)
