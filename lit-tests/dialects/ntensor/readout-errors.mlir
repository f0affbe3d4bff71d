// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// CHECK: error[COR024]: expected `attributes {tick_ns = N}`, the length of a tick in nanoseconds
ntensor.readout @tickless("a" %x: tensor<2xi1>) -> ("out": tensor<1xf64>) {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.5, 0.25]] : tensor<1x2xf64>>} : tensor<2xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}

// -----

// CHECK:      error[NTE002]: the output types of the region differ from the signature
// CHECK-NEXT:   at: ntensor.readout @wrong
// CHECK-NEXT:   expected: tensor<2xf64>
// CHECK-NEXT:   found: tensor<1xf64>
ntensor.readout @wrong("a" %x: tensor<2xi1>) -> ("out": tensor<2xf64>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.5, 0.25]] : tensor<1x2xf64>>} : tensor<2xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}

// -----

// CHECK:      error[NTE005]: the update is not in the module
// CHECK-NEXT:   at: ntensor.neuron "li"
ntensor.readout @unknown("a" %x: tensor<2xi1>) -> ("out": tensor<2xf64>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.neuron "li" @li(%x) {params = {}, initial = {}} : (tensor<2xi1>) -> tensor<2xf64>
  ntensor.output %y : tensor<2xf64>
}
