"""Prints a network at a limit of a crossbar core: `python limits.py types|delay|neurons|sources N`, or `python limits.py plasticity`.

| network | N |
| --- | --- |
| types | different weights of the one neuron |
| delay | ticks of 1 ms of a connection |
| neurons | neurons that read one input |
| sources | inputs of the one neuron |
"""

import sys
from collections.abc import Iterable, Mapping


def array(rows: Iterable[Iterable[float]], shape: str) -> str:
    return f"#nopt.array<{[list(row) for row in rows]} : tensor<{shape}xf32>>"


def each(value: float, size: int) -> str:
    return f"#nopt.array<{[value] * size} : tensor<{size}xf32>>"


def show(inputs: int, layers: Iterable[tuple[list[list[float]], Mapping[str, str]]]) -> None:
    """Prints a network of populations that integrate and fire, each with the weights and properties of its connection."""
    value, size, lines = "%x", inputs, list[str]()
    for k, (weight, properties) in enumerate(layers):
        count = len(weight)
        given = {"weight": array(weight, f"{count}x{size}"), **properties}
        text = ", ".join(f"{name} = {one}" for name, one in given.items())
        lines.append(f'  %a{k} = nir.linear "fc{k}" {value} {{{text}}} : tensor<{size}xi1> -> tensor<{count}xf32>')
        neuron = f"r = {each(1000, count)}, v_threshold = {each(1, count)}, v_reset = {each(0, count)}"
        lines.append(f'  %s{k} = nir.if "if{k}" %a{k} {{{neuron}}} : tensor<{count}xf32> -> tensor<{count}xi1>')
        value, size = f"%s{k}", count
    print(f'nir.graph @net("x" %x: tensor<{inputs}xi1>) -> ("y": tensor<{size}xi1>) {{')
    print(*lines, f"  nir.output {value} : tensor<{size}xi1>", "}", sep="\n")


kind, n = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
if kind == "types":
    show(n, [([[(k + 1) / 8 for k in range(n)]], {})])
elif kind == "delay":
    show(2, [([[1, 1], [1, 0]], {}), ([[1, 1]], {"delays": array([[n * 1e-3] * 2], "1x2")})])
elif kind == "neurons":
    show(1, [([[1]] * n, {})])
elif kind == "sources":
    show(n, [([[1 / 64] * n], {})])
else:
    show(2, [([[0.5, 1]], {"plasticity": "#nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>"})])
