// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null

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

// -----

// Without a device no limit is checked.
builtin.module {
  akida2.model @net2 attributes {tick_ns = 1000000 : i64, ip_version = "v2"} {
    akida2.input_data "x" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
    akida2.conv2d "c1" of "n1" attributes {act_bits = 8 : i64, output_scales = #nopt.array<[255, 255] : tensor<2xi32>>, output_shift = #nopt.array<[-8, -8] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[-9, -14] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<[[[[7, 6], [-7, 5]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
      akida2.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
    }
    akida2.depthwise_conv2d "d2" of "n2" attributes {act_bits = 4 : i64, output_scales = #nopt.array<[200, 200] : tensor<2xi32>>, output_shift = #nopt.array<[-16, -16] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 8 : i64, bias = #nopt.array<[0, 0] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<constant(value = 1) : tensor<11x11x2x1xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
      akida2.np "CNP1" {ident = #nopt.array<[1, 2, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
    }
    akida2.dense1d "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[0, 0] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<constant(value = -8) : tensor<32x2xi8>>} {
      akida2.np "FNP3" {ident = #nopt.array<[2, 2, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 48 : i64, external_bytes = 0 : i64}
    }
    akida2.output "out" of "fc" : tensor<2xi32>
  }
}
