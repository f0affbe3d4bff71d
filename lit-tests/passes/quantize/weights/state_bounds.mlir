// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=9 per=neuron state=9}' | filecheck %s

// A potential of 9 bits holds the threshold 1 plus the largest excitation of a tick, and half of its range below 0 the largest inhibition.
// Row 0: 1 + 1 + 1 + 0.5 in steps of 2^-6 are 64 + 1 + 160 = 225; by weights alone they would be 128 + 1 + 320, beyond 255.
// Row 1: the inhibition 4 is 128 steps of 2^-5. Row 2: 1 + 3.01 are 64 + 191 = 255 steps of 0.01579, a little more than 4.01 / 254.
// CHECK: ntensor.linear "fc" %{{.*}} {weight = #nopt.array<{{\[\[}}64, 64, 32, 0], [-32, -64, -32, 16], [191, 0, 0, 0]] : tensor<3x4xi16>>, quantized = #ntensor.quantized<9, #nopt.array<{{\[\[}}0.015625], [0.03125], [0.01578{{[0-9]+}}]] : tensor<3x1xf64>>>}
nir.graph @net("input" %x: tensor<4xf32>) -> ("output": tensor<3xi1>) {
  %y = nir.linear "fc" %x {weight = #nopt.array<[[1.0, 1.0, 0.5, 0.0], [-1.0, -2.0, -1.0, 0.5], [3.01, 0.0, 0.0, 0.0]] : tensor<3x4xf32>>} : tensor<4xf32> -> tensor<3xf32>
  %z = nir.if "if" %y {
    r = #nopt.array<1.0 : tensor<f32>>,
    v_threshold = #nopt.array<1.0 : tensor<f32>>,
    v_reset = #nopt.array<0.0 : tensor<f32>>
  } : tensor<3xf32> -> tensor<3xi1>
  nir.output %z : tensor<3xi1>
}
