// Ticks that are not an array were an internal error: the network checks loops before its delays are verified.

// RUN: exits 1 nopt %s --split-input-file 2>&1 | filecheck %s

// CHECK:      error[COR025]
// CHECK-NEXT:   at: ntensor.delay "d"
// CHECK-NOT:  CLI004
ntensor.network @number("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = "ntensor.delay"(%x) <{node = "d", ticks = 1.0}> : (tensor<2xf32>) -> tensor<2xf32>
  ntensor.output %y : tensor<2xf32>
}

// -----

// CHECK:      error[COR025]
// CHECK-NEXT:   at: ntensor.delay "d"
// CHECK-NOT:  CLI004
ntensor.network @none("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = "ntensor.delay"(%x) <{node = "d"}> : (tensor<2xf32>) -> tensor<2xf32>
  ntensor.output %y : tensor<2xf32>
}
