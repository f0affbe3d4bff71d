ntensor.network @net("x" %x: tensor<2xi1>) -> ("y": tensor<1xf32>) attributes {tick_ns = 1000000 : i64, machine.device = "memxbar/array128"} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.5, 1.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}
