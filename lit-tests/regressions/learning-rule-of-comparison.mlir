// RUN: python %root/lit-tests/targets/reference/inputs/save.py %t.npy '[[[1, 1], [0, 1], [1, 1], [1, 0], [1, 1], [0, 1], [1, 1], [1, 1]]]'
// RUN: nopt compile %s --target c --dt 1ms --like norse -p 'nir-set-plasticity{nodes=fc rule=stdp entries="a_plus=0.4,a_minus=0.5,tau_plus=0.02,tau_minus=0.02,w_min=0,w_max=2"}' --calib %t.npy -o %t | filecheck %s
// RUN: nopt check %s --target c --dt 1ms --like norse -p 'nir-set-plasticity{nodes=fc rule=stdp entries="a_plus=0.4,a_minus=0.5,tau_plus=0.02,tau_minus=0.02,w_min=0,w_max=2"}' --calib %t.npy 2>&1 | filecheck %s --check-prefix=CHECKED

// A learning rule of the option `--passes` is a part of the network. The loss of a build was measured against the network without it, and the help proposed to remove the rule.
// CHECK: loss: count error 0,
// CHECKED-NOT: LOS001
nir.graph @net("in" %x: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %0 = nir.linear "fc" %x {weight = #nopt.array<[[1.5, 1.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %1 = nir.lif "lif" %0 {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<20.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<2.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %1 : tensor<1xi1>
}
