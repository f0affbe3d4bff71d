// RUN: not nopt %s -t nir -o %t.nir --split-input-file 2>&1 | filecheck %s
// RUN: not cat %t.nir

// A module without a network cannot be written.
// CHECK:      error[NIF038]: the module is not one network of the nir dialect
// CHECK-NEXT:   expected: one nir.graph
// CHECK-NEXT:   found: func.func @later
// CHECK-NEXT:   help: nopt {{.*}}nir_export-errors.mlir -t mlir -o {{.*}}nir_export-errors.mlir.tmp.nir --split-input-file
func.func @later() {
  func.return
}

// -----

// A module with two networks, or without ops, cannot be written.
// CHECK:      error[NIF038]: the module is not one network of the nir dialect
// CHECK:        found: nir.graph @one, nir.graph @two
nir.graph @one("x" %x: tensor<1xf32>) -> ("y": tensor<1xf32>) {
  nir.output %x : tensor<1xf32>
}
nir.graph @two("x" %x: tensor<1xf32>) -> ("y": tensor<1xf32>) {
  nir.output %x : tensor<1xf32>
}

// -----

// CHECK:      error[NIF038]: the module is not one network of the nir dialect
// CHECK:        found: 0 ops
builtin.module {}

// -----

// A network with an op of another dialect cannot be written.
// CHECK:      error[NIF038]: the network contains an op of another dialect
// CHECK-NEXT:   at: arith.negf
// CHECK-NEXT:   expected: ops of the nir dialect
// CHECK-NEXT:   found: arith.negf
// CHECK-NEXT:   help: nopt {{.*}}nir_export-errors.mlir -t mlir -o {{.*}}nir_export-errors.mlir.tmp.nir --split-input-file
nir.graph @foreign("x" %x: tensor<1xf32>) -> ("y": tensor<1xf32>) {
  %y = arith.negf %x : tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// -----

// Each property that the dialect adds to NIR is refused.
// CHECK:      error[NIF039]: NIR cannot represent delays
// CHECK-NEXT:   at: nir.linear "fc"
// CHECK-NEXT:   expected: Linear with weight
// CHECK-NEXT:   found: #nopt.array<0.001 : tensor<f32>>
// CHECK-NEXT:   help: nopt {{.*}}nir_export-errors.mlir -t mlir -o {{.*}}nir_export-errors.mlir.tmp.nir --split-input-file
// CHECK:      error[NIF039]: NIR cannot represent plasticity
// CHECK-NEXT:   at: nir.linear "fc"
// CHECK:        found: #nir.stdp
// CHECK:      error[NIF039]: NIR cannot represent transmission
// CHECK-NEXT:   at: nir.linear "fc"
nir.graph @synapses("x" %x: tensor<1xf32>) -> ("y": tensor<1xf32>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>, delays = #nopt.array<0.001 : tensor<f32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<1xf32> -> tensor<1xf32>
  %y = nir.subgraph "block" (%a) ("in" %u: tensor<1xf32>) -> ("out": tensor<1xf32>) {
    %w = nir.linear "fc" %u {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>, transmission = #nir.transmission<rate>} : tensor<1xf32> -> tensor<1xf32>
    nir.output %w : tensor<1xf32>
  }
  nir.output %y : tensor<1xf32>
}

// -----

// An edge exists once, so a signal must not be added to itself: directly, through another sum, or in a loop of sums.
// CHECK:      error[NIF041]: a signal is added twice
// CHECK-NEXT:   at: nir.scale "fc"
// CHECK-NEXT:   expected: each signal once
// CHECK-NEXT:   found: "x" twice
// CHECK-NEXT:   help: use a nir.scale to add a signal twice
nir.graph @twice("x" %x: tensor<1xf32>) -> ("y": tensor<1xf32>) {
  %s = nir.sum %x, %t : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %t = nir.sum %x : (tensor<1xf32>) -> tensor<1xf32>
  %y = nir.scale "fc" %s {scale = #nopt.array<[2.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// -----

// CHECK:      error[NIF041]: a signal is added twice
// CHECK-NEXT:   at: nir.graph @ring
// CHECK-NEXT:   expected: each signal once
// CHECK-NEXT:   found: a sum that is added twice, or depends on itself
nir.graph @ring("x" %x: tensor<1xf32>) -> ("y": tensor<1xf32>) {
  %s = nir.sum %x, %s : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  nir.output %s : tensor<1xf32>
}

// -----

// A reader would add an Output to a signal without a reader.
// CHECK:      error[NIF042]: the signal of "more" is unused
// CHECK-NEXT:   at: nir.graph @nowhere
// CHECK-NEXT:   expected: a node that reads it, or nir.output
// CHECK-NEXT:   found: neither
// CHECK-NEXT:   help: connect it, or remove it from the signature
// CHECK:      error[NIF042]: the signal of "fc" is unused
// CHECK-NEXT:   at: nir.scale "fc"
// CHECK-NEXT:   expected: a node that reads it, or nir.output
// CHECK-NEXT:   found: neither
// CHECK-NEXT:   help: nopt {{.*}}nir_export-errors.mlir -t nir -o {{.*}}nir_export-errors.mlir.tmp.nir --split-input-file -p nir-remove-dead
nir.graph @nowhere("x" %x: tensor<1xf32>, "more" %m: tensor<1xf32>) -> ("y": tensor<1xf32>) {
  %d = nir.scale "fc" %x {scale = #nopt.array<[2.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %x : tensor<1xf32>
}

// -----

// A graph must have inputs and outputs.
// CHECK:      error[NIF042]: the graph has no input
// CHECK-NEXT:   at: nir.graph @nothing
// CHECK-NEXT:   expected: a graph with inputs and outputs
// CHECK-NEXT:   found: none
// CHECK-NEXT:   help: declare an input in the signature of the graph
// CHECK:      error[NIF042]: the graph has no output
nir.graph @nothing() -> () {
  nir.output
}

// -----

// Inputs of NIR must be values.
// CHECK:      error[NIF043]: the input "x" takes spikes
// CHECK-NEXT:   at: nir.graph @spikes
// CHECK-NEXT:   expected: values (f32); a spike is 1 there, no spike 0
// CHECK-NEXT:   found: tensor<1xi1>
// CHECK-NEXT:   help: declare it as tensor<1xf32>
nir.graph @spikes("x" %x: tensor<1xi1>) -> ("y": tensor<1xf32>) {
  %y = nir.scale "fc" %x {scale = #nopt.array<[2.0] : tensor<1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// -----

// The sum of one spike signal is a value; an edge would be spikes.
// CHECK:      error[NIF043]: a signal would read back as another kind
// CHECK-NEXT:   at: "hold"
// CHECK-NEXT:   expected: tensor<1xf32> -> tensor<1xf32>
// CHECK-NEXT:   found: tensor<1xi1> -> tensor<1xi1>
// CHECK-NEXT:   help: connect spikes without a sum
// CHECK-NEXT:     nopt {{.*}}nir_export-errors.mlir -t mlir -o {{.*}}nir_export-errors.mlir.tmp.nir --split-input-file
nir.graph @one_spike("x" %x: tensor<1xf32>) -> ("y": tensor<1xf32>) {
  %z = nir.threshold "z" %x {threshold = #nopt.array<[1.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  %s = nir.sum %z : (tensor<1xi1>) -> tensor<1xf32>
  %y = nir.delay "hold" %s {delay = #nopt.array<[0.001] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// -----

// Metadata must be text and arrays.
// CHECK:      error[NIF044]: NIR cannot represent metadata "epochs"
// CHECK-NEXT:   at: nir.scale "fc"
// CHECK-NEXT:   expected: text, #nopt.array, a list of text, or a dictionary of these
// CHECK-NEXT:   found: 3 : i64
// CHECK-NEXT:   help: write it as text or as an array, or remove it
// CHECK:      error[NIF044]: NIR cannot represent metadata "arrays"
// CHECK-NEXT:   at: nir.graph @metadata
nir.graph @metadata("x" %x: tensor<1xf32>) -> ("y": tensor<1xf32>) attributes {metadata = {arrays = [#nopt.array<1 : tensor<i8>>, #nopt.array<1 : tensor<i8>>]}} {
  %y = nir.scale "fc" %x {scale = #nopt.array<[2.0] : tensor<1xf32>>, metadata = {epochs = 3 : i64}} : tensor<1xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// -----

// CHECK:      error[NIF044]: metadata is not a dictionary
// CHECK-NEXT:   at: nir.graph @terminal
// CHECK-NEXT:   expected: entries with names, in braces
// CHECK-NEXT:   found: "mV"
nir.graph @terminal("x" %x: tensor<1xf32>) -> ("y": tensor<1xf32>) attributes {terminal_metadata = {x = "mV"}} {
  nir.output %x : tensor<1xf32>
}

// -----

// Edges to a nested graph cannot select one of its inputs.
// CHECK:      error[NIF045]: a nested graph has several inputs
// CHECK-NEXT:   at: nir.subgraph "block"
// CHECK-NEXT:   expected: one input
// CHECK-NEXT:   found: "a", "b"
// CHECK-NEXT:   help: nopt {{.*}}nir_export-errors.mlir -t nir -o {{.*}}nir_export-errors.mlir.tmp.nir --split-input-file -p nir-flatten
// CHECK:      error[NIF045]: a nested graph has several outputs
nir.graph @several("x" %x: tensor<1xf32>) -> ("y": tensor<1xf32>, "z": tensor<1xf32>) {
  %y, %z = nir.subgraph "block" (%x, %x) ("a" %u: tensor<1xf32>, "b" %v: tensor<1xf32>) -> ("c": tensor<1xf32>, "d": tensor<1xf32>) {
    %w = nir.scale "fc" %u {scale = #nopt.array<[2.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xf32>
    nir.output %w, %v : tensor<1xf32>, tensor<1xf32>
  }
  nir.output %y, %z : tensor<1xf32>, tensor<1xf32>
}
