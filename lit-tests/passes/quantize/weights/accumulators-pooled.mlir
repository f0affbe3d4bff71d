// A pool of four spikes and another spike are at most 5, also as reals: 5 times 127 steps is 635, 11 bits with the sign.
// RUN: not nopt %s -p 'ntensor-quantize-weights{accumulator=10}' 2>&1 | filecheck %s
// RUN: nopt %s -p 'ntensor-quantize-weights{accumulator=11}' -o /dev/null
// CHECK-NOT: QUA008
// CHECK: error[QUA007]: an accumulator overflows
// CHECK: found: 11 bits: 0 to 635, the most in row 0
// CHECK: note: ntensor.linear "fc" reads 0 to 5 in a tick
ntensor.network @pooled("input" %x: tensor<1x2x2xi1>, "other" %o: tensor<1xi1>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %p = ntensor.sum_pool2d "pool" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x2xi1> -> tensor<1x1x1xf32>
  %f = ntensor.reshape "flat" %p : tensor<1x1x1xf32> -> tensor<1xf32>
  %s = ntensor.sum %f, %o : (tensor<1xf32>, tensor<1xi1>) -> tensor<1xf32>
  %y = ntensor.linear "fc" %s {weight = #nopt.array<[[1.27]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}
