// The summary printed errors without their last digits 1: 0.0001 as 0.000. 1.0001 becomes 1 in f16.
// RUN: nopt compile %s --target c -p ntensor-round-reals -o %t -v | filecheck %s
// CHECK: ntensor-round-reals: weights and biases rounded to f16, largest error 0.0001{{$}}
ntensor.network @net("input" %x: tensor<1xi1>) -> ("output": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0001]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}
