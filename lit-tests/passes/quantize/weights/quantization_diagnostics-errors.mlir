// Lossless quantisation causes no remark: weights on the grid, one of them far away; a few weights without a typical size; weights
// of one size with one bit.
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=8}' -o /dev/null 2>&1 | filecheck %s --allow-empty
// RUN: mutate '1,/^.. -----/d' %s | nopt - -p 'ntensor-quantize-weights{bits=1}' -o /dev/null 2>&1 | filecheck %s --allow-empty
// CHECK-NOT: QLO
ntensor.network @grid("input" %x: tensor<9xi1>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "grid" %x {weight = #nopt.array<[[100.0, 1.0, 2.0, -1.0, -2.0, 1.0, 3.0, 1.0, -1.0]] : tensor<1x9xf32>>} : tensor<9xi1> -> tensor<1xf32>
  ntensor.output %a : tensor<1xf32>
}

// -----

ntensor.network @signs("input" %x: tensor<2xi1>) -> ("output": tensor<2xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "signs" %x {weight = #nopt.array<[[0.3, -0.3], [0.3, 0.3]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  ntensor.output %a : tensor<2xf32>
}
