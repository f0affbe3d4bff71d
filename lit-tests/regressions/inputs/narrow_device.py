"""Makes a new device file one of a single core with weights of 6 bits, in entries of 8: narrow_device.py FILE.json"""

import json
import sys
from pathlib import Path

path = Path(sys.argv[1])
device = json.loads(path.read_text())
del device["topology"]["mesh"], device["topology"]["routers"]
device["topology"]["cores"]["value"] = 1
device["core"]["input_axons"]["value"] = 2048
device["core"]["memory"]["synapses"]["bytes"] |= {"value": 131072, "unit": "byte"}
device["core"]["memory"]["neurons"]["bytes"] |= {"value": 8192, "unit": "byte"}
device["core"]["memory_bytes"] |= {"value": 131072 + 8192, "unit": "byte"}
device["core"]["fan_in"] = {"value": None, "note": "limited by input axons"}
del device["fallbacks"]["fan_in"]
device["synapse"]["dtypes"] = ["i6"]
device["synapse"]["bits"]["value"] = device["quantization"]["weight_bits"]["value"] = 6
device["synapse"]["formats"]["dense"]["dtype"] = "i6"
repair = device["fallbacks"]["weight_bits"]
repair["passes"] = repair["passes"].replace("bits=8", "bits=6")
device["constraints"] = []
path.write_text(json.dumps(device))
