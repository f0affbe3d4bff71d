// A leak that leaves f64 bounds no membrane: infinity was subtracted from infinity.

// RUN: python -W error::RuntimeWarning -m nopt.tools.main check %s --dt 1ms --like rockpool --format json > %t.json
// RUN: filecheck %s < %t.json
// CHECK: "schema"
// CHECK-NOT: CHK008

nir.graph @net("in" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %z = nir.cuba_lif "lif" %x {tau_mem = #nopt.array<0.02 : tensor<f64>>, tau_syn = #nopt.array<0.01 : tensor<f64>>, w_in = #nopt.array<1.0 : tensor<f64>>, r = #nopt.array<1.0 : tensor<f64>>, v_leak = #nopt.array<[-1.7e308, 0.0] : tensor<2xf64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
