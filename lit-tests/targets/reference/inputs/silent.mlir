ntensor.network @silent() -> ("y": tensor<1xf64>) attributes {tick_ns = 1000000} {
  %y = ntensor.delay "late" %y {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}
