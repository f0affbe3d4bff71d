// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1 like=norse}' 2>&1 | filecheck %s

// A delay of 1e18 s exceeds the maximum.
// CHECK:      error[ANA037]: a delay is too long to be counted in ticks
// CHECK-NEXT:   at: nir.linear "w"
// CHECK-NEXT:   expected: at most 2^62 ticks of 1 ns
// CHECK-NEXT:   found: 1e+18 s
// CHECK-NEXT:   help: check the unit that the exporter wrote; NIR counts in seconds
nir.graph @late("in" %x: tensor<1xi1>) -> ("out": tensor<1xf32>) {
  %a = nir.linear "w" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>, delays = #nopt.array<1.0e+18 : tensor<f64>>} : tensor<1xi1> -> tensor<1xf32>
  nir.output %a : tensor<1xf32>
}
