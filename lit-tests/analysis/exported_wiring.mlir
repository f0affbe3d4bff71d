// Connections as Spyx's exporter writes them, and as Spyx runs them. Weights of 1.0 for channel 0 and 2.0 for channel 1.
// RUN: nopt %s --split-input-file -p 'nir-repair-export{by=spyx dt-ns=1000000}' 2>/dev/null | filecheck %s
// RUN: nopt %s --split-input-file -p 'nir-repair-export{by=spyx dt-ns=1000000}' -o /dev/null 2>&1 | filecheck %s --check-prefix=SAID
// RUN: nopt %s --split-input-file -p 'nir-repair-export{by=norse dt-ns=1000000}' 2>/dev/null | filecheck %s --check-prefix=OTHER

// The input of a recurrent layer is connected to its neurons, also in a nested graph. The wiring of another exporter is unchanged.
// CHECK: nir.graph @recurrent
// CHECK-SAME: repairs = [#nir.repair<"nir-repair-export{by=spyx dt-ns=1000000}", "W (x + z) = x + W z", ["layer_1.lif"]>]
// CHECK: nir.subgraph "layer_1"
// CHECK-NEXT: [[W:%[a-z_0-9.]+]] = nir.linear "w_rec" [[Z:%[a-z_0-9.]+]] {{.*}} : tensor<2xi1> -> tensor<2xf32>
// CHECK-NEXT: [[S:%[a-z_0-9.]+]] = nir.sum %{{[a-z_0-9.]+}}, [[W]] : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: [[Z]] = nir.if "lif" [[S]]
// SAID: remark[NRM017]: the wiring of spyx is repaired
// SAID-NEXT:   at: "layer_1.lif"
// SAID-NEXT:   expected: W (x + z) = x + W z
// SAID-NEXT:   found: the input of a recurrent layer enters its weights instead of its neurons
// OTHER: nir.sum %{{[a-z_0-9.]+}}, %{{[a-z_0-9.]+}} : (tensor<2xf32>, tensor<2xi1>) -> tensor<2xf32>
nir.graph @recurrent("input" %x: tensor<2xf32>) -> ("output": tensor<2xi1>) {
  %y = nir.subgraph "layer_1" (%x) ("in" %i: tensor<2xf32>) -> ("out": tensor<2xi1>) {
    %s = nir.sum %i, %z : (tensor<2xf32>, tensor<2xi1>) -> tensor<2xf32>
    %w = nir.linear "w_rec" %s {weight = #nopt.array<[[0.5, 1.0], [-1.0, 0.25]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
    %z = nir.if "lif" %w {
      r = #nopt.array<1.0 : tensor<f32>>,
      v_threshold = #nopt.array<1.0 : tensor<f32>>,
      v_reset = #nopt.array<0.0 : tensor<f32>>
    } : tensor<2xf32> -> tensor<2xi1>
    nir.output %z : tensor<2xi1>
  }
  nir.output %y : tensor<2xi1>
}

// -----

// The weights of a layer after a flatten of (2, 1, 2) are those of (1, 2, 2) in Spyx: 1, 2, 1, 2 becomes 1, 1, 2, 2.
// CHECK: nir.graph @flattened
// CHECK-SAME: "weight (H, W, C) = weight (C, H, W)", ["fc"]
// CHECK: nir.linear "fc" %{{.*}} {weight = #nopt.array<{{\[\[}}1.0, 1.0, 2.0, 2.0]] : tensor<1x4xf32>>}
nir.graph @flattened("input" %x: tensor<2x1x2xf32>) -> ("output": tensor<1xf32>) {
  %f = nir.flatten "flat" %x {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<2x1x2xf32> -> tensor<4xf32>
  %y = nir.linear "fc" %f {weight = #nopt.array<[[1.0, 2.0, 1.0, 2.0]] : tensor<1x4xf32>>} : tensor<4xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// -----

// No change: one channel has one order, and the weights of a layer without a loop read its input in Spyx, too.
// CHECK: nir.graph @plain
// CHECK-NOT: repairs
// CHECK: nir.linear "fc" %{{.*}} {weight = #nopt.array<{{\[\[}}1.0, 2.0, 3.0, 4.0]] : tensor<1x4xf32>>}
nir.graph @plain("input" %x: tensor<1x2x2xf32>) -> ("output": tensor<1xi1>) {
  %f = nir.flatten "flat" %x {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<1x2x2xf32> -> tensor<4xf32>
  %s = nir.sum %f, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = nir.linear "fc" %s {weight = #nopt.array<[[1.0, 2.0, 3.0, 4.0]] : tensor<1x4xf32>>} : tensor<4xf32> -> tensor<1xf32>
  %z = nir.if "if" %y {
    r = #nopt.array<1.0 : tensor<f32>>,
    v_threshold = #nopt.array<1.0 : tensor<f32>>,
    v_reset = #nopt.array<0.0 : tensor<f32>>
  } : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
