"""Prints a convolution of one channel and its neurons: convolution.py SIZE KERNEL STRIDE PADDING."""

import sys

size, kernel, stride, padding = (int(text) for text in sys.argv[1:])
out = (size + 2 * padding - kernel) // stride + 1


def constant(value, *shape, kind="f32"):
    return f"#nopt.array<constant(value = {value}) : tensor<{''.join(f'{n}x' for n in shape)}{kind}>>"


pairs = {"stride": stride, "padding": padding, "dilation": 1}
settings = ", ".join(f"{name} = {constant(n, 2, kind='i64')}" for name, n in pairs.items())
arrays = f"weight = {constant(1.0, 1, 1, kernel, kernel)}, bias = {constant(0.0, 1)}"
entries = ", ".join(
    f"{name} = {constant(n, 1, out, out)}" for name, n in (("r", 1.0), ("v_threshold", 4.0), ("v_reset", 0.0))
)
image, maps = f"tensor<1x{size}x{size}xf32>", f"tensor<1x{out}x{out}x"
print(f"""nir.graph @convolution("x" %x: {image}) -> ("out": {maps}i1>) {{
  %a = nir.conv2d "c" %x {{{arrays}, {settings}, groups = #nopt.array<1 : tensor<i64>>}} : {image} -> {maps}f32>
  %z = nir.if "n" %a {{{entries}}} : {maps}f32> -> {maps}i1>
  nir.output %z : {maps}i1>
}}""")
