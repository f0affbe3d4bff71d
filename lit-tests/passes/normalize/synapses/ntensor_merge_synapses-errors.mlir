// The pass refuses no network in ticks: ops with a bias in between, or with quantised weights, stay as they are.
// RUN: nopt %s -p ntensor-merge-synapses | filecheck %s
// RUN: not nopt %s -p 'ntensor-merge-synapses{most=1}' 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: error[COR013]: invalid options for ntensor-merge-synapses
// OPTION: help: nopt passes ntensor-merge-synapses
// RUN: not nopt %s -p 'ntensor-merge-synapses{nodes=aa}' 2>&1 | filecheck %s --check-prefix=NODES
// NODES:  error[ANA031]: ntensor-merge-synapses has no node "aa" to work on

// CHECK-NOT:  approximations
// CHECK:      ntensor.linear "a"
// CHECK-NEXT: ntensor.linear "b"
// CHECK-NEXT: ntensor.linear "c"
ntensor.network @stays("in" %x: tensor<2xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "a" %x {weight = #nopt.array<[[1.0, 2.0], [1.0, 2.0]] : tensor<2x2xf64>>, bias = #nopt.array<[1.0, 2.0] : tensor<2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %b = ntensor.linear "b" %a {weight = #nopt.array<[[1, 2]] : tensor<1x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xf64> -> tensor<1xf64>
  %c = ntensor.linear "c" %b {weight = #nopt.array<[[10.0]] : tensor<1x1xf64>>} : tensor<1xf64> -> tensor<1xf64>
  ntensor.output %c : tensor<1xf64>
}
