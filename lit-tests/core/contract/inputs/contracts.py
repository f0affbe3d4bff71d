"""Writes a device file whose constraints are the contracts that are given.

python contracts.py FILE.json CONTRACT…
"""

import json
import sys
from pathlib import Path

SOURCE = "synthetic"
DEVICE = {
    "schema": "nopt.device/1",
    "target": "asic",
    "name": "mine",
    "summary": "a device file of one's own",
    "sources": {SOURCE: "made up"},
    "fidelity": {"tier": "exact", "source": SOURCE},
    "tick": {
        "min": {"value": 100, "unit": "us", "source": SOURCE, "confidence": "assumed"},
        "default": {"value": 1, "unit": "ms", "source": SOURCE, "confidence": "assumed"},
    },
    "core": {
        "neurons": {"value": 64, "source": SOURCE, "confidence": "assumed"},
        "memory_bytes": {"value": 8, "unit": "KiB", "source": SOURCE, "confidence": "assumed"},
        "fan_in": {"value": None, "note": "not published"},
    },
    "features": {"spare": {"value": 0, "source": SOURCE, "confidence": "assumed"}},
}
path, *contracts = sys.argv[1:]
constraints = [{"expression": text, "source": SOURCE} for text in contracts]
Path(path).write_text(json.dumps({**DEVICE, "constraints": constraints}, indent=2))
