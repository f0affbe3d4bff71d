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
// RUN: mutate 's/family = "lif"/family = "if"/' %S/../inputs/row.mlir | nopt - -p ntensor-approximate-somas | filecheck %s --check-prefix=NONE
// NONE-NOT: #ntensor.approximation
// NONE:     ntensor.neuron "row" @cell

// Neurons that send several spikes in a tick send one.
// RUN: nopt %S/../inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-approximate-somas' | filecheck %s --check-prefix=COUNT
// COUNT: ntensor.neuron "one" @neurogrid.{{.*}} -> tensor<2xi1>
