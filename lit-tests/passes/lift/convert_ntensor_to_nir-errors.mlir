// RUN: exits 1 nopt %s --split-input-file -p convert-ntensor-to-nir 2>&1 | filecheck %s

// The first record contains the time step and the preset; without it they are not guessed.
// CHECK:      error[NRM006]: it is not known how the network was converted
// CHECK-NEXT:   at: ntensor.network @forgotten
// CHECK-NEXT:   expected: a record of convert-nir-to-ntensor, with its time step and preset
// CHECK-NEXT:   found: 0 records, none of which is its
// CHECK-NEXT:   help: nopt FILE.nir -p 'convert-nir-to-ntensor{dt-ns=1000 like=norse}'
ntensor.update @unit <value> inputs ["x"] step {
^bb0(%x: f64):
  ntensor.emit %x : f64
}
ntensor.network @forgotten("x" %x: tensor<1xf64>) -> ("y": tensor<1xf64>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.neuron "unit" @unit(%x) {family = "li", params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}

// -----

// A neuron that is not of a NIR family.
// CHECK:      error[NRM007]: NIR cannot represent the neuron @unit
// CHECK-NEXT:   at: ntensor.neuron "unit"
// CHECK-NEXT:   expected: a neuron of cuba_lif, cuba_li, if, i, lif, li, threshold
// CHECK-NEXT:   found: the neuron @unit
// CHECK-NEXT:   help: nopt {{.*}} --split-input-file -t mlir
ntensor.update @unit <value> inputs ["x"] step {
^bb0(%x: f64):
  ntensor.emit %x : f64
}
ntensor.network @foreign("x" %x: tensor<1xf64>) -> ("y": tensor<1xf64>) attributes {tick_ns = 1000 : i64, approximations = [#ntensor.approximation<"convert-nir-to-ntensor{dt-ns=1000}", "discretised", ["unit"], none, none, "none">]} {
  %y = ntensor.neuron "unit" @unit(%x) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}

// -----

// Integers.
// CHECK:      error[NRM007]: NIR cannot represent integers (i8)
// CHECK-NEXT:   at: ntensor.linear "a"
// CHECK-NEXT:   expected: reals, spikes or counts of spikes
ntensor.network @integers("x" %x: tensor<1xi8>) -> ("y": tensor<1xi16>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "a" %x {weight = #nopt.array<[[2]] : tensor<1x1xi8>>} : tensor<1xi8> -> tensor<1xi16>
  ntensor.output %a : tensor<1xi16>
}

// -----

// Single synapses with delays.
// CHECK:      error[NRM007]: NIR cannot represent single synapses with delays of their own
// CHECK-NEXT:   at: ntensor.sparse_linear "a"
ntensor.network @sparse("x" %x: tensor<1xf64>) -> ("y": tensor<1xf64>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.sparse_linear "a" %x {weight = #nopt.array<[2.0] : tensor<1xf32>>, source = #nopt.array<[0] : tensor<1xi64>>, target = #nopt.array<[0] : tensor<1xi64>>} : tensor<1xf64> -> tensor<1xf64>
  ntensor.output %a : tensor<1xf64>
}

// -----

// Exponents, and padding of two sizes.
// CHECK:      error[NRM007]: NIR cannot represent exponents of weights
// CHECK-NEXT:   at: ntensor.linear "a"
ntensor.network @exponents("x" %x: tensor<1xf64>) -> ("y": tensor<1xf64>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "a" %x {weight = #nopt.array<[[2.0]] : tensor<1x1xf32>>, exponent = #nopt.array<1 : tensor<i8>>} : tensor<1xf64> -> tensor<1xf64>
  ntensor.output %a : tensor<1xf64>
}

// -----

// CHECK{LITERAL}:      error[NRM007]: NIR cannot represent padding [[0, 2]]
// CHECK-NEXT:   at: ntensor.conv1d "a"
// CHECK-NEXT:   expected: the same number of zeros before and after an axis
ntensor.network @padding("x" %x: tensor<1x3xf64>) -> ("y": tensor<1x5xf64>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.conv1d "a" %x {weight = #nopt.array<[[[2.0]]] : tensor<1x1x1xf32>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 1 : i64} : tensor<1x3xf64> -> tensor<1x5xf64>
  ntensor.output %a : tensor<1x5xf64>
}
