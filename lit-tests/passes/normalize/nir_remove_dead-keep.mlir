// `keep` accepts the names of `--record`: nodes, those of nested graphs by their full names, states of populations.
// RUN: nopt %s -p 'nir-remove-dead{keep="a,b","if.v","part.inner"}' | filecheck %s
// RUN: nopt %s -p 'nir-remove-dead{keep=part}' -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
// CHECK: nir.identity "a,b"
// CHECK: nir.if "if"
// CHECK: nir.identity "inner"
// CHECK-NOT: nir.identity "other"

// Only populations are reported, because identities are not recorded by mistake.
// REMARK: remark[NRM002]: populations that no output depends on are removed
// REMARK: expected: populations that an output depends on, or that keep lists
// REMARK: found: 1: "if"
// REMARK-NEXT: help: nopt {{.*}}nir_remove_dead-keep.mlir -p 'nir-remove-dead{keep=part,if}' -o {{.*}}null
nir.graph @net("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  %0 = nir.identity "a,b" %x : tensor<1xf32> -> tensor<1xf32>
  %1 = nir.if "if" %x {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %2 = nir.subgraph "part" (%x) ("in" %in: tensor<1xf32>) -> ("out": tensor<1xf32>) {
    %3 = nir.identity "inner" %in : tensor<1xf32> -> tensor<1xf32>
    nir.output %in : tensor<1xf32>
  }
  %4 = nir.identity "other" %x : tensor<1xf32> -> tensor<1xf32>
  nir.output %x : tensor<1xf32>
}
