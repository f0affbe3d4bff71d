// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=10000000 like=rockpool reset=subtract},ntensor-quantize-weights{bits=8 per=population},ntensor-set-neuron-model{to="xylo/audio3" neuron=xylo}' | filecheck %s

// A neuron of Xylo sends at most 31 spikes in a tick. Formerly the record was "the rule is the same", since no stimulus of the comparison causes more.
// CHECK: @rockpool_cuba_lif.subtract.all becomes @xylo.reached.kept: {{.*}}; the rule is the same; at most 31 spikes in a tick instead of 65536"

nir.graph @net("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[1.0, 0.5], [-0.5, 1.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %y = nir.cuba_lif "lif" %a {tau_mem = #nopt.array<0.1 : tensor<f32>>, tau_syn = #nopt.array<0.05 : tensor<f32>>, w_in = #nopt.array<1.0 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %y : tensor<2xi1>
}
