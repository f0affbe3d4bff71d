// RUN: not nopt %s -p 'convert-ntensor-to-c,c-choose-events{dense=fcc}' 2>&1 | filecheck %s
// RUN: nopt %s -p 'convert-ntensor-to-c,c-choose-events{dense=fc}'

// Unknown nodes are refused.
// CHECK:      error[CSR007]: no synapse op is called "fcc"
// CHECK-NEXT:   at: c-choose-events{dense=fcc}
// CHECK-NEXT:   expected: fc
// CHECK-NEXT:   found: fcc
// CHECK-NEXT:   help: nopt {{.*}}c_choose_events-errors.mlir -p 'convert-ntensor-to-c,c-choose-events{dense=fc}'
ntensor.network @net("x" %x: tensor<3xi1>) -> ("y": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<constant(value = 0.5) : tensor<2x3xf32>>} : tensor<3xi1> -> tensor<2xf32>
  ntensor.output %y : tensor<2xf32>
}
