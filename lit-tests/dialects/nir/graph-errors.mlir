// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// Two nodes of one graph must not have the same name; the message is at the second.
// CHECK:      graph-errors.mlir:11:3: error[NIR005]: two nodes have the same name
// CHECK-NEXT:   at: nir.identity "lif 1"
// CHECK-NEXT:   expected: each name once in a graph
// CHECK-NEXT:   found: "lif 1" twice
// CHECK-NEXT:   help: rename one of the two nodes
nir.graph @twins("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %a = nir.identity "lif 1" %x : tensor<1xf32> -> tensor<1xf32>
  %b = nir.identity "lif 1" %a : tensor<1xf32> -> tensor<1xf32>
  nir.output %b : tensor<1xf32>
}

// -----

// A node must not have the name of a terminal.
// CHECK:      error[NIR005]: two nodes have the same name
// CHECK-NEXT:   at: nir.identity "out"
nir.graph @terminal("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %a = nir.identity "out" %x : tensor<1xf32> -> tensor<1xf32>
  nir.output %a : tensor<1xf32>
}

// -----

// The same holds in a nested graph; if its terminals clash, the message is at its signature.
// CHECK:      error[NIR005]: two nodes have the same name
// CHECK-NEXT:   at: nir.subgraph "block"
// CHECK:        found: "in" twice
nir.graph @nested("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %a = nir.subgraph "block" (%x) ("in" %u: tensor<1xf32>) -> ("in": tensor<1xf32>) {
    nir.output %u : tensor<1xf32>
  }
  nir.output %a : tensor<1xf32>
}

// -----

// The operands of the terminator must have the types of the signature.
// CHECK:      error[NIR006]: the output types of the region differ from the signature
// CHECK-NEXT:   at: nir.graph @gives
// CHECK-NEXT:   expected: tensor<2xf32>
// CHECK-NEXT:   found: tensor<1xf32>
// CHECK-NEXT:   help: correct the signature, or the operands of nir.output
nir.graph @gives("in" %x: tensor<1xf32>) -> ("out": tensor<2xf32>) {
  nir.output %x : tensor<1xf32>
}

// -----

// The terminator must have as many operands as the signature.
// CHECK:      error[NIR006]: the output types of the region differ from the signature
// CHECK:        found: none
nir.graph @nothing("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  nir.output
}

// -----

// The arguments of the region must have the types of the signature; only the generic form can differ.
// CHECK:      error[NIR006]: the input types of the region differ from the signature
// CHECK-NEXT:   at: nir.graph @takes
// CHECK-NEXT:   expected: tensor<2xf32>
// CHECK-NEXT:   found: tensor<1xf32>
"nir.graph"() <{sym_name = "takes", function_type = (tensor<2xf32>) -> tensor<1xf32>, input_names = ["in"], output_names = ["out"]}> ({
^bb0(%x: tensor<1xf32>):
  "nir.output"(%x) : (tensor<1xf32>) -> ()
}) : () -> ()

// -----

// The signature must name every signal; only the generic form can differ.
// CHECK:      error[NIR006]: the signature of the graph has different numbers of input names and input types
// CHECK-NEXT:   at: nir.graph @unnamed
// CHECK-NEXT:   expected: 1 names
// CHECK-NEXT:   found: none
// CHECK-NEXT:   help: name every input and output once
"nir.graph"() <{sym_name = "unnamed", function_type = (tensor<1xf32>) -> tensor<1xf32>, input_names = [], output_names = ["out"]}> ({
^bb0(%x: tensor<1xf32>):
  "nir.output"(%x) : (tensor<1xf32>) -> ()
}) : () -> ()

// -----

// A graph must end in nir.output.
// CHECK:      error[NIR006]: the graph has no outputs
// CHECK-NEXT:   at: nir.graph @open
// CHECK-NEXT:   expected: nir.output as its last op
// CHECK-NEXT:   found: nir.identity
// CHECK-NEXT:   help: end the graph with nir.output and its output values
nir.graph @open("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %a = nir.identity "i" %x : tensor<1xf32> -> tensor<1xf32>
}

// -----

// A graph must not be empty.
// CHECK:      error[NIR006]: the graph has no outputs
// CHECK:        found: no op at all
nir.graph @empty("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
}

// -----

// Metadata of a terminal that does not exist would be lost on export.
// CHECK:      error[NIR006]: terminal_metadata has an entry that is not a terminal of the graph
// CHECK-NEXT:   at: nir.graph @stray
// CHECK-NEXT:   expected: "in", "out"
// CHECK-NEXT:   found: "inn"
// CHECK-NEXT:   help: correct the name, or remove the entry
nir.graph @stray("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) attributes {terminal_metadata = {inn = {}}} {
  nir.output %x : tensor<1xf32>
}

// -----

// Edges carry tensors of i1 or f32.
// CHECK:      error[NIR004]: input 0 is not a signal
// CHECK-NEXT:   at: nir.graph @doubles
// CHECK-NEXT:   expected: a tensor of i1 (spikes) or f32 (values)
// CHECK-NEXT:   found: tensor<1xf64>
// CHECK-NEXT:   help: `tensor<38xi1>` for the spikes of 38 neurons, `tensor<38xf32>` for values
nir.graph @doubles("in" %x: tensor<1xf64>) -> ("out": tensor<1xf64>) {
  nir.output %x : tensor<1xf64>
}

// -----

// A scalar that is not a tensor is not a signal.
// CHECK:      error[NIR004]: output 0 is not a signal
// CHECK:        found: f32
"nir.graph"() <{sym_name = "scalar", function_type = () -> f32, input_names = [], output_names = ["out"]}> ({
  "nir.output"() : () -> ()
}) : () -> ()

// -----

// The number of neurons must be static.
// CHECK:      error[NIR003]: input 0 has no static shape
// CHECK-NEXT:   at: nir.graph @dynamic
// CHECK-NEXT:   expected: a size for every axis
// CHECK-NEXT:   found: tensor<?xf32>
// CHECK-NEXT:   help: specify the number of neurons along each axis
nir.graph @dynamic("in" %x: tensor<?xf32>) -> ("out": tensor<?xf32>) {
  nir.output %x : tensor<?xf32>
}

// -----

// A nested graph must not use values of the enclosing graph.
// CHECK:      error[COR025]: Operation using value defined out of its IsolatedFromAbove parent
// CHECK-NEXT:   at: nir.subgraph "block"
nir.graph @isolated("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %a = nir.subgraph "block" (%x) ("in" %u: tensor<1xf32>) -> ("o": tensor<1xf32>) {
    nir.output %x : tensor<1xf32>
  }
  nir.output %a : tensor<1xf32>
}

// -----

// A value of another graph must not be used, although the text could refer to it.
// CHECK:      error[COR025]: Operation using value defined out of its IsolatedFromAbove parent
nir.graph @one("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  nir.output %q : tensor<1xf32>
}
nir.graph @two("in" %y: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %q = nir.identity "i" %y : tensor<1xf32> -> tensor<1xf32>
  nir.output %q : tensor<1xf32>
}

// -----

// The operands of a nested graph must match its signature.
// CHECK:      error[COR024]: expected 1 operand types but had 2
nir.graph @operands("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %a = nir.subgraph "block" (%x, %x) ("in" %u: tensor<1xf32>) -> ("o": tensor<1xf32>) {
    nir.output %u : tensor<1xf32>
  }
  nir.output %a : tensor<1xf32>
}

// -----

// A misspelt parameter must not be accepted as an annotation.
// CHECK:      error[COR009]: nir.graph has no property 'verson'
// CHECK-NEXT:   at: nir.graph @spelling
nir.graph @spelling("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) attributes {verson = "1.0.8"} {
  nir.output %x : tensor<1xf32>
}

// -----

// nir.output must be in a graph.
// CHECK:      error[COR025]: 'nir.output' expects parent op to be one of 'nir.graph', 'nir.subgraph'
nir.output
