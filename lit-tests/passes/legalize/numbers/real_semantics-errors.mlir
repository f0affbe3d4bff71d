// RUN: not nopt %S/../updates/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/rules.neuron" neuron=counting_lif nodes=last}' 2>&1 | filecheck %s --check-prefix=FLOOR

// A rounding that determines the number of spikes is part of the rule, and not removed.
// FLOOR: error[LEG020]: @counting_lif follows another rule than the population: count, comparison
