"""Prints a network of dense layers that read one input, or one population: parallel.py LAYERS INPUTS UNITS [between]."""

import sys

layers, inputs, units = (int(text) for text in sys.argv[1:4])
source = "%z" if "between" in sys.argv else "%x"


def constant(value, *shape):
    return f"#nopt.array<constant(value = {value}) : tensor<{'x'.join(map(str, shape))}xf32>>"


def population(name, x, size):
    entries = ", ".join(
        f"{key} = {constant(value, size)}" for key, value in (("r", 1.0), ("v_threshold", 1.0), ("v_reset", 0.0))
    )
    return f'nir.if "{name}" {x} {{{entries}}} : tensor<{size}xf32> -> tensor<{size}xi1>'


def dense(name, x, rows, columns, kind):
    return f'nir.linear "{name}" {x} {{weight = {constant(0.5, rows, columns)}}} : tensor<{columns}x{kind}> -> tensor<{rows}xf32>'


names = ", ".join(f'"out{k}": tensor<{units}xi1>' for k in range(layers))
lines = [f'nir.graph @parallel("x" %x: tensor<{inputs}xf32>) -> ({names}) {{']
if source == "%z":
    lines += [f"  %a = {dense('fc', '%x', inputs, inputs, 'f32')}", f"  %z = {population('first', '%a', inputs)}"]
for k in range(layers):
    kind = "i1" if source == "%z" else "f32"
    lines += [
        f"  %a{k} = {dense(f'fc{k}', source, units, inputs, kind)}",
        f"  %z{k} = {population(f'n{k}', f'%a{k}', units)}",
    ]
values = ", ".join(f"%z{k}" for k in range(layers))
types = ", ".join([f"tensor<{units}xi1>"] * layers)
print("\n".join([*lines, f"  nir.output {values} : {types}", "}"]))
