// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' | filecheck %s

// The order of a sum depends only on its operands. For every order of operands and ops in the file, and for all names of
// nodes, the weights 0.3, 0.1 and 0.2 are added in one order (that of a hash, which has no other meaning).
// CHECK-LABEL: ntensor.network @one
// CHECK:       ntensor.sum %c, %a, %b : (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
nir.graph @one("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %a = nir.linear "a" %x {weight = #nopt.array<[[0.1]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %b = nir.linear "b" %x {weight = #nopt.array<[[0.2]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %c = nir.linear "c" %x {weight = #nopt.array<[[0.3]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %s = nir.sum %a, %b, %c : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  nir.output %s : tensor<1xf32>
}

// CHECK-LABEL: ntensor.network @other_operands
// CHECK:       ntensor.sum %c, %a, %b :
nir.graph @other_operands("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %a = nir.linear "a" %x {weight = #nopt.array<[[0.1]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %b = nir.linear "b" %x {weight = #nopt.array<[[0.2]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %c = nir.linear "c" %x {weight = #nopt.array<[[0.3]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %s = nir.sum %c, %a, %b : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  nir.output %s : tensor<1xf32>
}

// CHECK-LABEL: ntensor.network @other_ops
// CHECK:       ntensor.sum %c, %a, %b :
nir.graph @other_ops("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %c = nir.linear "c" %x {weight = #nopt.array<[[0.3]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %a = nir.linear "a" %x {weight = #nopt.array<[[0.1]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %b = nir.linear "b" %x {weight = #nopt.array<[[0.2]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %s = nir.sum %b, %c, %a : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  nir.output %s : tensor<1xf32>
}

// The same network under other names: 0.1 is `c` now, 0.2 `a` and 0.3 `b`.
// CHECK-LABEL: ntensor.network @other_names
// CHECK:       ntensor.sum %b, %c, %a :
nir.graph @other_names("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %a = nir.linear "c" %x {weight = #nopt.array<[[0.1]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %b = nir.linear "a" %x {weight = #nopt.array<[[0.2]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %c = nir.linear "b" %x {weight = #nopt.array<[[0.3]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %s = nir.sum %a, %b, %c : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  nir.output %s : tensor<1xf32>
}

// Synapses with equal weights are distinguished by their predecessors at any distance: here one of two equal chains starts with another
// weight.
// CHECK-LABEL: ntensor.network @far
// CHECK:       ntensor.sum [[FAR:%.*]] : (
nir.graph @far("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %p = nir.linear "p" %x {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %q = nir.linear "q" %x {weight = #nopt.array<[[0.25]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %p2 = nir.linear "p 2" %p {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %q2 = nir.linear "q 2" %q {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %r = nir.linear "r" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %s = nir.sum %p2, %q2, %r : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  nir.output %s : tensor<1xf32>
}

// CHECK-LABEL: ntensor.network @far_permuted
// CHECK:       ntensor.sum [[FAR]] : (
nir.graph @far_permuted("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %p = nir.linear "p" %x {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %q = nir.linear "q" %x {weight = #nopt.array<[[0.25]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %p2 = nir.linear "p 2" %p {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %q2 = nir.linear "q 2" %q {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %r = nir.linear "r" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %s = nir.sum %r, %q2, %p2 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  nir.output %s : tensor<1xf32>
}

// Equal branches of different inputs differ only in the position of the input, which determines the order. A sum may add a value twice.
// CHECK-LABEL: ntensor.network @inputs
// CHECK:       ntensor.sum [[IN:%.*]] : (
nir.graph @inputs("x" %x: tensor<1xf32>, "y" %y: tensor<1xf32>, "w" %w: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %a = nir.linear "a" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %b = nir.linear "b" %y {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %c = nir.linear "c" %w {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %s = nir.sum %a, %b, %c, %a : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  nir.output %s : tensor<1xf32>
}

// CHECK-LABEL: ntensor.network @inputs_permuted
// CHECK:       ntensor.sum [[IN]] : (
nir.graph @inputs_permuted("x" %x: tensor<1xf32>, "y" %y: tensor<1xf32>, "w" %w: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %a = nir.linear "a" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %b = nir.linear "b" %y {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %c = nir.linear "c" %w {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %s = nir.sum %c, %a, %a, %b : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  nir.output %s : tensor<1xf32>
}
