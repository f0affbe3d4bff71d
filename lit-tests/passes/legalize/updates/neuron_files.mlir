// RUN: nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-set-neuron-model{to=snntorch nodes=lif options="reset=subtract"}' | filecheck %s
// RUN: nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-set-neuron-model{to="%S/../inputs/gains.neuron" neuron=gains approximate=dynamics}' | filecheck %s --check-prefix=PATH
// RUN: nopt %S/../inputs/layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-freeze-plasticity,ntensor-quantize-weights{bits=4},ntensor-set-neuron-model{to="asic/edge"}' | filecheck %s --check-prefix=DEVICE

// A preset by name, an option of its neuron, one population.
// CHECK:       ntensor.update @norse_lif.value
// CHECK:       ntensor.update @snntorch_lif.subtract
// CHECK:       ntensor.neuron "lif" @snntorch_lif.subtract
// CHECK:       ntensor.neuron "last" @norse_lif.value

// A file by path, a neuron by name.
// PATH-NOT:    norse
// PATH:        ntensor.update @gains
// PATH:        ntensor.neuron "lif" @gains
// PATH:        ntensor.neuron "last" @gains

// A device by key: its own neuron.
// DEVICE-NOT:  norse
// DEVICE:      ntensor.update @edge_lif
// DEVICE:      ntensor.neuron "a" @edge_lif
