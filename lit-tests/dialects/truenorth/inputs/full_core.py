"""Prints a `truenorth.chip` with one core: `python full_core.py ROWS AXONS`; every axon has a synapse with every row."""

import sys

PARAMETERS = {
    "leak": 0,
    "leak_reversal": 0,
    "threshold": 1,
    "negative_threshold": 0,
    "reset_potential": 0,
    "reset_mode": 0,
    "negative_mode": 1,
    "random_weights": 0,
    "random_leak": 0,
    "threshold_mask": 0,
}
LINES = 64
"""Lines of cores of the chip: the output bus is above them."""
BUS = 256
"""Rows of the output bus at each of its positions."""


def array(values: object, shape: str, type: str = "i32") -> str:
    return f"#nopt.array<{values} : tensor<{shape}{type}>>"


rows, axons = map(int, sys.argv[1:])
every, each = list(range(rows)), list(range(axons))
parameters = ", ".join(f"{name} = {array(value, '')}" for name, value in PARAMETERS.items())
print(
    f"""truenorth.chip @net attributes {{tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64,
    bus = {array([0, LINES], "2x")}, machine.device = "truenorth/ns1e"}} {{
  truenorth.input "x/0" of "x" at 0 attributes {{index = {array(each, f"{axons}x")}}} : tensor<{axons}xi1> {{
    truenorth.packets {{neuron = {array(each, f"{axons}x")}, core = {array([0] * axons, f"{axons}x")}, axon = {array(each, f"{axons}x")},
      delay = {array([1] * axons, f"{axons}x")}}}
  }}
  truenorth.core 0 attributes {{axons = {axons} : i64, types = {array([0] * axons, f"{axons}x")}}} {{
    truenorth.neurons "one/0" of "one" attributes {{index = {array(every, f"{rows}x")}, crossbar = {array([[1] * axons] * rows, f"{rows}x{axons}x", "i8")},
      weights = {array([[1, 0, 0, 0]] * rows, f"{rows}x4x")}, parameters = {{{parameters}}}, potential = {array(0, "")}}} : tensor<{rows}xi1> {{
      truenorth.destinations {{row = {array(every, f"{rows}x")}, dx = {array([r // BUS for r in every], f"{rows}x")}, dy = {array([LINES] * rows, f"{rows}x")},
        axon = {array([r % BUS for r in every], f"{rows}x")}, tick = {array([1] * rows, f"{rows}x")}}}
    }}
  }}
  truenorth.output "y" of "one" {{delay = {array(0, "", "i64")}, rows = {array(every, f"{rows}x")}}} : tensor<{rows}xi1>
}}"""
)
