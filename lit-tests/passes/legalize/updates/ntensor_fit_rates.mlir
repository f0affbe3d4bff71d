// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-calibrate{data="poisson:0.3,ticks=400,samples=4" keep=2}' | filecheck %s --check-prefix=KEPT
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-calibrate{data="poisson:0.3,ticks=400,samples=4" keep=2},ntensor-quantize-weights{bits=8 per=population},ntensor-set-neuron-model{to=dynapse/se2 neuron=dynapse approximate=decay,current,reset,refractory},ntensor-fit-rates' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-calibrate{data="poisson:0.3,ticks=400,samples=4" keep=2},ntensor-quantize-weights{bits=8 per=population},ntensor-set-neuron-model{to=dynapse/se2 neuron=dynapse approximate=decay,current,reset,refractory},ntensor-fit-rates{tolerance=0.99}' | filecheck %s --check-prefix=NEAR
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-calibrate{data="poisson:0.3,ticks=400,samples=4" keep=2},ntensor-legalize{device="dynapse/se2" approximate=current,reset,refractory,initial,threshold,early}' | filecheck %s --check-prefix=LEGAL
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-calibrate{data="poisson:0.3,ticks=400,samples=4" keep=2},ntensor-legalize{device="dynapse/se2" approximate=current,reset,refractory,initial,early}' | filecheck %s --check-prefix=FORBIDDEN

// The network keeps samples 0 and 2 of four, and the rate of each population in them.
// KEPT: inputs = {in = {{.*}}kept = #nopt.array<{{.*}} : tensor<2x400x2xui8>>
// KEPT: ntensor.neuron "lif" @norse_lif.value({{.*}}) {ntensor.observed = {rate = {{.*}}, kept_events = #nopt.array<{{.*}} : tensor<2x1xui8>>

// The soma of the chip integrates more slowly than the population in reals. The fit lowers the threshold until rates differ by at most 2 %, and removes the kept
// samples and the raw parameters.
// CHECK-LABEL: ntensor.network @one
// CHECK-SAME:    #ntensor.approximation<"ntensor-fit-rates", "thresholds multiplied: lif by 0.{{[0-9]+}} (rate 0{{[.0-9]*}} -> 0.{{[0-9]+}}, 0.{{[0-9]+}} in reals)", ["lif"], {{.*}} : f64, {{.*}} : f64, "spikes per tick">
// CHECK-NOT:     kept
// CHECK-NOT:     raw = {

// A wide tolerance changes nothing: no record.
// NEAR-NOT:    "ntensor-fit-rates{{.*}}", "thresholds

// The device names the pass, which needs the permission of `threshold`. Without it, the samples leave the network, too.
// LEGAL:         #ntensor.approximation<"ntensor-fit-rates{goal=counts}", "thresholds multiplied
// LEGAL:         machine.steps = [{{.*}}"ntensor-fit-rates{goal=counts}"
// FORBIDDEN-NOT: ntensor-fit-rates
// FORBIDDEN-NOT: kept
nir.graph @one("in" %in: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[8.0, 10.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %z = nir.lif "lif" %a {tau = #nopt.array<[0.02] : tensor<1xf64>>, r = #nopt.array<[1.0] : tensor<1xf32>>, v_leak = #nopt.array<[0.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
