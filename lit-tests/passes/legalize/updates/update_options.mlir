// RUN: nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/rules.neuron" neuron=options_lif}' | filecheck %s --check-prefix=FREE
// RUN: nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/rules.neuron" neuron=options_lif options="reset=value"}' | filecheck %s --check-prefix=CHOSEN

// Options without a value on the command line follow the rule of the population.
// FREE: @norse_lif.subtract becomes @options_lif.subtract.none

// A chosen option is kept, and the difference is recorded; the other option still follows the rule.
// CHOSEN: @norse_lif.subtract becomes @options_lif.value.none: {{.*}}; reset differs (the membrane after a spike differs)"
