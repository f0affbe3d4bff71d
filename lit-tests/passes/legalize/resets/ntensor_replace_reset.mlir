// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch reset=subtract_next},ntensor-calibrate{data="poisson:0.3,ticks=400,samples=4" keep=2},ntensor-replace-reset' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-calibrate{data="poisson:0.3,ticks=400,samples=4" keep=2},ntensor-replace-reset{nodes=second}' | filecheck %s --check-prefix=NODE
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-calibrate{data="poisson:0.3,ticks=400,samples=4" keep=2},ntensor-legalize{device="spinnaker/spinn5" approximate=reset}' | filecheck %s --check-prefix=LEGAL

// Each neuron resets to its own value: the mean potential that a subtraction leaves. The record has the differences of counts.
// CHECK-LABEL: ntensor.network @two
// CHECK-SAME:    #ntensor.approximation<"ntensor-replace-reset", "subtractions after spikes replaced by resets to their mean result, and thresholds fitted to counts", ["first", "second"], {{.*}} : f64, {{.*}} : f64, "spikes per tick">
// CHECK:         ntensor.neuron "first" @reset_lif.value.strict.leak{{.*}}v_reset = #nopt.array<[{{[0-9.e-]+}}, {{[0-9.e-]+}}] : tensor<2xf64>>
// CHECK:         ntensor.neuron "second" @reset_lif.value.strict.leak

// One population alone.
// NODE:          ["second"]
// NODE:          ntensor.neuron "first" @norse_lif.subtract
// NODE:          ntensor.neuron "second" @reset_lif.value.strict.leak

// SpiNNaker resets to a value of each neuron. Weights are rounded after the replacement, which needs the permission `reset`.
// LEGAL:         machine.steps = [{{.*}}"ntensor-replace-reset", "ntensor-replace-biases", "ntensor-quantize-receptors{per=neuron}"
// LEGAL:         ntensor.neuron "first" @spinnaker_delta.value.none.above
nir.graph @two("in" %in: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[8.0, 10.0], [30.0, -4.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %y = nir.lif "first" %a {tau = #nopt.array<[0.01, 0.01] : tensor<2xf64>>, r = #nopt.array<constant(value = 1.0) : tensor<2xf32>>, v_leak = #nopt.array<constant(value = 0.0) : tensor<2xf32>>, v_threshold = #nopt.array<constant(value = 1.0) : tensor<2xf32>>, v_reset = #nopt.array<constant(value = 0.0) : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %b = nir.linear "fc2" %y {weight = #nopt.array<[[8.0, 20.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %z = nir.lif "second" %b {tau = #nopt.array<[0.01] : tensor<1xf64>>, r = #nopt.array<[1.0] : tensor<1xf32>>, v_leak = #nopt.array<[0.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
