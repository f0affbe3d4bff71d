// RUN: nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-replace-leak{approximate=leak,current}' | filecheck %s
// RUN: nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-calibrate{data="poisson:0.4,ticks=200,samples=4" keep=4},ntensor-replace-leak{approximate=leak,current,threshold}' | filecheck %s --check-prefix=FIT

// dt / tau = 1/4: decay = 3/4, gain = 2/4. The step is (1 - 3/4) |1.5 - 0.5| / 2 = 0.125, so the bias is 0.25 - 0.125 / 0.5 = 0. v counts from the leak: the threshold is 1, and the reset 0. "if" has no leak, and stays.
// CHECK-LABEL: ntensor.network @leaky
// CHECK-SAME:    #ntensor.approximation<"ntensor-replace-leak{{[^"]*}}", "leaks replaced by constant negative biases, the mean step of each leak", ["lif"], 2.500000e-01 : f64, 2.500000e-01 : f64, "1">
// CHECK-NEXT:    ntensor.linear "fc" {{.*}}bias = #nopt.array<[0.0] : tensor<1xf64>>
// CHECK-NEXT:    ntensor.neuron "lif" @integrator.value({{.*}}) {{{.*}}family = "if", canonical = {{{.*}}leak = #nopt.array<0.0 : tensor<f64>>, threshold = #nopt.array<1.0 : tensor<f64>>
// CHECK-NEXT:    ntensor.linear
// CHECK-NEXT:    ntensor.neuron "if" @norse_if.value

// With samples, a fit remains only where it is better on those that it has not seen. Here the mean step is as good, and the population keeps its rate in reals.
// FIT-LABEL: ntensor.network @leaky
// FIT-SAME:    "leaks replaced by constant negative biases, the mean step of each leak", ["lif"], {{.*}}, "1"
// FIT:         ntensor.neuron "lif" @integrator.value({{.*}}) {ntensor.observed = {rate = {{.*}}, kept_events = {{.*}}}
nir.graph @leaky("in" %in: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.affine "fc" %in {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>, bias = #nopt.array<[0.25] : tensor<1xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %z = nir.lif "lif" %a {tau = #nopt.array<[0.004] : tensor<1xf64>>, r = #nopt.array<constant(value = 2.0) : tensor<1xf32>>, v_leak = #nopt.array<constant(value = 0.5) : tensor<1xf32>>, v_threshold = #nopt.array<constant(value = 1.5) : tensor<1xf32>>, v_reset = #nopt.array<constant(value = 0.5) : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  %b = nir.linear "fc2" %z {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %o = nir.if "if" %b {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %o : tensor<1xi1>
}

// -----

// A synaptic current with gain_i = 1/4 and decay_i = 3/4 reaches the membrane at once: 0.5 * 0.25 / (1 - 0.75) = 0.5, and the bias is -0.125 / 0.5.
// CHECK-LABEL: ntensor.network @current
// CHECK:         ntensor.linear "fc" {{.*}}bias = #nopt.array<[-0.25] : tensor<1xf64>>
// CHECK:         ntensor.neuron "lif" @integrator.value({{.*}}) {family = "if", {{.*}}drive = #nopt.array<0.5 : tensor<f64>>
// With samples the step and the threshold have the counts of the neuron with a current.
// FIT-LABEL: ntensor.network @current
// FIT-SAME:    "leaks replaced by constant negative biases, these and the thresholds of outputs fitted to counts", ["lif"], {{.*}}, "spikes per tick"
nir.graph @current("in" %in: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %z = nir.cuba_lif "lif" %a {tau_syn = #nopt.array<[0.004] : tensor<1xf64>>, w_in = #nopt.array<[1.0] : tensor<1xf32>>, tau_mem = #nopt.array<[0.004] : tensor<1xf64>>, r = #nopt.array<constant(value = 2.0) : tensor<1xf32>>, v_leak = #nopt.array<constant(value = 0.5) : tensor<1xf32>>, v_threshold = #nopt.array<constant(value = 1.5) : tensor<1xf32>>, v_reset = #nopt.array<constant(value = 0.5) : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}

// -----

// A scale becomes a sparse op that holds the bias: the weights of the scale, one for each neuron.
// CHECK-LABEL: ntensor.network @scaled
// CHECK:         ntensor.sparse_linear "gain" %in {weight = #nopt.array<[3.0, 4.0] : tensor<2xf32>>, source = #nopt.array<[0, 1] : tensor<2xi32>>, target = #nopt.array<[0, 1] : tensor<2xi32>>, bias = #nopt.array<[-0.25, -0.25] : tensor<2xf64>>}
// CHECK-NEXT:    ntensor.neuron "lif" @integrator.value
nir.graph @scaled("in" %in: tensor<2xi1>) -> ("out": tensor<2xi1>) {
  %a = nir.scale "gain" %in {scale = #nopt.array<[3.0, 4.0] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %z = nir.lif "lif" %a {tau = #nopt.array<[0.004, 0.004] : tensor<2xf64>>, r = #nopt.array<constant(value = 2.0) : tensor<2xf32>>, v_leak = #nopt.array<constant(value = 0.5) : tensor<2xf32>>, v_threshold = #nopt.array<constant(value = 1.5) : tensor<2xf32>>, v_reset = #nopt.array<constant(value = 0.5) : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
