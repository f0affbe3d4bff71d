// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=asking_lif}' 2>&1 | filecheck %s --check-prefix=ASK
// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron"},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=counting_lif}' 2>&1 | filecheck %s --check-prefix=GAIN
// RUN: not nopt %root/lit-tests/tools/inputs/lif.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/../inputs/without_canonical.neuron"},ntensor-set-neuron-model{to="loihi2/loihi1" neuron=loihi}' 2>&1 | filecheck %s --check-prefix=OWN

// An unknown parameter.
// ASK: error[LEG033]: parameter slope of @asking_lif is not known
// ASK-NEXT:   at: ntensor.neuron "lif"
// ASK-NEXT:   expected: decay, slope
// ASK-NEXT:   found: decay, {{.*}}threshold{{.*}}
// ASK-NEXT:   help: give it a value in the file, for example: param slope = 1

// The fixed neuron does not define a gain, so no other value can be derived.
// GAIN: error[LEG033]: gain of the population is not known, so what an integer adds is not

// A canonical value is a line of the neuron that the population has.
// OWN: error[LEG033]: parameter decay of @loihi is not known
// OWN:   help: add the value of decay to the neuron @own: canonical decay = …
