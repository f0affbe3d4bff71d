builtin.module {
  akida2.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v2", input = "image", machine.device = "akida/six_nodes_v2"} {
    akida2.input_conv2d "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, bias = #nopt.array<[1, -2] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 3] : tensor<2xi32>>, act_bits = 4 : i64, output_scales = #nopt.array<[1, 255] : tensor<2xi32>>, output_shift = #nopt.array<[0, -16] : tensor<2xi32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
      akida2.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
    }
    akida2.dense1d "fc" of "fc" attributes {input_shape = #nopt.array<[8, 9, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[0, 0] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<constant(value = 7) : tensor<144x2xi8>>} {
      akida2.np "FNP2" {ident = #nopt.array<[1, 2, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 72 : i64, weight_bytes = 0 : i64, external_bytes = 160 : i64}
    }
    akida2.output "out" of "fc" : tensor<2xi32>
  }
}
