// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s

// The help of COR009 works: a name with a dot is an annotation and is kept.
// CHECK:      nir.linear "fc 1" %x {mine.delay = #nopt.array<0.001 : tensor<f32>>, weight = {{.*}}}
// CHECK-NEXT: nir.output %{{\S+}} : tensor<1xf32> {mine.note}
nir.graph @dotted("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %y = nir.linear "fc 1" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>, mine.delay = #nopt.array<0.001 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32> {mine.note}
}
