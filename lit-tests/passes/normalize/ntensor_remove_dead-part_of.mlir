// A delay that is part of a node holds the output of the node, so both are kept or removed together.
// RUN: nopt %s -p ntensor-fold-identities,ntensor-fold-scale,ntensor-remove-dead | filecheck %s
// CHECK:      ntensor.linear "fc" %{{.+}} {weight =
// CHECK-NEXT: ntensor.delay "fc.delay" %{{.+}} part_of = "fc"
// CHECK-NEXT: ntensor.scale "gain"
// CHECK-NEXT: ntensor.delay "gain.delay" %{{.+}} part_of = "gain"
// CHECK-NEXT: ntensor.reshape "same"
// CHECK-NEXT: ntensor.delay "same.delay" %{{.+}} part_of = "same"
// CHECK-NEXT: ntensor.output
ntensor.network @owners("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %b = ntensor.delay "fc.delay" %a {ticks = #nopt.array<1 : tensor<i64>>, part_of = "fc"} : tensor<1xf32>
  %c = ntensor.scale "gain" %b {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %d = ntensor.delay "gain.delay" %c {ticks = #nopt.array<1 : tensor<i64>>, part_of = "gain"} : tensor<1xf32>
  %e = ntensor.reshape "same" %d : tensor<1xf32> -> tensor<1xf32>
  %f = ntensor.delay "same.delay" %e {ticks = #nopt.array<1 : tensor<i64>>, part_of = "same"} : tensor<1xf32>
  ntensor.output %f : tensor<1xf32>
}
