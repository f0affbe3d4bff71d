// Layers of Akida 2.0 with their parts on processors round-trip.
// RUN: nopt %S/inputs/akida2.mlir -o %t.mlir && nopt %t.mlir -o %t.again.mlir && diff %t.mlir %t.again.mlir
// RUN: nopt %S/inputs/akida2.mlir | filecheck %s
// CHECK:      akida2.model @net2 attributes {machine.device = #nopt.device<"akida/six_nodes_v2"
// CHECK-NEXT:   akida2.input_data "x" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
// CHECK-NEXT:   akida2.conv2d "c1" of "n1"
// CHECK-NEXT:     akida2.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>
// CHECK:        akida2.depthwise_conv2d "d2" of "n2"
// CHECK:        akida2.dense1d "fc" of "fc"
// CHECK:        akida2.output "out" of "fc" : tensor<2xi32>

// Without a device no limit is checked.
// RUN: mutate 's/machine.device = "akida.six_nodes_v2", //' 's/tensor<3x3x2x1xi8>/tensor<11x11x2x1xi8>/' %S/inputs/akida2.mlir | nopt - -o /dev/null
