// Products at the limits of f32: a half of 2^-149 is not representable, of 2^-148 it is; twice 3e38 is infinite, twice 1e38 is not.
// RUN: nopt %s -p nir-fold-scale | filecheck %s
// CHECK:      nir.scale "lost"
// CHECK-NEXT: nir.linear "smallest"
// CHECK-NEXT: nir.linear "second" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[1.0e-45]] : tensor<1x1xf32>>
// CHECK-NEXT: nir.scale "infinite"
// CHECK-NEXT: nir.linear "largest"
// CHECK-NEXT: nir.linear "large" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[2.0e+38]] : tensor<1x1xf32>>
nir.graph @edges("input" %x: tensor<1xf32>) -> ("a": tensor<1xf32>, "b": tensor<1xf32>, "c": tensor<1xf32>, "d": tensor<1xf32>) {
  %0 = nir.scale "lost" %x {scale = #nopt.array<0.5 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %a = nir.linear "smallest" %0 {weight = #nopt.array<"0x01000000" : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %1 = nir.scale "kept" %x {scale = #nopt.array<0.5 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %b = nir.linear "second" %1 {weight = #nopt.array<"0x02000000" : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %2 = nir.scale "infinite" %x {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %c = nir.linear "largest" %2 {weight = #nopt.array<[[3.0e38]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %3 = nir.scale "finite" %x {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %d = nir.linear "large" %3 {weight = #nopt.array<[[1.0e38]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %a, %b, %c, %d : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
}
