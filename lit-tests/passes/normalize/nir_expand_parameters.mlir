// RUN: nopt %s -p nir-expand-parameters -o %t.large.mlir
// RUN: filecheck %s < %t.large.mlir
// RUN: nopt %root/examples/rhythm/rhythm.nir -p nir-contract-parameters,nir-expand-parameters --verify-equivalence %root/examples/rhythm/input.npy --dt 1ms --like norse -o /dev/null 2>&1 | filecheck %s --check-prefix=EQUAL
// EQUAL: nir-contract-parameters: equal
// EQUAL: nir-expand-parameters: equal

// Round trip: every such parameter is a scalar here.
// RUN: nopt %t.large.mlir -p nir-contract-parameters -o %t.small.mlir
// RUN: nopt %s | diff %t.small.mlir -

// One entry for each neuron, output, channel or synapse; nodes in nested graphs, too.
// CHECK-LABEL: nir.graph @scalars
// CHECK-NEXT: nir.affine "fc" %{{.+}} {weight = #nopt.array<{{.*}} : tensor<2x1xf32>>, bias = #nopt.array<[0.5, 0.5] : tensor<2xf32>>, delays = #nopt.array<
// CHECK-SAME{LITERAL}: [[0.001], [0.001]] : tensor<2x1xf64>>}
// CHECK-NEXT: nir.subgraph "part"
// CHECK-NEXT: nir.if "if" %{{.+}} {r = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_threshold = #nopt.array<[2, 2] : tensor<2xi64>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>}
nir.graph @scalars("input" %x: tensor<1xf32>) -> ("output": tensor<2xi1>) {
  %a = nir.affine "fc" %x {weight = #nopt.array<[[1.0], [1.0]] : tensor<2x1xf32>>, bias = #nopt.array<0.5 : tensor<f32>>, delays = #nopt.array<0.001 : tensor<f64>>} : tensor<1xf32> -> tensor<2xf32>
  %z = nir.subgraph "part" (%a) ("in" %in: tensor<2xf32>) -> ("out": tensor<2xi1>) {
    %y = nir.if "if" %in {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<2 : tensor<i64>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
    nir.output %y : tensor<2xi1>
  }
  nir.output %z : tensor<2xi1>
}
