// RUN: nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-linearize-leak' | filecheck %s
// RUN: nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-linearize-leak{nodes=lif}' -o /dev/null

// dt / tau = 1/4: decay = 3/4, gain = 2/4. The step is (1 - 3/4) |1.5 - 0.5| / 2 = 0.125, its mean error half of that. "if" has no leak, and stays. The
// reset is that of the population, to v_reset.
// CHECK:       ntensor.update @linear_leak.value <spike>
// CHECK-LABEL: ntensor.network @leaky
// CHECK-SAME:    #ntensor.approximation<"ntensor-linearize-leak", "exponential leaks replaced by linear ones, errors of one leak", ["lif"], 1.250000e-01 : f64, 6.250000e-02 : f64, "1">
// CHECK-NEXT:    ntensor.linear
// CHECK-NEXT:    ntensor.neuron "lif" @linear_leak.value({{.*}}) {family = "linear_lif", canonical = {decay = #nopt.array<1.0 : tensor<f64>>, gain = #nopt.array<0.5 : tensor<f64>>, leak = #nopt.array<0.5 : tensor<f64>>, threshold = #nopt.array<1.5 : tensor<f64>>, leak_step = #nopt.array<0.125 : tensor<f64>>}, params = {leak = {{.*}}, threshold = {{.*}}, v_reset = #nopt.array<0.25 : tensor<f64>>, drive = #nopt.array<0.5 : tensor<f64>>, leak_step = #nopt.array<0.125 : tensor<f64>>}, initial = {v = #nopt.array<0.5 : tensor<f64>>}}
// CHECK-NEXT:    ntensor.linear
// CHECK-NEXT:    ntensor.neuron "if" @norse_if.value
nir.graph @leaky("in" %in: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %z = nir.lif "lif" %a {tau = #nopt.array<[0.004] : tensor<1xf64>>, r = #nopt.array<[2.0] : tensor<1xf32>>, v_leak = #nopt.array<[0.5] : tensor<1xf32>>, v_threshold = #nopt.array<[1.5] : tensor<1xf32>>, v_reset = #nopt.array<[0.25] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  %b = nir.linear "fc2" %z {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %o = nir.if "if" %b {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %o : tensor<1xi1>
}

// -----

// A synaptic current with gain_i = 1/4 and decay_i = 3/4 reaches the membrane at once: 0.5 * 0.25 / (1 - 0.75) = 0.5.
// CHECK-LABEL: ntensor.network @current
// CHECK:         ntensor.neuron "lif" @linear_leak.value({{.*}}) {family = "linear_lif", {{.*}}drive = #nopt.array<0.5 : tensor<f64>>
nir.graph @current("in" %in: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %z = nir.cuba_lif "lif" %a {tau_syn = #nopt.array<[0.004] : tensor<1xf64>>, tau_mem = #nopt.array<[0.004] : tensor<1xf64>>, r = #nopt.array<[2.0] : tensor<1xf32>>, v_leak = #nopt.array<[0.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>, w_in = #nopt.array<[1.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}

// -----

// With `direction=down` the leak is a constant, also below rest: for cores whose leak does not have the sign of v. A population that subtracts its threshold
// rises by two steps where it is more than two steps below rest.
// RUN: nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-linearize-leak{direction=down}' | filecheck %s --check-prefix=DOWN
// DOWN:       ntensor.update @falling_leak.subtract <spike>
// DOWN-LABEL: ntensor.network @falling
// DOWN-NEXT:    ntensor.linear
// DOWN-NEXT:    ntensor.neuron "lif" @falling_leak.subtract({{.*}}) {family = "falling_lif", {{.*}}leak_step = #nopt.array<0.125 : tensor<f64>>
nir.graph @falling("in" %in: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %z = nir.lif "lif" %a {tau = #nopt.array<[0.004] : tensor<1xf64>>, r = #nopt.array<[2.0] : tensor<1xf32>>, v_leak = #nopt.array<[0.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
