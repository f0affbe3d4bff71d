// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch}' | filecheck %s

// Nodes of nested graphs have all names joined with a dot, and terminals disappear. A loop inside is treated like any other, and
// its delay is named after the delayed node.
// CHECK-LABEL: ntensor.network @nested
// CHECK-SAME:    by @snntorch_lif.value", ["block.lif", "block.deep.cell.1"], none, none, "none">
// CHECK-SAME:    "one tick on each of block.lif->block.w_rec", ["block.lif"]
// CHECK-DAG:     %fc = ntensor.linear "fc" %in
// CHECK-DAG:     [[D:%\S+]] = ntensor.delay "block.lif.delay" %block.lif {ticks = #nopt.array<1 : tensor<i64>>}
// CHECK-DAG:     %block.w_rec = ntensor.linear "block.w_rec" [[D]]
// CHECK-DAG:     %block.lif = ntensor.neuron "block.lif"
// CHECK-DAG:     [[C:%\S+]] = ntensor.neuron "block.deep.cell.1" @snntorch_lif.value(%fc)
// CHECK:         ntensor.output %block.lif, [[C]] : tensor<1xi1>, tensor<1xi1>
nir.graph @nested("in" %x: tensor<1xf32>) -> ("lif out": tensor<1xi1>, "cell out": tensor<1xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %b, %c = nir.subgraph "block" (%a) ("i" %i: tensor<1xf32>) -> ("o": tensor<1xi1>, "p": tensor<1xi1>) {
    %s = nir.sum %i, %r : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %z = nir.lif "lif" %s {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
    %r = nir.linear "w_rec" %z {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
    %y = nir.subgraph "deep" (%i) ("j" %j: tensor<1xf32>) -> ("q": tensor<1xi1>) {
      %k = nir.lif "cell.1" %j {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
      nir.output %k : tensor<1xi1>
    }
    nir.output %z, %y : tensor<1xi1>, tensor<1xi1>
  }
  nir.output %b, %c : tensor<1xi1>, tensor<1xi1>
}

// A loop may cross the boundaries of nested graphs; a nested graph that is only a wire disappears.
// CHECK-LABEL: ntensor.network @doors
// CHECK-SAME:    "one tick on each of left.lif->right.w", ["left.lif"]
// CHECK-NEXT:    [[D:%\S+]] = ntensor.delay "left.lif.delay" %left.lif {ticks = #nopt.array<1 : tensor<i64>>}
// CHECK-NEXT:    %right.w = ntensor.linear "right.w" [[D]]
// CHECK-NEXT:    [[S:%\S+]] = ntensor.sum
// CHECK-SAME:      %right.w
// CHECK-NEXT:    %left.lif = ntensor.neuron "left.lif" @snntorch_lif.value([[S]])
// CHECK-NEXT:    ntensor.output %left.lif, %in : tensor<1xi1>, tensor<1xf64>
nir.graph @doors("in" %x: tensor<1xf32>) -> ("out": tensor<1xi1>, "same": tensor<1xf32>) {
  %s = nir.sum %x, %r : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %z = nir.subgraph "left" (%s) ("i" %i: tensor<1xf32>) -> ("o": tensor<1xi1>) {
    %k = nir.lif "lif" %i {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
    nir.output %k : tensor<1xi1>
  }
  %r = nir.subgraph "right" (%z) ("i" %i: tensor<1xi1>) -> ("o": tensor<1xf32>) {
    %k = nir.linear "w" %i {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
    nir.output %k : tensor<1xf32>
  }
  %w = nir.subgraph "wire" (%x) ("i" %i: tensor<1xf32>) -> ("o": tensor<1xf32>) {
    nir.output %i : tensor<1xf32>
  }
  nir.output %z, %w : tensor<1xi1>, tensor<1xf32>
}
