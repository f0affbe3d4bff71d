// RUN: nopt %s --split-input-file -p 'convert-ntensor-to-c,c-pack-weights,c-plan-memory' | filecheck %s

// Integers from -8 to 7 share bytes, whatever type they had. Eight needs 5 bits, one weight has no other to share a byte with, and reals and the
// indices of synapses keep their types.
// CHECK-LABEL: c.program @net
// CHECK-DAG:   c.buffer "few_weight" #c<kind constant> {values = #nopt.array<{{.*}} : tensor<1x2x2xi8>>} : memref<1x2x2xsi4>
// CHECK-DAG:   c.buffer "some_weight" #c<kind constant> {values = #nopt.array<{{.*}} : tensor<1x2x2xui8>>} : memref<1x2x2xsi4>
// CHECK-DAG:   c.buffer "many_weight" #c<kind constant> {values = #nopt.array<{{.*}} : tensor<1x2x2xi8>>} : memref<1x2x2xsi8>
// CHECK-DAG:   c.buffer "alike_weight" #c<kind constant> {values = #nopt.array<[3] : tensor<1xui8>>} : memref<1xui8>
// CHECK-DAG:   c.buffer "alike_target" #c<kind constant> {values = #nopt.array<[1, 0] : tensor<2xui8>>} : memref<2xui8>
// CHECK-DAG:   c.buffer "real_weight" #c<kind constant> {values = #nopt.array<{{.*}} : tensor<1x2x2xf32>>} : memref<1x2x2xf32>
// CHECK:       c.rows "few" {{.*}} memref<1x2x2xsi4> into memref<2xsi8>
ntensor.network @net("x" %x: tensor<2xi1>) -> ("a": tensor<2xi8>, "b": tensor<2xi8>, "c": tensor<2xi8>, "d": tensor<2xi8>, "e": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "few" %x {weight = #nopt.array<[[-8, 7], [1, 2]] : tensor<2x2xi8>>} : tensor<2xi1> -> tensor<2xi8>
  %b = ntensor.linear "some" %x {weight = #nopt.array<[[7, 7], [0, 2]] : tensor<2x2xi16>>} : tensor<2xi1> -> tensor<2xi8>
  %c = ntensor.linear "many" %x {weight = #nopt.array<[[-7, 8], [1, 2]] : tensor<2x2xi8>>} : tensor<2xi1> -> tensor<2xi8>
  %d = ntensor.sparse_linear "alike" %x {weight = #nopt.array<[3, 3] : tensor<2xi8>>, source = #nopt.array<[0, 1] : tensor<2xi8>>, target = #nopt.array<[1, 0] : tensor<2xi8>>} : tensor<2xi1> -> tensor<2xi8>
  %e = ntensor.linear "real" %x {weight = #nopt.array<[[1.0, 2.0], [3.0, 4.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  ntensor.output %a, %b, %c, %d, %e : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xf32>
}

// -----

// The weights of a scale are read by a loop, one for each neuron, and keep their type.
// CHECK-LABEL: c.program @gains
// CHECK:       c.buffer "gain_scale" #c<kind constant> {values = #nopt.array<[1, 2] : tensor<2xui8>>} : memref<2xui8>
ntensor.network @gains("x" %x: tensor<2xi4>) -> ("a": tensor<2xi8>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.scale "gain" %x {scale = #nopt.array<[1, 2] : tensor<2xi8>>} : tensor<2xi4> -> tensor<2xi8>
  ntensor.output %a : tensor<2xi8>
}
