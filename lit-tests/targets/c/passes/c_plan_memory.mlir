// RUN: nopt %s -p 'convert-ntensor-to-c,c-plan-memory' | filecheck %s
// RUN: nopt %s -p 'convert-ntensor-to-c,c-plan-memory{alignment=64}' | filecheck %s --check-prefix=ALIGNED

// The sums of the first layer are dead when the third layer adds: they share bytes, and so do equal weights. The second layer
// reads the first, so its sums are after them, at the next multiple of 16 bytes.
// CHECK:         c.buffer "a_sums" #c<kind scratch> {offset = 0 : i64} : memref<3xf32>
// CHECK-NEXT:    {{%[0-9]+}} = c.buffer "a_weight" #c<kind constant>
// CHECK-NEXT:    {{%[0-9]+}} = c.buffer "b_sums" #c<kind scratch> {offset = 4 : i64} : memref<3xf32>
// CHECK-NEXT:    {{%[0-9]+}} = c.buffer "c_sums" #c<kind scratch> {offset = 0 : i64} : memref<3xf32>
// CHECK-NEXT:    c.tick
// ALIGNED-DAG:   c.buffer "b_sums" #c<kind scratch> {offset = 16 : i64} : memref<3xf32>
ntensor.network @net("x" %x: tensor<3xf32>) -> ("y": tensor<3xf32>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "a" %x {weight = #nopt.array<constant(value = 0.5) : tensor<3x3xf32>>} : tensor<3xf32> -> tensor<3xf32>
  %b = ntensor.linear "b" %a {weight = #nopt.array<constant(value = 0.5) : tensor<3x3xf32>>} : tensor<3xf32> -> tensor<3xf32>
  %c = ntensor.linear "c" %b {weight = #nopt.array<constant(value = 0.5) : tensor<3x3xf32>>} : tensor<3xf32> -> tensor<3xf32>
  ntensor.output %c : tensor<3xf32>
}
