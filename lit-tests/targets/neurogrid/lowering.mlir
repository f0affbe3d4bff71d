// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=neurogrid/board approximate=dynamics,refractory,reset},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges,convert-machine-to-neurogrid' | filecheck %s

// Every synapse of the network has a tick, so the output is 2 ticks late. The excitatory weights 0.5 and 1 of fc1 are 1 and 2 events, the inhibitory
// weight -0.25 is one of the other synapse population. Populations with other time constants are on different cores.
// CHECK:      neurogrid.chip @net attributes {{.*}}machine.latency_ticks = {y = 2 : i64}
// CHECK-NEXT:   neurogrid.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1, 2] : tensor<3xi32>>} : tensor<3xi1> {
// CHECK-NEXT:     neurogrid.terminals "fc1.excitatory" {neuron = #nopt.array<[0, 0, 2] : tensor<3xi32>>, core = #nopt.array<[0, 0, 0] : tensor<3xi32>>, synapse = #nopt.array<[0, 0, 0] : tensor<3xi32>>, row = #nopt.array<[0, 0, 0] : tensor<3xi32>>, column = #nopt.array<[0, 1, 1] : tensor<3xi32>>, events = #nopt.array<[1, 2, 1] : tensor<3xi8>>}
// CHECK-NEXT:     neurogrid.terminals "fc1.inhibitory" {neuron = #nopt.array<[1] : tensor<1xi32>>, core = #nopt.array<[0] : tensor<1xi32>>, synapse = #nopt.array<[1] : tensor<1xi32>>, row = #nopt.array<[0] : tensor<1xi32>>, column = #nopt.array<[0] : tensor<1xi32>>, events = #nopt.array<[1] : tensor<1xi8>>}
// CHECK:        neurogrid.core 0 attributes {axons = 0 : i64} {
// CHECK-NEXT:     neurogrid.somas "one/0" of "one" @neurogrid.{{.*}} attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, row = #nopt.array<[0, 0] : tensor<2xi32>>, column = #nopt.array<[0, 1] : tensor<2xi32>>, params = {tau_s = {{.*}}arbors = #nopt.array<[0.0, 0.0] : tensor<2xf64>>} : tensor<2xi1> {
// CHECK-NEXT:       neurogrid.terminals "fc2.excitatory" {{.*}}core = #nopt.array<[1, 1, 1] : tensor<3xi32>>
// CHECK:        neurogrid.core 1 attributes {axons = 0 : i64} {
// CHECK-NEXT:     neurogrid.somas "two/0"

// Populations with equal parameters share a core, one after the other.
// RUN: mutate 's/0.01, 0.01/0.02, 0.02/' 's/10.0, 10.0/20.0, 20.0/' 's/-0.5\], \[2.0/-0.25], [2.0/' 's/\[1.0, -0.25\], \[2.0, 1.0\]/[0.5, -0.25], [1.0, 0.5]/' %S/inputs/net.mlir | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=neurogrid/board approximate=dynamics,refractory,reset},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges,convert-machine-to-neurogrid' | filecheck %s --check-prefix=EQUAL
// EQUAL:        neurogrid.core 0
// EQUAL:          neurogrid.somas "one/0" {{.*}}column = #nopt.array<[0, 1]
// EQUAL-NOT:    neurogrid.core 1
// EQUAL:          neurogrid.somas "two/0" {{.*}}column = #nopt.array<[2, 3]

// A weight of an arbor is a part of an event: the row of weights 2, 6, 15, 6, 2 is one event at the site of neuron 2. A margin as wide as the reach of the arbor,
// 3 neurons, separates its rows from others. The event reaches the array with its synapse population, whose arbor has the radius 1.
// RUN: nopt %S/inputs/row.mlir -p 'ntensor-fit-arbors{excitatory=1.0 max-events=3},ntensor-legalize{device=neurogrid/board approximate=dynamics,refractory,reset,comparison,decay,threshold,leak,current,initial,bound,count},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges,convert-machine-to-neurogrid' | filecheck %s --check-prefix=ARBOR
// ARBOR:        neurogrid.terminals "fc.excitatory" {neuron = #nopt.array<[0] : tensor<1xi32>>, core = #nopt.array<[0] : tensor<1xi32>>, synapse = #nopt.array<[0] : tensor<1xi32>>, row = #nopt.array<[3] : tensor<1xi32>>, column = #nopt.array<[2] : tensor<1xi32>>, events = #nopt.array<[1] : tensor<1xi8>>}
// ARBOR:        neurogrid.terminals "fc.inhibitory" {neuron = #nopt.array<[1, 1] : tensor<2xi32>>{{.*}}events = #nopt.array<[3, 1] : tensor<2xi8>>}
// ARBOR:        neurogrid.somas "row/0" {{.*}}arbors = #nopt.array<[1.0, 0.0] : tensor<2xf64>>}

// A loop with tau = 10 ms in steps of 1 ms: (1 - 1/10)^10 = 0.3487 remains of a state, and 1/e = 0.3679 in continuous time, 5.2 % less. In steps of 0.1 ms it is
// 0.5 % less, and no warning; without the loop nothing amplifies the difference.
// RUN: nopt %s -o /dev/null -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=neurogrid/board approximate=dynamics,refractory,reset},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges,convert-machine-to-neurogrid' 2>&1 | filecheck %s --check-prefix=STEPS
// RUN: nopt %s -o /dev/null -p 'convert-nir-to-ntensor{dt-ns=100000 like=euler reset=value},ntensor-legalize{device=neurogrid/board approximate=dynamics,refractory,reset},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges,convert-machine-to-neurogrid' 2>&1 | filecheck %s --allow-empty --check-prefix=SHORT
// RUN: mutate 's/"rec" %o/"rec" %x/' %s | nopt - -o /dev/null -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=neurogrid/board approximate=dynamics,refractory,reset},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges,convert-machine-to-neurogrid' 2>&1 | filecheck %s --allow-empty --check-prefix=SHORT
// STEPS:      warning[NGR017]: the steps of the model are long for a loop [steps-long-in-loop]
// STEPS-NEXT:   at: machine.population "lif"
// STEPS-NEXT:   expected: at most 2% less of a state than in continuous time after tau_s = 10 ms
// STEPS-NEXT:   found: 5.2% less, with steps of 1 ms
// STEPS-NEXT:   help: nopt explain NGR017
// SHORT-NOT:  NGR017
nir.graph @loop("x" %x: tensor<1xi1>) -> ("y": tensor<1xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %b = nir.linear "rec" %o {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %s = nir.sum %a, %b : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %o = nir.cuba_lif "lif" %s {tau_mem = #nopt.array<[0.01] : tensor<1xf32>>, tau_syn = #nopt.array<[0.02] : tensor<1xf32>>, w_in = #nopt.array<[1.0] : tensor<1xf32>>, r = #nopt.array<[10.0] : tensor<1xf32>>, v_leak = #nopt.array<[0.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %o : tensor<1xi1>
}
