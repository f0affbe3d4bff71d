// RUN: not nopt %s --split-input-file -p nir-flatten 2>&1 | filecheck %s
// RUN: not nopt %s -p 'nir-flatten{deep}' 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: error[COR013]: invalid options for nir-flatten

// The node "a.b" of the outermost graph, and the node "b" of the nested graph "a".
// CHECK: error[ANA012]: two nodes have the same full name
// CHECK: found: "a.b" twice
// CHECK: help: rename one of the two nodes, or the nested graph
nir.graph @twins("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  %y = nir.identity "a.b" %x : tensor<1xf32> -> tensor<1xf32>
  %z = nir.subgraph "a" (%y) ("in" %in: tensor<1xf32>) -> ("out": tensor<1xf32>) {
    %v = nir.identity "b" %in : tensor<1xf32> -> tensor<1xf32>
    nir.output %v : tensor<1xf32>
  }
  nir.output %z : tensor<1xf32>
}

// -----

// The input of "b" is its own output.
// CHECK: error[ANA011]: a wire of a nested graph leads nowhere but to itself
// CHECK: help: put a node into the circle, or remove it
nir.graph @circle("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  %y = nir.subgraph "b" (%y) ("in" %in: tensor<1xf32>) -> ("out": tensor<1xf32>) {
    nir.output %in : tensor<1xf32>
  }
  %z = nir.identity "a" %y : tensor<1xf32> -> tensor<1xf32>
  nir.output %z : tensor<1xf32>
}

// -----

// The remark is an error under --strict; the remedy is to omit the pass.
// RUN: not nopt %s --split-input-file --strict -p nir-flatten 2>&1 | filecheck %s --check-prefix=STRICT
// STRICT: error[NRM004]: metadata of a nested graph is dropped
// STRICT: help: nopt {{.*}}nir_flatten-errors.mlir --split-input-file --strict
nir.graph @metadata("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  %y = nir.subgraph "a" (%x) ("in" %in: tensor<1xf32>) -> ("out": tensor<1xf32>) attributes {metadata = {author = "me"}} {
    %v = nir.identity "b" %in : tensor<1xf32> -> tensor<1xf32>
    nir.output %v : tensor<1xf32>
  }
  nir.output %y : tensor<1xf32>
}
