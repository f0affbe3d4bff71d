// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// A misspelt optional parameter is refused; xDSL would accept it as an attribute and ignore it.
// CHECK:      operation-errors.mlir:10:3: error[COR009]: nir.linear has no property 'delay'
// CHECK-NEXT:   at: nir.linear "fc 1"
// CHECK-NEXT:   expected: one of delays, metadata, node, plasticity, transmission, weight, or a name with a dot
// CHECK-NEXT:   found: delay
// CHECK-NEXT:   help: correct the spelling, or put a dot into the name of an annotation of your own
nir.graph @misspelt("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %y = nir.linear "fc 1" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>, delay = #nopt.array<0.001 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// -----

// An op without parameters lists none.
// CHECK:      error[COR009]: nir.output has no property 'foo'
// CHECK-NEXT:   at: nir.output
// CHECK-NEXT:   expected: one of none, or a name with a dot
nir.graph @none("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  nir.output %x : tensor<1xf32> {foo = 1}
}

// -----

// No text of a pipeline contains a carriage return, so that no pass could name the node or the input.
// CHECK:      error[COR011]: the name "a\x0db" contains a character that passes cannot name
// CHECK-NEXT:   at: nir.i "a\x0db"
// CHECK-NEXT:   expected: a name without carriage returns and form feeds
// CHECK-NEXT:   found: the character U+000D
// CHECK-NEXT:   help: rename the node, and export it again
nir.graph @return("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %z = nir.i "a\0Db" %x {r = #nopt.array<1.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %z : tensor<1xf32>
}

// -----

// CHECK:      error[COR011]: the name "i\x0bn" contains a character that passes cannot name
nir.graph @input("i\0Bn" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  nir.output %x : tensor<1xf32>
}

// -----

// A trait names the parent of an op without its class.
// CHECK:      error[COR025]: 'spinnaker.router' expects parent op 'spinnaker.chip'
spinnaker.router 0 {key = #nopt.array<[] : tensor<0xi64>>, mask = #nopt.array<[] : tensor<0xi64>>, route = #nopt.array<[] : tensor<0xi64>>}
