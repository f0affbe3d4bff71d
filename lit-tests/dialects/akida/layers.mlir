// Layers keep their arrays in the vendor's layout, and their optional parameters.
// RUN: nopt %S/inputs/akida.mlir | filecheck %s
// RUN: nopt %S/inputs/akida.mlir --print-op-generic | nopt - | filecheck %s
// CHECK: akida.convolutional "c1" of "n1" attributes {{{.*}}act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"}
// CHECK: akida.separable_convolutional "s2" of "n2" attributes {{{.*}}weights_pw = {{.*}} : tensor<1x1x2x2xi8>>

// A layer of a later pass, and one that learns.
// RUN: mutate 's/ip_version/machine.set = ["features.passes=2"], ip_version/' '/"fc" of/s/weights_bits/pass_number = 1 : i64, learning = #nopt.array<[4.0, 2.0, 1.0, 0.5, 0.125, 0.25] : tensor<6xf32>>, weights_bits/' %S/inputs/akida.mlir | nopt - | filecheck %s --check-prefix=LATER
// LATER: akida.fully_connected "fc" of "fc" attributes {{{.*}}pass_number = 1 : i64, learning = #nopt.array<[4.0, 2.0, 1.0, 0.5, 0.125, 0.25] : tensor<6xf32>>
