// RUN: exits 1 nopt %s -p ntensor-form-layers 2>&1 | filecheck %s

// A network without populations of requantised integers has no layers.
// CHECK:      error[LEG198]: no population requantises integers [no-layers-to-form]
// CHECK-NEXT:   at: ntensor.network @sums
// CHECK-NEXT:   expected: populations of the family activation, of integers
// CHECK-NEXT:   found: none
// CHECK-NEXT:   help: nopt explain LEG198
ntensor.network @sums("x" %x: tensor<2x!ntensor.count<8>>) -> ("y": tensor<1xi32>) attributes {tick_ns = 1000000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, -2]] : tensor<1x2xi8>>} : tensor<2x!ntensor.count<8>> -> tensor<1xi32>
  ntensor.output %y : tensor<1xi32>
}
