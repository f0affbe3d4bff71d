// RUN: not nopt %s -p 'nir-remove-dead{keep="part.innner"}' 2>&1 | filecheck %s
// CHECK: error[NRM001]: no node "part.innner" to keep
// CHECK-NEXT: at: keep
// CHECK-NEXT: expected: one of live, part, part.inner
// CHECK-NEXT: found: part.innner
// CHECK-NEXT: help: nopt {{.*}}nir_remove_dead-errors.mlir -p 'nir-remove-dead{keep="part.inner"}'

// The help line works; a state keeps its node, and a node in a nested graph the graph.
// RUN: nopt %s -p 'nir-remove-dead{keep="part.inner"}' | filecheck %s --check-prefix=KEPT
// RUN: nopt %s -p 'nir-remove-dead{keep="part.inner.v"}' | filecheck %s --check-prefix=KEPT
// KEPT: nir.if "inner"
// KEPT: nir.identity "live"

// The right names of a list stay in the help.
// RUN: not nopt %s -p 'nir-remove-dead{keep=live,"part.innner"}' 2>&1 | filecheck %s --check-prefix=LIST
// LIST: help: nopt {{.*}}nir_remove_dead-errors.mlir -p 'nir-remove-dead{keep=live,"part.inner"}'

// The remark is an error under --strict, and its help line works, too.
// RUN: not nopt %s --strict -p nir-remove-dead 2>&1 | filecheck %s --check-prefix=STRICT
// STRICT: error[NRM002]: populations that no output depends on are removed
// STRICT: help: nopt {{.*}}nir_remove_dead-errors.mlir --strict -p 'nir-remove-dead{keep="part.inner"}'

nir.graph @net("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  %e = nir.subgraph "part" (%x) ("in" %in: tensor<1xf32>) -> ("out": tensor<1xi1>) {
    %f = nir.if "inner" %in {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
    nir.output %f : tensor<1xi1>
  }
  %y = nir.identity "live" %x : tensor<1xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}
