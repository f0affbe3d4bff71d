// All readers of the input, through any number of reshapes and delays, get the new type, and the signature of the network declares it.
// RUN: nopt %s -p 'ntensor-quantize-inputs{kind=spike}' | filecheck %s
// CHECK: ntensor.network @net("in" %x: tensor<2xi1>) -> ("a": tensor<2xi1>, "b": tensor<1x2xi1>, "c": tensor<2xf64>)
// CHECK-NEXT: ntensor.delay "first" %x {{.*}} : tensor<2xi1>
// CHECK-NEXT: ntensor.reshape "then" %{{.*}} : tensor<2xi1> -> tensor<1x2xi1>
// CHECK-NEXT: ntensor.delay "last" %{{.*}} : tensor<1x2xi1>
// CHECK-NEXT: ntensor.scale "read" %{{.*}} : tensor<2xi1> -> tensor<2xf64>
ntensor.network @net("in" %x: tensor<2xf64>) -> ("a": tensor<2xf64>, "b": tensor<1x2xf64>, "c": tensor<2xf64>) attributes {tick_ns = 1000} {
  %0 = ntensor.delay "first" %x {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xf64>
  %1 = ntensor.reshape "then" %0 : tensor<2xf64> -> tensor<1x2xf64>
  %2 = ntensor.delay "last" %1 {ticks = #nopt.array<[[0, 1]] : tensor<1x2xi64>>} : tensor<1x2xf64>
  %3 = ntensor.scale "read" %0 {scale = #nopt.array<0.3 : tensor<f64>>} : tensor<2xf64> -> tensor<2xf64>
  ntensor.output %x, %2, %3 : tensor<2xf64>, tensor<1x2xf64>, tensor<2xf64>
}
