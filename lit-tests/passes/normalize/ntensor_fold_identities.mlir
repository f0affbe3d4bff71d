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

// -----

// A pool of one element is removed. Two delays become one, neuron by neuron: 2 + [1, 0] = [3, 2] ticks, the ticks of "late" in both.
// CHECK-LABEL: ntensor.network @merged
// CHECK-NEXT: [[Z:%.+]] = ntensor.delay "late" %{{.+}} {ticks = #nopt.array<{{\[\[}}[3, 2]]] : tensor<1x1x2xi64>>}
// CHECK-NEXT: ntensor.output [[Z]]
ntensor.network @merged("x" %x: tensor<1x1x2xf32>) -> ("z": tensor<1x1x2xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.avg_pool2d "a" %x {kernel = #nopt.array<[1, 1] : tensor<2xi64>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x1x2xf32> -> tensor<1x1x2xf32>
  %b = ntensor.delay "early" %a {ticks = #nopt.array<2 : tensor<i64>>} : tensor<1x1x2xf32>
  %c = ntensor.delay "late" %b {ticks = #nopt.array<[[[1, 0]]] : tensor<1x1x2xi64>>} : tensor<1x1x2xf32>
  ntensor.output %c : tensor<1x1x2xf32>
}

// -----

// Delays are kept if another op reads between them, or if the first one is part of a node. A pool with a stride is kept.
// CHECK-LABEL: ntensor.network @apart
// CHECK-NEXT: ntensor.delay "a"
// CHECK-NEXT: ntensor.delay "b"
// CHECK-NEXT: ntensor.reshape "c"
// CHECK-NEXT: ntensor.delay "d"
// CHECK-NEXT: ntensor.delay "e"
// CHECK-NEXT: ntensor.sum_pool2d "f"
ntensor.network @apart("x" %x: tensor<1x1x2xf32>) -> ("oa": tensor<1x1x2xf32>, "ob": tensor<1x1x2xf32>, "oe": tensor<2xf32>, "of": tensor<1x1x1xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.delay "a" %x {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1x1x2xf32>
  %b = ntensor.delay "b" %a {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1x1x2xf32>
  %c = ntensor.reshape "c" %x : tensor<1x1x2xf32> -> tensor<2xf32>
  %d = ntensor.delay "d" %c {ticks = #nopt.array<1 : tensor<i64>>, part_of = "c"} : tensor<2xf32>
  %e = ntensor.delay "e" %d {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xf32>
  %f = ntensor.sum_pool2d "f" %x {kernel = #nopt.array<[1, 1] : tensor<2xi64>>, stride = #nopt.array<[1, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x1x2xf32> -> tensor<1x1x1xf32>
  ntensor.output %a, %b, %e, %f : tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<2xf32>, tensor<1x1x1xf32>
}

// -----

// A connection without weights is dropped from a sum of integers; the other term is the only one then. A bias, and a sum of reals, keep it.
// CHECK-LABEL: ntensor.network @pruned
// CHECK-NEXT: [[A:%.+]] = ntensor.linear "a"
// CHECK-NEXT: ntensor.linear "c"
// CHECK-NEXT: ntensor.sum [[A]], %{{.+}} :
// CHECK-NEXT: [[D:%.+]] = ntensor.linear "d"
// CHECK-NEXT: [[E:%.+]] = ntensor.linear "e"
// CHECK-NEXT: ntensor.sum [[D]], [[E]] :
// CHECK-NEXT: ntensor.output [[A]],
ntensor.network @pruned("x" %x: tensor<2xi1>) -> ("o1": tensor<2xi8>, "o2": tensor<2xi8>, "o3": tensor<2xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "a" %x {weight = #nopt.array<[[1, 2], [3, 4]] : tensor<2x2xi8>>} : tensor<2xi1> -> tensor<2xi8>
  %b = ntensor.linear "b" %x {weight = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi8>>} : tensor<2xi1> -> tensor<2xi8>
  %s = ntensor.sum %a, %b : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  %c = ntensor.linear "c" %x {weight = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi8>>, bias = #nopt.array<[1, 0] : tensor<2xi8>>} : tensor<2xi1> -> tensor<2xi8>
  %t = ntensor.sum %a, %c : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  %d = ntensor.linear "d" %x {weight = #nopt.array<[[1.0, 2.0], [3.0, 4.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %e = ntensor.linear "e" %x {weight = #nopt.array<[[0.0, 0.0], [0.0, 0.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %u = ntensor.sum %d, %e : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  ntensor.output %s, %t, %u : tensor<2xi8>, tensor<2xi8>, tensor<2xf32>
}
