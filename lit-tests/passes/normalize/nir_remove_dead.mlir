// RUN: nopt %s --split-input-file -p nir-remove-dead | filecheck %s
// RUN: nopt %s --split-input-file -p nir-remove-dead -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: nopt %root/examples/rhythm/rhythm.nir -p nir-remove-dead --verify-equivalence %root/examples/rhythm/input.npy --dt 1ms --like norse -o /dev/null 2>&1 | filecheck %s --check-prefix=EQUAL
// EQUAL: nir-remove-dead: equal

// Nodes without a path to an output are removed: a population, its only source, a loop, a nested graph. The remark lists the populations.
// REMARK: remark[NRM002]: populations that no output depends on are removed
// REMARK-NEXT: at: nir-remove-dead
// REMARK: found: 3: "watched", "again", "part.inner"
// REMARK-NEXT: help: nopt {{.*}}nir_remove_dead.mlir --split-input-file -p 'nir-remove-dead{keep=watched,again,"part.inner"}' -o {{.*}}null
// CHECK-LABEL: nir.graph @dead
// CHECK-NEXT: [[Y:%.+]] = nir.threshold "live"
// CHECK-NEXT: nir.output [[Y]]
nir.graph @dead("input" %x: tensor<1xf32>, "unread" %u: tensor<1xf32>) -> ("output": tensor<1xi1>) {
  %a = nir.scale "only" %x {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %b = nir.threshold "watched" %a {threshold = #nopt.array<1.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %c = nir.linear "back" %d {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %d = nir.threshold "again" %c {threshold = #nopt.array<1.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %e = nir.subgraph "part" (%x) ("in" %in: tensor<1xf32>) -> ("out": tensor<1xi1>) {
    %f = nir.threshold "inner" %in {threshold = #nopt.array<1.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
    nir.output %f : tensor<1xi1>
  }
  %y = nir.threshold "live" %x {threshold = #nopt.array<1.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %y : tensor<1xi1>
}

// -----

// A nested graph that is kept keeps all its terminals and their sources, and loses the rest.
// CHECK-LABEL: nir.graph @nested
// CHECK-NEXT: nir.identity "needed"
// CHECK-NEXT: nir.subgraph "part"
// CHECK-NEXT: nir.identity "one"
// CHECK-NEXT: nir.identity "two"
// CHECK-NEXT: nir.output
// CHECK-NEXT: }
// RUN: nopt %s --split-input-file -p nir-flatten,nir-remove-dead | filecheck %s --check-prefix=FLAT
// FLAT-LABEL: nir.graph @nested
// FLAT-NEXT: nir.identity "part.one"
// FLAT-NEXT: nir.output
nir.graph @nested("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  %a = nir.identity "needed" %x : tensor<1xf32> -> tensor<1xf32>
  %b, %c = nir.subgraph "part" (%x, %a) ("in" %in: tensor<1xf32>, "also" %also: tensor<1xf32>) -> ("out": tensor<1xf32>, "also_out": tensor<1xf32>) {
    %d = nir.identity "one" %in : tensor<1xf32> -> tensor<1xf32>
    %e = nir.identity "two" %also : tensor<1xf32> -> tensor<1xf32>
    %f = nir.identity "three" %d : tensor<1xf32> -> tensor<1xf32>
    nir.output %d, %e : tensor<1xf32>, tensor<1xf32>
  }
  nir.output %b : tensor<1xf32>
}
