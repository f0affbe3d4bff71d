// RUN: nopt %s --split-input-file -p ntensor-fold-identities | filecheck %s
// RUN: nopt %root/examples/bars/bars.nir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-fold-identities' --verify-equivalence %root/examples/bars/input.npy --dt 1ms --like sinabs -o /dev/null 2>&1 | filecheck %s --check-prefix=EQUAL
// EQUAL: ntensor-fold-identities: equal

// One node of each kind is removed. Two reshapes become one, which is removed because it restores the shape.
// CHECK-LABEL: ntensor.network @chain
// CHECK-NEXT: ntensor.output %{{.+}} : tensor<1x2xf64>
ntensor.network @chain("input" %x: tensor<1x2xf64>) -> ("output": tensor<1x2xf64>) attributes {tick_ns = 1000} {
  %a = ntensor.reshape "a" %x : tensor<1x2xf64> -> tensor<1x2xf64>
  %b = ntensor.delay "b" %a {ticks = #nopt.array<0 : tensor<i64>>} : tensor<1x2xf64>
  %c = ntensor.scale "c" %b {scale = #nopt.array<1.0 : tensor<f32>>} : tensor<1x2xf64> -> tensor<1x2xf64>
  %d = ntensor.sum %c : (tensor<1x2xf64>) -> tensor<1x2xf64>
  %e = ntensor.reshape "e" %d : tensor<1x2xf64> -> tensor<2xf64>
  %f = ntensor.reshape "f" %e : tensor<2xf64> -> tensor<1x2xf64>
  ntensor.output %f : tensor<1x2xf64>
}

// -----

// Nodes with an effect are kept: another type, another shape, a delay of one neuron; and a node that a delay is part of.
// CHECK-LABEL: ntensor.network @stays
// CHECK-NEXT: ntensor.scale "a"
// CHECK-NEXT: ntensor.sum
// CHECK-NEXT: ntensor.reshape "c" [[X:%.+]] : tensor<2xf32> -> tensor<1x2xf32>
// CHECK-NEXT: ntensor.reshape "d" [[X]] : tensor<2xf32> -> tensor<2x1xf32>
// CHECK-NEXT: ntensor.delay "e"
// CHECK-NEXT: ntensor.reshape "f"
// CHECK-NEXT: ntensor.delay "g"
ntensor.network @stays("x" %x: tensor<2xf32>) -> ("oa": tensor<2xf64>, "ob": tensor<2xf64>, "oc": tensor<1x2xf32>, "od": tensor<2x1xf32>, "oe": tensor<2xf32>, "og": tensor<2xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.scale "a" %x {scale = #nopt.array<1.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf64>
  %b = ntensor.sum %x : (tensor<2xf32>) -> tensor<2xf64>
  %c = ntensor.reshape "c" %x : tensor<2xf32> -> tensor<1x2xf32>
  %d = ntensor.reshape "d" %c : tensor<1x2xf32> -> tensor<2x1xf32>
  %e = ntensor.delay "e" %x {ticks = #nopt.array<[0, 1] : tensor<2xi64>>} : tensor<2xf32>
  %f = ntensor.reshape "f" %x : tensor<2xf32> -> tensor<2xf32>
  %g = ntensor.delay "g" %f {ticks = #nopt.array<1 : tensor<i64>>, part_of = "f"} : tensor<2xf32>
  ntensor.output %a, %b, %c, %d, %e, %g : tensor<2xf64>, tensor<2xf64>, tensor<1x2xf32>, tensor<2x1xf32>, tensor<2xf32>, tensor<2xf32>
}
