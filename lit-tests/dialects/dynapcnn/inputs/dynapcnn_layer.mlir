builtin.module {
  dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
    dynapcnn.input "events" {input_shape = #nopt.array<[C, I, I] : tensor<3xi32>>, layers = #nopt.array<[N] : tensor<1xi32>>}
    dynapcnn.cnn_layer "c" of "n" {layer = N : i64, input_shape = #nopt.array<[C, I, I] : tensor<3xi32>>, output_shape = #nopt.array<[F, O, O] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<FxCxKxKxi8>>, stride = #nopt.array<[S, S] : tensor<2xi32>>, padding = #nopt.array<[P, P] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, monitor_enable}
  }
}
