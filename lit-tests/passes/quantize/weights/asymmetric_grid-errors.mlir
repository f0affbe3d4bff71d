// The largest number of f32 is 255 steps, of a scale that is one f32 smaller than the nearest, so that the product is finite. The smallest f32 is 128 steps of 2^-156, and stays.
// RUN: nopt %s -p 'ntensor-quantize-weights{per=row grid=asymmetric}' | filecheck %s
// CHECK: ntensor.linear "fc"
// CHECK-SAME{LITERAL}: [[127], [0], [-128]] : tensor<3x1xi8>>
ntensor.network @net("input" %x: tensor<1xi1>) -> ("output": tensor<3xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[3.4028235e38], [1.0e-45], [0.0]] : tensor<3x1xf32>>} : tensor<1xi1> -> tensor<3xf32>
  ntensor.output %y : tensor<3xf32>
}
