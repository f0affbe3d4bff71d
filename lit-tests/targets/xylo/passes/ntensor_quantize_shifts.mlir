// The threshold is 1, decay_i = 1/2 and the gain 1: q = 1 (1 - 1/2) (2^1 - 1) = 1/2, so that the threshold 16384 has the scale 2^-15. A weight of 0.5 is
// 16384 = 64 << 8, since 127 << 7 is smaller.
// RUN: nopt %s -p ntensor-quantize-shifts | filecheck %s
// RUN: nopt %s -p ntensor-quantize-shifts,ntensor-quantize-shifts | filecheck %s
// CHECK:       ntensor.linear "fc" %{{.*}} {weight = #nopt.array<{{\[\[}}16384, -8192]] : tensor<1x2xi16>>, quantized = #ntensor.quantized<16, #nopt.array<3.0517578125e-05 : tensor<f64>>>}

// A population of counts needs the range of the potential: its threshold is at least 512, which has the scale q / 512 = 2^-10. The weight 0.5 is
// 512 = 64 << 3, since 127 << 2 is smaller.
// CHECK:       ntensor.linear "fc" %{{.*}} {weight = #nopt.array<{{\[\[}}512, -256]] : tensor<1x2xi16>>, quantized = #ntensor.quantized<11, #nopt.array<0.0009765625 : tensor<f64>>>}

// The largest weight of 8 bits and the shift 8 is 127 256 = 32512 steps of 20 / 16384: a threshold of 1 is reached by an input of 1 / gain = 20. 100 does not fit.
// RUN: nopt %S/../../../analysis/rounding_losses-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-shifts' -o /dev/null 2>&1 | filecheck %s --check-prefix=CLIP
// CLIP:      warning[ANA028]: all weights of a row become zero
// CLIP:      warning[ANA029]: most weights of a row become zero
// CLIP:      warning[ANA030]: 1 of 6 weights are clipped
// CLIP-NEXT:   at: ntensor.linear "fc"
// CLIP-NEXT:   expected: weights of at most 39.69
// CLIP-NEXT:   found: weight[0, 0] = 100 becomes 39.69; rows with clipped weights: 1 of 2: row 0
// CLIP-NEXT:   help: nopt explain ANA030
ntensor.update @cell <spike> inputs ["x"] canonical ["decay_i", "gain", "threshold"] derive {
^bb0(%dt: f64):
  %c = arith.constant 1.0 : f64
  ntensor.derived %c, %c, %c : f64, f64, f64
} step {
^bb0(%x: f64):
  %0 = arith.constant 1.0 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @n("in" %x: tensor<2xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.5, -0.25]] : tensor<1x2xf64>>} : tensor<2xi1> -> tensor<1xf64>
  %z = ntensor.neuron "one" @cell(%y) {params = {}, initial = {}, family = "cuba_lif", canonical = {decay_i = #nopt.array<0.5 : tensor<f64>>, gain = #nopt.array<1.0 : tensor<f64>>, threshold = #nopt.array<1.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
ntensor.update @counter <count> inputs ["x"] canonical ["decay_i", "gain", "threshold"] derive {
^bb0(%dt: f64):
  %c = arith.constant 1.0 : f64
  ntensor.derived %c, %c, %c : f64, f64, f64
} step {
^bb0(%x: f64):
  %0 = fixed.from_real floor %x : f64 -> !fixed.int<0, 31>
  ntensor.emit %0 : !fixed.int<0, 31>
}
ntensor.network @counts("in" %x: tensor<2xi1>) -> ("out": tensor<1x!ntensor.count<5>>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.5, -0.25]] : tensor<1x2xf64>>} : tensor<2xi1> -> tensor<1xf64>
  %z = ntensor.neuron "one" @counter(%y) {params = {}, initial = {}, family = "cuba_lif", canonical = {decay_i = #nopt.array<0.5 : tensor<f64>>, gain = #nopt.array<1.0 : tensor<f64>>, threshold = #nopt.array<1.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1x!ntensor.count<5>>
  ntensor.output %z : tensor<1x!ntensor.count<5>>
}
