// RUN: nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/rules.neuron" neuron=options_lif}' | filecheck %s --check-prefix=OPTIONS
// RUN: nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/rules.neuron" neuron=options_lif}' | filecheck %s --check-prefix=VALUE
// RUN: nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/rules.neuron" neuron=raised_lif}' | filecheck %s --check-prefix=RAISED
// RUN: nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=spikingjelly reset=value},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="loihi2/programmable" neuron=loihi2_lif}' | filecheck %s --check-prefix=LOWERED
// RUN: nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-encode-rates{window=15},ntensor-quantize-weights{bits=4 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/layer.neuron"}' | filecheck %s --check-prefix=COUNT

// The rule is identified by its behaviour: the values of two options, one of them a refractory period, follow it.
// OPTIONS: @norse_lif.subtract becomes @options_lif.subtract.none: {{.*}}; the rule is the same"
// VALUE: @norse_lif.value becomes @options_lif.value.none: {{.*}}; the rule is the same"

// A threshold that is one unit higher turns `>=` of integers into `>`.
// RAISED: @norse_lif.value becomes @raised_lif: {{.*}}; the rule is the same"

// A threshold that is one unit lower turns `>` of integers into `>=`.
// LOWERED: @spikingjelly_lif.value becomes @loihi2_lif.value.at.leak: {{.*}}; the rule is the same"

// A count that is rounded up, ceil((x - threshold) / level), is compared with the threshold by `>`.
// COUNT: @activation_15 becomes @layer: {{.*}}; the rule is the same"
