"""Writes a network of 20 rows, so that the scales of its rows are too many to stand where they are used.

python rows.py OUT.mlir
"""

import sys
from pathlib import Path

weight = [[(row * 7 + 3) % 11 / 8 - 0.5, (row * 5 + 1) % 13 / 4 - 1.4] for row in range(20)]
Path(sys.argv[1]).write_text(f"""\
ntensor.network @rows("in" %in: tensor<2xi1>) -> ("out": tensor<20xf64>) attributes {{tick_ns = 1000000}} {{
  %y = ntensor.linear "fc" %in {{weight = #nopt.array<{weight} : tensor<20x2xf32>>}} : tensor<2xi1> -> tensor<20xf64>
  ntensor.output %y : tensor<20xf64>
}}
""")
