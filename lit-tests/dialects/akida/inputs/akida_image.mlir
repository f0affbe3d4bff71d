builtin.module {
  akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
    akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
      akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
    }
    akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[8, 9, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<constant(value = 7) : tensor<1x1x144x2xi8>>} {
      akida.np "FNP2" {ident = #nopt.array<[4, 1, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 20 : i64, weight_bytes = 0 : i64, external_bytes = 272 : i64}
    }
    akida.output "out" of "fc" : tensor<2xi32>
  }
}
