// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/rules.neuron" neuron=refractory_lif}' 2>&1 | filecheck %s --check-prefix=NONE

// A refused conversion is not recorded.
// NONE-NOT: ntensor.network
// NONE: error[LEG020]: @refractory_lif follows another rule than the population: refractory
// NONE: help: nopt {{.*}}ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="{{.*}}rules.neuron" neuron=refractory_lif approximate=refractory}'
