// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-share-parameters{max-classes=3}' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-share-parameters' | filecheck %s --check-prefix=ONE
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-share-parameters{max-classes=5}' | filecheck %s --check-prefix=ALL
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-share-parameters{max-classes=1 nodes=two}' | filecheck %s --check-prefix=TWO
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="dynapse/se2" set="topology.cores=3","topology.mesh.cores=3" approximate=current,reset,refractory,initial,early,decay,leak,threshold}' | filecheck %s --check-prefix=LEGAL

// Three sets for both populations: "one" has two, of its neurons with tau = 20 or 21 ms, and with 10 ms; "two" has one. A neuron has the parameters of
// another one, decay = 1 - 1/20 here, whose largest error is 1/20 - 1/21 = 0.00238.
// CHECK-LABEL: ntensor.network @taus
// CHECK-SAME:    "parameters shared: one has 2 sets", ["one"]
// CHECK:         ntensor.neuron "one" {{.*}}decay = #nopt.array<[0.95, 0.95, 0.9] : tensor<3xf64>>
// CHECK:         ntensor.neuron "two" {{.*}}decay = #nopt.array<0.95 : tensor<f64>>

// One set: each population has at least one.
// ONE:           "parameters shared: one has 1 set", ["one"]
// ONE:           ntensor.neuron "one" {{.*}}decay = #nopt.array<0.95{{[0-9]*}} : tensor<f64>>

// Enough sets for all neurons: nothing changes.
// ALL-NOT:       parameters shared
// ALL:           ntensor.neuron "one" {{.*}}decay = #nopt.array<[0.95, 0.95238095{{[0-9]*}}, 0.9] : tensor<3xf64>>

// A population that is not named keeps its sets.
// TWO-NOT:       parameters shared

// The device names the pass, for the sets of its cores. The limit replaces the option.
// LEGAL:         #ntensor.approximation<"ntensor-share-parameters{max-classes=3}", "parameters shared: one has 2 sets"
nir.graph @taus("in" %in: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[8.0, 10.0], [4.0, 8.0], [6.0, 4.0]] : tensor<3x2xf32>>} : tensor<2xi1> -> tensor<3xf32>
  %y = nir.lif "one" %a {tau = #nopt.array<[0.02, 0.021, 0.01] : tensor<3xf64>>, r = #nopt.array<[1.0, 1.0, 1.0] : tensor<3xf32>>, v_leak = #nopt.array<[0.0, 0.0, 0.0] : tensor<3xf32>>, v_threshold = #nopt.array<[1.0, 1.0, 1.0] : tensor<3xf32>>, v_reset = #nopt.array<[0.0, 0.0, 0.0] : tensor<3xf32>>} : tensor<3xf32> -> tensor<3xi1>
  %b = nir.linear "fc2" %y {weight = #nopt.array<[[8.0, 10.0, 4.0]] : tensor<1x3xf32>>} : tensor<3xi1> -> tensor<1xf32>
  %z = nir.lif "two" %b {tau = #nopt.array<[0.02] : tensor<1xf64>>, r = #nopt.array<[1.0] : tensor<1xf32>>, v_leak = #nopt.array<[0.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
