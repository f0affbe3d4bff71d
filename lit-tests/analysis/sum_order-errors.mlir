// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' 2>&1 | filecheck %s

// Sums whose operands do not match are refused separately, before an order is chosen.
// CHECK:      sum_order-errors.mlir:18:3: error[NIR003]: operand 1 does not fit the node
// CHECK-NEXT:   at: nir.sum
// CHECK-NEXT:   expected: shape (1,)
// CHECK-NEXT:   found: shape (2,)
// CHECK-NEXT:   help: correct the node before it, or its own parameters
// CHECK-NEXT: sum_order-errors.mlir:19:3: error[NIR004]: the result has the wrong kind
// CHECK-NEXT:   at: nir.sum
// CHECK-NEXT:   expected: values (f32)
// CHECK-NEXT:   found: i1
// CHECK-NEXT:   help: declare its type as a tensor of f32
// CHECK-NOT:  ntensor
nir.graph @sums("in" %x: tensor<2xf32>) -> ("out": tensor<1xf32>) {
  %a = nir.linear "a" %x {weight = #nopt.array<[[0.1, 0.2]] : tensor<1x2xf32>>} : tensor<2xf32> -> tensor<1xf32>
  %b = nir.linear "b" %x {weight = #nopt.array<[[0.3, 0.4]] : tensor<1x2xf32>>} : tensor<2xf32> -> tensor<1xf32>
  %s = nir.sum %a, %x, %b : (tensor<1xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<1xf32>
  %t = nir.sum %a, %b : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
  nir.output %s : tensor<1xf32>
}
