"""Writes a network of one population, each of whose neurons has 64 inputs of its own, or all: INPUTS NEURONS [each] [--varied].

All weights are equal; `--varied`: they differ, so that few starts are tried for their currents.
"""

import sys

import numpy as np

is_varied = "--varied" in sys.argv
inputs, neurons, *each = (int(arg) for arg in sys.argv[1:] if arg != "--varied")


def array(values):
    values = np.asarray(values, "<f4")
    shape = "x".join(map(str, values.shape))
    return f'#nopt.array<"0x{values.tobytes().hex()}" : tensor<{shape}xf32>>'


weight = np.linspace(0.5 if is_varied else 1.0, 1.0, neurons * inputs).reshape(neurons, inputs)
if each:
    weight *= np.arange(inputs)[None] // each[0] == np.arange(neurons)[:, None]
terms = {"tau_mem": 0.02, "tau_syn": 0.01, "w_in": 1.0, "r": 1.0, "v_leak": 0.0, "v_threshold": 0.5, "v_reset": 0.0}
text = ", ".join(f"{name} = {array(np.full(neurons, value))}" for name, value in terms.items())
print(f"""nir.graph @net("x" %x: tensor<{inputs}xi1>) -> ("y": tensor<{neurons}xi1>) {{
  %a = nir.linear "fc" %x {{weight = {array(weight)}}} : tensor<{inputs}xi1> -> tensor<{neurons}xf32>
  %s = nir.cuba_lif "one" %a {{{text}}} : tensor<{neurons}xf32> -> tensor<{neurons}xi1>
  nir.output %s : tensor<{neurons}xi1>
}}""")
