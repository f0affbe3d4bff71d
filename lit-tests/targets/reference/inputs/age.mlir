ntensor.network @net("x" %x: tensor<2xi1>) -> ("y": tensor<2xi1>) attributes {tick_ns = 1000000} {
  %y = ntensor.delay "age" %x {ticks = #nopt.array<1000000000000 : tensor<i64>>} : tensor<2xi1>
  ntensor.output %y : tensor<2xi1>
}
