// Properties that layers of both versions have, in the vendor's words.
// RUN: nopt %S/inputs/akida.mlir | filecheck %s
// RUN: nopt %S/../akida2/inputs/akida2.mlir | filecheck %s
// CHECK: "c1" of "n1" attributes {{{.*}}input_shape = #nopt.array<[{{.*}}] : tensor<3xi32>>, weights_bits = 4 : i64, {{.*}}weights = {{.*}}kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"
