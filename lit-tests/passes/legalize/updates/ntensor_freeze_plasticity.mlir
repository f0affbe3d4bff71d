// RUN: nopt %s --split-input-file -p ntensor-freeze-plasticity | filecheck %s

// Weights no longer change; the error is unknown.
// CHECK-LABEL: ntensor.network @plastic
// CHECK-SAME:    approximations = [#ntensor.approximation<"ntensor-freeze-plasticity", "plasticity frozen: weights stay as they were trained", ["one", "two"], none, none, "none">]
// CHECK-NOT:     plasticity =
// CHECK:         ntensor.output
ntensor.network @plastic("in" %x: tensor<2xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "one" %x {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf64>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<2xi1> -> tensor<1xf64>
  %w = ntensor.linear "two" %y {weight = #nopt.array<[[1.0]] : tensor<1x1xf64>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<1xf64> -> tensor<1xf64>
  ntensor.output %w : tensor<1xf64>
}

// -----

// Weights without plasticity are unchanged, and nothing is recorded.
// CHECK-LABEL: ntensor.network @fixed
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
ntensor.network @fixed("in" %x: tensor<2xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "one" %x {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf64>>} : tensor<2xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}
