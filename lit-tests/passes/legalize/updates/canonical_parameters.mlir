// RUN: nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-set-neuron-model{to=sinabs options="reset=value" approximate=count,comparison}' | filecheck %s --check-prefix=REAL
// RUN: nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-set-neuron-model{to="%S/../inputs/gains.neuron" approximate=dynamics}' | filecheck %s --check-prefix=OWN

// Reals: sinabs derives exp(-dt / tau) and dt / tau r. The tau with exp(-dt / tau) = 0.75, and the r with a gain of 1 are found.
// REAL-LABEL:  ntensor.network @net
// REAL-SAME:     "@norse_lif.value becomes @sinabs_lif.value.euler.single.none: decay, gain, leak, threshold exact; comparison differs (v > threshold, v >= threshold); not compared: spike as count"
// REAL:          ntensor.neuron "lif" @sinabs_lif.value.euler.single.none{{.*}} a = #nopt.array<0.75 : tensor<f64>>, g = #nopt.array<1.0 : tensor<f64>>}

// No parameter determines the gain from r, so the gain of the population is used; so is v_reset. A missing parameter has its default.
// OWN-LABEL:   ntensor.network @net
// OWN-SAME:      "@norse_lif.value becomes @gains: decay, threshold exact; dynamics differs (the first spikes come at other times); not compared: gain, leak"
// OWN:           ntensor.neuron "lif" @gains{{.*}}params = {decay = #nopt.array<0.75 : tensor<f64>>, r = #nopt.array<4.0 : tensor<f64>>, v_threshold = #nopt.array<2.25 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>, slope = #nopt.array<2.0 : tensor<f64>>}
