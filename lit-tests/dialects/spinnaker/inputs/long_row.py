"""Prints a chip of SpiNNaker whose last table has rows of some synapses: python long_row.py CHIP.mlir SYNAPSES"""

import re
import sys
from pathlib import Path

text, count = Path(sys.argv[1]).read_text(encoding="utf-8"), int(sys.argv[2])
row = ", ".join(["0", str(count), "0", *["65536"] * count])
words = f"words = #nopt.array<[[{row}], [{row}]] : tensor<2x{3 + count}xi32>>"
print(re.sub(r'(rows "fc2" \{[^}]*)words = [^}]*\}', rf"\g<1>{words}}}", text))
