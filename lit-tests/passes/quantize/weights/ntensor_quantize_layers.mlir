// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs precision=f32},ntensor-quantize-layers' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs precision=f32},ntensor-quantize-layers,ntensor-quantize-layers' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs precision=f32},ntensor-quantize-layers{bits=4 nodes=weights}' | filecheck %s --check-prefix=FOUR
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs precision=f32},ntensor-quantize-layers{bits=4 bias-bits=6 threshold-bits=4 nodes=weights}' | filecheck %s --check-prefix=NARROW
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs precision=f32},ntensor-quantize-layers,ntensor-set-neuron-model{to=speck nodes=n1,n2,n3,n4,n5}' | filecheck %s --check-prefix=CHIP
// RUN: mutate '/"n1"/s/v_threshold = #nopt.array<constant(value = 1.0)/v_threshold = #nopt.array<[0.5, 1.0]/' %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs precision=f32},ntensor-quantize-layers,ntensor-set-neuron-model{to=speck nodes=n1}' | filecheck %s --check-prefix=SHARES

// The weights need the smallest factor: 127 / 0.5 = 254, while the bias would allow 1270 and the threshold 32767. -0.26 is -66.04, 0.1 is 25.4.
// CHECK:      ntensor.linear "weights" %{{.*}} {weight = #nopt.array<{{\[\[}}127, -66], [25, 0]] : tensor<2x2xi8>>, bias = #nopt.array<[0.0984{{[0-9]*}}, -0.0984{{[0-9]*}}] : tensor<2xf32>>, quantized = #ntensor.quantized<8, #nopt.array<0.00393{{[0-9]*}} : tensor<f64>>>}
// A negative weight reaches -128: 128 / 1, and ties go to the even number, 0.5 * 128 / 128 = 0.5.
// CHECK:      ntensor.linear "negative" %{{.*}} {weight = #nopt.array<{{\[\[}}-128, 64], [0, 2]] : tensor<2x2xi8>>, {{.*}}quantized = #ntensor.quantized<8, #nopt.array<0.0078125 : tensor<f64>>>}
// A bias of 12.7 has the factor 10, so a weight of 0.5 is 5.
// CHECK:      ntensor.linear "bias" %{{.*}} {weight = #nopt.array<{{\[\[}}5, 0], [0, 5]] : tensor<2x2xi8>>, bias = #nopt.array<[12.7, 0.0] : tensor<2xf32>>,
// A threshold of 32767 has the factor 1.
// CHECK:      ntensor.linear "threshold" %{{.*}} {weight = #nopt.array<{{\[\[}}3, 0], [0, 3]] : tensor<2x2xi8>>,
// Zeros have the scale of the threshold.
// CHECK:      ntensor.linear "zeros" %{{.*}} {weight = #nopt.array<{{.*}} : tensor<2x2xi8>>,

// Four bits hold -8 to 7: 7 / 0.5 = 14. An op that is not chosen stays.
// FOUR:      ntensor.linear "weights" %{{.*}} {weight = #nopt.array<{{\[\[}}7, -4], [1, 0]] : tensor<2x2xi8>>
// FOUR:      ntensor.linear "negative" %{{.*}} {weight = #nopt.array<{{.*}} : tensor<2x2xf32>>
// A threshold of 4 bits allows 7 / 1.
// NARROW:    ntensor.linear "weights" %{{.*}} {weight = #nopt.array<{{\[\[}}4, -2], [1, 0]] : tensor<2x2xi8>>

// The neuron of a chip takes the threshold in the same scale: 1 * 254, 1 * 128, 1 * 10, 32767 * 1.
// CHIP:      ntensor.neuron "n1" @speck{{.*}}th = #nopt.array<254 : tensor<i64>>
// CHIP:      ntensor.neuron "n2" @speck{{.*}}th = #nopt.array<128 : tensor<i64>>
// CHIP:      ntensor.neuron "n3" @speck{{.*}}th = #nopt.array<10 : tensor<i64>>
// CHIP:      ntensor.neuron "n4" @speck{{.*}}th = #nopt.array<32767 : tensor<i64>>

// Outputs with thresholds of 0.5 and 1: the weights of the first are divided by 0.5, to 1 and -0.52, and the factor is 127. Both thresholds are 127.
// SHARES:    ntensor.linear "weights" %{{.*}} {weight = #nopt.array<{{\[\[}}127, -66], [13, 0]] : tensor<2x2xi8>>, bias = #nopt.array<[25, -13] : tensor<2xi8>>, quantized = #ntensor.quantized<8, #nopt.array<{{\[\[}}0.00393{{[0-9]*}}], [0.00787{{[0-9]*}}]] : tensor<2x1xf64>>>}
// SHARES:    ntensor.neuron "n1" @speck{{.*}}th = #nopt.array<127 : tensor<i64>>
nir.graph @net("x" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %s = nir.threshold "spikes" %x {threshold = #nopt.array<constant(value = 0.5) : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %a = nir.affine "weights" %s {weight = #nopt.array<[[0.5, -0.26], [0.1, 0.0]] : tensor<2x2xf32>>, bias = #nopt.array<[0.1, -0.1] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %b = nir.if "n1" %a {r = #nopt.array<constant(value = 1.0) : tensor<2xf32>>, v_threshold = #nopt.array<constant(value = 1.0) : tensor<2xf32>>, v_reset = #nopt.array<constant(value = 0.0) : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %c = nir.linear "negative" %b {weight = #nopt.array<[[-1.0, 0.5], [0.00390625, 0.01171875]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %d = nir.if "n2" %c {r = #nopt.array<constant(value = 1.0) : tensor<2xf32>>, v_threshold = #nopt.array<constant(value = 1.0) : tensor<2xf32>>, v_reset = #nopt.array<constant(value = 0.0) : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %e = nir.affine "bias" %d {weight = #nopt.array<[[0.5, 0.0], [0.0, 0.5]] : tensor<2x2xf32>>, bias = #nopt.array<[12.7, 0.0] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %f = nir.if "n3" %e {r = #nopt.array<constant(value = 1.0) : tensor<2xf32>>, v_threshold = #nopt.array<constant(value = 1.0) : tensor<2xf32>>, v_reset = #nopt.array<constant(value = 0.0) : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %g = nir.linear "threshold" %f {weight = #nopt.array<[[3.0, 0.0], [0.0, 3.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %h = nir.if "n4" %g {r = #nopt.array<constant(value = 1.0) : tensor<2xf32>>, v_threshold = #nopt.array<constant(value = 32767.0) : tensor<2xf32>>, v_reset = #nopt.array<constant(value = 0.0) : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %i = nir.linear "zeros" %h {weight = #nopt.array<constant(value = 0.0) : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %j = nir.if "n5" %i {r = #nopt.array<constant(value = 1.0) : tensor<2xf32>>, v_threshold = #nopt.array<constant(value = 1.0) : tensor<2xf32>>, v_reset = #nopt.array<constant(value = 0.0) : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %j : tensor<2xi1>
}
