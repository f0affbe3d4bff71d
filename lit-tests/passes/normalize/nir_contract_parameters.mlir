// RUN: nopt %s -p nir-contract-parameters -o %t.small.mlir
// RUN: filecheck %s < %t.small.mlir
// RUN: nopt %root/examples/bars/bars.nir -p nir-contract-parameters --verify-equivalence %root/examples/bars/input.npy --dt 1ms --like sinabs -o /dev/null 2>&1 | filecheck %s --check-prefix=EQUAL
// EQUAL: nir-contract-parameters: equal

// Round trip: every parameter that can be an array is one here.
// RUN: nopt %t.small.mlir -p nir-expand-parameters,nir-contract-parameters | diff %t.small.mlir -
// RUN: nopt %t.small.mlir -p nir-expand-parameters -o %t.large.mlir
// RUN: nopt %s | diff %t.large.mlir -

// Parameters, biases, factors and delays with equal entries; weights stay arrays. 0 and -0 are two numbers.
// CHECK-LABEL: nir.graph @uniform
// CHECK-NEXT: nir.affine "fc" %{{.+}} {weight = #nopt.array<{{.*}} : tensor<2x2xf32>>, bias = #nopt.array<0.5 : tensor<f32>>, delays = #nopt.array<0.001 : tensor<f64>>}
// CHECK-NEXT: nir.scale "gain" %{{.+}} {scale = #nopt.array<2.0 : tensor<f32>>}
// CHECK-NEXT: nir.delay "wait" %{{.+}} {delay = #nopt.array<0.001 : tensor<f32>>}
// CHECK-NEXT: nir.lif "lif" %{{.+}} {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<[0.0, -0.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.0, 2.0] : tensor<2xf32>>, v_reset = #nopt.array<0 : tensor<i32>>}
nir.graph @uniform("input" %x: tensor<2xf32>) -> ("output": tensor<2xi1>) {
  %a = nir.affine "fc" %x {weight = #nopt.array<[[1.0, 1.0], [1.0, 1.0]] : tensor<2x2xf32>>, bias = #nopt.array<[0.5, 0.5] : tensor<2xf32>>, delays = #nopt.array<[[0.001, 0.001], [0.001, 0.001]] : tensor<2x2xf64>>} : tensor<2xf32> -> tensor<2xf32>
  %b = nir.scale "gain" %a {scale = #nopt.array<[2.0, 2.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %c = nir.delay "wait" %b {delay = #nopt.array<[0.001, 0.001] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %z = nir.lif "lif" %c {tau = #nopt.array<[0.02, 0.02] : tensor<2xf32>>, r = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.0, -0.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.0, 2.0] : tensor<2xf32>>, v_reset = #nopt.array<[0, 0] : tensor<2xi32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
