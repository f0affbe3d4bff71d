// RUN: nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/rules.neuron" neuron=refractory_lif approximate=refractory}' | filecheck %s --check-prefix=MOST

// The record lists canonical values that are exact, those that are rounded, and the properties that were allowed to differ: 2.25 is 2.25 and 4.5 units.
// MOST: @norse_lif.value becomes @refractory_lif: decay, leak exact; threshold differs by at most 0.25, 0.167 on average; refractory differs (0 ticks, 2 ticks)", ["lif", "last"], 2.500000e-01 : f64
