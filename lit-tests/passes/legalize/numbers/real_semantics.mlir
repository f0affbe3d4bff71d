// RUN: nopt %S/../updates/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/rules.neuron" neuron=options_lif nodes=last}' | filecheck %s --check-prefix=ROUNDED

// Roundings and widths of integers are removed: a decay in twelve bits, rounded toward zero, is the same rule.
// ROUNDED: @norse_lif.value becomes @options_lif.value.none: decay, leak, threshold exact; the rule is the same"
