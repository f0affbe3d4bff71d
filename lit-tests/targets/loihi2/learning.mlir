// Pair STDP of several projections becomes rules in the words of Lava.
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse loop-delay=spikes},ntensor-legalize{device=loihi2/oheo_gulch},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-loihi2' | filecheck %s

// 0.01 and 0.012 are 5 * 2^-5 and 3 * 2^-4 times the impulse 16, in units of the register, 1 / 255. The last two products are 16 times the first two:
// a pair in one tick changes nothing. 20 ms and 30 ms are 20 and 30 ticks. The weight 0.5 is 64 steps of 2 / 255, the register 128.
// CHECK:      loihi2.dense "both" {{.*}} num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<{{\[}}[128, 0], [-64, 254]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "5 * 2^-5 * x1 * y0 - 3 * 2^-4 * y1 * x0 - 5 * 2^-1 * x0 * y0 + 3 * x0 * y0", x1_impulse = 16.0, x1_tau = 20.0, y1_impulse = 16.0, y1_tau = 30.0, t_epoch = 1>}

// Weights of one sign have the same registers, 2 n. Amplitudes can be negative or 0. 16 * 2^-4 = 1 is not written.
// CHECK:      loihi2.dense "positive" {{.*}} sign_mode = #loihi2.sign_mode<excitatory>, weight_exp = -1 : i64, weight = #nopt.array<{{\[}}[128], [0]] : tensor<2x1xi16>>{{.*}} learning_rule = #loihi2.learning_rule<dw = "- 2^-4 * x1 * y0 + x0 * y0", x1_impulse = 16.0, x1_tau = 5.0, y1_impulse = 16.0, y1_tau = 7.5, t_epoch = 1>}

// Inhibitory weights in a loop, whose rule changes nothing.
// CHECK:      loihi2.dense "negative" {{.*}} sign_mode = #loihi2.sign_mode<inhibitory>, weight_exp = -1 : i64, weight = #nopt.array<{{\[}}[-128]] : tensor<1x1xi16>>{{.*}} learning_rule = #loihi2.learning_rule<dw = "0 * x0", x1_impulse = 16.0
nir.graph @net("input" %x: tensor<2xi1>) -> ("output": tensor<1xi1>) {
  %a = nir.linear "both" %x {weight = #nopt.array<[[0.5, -0.25], [0.0, 1.0]] : tensor<2x2xf32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.03, -1.0, 1.0>} : tensor<2xi1> -> tensor<2xf32>
  %y = nir.if "hidden" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %b = nir.linear "positive" %y {weight = #nopt.array<[[0.5, 0.0]] : tensor<1x2xf32>>, plasticity = #nir.stdp<-0.004, 0.0, 0.005, 0.0075, 0.0, 1.0>} : tensor<2xi1> -> tensor<1xf32>
  %c = nir.linear "negative" %z {weight = #nopt.array<[[-0.5]] : tensor<1x1xf32>>, plasticity = #nir.stdp<0.0, 0.0, 0.02, 0.03, -1.0, 0.0>} : tensor<1xi1> -> tensor<1xf32>
  %s = nir.sum %b, %c : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %z = nir.if "readout" %s {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<0.5 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
