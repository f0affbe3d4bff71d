// A parameter of another shape is refused before the pass. Empty arrays are kept.
// RUN: not nopt %s --split-input-file -p nir-expand-parameters -o %t.mlir 2>&1 | filecheck %s
// CHECK: error[NIR003]: the operand does not fit the node
// RUN: mutate '/^.. -----/,$d' %s | nopt - -p nir-contract-parameters | filecheck %s --check-prefix=EMPTY
// EMPTY: tensor<0xf32>>} : tensor<0xf32> -> tensor<0xf32>
nir.graph @empty("input" %x: tensor<0xf32>) -> ("output": tensor<0xf32>) {
  %z = nir.i "i" %x {r = #nopt.array<"0x" : tensor<0xf32>>} : tensor<0xf32> -> tensor<0xf32>
  nir.output %z : tensor<0xf32>
}

// -----

nir.graph @shape("input" %x: tensor<2xf32>) -> ("output": tensor<2xf32>) {
  %z = nir.i "i" %x {r = #nopt.array<[[1.0, 1.0]] : tensor<1x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %z : tensor<2xf32>
}
