// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=spyx reset=subtract},ntensor-encode-rates{window=15 bits=4 approximate=delay}' | filecheck %s

// spyx delays the spikes of a population by a tick before a reshape reads them. A frame has no delay, and the reshape has the type of the counts.
// CHECK-LABEL: ntensor.network @late
// CHECK-NOT:     ntensor.delay
// CHECK:         ntensor.reshape "flat" %{{\S+}} : tensor<1x1x2x!ntensor.count<4>> -> tensor<2x!ntensor.count<4>>
nir.graph @late("in" %in: tensor<1x1x2xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.conv2d "conv" %in {weight = #nopt.array<[[[[1.0]]]] : tensor<1x1x1x1xf32>>, bias = #nopt.array<[0.0] : tensor<1xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>} : tensor<1x1x2xi1> -> tensor<1x1x2xf32>
  %z = nir.if "if" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1x1x2xf32> -> tensor<1x1x2xi1>
  %f = nir.flatten "flat" %z {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<1x1x2xi1> -> tensor<2xi1>
  %b = nir.linear "fc" %f {weight = #nopt.array<[[1.0, 1.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %o = nir.if "if2" %b {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %o : tensor<1xi1>
}
