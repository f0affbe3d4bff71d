// A reset to a value is the reset of the chip. A reset to zero needs no value.
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-legalize{device="spinnaker/spinn3"}' | filecheck %s
// CHECK: ntensor.neuron "down" @spinnaker_delta.value.none.above({{.*}}v_threshold = #nopt.array<131072 : tensor<i64>>, reset_value = #nopt.array<-65536 : tensor<i64>>
// A subtraction is another rule.
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-quantize-inputs{kind=spike},ntensor-legalize{device="spinnaker/spinn3"}' 2>&1 | filecheck %s --check-prefix SUBTRACT
// SUBTRACT: error[LEG020]: @spinnaker_delta.zero.none.above follows another rule than the population: reset
// SUBTRACT: found: reset: the membrane after a spike differs
nir.graph @net("in" %x: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %z = nir.lif "down" %a {tau = #nopt.array<0.002 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<-0.5 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
