// RUN: python %root/lit-tests/targets/reference/inputs/save.py %t.npy '[[[1, 1], [0, 1], [1, 1], [1, 0], [1, 1], [0, 1], [1, 1], [1, 1]]]'
// RUN: nopt run %s --dt 1ms --like norse --precision f32 --input %t.npy --record fc.weight -o %t.npz
// RUN: python -c "import numpy; print(numpy.isfinite(numpy.load('%t.npz')['fc.weight']).all())" | filecheck %s

// A weight at its bound to the power 0: the least distance was a number that is 0 in f32, so that 0 * log(0) was not a number.
// CHECK: True
nir.graph @net("in" %x: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %0 = nir.linear "fc" %x {weight = #nopt.array<[[1.5, 1.5]] : tensor<1x2xf32>>, plasticity = #nir.rule<"stdp", {a_plus = 0.4, a_minus = 0.1, tau_plus = 0.02, tau_minus = 0.02, w_min = 0.0, w_max = 1.5, mu_plus = 0.0, mu_minus = 0.0, dependence = "power"}>} : tensor<2xi1> -> tensor<1xf32>
  %1 = nir.lif "lif" %0 {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<20.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<2.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %1 : tensor<1xi1>
}
