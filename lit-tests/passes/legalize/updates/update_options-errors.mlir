// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" nodes=last}' 2>&1 | filecheck %s --check-prefix=RESET
// RUN: nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" nodes=last approximate=reset}' | filecheck %s --check-prefix=ALLOWED
// RUN: exits 2 nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-set-neuron-model{to=euler approximate=rest}' 2>&1 | filecheck %s --check-prefix=NAME
// RUN: exits 2 nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/mesh" approximate=rest}' 2>&1 | filecheck %s --check-prefix=DEVICE
// RUN: exits 2 nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-set-neuron-model{to=euler approximate=initial,bias,resett}' 2>&1 | filecheck %s --check-prefix=TWICE

// A neuron that resets to a value, for a population that subtracts its threshold: the option in the help line allows it.
// RESET:      error[LEG020]: @fixed_lif follows another rule than the population: reset
// RESET-NEXT:   at: ntensor.neuron "last"
// RESET-NEXT:   expected: the rule of @norse_lif.subtract
// RESET-NEXT:   found: reset: the membrane after a spike differs
// RESET-NEXT:   help: nopt {{.*}}ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="{{.*}}fixed.neuron" nodes=last approximate=reset}'

// The difference is recorded.
// ALLOWED-LABEL: ntensor.network @net
// ALLOWED-SAME:    "@norse_lif.subtract becomes @fixed_lif: decay, threshold exact; reset differs (the membrane after a spike differs); not compared: leak", ["last"]

// Unknown properties are refused.
// NAME:      error[LEG021]: unknown property "rest" of a rule
// NAME-NEXT:   at: approximate
// NAME-NEXT:   expected: decay, leak, current, threshold, initial, bound, count, comparison, refractory, reset, dynamics
// NAME-NEXT:   found: rest
// NAME-NEXT:   help: nopt {{.*}}ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-set-neuron-model{to=euler approximate=reset}'
// DEVICE:    error[LEG021]: unknown property "rest" of a rule
// DEVICE:      help: nopt {{.*}}ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/mesh" approximate=reset}'

// A word without a near one is dropped, and none is listed twice.
// TWICE:      error[LEG021]: unknown property "bias" of a rule
// TWICE:        help: nopt {{.*}}ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-set-neuron-model{to=euler approximate=initial,reset}'
