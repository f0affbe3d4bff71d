// RUN: not nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' 2>&1 | filecheck %s

// Two nested graphs that contain only wires, each of which is the input of the other.
// CHECK:      error[ANA011]: a wire of a nested graph leads nowhere but to itself
// CHECK-NEXT:   at: nir.graph @circle
// CHECK-NEXT:   expected: a node between the output and the input of the nested graph
// CHECK-NEXT:   found: a circle of 4 wires
// CHECK-NEXT:   help: put a node into the circle, or remove it
nir.graph @circle("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %a = nir.subgraph "left" (%b) ("i" %i: tensor<1xf32>) -> ("o": tensor<1xf32>) {
    nir.output %i : tensor<1xf32>
  }
  %b = nir.subgraph "right" (%a) ("i" %i: tensor<1xf32>) -> ("o": tensor<1xf32>) {
    nir.output %i : tensor<1xf32>
  }
  %s = nir.sum %x, %a : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  nir.output %s : tensor<1xf32>
}

// -----

// The node `lif` of the nested graph `a.b`, and the node `b.lif` of the nested graph `a`, both have the full name `a.b.lif`.
// CHECK:      flat_graph-errors.mlir:34:5: error[ANA012]: two nodes have the same full name
// CHECK-NEXT:   at: nir.graph @names
// CHECK-NEXT:   expected: each full name once
// CHECK-NEXT:   found: "a.b.lif" twice
// CHECK-NEXT:   help: rename one of the two nodes, or the nested graph
nir.graph @names("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %y = nir.subgraph "a.b" (%x) ("i" %i: tensor<1xf32>) -> ("o": tensor<1xf32>) {
    %k = nir.scale "lif" %i {scale = #nopt.array<0.5 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
    nir.output %k : tensor<1xf32>
  }
  %z = nir.subgraph "a" (%y) ("i" %i: tensor<1xf32>) -> ("o": tensor<1xf32>) {
    %k = nir.scale "b.lif" %i {scale = #nopt.array<0.5 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
    nir.output %k : tensor<1xf32>
  }
  nir.output %z : tensor<1xf32>
}
