builtin.module {
  akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
    akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
    akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
      akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
    }
    akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
      akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
    }
    akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x32x2xi8>>} {
      akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
    }
    akida.output "out" of "fc" : tensor<2xi32>
  }
}
