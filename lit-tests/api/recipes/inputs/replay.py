"""Runs the pipeline of a build on its network, as a user types it.

python replay.py NETWORK BUILD OUT
"""

import json
import subprocess
import sys
from pathlib import Path

network, build, out = sys.argv[1:]
pipeline = json.loads((Path(build) / "report.json").read_text())["pipeline"]
subprocess.run(["nopt", network, "-p", pipeline, "-o", out], check=True)
