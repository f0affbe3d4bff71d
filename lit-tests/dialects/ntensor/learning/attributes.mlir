// RUN: nopt %s --split-input-file | filecheck %s
// RUN: not nopt %S/inputs/text.mlir 2>&1 | filecheck %s --check-prefix=TEXT

// Parameters are numbers, and modulators name inputs or nodes; empty dictionaries are omitted.
// CHECK: plasticity = #ntensor.learning<@grow>
// CHECK: plasticity = #ntensor.learning<@grow, {k = 1.000000e+00 : f64}>
// CHECK: plasticity = #ntensor.learning<@grow, {}, {m = "dopamine"}>
// TEXT: error[COR024]: expected a dictionary of numbers of f64
ntensor.network @n("x" %x: tensor<2xi1>) -> ("a": tensor<1xf64>, "b": tensor<1xf64>, "c": tensor<1xf64>) attributes {tick_ns = 1000000} {
  %a = ntensor.linear "fa" %x {weight = #nopt.array<[[1.0, 0.3]] : tensor<1x2xf32>>, plasticity = #ntensor.learning<@grow>} : tensor<2xi1> -> tensor<1xf64>
  %b = ntensor.linear "fb" %x {weight = #nopt.array<[[1.0, 0.3]] : tensor<1x2xf32>>, plasticity = #ntensor.learning<@grow, {k = 1.0}>} : tensor<2xi1> -> tensor<1xf64>
  %c = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.3]] : tensor<1x2xf32>>, plasticity = #ntensor.learning<@grow, {}, {m = "dopamine"}>} : tensor<2xi1> -> tensor<1xf64>
  ntensor.output %a, %b, %c : tensor<1xf64>, tensor<1xf64>, tensor<1xf64>
}
