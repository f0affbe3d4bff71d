// RUN: nopt %S/inputs/plastic.mlir -p 'nir-set-plasticity{nodes=fc rule=stdp entries="a_plus=0.01, a_minus=0.012,tau_plus=0.02,tau_minus=0.02,w_min=0,w_max=1,coincidence=pre"}' -o %t.mlir
// RUN: nopt %t.mlir | filecheck %s
// RUN: nopt %t.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' | filecheck %s --check-prefix=TICKS
// RUN: nopt %S/inputs/plastic.mlir -p 'nir-set-plasticity{nodes=fc rule=%root/lit-tests/core/inputs/counts.synapse}' | filecheck %s --check-prefix=FILE

// Numbers are parameters, and texts are options or the signals of modulators.
// CHECK: nir.linear "fc" %x {weight = {{.*}}, plasticity = #nir.rule<"stdp", {a_plus = 1.000000e-02 : f64, {{.*}}, coincidence = "pre"}>}
// In ticks the rule is a symbol, with the chosen options in its name.
// TICKS: ntensor.rule @stdp.additive.pre.axonal <axonal> weight "w"
// TICKS: ntensor.linear "fc" %in {weight = {{.*}}, plasticity = #ntensor.learning<@stdp.additive.pre.axonal, {a_plus = 1.000000e-02 : f64, a_minus = 1.200000e-02 : f64,
// FILE: plasticity = #nir.rule<"{{.*}}counts.synapse">

// A file of NIR states no kind of an input. A rule reads spikes, so that the input before it becomes spikes, through a reshape, too.
// RUN: nopt %S/inputs/plastic_real.mlir -p 'nir-set-plasticity{nodes=fc rule=homeostatic}' -o %t-real.mlir
// RUN: nopt %t-real.mlir | filecheck %s --check-prefix=INPUT
// INPUT: nir.graph @net("in" %x: tensor<2x3xi1>) -> ("out": tensor<2xi1>, "seen": tensor<2x3xi1>)
// INPUT-NEXT: nir.flatten "flat" %x {{.*}} : tensor<2x3xi1> -> tensor<6xi1>
// INPUT-NEXT: nir.linear "fc" %f {{.*}}plasticity = #nir.rule<"homeostatic">} : tensor<6xi1> -> tensor<2xf32>
// Without a rule the input keeps its kind.
// RUN: nopt %S/inputs/plastic_real.mlir | filecheck %s --check-prefix=KIND
// KIND: nir.graph @net("in" %x: tensor<2x3xf32>)
