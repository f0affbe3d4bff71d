// The gain of the synapses is 0.74 fine values of the lowest range of the bias generator, so that the value of an integer is 1.35 times as large.
// Formerly that was silent, and the record had the differences of other values alone. With 6 bits of weights the gain has 13 fine values.
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-fit-weight-masks{device="dynapse/se2"},ntensor-set-neuron-model{to="dynapse/se2" neuron=dynapse approximate=initial,current,refractory,reset}' 2>&1 | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-quantize-weights{bits=6 per=population},ntensor-set-neuron-model{to="dynapse/se2" neuron=dynapse approximate=initial,current,refractory,reset}' 2>&1 | filecheck %s --check-prefix=FEWER
// CHECK: the value of an integer differs by at most 0.347 of it
// CHECK:      warning[LEG051]: the membrane potential that one integer adds is rounded by @dynapse
// CHECK-NEXT:   at: ntensor.neuron "one"
// CHECK-NEXT:   expected: 3.431e-06, with an error of at most 10%
// CHECK-NEXT:   found: 4.622e-06, with an error of 35%
// CHECK-NEXT:   help: nopt explain LEG051
// FEWER-NOT: LEG051
nir.graph @net("x" %x: tensor<3xi1>) -> ("y": tensor<2xi1>) {
  %a = nir.linear "fc1" %x {weight = #nopt.array<[[0.5, -0.25, 0.0], [0.75, 0.25, 1.0]] : tensor<2x3xf32>>} : tensor<3xi1> -> tensor<2xf32>
  %s = nir.cuba_lif "one" %a {tau_mem = #nopt.array<0.02 : tensor<f32>>, tau_syn = #nopt.array<0.01 : tensor<f32>>, w_in = #nopt.array<1.0 : tensor<f32>>, r = #nopt.array<0.7 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<0.5 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %s : tensor<2xi1>
}
