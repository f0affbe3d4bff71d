// Layers with their parts on processors round-trip; the records of the device are in the last section.
// RUN: nopt %S/inputs/akida.mlir -o %t.mlir && nopt %t.mlir -o %t.again.mlir && diff %t.mlir %t.again.mlir
// RUN: nopt %S/inputs/akida_image.mlir -o %t.mlir && nopt %t.mlir -o %t.again.mlir && diff %t.mlir %t.again.mlir
// RUN: nopt %S/inputs/akida_tiles.mlir -o %t.mlir && nopt %t.mlir -o %t.again.mlir && diff %t.mlir %t.again.mlir
// RUN: nopt %S/inputs/akida.mlir | filecheck %s

// A part of a layer: filters from the first one, and positions of the input.
// CHECK:      akida.model @net attributes {machine.device = #nopt.device<"akida/akd1000"
// CHECK-NEXT:   akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
// CHECK-NEXT:   akida.convolutional "c1" of "n1" attributes {input_shape
// CHECK-NEXT:     akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
// CHECK:        akida.separable_convolutional "s2" of "n2"
// CHECK:        akida.fully_connected "fc" of "fc"
// CHECK:        akida.output "out" of "fc" : tensor<2xi32>

// Without a device no limit is checked.
// RUN: mutate 's/, machine.device = "akida.akd1000"//' 's/constant(value = 1) : tensor<3x3x2x1xi8>/constant(value = 1) : tensor<11x11x2x1xi8>/' %S/inputs/akida.mlir | nopt - -o /dev/null
