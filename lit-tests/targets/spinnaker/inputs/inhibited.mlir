nir.graph @net("x" %x: tensor<2xi1>) -> ("y": tensor<2xi1>) {
  %0 = nir.linear "fc" %x {weight = #nopt.array<[[0.75, 0.5], [0.5, 0.75]] : tensor<2x2xf64>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<2xi1> -> tensor<2xf32>
  %1 = nir.linear "inhibit" %x {weight = #nopt.array<[[-0.25, 0.0], [0.0, -0.25]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf32>
  %2 = nir.sum %0, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = nir.lif "cells" %2 {tau = #nopt.array<0.02 : tensor<f64>>, r = #nopt.array<20.0 : tensor<f64>>, v_leak = #nopt.array<0.0 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %3 : tensor<2xi1>
}
