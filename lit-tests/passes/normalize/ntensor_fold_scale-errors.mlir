// The pass refuses no network: scales that cannot be folded are kept. A product beyond the type is not a weight, with `rounding` neither.
// RUN: nopt %s -p 'ntensor-fold-scale{rounding}' | filecheck %s
// RUN: not nopt %s -p 'ntensor-fold-scale{rounding=maybe}' 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: error[COR013]: invalid options for ntensor-fold-scale
// OPTION: expected: rounding (bool)
// OPTION: help: nopt passes ntensor-fold-scale

// CHECK-NOT: approximation
// CHECK: ntensor.scale "large"
ntensor.network @beyond("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.scale "large" %x {scale = #nopt.array<1.0e30 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %z = ntensor.linear "fc" %y {weight = #nopt.array<[[1.0e30]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  ntensor.output %z : tensor<1xf32>
}
