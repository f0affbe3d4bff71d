// The record has the match of each population, and measured rates; the conversion itself records the parameters.
// RUN: nopt %S/../inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-approximate-somas' | filecheck %s
// CHECK: #ntensor.approximation<"ntensor-set-neuron-model{to=\22neurogrid/board\22 neuron=neurogrid nodes=one,two options=\22match=rate\22 {{.*}}decay, leak, threshold exact; dynamics differs
// CHECK: #ntensor.approximation<"ntensor-approximate-somas", "quadratic somas: one by rate, rates differ by {{[0-9]+}}%; two by rate, rates differ by {{[0-9]+}}%", ["one", "two"], 0.{{[0-9]*}} : f64, 0.0{{[0-9]*}} : f64, "spikes per tick">
// CHECK: ntensor.neuron "one" @neurogrid.rate(%{{.*}}, %{{.*}})

// One population is chosen. The other stays as it is.
// RUN: nopt %S/../inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-approximate-somas{nodes=two}' | filecheck %s --check-prefix=TWO
// TWO: ntensor.neuron "one" @euler_lif.value
// TWO: ntensor.neuron "two" @neurogrid.

// A network without neurons of these families stays as it is.
// RUN: mutate 's/family = "lif"/family = "li"/' %S/../inputs/row.mlir | nopt - -p ntensor-approximate-somas | filecheck %s --check-prefix=NONE
// NONE-NOT: #ntensor.approximation
// NONE:     ntensor.neuron "row" @cell

// Neurons that send several spikes in a tick send one.
// RUN: nopt %S/../inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-approximate-somas' | filecheck %s --check-prefix=COUNT
// COUNT: ntensor.neuron "one" @neurogrid.{{.*}} -> tensor<2xi1>

// Neurons without a leak add their inputs up to the threshold, which is 10 for the soma.
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-repeat-events{max-events=7},ntensor-approximate-somas' | filecheck %s --check-prefix=LEAKLESS
// LEAKLESS: #ntensor.approximation<"ntensor-approximate-somas", "quadratic somas: sum by {{[a-z]+}}, rates differ by {{[0-9]+}}%", ["sum"]
// LEAKLESS: ntensor.neuron "sum" @neurogrid.{{[a-z]+}}({{.*}}tau_s = #nopt.array<100.0 : tensor<f64>>
nir.graph @leakless("in" %in: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[0.5, 1.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %z = nir.if "sum" %a {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[2.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
