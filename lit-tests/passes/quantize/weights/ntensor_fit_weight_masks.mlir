// RUN: nopt %s --split-input-file -p ntensor-fit-weight-masks | filecheck %s
// RUN: nopt %s --split-input-file -p ntensor-fit-weight-masks,ntensor-fit-weight-masks | filecheck %s --check-prefix=AGAIN

// Weights become sums of four currents, with their sign. These are multiples of one number, so that nothing is recorded.
// CHECK-LABEL: ntensor.network @exact
// CHECK-NOT:   approximations
// CHECK:       ntensor.linear "fc" %{{.+}} {weight = #nopt.array<{{\[\[}}[[A:[0-9]+]], -[[B:[0-9]+]], 0, [[C:[0-9]+]]]] : tensor<1x4xi16>>, quantized = #ntensor.quantized<11, #nopt.array<{{.+}} : tensor<f64>>>}
// AGAIN-LABEL: ntensor.network @exact("input" %x: tensor<4xi1>) -> ("output": tensor<1xf64>) attributes {tick_ns = 1000 : i64} {
ntensor.network @exact("input" %x: tensor<4xi1>) -> ("output": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.5, -0.25, 0.0, 1.0]] : tensor<1x4xf64>>} : tensor<4xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}

// -----

// Nine weights are sums of no four currents: the errors are recorded. A second pass finds the same currents, and records nothing more.
// CHECK-LABEL: ntensor.network @rounded
// CHECK-SAME:  #ntensor.approximation<"ntensor-fit-weight-masks", "weights fitted to the sums of four currents, which a population shares", ["fc"], {{.+}} : f64, {{.+}} : f64, "1">
// AGAIN-LABEL: ntensor.network @rounded
// AGAIN-SAME:  approximations = [#ntensor.approximation<{{[^#]+}}>]} {
// CHECK:       ntensor.linear "fc" %{{.+}} tensor<1x9xi16>>, quantized = #ntensor.quantized<11,
ntensor.network @rounded("input" %x: tensor<9xi1>) -> ("output": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.11, 0.23, -0.31, 0.42, 0.57, -0.68, 0.71, 0.89, 0.97]] : tensor<1x9xf64>>} : tensor<9xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}

// -----

// All ops into a population share the currents, and their scale.
// CHECK-LABEL: ntensor.network @shared
// CHECK:       ntensor.linear "fc" {{.*}}#ntensor.quantized<11, #nopt.array<[[SCALE:[^ ]+]] : tensor<f64>>>
// CHECK:       ntensor.linear "rec" {{.*}}#ntensor.quantized<11, #nopt.array<[[SCALE]] : tensor<f64>>>
ntensor.update @if <spike> inputs ["x"] states ["v"] params ["threshold"] raw ["threshold"] derive {
^bb0(%dt: f64, %raw: f64):
  ntensor.derived %raw : f64
} initial {
^bb0(%threshold: f64):
  %c0 = arith.constant 0.0 : f64
  ntensor.initial %c0 : f64
} step {
^bb0(%x: f64, %v: f64, %threshold: f64):
  %v1 = arith.addf %v, %x : f64
  %z = arith.cmpf ogt, %v1, %threshold : f64
  ntensor.emit %z, %v1 : i1, f64
}
ntensor.network @shared("input" %x: tensor<2xi1>) -> ("output": tensor<2xi1>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[4.0, 1.0], [2.0, 4.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %d = ntensor.delay "d" %z {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xi1>
  %b = ntensor.linear "rec" %d {weight = #nopt.array<[[0.0, -0.5], [0.5, 0.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %s = ntensor.sum %a, %b : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %z = ntensor.neuron "n" @if(%s) {params = {threshold = #nopt.array<1.0 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// Weights that are all 0 have no currents.
// CHECK-LABEL: ntensor.network @zero
// CHECK-NOT:   approximations
// CHECK:       ntensor.linear "fc" %{{.+}} {weight = #nopt.array<{{\[\[}}0, 0]] : tensor<1x2xi16>>, quantized = #ntensor.quantized<11, #nopt.array<1.0 : tensor<f64>>>}
ntensor.network @zero("input" %x: tensor<2xi1>) -> ("output": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.0, 0.0]] : tensor<1x2xf64>>} : tensor<2xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}
