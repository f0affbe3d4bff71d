// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs precision=f32},ntensor-quantize-layers' | filecheck %s

// -0.12647563 * 127 / 0.4283308 = -37.4999999. In 32 bits, 127 / 0.4283308 = 296.49982 and the product is -37.5, which rounds to -38. sinabs
// multiplies by the reciprocal: 296.49979, and the product is -37.499996.
// CHECK: ntensor.linear "weights" %{{.*}} {weight = #nopt.array<{{\[\[}}127, -37]] : tensor<1x2xi8>>
nir.graph @net("x" %x: tensor<2xf32>) -> ("out": tensor<1xi1>) {
  %s = nir.threshold "spikes" %x {threshold = #nopt.array<constant(value = 0.5) : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %a = nir.linear "weights" %s {weight = #nopt.array<[[0.4283308, -0.12647563]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %b = nir.if "n" %a {r = #nopt.array<constant(value = 1.0) : tensor<1xf32>>, v_threshold = #nopt.array<constant(value = 1.0) : tensor<1xf32>>, v_reset = #nopt.array<constant(value = 0.0) : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %b : tensor<1xi1>
}
